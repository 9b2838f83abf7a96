/** @module-tag slow */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { packageBin } from "../../scripts/package-bin.ts";
import { builtFolder } from "../harness/built-folder.ts";

const wrangler = packageBin("wrangler", "wrangler");
const offline = { CLOUDFLARE_CF_FETCH_ENABLED: "false", WRANGLER_SEND_METRICS: "false", CI: "1" };

let folder: string;
let server: ChildProcess | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "ringback-wrangler-"));
  const [config, build] = await Promise.all([readFile("wrangler.toml", "utf8"), builtFolder()]);
  const paths = config
    .replace('"build/server/index.js"', JSON.stringify(join(build, "server/index.js")))
    .replace('"build/client"', JSON.stringify(join(build, "client")))
    .replace('"migrations"', JSON.stringify(resolve("migrations")));
  await writeFile(join(folder, "wrangler.toml"), paths);
});
afterEach(async () => {
  if (server && server.exitCode === null) {
    server.kill();
    await once(server, "exit");
  }
  await rm(folder, { recursive: true, force: true });
});

/** Runs a script with Node. @returns what it prints */
async function run(args: string[], { cwd = folder, ...env }: { cwd?: string; STATE_DIR?: string } = {}) {
  const options = { cwd, env: { ...process.env, ...offline, ...env } };
  return (await promisify(execFile)(process.execPath, args, options)).stdout;
}

/** Starts `wrangler dev` on a free port. */
async function startWranglerDev(...options: string[]) {
  const ports = ["--port", "0", "--inspector-port", "0"];
  const child = spawn(process.execPath, [wrangler, "dev", ...ports, ...options], {
    cwd: folder,
    env: { ...process.env, ...offline },
    stdio: ["ignore", "pipe", "pipe"],
  });
  server = child;
  let output = "";
  const url = await new Promise<string>((found, failed) => {
    const read = (chunk: Buffer) => {
      output += chunk;
      const [, address] = /Ready on (http:\/\/\S+)/.exec(output) ?? [];
      if (address) found(address);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("exit", () => failed(new Error(output)));
  });
  return { url, output: () => output };
}

test("wrangler dev names what is missing, and serves pages after the documented commands", {
  timeout: 180_000,
}, async () => {
  await cp(".dev.vars.example", join(folder, ".dev.vars"));
  const { url, output } = await startWranglerDev();
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  for (const path of ["/products", "/android"]) expect((await fetch(url + path)).status).toBe(500);
  const advice = "Run `npx wrangler d1 migrations apply DB --local`";
  // On each of both pages, for each table that is missed: the list’s, that of the footer’s pages, and that of the errors.
  await expect.poll(() => output().split(advice)).toHaveLength(7);

  const migrate = [wrangler, "d1", "migrations", "apply", "DB", "--local"];
  await run(migrate);
  const products = await fetch(`${url}/products`);
  expect([products.status, await products.text()]).toEqual([200, expect.stringContaining("</html>")]);

  server?.kill();
  const withJobs = await startWranglerDev("--bundle", "--test-scheduled");
  const ran = await fetch(`${withJobs.url}/__scheduled`);
  expect([ran.status, await ran.text()]).toEqual([200, "Ran scheduled event"]);

  // The backup of the jobs comes out of R2, and into an empty database.
  const backup = `ringback-backups/${new Date().toISOString().slice(0, 10)}.sql`;
  await run([wrangler, "r2", "object", "get", backup, "--file", "ringback.sql", "--local"]);
  const restore = ["--import", "./scripts/typescript.js", "scripts/restore.ts", join(folder, "ringback.sql")];
  const restored = await run(restore, { cwd: process.cwd(), STATE_DIR: join(folder, "restored") });
  expect(restored).toContain("Restored from");

  server?.kill();
  // The local database stays the same when the deployed one is named.
  const file = join(folder, "wrangler.toml");
  const config = await readFile(file, "utf8");
  const id = /^(database_id = ).*$/m;
  expect(config).toMatch(id);
  await writeFile(file, config.replace(id, '$1"11111111-2222-3333-4444-555555555555"'));
  expect(await run(migrate)).toContain("No migrations to apply!");
});

test("wrangler would deploy the build with all bindings", async () => {
  const printed = await run([wrangler, "deploy", "--dry-run"]);
  for (const binding of ["DB", "PHOTOS", "BACKUPS", "IMAGES", "EMAIL_QUEUE", "MAIL", "LOGIN_LIMIT"])
    expect(printed).toContain(`env.${binding}`);
});
