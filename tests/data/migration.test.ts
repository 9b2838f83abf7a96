/** @module-tag slow */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { Miniflare } from "miniflare";
import { expect, test } from "vitest";
import type { Db } from "#app/db/client.server.ts";
import {
  activity,
  deviceVariants,
  idempotencyKeys,
  oneTimeTokens,
  searchWords,
  usedOauthStates,
} from "#app/db/schema.ts";
import { dictionaryWords, modelSlug, searchText } from "#app/features/listings/device-variant.rules.ts";
import { d1ProxyWorker, openD1Proxy } from "../../scripts/local-d1.ts";
import { migrateDatabase } from "../../scripts/migrations.ts";
import { addPhone } from "../harness/fixtures.ts";
import { browse } from "../harness/search.ts";

test("listings from before device variants are found, counted and named as new ones are", async () => {
  await withDatabase(async (db) => {
    await migrate(db, (file) => file < "0011");
    await db.run(sql`insert into users (id, name, email, user_type, verified, created_at)
      values ('one', 'One', 'one@example.com', 'Seller', 'yes', 1), ('two', 'Two', 'two@example.com', 'Seller', null, 1)`);
    for (const [id, seller, brand, model, processor, os, type, status, removal, condition, health] of [
      [
        "a",
        "one",
        "Apple",
        "iPhone 13 Pro",
        "Apple A15 Bionic",
        "Ios",
        "Smart Phone",
        "available",
        null,
        "Good",
        91,
      ],
      [
        "b",
        "two",
        "Apple",
        "iPhone 13 Pro",
        "Apple A15 Bionic",
        "Ios",
        "Smart Phone",
        "reserved",
        null,
        null,
        84,
      ],
      ["c", "two", "Łódź & Co", "Straße  (5G)", "T606", "Android", "Tablet", "available", null, "Fair", null],
      [
        "d",
        "one",
        "Samsung",
        "Galaxy Z-Fold5",
        "Snapdragon 8",
        "Android",
        "Smart Phone",
        "sold",
        null,
        "Good",
        99,
      ],
      ["e", "one", "Nokia", "G22", "T606", "Android", "Smart Phone", "available", "removed", null, null],
    ]) {
      await db.run(sql`insert into phones (id, seller_id, brand_name, model, ram, rom, image, camera, processor, battery,
          os, device_type, selling_reason, market_cents, selling_cents, post_date, used_time, status, removal_id,
          condition, battery_health, created_at)
        values (${id}, ${seller}, ${brand}, ${model}, '8 GB', '128 GB', '', '', ${processor}, '', ${os}, ${type}, '',
          90000, 45000, '2026-11-20', '3', ${status}, ${removal}, ${condition}, ${health}, 1)`);
    }
    await migrate(db, (file) => file >= "0011");

    const variants = await db.select().from(deviceVariants);
    expect(variants.map(({ model, listed }) => [model, listed]).sort()).toEqual([
      ["G22", 0],
      ["Galaxy Z-Fold5", 0],
      ["Straße  (5G)", 1],
      ["iPhone 13 Pro", 2],
    ]);
    for (const { brand: brandName, model, processor, ...variant } of variants) {
      expect(variant.modelSlug.normalize("NFKD").replace(/\p{M}/gu, "")).toBe(
        modelSlug({ brandName, model }),
      );
      // The tokenizer removes accents.
      const text = variant.searchText.normalize("NFKD").replace(/\p{M}/gu, "");
      expect(text).toBe(searchText({ ...variant, brandName, model, processor, os: "", deviceType: "" }));
    }
    const words = (await db.select().from(searchWords)).map(({ word }) => word);
    expect(words).toEqual(
      expect.arrayContaining(
        dictionaryWords("iPhone Pro Bionic Galaxy Fold5 strasse 5g1 snapdragon T606").filter(
          (word) => word !== "5g1",
        ),
      ),
    );

    const { count, choices } = await browse(db);
    expect([
      count,
      choices.brand,
      choices.condition,
      choices.battery,
      choices.verified,
      choices.available,
    ]).toEqual([
      3,
      [
        ["Apple", 2],
        ["Łódź & Co", 1],
      ],
      [
        ["Good", 1],
        ["Fair", 1],
      ],
      [
        ["80", 2],
        ["85", 1],
        ["90", 1],
      ],
      [["yes", 1]],
      [["yes", 2]],
    ]);
    for (const words of ["iphone13pro", "13pro a15", "lodz strasse", "ŁÓDŹ", "strasse5g"]) {
      expect([words, (await browse(db, "/products", { words })).count > 0]).toEqual([words, true]);
    }
    await addPhone(db, {
      sellerId: "one",
      brandName: "Apple",
      model: "iPhone 13 Pro",
      processor: "Apple A15 Bionic",
      rom: "128 GB",
      os: "Ios",
    });
    expect((await browse(db, "/ios")).choices.verified).toEqual([["yes", 2]]);
    expect(await db.all(sql`select name from sqlite_master where name like '%shel%'`)).toEqual([]);
  });
});

test("rows stay when their tables and columns are renamed", async () => {
  await withDatabase(async (db) => {
    await migrate(db, (file) => file < "0012");
    await db.run(sql`insert into users (id, name, email, user_type, created_at)
      values ('one', 'One', 'one@example.com', 'Buyer', 1)`);
    await db.run(sql`insert into tickets (id, purpose, user_id, email, created_at, expires_at)
      values ('hash', 'recovery', 'one', 'one@example.com', 2, 3)`);
    await db.run(sql`insert into spent_states (state, spent_at) values ('state', 4)`);
    await db.run(sql`insert into first_answers (id, body_hash, name, status, answer, created_at)
      values ('key', 'body', 'name', 200, '{}', 5)`);
    await db.run(sql`insert into activity (id, actor_id, actor_email, act, target_id, target, created_at)
      values ('act', 'one', 'one@example.com', 'deleted user', 'two', 'two@example.com', 6)`);
    await migrate(db, (file) => file >= "0012");

    expect(await db.select().from(oneTimeTokens)).toEqual([
      {
        id: "hash",
        purpose: "recovery",
        userId: "one",
        email: "one@example.com",
        createdAt: new Date(2),
        expiresAt: new Date(3),
      },
    ]);
    expect(await db.select().from(usedOauthStates)).toEqual([{ state: "state", usedAt: new Date(4) }]);
    expect(await db.select().from(idempotencyKeys)).toEqual([
      { id: "key", bodyHash: "body", name: "name", status: 200, response: "{}", createdAt: new Date(5) },
    ]);
    expect(await db.select().from(activity)).toMatchObject([{ id: "act", action: "deleted user" }]);

    // The foreign key of the renamed table still works.
    await db.run(sql`delete from users`);
    expect(await db.$count(oneTimeTokens)).toBe(0);
    const oldNames = sql`select name from sqlite_master
      where name like '%ticket%' or name like '%spent%' or name like '%first_answers%'`;
    expect(await db.all(oldNames)).toEqual([]);
  });
});

test("a database that an earlier version migrated is taken over, and migrated only once", async () => {
  await withDatabase(async (db) => {
    await migrate(db, (file) => file < "0012");
    const { entries } = JSON.parse(await readFile("migrations/meta/_journal.json", "utf8"));
    await db.run(
      sql`create table __drizzle_migrations (id serial primary key, hash text, created_at numeric)`,
    );
    await db.run(
      sql`insert into __drizzle_migrations (hash, created_at) values ('hash', ${entries[11].when})`,
    );
    await db.run(sql`insert into spent_states (state, spent_at) values ('state', 4)`);
    await migrateDatabase(db);
    await migrateDatabase(db);
    expect(await db.select().from(usedOauthStates)).toHaveLength(1);
    const applied = await db.all<{ name: string }>(sql`select name from d1_migrations order by id`);
    expect(applied.map(({ name }) => name)).toEqual(await migrationFiles());
  });
});

async function withDatabase(use: (db: Db) => Promise<void>) {
  const workerd = new Miniflare({
    workers: [d1ProxyWorker({ DB: "old" }, "old")],
    host: "127.0.0.1",
    cf: false,
  });
  try {
    await use(openD1Proxy(await workerd.unsafeGetDirectURL("old")));
  } finally {
    await workerd.dispose();
  }
}

async function migrate(db: Db, isIncluded: (file: string) => boolean) {
  for (const file of (await migrationFiles()).filter(isIncluded)) await apply(db, file);
}

async function migrationFiles(): Promise<string[]> {
  return (await readdir("migrations")).filter((name) => name.endsWith(".sql")).sort();
}

async function apply(db: Db, file: string) {
  for (const statement of (await readFile(join("migrations", file), "utf8")).split(
    "--> statement-breakpoint",
  )) {
    await db.run(sql.raw(statement));
  }
}
