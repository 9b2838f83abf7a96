import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { access, constants, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { brand } from "#app/brand.ts";
import { checkSettings, settingNames } from "#app/server/config/environment.server.ts";
import { SetupError } from "#app/server/config/setup-error.ts";

/** The state of a local server: database, secret, emails and build. */
export interface LocalState {
  folder: string;
  /** The folder of Miniflare's databases. */
  persist: string;
  /** The folder that emails are written to, since none is sent. */
  outbox: string;
  bindings: Record<string, string>;
}

/** Settings that a local server takes from the environment; the secret is its own. */
const namesTaken = settingNames.filter((name) => name !== "SESSION_SECRET");

const stateFolder = () => process.env.STATE_DIR ?? ".wrangler/state";

const persistIn = (folder: string) => join(folder, "v3");

/**
 * Opens the local state as `openLocalState` does, for commands that only make sense on data.
 *
 * @param data what the command works on: the photos are local also if the database is a libSQL server
 * @throws SetupError also if there is none
 */
export async function openExistingState(data: "database" | "photos"): Promise<LocalState> {
  const folder = stateFolder();
  const isLocal = data === "photos" || !process.env.LIBSQL_URL;
  if (folder !== "" && isLocal && !existsSync(persistIn(resolve(folder))))
    throw new SetupError(
      `There is no local database in ${folder}: set STATE_DIR to the folder of one, or run \`npm start\` first.`,
    );
  return openLocalState(folder);
}

/**
 * Opens the local state in `STATE_DIR`, by default `.wrangler/state`, and creates it if it is missing.
 *
 * @throws SetupError that names each wrong setting
 */
export async function openLocalState(folder = stateFolder()): Promise<LocalState> {
  const path = await createFolder(folder);
  await checkDatabases(persistIn(path));
  const bindings = {
    ENVIRONMENT: "local",
    SESSION_SECRET: process.env.SESSION_SECRET ?? (await storedSecret(path)),
    MAIL_FROM: brand.senderEmail,
    ...settingsGiven(),
  };
  checkSettings(bindings);
  return { folder: path, persist: persistIn(path), outbox: join(path, "outbox"), bindings };
}

function settingsGiven(): Record<string, string> {
  const given = namesTaken.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const empty = given.filter(([, value]) => value === "").map(([name]) => name);
  if (empty.length > 0)
    throw new SetupError(empty.map((name) => `${name} is empty: set it, or unset it.`).join(" "));
  return Object.fromEntries(given);
}

async function createFolder(folder: string): Promise<string> {
  if (folder === "") throw new SetupError("STATE_DIR is empty: set it to a folder, or unset it.");
  const path = resolve(folder);
  try {
    await makeFolders(path);
    await access(path, constants.W_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new SetupError(
      `STATE_DIR is not a folder that can be written (${code}): set it to another, or unset it.`,
    );
  }
  return path;
}

/** Creates a folder and its missing parents. Node's own `recursive` never returns for a folder under /proc. */
async function makeFolders(path: string): Promise<void> {
  if (!existsSync(dirname(path))) await makeFolders(dirname(path));
  try {
    await mkdir(path);
  } catch (error) {
    if (!(await isFolder(path))) throw error;
  }
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** @throws SetupError if a database is read-only, which workerd would report in a stack of its own */
async function checkDatabases(persist: string): Promise<void> {
  const files = await readdir(persist, { recursive: true }).catch(() => []);
  for (const file of files.filter((name) => /\.sqlite(-wal|-shm)?$/.test(name))) {
    const path = join(persist, file);
    await access(path, constants.R_OK | constants.W_OK).catch(({ code }: NodeJS.ErrnoException) => {
      // A database that was closed since has deleted its log.
      if (code !== "ENOENT")
        throw new SetupError(
          `${path} can’t be written (${code}): make it writable for this account, or set STATE_DIR to another folder.`,
        );
    });
  }
}

/** A random secret, stored so that sessions survive a restart. */
async function storedSecret(folder: string): Promise<string> {
  const file = join(folder, "session-secret");
  try {
    await writeFile(file, randomBytes(32).toString("hex"), { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return readFile(file, "utf8");
}

/**
 * Holds a state for this process, since two servers of one state would build into one folder.
 *
 * @returns a function that releases it
 * @throws SetupError that names the process that holds it
 */
export async function holdState(folder: string): Promise<() => Promise<void>> {
  const file = join(folder, "server-process");
  const holder = Number(await readFile(file, "utf8").catch(() => ""));
  if (holder !== process.pid && isRunning(holder))
    throw new SetupError(
      `Another server, process ${holder}, uses ${folder}: stop it, or set STATE_DIR and PORT for a second one. If that process is no server, delete ${file}.`,
    );
  await writeFile(file, String(process.pid));
  return () => rm(file, { force: true });
}

function isRunning(pid: number): boolean {
  try {
    // Signal 0 only asks. 0 itself would ask for the own process group.
    return pid > 0 && process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
