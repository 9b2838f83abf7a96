import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { desc } from "drizzle-orm";
import lighthouse from "lighthouse";
import { chromium } from "playwright-core";
import { phones } from "#app/db/schema.ts";
import { buildInto } from "../scripts/build.ts";
import { seedDemoData } from "../scripts/demo/seed.ts";
import { openMarket } from "../scripts/market.ts";
import { chromiumPath } from "../tests/harness/chromium.ts";
import { median } from "./ratios.ts";

// What Lighthouse says of the home page, a list and a listing, as a handset on a slow network sees them: the median
// of five runs each. Ends with a fault where an aim is missed.

const runs = 5;

/** What is looked at; `:id` is the newest listing. */
const pages = ["/", "/products", "/phones/:id"];

const debuggingPort = 9222 + (process.pid % 1000);

/** What is aimed for: scores at least, times in milliseconds at most. */
const aims = [
  { name: "performance", least: 98 },
  { name: "accessibility", least: 100 },
  { name: "best-practices", least: 100 },
  { name: "seo", least: 100 },
  { name: "largest-contentful-paint", most: 2000 },
  { name: "total-blocking-time", most: 50 },
  { name: "cumulative-layout-shift", most: 0 },
];
const categories = aims.slice(0, 4).map(({ name }) => name);

const folder = await mkdtemp(join(tmpdir(), "ringback-lighthouse-"));
try {
  const buildFolder = process.env.READY_BUILD ?? join(folder, "build");
  if (!process.env.READY_BUILD) await buildInto(buildFolder);
  const market = await openMarket({
    buildFolder,
    persist: join(folder, "state"),
    bindings: { SESSION_SECRET: "a secret for measuring of more than 32 characters" },
  });
  const browser = await chromium.launch({
    executablePath: await chromiumPath(),
    args: ["--no-sandbox", `--remote-debugging-port=${debuggingPort}`],
  });
  try {
    await seedDemoData(market.db);
    const [newest] = await market.db.select({ id: phones.id }).from(phones).orderBy(desc(phones.id)).limit(1);
    // Browsers count this name as safe.
    const origin = market.url.replace("127.0.0.1", "localhost");
    for (const page of pages) await judge(page, origin + page.replace(":id", newest?.id ?? ""));
  } finally {
    await browser.close();
    await market.stop();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function judge(page: string, address: string) {
  const found = new Map<string, number[]>(aims.map(({ name }) => [name, []]));
  const faults = new Set<string>();
  for (let run = 0; run < runs; run += 1) {
    const result = await lighthouse(address, {
      port: debuggingPort,
      logLevel: "error",
      onlyCategories: categories,
    });
    if (!result) throw new Error(`Lighthouse says nothing of ${page}.`);
    const { audits, categories: scores, runtimeError } = result.lhr;
    if (runtimeError) throw new Error(runtimeError.message);
    for (const { name } of aims) {
      const score = scores[name]?.score;
      found.get(name)?.push(score == null ? (audits[name]?.numericValue ?? Number.NaN) : score * 100);
    }
    for (const audit of Object.values(audits)) {
      if (audit.score !== null && audit.score < 0.9)
        faults.add(`${audit.id}: ${audit.displayValue ?? audit.title}`);
    }
  }
  console.log(`\n${page}`);
  for (const { name, least, most } of aims) {
    const value = median(found.get(name) ?? []);
    const met = (least === undefined || value >= least) && (most === undefined || value <= most);
    if (!met) process.exitCode = 1;
    const aim = least === undefined ? `at most ${most}` : `at least ${least}`;
    console.log(`  ${met ? "met   " : "MISSED"} ${name} ${Number(value.toFixed(3))} (${aim})`);
  }
  if (faults.size > 0) console.log(`  found at fault: ${[...faults].join("; ")}`);
}
