import { generateSQLiteDrizzleJson, generateSQLiteMigration } from "drizzle-kit/api";
import { eq, sql } from "drizzle-orm";
import { Miniflare } from "miniflare";
import { expect, test } from "vitest";
import type { Db } from "#app/db/client.server.ts";
import * as schema from "#app/db/schema.ts";
import { listUsers } from "#app/features/administration/users.server.ts";
import { categoryByKey } from "#app/features/catalog/category.rules.ts";
import { parseSearchQuery } from "#app/features/catalog/search/search-query.rules.ts";
import { listSellings } from "#app/features/listings/listing-tables.server.ts";
import { queueEditedListings, queueNewListing } from "#app/features/listings/unmatched-listings.server.ts";
import { saveSearch } from "#app/features/saved-searches/saved-searches.server.ts";
import { matchListings } from "#app/features/saved-searches/search-alerts.server.ts";
import { d1ProxyWorker, openD1Proxy } from "../../scripts/local-d1.ts";
import { migrateDatabase } from "../../scripts/migrations.ts";
import { assertCountsMatch } from "../harness/catalog-counts.ts";
import { addAccount, addPhone } from "../harness/fixtures.ts";
import { browse } from "../harness/search.ts";

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

test("brands that are stored in several spellings get the one that was listed first", async () => {
  await withDatabase(async (db) => {
    await migrateDatabase(db);
    const [seller, searcher] = [await addAccount(db, { userType: "Seller" }), await addAccount(db)];
    const add = (brandName: string, model = "Edge 40") =>
      addPhone(db, { sellerId: seller.id, brandName, model });
    for (const [brandName, model] of [
      ["Motorola", "Edge 40"],
      ["MOTOROLA", "Edge 40"],
      ["motorola", "Razr"],
      ["Sony", "Xperia 5"],
    ] as const) {
      await add(brandName, model);
      // Until then each spelling was a brand of its own.
      await db.delete(schema.brands);
    }
    const category = categoryByKey("products");
    const query = parseSearchQuery(new URLSearchParams("brand=MOTOROLA"));
    await saveSearch(db, searcher, { name: "Old", frequency: "daily" }, { category, query });
    await db.update(schema.savedSearches).set({ clauses: [["\nbrand=MOTOROLA\n"]] });
    await db.update(schema.savedSearchKeys).set({ key: "\nbrand=MOTOROLA\n" });
    const [{ id: edited } = { id: "" }] = await db
      .select()
      .from(schema.phones)
      .where(eq(schema.phones.model, "Razr"));
    await queueEditedListings(db, eq(schema.phones.id, edited));
    await db.run(sql`drop table brands`);
    const made = sql`type = 'trigger' and (name like 'order_words_%' or name like 'saved_address_words_%')`;
    for (const { name } of await db.all<{ name: string }>(sql`select name from sqlite_master where ${made}`))
      await db.run(sql`drop trigger ${sql.identifier(name)}`);
    await db.run(sql`delete from d1_migrations where name like '%_spell_brands_once.sql'`);

    await migrateDatabase(db);
    const { choices } = await browse(db);
    expect(choices.brand).toEqual([
      ["Motorola", 3],
      ["Sony", 1],
    ]);
    expect((await browse(db, "/products", { words: "motorola" })).count).toBe(3);
    await assertCountsMatch(db, "after the migration");
    const { id: added } = await add("moTorola");
    await db.batch([queueNewListing(db, added)]);
    await matchListings(db);
    const [saved] = await db.select().from(schema.savedSearches);
    expect(saved?.newMatchCount).toBe(1);
  });
});

test("listings that are in the index of own words already are found by it after its change", async () => {
  await withDatabase(async (db) => {
    await migrateDatabase(db);
    const seller = await addAccount(db, { userType: "Seller" });
    const { id } = await addPhone(db, { sellerId: seller.id, ownNumber: "#7" });
    await db.run(sql`delete from sellings_fts`);
    await db.run(
      sql`insert into sellings_fts (rowid, words) select number, 'before' from phones where id = ${id}`,
    );
    await db.run(sql`delete from d1_migrations where name like '%_own_numbers_in_hexadecimal.sql'`);

    await migrateDatabase(db);
    const { rows } = await listSellings(db, seller, null, { filters: { q: "#7" } });
    expect(rows.map((row) => row.id)).toEqual([id]);
    expect(await db.all(sql`select rowid from sellings_fts where sellings_fts match 'before'`)).toEqual([]);
  });
});

test("choices that are stored as words get their codes, and are found as before", async () => {
  await withDatabase(async (db) => {
    await migrateDatabase(db);
    const seller = await addAccount(db, { userType: "Seller" });
    const add = (carrierLock: string | null, details: Record<string, string>) =>
      addPhone(db, { sellerId: seller.id, carrierLock, details });
    await add("Unlocked", { scratches: "Light, seen up close", repairs: "None", city: "None" });
    await add("Locked to Verizon", { inTheBox: "Device and cable", delivery: "Shipped or in person" });
    await add(null, {});
    const draft = { brandName: "Sony", carrierLock: "Locked to T-Mobile", repairs: "Battery replaced" };
    await db.insert(schema.listingDrafts).values({ sellerId: seller.id, id: "draft", typed: draft });
    await db.run(sql`delete from d1_migrations where name like '%_codes_of_choices.sql'`);

    await migrateDatabase(db);
    const { carrierLock, details, id } = schema.phones;
    expect(await db.select({ carrierLock, details }).from(schema.phones).orderBy(id)).toEqual([
      { carrierLock: "unlocked", details: { scratches: "light", repairs: "none", city: "None" } },
      { carrierLock: "Verizon", details: { inTheBox: "cable", delivery: "either" } },
      { carrierLock: null, details: {} },
    ]);
    const [{ typed } = { typed: {} }] = await db.select().from(schema.listingDrafts);
    expect(typed).toEqual({ brandName: "Sony", carrierLock: "T-Mobile", repairs: "battery" });
  });
});

test("the words of reported reasons get their codes", async () => {
  await withDatabase(async (db) => {
    await migrateDatabase(db);
    const user = await addAccount(db);
    const report = { targetKind: "seller", targetId: user.id, ownerId: user.id, details: "" };
    for (const [reporterId, reason] of [
      ["one", "Pretends to be someone else"],
      ["other", "Not of any list"],
    ])
      await db.insert(schema.contentReports).values({ ...report, reporterId, reason } as never);
    for (const urgent of ["Threats or harassment", "overdue order problem"])
      await db.insert(schema.notifications).values({
        id: urgent,
        userId: user.id,
        kind: "urgent case",
        subject: "Dana",
        details: { urgent } as never,
        path: "/",
        event: urgent,
      });
    await db.run(sql`delete from d1_migrations where name like '%_reasons_of_reports_as_codes.sql'`);

    await migrateDatabase(db);
    const reports = await db.select().from(schema.contentReports).orderBy(schema.contentReports.reporterId);
    expect(reports.map(({ reason }) => reason)).toEqual(["impersonation", "something else"]);
    const told = await db.select().from(schema.notifications).orderBy(schema.notifications.id);
    expect(told.map(({ details }) => details)).toEqual([
      { urgent: "threats" },
      { urgent: "overdue order problem" },
    ]);
  });
});

test("addresses and phone numbers that are stored already are found by their parts", async () => {
  await withDatabase(async (db) => {
    await migrateDatabase(db);
    const { id, email } = await addAccount(db, { name: "Ada Lovelace" });
    await db
      .insert(schema.savedAddresses)
      .values({ userId: id, address: "9 Hidden Lane", phone: "(415) 555-0123" });
    await db.run(sql`delete from records_fts`);
    await db.run(sql`delete from d1_migrations where name like '%_parts_of_phone_numbers.sql'`);

    await migrateDatabase(db);
    const users = async (filters: Record<string, string>) =>
      (await listUsers(db, null, { filters })).rows.map((row) => row.email);
    expect(await users({ contact: "hidden" })).toEqual([email]);
    expect(await users({ contact: "5550123" })).toEqual([email]);
    expect(await users({ q: "lovelace" })).toEqual([email]);
  });
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
