// Baseline L1: the statements of the list page, and its markup concatenated as text.

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const exact = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** @param {number} cents */
const price = (cents) => `$${(cents % 100 === 0 ? whole : exact).format(cents / 100)}`;

/** @type {Record<string, string>} */
const entities = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };

/** @param {string} text */
const escaped = (text) => text.replace(/[&<>"']/g, (character) => entities[character] ?? "");

const ofVariants = ["brand", "rom", "ram"];

/**
 * The options of the filters, by facet and value.
 *
 * @param {{ ofVariants: [number, ...(string | null)[]][], matches?: Record<string, [number, Record<string, number>]> }} counts
 */
function optionsOf(counts) {
  /** @type {Map<string, { value: string, count: number }>} */
  const options = new Map();
  /** @param {string} facet @param {string} value @param {number} count */
  const add = (facet, value, count) => {
    const choice = `${facet} ${value}`;
    options.set(choice, { value, count: count + (options.get(choice)?.count ?? 0) });
  };
  for (const [count, ...values] of counts.ofVariants) {
    for (const [at, value] of values.entries()) if (value !== null) add(ofVariants[at] ?? "", value, count);
  }
  for (const [facet, found] of Object.entries(counts.matches ?? {})) {
    if (!Array.isArray(found)) continue;
    for (const [value, count] of Object.entries(found[1])) add(facet, value, count);
  }
  return options;
}

/** @typedef {string | { row: number, column: string } | { choice: string, column: "value" | "count" }} Segment */

/**
 * The segments are made by `bench/page-template.ts`.
 *
 * @type {ExportedHandler<{ DB: D1Database, STATEMENTS: { sql: string, params: unknown[] }[], SEGMENTS: Segment[] }>}
 */
export default {
  async fetch(_request, { DB, STATEMENTS, SEGMENTS }) {
    /** @type {D1Result<any>[]} */
    const [page, _brands, counted] = await DB.batch(
      STATEMENTS.map(({ sql, params }) => DB.prepare(sql).bind(...params)),
    );
    const rows = page?.results ?? [];
    const options = optionsOf(JSON.parse(counted?.results[0]?.counts));
    const html = SEGMENTS.map((segment) => {
      if (typeof segment === "string") return segment;
      if ("row" in segment) {
        const value = rows[segment.row][segment.column];
        return typeof value === "number" ? price(value) : escaped(value);
      }
      const value = options.get(segment.choice)?.[segment.column] ?? "";
      return typeof value === "number" ? whole.format(value) : escaped(value);
    }).join("");
    return new Response(html, { headers: { "Content-Type": "text/html; charset=utf-8" } });
  },
};
