import { Miniflare } from "miniflare";
import type { Rollup } from "vite";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openLibsql } from "../../scripts/database.ts";
import { startLibsql } from "../harness/libsql.ts";

const files = import.meta.glob<Record<string, unknown>>("./scenarios/*.ts", { eager: true });
const scenarios = Object.entries(files).flatMap(([path, exported]) =>
  Object.keys(exported).map((name) => `${path.slice("./scenarios/".length, -".ts".length)}/${name}`),
);

/** workerd gives all its databases half a gigabyte together, and lets idle ones go after seconds only. */
const databasesAtOnce = 50;
const groups = Array.from({ length: Math.ceil(scenarios.length / databasesAtOnce) }, (_, group) => ({
  group: group + 1,
  names: scenarios.slice(group * databasesAtOnce, (group + 1) * databasesAtOnce),
}));

let script: string;
beforeAll(async () => {
  script = await bundle();
});

// The features run where they will live, in workerd, and each scenario on a database of its own.
describe.each(groups)("group $group", ({ names }) => {
  let workerd: Miniflare;
  beforeAll(async () => {
    workerd = new Miniflare({
      modules: true,
      script,
      compatibilityDate: "2026-04-20",
      compatibilityFlags: ["nodejs_compat"],
      d1Databases: Object.fromEntries(names.map((name) => [name, name.replace("/", "-")])),
      host: "127.0.0.1",
      cf: false,
    });
    await workerd.ready;
  });
  afterAll(() => workerd?.dispose());

  async function faultOf(scenario: string): Promise<string | null> {
    const answer = await workerd.dispatchFetch(`http://scenarios.test/${scenario}`);
    const { fault } = (await answer.json()) as { fault: string | null };
    return fault;
  }

  test.each(names)("%s on D1", async (scenario) => {
    expect(await faultOf(scenario)).toBeNull();
  });

  test.each(names)("%s on libSQL", async (scenario) => {
    const server = await startLibsql();
    try {
      await openLibsql(server.url);
      expect(await faultOf(`${scenario}?libsql=${encodeURIComponent(server.url)}`)).toBeNull();
    } finally {
      await server.stop();
    }
  });
});

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
