import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArguments } from "../scripts/arguments.ts";
import { buildInto, workerModules } from "../scripts/build.ts";
import { freePort } from "./runtime.ts";
import { isSmoke } from "./smoke.ts";
import { median } from "./statistics.ts";

// Measures the CPU time that a fresh workerd spends until its first response, with and without the product's code. A
// Worker's own clock stands still during start-up, so it is measured from outside; Cloudflare limits CPU time too.

parseArguments("bench:start [--smoke]", { options: { smoke: { type: "boolean" } } });

const rounds = isSmoke ? 1 : 21;
const targetMs = 50;

const folder = await mkdtemp(join(tmpdir(), "ringback-start-"));
try {
  const buildFolder = process.env.READY_BUILD ?? join(folder, "build");
  if (!process.env.READY_BUILD) await buildInto(buildFolder);
  const product = workerModules(buildFolder).map(({ path }) => basename(path));
  for (const name of product) await copyFile(join(buildFolder, "server", name), join(folder, name));
  const worker = "export default { fetch: () => new Response() };\n";
  await writeFile(join(folder, "empty.js"), worker);
  await writeFile(join(folder, "loaded.js"), `import "./index.js";\n${worker}`);

  const costs: number[] = [];
  const noise: number[] = [];
  // One round to warm the disk cache.
  for (let round = -1; round < rounds; round += 1) {
    const empty = await start("empty.js");
    const loaded = await start("loaded.js", ...product);
    const again = await start("empty.js");
    if (round < 0) continue;
    costs.push(loaded - empty);
    noise.push(again - empty);
  }
  console.log(
    "| Measurement | Milliseconds, median of pairs (middle half) | Target |\n| ---- | ---- | ---- |",
  );
  console.log(`| start-up of the Worker | ${spread(costs)} | < ${targetMs} |`);
  console.log(`| an empty Worker, against itself | ${spread(noise)} | 0 |`);
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** The CPU time of a fresh workerd at its first response. @param modules the Worker, and the modules it imports */
async function start(...modules: string[]): Promise<number> {
  const port = await freePort();
  const embedded = modules.map((name) => `(name = "${name}", esModule = embed "${name}")`).join(", ");
  await writeFile(
    join(folder, "config.capnp"),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (modules = [${embedded}], compatibilityDate = "2026-04-20"))],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);`,
  );
  const workerd = spawn(createRequire(import.meta.url)("workerd").default, [
    "serve",
    join(folder, "config.capnp"),
  ]);
  try {
    await waitForResponse(`http://127.0.0.1:${port}`, workerd);
    return await cpuMs(workerd.pid);
  } finally {
    const gone = once(workerd, "exit");
    workerd.kill("SIGKILL");
    await gone;
  }
}

async function waitForResponse(url: string, { exitCode }: { exitCode: number | null }): Promise<void> {
  while (exitCode === null) {
    const response = await fetch(url).catch(() => null);
    if (response?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  throw new Error("workerd has exited.");
}

async function cpuMs(pid: number | undefined): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`);
  const times = await Promise.all(threads.map((id) => readFile(`/proc/${pid}/task/${id}/schedstat`, "utf8")));
  return times.reduce((sum, time) => sum + Number(time.split(" ")[0]) / 1e6, 0);
}

function spread(milliseconds: number[]): string {
  const sorted = milliseconds.toSorted((a, b) => a - b);
  const quarter = Math.floor(sorted.length / 4);
  const [low, high] = [sorted[quarter], sorted[sorted.length - 1 - quarter]];
  return `${median(sorted).toFixed(0)} (${low?.toFixed(0)} to ${high?.toFixed(0)})`;
}
