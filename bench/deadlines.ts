import { sql } from "drizzle-orm";
import { Miniflare } from "miniflare";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { orderSteps, orders } from "#app/db/schema.ts";
import { endOverdueOrders } from "#app/features/orders/order-deadlines.server.ts";
import { parseArguments } from "../scripts/arguments.ts";
import { d1ProxyWorker, openD1Proxy } from "../scripts/local-d1.ts";
import { migrateDatabase } from "../scripts/migrations.ts";
import { fillWithListings } from "./million-listings.ts";
import { isSmoke } from "./smoke.ts";

// Measures the job that ends orders at their deadlines, on a local D1: half are cancelled, half count as received.
// Usage: npm run bench:deadlines -- [ORDERS]

const { positionals } = parseArguments("bench:deadlines [ORDERS]", {
  allowPositionals: true,
  options: { smoke: { type: "boolean" } },
});
const count = Number(positionals[0] ?? (isSmoke ? 100 : 100_000));
const maxMinutes = 10;

const workerd = new Miniflare({ workers: [d1ProxyWorker({ DB: "bench" })], host: "127.0.0.1", cf: false });
try {
  await workerd.ready;
  const db = await migrateDatabase(openD1Proxy(await workerd.unsafeGetDirectURL("d1-proxy")));
  await addOverdueOrders(db);
  const start = performance.now();
  const overdue = () => db.$count(orders, sql`status = 'active' and stage <> 'received'`);
  let left = await overdue();
  console.log(`${left} orders are overdue`);
  for (let runs = 1; left > 0; runs += 1) {
    await endOverdueOrders(db);
    const before = left;
    left = await overdue();
    if (left === before) throw new Error(`${left} orders are not ended.`);
    const seconds = (performance.now() - start) / 1000;
    if (left === 0 || runs % 10 === 0)
      console.log(`${seconds.toFixed(1)} s: ${left} are left after ${runs} runs`);
  }
  const minutes = (performance.now() - start) / 60_000;
  const ended = await db.$count(orderSteps, sql`kind in ('cancelled', 'received')`);
  if (ended !== count) throw new Error(`${ended} orders were ended instead of ${count}.`);
  if (minutes > maxMinutes && !isSmoke) throw new Error(`It took longer than ${maxMinutes} minutes.`);
} finally {
  await workerd.dispose();
}

/** Adds an overdue order of each available listing: reserved and handed over in turn. */
async function addOverdueOrders(db: Db): Promise<void> {
  // Some listings are reserved or sold without an order.
  await fillWithListings(db, Math.ceil(count * 1.1), "catalog");
  await db.run(sql`insert into users (id, name, email, user_type, created_at)
    values ('buyer', 'Buyer', 'buyer@market.example', 'Buyer', 0)`);
  const prefix = timeOrderedId().slice(0, 24);
  await db.run(sql`insert into orders (id, phone_id, buyer_id, product_name, ram, rom, buyer_name, buyer_address,
      email, phone, price_cents, status, created_at, stage, deadline_at)
    select ${prefix} || substr(id, 25), id, 'buyer', brand_name || ' ' || model, ram, rom, 'Buyer', '', '', '',
      selling_cents, 'active', 0, iif(number % 2, 'reserved', 'handed over'), number
    from phones where status = 'available' order by number limit ${count}`);
  for (const kind of ["reserved", "handed over"])
    await db.run(sql`insert into order_steps (id, order_id, kind, actor_id, created_at)
      select ${kind} || id, id, ${kind}, 'buyer', 0 from orders where ${kind} in ('reserved', stage)`);
  await db.run(sql`update phones set status = 'reserved' where id in (select phone_id from orders)`);
}
