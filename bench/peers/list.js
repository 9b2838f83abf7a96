// L1: the same statements as our list, and the same markup put together as text.

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const exact = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** @param {number} cents */
const price = (cents) => `$${(cents % 100 === 0 ? whole : exact).format(cents / 100)}`;

/** @type {Record<string, string>} */
const entities = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };

/** @param {string | number} value */
const text = (value) =>
  typeof value === "number"
    ? price(value)
    : value.replace(/[&<>"']/g, (character) => entities[character] ?? "");

/**
 * Statements, and the segments of our page: text, or the row and column of a value.
 *
 * @type {ExportedHandler<{
 *   DB: D1Database, STATEMENTS: { sql: string, params: unknown[] }[], SEGMENTS: (string | [number, string])[]
 * }>}
 */
export default {
  async fetch(_request, { DB, STATEMENTS, SEGMENTS }) {
    /** @type {D1Result<any>[]} */
    const [page] = await DB.batch(STATEMENTS.map(({ sql, params }) => DB.prepare(sql).bind(...params)));
    const rows = page?.results ?? [];
    const html = SEGMENTS.map((segment) =>
      typeof segment === "string" ? segment : text(rows[segment[0]][segment[1]]),
    ).join("");
    return new Response(html, { headers: { "Content-Type": "text/html; charset=utf-8" } });
  },
};
