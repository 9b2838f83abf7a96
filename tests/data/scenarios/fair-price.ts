import assert from "node:assert/strict";
import { sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { fairPrice } from "#app/features/listings/fair-price.server.ts";
import { handleOrderIntent } from "#app/features/orders/order-details.server.ts";
import { bookWithoutLimits } from "../../harness/bookings.ts";
import { addAccount, addPhone } from "../../harness/fixtures.ts";
import { browse } from "../../harness/search.ts";

const fairphone = { brandName: "Fairphone", model: "5", rom: "256 GB" };

export const readsPastPrices = async (db: Db) => {
  const [seller, buyer] = [await addAccount(db, { userType: "Seller" }), await addAccount(db)];
  const sell = async (sellingCents: number, given: Partial<typeof fairphone> = {}) => {
    const phone = await addPhone(db, { ...fairphone, sellerId: seller.id, sellingCents, ...given });
    const booked = await bookWithoutLimits(db, buyer, phone.id, { address: "", phone: "" });
    const { orderId } = booked as { orderId: string };
    await handleOrderIntent(db, seller, orderId, "hand over");
    await handleOrderIntent(db, buyer, orderId, "receive");
  };
  await sell(30_000);
  await sell(35_000);
  // A booking is no sale yet.
  const reserved = await addPhone(db, { ...fairphone, sellerId: seller.id, sellingCents: 1_000 });
  await bookWithoutLimits(db, buyer, reserved.id, { address: "", phone: "" });
  assert.equal(await fairPrice(db, fairphone), null);
  await sell(20_000);
  // Other models and unsold phones do not count.
  await sell(1_000, { rom: "128 GB" });
  await sell(1_000, { model: "4" });
  await sell(1_000, { brandName: "Fair" });
  await addPhone(db, { ...fairphone, sellingCents: 1_000 });

  const fair = { count: 3, median: 30_000, lowest: 20_000, highest: 35_000 };
  assert.deepEqual(await fairPrice(db, fairphone), fair);
  assert.deepEqual(await fairPrice(db, { brandName: " fairphone", model: "5 ", rom: "256gb" }), fair);
  assert.equal(await fairPrice(db, { ...fairphone, rom: "128 GB" }), null);
  const usual = async () => (await browse(db)).phones.map(({ usualCents }) => usualCents);
  // The newest is no sale, and the others are sold.
  assert.deepEqual(await usual(), [30_000, 30_000]);
  await sell(40_000);
  assert.deepEqual(await usual(), [32_500, 32_500]);
  assert.equal(await fairPrice(db, { brandName: "", model: "", rom: "" }), null);
};

export const readsTheNewestSalesOfAStorage = async (db: Db) => {
  const storage = sql`iif(n > 60, '128 GB', '256 GB')`;
  await db.run(sql`insert into orders (id, phone_id, buyer_id, product_name, ram, rom, buyer_name, buyer_address, email, phone, price_cents, stage, created_at)
    with recursive counted(n) as (select 1 union all select n + 1 from counted where n < 200)
    select printf('%05d', n), 'p' || n, 'b', 'Fairphone 5', '', ${storage}, '', '', '', '', n * 100, 'received', 0 from counted`);
  assert.deepEqual(await fairPrice(db, fairphone), {
    count: 20,
    median: 5_050,
    lowest: 4_100,
    highest: 6_000,
  });
};

export const readsItsIndexOnly = async (db: Db) => {
  const plan = await db.all<{ detail: string }>(
    sql`explain query plan select price_cents from orders where lower(product_name) = lower('Fairphone 5') and replace(lower(rom), ' ', '') = '256gb' and stage = 'received' order by id desc limit 20`,
  );
  assert.deepEqual(
    plan.map(({ detail }) => detail),
    ["SEARCH orders USING INDEX orders_sales_of_storage (<expr>=? AND <expr>=?)"],
  );
};
