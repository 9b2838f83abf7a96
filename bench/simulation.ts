import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { buildInto } from "../scripts/build.ts";
import { openLibsql } from "../scripts/database.ts";
import { withLocalD1 } from "../scripts/local-d1.ts";
import { startLocalServer } from "../scripts/local-server.ts";
import { migrateDatabase } from "../scripts/migrations.ts";
import { addAccount } from "../tests/harness/fixtures.ts";
import { type Libsql, startLibsql } from "../tests/harness/libsql.ts";
import { type Visitor, visitor } from "../tests/harness/visitor.ts";
import { unlimitedReservations } from "./bench-server.ts";
import { localD1File, withDatabaseFile } from "./database-file.ts";
import { fillWithListings } from "./million-listings.ts";
import { bookingsPerMinute, type Measured, sendRequests } from "./request-mix.ts";
import { workerdPid } from "./runtime.ts";
import { isSmoke } from "./smoke.ts";
import { type Backend, backends } from "./soak/part.ts";
import { percentile } from "./statistics.ts";

const buyerCount = isSmoke ? 2 : 50;
/** More requests per minute than a simulation makes. */
const unlimited = 1_000_000_000;

interface Options {
  listings: number;
  /** How long requests are sent. */
  minutes: number;
}

/**
 * Serves markets of so many listings with the built Worker, without the edge cache, and prints how long bookings and
 * reads take at a fixed pace. The database of each is in the folder of temporary files, and needs about 1 KB a listing.
 *
 * @param backend the only database; by default both
 */
export async function simulateMarkets({ backend, ...options }: Options & { backend?: string }) {
  const folder = await mkdtemp(join(tmpdir(), "ringback-simulation-"));
  try {
    const buildFolder = process.env.READY_BUILD ?? join(folder, "build");
    if (!process.env.READY_BUILD) await buildInto(buildFolder);
    for (const each of backends.filter((one) => (backend ?? one) === one)) {
      console.log(`\n${each}; ${cpus()[0]?.model} × ${cpus().length}, Node ${process.version}`);
      await simulate(each, options, buildFolder, join(folder, "state"));
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function simulate(backend: Backend, options: Options, buildFolder: string, persist: string) {
  const { file, libsql } = backend === "D1" ? await emptyD1(persist) : await emptyLibsql();
  try {
    const start = performance.now();
    await withDatabaseFile(file, (db) => fillWithListings(db, options.listings, "catalog"));
    const seconds = Math.round((performance.now() - start) / 1000);
    console.log(`${options.listings} listings, ${(await stat(file)).size} bytes, filled in ${seconds} s`);
    await libsql?.restart();
    await serveAndMeasure(options, { buildFolder, persist, libsql });
  } finally {
    await libsql?.stop();
    await rm(persist, { recursive: true, force: true });
  }
}

async function emptyD1(persist: string): Promise<{ file: string; libsql?: undefined }> {
  await withLocalD1(persist, migrateDatabase);
  return { file: await localD1File(persist) };
}

async function emptyLibsql(): Promise<{ file: string; libsql: Libsql }> {
  const libsql = await startLibsql();
  await openLibsql(libsql.url);
  await libsql.kill();
  const folder = join(libsql.data, "dbs/default");
  // Left by a server that was killed. With it the next one would copy the whole database to its log for replicas.
  await rm(join(folder, ".sentinel"), { force: true });
  return { file: join(folder, "data"), libsql };
}

async function serveAndMeasure(
  { listings, minutes }: Options,
  { buildFolder, persist, libsql }: { buildFolder: string; persist: string; libsql?: Libsql },
) {
  let log = "";
  const server = await startLocalServer({
    buildFolder,
    persist,
    maxPerMinute: unlimited,
    onLog: (text) => {
      log += text;
    },
    bindings: {
      SESSION_SECRET: "a secret for benchmarks of more than 32 characters",
      EDGE_CACHE_SECONDS: "0",
      ...unlimitedReservations,
      ...(libsql && { LIBSQL_URL: libsql.url }),
    },
  });
  try {
    const buyers: Visitor[] = [];
    while (buyers.length < buyerCount) {
      const buyer = visitor(server);
      await buyer.logIn((await addAccount(server.db)).email);
      buyers.push(buyer);
    }
    const ids = await availableListings(server.db, listings, Math.round(bookingsPerMinute * minutes));
    const measured = await sendRequests(server, { buyers, ids, listings });
    print(measured);
    const [oneMinute = 0] = loadavg();
    console.log(`load ${oneMinute.toFixed(0)}; ${log.split('"level":"error"').length - 1} errors in the log`);
    for (const [name, pid] of Object.entries({ workerd: await workerdPid(), sqld: libsql?.pid() }))
      if (pid) console.log(`${name} took up to ${await peakMemory(pid)} of memory`);
    const { times = [], failures = [] } = measured.get("booking") ?? {};
    await checkCounts(server.db, times.length, times.length + failures.length);
  } finally {
    await server.stop();
  }
}

/** The ids of available listings from all over the market. */
async function availableListings(db: Db, listings: number, count: number): Promise<string[]> {
  const places = Array.from({ length: count * 2 }, () => 1 + Math.floor(Math.random() * listings));
  const rows = await db.all<{ id: string }>(sql`select id from phones
    where number in (select value from json_each(${JSON.stringify(places)})) and status = 'available'
    order by random() limit ${count}`);
  return rows.map(({ id }) => id);
}

function print(measured: Map<string, Measured>) {
  console.log("\n| Request | Answered | Median | 95 % within | 99 % within | Failed |");
  console.log("|---|---|---|---|---|---|");
  for (const [kind, { times, failures }] of measured) {
    const within = [0.5, 0.95, 0.99].map((part) => `${Math.round(percentile(times, part))} ms`);
    console.log(`| ${kind} | ${times.length} | ${within.join(" | ")} | ${failures.length} |`);
  }
  const failures = [...measured.values()].flatMap((each) => each.failures);
  console.log(`\n${failures.slice(0, 3).join("\n")}`);
  if (failures.length > 0) process.exitCode = 1;
}

/**
 * Checks the orders, and the numbers of listed phones against a count of all listings. A booking that was not answered in
 * time may have become an order.
 */
async function checkCounts(db: Db, booked: number, sent: number) {
  const [orders] = await db.all<{ count: number }>(
    sql`select count(*) as count from orders where status = 'active'`,
  );
  const [wrong] = await db.all<{ count: number }>(sql`
    select count(*) as count from device_variants left join (
      select variant_id, count(*) as listed from phones where phones.listed group by variant_id) as counted on counted.variant_id = id
    where device_variants.listed <> coalesce(counted.listed, 0)`);
  console.log(
    `${orders?.count} orders, ${booked} acknowledged; ${wrong?.count} variants are counted wrongly`,
  );
  const isRight = orders && orders.count >= booked && orders.count <= sent && wrong?.count === 0;
  if (!isRight) process.exitCode = 1;
}

async function peakMemory(pid: number | string): Promise<string> {
  return /^VmHWM:\s*(.*)$/m.exec(await readFile(`/proc/${pid}/status`, "utf8"))?.[1] ?? "?";
}
