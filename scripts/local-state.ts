import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { brand } from "#app/brand.ts";

/** The state of a local server: database, secret, emails and build. */
export interface LocalState {
  folder: string;
  /** The folder of Miniflare's databases. */
  persist: string;
  /** The folder that emails are written to, since none is sent. */
  outbox: string;
  bindings: Record<string, string>;
}

/** Settings that a local server takes from the environment. */
const settingNames = [
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

/** Opens the local state in `STATE_DIR`, by default `.wrangler/state`, and creates it if it is missing. */
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
      SESSION_SECRET: process.env.SESSION_SECRET ?? (await storedSecret(path)),
      MAIL_FROM: brand.senderEmail,
      ...Object.fromEntries(
        settingNames.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
      ),
    },
  };
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
