import { cp, mkdtemp, rm } from "node:fs/promises";
import { SourceMap, type SourceMapPayload } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { Miniflare } from "miniflare";
import type { Rollup } from "vite";
import { build } from "vite";
import { afterAll, beforeAll, inject, test } from "vitest";
import { configuredD1 } from "../../scripts/local-d1.ts";
import { type Libsql, startLibsql } from "../harness/libsql.ts";
import type { ScenarioError } from "./worker.ts";

const { script, sourceMap, scenarios } = await bundle();

// Features run in workerd, as in production.
let workerd: Miniflare;
let libsql: Promise<Libsql> | undefined;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ringback-scenarios-"));
  await cp(inject("d1Folder"), folder, { recursive: true });
  workerd = new Miniflare({
    modules: true,
    script,
    compatibilityDate: "2026-04-20",
    compatibilityFlags: ["nodejs_compat"],
    d1Databases: configuredD1(),
    defaultPersistRoot: folder,
    host: "127.0.0.1",
    cf: false,
  });
  await workerd.ready;
});
afterAll(async () => {
  await Promise.all([workerd?.dispose(), libsql?.then((server) => server.stop())]);
  await rm(folder, { recursive: true, force: true });
});

/** Runs a scenario in workerd and rethrows its error here. */
async function run(scenario: string) {
  const response = await workerd.dispatchFetch(`http://scenarios.test/${scenario}`);
  const { error } = (await response.json()) as { error: ScenarioError | null };
  if (error) throw withSourcePositions(error, sourceMap);
}

/** Walks through all states, and searches compared with a full scan. */
const longScenarios = [
  "deal-emails/eachSideIsToldOfEachStepOnceInOrderAndLastOfTheState",
  "order-walk/aCancellationSaysWhetherItCanBeUndone",
  "order-walk/aDeviceGoesBackOnSaleOnlyWhereThatIsTrue",
  "order-walk/anUndoOfACancellationIsOfferedWhereItIsAccepted",
  "order-walk/changesOfDeliveryAndHandoverAreOfferedWhereTheyAreAccepted",
  "order-walk/whatIsOfferedIsWhatIsAccepted",
  "order-walk/whatMarkingAsReceivedSaysOfItsUndoIsTrue",
  "payments/moneyIsConservedOnRandomWalks",
  "saved-searches/matchesWhatTheSearchesFind",
  "search-results/matchesAFullScan",
];
const quickScenarios = scenarios.filter((scenario) => !longScenarios.includes(scenario));
test.each(quickScenarios)("%s on D1", (scenario) => run(scenario));
test.each(longScenarios)("%s on D1", { tags: ["slow"] }, (scenario) => run(scenario));

// The server is slower than D1, the more so beside other tests.
test.each(scenarios)("%s on libSQL", { tags: ["slow"], timeout: 600_000 }, async (scenario) => {
  libsql ??= startLibsql(inject("libsqlFolder"));
  await run(`${scenario}?${new URLSearchParams({ libsql: (await libsql).url })}`);
});

async function bundle() {
  const { output } = (await build({
    configFile: false,
    logLevel: "error",
    build: { ssr: "tests/data/worker.ts", write: false, target: "es2022", sourcemap: true },
    ssr: {
      target: "webworker",
      noExternal: true,
      external: ["node:assert", "node:assert/strict"],
      resolve: { conditions: ["workerd", "worker", "browser"] },
    },
  })) as Rollup.RollupOutput;
  const { code, map, modules } = output[0];
  const payload: SourceMapPayload = JSON.parse(String(map));
  const scenarios = Object.entries(modules).flatMap(([path, { renderedExports }]) =>
    dirname(path).endsWith("/scenarios")
      ? renderedExports.map((name) => `${basename(path, ".ts")}/${name}`)
      : [],
  );
  return { script: code, sourceMap: new SourceMap(payload), scenarios };
}

/** Rebuilds a scenario's error in this process, with a stack that points to the source instead of the bundle. */
function withSourcePositions({ message, stack, ...values }: ScenarioError, sourceMap: SourceMap): Error {
  const error = Object.assign(new Error(message), values);
  const frames = [...stack.matchAll(/^ +at (?:async )?(\S+) \(script-0:(\d+):(\d+)\)$/gm)];
  const positions = frames.flatMap(([, name, line, column]) => {
    const origin = sourceMap.findOrigin(Number(line), Number(column));
    if (!("fileName" in origin) || origin.fileName.includes("node_modules")) return [];
    // The map's paths are relative to the directory that a written bundle would be in.
    return `    at ${name} (${resolve("dist", origin.fileName)}:${origin.lineNumber}:${origin.columnNumber})`;
  });
  error.stack = [error, ...positions].join("\n");
  return error;
}
