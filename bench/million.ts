import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { Miniflare } from "miniflare";
import { build, type Rollup } from "vite";
import { unstable_readConfig } from "wrangler";
import { phones } from "#app/db/schema.ts";
import { parseArguments } from "../scripts/arguments.ts";
import { buildInto } from "../scripts/build.ts";
import { d1ProxyWorker, openD1Proxy } from "../scripts/local-d1.ts";
import { migrateDatabase } from "../scripts/migrations.ts";
import { startBenchServer } from "./bench-server.ts";
import { listUrl } from "./list-combinations.ts";
import { type Devices, fillWithListings } from "./million-listings.ts";
import { isSmoke } from "./smoke.ts";
import { median } from "./statistics.ts";

// Measures lists with a million listings, the database alone and whole pages: deep pages against first pages, filters
// and searches against the plain list, and 500 random combinations of them.
// Usage: npm run bench:million -- [LISTINGS [FOLDER [own]]] [--plans]
// FOLDER keeps the database for the next run; `own` gives each listing a device variant of its own; `--plans` prints the
// plans of two queries.

const { values, positionals } = parseArguments("bench:million [LISTINGS [FOLDER [own]]] [--plans]", {
  allowPositionals: true,
  options: { smoke: { type: "boolean" }, plans: { type: "boolean" } },
});
const listings = Number(positionals[0] ?? (isSmoke ? 2000 : 1_000_000));
const databaseFolder = positionals[1];
const devices: Devices = positionals[2] === "own" ? "own" : "catalog";
const rounds = isSmoke ? 1 : 25;
/** Page loads per measurement. */
const times = isSmoke ? 1 : 20;
const deepPage = isSmoke ? 4 : 400;
const combinationCount = isSmoke ? 10 : 500;

const list = "/products";
const fiveChoices = "brand=Samsung&ram=8+GB&available=yes&verified=yes&from=200&to=500";

const folder = databaseFolder ?? (await mkdtemp(join(tmpdir(), "ringback-million-")));
try {
  await measureDatabase();
  await measurePages();
} finally {
  if (!databaseFolder) await rm(folder, { recursive: true, force: true });
}

async function measureDatabase() {
  // The product's database, which `measurePages` serves.
  const [database] = unstable_readConfig({ config: "wrangler.toml" }).d1_databases;
  const d1Databases = { DB: database?.preview_database_id ?? "" };
  const workerd = new Miniflare({
    workers: [
      {
        name: "bench",
        modules: true,
        script: await bundle(),
        compatibilityDate: "2026-04-20",
        compatibilityFlags: ["nodejs_compat"],
        d1Databases,
      },
      d1ProxyWorker(d1Databases),
    ],
    defaultPersistRoot: folder,
    host: "127.0.0.1",
    cf: false,
  });
  try {
    const url = await workerd.ready;
    const db = await migrateDatabase(openD1Proxy(await workerd.unsafeGetDirectURL("d1-proxy")));
    const [listing] = await db.select({ id: phones.id }).from(phones).limit(1);
    if (!listing) {
      const start = performance.now();
      await fillWithListings(db, listings, devices);
      console.log(`${listings} listings, filled in ${Math.round((performance.now() - start) / 1000)} s\n`);
    }
    await measureStatements(url);
  } finally {
    await workerd.dispose();
  }
}

/** Measures whole pages over HTTP, without the edge cache. */
async function measurePages() {
  const buildFolder = process.env.READY_BUILD ?? (await mkdtemp(join(tmpdir(), "ringback-build-")));
  if (!process.env.READY_BUILD) await buildInto(buildFolder);
  const settings = {
    SESSION_SECRET: "a secret for benchmarks of more than 32 characters",
    EDGE_CACHE_SECONDS: "0",
  };
  const server = await startBenchServer({
    buildFolder,
    persist: folder,
    products: { product: settings },
    baselines: {},
  });
  async function load(address: string): Promise<void> {
    const response = await fetch(server.url("product") + address);
    if (!response.ok) throw new Error(`${address} returned ${response.status}.`);
    await response.text();
  }
  const timeOf = (address: string) => async () => {
    const start = performance.now();
    for (let page = 0; page < times; page += 1) await load(address);
    return performance.now() - start;
  };
  try {
    console.log("| Whole page | Ratio (middle half) |\n| --- | --- |");
    for (const [what, address] of [
      ["the list / itself", list],
      ["price, newest first / list", `${list}?from=200&to=300`],
      ["search 'iphone' / list", `${list}?q=iphone`],
      ["search 'iphone 13' / list", `${list}?q=iphone+13`],
      ["search 'galaxy s2' / list", `${list}?q=galaxy+s2`],
      ["search 'galaxy', biggest saving / list", `${list}?q=galaxy&sort=saving`],
      ["search 'galaxy' and five choices / list", `${list}?q=galaxy&${fiveChoices}`],
      ["one filter / list", `${list}?brand=Samsung`],
      ["two filters / list", `${list}?brand=Samsung&rom=128+GB`],
      ["verified / list", `${list}?verified=yes`],
      ["verified, excellent / list", `${list}?verified=yes&condition=Excellent`],
      ["suggestions 'i' / list", "/search/suggestions?q=i"],
      ["suggestions 'galaxy s2' / list", "/search/suggestions?q=galaxy+s2"],
    ] as const) {
      console.log(`| ${what} | ${await compare(timeOf(address), timeOf(list))} |`);
    }
    await measureCombinations(async (address) => {
      const start = performance.now();
      await load(address);
      return performance.now() - start;
    });
  } finally {
    await server.stop();
    if (!process.env.READY_BUILD) await rm(buildFolder, { recursive: true, force: true });
  }
}

async function measureStatements(url: URL) {
  const pairs: [what: string, address: string, against: string][] = [
    ["the list / itself", list, list],
    [`page ${deepPage} / page 1, newest`, await deepPageUrl(url, list), list],
    ...(await Promise.all(
      ["price-up", "price-down", "saving"].map(async (order): Promise<[string, string, string]> => {
        const first = `${list}?sort=${order}`;
        return [`page ${deepPage} / page 1, ${order}`, await deepPageUrl(url, first), first];
      }),
    )),
    ["Android / list", "/android", list],
    ["brand / list", "/products?brand=Samsung", list],
    [
      `page ${deepPage} / page 1, brand`,
      await deepPageUrl(url, "/products?brand=Samsung"),
      "/products?brand=Samsung",
    ],
    ["brand, Android / list", "/android?brand=Samsung", list],
    ["storage / list", "/products?rom=128+GB", list],
    ["verified / list", "/products?verified=yes", list],
    ["available / list", "/products?available=yes", list],
    ["price, newest first / list", "/products?from=200&to=300", list],
    ["price, cheapest first / list", "/products?from=200&to=300&sort=price-up", list],
    ["search 'i' / list", "/products?q=i", list],
    ["search 'iphone' / list", "/products?q=iphone", list],
    ["search 'iphone 13' / list", "/products?q=iphone+13", list],
    ["search 'snapdragon' / list", "/products?q=snapdragon", list],
    ["search 'galaxy s2' / list", "/products?q=galaxy+s2", list],
    [
      `page ${deepPage} / page 1, search 'galaxy'`,
      await deepPageUrl(url, "/products?q=galaxy"),
      "/products?q=galaxy",
    ],
    ["search 'galaxy', biggest saving / list", "/products?q=galaxy&sort=saving", list],
    ["search 'galaxy' and five choices / list", `/products?q=galaxy&${fiveChoices}`, list],
    ["search that finds nothing, 'samsung bionic' / list", "/products?q=samsung+bionic", list],
    ["search in another category, 'galaxy' / list", "/ios?q=galaxy", list],
  ];
  console.log("| Database | Ratio (middle half) | Rows read (page, category's counts, others) |");
  console.log("| --- | --- | --- |");
  for (const [what, address, against] of pairs) {
    const ratio = await compare(
      () => time(url, address),
      () => time(url, against),
    );
    const statements = await explain(url, address);
    const rows = statements.map((statement) => statement.rows);
    console.log(`| ${what} | ${ratio} | ${rows.reduce((sum, read) => sum + read, 0)} (${rows.join(", ")}) |`);
  }
  if (!values.plans && !isSmoke) return;
  for (const address of [
    await deepPageUrl(url, list),
    "/products?q=iphone&brand=Apple&sort=price-up&from=200&to=300",
  ]) {
    console.log(`\nThe plan of ${address}:`);
    for (const { plan } of await explain(url, address)) console.log(`${plan.join("\n")}\n`);
  }
}

/** Measures each of the random combinations three times, in turn with the plain list. */
async function measureCombinations(timeOf: (address: string) => Promise<number>) {
  const addresses = fc.sample(listUrl, { numRuns: combinationCount, seed: 15 });
  const measured: { address: string; ratio: number }[] = [];
  for (const address of addresses) {
    const own: number[] = [];
    const plain: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      own.push(await timeOf(address));
      plain.push(await timeOf(list));
    }
    measured.push({ address, ratio: median(own) / median(plain) });
  }
  measured.sort((one, other) => one.ratio - other.ratio);
  const at = (part: number) => measured[Math.floor((measured.length - 1) * part)]?.ratio.toFixed(2);
  console.log(
    `\n${combinationCount} random combinations / list: median ${at(0.5)}, 99th percentile ${at(0.99)}, worst ${at(1)}`,
  );
  for (const { address, ratio } of measured.slice(-5)) console.log(`  ${ratio.toFixed(2)} ${address}`);
}

/** Measures both in turn. @returns the ratio of their times */
async function compare(measure: () => Promise<number>, against: () => Promise<number>): Promise<string> {
  const ratios: number[] = [];
  await measure();
  for (let round = 0; round < rounds; round += 1) {
    // The order alternates, so that neither profits from being second.
    if (round % 2 === 0) {
      const one = await measure();
      ratios.push(one / (await against()));
    } else {
      const other = await against();
      ratios.push((await measure()) / other);
    }
  }
  return spread(ratios);
}

async function query(url: URL, address: string, more: string) {
  const target = new URL(`${address}${address.includes("?") ? "&" : "?"}${more}`, url);
  // A long statement keeps workerd from seeing the next request, so that it would close the connection as idle.
  return (await fetch(target, { headers: { Connection: "close" } })).json();
}

async function deepPageUrl(url: URL, address: string): Promise<string> {
  // A page holds the cursor of the next page, and the first page needs none.
  const { next } = (await query(url, address, `deep=${deepPage - 2}`)) as { next: string | null };
  if (!next) throw new Error(`${address} has no ${deepPage} pages.`);
  return `${address}${address.includes("?") ? "&" : "?"}after=${next}`;
}

async function time(url: URL, address: string): Promise<number> {
  const start = performance.now();
  await query(url, address, `times=${times}`);
  return performance.now() - start;
}

async function explain(url: URL, address: string) {
  return (await query(url, address, "explain")) as { rows: number; plan: string[] }[];
}

function spread(ratios: number[]): string {
  const sorted = ratios.toSorted((one, other) => one - other);
  const at = (part: number) => (sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN).toFixed(2);
  return `${at(0.5)} (${at(0.25)} to ${at(0.75)})`;
}

async function bundle(): Promise<string> {
  const { output } = (await build({
    configFile: false,
    logLevel: "error",
    build: { ssr: "bench/million-worker.ts", write: false, target: "es2022" },
    ssr: { target: "webworker", noExternal: true, resolve: { conditions: ["workerd", "worker", "browser"] } },
  })) as Rollup.RollupOutput;
  return output[0].code;
}
