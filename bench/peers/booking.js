// L1b: the batch of a booking, bare: who asks is believed, and what is asked is not checked.

const order = `
  INSERT INTO bookings (id, phone_id, buyer_id, product_name, ram, rom, buyer_name, buyer_address, email, phone,
    price_cents, status, created_at, removal_id, form_key)
  SELECT ?1, id, ?2, brand_name || ' ' || model, ram, rom, 'Buyer', ?3, 'buyer@example.com', ?4, selling_cents,
    'active', ?5, NULL, NULL
  FROM phones
  WHERE id = ?6 AND status = 'available' AND removal_id IS NULL AND seller_id <> ?2
    AND EXISTS (SELECT 1 FROM users WHERE id = ?2 AND removal_id IS NULL)
  ORDER BY id LIMIT 1
  ON CONFLICT DO NOTHING RETURNING id`;

const claim = `
  UPDATE phones SET status = 'reserved' WHERE id IN (SELECT phone_id FROM bookings WHERE id = ?1)`;

/** @type {ExportedHandler<{ DB: D1Database, BUYER: string }>} */
export default {
  async fetch(request, { DB, BUYER }) {
    /** @type {{ phoneId: string, buyerAddress: string, phone: string }} */
    const { phoneId, buyerAddress, phone } = await request.json();
    const id = crypto.randomUUID();
    const [ordered] = await DB.batch([
      DB.prepare(order).bind(id, BUYER, buyerAddress, phone, Date.now(), phoneId),
      DB.prepare(claim).bind(id),
    ]);
    return Response.json(
      { acknowledged: true, insertedId: id },
      { status: ordered?.results.length ? 200 : 409 },
    );
  },
};
