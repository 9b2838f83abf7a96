import { generateSQLiteDrizzleJson, generateSQLiteMigration } from "drizzle-kit/api";
import { sql } from "drizzle-orm";
import { Miniflare } from "miniflare";
import { expect, test } from "vitest";
import type { Db } from "#app/db/client.server.ts";
import * as schema from "#app/db/schema.ts";
import { d1ProxyWorker, openD1Proxy } from "../../scripts/local-d1.ts";
import { migrateDatabase } from "../../scripts/migrations.ts";

test("a database is migrated once, and keeps its rows", async () => {
  await withDatabase(async (db) => {
    await migrateDatabase(db);
    await db
      .insert(schema.users)
      .values({ id: "one", name: "One", email: "one@example.com", userType: "Buyer" });
    await migrateDatabase(db);
    expect(await db.$count(schema.users)).toBe(1);
  });
});

test("a database of an earlier version is left as it is, and the way to a new one is named", async () => {
  await withDatabase(async (db) => {
    await db.run(sql`create table users (id text primary key)`);
    await expect(migrateDatabase(db)).rejects.toThrow(
      "This database was made by an earlier version. With that version, run `npm run db:export -- rows.sql`",
    );
    const tables = await db.all(sql`select name from sqlite_master where name in ('users', 'phones')`);
    expect(tables).toEqual([{ name: "users" }]);
  });
});

test("the migrations make the tables, columns and indexes that the schema declares", async () => {
  const statements = await generateSQLiteMigration(
    await generateSQLiteDrizzleJson({}),
    await generateSQLiteDrizzleJson(schema),
  );
  const declared = await withDatabase(async (db) => {
    for (const statement of statements) await db.run(sql.raw(statement));
    return structureOf(db);
  });
  const migrated = await withDatabase(async (db) => {
    await migrateDatabase(db);
    return structureOf(db);
  });
  expect(declared.length).toBeGreaterThan(400);
  // Migrations also make what drizzle cannot declare.
  expect(declared.filter((part) => !migrated.includes(part))).toEqual([]);
});

/** The columns, foreign keys and indexes of a database, one line each. */
async function structureOf(db: Db): Promise<string[]> {
  const tables = sql`(select name as tbl from sqlite_master where type = 'table' and substr(name, 1, 3) != '_cf')`;
  const parts = await Promise.all([
    db.all(sql`select tbl, c.name, c.type, c."notnull", c.dflt_value, c.pk, c.hidden
      from ${tables}, pragma_table_xinfo(tbl) as c`),
    db.all(
      sql`select tbl, k."from", k."table", k."to", k.on_delete from ${tables}, pragma_foreign_key_list(tbl) as k`,
    ),
    db.all(sql`select sql from sqlite_master where type = 'index' and sql is not null`),
  ]);
  return parts.flat().map((part) => JSON.stringify(part));
}

async function withDatabase<Result>(use: (db: Db) => Promise<Result>): Promise<Result> {
  const workerd = new Miniflare({
    workers: [d1ProxyWorker({ DB: "migrated" }, "migrated")],
    host: "127.0.0.1",
    cf: false,
  });
  try {
    return await use(openD1Proxy(await workerd.unsafeGetDirectURL("migrated")));
  } finally {
    await workerd.dispose();
  }
}
