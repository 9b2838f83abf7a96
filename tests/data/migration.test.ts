import { sql } from "drizzle-orm";
import { Miniflare } from "miniflare";
import { expect, test } from "vitest";
import type { Db } from "#app/db/client.server.ts";
import { users } from "#app/db/schema.ts";
import { d1ProxyWorker, openD1Proxy } from "../../scripts/local-d1.ts";
import { migrateDatabase } from "../../scripts/migrations.ts";

test("a database is migrated once, and keeps its rows", async () => {
  await withDatabase(async (db) => {
    await migrateDatabase(db);
    await db.insert(users).values({ id: "one", name: "One", email: "one@example.com", userType: "Buyer" });
    await migrateDatabase(db);
    expect(await db.$count(users)).toBe(1);
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

async function withDatabase(use: (db: Db) => Promise<void>) {
  const workerd = new Miniflare({
    workers: [d1ProxyWorker({ DB: "migrated" }, "migrated")],
    host: "127.0.0.1",
    cf: false,
  });
  try {
    await use(openD1Proxy(await workerd.unsafeGetDirectURL("migrated")));
  } finally {
    await workerd.dispose();
  }
}
