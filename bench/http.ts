import { execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { notifications, orderSteps, orders, phones, users } from "#app/db/schema.ts";
import { openSession } from "#app/features/accounts/sessions.server.ts";
import { sessionSeconds } from "#app/server/http/cookies.server.ts";
import { parseArguments } from "../scripts/arguments.ts";
import { buildInto } from "../scripts/build.ts";
import { demoPassword, seedDemoData } from "../scripts/demo/seed.ts";
import { startBenchServer } from "./bench-server.ts";
import { pageTemplate } from "./page-template.ts";
import { workerdPid } from "./runtime.ts";
import { isSmoke } from "./smoke.ts";
import { bookingStatements, listStatements } from "./statements.ts";
import { ratios } from "./statistics.ts";

// Compares pages and bookings of the product over HTTP with baseline Workers that do the least possible work. Both of a
// pair are measured in turn; the result is the ratio within a pair. See docs/performance.md.

parseArguments("bench:http [--smoke]", { options: { smoke: { type: "boolean" } } });

const rounds = isSmoke ? 1 : 15;
const warmUpRounds = isSmoke ? 0 : 2;
const bookingsPerRound = isSmoke ? 10 : 250;
const reading = isSmoke ? { requests: 10 } : { seconds: 1 };
const secret = { SESSION_SECRET: "a secret for benchmarks of more than 32 characters" };

/** The measurements: the rate of `subject` as a ratio to that of `reference`, at least `target`. */
const pairs = [
  {
    name: "cached list, visitor, against a bare cache (L0c)",
    subject: "cached",
    reference: "L0c",
    target: 0.9,
  },
  { name: "cached list, visitor, against a constant (L0)", subject: "cached", reference: "L0", target: 0.5 },
  {
    name: "cached list, signed in, against a bare cache (L0c)",
    subject: "signed in",
    reference: "L0c",
    target: 0.9,
  },
  {
    name: "cached list, signed in, against a constant (L0)",
    subject: "signed in",
    reference: "L0",
    target: 0.5,
  },
  { name: "cached list, against itself", subject: "cached", reference: "cached again", target: null },
  { name: "uncached list, against concatenation (L1)", subject: "uncached", reference: "L1", target: 0.4 },
  { name: "uncached list, against itself", subject: "uncached", reference: "uncached again", target: null },
  { name: "booking, against its bare batches (L1b)", subject: "booking", reference: "L1b", target: 0.6 },
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
    product: { ...secret, EDGE_CACHE_SECONDS: "60" },
    uncached: { ...secret, EDGE_CACHE_SECONDS: "0" },
  };
  // The baselines respond with the product's page, so it is rendered first.
  const { page, segments, sessionId, buyer } = await seedAndRender(buildFolder, persist, products);
  const server = await startBenchServer({
    buildFolder,
    persist,
    products,
    baselines: {
      constant: { PAGE: page },
      cached: { PAGE: page },
      list: { STATEMENTS: await listStatements(), SEGMENTS: segments },
      booking: { STATEMENTS: await bookingStatements(sessionId, buyer) },
    },
  });
  const loadGenerator = fork(join(import.meta.dirname, "load-generator.js"), { execArgv: [] });
  try {
    await pinToCores(loadGenerator.pid);
    const { db } = server;
    if ((await (await fetch(server.url("list"))).text()) !== page)
      throw new Error("L1's page differs from the product's page.");
    const cookie = await logIn(server.url("uncached"));
    await expectHit(`${server.url("product")}/products`, {});
    await expectHit(`${server.url("product")}/products`, { Cookie: cookie });
    const ids = (await db.select({ id: phones.id }).from(phones).where(eq(phones.status, "available"))).map(
      ({ id }) => id,
    );

    async function rate(load: object): Promise<number> {
      loadGenerator.send({ connections: 8, ...load });
      const [{ rate, failed }] = await once(loadGenerator, "message");
      if (failed > 0) throw new Error(`${failed} requests failed: ${JSON.stringify(load).slice(0, 200)}`);
      return rate;
    }
    const read =
      (name: string, headers: Record<string, string> = {}) =>
      () =>
        rate({ url: `${server.url(name)}/products`, ...reading, headers });
    const book = (name: string) => async () => {
      await db.batch([
        db.delete(notifications),
        db.delete(orderSteps),
        db.delete(orders),
        db.update(phones).set({ status: "available" }).where(eq(phones.status, "reserved")),
      ]);
      const bodies = Array.from({ length: bookingsPerRound }, (_, index) =>
        JSON.stringify({ phoneId: ids[index % ids.length], buyerAddress: "1 Street", phone: "5550100" }),
      );
      const headers = { "Content-Type": "application/json", Cookie: cookie };
      const measured = await rate({ url: `${server.url(name)}/bookings`, headers, bodies });
      const rows = await Promise.all([orders, orderSteps, notifications].map((table) => db.$count(table)));
      const expected = [bookingsPerRound, bookingsPerRound, 2 * bookingsPerRound];
      if (rows.join() !== expected.join())
        throw new Error(`${name} wrote ${rows} orders, steps and notifications instead of ${expected}.`);
      return measured;
    };
    const loads: Record<string, () => Promise<number>> = {
      cached: read("product"),
      L0c: read("cached"),
      L0: read("constant"),
      "signed in": read("product", { Cookie: cookie }),
      "cached again": read("product"),
      uncached: read("uncached"),
      L1: read("list"),
      "uncached again": read("uncached"),
      booking: book("uncached"),
      L1b: book("booking"),
    };

    const rates: Record<string, number[]> = {};
    for (let round = -warmUpRounds; round < rounds; round += 1) {
      for (const [name, load] of Object.entries(loads)) {
        const measured = await load();
        if (round >= 0) rates[name] = [...(rates[name] ?? []), measured];
      }
    }
    console.log("| Measurement | Requests per second, as a ratio | Target |\n| ---- | ---- | ---- |");
    for (const { name, subject, reference, target } of pairs) {
      console.log(
        `| ${name} | ${ratios(rates[subject], rates[reference])} | ${target === null ? "1" : `≥ ${target}`} |`,
      );
    }
  } finally {
    loadGenerator.kill();
    await server.stop();
  }
}

/** Requests a page twice and checks that the second response is from the cache. */
async function expectHit(url: string, headers: Record<string, string>): Promise<void> {
  await fetch(url, { headers });
  const { headers: responseHeaders } = await fetch(url, { headers });
  const timing = responseHeaders.get("Server-Timing");
  if (!timing?.startsWith("cache;desc=hit")) throw new Error(`${url} was not cached: ${timing}`);
}

/** Seeds the database and renders the list page. */
async function seedAndRender(
  buildFolder: string,
  persist: string,
  products: Record<string, Record<string, string>>,
) {
  const server = await startBenchServer({ buildFolder, persist, products, baselines: {} });
  try {
    const { db } = server;
    await seedDemoData(db);
    const [buyer] = await db.select().from(users).where(eq(users.email, "buyer@example.com"));
    if (!buyer) throw new Error("The demo data has no buyer.");
    await db.delete(orders);
    await db.update(phones).set({ status: "available" });
    await addListings(db);
    const page = await (await fetch(`${server.url("uncached")}/products`)).text();
    const sessionId = await openSession(db, buyer, { seconds: sessionSeconds });
    return { page, segments: await pageTemplate(page, db), sessionId, buyer };
  } finally {
    await server.stop();
  }
}

/** Adds copies of the oldest listing, with lower ids, so that each booking of a round has its own. */
async function addListings(db: Db) {
  const [oldest] = await db.select().from(phones).orderBy(phones.id).limit(1);
  if (!oldest) throw new Error("The demo data has no listings.");
  const { number: _, variantId: __, listed: ___, category: ____, savingCents: _____, ...listing } = oldest;
  for (let place = 0; place < bookingsPerRound; place += 1) {
    const id = `00000000-0000-7000-8000-${String(place).padStart(12, "0")}`;
    await db.insert(phones).values({ ...listing, id });
  }
}

async function logIn(url: string): Promise<string> {
  const body = new URLSearchParams({ email: "buyer@example.com", password: demoPassword });
  const response = await fetch(`${url}/login`, {
    method: "POST",
    body,
    redirect: "manual",
    headers: { Origin: url, "CF-Connecting-IP": "198.18.0.1" },
  });
  const session = response.headers.getSetCookie().find((cookie) => cookie.startsWith("__Host-session="));
  if (!session) throw new Error(`The buyer could not log in: ${response.status}.`);
  return session.split(";")[0] ?? "";
}

/** Pins workerd and the load generator to a core each. */
async function pinToCores(generatorPid: number | undefined) {
  for (const [pid, core] of [
    [await workerdPid(), 0],
    [generatorPid, 1],
  ] as const) {
    execFileSync("taskset", ["-acp", String(core), String(pid)]);
  }
}
