import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { desc } from "drizzle-orm";
import { chromium } from "playwright-core";
import { phones } from "#app/db/schema.ts";
import { parseArguments } from "../scripts/arguments.ts";
import { buildInto } from "../scripts/build.ts";
import { seedDemoData } from "../scripts/demo/seed.ts";
import { startLocalServer } from "../scripts/local-server.ts";
import { chromiumPath } from "../tests/harness/chromium.ts";
import { isSmoke } from "./smoke.ts";
import { median } from "./statistics.ts";

// Runs Lighthouse on the home page, a list and a listing, with its mobile profile. The result is the median of five
// runs. Exits with code 1 if a target is missed, unless it is a smoke test.

parseArguments("lighthouse [--smoke]", { options: { smoke: { type: "boolean" } } });

/** The last version for Node 20. npx fetches it, since it brings 190 MB that nothing else needs. */
const lighthouse = "lighthouse@12.8.2";

interface LighthouseResult {
  audits: Record<
    string,
    { id: string; title: string; displayValue?: string; score: number | null; numericValue?: number }
  >;
  categories: Record<string, { score: number | null }>;
  runtimeError?: { message: string };
}

const runs = isSmoke ? 1 : 5;

/** `:id` is the newest listing. */
const pages = isSmoke ? ["/phones/:id"] : ["/", "/products", "/phones/:id"];

const debuggingPort = 9222 + (process.pid % 1000);

/** Minimum scores, and maximum times in milliseconds. */
const targets = [
  { name: "performance", min: 98 },
  { name: "accessibility", min: 100 },
  { name: "best-practices", min: 100 },
  { name: "seo", min: 100 },
  { name: "largest-contentful-paint", max: 2000 },
  { name: "total-blocking-time", max: 50 },
  { name: "cumulative-layout-shift", max: 0 },
];
const categories = targets.slice(0, 4).map(({ name }) => name);

const folder = await mkdtemp(join(tmpdir(), "ringback-lighthouse-"));
try {
  const buildFolder = process.env.READY_BUILD ?? join(folder, "build");
  if (!process.env.READY_BUILD) await buildInto(buildFolder);
  const server = await startLocalServer({
    buildFolder,
    persist: join(folder, "state"),
    bindings: { SESSION_SECRET: "a secret for benchmarks of more than 32 characters" },
    onLog() {},
  });
  const browser = await chromium.launch({
    executablePath: await chromiumPath(),
    args: ["--no-sandbox", `--remote-debugging-port=${debuggingPort}`],
  });
  try {
    await seedDemoData(server.db);
    const [newest] = await server.db.select({ id: phones.id }).from(phones).orderBy(desc(phones.id)).limit(1);
    // Chromium treats localhost as a secure context.
    const origin = server.url.replace("127.0.0.1", "localhost");
    for (const page of pages) await audit(page, origin + page.replace(":id", newest?.id ?? ""));
  } finally {
    await browser.close();
    await server.stop();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function audit(page: string, address: string) {
  const values = new Map<string, number[]>(targets.map(({ name }) => [name, []]));
  const failedAudits = new Set<string>();
  for (let run = 0; run < runs; run += 1) {
    const { audits, categories: scores, runtimeError } = await resultOf(address);
    if (runtimeError) throw new Error(runtimeError.message);
    for (const { name } of targets) {
      const score = scores[name]?.score;
      values.get(name)?.push(score == null ? (audits[name]?.numericValue ?? Number.NaN) : score * 100);
    }
    for (const audit of Object.values(audits)) {
      if (audit.score !== null && audit.score < 0.9)
        failedAudits.add(`${audit.id}: ${audit.displayValue ?? audit.title}`);
    }
  }
  console.log(`\n${page}`);
  for (const { name, min, max } of targets) {
    const value = median(values.get(name) ?? []);
    if (Number.isNaN(value)) throw new Error(`Lighthouse did not measure ${name} of ${page}.`);
    const met = (min === undefined || value >= min) && (max === undefined || value <= max);
    if (!met && !isSmoke) process.exitCode = 1;
    const target = min === undefined ? `at most ${max}` : `at least ${min}`;
    const verdict = isSmoke ? "" : met ? "met    " : "MISSED ";
    console.log(`  ${verdict}${name} ${Number(value.toFixed(3))} (${target})`);
  }
  if (failedAudits.size > 0) console.log(`  failed audits: ${[...failedAudits].join("; ")}`);
}

async function resultOf(address: string): Promise<LighthouseResult> {
  const { stdout } = await promisify(execFile)(
    "npx",
    [
      ...["--yes", lighthouse, address, "--quiet", "--output=json"],
      ...[`--port=${debuggingPort}`, `--only-categories=${categories}`],
    ],
    { maxBuffer: 64 * 1024 * 1024 },
  );
  return JSON.parse(stdout);
}
