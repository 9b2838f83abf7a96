import { SourceMap, type SourceMapPayload } from "node:module";
import { resolve } from "node:path";
import { Miniflare } from "miniflare";
import type { Rollup } from "vite";
import { build } from "vite";
import { afterAll, beforeAll, describe, inject, test } from "vitest";
import { startLibsql } from "../harness/libsql.ts";
import type { ScenarioError } from "./worker.ts";

const files = import.meta.glob<Record<string, unknown>>("./scenarios/*.ts", { eager: true });
const scenarios = Object.entries(files).flatMap(([path, exported]) =>
  Object.keys(exported).map((name) => `${path.slice("./scenarios/".length, -".ts".length)}/${name}`),
);

/** All databases of one workerd share 512 MB, and idle ones are closed only after seconds. */
const databasesAtOnce = 50;
const groups = Array.from({ length: Math.ceil(scenarios.length / databasesAtOnce) }, (_, group) => ({
  group: group + 1,
  names: scenarios.slice(group * databasesAtOnce, (group + 1) * databasesAtOnce),
}));

/** Scenarios about what the two databases do in their own ways: races, triggers, rows of a batch. */
const differing = ["bookings", "catalog-counts", "idempotency-keys", "parallel-reads"];
const differs = (name: string) => differing.includes(name.split("/")[0] ?? "");

let script: string;
let sourceMap: SourceMap;
beforeAll(async () => {
  ({ script, sourceMap } = await bundle());
});

// Features run in workerd, as in production, and each scenario has a database of its own.
describe.each(groups)("group $group", ({ names }) => {
  let workerd: Miniflare;
  beforeAll(async () => {
    workerd = new Miniflare({
      modules: true,
      script,
      compatibilityDate: "2026-04-20",
      compatibilityFlags: ["nodejs_compat"],
      d1Databases: Object.fromEntries(["template", ...names].map((name) => [name, name.replace("/", "-")])),
      host: "127.0.0.1",
      cf: false,
    });
    await workerd.ready;
  });
  afterAll(() => workerd?.dispose());

  /** Runs a scenario in workerd and rethrows its error here. */
  async function run(scenario: string) {
    const response = await workerd.dispatchFetch(`http://scenarios.test/${scenario}`);
    const { error } = (await response.json()) as { error: ScenarioError | null };
    if (error) throw withSourcePositions(error, sourceMap);
  }

  test.each(names)("%s on D1", (scenario) => run(scenario));

  async function runOnLibsql(scenario: string) {
    const libsql = await startLibsql(inject("libsqlFolder"));
    try {
      await run(`${scenario}?libsql=${encodeURIComponent(libsql.url)}`);
    } finally {
      await libsql.stop();
    }
  }
  test.each(names.filter(differs))("%s on libSQL", runOnLibsql);
  test.each(names.filter((name) => !differs(name)))("%s on libSQL", { tags: ["slow"] }, runOnLibsql);
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
  const { code, map } = output[0];
  const payload: SourceMapPayload = JSON.parse(String(map));
  return { script: code, sourceMap: new SourceMap(payload) };
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
