// Baseline L1b: the statements of a booking in one batch, without checks and always with the same session.

/** @type {ExportedHandler<{ DB: D1Database, STATEMENTS: { sql: string, params: unknown[] }[] }>} */
export default {
  async fetch(request, { DB, STATEMENTS }) {
    /** @type {{ phoneId: string, buyerAddress: string, phone: string }} */
    const { phoneId, buyerAddress, phone } = await request.json();
    const id = crypto.randomUUID();
    /** @type {Record<string, string>} */
    const values = {
      ":id": id,
      ":stepId": crypto.randomUUID(),
      ":phoneId": phoneId,
      ":address": buyerAddress,
      ":phone": phone,
    };
    // The first statement reads the session.
    const [, ordered] = await DB.batch(
      STATEMENTS.map(({ sql, params }) =>
        DB.prepare(sql).bind(...params.map((param) => values[String(param)] ?? param)),
      ),
    );
    return Response.json(
      { acknowledged: true, insertedId: id },
      { status: ordered?.results.length ? 200 : 409 },
    );
  },
};
