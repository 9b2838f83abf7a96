/** @module-tag slow */
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import ts from "typescript";
import { loadConfigFromFile, type Plugin, type PluginOption, type UserConfig } from "vite";
import { afterEach, describe, expect, test } from "vitest";

const folders = ["app", "bench", "scripts", "tests"];

/** Entry points that a package without `exports` documents, though they look like internal files. */
const documentedEntries = [
  // https://ajv.js.org/json-schema.html#draft-2020-12
  "ajv/dist/2020.js",
];

/** Specifiers that the compiler or the runtime provides. */
const provided = /^(node|virtual|cloudflare):/;

const internalPath = /(^|\/)node_modules\/|^(@[^/]+\/)?[^./#][^/]*\/(build|dist|internal|lib|src)\//;

const resolution: ts.CompilerOptions = {
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  resolveJsonModule: true,
  customConditions: ["workerd", "worker", "browser", "node"],
};
const resolutionCache = ts.createModuleResolutionCache(process.cwd(), (name) => name, resolution);

/** Imports of package internals below a folder, as "file: specifier". */
async function importBreaches(root: string): Promise<string[]> {
  const found: string[] = [];
  for (const path of await sourceFiles(root)) {
    const file = join(root, path);
    const source = ts.createSourceFile(file, await readFile(file, "utf8"), ts.ScriptTarget.Latest, true);
    const { specifiers, unsafe } = usesIn(source);
    found.push(...unsafe.map((name) => `${path}: ${name}`));
    found.push(...specifiers.filter((name) => !isOffered(name, file)).map((name) => `${path}: ${name}`));
  }
  return found.sort();
}

async function sourceFiles(root: string): Promise<string[]> {
  const entries = await readdir(root, { withFileTypes: true });
  const inFolders = entries
    .filter((entry) => entry.isDirectory() && folders.includes(entry.name))
    .map(async ({ name }) =>
      (await readdir(join(root, name), { recursive: true })).map((path) => join(name, path)),
    );
  const inRoot = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  return [...inRoot, ...(await Promise.all(inFolders)).flat()].filter((path) => /\.[cm]?[jt]sx?$/.test(path));
}

/** The module specifiers of a file, from all kinds of imports, and its names that begin with `UNSAFE_`. */
function usesIn(source: ts.SourceFile): { specifiers: string[]; unsafe: string[] } {
  const specifiers: string[] = [];
  const unsafe: string[] = [];
  (function visit(node: ts.Node) {
    const specifier = specifierOf(node);
    if (specifier && ts.isStringLiteralLike(specifier)) specifiers.push(specifier.text);
    if (ts.isIdentifier(node) && node.text.startsWith("UNSAFE_")) unsafe.push(node.text);
    ts.forEachChild(node, visit);
  })(source);
  return { specifiers, unsafe };
}

function specifierOf(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isImportTypeNode(node))
    return ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined;
  if (!ts.isCallExpression(node)) return undefined;
  const { expression } = node;
  const imports =
    expression.kind === ts.SyntaxKind.ImportKeyword ||
    /^(createRequire\(.*\)|require)$|^(createRequire\(.*\)|require|import\.meta)\.resolve$/.test(
      expression.getText(),
    );
  return imports ? node.arguments[0] : undefined;
}

/** Whether a specifier is our own file or a public entry point of its package. */
function isOffered(specifier: string, file: string): boolean {
  if (provided.test(specifier) || documentedEntries.includes(specifier)) return true;
  if (internalPath.test(specifier)) return false;
  if (/^[.#/]/.test(specifier)) return true;
  // Vite's URL of a file that is not code, which only Node resolves.
  if (specifier.endsWith("?url")) return isExported(specifier.slice(0, -"?url".length), file);
  return (
    ts.resolveModuleName(specifier, file, resolution, ts.sys, resolutionCache).resolvedModule !== undefined
  );
}

function isExported(specifier: string, file: string): boolean {
  try {
    return existsSync(createRequire(resolve(file)).resolve(specifier));
  } catch {
    return false;
  }
}

/** Signs of patched packages. */
async function packageBreaches(root: string): Promise<string[]> {
  const manifest = await readFile(join(root, "package.json"), "utf8");
  const tools = ["patch-package", "patchedDependencies"].filter((name) => manifest.includes(name));
  const patches = (await readdir(root)).filter((name) => name === "patches" || name === ".yarn");
  return [...tools, ...patches];
}

/** The hooks by which a Vite plugin replaces or rewrites modules. */
const rewritingHooks = ["resolveId", "load", "transform", "renderChunk", "generateBundle"] as const;

/** Whether a hook gets nothing but our own Markdown. */
const readsTextsOnly = (hook: unknown) =>
  String((hook as { filter?: { id?: unknown } }).filter?.id) === String(/\/app\/.*\.md$/);

/** The names of plugins from packages. */
const publishedPlugins = /^(remix|@tailwindcss\/vite)\b/;

/** The parts of a Vite configuration that rewrite modules. */
async function configBreaches(config: UserConfig): Promise<string[]> {
  const found: string[] = [];
  const parts = [config];
  for (const plugin of await plugins(config.plugins ?? [])) {
    if (publishedPlugins.test(plugin.name)) continue;
    if (!plugin.name.startsWith("ringback:")) found.push(`unknown plugin ${plugin.name}`);
    const rewriting = rewritingHooks.filter((hook) => plugin[hook] && !readsTextsOnly(plugin[hook]));
    found.push(...rewriting.map((hook) => `${plugin.name}: ${hook}`));
    const hook = typeof plugin.config === "object" ? plugin.config.handler : plugin.config;
    for (const isSsrBuild of [true, false]) {
      const added = await hook?.call({} as never, config, {
        command: "build",
        mode: "production",
        isSsrBuild,
      });
      if (added) parts.push(added);
    }
  }
  for (const { resolve, build, optimizeDeps } of parts) {
    if (resolve?.alias) found.push("resolve.alias");
    if (build?.rollupOptions?.plugins) found.push("build.rollupOptions.plugins");
    if (optimizeDeps?.esbuildOptions?.plugins) found.push("optimizeDeps.esbuildOptions.plugins");
  }
  return found;
}

async function plugins(options: PluginOption[]): Promise<Plugin[]> {
  const found: Plugin[] = [];
  for (const option of await Promise.all(options)) {
    if (Array.isArray(option)) found.push(...(await plugins(option)));
    else if (option) found.push(option);
  }
  return found;
}

describe("dependencies are used as published:", () => {
  test("no import of package internals", async () => {
    expect(await importBreaches(process.cwd())).toEqual([]);
  });

  test("no patched packages", async () => {
    expect(await packageBreaches(process.cwd())).toEqual([]);
  });

  test.each(["build", "serve"] as const)("no plugin of vite %s rewrites modules", async (command) => {
    const loaded = await loadConfigFromFile({ command, mode: "production" }, "vite.config.ts");
    expect(await plugins(loaded?.config.plugins ?? [])).not.toEqual([]);
    expect(await configBreaches(loaded?.config ?? {})).toEqual([]);
  });
});

describe("a violation is found:", () => {
  let folder = "";
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function project(files: Record<string, string>) {
    folder = await mkdtemp(join(tmpdir(), "ringback-dependencies-"));
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    await symlink(resolve("node_modules"), join(folder, "node_modules"));
  }

  test("an import of internals", async () => {
    await project({
      "app/fine.ts": `import "react"; import "drizzle-orm/d1"; import "./src/own.ts"; import "node:fs"; import "#app/dist/own.ts"; import "ajv/dist/2020.js";`,
      "app/dist.ts": `export * from "@remix-run/react/dist/esm/components.js";`,
      "app/source.tsx": `import type { A } from "some-package/src/a.ts";`,
      "app/path.js": `import "../node_modules/react/index.js";`,
      "app/not-exported.ts": `const { a } = await import("react-dom/server.workerd.js");`,
      "app/type.ts": `export type A = import("drizzle-orm/dist/a").A;`,
      "scripts/required.ts": `createRequire(import.meta.url)("vite/src/node/build.ts");`,
      "scripts/resolved.ts": `const require = createRequire(import.meta.url); require.resolve("drizzle-orm/no-such-file");`,
      "tests/unsafe.ts": `import { UNSAFE_DataRouterContext as Context } from "@remix-run/react";`,
      "app/font.ts": `import url from "drizzle-orm/no-such-font.woff2?url";`,
      "vite.config.ts": `import { a } from "vite/dist/node/chunks/a.js";`,
    });
    expect(await importBreaches(folder)).toEqual([
      "app/dist.ts: @remix-run/react/dist/esm/components.js",
      "app/font.ts: drizzle-orm/no-such-font.woff2?url",
      "app/not-exported.ts: react-dom/server.workerd.js",
      "app/path.js: ../node_modules/react/index.js",
      "app/source.tsx: some-package/src/a.ts",
      "app/type.ts: drizzle-orm/dist/a",
      "scripts/required.ts: vite/src/node/build.ts",
      "scripts/resolved.ts: drizzle-orm/no-such-file",
      "tests/unsafe.ts: UNSAFE_DataRouterContext",
      "vite.config.ts: vite/dist/node/chunks/a.js",
    ]);
  });

  test("patched packages", async () => {
    await project({
      "package.json": `{ "scripts": { "postinstall": "patch-package" } }`,
      "patches/react.patch": "",
    });
    expect(await packageBreaches(folder)).toEqual(["patch-package", "patches"]);
  });

  test("plugins and options that rewrite modules", async () => {
    const alias = { react: "/elsewhere/react.js" };
    const config: UserConfig = {
      plugins: [
        [{ name: "ringback:lean", enforce: "pre", transform: () => "" }],
        Promise.resolve({ name: "ringback:swap", load: () => "", config: () => ({ resolve: { alias } }) }),
        { name: "anything" },
      ],
      build: { rollupOptions: { plugins: [{ name: "late" }] } },
    };
    expect(await configBreaches(config)).toEqual([
      "ringback:lean: transform",
      "ringback:swap: load",
      "unknown plugin anything",
      "build.rollupOptions.plugins",
      "resolve.alias",
      "resolve.alias",
    ]);
  });
});
