import { Miniflare } from "miniflare";
import type { Rollup } from "vite";
import { build } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openLibsql } from "../../scripts/database.ts";
import { startLibsql } from "../harness/libsql.ts";

const files = import.meta.glob<Record<string, unknown>>("./scenarios/*.ts", { eager: true });
const scenarios = Object.entries(files).flatMap(([path, exported]) =>
  Object.keys(exported).map((name) => `${path.slice("./scenarios/".length, -".ts".length)}/${name}`),
);

// The features run where they will live, in workerd, and each scenario on a database of its own.
let workerd: Miniflare;
beforeAll(async () => {
  workerd = new Miniflare({
    modules: true,
    script: await bundle(),
    compatibilityDate: "2026-04-20",
    compatibilityFlags: ["nodejs_compat"],
    d1Databases: Object.fromEntries(scenarios.map((name) => [name, name.replace("/", "-")])),
    host: "127.0.0.1",
    cf: false,
  });
  await workerd.ready;
});
afterAll(() => workerd?.dispose());

test.each(scenarios)("%s on D1", async (scenario) => {
  expect(await faultOf(scenario)).toBeNull();
});

test.each(scenarios)("%s on libSQL", async (scenario) => {
  const server = await startLibsql();
  try {
    await openLibsql(server.url);
    expect(await faultOf(`${scenario}?libsql=${encodeURIComponent(server.url)}`)).toBeNull();
  } finally {
    await server.stop();
  }
});

async function faultOf(scenario: string): Promise<string | null> {
  const answer = await workerd.dispatchFetch(`http://scenarios.test/${scenario}`);
  const { fault } = (await answer.json()) as { fault: string | null };
  return fault;
}

/** The scenarios' Worker, bundled by the same rules as the product's. */
async function bundle(): Promise<string> {
  const { output } = (await build({
    configFile: false,
    logLevel: "error",
    build: { ssr: "tests/data/worker.ts", write: false, target: "es2022" },
    ssr: {
      target: "webworker",
      noExternal: true,
      external: ["node:assert", "node:assert/strict"],
      resolve: { conditions: ["workerd", "worker", "browser"] },
    },
  })) as Rollup.RollupOutput;
  return output[0].code;
}
