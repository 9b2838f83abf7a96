import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildInto } from "../scripts/build.ts";
import { freePort } from "./free-port.ts";
import { median } from "./ratios.ts";

// What it takes to start the Worker: the processor's time that a fresh workerd has spent by its first answer, with
// the product's code loaded and run, and without. The clock of a Worker stands still while it starts, so this is seen
// from outside; Cloudflare limits the processor's time too.

const rounds = 21;
const aimMs = 50;

const folder = await mkdtemp(join(tmpdir(), "ringback-start-"));
try {
  const buildFolder = process.env.READY_BUILD ?? join(folder, "build");
  if (!process.env.READY_BUILD) await buildInto(buildFolder);
  await copyFile(join(buildFolder, "server/index.js"), join(folder, "product.js"));
  const answer = "export default { fetch: () => new Response() };\n";
  await writeFile(join(folder, "empty.js"), answer);
  // The whole of the product is run, and then the same answer is given.
  await writeFile(join(folder, "loaded.js"), `import "./product.js";\n${answer}`);

  const costs: number[] = [];
  const chance: number[] = [];
  // The first round warms the disk.
  for (let round = -1; round < rounds; round += 1) {
    const empty = await start("empty.js");
    const loaded = await start("loaded.js", "product.js");
    const again = await start("empty.js");
    if (round < 0) continue;
    costs.push(loaded - empty);
    chance.push(again - empty);
  }
  console.log("| What | Milliseconds, median of pairs (middle half) | Aim |\n| ---- | ---- | ---- |");
  console.log(`| start-up of the Worker | ${spread(costs)} | < ${aimMs} |`);
  console.log(`| an empty Worker, against itself | ${spread(chance)} | 0 |`);
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** What a fresh workerd with these modules, of which the first is the Worker, has spent when it answers. */
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
    await answered(`http://127.0.0.1:${port}`, workerd);
    return await spent(workerd.pid);
  } finally {
    const gone = once(workerd, "exit");
    workerd.kill("SIGKILL");
    await gone;
  }
}

async function answered(url: string, { exitCode }: { exitCode: number | null }): Promise<void> {
  while (exitCode === null) {
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) return;
    await new Promise((soon) => setTimeout(soon, 1));
  }
  throw new Error("workerd has ended.");
}

/** Milliseconds of the processor's time, of all threads. */
async function spent(pid: number | undefined): Promise<number> {
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
