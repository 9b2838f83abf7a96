// Baseline L1: the statements of the list page, and its markup concatenated as text.

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const exact = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** @param {number} cents */
const price = (cents) => `$${(cents % 100 === 0 ? whole : exact).format(cents / 100)}`;

/** @type {Record<string, string>} */
const entities = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };

/** @param {string} text */
const escaped = (text) => text.replace(/[&<>"']/g, (character) => entities[character] ?? "");

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
    /** @type {Record<string, Record<string, number>>} */
    const counts = Object.assign({}, ...JSON.parse(counted?.results[0]?.counts));
    const options = new Map(
      Object.entries(counts).flatMap(([facet, values]) =>
        Object.entries(values).map(([value, count]) => [`${facet} ${value}`, { value, count }]),
      ),
    );
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
