import { cp, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import { type LocalServer, type Network, startLocalServer } from "../../scripts/local-server.ts";
import { builtFolder } from "./built-folder.ts";
import { emptyDatabase } from "./empty-database.ts";
import { sessionSecret } from "./visitor.ts";

export { addAccount, addPhone, addProblem, addReceivedOrder, type Phone, password } from "./fixtures.ts";
export { newAddress, sessionSecret, type Visitor, visitor } from "./visitor.ts";

/** A server under test, with the folder that its emails are written to. */
export type TestServer = LocalServer & {
  outbox: string;
  log(): string;
};

/** Serves a build, by default this run's, on a free port, with an empty database. */
export async function startServer({
  bindings = {},
  maxRequests,
  network,
  refusesMail,
  emailQueue,
  onLog,
  buildFolder,
  wrapper,
}: {
  bindings?: Record<string, string | undefined>;
  maxRequests?: number;
  network?: Network;
  refusesMail?: () => boolean;
  emailQueue?: "none" | "unreachable";
  onLog?: (text: string) => void;
  buildFolder?: string;
  wrapper?: string;
} = {}): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), "ringback-server-"));
  const [outbox, persist] = [join(folder, "outbox"), join(folder, "databases")];
  await mkdir(outbox);
  if (!bindings.LIBSQL_URL) await cp(inject("d1Folder"), persist, { recursive: true });
  let log = "";
  const server = await startLocalServer({
    buildFolder: buildFolder ?? (await builtFolder()),
    outbox,
    persist,
    maxRequests,
    network,
    refusesMail,
    emailQueue,
    wrapper,
    onLog: (text) => {
      log += text;
      onLog?.(text);
      // Vitest prints the console output of failed tests only.
      const lines = withoutRequestLog(text).trimEnd();
      if (lines) console.error(lines);
    },
    bindings: definedIn({
      SESSION_SECRET: sessionSecret,
      MAIL_FROM: "post@ringback.example",
      // Tests write to the database directly, and read the result at once.
      EDGE_CACHE_SECONDS: "0",
      MAX_RESERVATIONS: "1000",
      MAX_RESERVATIONS_UNCONFIRMED: "1000",
      MAX_RESERVATIONS_NEW_ACCOUNTS: "1000",
      MAX_LISTINGS_A_DAY_UNCONFIRMED: "1000",
      MAX_NEW_CONVERSATIONS_A_DAY: "1000",
      ...bindings,
    }),
  });
  async function stop() {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
  return { ...server, outbox, log: () => log, stop };
}

let shared: Promise<TestServer> | undefined;
let logBefore = "";

/** The server of this process with the usual settings, for a file's tests; its data are those of the file only. */
export async function sharedServer(): Promise<TestServer> {
  shared ??= startServer();
  const server = await shared;
  await Promise.all([emptyDatabase(server.db), emptyFolder(server.outbox)]);
  logBefore = server.log();
  return { ...server, log: () => server.log().slice(logBefore.length), stop: async () => {} };
}

async function emptyFolder(folder: string) {
  // The folder stays: an email of the last file may still be written.
  const names = await readdir(folder);
  await Promise.all(names.map((name) => rm(join(folder, name), { force: true })));
}

/** Without the settings that a test leaves out. */
const definedIn = (bindings: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(bindings).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

interface LogLine {
  path: string;
}

/** The log of requests so far. A line may follow its response. */
export const requestLines = ({ log }: TestServer): LogLine[] =>
  log()
    .split("\n")
    .filter((line) => line.startsWith('{"level":"info","event":"request"'))
    .map((line) => JSON.parse(line));

export function withoutRequestLog(text: string): string {
  return text.replaceAll(/^\{"level":"info","event":.*\n/gm, "");
}
