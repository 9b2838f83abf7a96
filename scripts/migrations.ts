import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "@libsql/client";
import { sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { SetupError } from "#app/server/config/setup-error.ts";

const folder = "migrations";

/** wrangler's table of applied migrations, so that this and `wrangler d1 migrations apply` can follow each other. */
const createTable = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`;

const earlierVersion =
  "This database was made by an earlier version. With that version, run `npm run db:export -- rows.sql`; with this one and an empty database (another STATE_DIR or LIBSQL_URL), `npm run db:restore -- rows.sql`.";

/** What migrating needs of a database. */
interface Target {
  query(statement: string): Promise<Record<string, unknown>[]>;
  /** Runs all statements in one transaction. */
  run(statements: string[]): Promise<unknown>;
}

export async function migrateDatabase(db: Db): Promise<Db> {
  await migrate({
    query: (statement) => db.all(sql.raw(statement)),
    run: ([first = "", ...others]) =>
      db.batch([db.run(sql.raw(first)), ...others.map((statement) => db.run(sql.raw(statement)))]),
  });
  return db;
}

export async function migrateLibsql(client: Client): Promise<void> {
  await migrate({
    query: async (statement) => (await client.execute(statement)).rows,
    // Without foreign keys, which would delete rows when a table is rebuilt.
    run: (statements) => client.migrate(statements),
  });
}

async function migrate(target: Target): Promise<void> {
  await target.run([createTable]);
  const applied = new Set((await target.query("SELECT name FROM d1_migrations")).map(({ name }) => name));
  const files = (await readdir(folder)).filter((file) => file.endsWith(".sql")).sort();
  const tables = await target.query("SELECT name FROM sqlite_master WHERE name IN ('users', 'orders')");
  // Earlier versions named the table of orders `bookings`.
  if (tables.length === 1) throw new SetupError(earlierVersion);
  for (const file of files) {
    if (applied.has(file)) continue;
    const statements = (await readFile(join(folder, file), "utf8")).split("--> statement-breakpoint");
    await target.run([...statements, recordMigration(file)]);
  }
}

function recordMigration(file: string): string {
  return `INSERT OR IGNORE INTO d1_migrations (name) VALUES ('${file}')`;
}
