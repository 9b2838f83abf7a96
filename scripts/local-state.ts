import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { brand } from "#app/brand.ts";

/** Where a local market keeps everything: database, cookie secret, its own build. */
export interface LocalState {
  folder: string;
  /** For miniflare and wrangler: the folder in which they keep databases. */
  persist: string;
  /** Where the market's mails are put, since none leaves this machine. */
  outbox: string;
  /** What the deployment would configure: secrets and addresses. */
  bindings: Record<string, string>;
}

/** Settings of the surroundings that a local market takes as they are. */
const passedOn = [
  "LIBSQL_URL",
  "LIBSQL_REPLICA_URL",
  "LIBSQL_AUTH_TOKEN",
  "CORS_ORIGINS",
  "GOOGLE_CLIENT_ID",
  "GOOGLE_CLIENT_SECRET",
  "MAIL_FROM",
  "PUBLIC_ORIGIN",
  "EDGE_CACHE_SECONDS",
] as const;

/** Opens the local state in `STATE_DIR`, or in `.wrangler/state`; creates what is missing. */
export async function openLocalState(
  folder = process.env.STATE_DIR ?? ".wrangler/state",
): Promise<LocalState> {
  const path = resolve(folder);
  await mkdir(path, { recursive: true });
  return {
    folder: path,
    persist: join(path, "v3"),
    outbox: join(path, "outbox"),
    bindings: {
      SESSION_SECRET: process.env.SESSION_SECRET ?? (await ownSecret(path)),
      MAIL_FROM: brand.senderEmail,
      ...Object.fromEntries(
        passedOn.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
      ),
    },
  };
}

/** A secret made at the first start, so that nobody is signed out by the second. */
async function ownSecret(folder: string): Promise<string> {
  const file = join(folder, "session-secret");
  try {
    await writeFile(file, randomBytes(32).toString("hex"), { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return readFile(file, "utf8");
}
