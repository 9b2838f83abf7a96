/** @module-tag slow */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getTableName, inArray, is, sql } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import { Miniflare } from "miniflare";
import { expect, test } from "vitest";
import type { Db } from "#app/db/client.server.ts";
import * as schema from "#app/db/schema.ts";
import { usersNamed } from "#app/features/accounts/accounts.server.ts";
import { openSession } from "#app/features/accounts/sessions.server.ts";
import { accessTables } from "#app/features/administration/backup.server.ts";
import { parseSearchQuery } from "#app/features/catalog/search/search-query.rules.ts";
import { refreshUsualPrices } from "#app/features/listings/fair-price.server.ts";
import { saveSearch } from "#app/features/saved-searches/saved-searches.server.ts";
import { storeDailyNumbers } from "#app/features/statistics/numbers.server.ts";
import { exportTo, restoreFrom } from "../../scripts/backup.ts";
import { openLibsql } from "../../scripts/database.ts";
import { seedDemoData } from "../../scripts/demo/seed.ts";
import { d1ProxyWorker, openD1Proxy } from "../../scripts/local-d1.ts";
import { migrateDatabase } from "../../scripts/migrations.ts";
import { exportPhotos, restorePhotos, withBucket } from "../../scripts/photo-backup.ts";
import { addAccount, addPhone } from "../harness/fixtures.ts";
import { startLibsql } from "../harness/libsql.ts";
import { browse } from "../harness/search.ts";

test("an export of D1 is restored unchanged in libSQL, and from there in another D1", async () => {
  const workerd = new Miniflare({
    workers: ["first", "second"].map((name) => d1ProxyWorker({ DB: name }, name)),
    host: "127.0.0.1",
    cf: false,
  });
  const libsqlServer = await startLibsql();
  const folder = await mkdtemp(join(tmpdir(), "backup-"));
  try {
    const d1 = async (name: string) => migrateDatabase(openD1Proxy(await workerd.unsafeGetDirectURL(name)));
    const first = await d1("first");
    await fill(first);
    const { id: userId } = await addAccount(first, { email: "kept@example.com" });
    await openSession(first, { id: userId, sessionVersion: 0 }, { seconds: 60 });
    const expiresAt = new Date(Date.now() + 60_000);
    await first.insert(schema.oneTimeTokens).values({ id: "link", purpose: "recovery", userId, expiresAt });
    const token = {
      userId,
      name: "Script",
      scope: "write",
      tokenHash: "x",
      formKey: "x",
      expiresAt,
    } as const;
    await first.insert(schema.personalAccessTokens).values(token);
    await storeDailyNumbers(first, 1000);
    await refreshUsualPrices(first);
    const libsql = await openLibsql(libsqlServer.url);
    await exportTo(join(folder, "first.sql"), first);
    // Sessions of the database itself end, too.
    await libsql.insert(schema.oneTimeTokens).values({ id: "left", purpose: "passkey login", expiresAt });
    await restoreFrom(join(folder, "first.sql"), libsql);
    const second = await d1("second");
    const file = join(folder, "libsql.sql");
    await exportTo(file, libsql);
    // A failed restore leaves no rows.
    const whole = `${await readFile(file)}`;
    const lines = whole.trimEnd().split("\n");
    const cut = join(folder, "cut.sql");
    for (const [text, reason] of [
      ["", "does not end as an export does"],
      ["garbage;", "Line 1 of .* belongs to no export"],
      [lines.slice(0, 20).join("\n"), "does not end as an export does"],
      [lines.slice(0, -1).join("\n"), "does not end as an export does"],
      [`${whole}INSERT INTO "users" VAL`, "belongs to no export"],
      [
        lines.filter((line) => !line.startsWith('INSERT INTO "reports"')).join("\n"),
        "0 of .* rows of reports",
      ],
      [
        lines.filter((line) => !line.startsWith('INSERT INTO "users"')).join("\n"),
        "rejects a row .*NOT NULL.* Nothing was restored",
      ],
      [
        [...lines.slice(0, -1), 'INSERT INTO "users" VAL', lines.at(-1)].join("\n"),
        "rejects a row .* Nothing was restored",
      ],
    ] as const) {
      await writeFile(cut, text);
      await expect(restoreFrom(cut, second)).rejects.toThrow(new RegExp(reason));
      expect(Object.values(await hashes(second)).filter((hash) => !hash.startsWith("0 "))).toEqual([]);
    }
    // With the names that earlier versions gave these tables.
    const earlier = join(folder, "earlier.sql");
    const before = whole
      .replaceAll('INTO "orders"', 'INTO "bookings"')
      .replaceAll('INTO "conversation_participants"', 'INTO "conversation_sides"');
    const session = `INSERT INTO "sessions" ("id", "user_id") VALUES ('old', 'x');\n`;
    await writeFile(earlier, session + before.replace(/^-- End.*$/m, "-- End of export: {}"));
    await restoreFrom(earlier, second);

    const ended = Object.fromEntries(accessTables.map((table) => [getTableName(table), expect.any(String)]));
    // Triggers number the records anew.
    const changed = { ...ended, record_numbers: expect.any(String) };
    const [kept, contents] = [{ ...(await hashes(first)), ...changed }, await contentsOf(first)];
    expect(contents.map(({ count }) => count)).toEqual([74, 1, 1, 6, 1]);
    for (const restored of [libsql, second]) {
      // The numbers of the days and the usual prices are not exported.
      await storeDailyNumbers(restored, 1000);
      await refreshUsualPrices(restored);
      expect(await hashes(restored)).toEqual(kept);
      for (const table of accessTables) expect([table, await restored.$count(table)]).toEqual([table, 0]);
      expect(await contentsOf(restored)).toEqual(contents);
      await addPhone(restored, { model: "Later" });
      expect((await browse(restored, "/products", { words: "later" })).count).toBe(1);
      const [found] = await restored
        .select()
        .from(schema.users)
        .where(inArray(schema.users.id, usersNamed(restored, "kept")));
      expect(found?.email).toBe("kept@example.com");
    }
    await expect(restoreFrom(file, second)).rejects.toThrow("not empty");
    await addReports(first, [`"'"`.repeat(30_000)]);
    await expect(exportTo(join(folder, "long.sql"), first)).rejects.toThrow("of reports is too long");
  } finally {
    await Promise.all([workerd.dispose(), libsqlServer.stop(), rm(folder, { recursive: true })]);
  }
});

test("exported photos are restored unchanged in another bucket", async () => {
  const folder = await mkdtemp(join(tmpdir(), "photos-"));
  const copy = join(folder, "copy");
  const state = (name: string) => ({ folder, persist: join(folder, name), outbox: folder, bindings: {} });
  const ids = ["photo-1", "photo-2", "photo-3"];
  const names = ids.flatMap((id) =>
    ["card", "gallery", "shared", "thumbnail"].map((size) => `${id}/${size}`),
  );
  try {
    await withBucket(state("first"), async (bucket) => {
      for (const name of names) await bucket.put(name, `picture \0\xff of ${name}`);
      await bucket.put("../outside", "not a photo");
      const pageSize = 5;
      expect(await exportPhotos(bucket, copy, pageSize)).toBe(names.length);
      // An export that was cut off.
      await writeFile(join(copy, "photo-2/card"), "pict");
      expect(await exportPhotos(bucket, copy)).toBe(1);
    });
    await withBucket(state("second"), async (bucket) => {
      const end = join(copy, "export.json");
      const complete = await readFile(end, "utf8");
      for (const breakIt of [() => rm(end), () => writeFile(end, complete.replace(/\d+/, "11"))]) {
        await breakIt();
        await expect(restorePhotos(bucket, copy)).rejects.toThrow("no complete export");
        expect((await bucket.list()).objects).toEqual([]);
      }
      await writeFile(end, complete);
      expect(await restorePhotos(bucket, copy)).toBe(names.length);
      expect((await bucket.list()).objects.map(({ key }) => key)).toEqual(names);
      const photo = await bucket.get("photo-2/card");
      expect(await photo?.text()).toBe("picture \0\xff of photo-2/card");
      expect(photo?.httpMetadata).toEqual({ contentType: "image/webp" });
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});

async function fill(db: Db) {
  await seedDemoData(db);
  // More rows than one read, text with special characters, and row numbers with gaps.
  const odd = 'It\'s; --\n\r\u2028\0 \u{1F4F1} ? $1 "q" \\ ½';
  const { id: sellerId } = await addAccount(db, { userType: "Seller", name: odd });
  await addPhone(db, { sellerId, model: "Odd", sellingReason: odd, number: 4_000 });
  await addPhone(db, { sellerId, model: "Gone", hiddenById: "some removal" });
  await addPhone(db, { sellerId, model: "After" });
  await db.run(sql`
    with recursive places(place) as (select 1 union all select place + 1 from places where place < 1100)
    insert into reports (id, name, email, details, created_at)
    select 'report-' || place, ${odd}, 'person@example.com', place, 1 from places`);
  // The longest rows that forms allow, with the characters that take most space in SQL.
  for (const text of ["€\n".repeat(2500), "'".repeat(5000), '"\r\n'.repeat(1600), "\0".repeat(5000)]) {
    await addReports(db, Array(30).fill(text));
  }
  const search = {
    category: { key: "products" },
    query: parseSearchQuery(new URLSearchParams("q=iphone&brand=Apple")),
  } as const;
  await saveSearch(db, await addAccount(db), { name: "Cheap", frequency: "daily" }, search);
  const payment = { orderId: "paid", sellerId, amountCents: 30_000, feeCents: 0, payBy: new Date() };
  await db.insert(schema.payments).values(payment);
  const charge = { orderId: "paid", kind: "charged", amountCents: 30_000, providerId: "charge" } as const;
  await db.insert(schema.ledgerEntries).values(charge);
  await addReports(db, ["Line\u2028line", "paragraph\u2029paragraph"]);
}

async function addReports(db: Db, texts: string[]) {
  for (const details of texts)
    await db.insert(schema.tickets).values({ name: "Ann", email: "a@b.c", details });
}

/** A hash of each table's rows, independent of the order of columns on disk. */
async function hashes(db: Db): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const table of Object.values(schema)) {
    if (!is(table, SQLiteTable) || table === schema.dataRevisions) continue;
    const rows = await db.select().from(table);
    const lines = rows.map((row) => JSON.stringify(row)).sort();
    found[getTableName(table)] =
      `${rows.length} ${createHash("sha256").update(lines.join("\n")).digest("hex")}`;
  }
  return found;
}

function contentsOf(db: Db) {
  return Promise.all([
    browse(db),
    browse(db, "/products", { words: "odd" }),
    browse(db, "/products", { words: "after", sort: "saving" }),
    browse(db, "/ios", { words: "iphone 13", sort: "price-down", filters: { available: ["yes"] } }),
    browse(db, "/android", { filters: { verified: ["yes"] }, fromCents: 32_900, toCents: 32_900 }),
  ]);
}

test("the script backup-test says whether a backup can be restored", async () => {
  const workerd = new Miniflare({
    workers: [d1ProxyWorker({ DB: "only" }, "only")],
    host: "127.0.0.1",
    cf: false,
  });
  const folder = await mkdtemp(join(tmpdir(), "backup-"));
  try {
    const db = await migrateDatabase(openD1Proxy(await workerd.unsafeGetDirectURL("only")));
    await addPhone(db);
    const file = join(folder, "whole.sql");
    await exportTo(file, db);
    const cut = join(folder, "cut.sql");
    await writeFile(cut, `${await readFile(file)}`.split("\n").slice(0, -2).join("\n"));
    expect(await testBackup(file)).toEqual([
      0,
      expect.stringMatching(/^whole\.sql can be restored: \d+ rows in \d+ tables\.$/),
    ]);
    expect(await testBackup(cut)).toEqual([1, expect.stringContaining("does not end as an export does")]);
  } finally {
    await Promise.all([workerd.dispose(), rm(folder, { recursive: true })]);
  }
}, 120_000);

function testBackup(file: string) {
  const command = ["--import", "./scripts/typescript.js", "scripts/backup-test.ts", file];
  return new Promise<[code: unknown, output: string]>((resolve) => {
    execFile(process.execPath, command, (error, stdout, stderr) =>
      resolve([error?.code ?? 0, (stdout + stderr).trim()]),
    );
  });
}
