import assert from "node:assert/strict";
import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { orders, users, usualPrices } from "#app/db/schema.ts";
import { newestAvailable } from "#app/features/catalog/feed.server.ts";
import { fairPrice, refreshUsualPrices } from "#app/features/listings/fair-price.server.ts";
import { findListing } from "#app/features/listings/listing.server.ts";
import { openProblem } from "#app/features/order-problems/open-problem.server.ts";
import { answerProblem } from "#app/features/order-problems/order-problems.server.ts";
import { handleOrderIntent } from "#app/features/orders/order-details.server.ts";
import { dayMs } from "#app/time.ts";
import { bookWithoutLimits } from "../../harness/bookings.ts";
import { addAccount, addPhone } from "../../harness/fixtures.ts";
import { addSale, addSales } from "../../harness/sales.ts";
import { browse } from "../../harness/search.ts";

const fairphone = { brandName: "Fairphone", model: "5", rom: "256 GB" };

async function usualPrice(db: Db) {
  await refreshUsualPrices(db);
  return fairPrice(db, fairphone);
}

export const readsPastPrices = async (db: Db) => {
  await addSales(db, fairphone, [30_000, 35_000]);
  const emailVerifiedAt = new Date();
  const seller = await addAccount(db, { userType: "Seller", emailVerifiedAt });
  const buyer = await addAccount(db, { emailVerifiedAt });
  const phone = await addPhone(db, { ...fairphone, sellerId: seller.id, sellingCents: 20_000 });
  const booked = await bookWithoutLimits(db, buyer, phone.id, { address: "", phone: "" });
  const { orderId } = booked as { orderId: string };
  // A booking is no sale yet.
  assert.equal(await usualPrice(db), null);
  await handleOrderIntent(db, seller, orderId, "hand over");
  await handleOrderIntent(db, buyer, orderId, "receive");
  const fair = { count: 3, median: 30_000, lowest: 20_000, highest: 35_000 };
  assert.deepEqual(await usualPrice(db), fair);
  // Other models and unsold phones do not count.
  const others = [{ rom: "128 GB" }, { model: "4" }, { brandName: "Fair" }];
  for (const other of others) await addSales(db, { ...fairphone, ...other }, [1_000, 1_000, 1_000]);
  const listed = await addPhone(db, { ...fairphone, sellingCents: 1_000 });
  assert.deepEqual(await usualPrice(db), fair);
  assert.deepEqual(await fairPrice(db, { brandName: " fairphone", model: "5 ", rom: "256gb" }), fair);
  assert.equal(await fairPrice(db, { brandName: "", model: "", rom: "" }), null);
  assert.deepEqual((await findListing(db, listed.id))?.fair, fair);
  assert.deepEqual(
    (await browse(db)).phones.map(({ usualCents }) => usualCents),
    [30_000],
  );
  // A returned device was not sold.
  const problem = await openProblem(db, buyer, orderId, { kind: "something missing", text: "The charger." });
  assert.ok(problem);
  await answerProblem(db, seller, orderId, { answer: "offer", offer: "return", text: "" });
  await answerProblem(db, buyer, orderId, { answer: "accept", text: "" });
  assert.equal(await usualPrice(db), null);
};

export const countsSalesOfOneStorageInAnySpelling = async (db: Db) => {
  // From before storages were sizes.
  for (const rom of ["256GB", "256 GB UFS 3.1", "0256gb", "256 GB"])
    await addSales(db, { ...fairphone, rom }, [30_000]);
  await addSales(db, { ...fairphone, rom: "1 TB" }, [90_000]);
  await addSales(db, { ...fairphone, rom: "1024GB", brandName: "FAIRPHONE" }, [90_000, 90_000]);
  assert.equal((await usualPrice(db))?.count, 4);
  for (const rom of ["256", "256 gb storage", "256GB UFS 3.1"])
    assert.equal((await fairPrice(db, { ...fairphone, rom }))?.count, 4, rom);
  assert.equal((await fairPrice(db, { ...fairphone, brandName: "fairPhone", rom: "1TB" }))?.count, 3);
  const listed = await addPhone(db, { ...fairphone, rom: "256GB", sellingCents: 20_000 });
  assert.equal((await findListing(db, listed.id))?.fair?.count, 4);
  assert.deepEqual(
    (await browse(db)).phones.map(({ usualCents }) => usualCents),
    [30_000],
  );
};

export const oneSaleOfAPairCounts = async (db: Db) => {
  const { buyer, seller } = await addSale(db, fairphone, 900_000);
  for (let sale = 0; sale < 5; sale += 1) await addSale(db, fairphone, 900_000, { buyer, seller });
  assert.equal(await usualPrice(db), null);
  // Two sellers of three buyers are too few, and so are two buyers.
  await addSale(db, fairphone, 30_000, { seller });
  const { seller: second } = await addSale(db, fairphone, 30_000, { buyer });
  await addSale(db, fairphone, 30_000, { seller: second });
  assert.equal(await usualPrice(db), null);
  // The price of the pair is far from the median by now.
  await addSale(db, fairphone, 32_000, { seller: second });
  await addSale(db, fairphone, 34_000);
  await addSale(db, fairphone, 34_000);
  assert.deepEqual(await usualPrice(db), { count: 6, median: 31_000, lowest: 30_000, highest: 34_000 });
};

export const aPairCountsAgainAfterNinetyDays = async (db: Db) => {
  const daysAgo = (days: number) => new Date(Date.now() - days * dayMs);
  const { buyer, seller } = await addSale(db, fairphone, 30_000, { id: "1", createdAt: daysAgo(181) });
  await addSale(db, fairphone, 31_000, { id: "2", createdAt: daysAgo(100), buyer, seller });
  await addSale(db, fairphone, 32_000, { id: "3", createdAt: daysAgo(5), buyer, seller });
  for (const id of ["4", "5"]) await addSale(db, fairphone, 33_000, { id });
  assert.equal((await usualPrice(db))?.count, 4);
  await db
    .update(orders)
    .set({ createdAt: daysAgo(180) })
    .where(eq(orders.id, "1"));
  await addSale(db, fairphone, 33_000, { id: "6" });
  assert.equal((await usualPrice(db))?.lowest, 31_000);
};

export const salesOfUnprovenAccountsDoNotCount = async (db: Db) => {
  await addSales(db, fairphone, [30_000, 31_000]);
  const { buyer, seller } = await addSale(db, fairphone, 32_000);
  const fair = { count: 3, median: 31_000, lowest: 30_000, highest: 32_000 };
  assert.deepEqual(await usualPrice(db), fair);
  for (const { id } of [buyer, seller]) {
    for (const doubt of [{ suspensionId: "decision" }, { emailVerifiedAt: null }]) {
      await db.update(users).set(doubt).where(eq(users.id, id));
      assert.equal(await usualPrice(db), null, JSON.stringify(doubt));
      await db.update(users).set({ suspensionId: null, emailVerifiedAt: new Date() }).where(eq(users.id, id));
      assert.deepEqual(await usualPrice(db), fair);
    }
  }
};

export const readsTheNewestSales = async (db: Db) => {
  for (let sale = 1; sale <= 25; sale += 1) await addSale(db, fairphone, 30_000 + sale * 100);
  const fair = { count: 20, median: 31_550, lowest: 30_600, highest: 32_500 };
  assert.deepEqual(await usualPrice(db), fair);
};

export const theJobRefreshesWhatHasChanged = async (db: Db) => {
  await addSales(db, fairphone, [30_000, 31_000, 32_000]);
  const changes = async () => (await db.select().from(usualPrices)).map((row) => row.changes);
  assert.deepEqual(await changes(), [0]);
  await addSale(db, fairphone, 33_000);
  await addSale(db, { ...fairphone, model: "4" }, 33_000);
  assert.deepEqual((await changes()).toSorted(), [1, 1]);
  await refreshUsualPrices(db, 1);
  assert.deepEqual((await changes()).toSorted(), [0, 1]);
  await refreshUsualPrices(db, 1);
  assert.deepEqual(await changes(), [0, 0]);
};

export const homeShowsBargainsOfManySalesOnly = async (db: Db) => {
  await addPhone(db, { ...fairphone, sellingCents: 20_000 });
  const onHome = async () => (await newestAvailable(db)).map(({ usualCents }) => usualCents);
  await addSales(db, fairphone, Array<number>(9).fill(30_000));
  assert.deepEqual([await onHome(), (await usualPrice(db))?.median], [[null], 30_000]);
  await addSales(db, fairphone, [30_000]);
  assert.deepEqual(await onHome(), [30_000]);
};
