import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@libsql/client";
import { inArray } from "drizzle-orm";
import fc from "fast-check";
import type { Db } from "#app/db/client.server.ts";
import { orders, phones, tickets } from "#app/db/schema.ts";
import { addAccount, addPhone } from "../../tests/harness/fixtures.ts";
import { validListing } from "../../tests/harness/listing-form.ts";
import { addPerson, type Person } from "../../tests/harness/mutations/records.ts";
import { findViolations } from "./invariants.ts";
import { type Market, openMarket } from "./market.ts";
import { onBothBackends, type PartResult } from "./part.ts";
import { acknowledgedOrder, callApi, postForm } from "./responses.ts";

const writerCount = 6;

/** What was acknowledged: unique texts of reports and listings, and the ids of orders. */
interface Acknowledged {
  report: string[];
  listing: string[];
  order: string[];
}

const columns = { report: tickets.details, listing: phones.model, order: orders.id };
const kinds = ["report", "listing", "order"] as const;

const kill = fc.record({
  /** After the first acknowledged write. */
  delayMs: fc.integer({ min: 0, max: 250 }),
  writes: fc.array(fc.array(fc.constantFrom(...kinds), { minLength: 30, maxLength: 30 }), {
    minLength: writerCount,
    maxLength: writerCount,
  }),
});

/**
 * Kills the process that holds the database while people write, and starts it again: workerd for D1, sqld for libSQL.
 * A SIGKILL is a crash of the process, not a loss of power.
 */
export const kills = onBothBackends(async (backend, options): Promise<PartResult> => {
  const failures: string[] = [];
  const market = await openMarket({ backend, buildFolder: options.buildFolder });
  const writers: Person[] = [];
  while (writers.length < writerCount) writers.push(await addPerson(market, { userType: "Seller" }));
  const { id: sellerId } = await addAccount(market.db, { userType: "Seller" });
  const offers: string[] = [];
  const all: Acknowledged = { report: [], listing: [], order: [] };
  let runs = 0;
  while (runs < options.runs && Date.now() < options.until && failures.length < 10) {
    const [planned] = fc.sample(kill, { seed: options.seed + runs, numRuns: 1 });
    if (!planned) break;
    const wrong: string[] = [];
    while (offers.length < 20) offers.push((await addPhone(market.db, { sellerId })).id);
    const round = await writeUntilKilled(market, writers, offers, planned);
    if (market.libsql) await market.libsql.restart();
    const integrity = await checkIntegrity(market);
    if (integrity !== "ok") wrong.push(`integrity_check: ${integrity}`);
    if (!market.libsql) await market.restart();
    wrong.push(...(await findLost(market.db, round)), ...(await findViolations(market.db)));
    for (const kind of kinds) all[kind].push(...round[kind]);
    failures.push(...wrong.map((what) => `${backend}, kill ${runs} of seed ${options.seed}: ${what}`));
    runs += 1;
  }
  failures.push(...(await findLost(market.db, all)).map((what) => `${backend}, after all kills: ${what}`));
  await market.stop();
  const writes = kinds.reduce((sum, kind) => sum + all[kind].length, 0);
  return { runs, failures, notes: `(${writes} acknowledged writes)` };
});

async function writeUntilKilled(
  market: Market,
  writers: Person[],
  offers: string[],
  { delayMs, writes }: { delayMs: number; writes: (typeof kinds)[number][][] },
): Promise<Acknowledged> {
  const acknowledged: Acknowledged = { report: [], listing: [], order: [] };
  let isKilled = false;
  let reportFirst = () => {};
  const first = new Promise<void>((resolve) => {
    reportFirst = resolve;
  });

  async function write(person: Person, kind: (typeof kinds)[number]) {
    const text = crypto.randomUUID();
    if (kind === "order") {
      const phoneId = offers.pop();
      const id = phoneId && acknowledgedOrder(await callApi(person, "POST", "/bookings", { phoneId }));
      if (id) acknowledged.order.push(id);
      return;
    }
    const { status } =
      kind === "report"
        ? await postForm(person, "/report", {
            details: text,
            name: "Mia",
            email: "mia@example.com",
          })
        : await postForm(person, "/addphone", { ...validListing, model: text });
    if (status === 303) acknowledged[kind].push(text);
  }

  async function writeAll(person: Person, planned: (typeof kinds)[number][]) {
    for (const kind of planned) {
      if (isKilled) return;
      // After the kill connections break, or the product answers 503.
      await write(person, kind).catch(() => undefined);
      reportFirst();
    }
  }

  const working = Promise.all(writers.map((person, index) => writeAll(person, writes[index] ?? [])));
  await first;
  await new Promise((resolve) => setTimeout(resolve, delayMs));
  isKilled = true;
  if (market.libsql) await market.libsql.kill();
  else market.kill();
  await working;
  return acknowledged;
}

/** Acknowledged writes that the database does not have. */
async function findLost(db: Db, acknowledged: Acknowledged): Promise<string[]> {
  const lost: string[] = [];
  for (const kind of kinds) {
    const { [kind]: column } = columns;
    for (let at = 0; at < acknowledged[kind].length; at += 90) {
      const wanted = acknowledged[kind].slice(at, at + 90);
      const found = await db.select({ value: column }).from(column.table).where(inArray(column, wanted));
      const values = new Set(found.map(({ value }) => value));
      lost.push(...wanted.filter((each) => !values.has(each)).map((each) => `lost ${kind} ${each}`));
    }
  }
  return lost;
}

/** SQLite's own check of the database: for D1 of a copy of the files as the killed process left them. */
async function checkIntegrity({ libsql, persist }: Market): Promise<string> {
  if (libsql) return integrityOf(libsql.url);
  const folder = await mkdtemp(join(tmpdir(), "ringback-integrity-"));
  try {
    const databases = join(persist, "d1/miniflare-D1DatabaseObject");
    await cp(databases, folder, { recursive: true });
    const files = (await readdir(folder)).filter((name) => name.endsWith(".sqlite"));
    const results = await Promise.all(files.map((file) => integrityOf(`file:${join(folder, file)}`)));
    return results.every((result) => result === "ok") && results.length > 0 ? "ok" : results.join(", ");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function integrityOf(url: string): Promise<string> {
  const client = createClient({ url });
  try {
    const { rows } = await client.execute("PRAGMA integrity_check");
    return rows.map((row) => String(row[0])).join("; ");
  } finally {
    client.close();
  }
}
