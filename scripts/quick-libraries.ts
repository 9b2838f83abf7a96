import type { Plugin } from "vite";
import { type Alteration, alteredFiles } from "./altered-files.ts";

/**
 * What libraries work out anew for each request, and most of it many times, though it never changes: it is kept
 * instead.
 */
const alterations: Alteration[] = [
  // How routes rank, the pattern of each path, and which routes an address leads to.
  {
    file: /[\\/]@remix-run[\\/]router[\\/]dist[\\/]router\.js$/,
    to: "worker",
    parts: [
      [
        "let branches = flattenRoutes(routes);\n  rankRouteBranches(branches);",
        "let { branches, found } = rankedBranches(routes);\n  if (!allowPartial && found.has(pathname)) return copyOf(found.get(pathname));",
      ],
      [
        "matches = matchRouteBranch(branches[i], decoded, allowPartial);\n  }",
        "matches = matchRouteBranch(branches[i], decoded, allowPartial);\n  }\n  if (!allowPartial) keep(found, pathname, copyOf(matches));",
      ],
      [
        "compilePath(pattern.path, pattern.caseSensitive, pattern.end)",
        "compiledPath(pattern.path, pattern.caseSensitive, pattern.end)",
      ],
    ],
    below: `
const ranked = new WeakMap();
function rankedBranches(routes) {
  const known = ranked.get(routes) ?? { branches: flattenRoutes(routes), found: new Map() };
  if (!ranked.has(routes)) rankRouteBranches(known.branches);
  ranked.set(routes, known);
  return known;
}
// Strangers may ask for any number of addresses.
const mostKept = 200;
function keep(found, pathname, matches) {
  if (found.size >= mostKept) found.clear();
  found.set(pathname, matches);
}
// Whoever is given a match may write into it.
function copyOf(matches) {
  const params = { ...matches?.[0].params };
  return matches && matches.map((match) => ({ ...match, params }));
}
const compiled = new Map();
function compiledPath(...pattern) {
  const name = pattern.join(" ");
  const known = compiled.get(name) ?? compilePath(...pattern);
  compiled.set(name, known);
  return known;
}`,
  },
  // The routes with their components, which a page is rendered by.
  {
    file: /[\\/]@remix-run[\\/]react[\\/]dist[\\/]esm[\\/]server\.js$/,
    to: "worker",
    parts: [["let routes = createServerRoutes(manifest.routes,", "let routes = keptRoutes(manifest.routes,"]],
    below: `
const made = new WeakMap();
function keptRoutes(manifest, ...rest) {
  const known = made.get(manifest) ?? createServerRoutes(manifest, ...rest);
  made.set(manifest, known);
  return known;
}`,
  },
  {
    file: /[\\/]react-router-dom[\\/]server\.m?js$/,
    to: "worker",
    parts: [
      [
        "let manifest = {};\n  let dataRoutes = UNSAFE_convertRoutesToDataRoutes(routes, UNSAFE_mapRouteProperties, undefined, manifest);",
        "let { dataRoutes, manifest } = keptDataRoutes(routes);",
      ],
      [
        'let encoded = ABSOLUTE_URL_REGEX.test(href) ? new URL(href) : new URL(href, "http://localhost");',
        "let encoded = encodedOnce(href);",
      ],
    ],
    below: `
const made = new WeakMap();
function keptDataRoutes(routes) {
  if (made.has(routes)) return made.get(routes);
  const manifest = {};
  const dataRoutes = UNSAFE_convertRoutesToDataRoutes(routes, UNSAFE_mapRouteProperties, undefined, manifest);
  made.set(routes, { dataRoutes, manifest });
  return made.get(routes);
}
const encoded = new Map();
function encodedOnce(href) {
  const known = encoded.get(href) ?? (ABSOLUTE_URL_REGEX.test(href) ? new URL(href) : new URL(href, "http://localhost"));
  // Strangers may ask for any number of addresses.
  if (encoded.size >= 200) encoded.clear();
  encoded.set(href, known);
  return known;
}`,
  },
  // The modules of all routes, and the request once more for each loader without what only Remix puts into addresses.
  {
    file: /[\\/]@remix-run[\\/]server-runtime[\\/]dist[\\/]esm[\\/]entry\.js$/,
    to: "worker",
    parts: [
      [
        "return Object.keys(manifest).reduce(",
        "return made.get(manifest) ?? keep(manifest, Object.keys(manifest).reduce(",
      ],
      ["  }, {});", "  }, {}));"],
    ],
    below: `
const made = new WeakMap();
function keep(manifest, modules) {
  made.set(manifest, modules);
  return modules;
}`,
  },
  {
    file: /[\\/]@remix-run[\\/]server-runtime[\\/]dist[\\/]esm[\\/]data\.js$/,
    to: "worker",
    parts: [
      [
        "function stripIndexParam(request) {",
        "function stripIndexParam(request) {\n  if (!/[?&]index\\b/.test(request.url)) return request;",
      ],
      [
        "function stripRoutesParam(request) {",
        "function stripRoutesParam(request) {\n  if (!/[?&]_routes\\b/.test(request.url)) return request;",
      ],
    ],
  },
  // The keys by which cookies are signed, of which there are a few.
  {
    file: /[\\/]@remix-run[\\/]cloudflare[\\/]dist[\\/]crypto\.js$/,
    to: "worker",
    parts: [["async function createKey(secret, usages) {", "async function importKey(secret, usages) {"]],
    below: `
const keys = new Map();
function createKey(secret, usages) {
  const name = usages + " " + secret;
  const known = keys.get(name) ?? importKey(secret, usages);
  keys.set(name, known);
  return known;
}`,
  },
  // Drizzle asks of each piece of a statement what it is, and goes on to compare the names of all its classes: that
  // finds the pieces of a second copy of drizzle, and the Worker has one.
  {
    file: /[\\/]drizzle-orm[\\/]entity\.js$/,
    to: "worker",
    parts: [
      [
        "if (!Object.prototype.hasOwnProperty.call(type, entityKind)) {",
        "return false;\n  if (!Object.prototype.hasOwnProperty.call(type, entityKind)) {",
      ],
    ],
  },
  // How a column is named in a statement of several tables.
  {
    file: /[\\/]drizzle-orm[\\/]sqlite-core[\\/]dialect\.js$/,
    to: "worker",
    parts: [
      [
        `chunk.push(
              sql\`\${sql.identifier(tableName)}.\${sql.identifier(this.casing.getColumnCasing(field))}\`
            );`,
        "chunk.push(field);",
      ],
    ],
  },
  // How a row is read: what makes a value of each column is found by going through the classes that it may be of.
  {
    file: /[\\/]drizzle-orm[\\/]utils\.js$/,
    to: "worker",
    parts: [
      [
        "const nullifyMap = {};",
        "const flat = flatReaders(columns);\n  if (flat) return readFlat(flat, row);\n  const nullifyMap = {};",
      ],
    ],
    below: `
const readers = new WeakMap();
// Columns whose values stand side by side in the result, as they do but for nested ones.
function flatReaders(columns) {
  if (readers.has(columns)) return readers.get(columns);
  const flat = columns.every(({ path }) => path.length === 1)
    ? columns.map(({ path: [name], field }) => ({ name, decoder: decoderOf(field) }))
    : null;
  readers.set(columns, flat);
  return flat;
}
function decoderOf(field) {
  if (is(field, Column)) return field;
  if (is(field, SQL)) return field.decoder;
  return is(field, Subquery) ? field._.sql.decoder : field.sql.decoder;
}
function readFlat(flat, row) {
  const result = {};
  for (let index = 0; index < flat.length; index += 1) {
    const { name, decoder } = flat[index];
    const value = row[index];
    result[name] = value === null ? null : decoder.mapFromDriverValue(value);
  }
  return result;
}`,
  },
];

/** Makes what libraries do for each request quicker, in the Worker. */
export function quickLibraries(): Plugin {
  return alteredFiles("ringback:quick-libraries", alterations);
}
