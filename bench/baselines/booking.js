// Baseline L1b: the statements of a booking in one batch, without checks and always with the same session.

/** @type {ExportedHandler<{ DB: D1Database, STATEMENTS: { sql: string, params: unknown[] }[] }>} */
export default {
  async fetch(request, { DB, STATEMENTS }) {
    /** @type {{ phoneId: string, buyerAddress: string, phone: string }} */
    const { phoneId, buyerAddress, phone } = await request.json();
    /** @type {Record<string, string>} */
    const values = { ":phoneId": phoneId, ":address": buyerAddress, ":phone": phone };
    /** @param {string} placeholder */
    const madeId = (placeholder) => {
      values[placeholder] ??= crypto.randomUUID();
      return values[placeholder];
    };
    /** @param {unknown} param */
    const filled = (param) =>
      typeof param === "string" ? (values[param] ?? param.replace(/:id\d+/, madeId)) : param;
    // The first statement reads the session.
    /** @type {D1Result<any>[]} */
    const [, ordered] = await DB.batch(
      STATEMENTS.map(({ sql, params }) => DB.prepare(sql).bind(...params.map(filled))),
    );
    const [order] = ordered?.results ?? [];
    return Response.json({ acknowledged: true, insertedId: order?.id }, { status: order ? 200 : 409 });
  },
};
