import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "@libsql/client";
import { sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";

const folder = "migrations";

/** wrangler's table of applied migrations, so that this and `wrangler d1 migrations apply` can follow each other. */
const createTable = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`;

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
  await adoptDrizzleMigrations(target);
  const applied = new Set((await target.query("SELECT name FROM d1_migrations")).map(({ name }) => name));
  const files = (await readdir(folder)).filter((file) => file.endsWith(".sql")).sort();
  for (const file of files) {
    if (applied.has(file)) continue;
    const statements = (await readFile(join(folder, file), "utf8")).split("--> statement-breakpoint");
    await target.run([...statements, recordMigration(file)]);
  }
}

/** Takes over a database that an earlier version migrated with drizzle, which has a table of its own. */
async function adoptDrizzleMigrations(target: Target): Promise<void> {
  const [table] = await target.query("SELECT 1 FROM sqlite_master WHERE name = '__drizzle_migrations'");
  if (!table) return;
  const [latest] = await target.query("SELECT max(created_at) AS time FROM __drizzle_migrations");
  const journal = JSON.parse(await readFile(join(folder, "meta/_journal.json"), "utf8")) as {
    entries: { when: number; tag: string }[];
  };
  const applied = journal.entries.filter(({ when }) => when <= Number(latest?.time ?? 0));
  await target.run([
    ...applied.map(({ tag }) => recordMigration(`${tag}.sql`)),
    "DROP TABLE __drizzle_migrations",
  ]);
}

function recordMigration(file: string): string {
  return `INSERT OR IGNORE INTO d1_migrations (name) VALUES ('${file}')`;
}
