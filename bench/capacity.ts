import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { Miniflare } from "miniflare";
import { createDb, type Db } from "#app/db/client.server.ts";
import { isOutage } from "#app/db/outage.ts";
import { sendFirstMessage, sendMessage } from "#app/features/messages/send-message.server.ts";
import { handOver, recordReceipt } from "#app/features/orders/order-steps.server.ts";
import { parseArguments } from "../scripts/arguments.ts";
import { openLibsql } from "../scripts/database.ts";
import { catalog } from "../scripts/demo/catalog.ts";
import { d1ProxyWorker, openD1Proxy } from "../scripts/local-d1.ts";
import { migrateDatabase } from "../scripts/migrations.ts";
import { bookWithoutLimits } from "../tests/harness/bookings.ts";
import { addAccount, addPhone } from "../tests/harness/fixtures.ts";
import { startLibsql } from "../tests/harness/libsql.ts";
import { publish } from "../tests/harness/publish.ts";
import { fillWithListings } from "./million-listings.ts";
import { simulateMarkets } from "./simulation.ts";
import { isSmoke } from "./smoke.ts";
import { median, percentile } from "./statistics.ts";

// Measures what listings, orders and messages take in the database, and how many it writes a second, through the
// product's own functions. See docs/performance.md.
// Usage: npm run bench:capacity -- [ROWS]
// Or, to serve a market of that many listings while it is used (bench/simulation.ts):
// npm run bench:capacity -- --listings 10000000 [--minutes 2] [--backend D1|libSQL]

const { values, positionals } = parseArguments(
  "bench:capacity [ROWS | --listings N [--minutes N] [--backend D1|libSQL]]",
  {
    allowPositionals: true,
    options: {
      listings: { type: "string" },
      minutes: { type: "string", default: "2" },
      backend: { type: "string" },
      smoke: { type: "boolean" },
    },
  },
);
const rows = Number(positionals[0] ?? (isSmoke ? 20 : 2000));
const listingsBefore = isSmoke ? 500 : 20_000;
const concurrency = 16;
const people = isSmoke ? 5 : 50;
const bookingsPerMinute = 1000;
const steadySeconds = isSmoke ? 1 : 30;

type Account = Awaited<ReturnType<typeof addAccount>>;

interface Row {
  name: string;
  perSecond: number;
  bytes: number;
  /** Writes that were refused because the database was busy, and made again. */
  refused: number;
}

/** @param open opens the database for one request */
async function measure(
  open: () => Promise<Db>,
  hasSize: boolean,
): Promise<{ results: Row[]; latencies: number[] }> {
  const db = await open();
  await fillWithListings(db, listingsBefore, "catalog");
  const sellers = await accounts(db, "Seller");
  const buyers = await accounts(db, "Buyer");
  const of = <T>(all: T[], index: number) => all[index % all.length] as T;
  const results: Row[] = [];

  async function add(name: string, work: (db: Db, index: number) => Promise<unknown>) {
    const before = hasSize ? await sizeOf(db) : 0;
    const start = performance.now();
    let refused = 0;
    await inParallel(rows, async (index) => {
      refused += await untilDone(async () => work(await open(), index));
    });
    const perSecond = rows / ((performance.now() - start) / 1000);
    results.push({ name, perSecond, refused, bytes: hasSize ? ((await sizeOf(db)) - before) / rows : 0 });
  }

  const phoneIds: string[] = [];
  await add("listing", async (request, index) => {
    phoneIds[index] = await publish(request, of(sellers, index), listing(index), null);
  });
  const orderIds: string[] = [];
  await add("booking", async (request, index) => {
    const details = { address: "14 Harbour Street, 2nd floor, Springfield", phone: "+1 555 0100" };
    const order = await bookWithoutLimits(request, of(buyers, index), of(phoneIds, index), details);
    if (order.refusal) throw new Error(order.refusal.reason);
    orderIds[index] = order.orderId;
  });
  await add("handover and receipt", async (request, index) => {
    await handOver(request, of(sellers, index), of(orderIds, index));
    const { refusal } = await recordReceipt(request, of(buyers, index), of(orderIds, index));
    if (refusal) throw new Error(refusal);
  });
  const conversations: string[] = [];
  for (const [index, buyer] of buyers.entries()) {
    const { id: phone } = await addPhone(db, { sellerId: of(sellers, index).id });
    const sent = await sendFirstMessage(db, buyer, { phone }, message(index));
    conversations.push(sent.conversationId ?? "");
  }
  await add("message", async (request, index) => {
    const sent = await sendMessage(request, of(buyers, index), of(conversations, index), message(index));
    if (sent.refusal) throw new Error(sent.refusal);
  });
  return { results, latencies: await bookSteadily(open, buyers) };
}

/** Books at the pace of `bookingsPerMinute`, whether or not earlier bookings have ended. @returns milliseconds of each */
async function bookSteadily(open: () => Promise<Db>, buyers: Account[]): Promise<number[]> {
  const wanted = Math.round((bookingsPerMinute / 60) * steadySeconds);
  const ids = await (await open()).all<{ id: string }>(
    sql`select id from phones where status = 'available' and seller_id like 'seller-%' limit ${wanted}`,
  );
  const latencies: number[] = [];
  const start = performance.now();
  await Promise.all(
    ids.map(async ({ id }, index) => {
      const due = start + (index * 60_000) / bookingsPerMinute;
      await new Promise((resolve) => setTimeout(resolve, due - performance.now()));
      const buyer = buyers[index % buyers.length] as Account;
      await untilDone(async () => bookWithoutLimits(await open(), buyer, id, { address: "", phone: "1" }));
      latencies.push(performance.now() - due);
    }),
  );
  return latencies;
}

async function accounts(db: Db, userType: Account["userType"]): Promise<Account[]> {
  const added: Account[] = [];
  while (added.length < people) added.push(await addAccount(db, { userType }));
  return added;
}

function listing(index: number): Parameters<typeof publish>[2] {
  const { brandName, model, ram, camera, processor, battery, os, deviceType, slug, storage } = catalog[
    index % catalog.length
  ] as (typeof catalog)[number];
  const { rom } = storage[0] as (typeof storage)[number];
  return {
    ...{ brandName, model, ram, rom, camera, processor, battery, os, deviceType },
    image: `/devices/${slug}.svg`,
    sellingReason: "I have a newer one. It has always been in a case, and comes with its box and its cable.",
    marketPrice: 69_900,
    sellingPrice: 30_000 + (index % 5000),
    postDate: "2026-11-20",
    usedTime: "14",
    condition: "Good",
    batteryHealth: 85 + (index % 15),
  } as Parameters<typeof publish>[2];
}

const message = (index: number) => ({
  text: `Hello, is it still available, and would you take a little less? I could come on Saturday at ${index % 24}.`,
  formKey: crypto.randomUUID(),
});

/** @returns how often the database was busy */
async function untilDone(work: () => Promise<unknown>): Promise<number> {
  for (let refused = 0; ; refused += 1) {
    try {
      await work();
      return refused;
    } catch (error) {
      if (!isOutage(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

async function inParallel(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  async function one() {
    while (next < count) {
      next += 1;
      await work(next - 1);
    }
  }
  await Promise.all(Array.from({ length: concurrency }, one));
}

/** The bytes of the database's pages in use. */
async function sizeOf(db: Db): Promise<number> {
  const [size] = await db.all<{ bytes: number }>(sql`
    select (page_count - freelist_count) * page_size as bytes
    from pragma_page_count(), pragma_freelist_count(), pragma_page_size()`);
  return size?.bytes ?? 0;
}

async function onD1<Result>(work: (open: () => Promise<Db>) => Promise<Result>): Promise<Result> {
  const persist = await mkdtemp(join(tmpdir(), "ringback-capacity-"));
  const workerd = new Miniflare({
    workers: [d1ProxyWorker({ DB: "bench" })],
    host: "127.0.0.1",
    cf: false,
    defaultPersistRoot: persist,
  });
  try {
    await workerd.ready;
    const db = await migrateDatabase(openD1Proxy(await workerd.unsafeGetDirectURL("d1-proxy")));
    return await work(async () => db);
  } finally {
    await workerd.dispose();
    await rm(persist, { recursive: true, force: true });
  }
}

async function onLibsql<Result>(work: (open: () => Promise<Db>) => Promise<Result>): Promise<Result> {
  const server = await startLibsql();
  try {
    await openLibsql(server.url);
    return await work(() => createDb({ LIBSQL_URL: server.url }));
  } finally {
    await server.stop();
  }
}

async function compareDatabases() {
  const d1 = await onD1((open) => measure(open, false));
  const libsql = await onLibsql((open) => measure(open, true));
  console.log(
    `${rows} of each, after ${listingsBefore} listings; ${cpus()[0]?.model} × ${cpus().length}, Node ${process.version}\n`,
  );
  console.log("| What | Bytes | A second on D1 | A second on libSQL |\n|---|---|---|---|");
  for (const [index, { name, perSecond, bytes, refused }] of libsql.results.entries()) {
    const other = d1.results[index]?.perSecond ?? Number.NaN;
    console.log(
      `| ${name} | ${Math.round(bytes)} | ${Math.round(other)} | ${Math.round(perSecond)} (${refused} busy) |`,
    );
  }
  for (const [name, { latencies }] of Object.entries({ D1: d1, libSQL: libsql })) {
    console.log(
      `\n${name}: ${bookingsPerMinute} bookings a minute for ${steadySeconds} s: median ${median(latencies).toFixed(0)} ms, 99 % within ${percentile(latencies, 0.99).toFixed(0)} ms`,
    );
  }
}

const { listings, minutes, backend } = values;
if (backend !== undefined && backend !== "D1" && backend !== "libSQL") {
  console.error("--backend is D1 or libSQL");
  process.exit(1);
}
if (isSmoke || listings === undefined) await compareDatabases();
if (isSmoke) await simulateMarkets({ listings: 500, minutes: 0.02, backend });
else if (listings !== undefined)
  await simulateMarkets({ listings: Number(listings), minutes: Number(minutes), backend });
