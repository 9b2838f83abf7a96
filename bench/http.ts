import { execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { bookings, phones, users } from "#app/db/schema.ts";
import { openSession } from "#app/features/accounts/sessions.server.ts";
import { sessionSeconds } from "#app/server/http/cookies.server.ts";
import { buildInto } from "../scripts/build.ts";
import { demoPassword, seedDemoData } from "../scripts/demo/seed.ts";
import { openArena } from "./arena.ts";
import { pageTemplate } from "./page-template.ts";
import { ratios } from "./ratios.ts";
import { bookingStatements, listStatements } from "./statements.ts";

// What our pages and bookings take beside small Workers that do the least there is to do, over HTTP. Each pair is
// measured one after the other, many times over; what counts is the ratio within a pair. See docs/performance.md.

const rounds = 15;
const bookingsAtATime = 250;
const secret = { SESSION_SECRET: "a secret for measuring of more than 32 characters" };

/** What is measured, against what, and the aim. */
const pairs = [
  { name: "cached list, visitor, against a bare cache (L0c)", one: "cached", other: "L0c", aim: 0.9 },
  { name: "cached list, visitor, against a constant (L0)", one: "cached", other: "L0", aim: 0.5 },
  { name: "cached list, signed in, against a bare cache (L0c)", one: "signed in", other: "L0c", aim: 0.9 },
  { name: "cached list, signed in, against a constant (L0)", one: "signed in", other: "L0", aim: 0.5 },
  { name: "cached list, against itself", one: "cached", other: "cached again", aim: null },
  { name: "uncached list, against concatenation (L1)", one: "uncached", other: "L1", aim: 0.4 },
  { name: "uncached list, against itself", one: "uncached", other: "uncached again", aim: null },
  { name: "booking, against its bare batches (L1b)", one: "booking", other: "L1b", aim: 0.6 },
];

const folder = await mkdtemp(join(tmpdir(), "ringback-bench-"));
try {
  const buildFolder = process.env.READY_BUILD ?? join(folder, "build");
  if (!process.env.READY_BUILD) await buildInto(buildFolder);
  await measure(buildFolder, join(folder, "state"));
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function measure(buildFolder: string, persist: string) {
  const products = {
    market: { ...secret, EDGE_CACHE_SECONDS: "60" },
    uncached: { ...secret, EDGE_CACHE_SECONDS: "0" },
  };
  // The peers are given our page, so it must be there first.
  const { page, segments, sessionId, buyer } = await filled(buildFolder, persist, products);
  const arena = await openArena({
    buildFolder,
    persist,
    products,
    peers: {
      constant: { PAGE: page },
      cached: { PAGE: page },
      list: { STATEMENTS: await listStatements(), SEGMENTS: segments },
      booking: { STATEMENTS: await bookingStatements(sessionId, buyer) },
    },
  });
  const generator = fork(join(import.meta.dirname, "generator.js"), { execArgv: [] });
  try {
    await pin(generator.pid);
    const { db } = arena;
    if ((await (await fetch(arena.url("list"))).text()) !== page) throw new Error("L1's page is not ours.");
    const cookie = await logIn(arena.url("uncached"));
    await expectHit(`${arena.url("market")}/products`, {});
    await expectHit(`${arena.url("market")}/products`, { Cookie: cookie });
    const ids = (await db.select({ id: phones.id }).from(phones).where(eq(phones.status, "available"))).map(
      ({ id }) => id,
    );

    async function rate(load: object): Promise<number> {
      generator.send({ connections: 8, ...load });
      const [{ rate, refused }] = await once(generator, "message");
      if (refused > 0)
        throw new Error(`${refused} of the requests were refused: ${JSON.stringify(load).slice(0, 200)}`);
      return rate;
    }
    const read =
      (name: string, headers: Record<string, string> = {}) =>
      () =>
        rate({ url: `${arena.url(name)}/products`, seconds: 1, headers });
    const book = (name: string) => async () => {
      await db.delete(bookings);
      await db.update(phones).set({ status: "available" }).where(eq(phones.status, "reserved"));
      const bodies = Array.from({ length: bookingsAtATime }, (_, index) =>
        JSON.stringify({ phoneId: ids[index % ids.length], buyerAddress: "1 Street", phone: "5550100" }),
      );
      const headers = { "Content-Type": "application/json", Cookie: cookie };
      return rate({ url: `${arena.url(name)}/bookings`, headers, bodies });
    };
    const loads: Record<string, () => Promise<number>> = {
      cached: read("market"),
      L0c: read("cached"),
      L0: read("constant"),
      "signed in": read("market", { Cookie: cookie }),
      "cached again": read("market"),
      uncached: read("uncached"),
      L1: read("list"),
      "uncached again": read("uncached"),
      booking: book("uncached"),
      L1b: book("booking"),
    };

    const rates: Record<string, number[]> = {};
    // The first rounds warm everything up.
    for (let round = -2; round < rounds; round += 1) {
      for (const [name, load] of Object.entries(loads)) {
        const measured = await load();
        if (round >= 0) rates[name] = [...(rates[name] ?? []), measured];
      }
    }
    console.log("| What | Requests a second, as a ratio | Aim |\n| ---- | ---- | ---- |");
    for (const { name, one, other, aim } of pairs) {
      console.log(`| ${name} | ${ratios(rates[one], rates[other])} | ${aim === null ? "1" : `≥ ${aim}`} |`);
    }
  } finally {
    generator.kill();
    await arena.stop();
  }
}

/** Makes sure that a page is answered from the cache from now on. */
async function expectHit(url: string, headers: Record<string, string>): Promise<void> {
  await fetch(url, { headers });
  const { headers: answered } = await fetch(url, { headers });
  const timing = answered.get("Server-Timing");
  if (!timing?.startsWith("cache;desc=hit")) throw new Error(`${url} was not cached: ${timing}`);
}

/** Fills the database, and fetches the list as it is served from it. */
async function filled(
  buildFolder: string,
  persist: string,
  products: Record<string, Record<string, string>>,
) {
  const arena = await openArena({ buildFolder, persist, products, peers: {} });
  try {
    const { db } = arena;
    await seedDemoData(db);
    const [buyer] = await db.select().from(users).where(eq(users.email, "buyer@example.com"));
    if (!buyer) throw new Error("There is no buyer.");
    // Everything on the shelf can be bought: no order of the demo data stands in the way.
    await db.delete(bookings);
    await db.update(phones).set({ status: "available" });
    await moreToBook(db);
    const page = await (await fetch(`${arena.url("uncached")}/products`)).text();
    const sessionId = await openSession(db, buyer.id, { seconds: sessionSeconds });
    return { page, segments: await pageTemplate(page, db), sessionId, buyer };
  } finally {
    await arena.stop();
  }
}

/** Copies of the oldest listing, older still, so that there are enough to be booked. */
async function moreToBook(db: Db) {
  const [oldest] = await db.select().from(phones).orderBy(phones.id).limit(1);
  if (!oldest) throw new Error("There are no listings.");
  const { number: _, variantId: __, listed: ___, category: ____, savingCents: _____, ...listing } = oldest;
  for (let place = 0; place < bookingsAtATime; place += 1) {
    const id = `00000000-0000-7000-8000-${String(place).padStart(12, "0")}`;
    await db.insert(phones).values({ ...listing, id });
  }
}

async function logIn(url: string): Promise<string> {
  const body = new URLSearchParams({ email: "buyer@example.com", password: demoPassword });
  const answer = await fetch(`${url}/login`, {
    method: "POST",
    body,
    redirect: "manual",
    headers: { Origin: url, "CF-Connecting-IP": "198.18.0.1" },
  });
  const session = answer.headers.getSetCookie().find((cookie) => cookie.startsWith("__Host-session="));
  if (!session) throw new Error(`The buyer could not log in: ${answer.status}.`);
  return session.split(";")[0] ?? "";
}

/** Gives the runtime one core and the load another. */
async function pin(load: number | undefined) {
  for (const [pid, core] of [
    [await runtimePid(), 0],
    [load, 1],
  ] as const) {
    execFileSync("taskset", ["-acp", String(core), String(pid)]);
  }
}

/** The process that runs the Workers: a child of this one. */
async function runtimePid(): Promise<string> {
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
    if (/^Name:\s+workerd$/m.test(status) && status.includes(`\nPPid:\t${process.pid}\n`)) return pid;
  }
  throw new Error("There is no workerd among the children of this process.");
}
