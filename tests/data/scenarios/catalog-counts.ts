import assert from "node:assert/strict";
import { eq, gt, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { deviceVariants, phones, users } from "#app/db/schema.ts";
import { removePhone } from "#app/features/listings/sellings.server.ts";
import { bookPhone } from "#app/features/orders/bookings.server.ts";
import { cancelOrder } from "#app/features/orders/orders.server.ts";
import { addAccount, addPhone, editPhone } from "../../harness/fixtures.ts";
import { browse } from "../../harness/search.ts";

export const countsFollowEachChange = async (db: Db) => {
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
  const [first = "", , third = ""] = own;
  await holds(db, "phones were added");
  const set = async (what: string, values: Partial<typeof phones.$inferInsert>, ids: string[] = [first]) => {
    for (const id of ids) await editPhone(db, id, values);
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
  await set("nothing was changed", { model: "E" });
  await set("a phone was renumbered", { number: 100 }, [third]);
  await set("a phone has strange prices", { sellingCents: -5, marketCents: 2 ** 40 }, [third]);
  await set("its battery was measured", { batteryHealth: 87 }, [third]);
  await set("its battery and its model were changed", { batteryHealth: 92, model: "Other" }, [third]);
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
    db.update(phones).set({ status: "reserved", condition: "Good" }).where(eq(phones.id, third)),
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

/** A seller with a thousand listings is verified and removed within a few seconds. */
export const countsFollowTheVerificationOfASeller = async (db: Db) => {
  const { id: sellerId } = await addAccount(db, { userType: "Seller" });
  const { id: _, ...like } = await addPhone(db, { sellerId });
  const rows = Array.from({ length: 1000 }, (_, at) => ({ ...like, sellingCents: (at * 7919) % 50_000 }));
  for (let at = 0; at < rows.length; at += 3) {
    await db.batch([db.insert(phones).values(rows.slice(at, at + 3))]);
  }
  await db.update(users).set({ verified: "yes" }).where(eq(users.id, sellerId));
  assert.equal((await browse(db, "/android", { filters: { verified: ["yes"] }, words: "fair" })).count, 1001);
  await holds(db, "a seller of many was verified");
  await db.update(phones).set({ removalId: "some removal" });
  assert.equal((await browse(db)).count, 0);
  await holds(db, "all listings were removed");
};

/** Sellers publish, edit and remove while buyers book and cancel. */
export const countsConcurrentChanges = async (db: Db) => {
  const seller = await addAccount(db, { userType: "Seller" });
  const buyers = await Promise.all([addAccount(db), addAccount(db), addAccount(db)]);
  const phones = [];
  for (let number = 0; number < 12; number += 1) {
    phones.push(await addPhone(db, { sellerId: seller.id, condition: number % 2 ? "Good" : "Fair" }));
  }
  await Promise.all([
    ...phones.flatMap(({ id }) =>
      buyers.map(async (buyer) => {
        const booked = await bookPhone(db, buyer, id, { address: "", phone: "" });
        if (booked.refusal === undefined && buyer === buyers[0]) await cancelOrder(db, buyer, booked.orderId);
      }),
    ),
    ...phones.slice(0, 6).map(({ id }) => removePhone(db, seller, id)),
    ...phones.slice(3, 9).map(({ id }) => editPhone(db, id, { rom: "1 TB", batteryHealth: 86 })),
    ...phones.map(() => addPhone(db, { sellerId: seller.id, model: "The same" })),
    db.update(users).set({ verified: "yes" }).where(eq(users.id, seller.id)),
  ]);
  await holds(db, "much happened at once");
  assert.equal((await browse(db, "/products", { words: "the same" })).count, 12);
};

/** Counts of variants and categories equal those of the listed phones. */
async function holds(db: Db, what: string) {
  const kept = await db
    .select({
      variantId: deviceVariants.id,
      listed: deviceVariants.listed,
      available: deviceVariants.available,
      verified: deviceVariants.verified,
      excellent: deviceVariants.excellent,
      good: deviceVariants.good,
      fair: deviceVariants.fair,
      battery80: deviceVariants.battery80,
      battery85: deviceVariants.battery85,
      battery90: deviceVariants.battery90,
    })
    .from(deviceVariants)
    .where(gt(deviceVariants.listed, 0))
    .orderBy(deviceVariants.id);
  const recount = await db.all<Record<string, number>>(sql`
    select device_variants.id as "variantId", count(*) as listed, sum(status = 'available') as available,
      sum(users.verified is 'yes') as verified, sum(condition is 'Excellent') as excellent,
      sum(condition is 'Good') as good, sum(condition is 'Fair') as fair,
      sum(coalesce(battery_health, 0) >= 80) as "battery80", sum(coalesce(battery_health, 0) >= 85) as "battery85",
      sum(coalesce(battery_health, 0) >= 90) as "battery90"
    from phones join users on users.id = seller_id
    join device_variants on (brand, device_variants.model, device_variants.processor, device_variants.rom, device_variants.ram) =
        (brand_name, phones.model, phones.processor, phones.rom, phones.ram)
      and device_variants.category = case when device_type = 'Tablet' then 'tablet' when os = 'Ios' then 'ios' else 'android' end
    where phones.removal_id is null and status in ('available', 'reserved')
    group by device_variants.id order by device_variants.id`);
  assert.deepEqual(kept, recount, what);
  const names = [
    "listed",
    "available",
    "verified",
    "excellent",
    "good",
    "fair",
    "battery_80",
    "battery_85",
    "battery_90",
  ];
  const counters = sql.raw(names.map((name) => `sum(${name}) as ${name}`).join(", "));
  const inCategories = await db.all(
    sql`select * from facet_counts where listed <> 0 and facet in ('all', 'brand') order by 1, 2, 3`,
  );
  const recounted = await db.all(sql`
    select * from (
      select 'products' as category, 'all' as facet, '' as value, ${counters} from device_variants
      union all select category, 'all', '', ${counters} from device_variants group by category
      union all select 'products', 'brand', brand, ${counters} from device_variants group by brand
      union all select category, 'brand', brand, ${counters} from device_variants group by category, brand
    ) where listed <> 0 order by 1, 2, 3`);
  assert.deepEqual(inCategories, recounted, what);
}
