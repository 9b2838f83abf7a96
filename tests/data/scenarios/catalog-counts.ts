import assert from "node:assert/strict";
import { eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { phones, shelfValues, users } from "#app/db/schema.ts";
import { bookPhone } from "#app/features/bookings/bookings.server.ts";
import { cancelOrder } from "#app/features/bookings/orders.server.ts";
import type { SearchQuery } from "#app/features/catalog/search-query.rules.ts";
import { addAccount, addPhone } from "../../harness/rows.ts";
import { browse } from "../../harness/search.ts";

/** After each kind of change the indexes say, entry for entry, what they say when they are written anew. */
export const keepsStepWithEveryChange = async (db: Db) => {
  const seller = await addAccount(db, { userType: "Seller", verified: "yes" });
  const other = await addAccount(db, { userType: "Seller" });
  const buyer = await addAccount(db);
  const own = [];
  for (const os of ["Android", "Ios", "Android"] as const) {
    own.push((await addPhone(db, { sellerId: seller.id, os })).id);
  }
  for (const status of ["available", "reserved", "sold"] as const) {
    await addPhone(db, { sellerId: other.id, status, deviceType: "Tablet" });
  }
  const [first = "", second = "", third = ""] = own;
  await holds(db, "phones were added");
  const set = async (what: string, values: Partial<typeof phones.$inferInsert>, ids: string[] = [first]) => {
    await db.update(phones).set(values).where(inArray(phones.id, ids));
    await holds(db, what);
  };
  const booked = await bookPhone(db, buyer, first, { address: "", phone: "" });
  await holds(db, "a phone was booked");
  assert.ok(booked.refusal === undefined);
  await cancelOrder(db, buyer, booked.orderId);
  await holds(db, "an order was cancelled");
  await set("brand, model and processor were changed", { brandName: "A", model: "B 1", processor: "Ç" });
  await set("ram and rom were changed", { ram: "1 GB", rom: "2 TB" });
  await set("its condition was said", { condition: "Good" });
  await set("condition and price were changed", { condition: "Fair", sellingCents: 30_000 });
  await set("its condition is no longer said", { condition: null });
  await set("its condition was said again", { condition: "Excellent" });
  await set("the system was changed", { os: "Ios" });
  await set("the type was changed", { deviceType: "Tablet" });
  await set("the price was changed", { sellingCents: 1 });
  await set("the market price was changed", { marketCents: 900_000_000 });
  await set("phones were reserved", { status: "reserved" }, own);
  await set("a reserved phone was changed", { model: "C" });
  await set("a phone was changed and freed at once", { model: "D", status: "available" });
  await set("a phone was sold", { status: "sold" });
  await set("a sold phone was changed", { model: "E", sellingCents: 2 });
  await set("phones came back", { status: "available" }, own);
  await set("phones were removed", { removalId: "some removal" }, own);
  await set("a removed phone was reserved", { status: "reserved" });
  await set("phones were restored", { removalId: null }, own);
  await set("a phone changed hands", { sellerId: other.id }, [second]);
  await set("nothing was changed", { model: "E" });
  await set("a phone was renumbered", { number: 100 }, [third]);
  await set("a phone has strange prices", { sellingCents: -5, marketCents: 2 ** 40 }, [third]);
  await set("a phone is written with tokens", { model: "\uF24C\uE001 \uE000\uE064" }, [third]);
  await set("it is no longer", { model: "plain" }, [third]);
  for (const verified of [null, "yes", null] as const) {
    await db.update(users).set({ verified });
    await holds(db, `sellers were ${verified ? "verified" : "no longer verified"}`);
  }
  await db.update(users).set({ verified: "yes" }).where(eq(users.id, seller.id));
  await db.update(users).set({ removalId: "some removal" }).where(eq(users.id, seller.id));
  await holds(db, "a seller was removed");
  await db.batch([
    db.update(phones).set({ status: "reserved" }).where(eq(phones.id, first)),
    db.update(phones).set({ status: "available" }),
    db.update(phones).set({ status: "reserved", ram: "3 GB" }).where(eq(phones.id, third)),
    db.update(users).set({ verified: null }).where(eq(users.id, seller.id)),
    db.update(phones).set({ sellingCents: 7 }),
    db.update(users).set({ verified: "yes" }),
  ]);
  await holds(db, "much was changed at once");
  await db.delete(phones).where(eq(phones.id, first));
  await holds(db, "a phone was deleted for good");
  await db.delete(phones);
  await holds(db, "all were");
  assert.equal((await browse(db)).count, 0);
};

/** A seller's thousand listings are verified and removed in time for whoever waits for it. */
export const verifiesASellerOfMany = async (db: Db) => {
  const { id: sellerId } = await addAccount(db, { userType: "Seller" });
  const { id: _, number: __, ...like } = await addPhone(db, { sellerId });
  const rows = Array.from({ length: 1000 }, (_, at) => ({ ...like, sellingCents: (at * 7919) % 50_000 }));
  for (let at = 0; at < rows.length; at += 3) {
    await db.batch([db.insert(phones).values(rows.slice(at, at + 3))]);
  }
  await db.update(users).set({ verified: "yes" }).where(eq(users.id, sellerId));
  assert.equal((await browse(db, "/android", { verifiedOnly: true, words: "fair" })).count, 1001);
  await holds(db, "a seller of many was verified");
  await db.update(phones).set({ removalId: "some removal" });
  assert.equal((await browse(db)).count, 0);
  await holds(db, "all listings were removed");
};

/** What is asked after each change, and was before it: how many there are is kept in between. */
const asked: [Partial<SearchQuery>, SQL][] = [
  [{}, sql`true`],
  [{ verifiedOnly: true }, sql`verified = 'yes'`],
  [{ verifiedOnly: true, availableOnly: true }, sql`verified = 'yes' and status = 'available'`],
  [{ toCents: 40_000 }, sql`selling_cents <= 40000`],
  [{ brands: ["A"], toCents: 40_000 }, sql`brand_name = 'A' and selling_cents <= 40000`],
  [
    { verifiedOnly: true, availableOnly: true, fromCents: 2, toCents: 40_000 },
    sql`verified = 'yes' and status = 'available' and selling_cents between 2 and 40000`,
  ],
];

async function holds(db: Db, what: string) {
  for (const [query, condition] of asked) {
    const [there] = await db.all<{ count: number }>(
      sql`select min(count(*), 1001) as count from phones join users on users.id = seller_id
        where phones.removal_id is null and status in ('available', 'reserved') and ${condition}`,
    );
    assert.equal(
      (await browse(db, "/products", query)).count,
      there?.count,
      `${what}: ${JSON.stringify(query)}`,
    );
  }
  const kept = await state(db);
  await db.run(sql`insert into shelf_rebuilds values (0, 268435455)`);
  assert.deepEqual(kept, await state(db), what);
}

/** All entries of the indexes, with tokens by what they stand for, and all counts. */
async function state(db: Db): Promise<string[]> {
  const said: string[] = [];
  const values = await db.select().from(shelfValues);
  const named = new Map(
    values.map(({ token, shelf, kind, value }) => [token, `[${shelf}/${kind}/${value}]`]),
  );
  const name = (text: string) => text.replace(/[\uE000-\uF8FF]{2}/g, (token) => named.get(token) ?? token);
  // A variant's value has tokens in it, whose numbers another writing gives out in another order.
  const plain = (text: string) => name(name(text));
  for (const order of ["newest", "price", "saving", "variants"]) {
    const index = sql.raw(`shelf_${order}`);
    const entries = sql.raw(`entries_${order}`);
    await db.run(sql`create virtual table if not exists ${entries} using fts5vocab(${index}, instance)`);
    const place = order === "variants" ? sql`(select value from shelf_values where number = doc)` : sql`doc`;
    const rows = await db.all<{ place: string | number; term: string }>(
      sql`select ${place} as place, term from ${entries}`,
    );
    said.push(...rows.map((row) => `${order} ${plain(String(row.place))} ${plain(row.term)}`));
  }
  const counted = values.filter(({ count }) => count !== 0);
  said.push(...counted.map(({ shelf, kind, value, count }) => `${shelf}/${kind}/${plain(value)}: ${count}`));
  return said.sort();
}
