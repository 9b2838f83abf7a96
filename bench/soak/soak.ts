import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { endWithUsage, parseArguments } from "../../scripts/arguments.ts";
import { buildInto } from "../../scripts/build.ts";
import { isSmoke } from "../smoke.ts";
import { cron } from "./cron.ts";
import { errors } from "./errors.ts";
import { kills } from "./kills.ts";
import { load } from "./load.ts";
import { backends, type Part, type PartResult } from "./part.ts";
import { moneyOfOrders } from "./payments.ts";
import { queue } from "./queue.ts";
import { races } from "./races.ts";

// Checks on the built Worker, with random input, that nothing is lost or stored in part. See docs/reliability.md.
// READY_BUILD names the folder of a build to use.

/** The parts, with the runs of a whole soak and of a smoke test. */
const parts: Record<string, { part: Part; runs: number; smoke: number }> = {
  races: { part: races, runs: 10_000, smoke: 2 },
  kills: { part: kills, runs: 500, smoke: 2 },
  errors: { part: errors, runs: Number.POSITIVE_INFINITY, smoke: 4 },
  cron: { part: cron, runs: 100, smoke: 2 },
  queue: { part: queue, runs: 2_000, smoke: 2 },
  payments: { part: moneyOfOrders, runs: 1_000, smoke: 2 },
  load: { part: load, runs: 18_000, smoke: 20 },
};

const names = Object.keys(parts).join("|");
const usage = `soak [--minutes N] [--seed N] [--only ${names}] [--count N] [--backend ${backends.join("|")}]`;
const { values } = parseArguments(usage, {
  options: {
    minutes: { type: "string" },
    seed: { type: "string" },
    only: { type: "string" },
    count: { type: "string" },
    backend: { type: "string" },
    smoke: { type: "boolean" },
  },
});
const seed = Number(values.seed ?? (isSmoke ? 1 : Math.floor(Math.random() * 1_000_000)));
const minutes = Number(values.minutes ?? Number.POSITIVE_INFINITY);
const chosen = Object.entries(parts).filter(([name]) => values.only === undefined || values.only === name);
const count = Number(values.count ?? Number.POSITIVE_INFINITY);
const backend = backends.find((each) => each === values.backend);
const isValid = Number.isSafeInteger(seed) && minutes > 0 && count > 0 && backend === values.backend;
if (chosen.length === 0 || !isValid) endWithUsage(usage);

const temporary = await mkdtemp(join(tmpdir(), "ringback-soak-build-"));
const buildFolder = process.env.READY_BUILD ?? temporary;
if (!process.env.READY_BUILD) await buildInto(temporary, undefined, "pipe");

const rows: (PartResult & { name: string; of: number; seconds: number })[] = [];
const end = Date.now() + minutes * 60_000;
for (const [index, [name, { part, runs, smoke }]] of chosen.entries()) {
  const of = Math.min(count, isSmoke ? smoke : runs);
  const start = Date.now();
  const until = Number.isFinite(end) ? start + (end - start) / (chosen.length - index) : end;
  const result = await part({ buildFolder, seed, runs: of, until, backend }).catch((error: unknown) => ({
    runs: 0,
    failures: [inspect(error)],
  }));
  rows.push({ name, of, seconds: Math.round((Date.now() - start) / 1000), ...result });
  for (const failure of result.failures) console.error(`\n${name}: ${failure}`);
}
await rm(temporary, { recursive: true, force: true });

console.log(
  `\n${new Date().toISOString().slice(0, 10)}, ${cpus()[0]?.model} × ${cpus().length}, Node ${process.version}\n`,
);
console.log("| Part | Runs | Of | Seconds | Failures | Seed | Notes |\n|---|---|---|---|---|---|---|");
for (const { name, runs, of, seconds, failures, notes = "" } of rows) {
  console.log(`| ${name} | ${runs} | ${of} | ${seconds} | ${failures.length} | ${seed} | ${notes} |`);
}
const failed = rows.filter(({ failures }) => failures.length > 0);
for (const { name } of failed) console.log(`\nRepeat: npm run soak -- --seed ${seed} --only ${name}`);
process.exit(failed.length > 0 ? 1 : 0);
