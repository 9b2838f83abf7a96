import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDb } from "#app/db/client.server.ts";
import { type LocalServer, startLocalServer } from "../../scripts/local-server.ts";
import { type Libsql, startLibsql } from "../../tests/harness/libsql.ts";
import { sessionSecret } from "../../tests/harness/visitor.ts";
import { unlimitedReservations } from "../bench-server.ts";
import type { Backend } from "./part.ts";

/** The built Worker under test, on a database of its own. */
export interface Market extends LocalServer {
  /** The process id of workerd. */
  pid: number;
  libsql?: Libsql;
  /** The folder of D1 and photos, which a restart keeps. */
  persist: string;
  /** The folder that emails are written to. */
  outbox: string;
  /** Logged errors. */
  errors: string[];
  /** Ends workerd at once, as a crash would. */
  kill(): void;
  /** Starts workerd again, with the same data. */
  restart(): Promise<void>;
}

/** More requests per minute than a soak makes. */
const unlimited = 1_000_000_000;

/**
 * Starts the built Worker with an empty database.
 *
 * @param wrapper see `startLocalServer`
 * @param refusesMail see `startLocalServer`
 */
export async function openMarket({
  backend,
  buildFolder,
  wrapper,
  refusesMail,
  bindings,
}: {
  backend: Backend;
  buildFolder: string;
  wrapper?: string;
  refusesMail?: () => boolean;
  /** Further settings. */
  bindings?: Record<string, string>;
}): Promise<Market> {
  const folder = await mkdtemp(join(tmpdir(), "ringback-soak-"));
  const libsql = backend === "libSQL" ? await startLibsql() : undefined;
  const [persist, outbox] = [join(folder, "state"), join(folder, "outbox")];
  const errors: string[] = [];
  const start = async () => {
    const server = await startLocalServer({
      buildFolder,
      persist,
      outbox,
      wrapper,
      refusesMail,
      maxPerMinute: unlimited,
      onLog: (text) => errors.push(...text.split("\n").filter((line) => line && !isEvent(line))),
      bindings: {
        SESSION_SECRET: sessionSecret,
        MAIL_FROM: "post@ringback.example",
        // Behind a wrapper the requests' own, as passkeys need it.
        ...(!wrapper && { PUBLIC_ORIGIN: "https://ringback.example" }),
        EDGE_CACHE_SECONDS: "0",
        ...unlimitedReservations,
        ...(libsql && { LIBSQL_URL: libsql.url }),
        ...bindings,
      },
    });
    // As the Worker does: a batch of drizzle's own client may lose to one of the Worker's.
    return libsql ? { ...server, db: await createDb({ LIBSQL_URL: libsql.url }) } : server;
  };
  const others = new Set(workerdProcesses());
  const startNext = async () => {
    const server = await start();
    return { server, pid: workerdProcesses().find((pid) => !others.has(pid)) ?? 0 };
  };
  let running = await startNext();
  const market: Market = {
    ...running.server,
    pid: running.pid,
    libsql,
    persist,
    outbox,
    errors,
    kill: () => void process.kill(running.pid, "SIGKILL"),
    async restart() {
      await running.server.stop();
      running = await startNext();
      Object.assign(market, running.server, { pid: running.pid, stop });
    },
    stop,
  };
  async function stop() {
    await running.server.stop();
    await libsql?.stop();
    await rm(folder, { recursive: true, force: true });
  }
  return market;
}

/** Requests, logins and refusals, as opposed to errors. */
const isEvent = (line: string) => /^\{"level":"(info|warning)",.*"event":/.test(line);

/** The workerd processes that this process has started. */
function workerdProcesses(): number[] {
  return execFileSync("ps", ["-A", "-o", "pid=,ppid=,comm="], { encoding: "utf8" })
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, name = ""]) => Number(parent) === process.pid && name.includes("workerd"))
    .map(([pid]) => Number(pid));
}

/** The resident memory of a process, in kilobytes. */
export function memoryOf(pid: number): number {
  return Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" }));
}
