import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, createClient, type InValue } from "@libsql/client";
import { and, asc, eq, isNull } from "drizzle-orm";
import { Miniflare } from "miniflare";
import { unstable_getMiniflareWorkerOptions, unstable_readConfig } from "wrangler";
import type { Db } from "#app/db/client.server.ts";
import { createDrizzle } from "#app/db/d1-adapter.ts";
import { namedRows } from "#app/db/driver.ts";
import { phones, users } from "#app/db/schema.ts";
import { bookPhone } from "#app/features/orders/bookings.server.ts";
import { handOver, receive } from "#app/features/orders/order-steps.server.ts";
import { openLibsql } from "../scripts/database.ts";
import { d1ProxyWorker, openD1Proxy } from "../scripts/local-d1.ts";
import { migrateDatabase, migrateLibsql } from "../scripts/migrations.ts";
import { addAccount, addPhone } from "../tests/harness/fixtures.ts";
import { startLibsql } from "../tests/harness/libsql.ts";
import { fillWithListings } from "./million-listings.ts";

// Measures what rows take in the database, with their indexes, and how many bookings a second D1 and libSQL store.
// Usage: node --import tsx bench/database-size.ts [LISTINGS]

const listings = Number(process.argv[2] ?? 50_000);
const orders = 5000;
const concurrentBuyers = 8;
const seconds = 10;
const gigabytes = 10;
const offersForBookings = 2000;

const folder = await mkdtemp(join(tmpdir(), "ringback-size-"));
try {
  await measureSizes();
  await measureBookings("D1", await openLocalD1());
  await measureBookings("libSQL", await openLocalLibsql());
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.exit(0);

/** SQLite's file format is that of D1 and of libSQL. */
async function measureSizes() {
  const client = createClient({ url: `file:${join(folder, "size.db")}` });
  await migrateLibsql(client);
  const db = createDrizzle(async (statements) => {
    const batch = statements.map(({ sql, params }) => ({ sql, args: params as InValue[] }));
    const results = await client.batch(batch, "write");
    return results.map(({ columns, rows }) => ({ rows: namedRows(columns, rows) }));
  });
  const empty = await sizeOf(client);
  await fillWithListings(db, listings, "catalog");
  const filled = await sizeOf(client);
  await placeOrders(db, orders, true);
  const ordered = await sizeOf(client);
  client.close();
  console.log("| Record | Bytes | Number in 10 GB |\n|---|---|---|");
  print("a listing, with its share of the device variants", (filled - empty) / listings);
  print("an order, with its steps and notifications", (ordered - filled) / orders);
}

function print(what: string, bytes: number) {
  console.log(`| ${what} | ${Math.round(bytes)} | ${((gigabytes * 1e9) / bytes / 1e6).toFixed(1)} million |`);
}

async function sizeOf(client: Client): Promise<number> {
  const { rows } = await client.execute(
    "select (page_count - freelist_count) * page_size from pragma_page_count, pragma_freelist_count, pragma_page_size",
  );
  return Number(rows[0]?.[0]);
}

/** Books the oldest available listings for one buyer. @returns the number of orders */
async function placeOrders(db: Db, count: number, completed: boolean, until = Number.POSITIVE_INFINITY) {
  const buyer = await addAccount(db);
  const offers = await db
    .select({ id: phones.id, seller: users })
    .from(phones)
    .innerJoin(users, eq(users.id, phones.sellerId))
    .where(and(eq(phones.status, "available"), isNull(phones.removalId)))
    .orderBy(asc(phones.id))
    .limit(count);
  const queue = offers.values();
  let placed = 0;
  async function work() {
    for (const { id, seller } of queue) {
      if (Date.now() >= until) return;
      const { orderId } = await bookPhone(db, buyer, id, {
        address: "7 Ropewalk Lane, Fairhaven",
        phone: "555 0142",
      });
      if (!orderId) continue;
      placed += 1;
      if (completed && (await handOver(db, seller, orderId))) await receive(db, buyer, orderId);
    }
  }
  await Promise.all(Array.from({ length: completed ? 1 : concurrentBuyers }, work));
  return placed;
}

/** Bookings alone, each one transaction, from eight buyers at once, without the web server. */
async function measureBookings(name: string, { db, stop }: { db: Db; stop(): Promise<void> }) {
  const { id: sellerId } = await addAccount(db, { userType: "Seller" });
  for (let count = 0; count < offersForBookings; count += 1) await addPhone(db, { sellerId });
  const start = Date.now();
  const placed = await placeOrders(db, offersForBookings, false, start + seconds * 1000);
  console.log(`${name}: ${Math.round((placed * 1000) / (Date.now() - start))} bookings a second`);
  await stop();
}

async function openLocalD1() {
  const { workerOptions } = unstable_getMiniflareWorkerOptions(
    unstable_readConfig({ config: "wrangler.toml" }),
  );
  const miniflare = new Miniflare({
    workers: [d1ProxyWorker(workerOptions.d1Databases)],
    defaultPersistRoot: folder,
    cf: false,
  });
  await miniflare.ready;
  const db = await migrateDatabase(openD1Proxy(await miniflare.unsafeGetDirectURL("d1-proxy")));
  return { db, stop: () => miniflare.dispose() };
}

async function openLocalLibsql() {
  const libsql = await startLibsql();
  return { db: await openLibsql(libsql.url), stop: () => libsql.stop() };
}
