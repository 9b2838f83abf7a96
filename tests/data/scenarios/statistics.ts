import assert from "node:assert/strict";
import { and, asc, eq, sql } from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import {
  dailyDemand,
  dailyNumbers,
  emptySearches,
  listingViews,
  orderSteps,
  orders,
  phones,
  savedListings,
  uncountedDays,
  users,
  viewedDays,
} from "#app/db/schema.ts";
import { findDatabaseSize } from "#app/features/administration/job-runs.server.ts";
import { sendFirstMessage } from "#app/features/messages/send-message.server.ts";
import { saveListing } from "#app/features/saved-listings/saved-listings.server.ts";
import { countEmptySearch, forgetEmptySearches } from "#app/features/statistics/empty-searches.server.ts";
import { countView } from "#app/features/statistics/listing-views.server.ts";
import { readNumbers, storeDailyNumbers } from "#app/features/statistics/numbers.server.ts";
import {
  exportSales,
  listSellerNumbers,
  listUnbooked,
  readSellerPeriod,
  sumUpListings,
} from "#app/features/statistics/seller-numbers.server.ts";
import { dayMs } from "#app/time.ts";
import { addAccount, addPhone, editPhone } from "../../harness/fixtures.ts";
import { addSales } from "../../harness/sales.ts";

const now = new Date("2026-11-22T12:00:00Z");
const daysSinceEpoch = (date: Date) => Math.floor(date.getTime() / dayMs);

/** The id and time of a row that was created some days ago, the first or last millisecond of a day included. */
function createdAgo(days: number, ofDay = 0.5) {
  const createdAt = new Date((daysSinceEpoch(now) - days) * dayMs + Math.round(ofDay * (dayMs - 1)));
  return { id: timeOrderedId({ msecs: createdAt.getTime() }), createdAt };
}

function addOrder(
  db: Db,
  phone: typeof phones.$inferSelect | Awaited<ReturnType<typeof addPhone>>,
  days: number,
  ofDay?: number,
) {
  const { id: phoneId, brandName, model, ram, rom, sellingCents: priceCents } = phone;
  const order = { phoneId, productName: `${brandName} ${model}`, ram, rom, priceCents, buyerId: "buyer" };
  const buyer = { buyerName: "B", buyerAddress: "", email: "b@example.com", phoneNumber: "" };
  return db
    .insert(orders)
    .values({ ...order, ...buyer, ...createdAgo(days, ofDay) })
    .returning();
}

const receive = (db: Db, orderId: string, days: number, ofDay?: number) =>
  db.insert(orderSteps).values({ orderId, kind: "received", actorId: "buyer", ...createdAgo(days, ofDay) });

/** Whole numbers below a limit, the same at each run. */
function randomNumbers(seed: number) {
  let state = seed;
  return (limit: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * limit);
  };
}

export const numbersFollowRandomHistories = async (db: Db) => {
  const random = randomNumbers(7);
  const ofDay = () => [0, 1, random(1000) / 1000][random(3)];
  const seller = await addAccount(db, { userType: "Seller", ...createdAgo(25) });
  const some = <Row>(rows: Row[]) => rows[random(rows.length)];
  const steps: (() => Promise<unknown>)[] = [
    () => addAccount(db, createdAgo(random(20), ofDay())),
    () =>
      addPhone(db, {
        sellerId: seller.id,
        model: `Model ${random(4)}`,
        ...createdAgo(random(20), ofDay()),
      }),
    async () => {
      const phone = some(await db.select().from(phones).where(eq(phones.status, "available")));
      if (!phone) return;
      await db.update(phones).set({ status: "reserved" }).where(eq(phones.id, phone.id));
      await addOrder(db, phone, random(20), ofDay());
    },
    async () => {
      const order = some(await db.select().from(orders).where(eq(orders.stage, "reserved")));
      if (order?.status !== "active") return;
      await db.update(orders).set({ status: "cancelled" }).where(eq(orders.id, order.id));
      await db.update(phones).set({ status: "available" }).where(eq(phones.id, order.phoneId));
    },
    async () => {
      const isReserved = and(eq(orders.status, "active"), eq(orders.stage, "reserved"));
      const order = some(await db.select().from(orders).where(isReserved));
      if (!order) return;
      await db.update(orders).set({ stage: "received" }).where(eq(orders.id, order.id));
      await receive(db, order.id, random(20), ofDay());
    },
    async () => {
      const received = await db.select().from(orders).where(eq(orders.stage, "received"));
      const order = received.length > 2 ? some(received) : undefined;
      if (!order) return;
      const returned = { status: "cancelled", stage: "handed over" } as const;
      await db.update(orders).set(returned).where(eq(orders.id, order.id));
    },
    async () => {
      const [phone, user] = [some(await db.select().from(phones)), await addAccount(db)];
      if (!phone) return;
      const saved = { userId: user.id, phoneId: phone.id, priceCents: 1 };
      await db.insert(savedListings).values({ ...saved, ...createdAgo(random(20), ofDay()) });
    },
    async () => {
      const saved = some(await db.select().from(savedListings));
      if (saved) await db.delete(savedListings).where(eq(savedListings.id, saved.id));
    },
    async () => {
      const phone = some(await db.select().from(phones).where(eq(phones.status, "available")));
      if (!phone) return;
      const hiddenById = phone.hiddenById ? null : "removal";
      await editPhone(db, phone.id, { hiddenById, model: `Edited ${random(3)}` });
    },
    async () => {
      const phone = some(await db.select().from(phones).where(eq(phones.hiddenById, "removal")));
      const ordered = phone && (await db.$count(orders, eq(orders.phoneId, phone.id)));
      if (phone && ordered === 0) await db.delete(phones).where(eq(phones.id, phone.id));
    },
    async () => {
      const user = some(await db.select().from(users).where(eq(users.userType, "Buyer")));
      if (!user) return;
      const removalId = user.removalId ? null : "removal";
      await db.update(users).set({ removalId }).where(eq(users.id, user.id));
    },
  ];
  for (let step = 0; step < 200; step += 1) {
    await steps[random(steps.length)]?.();
    // A run that counts a part of the days; the next one continues.
    if (step % 10 === 9) await storeDailyNumbers(db, 1 + random(12));
  }
  for (let runs = 0; (await storeDailyNumbers(db, 5)) > 0; runs += 1) assert.ok(runs < 20);
  assert.equal(await db.$count(uncountedDays), 0);

  const counted = await db.select().from(dailyNumbers).orderBy(asc(dailyNumbers.day));
  assert.ok(counted.length > 15);
  const naive = await naiveCounts(db);
  for (const row of counted) assert.deepEqual({ ...row }, naive.numbers(row.day));
  const sum = (name: "signUps" | "bookings" | "sales") =>
    counted.reduce((total, row) => total + row[name], 0);
  assert.equal(sum("bookings"), await db.$count(orders));
  assert.equal(sum("sales"), await db.$count(orders, eq(orders.stage, "received")));
  assert.ok(sum("sales") < (await db.$count(orderSteps)));
  assert.ok(sum("sales") > 0);
  const demand = await db.select().from(dailyDemand).orderBy(asc(dailyDemand.day), asc(dailyDemand.model));
  assert.deepEqual(demand, naive.demand);
};

/** The numbers of each day, from all rows. */
async function naiveCounts(db: Db) {
  const [accounts, listings, ordered, steps, saved] = [
    await db.select().from(users),
    await db.select().from(phones),
    await db.select().from(orders),
    await db.select().from(orderSteps),
    await db.select().from(savedListings),
  ];
  const listing = (id: string) => listings.find((row) => row.id === id);
  const on = <Row extends { createdAt: Date }>(rows: Row[], day: number) =>
    rows.filter(({ createdAt }) => daysSinceEpoch(createdAt) === day);
  const numbers = (day: number) => {
    const sales = on(steps, day).flatMap(({ orderId, createdAt }) => {
      const order = ordered.find(({ id }) => id === orderId);
      if (order?.status === "cancelled") return [];
      const posted = listing(order?.phoneId ?? "")?.createdAt ?? createdAt;
      const days = Math.max(0, Math.trunc((createdAt.getTime() - posted.getTime()) / dayMs));
      return { cents: order?.priceCents ?? 0, days };
    });
    const daysToSale: Record<string, number> = {};
    for (const { days } of sales) daysToSale[days] = (daysToSale[days] ?? 0) + 1;
    return {
      day,
      signUps: on(accounts, day).filter(({ removalId }) => removalId === null).length,
      listings: on(listings, day).filter(({ hiddenById }) => hiddenById === null).length,
      bookings: on(ordered, day).length,
      cancelled: on(ordered, day).filter(({ status }) => status === "cancelled").length,
      sales: sales.length,
      salesCents: sales.reduce((total, { cents }) => total + cents, 0),
      daysToSale,
      views: 0,
    };
  };
  const demand = new Map<string, typeof dailyDemand.$inferSelect>();
  const count = (createdAt: Date, model: string, name: "bookings" | "saves") => {
    const day = daysSinceEpoch(createdAt);
    const row = demand.get(`${day} ${model}`) ?? { day, model, bookings: 0, saves: 0 };
    demand.set(`${day} ${model}`, { ...row, [name]: row[name] + 1 });
  };
  for (const { createdAt, productName } of ordered) count(createdAt, productName, "bookings");
  for (const { createdAt, phoneId } of saved) {
    const { brandName, model } = listing(phoneId) ?? {};
    count(createdAt, `${brandName} ${model}`, "saves");
  }
  const byDayAndModel = (one: typeof dailyDemand.$inferSelect, other: typeof one) =>
    one.day - other.day || (one.model < other.model ? -1 : 1);
  return { numbers, demand: [...demand.values()].toSorted(byDayAndModel) };
}

export const aPeriodIsSummedUp = async (db: Db) => {
  const seller = await addAccount(db, { userType: "Seller", ...createdAgo(40) });
  const add = async (model: string, postedAgo: number, bookedAgo: number, receivedAgo: number | null) => {
    const phone = await addPhone(db, { sellerId: seller.id, model, ...createdAgo(postedAgo) });
    const [order] = await addOrder(db, phone, bookedAgo);
    if (receivedAgo !== null) await receive(db, order?.id ?? "", receivedAgo);
    return order?.id ?? "";
  };
  await add("One", 30, 12, 10);
  await add("one", 20, 8, 6);
  await add("Two", 10, 6, 0);
  const cancelled = await add("Three", 5, 5, null);
  const viewed = daysSinceEpoch(createdAgo(5).createdAt);
  const other = await addAccount(db);
  await db.insert(viewedDays).values([
    { sellerId: seller.id, day: viewed, views: 40 },
    { sellerId: other.id, day: viewed, views: 2 },
    { sellerId: seller.id, day: viewed + 100, views: 7 },
  ]);
  while ((await storeDailyNumbers(db)) > 0);
  await db.update(orders).set({ status: "cancelled" }).where(eq(orders.id, cancelled));

  const before = await readNumbers(db, { days: 30, by: "week" }, now);
  assert.deepEqual([before.uncountedDays, before.totals.cancelled], [1, 0]);
  await storeDailyNumbers(db);
  const month = await readNumbers(db, { days: 30, by: "week" }, now);
  assert.equal(month.uncountedDays, 0);
  assert.deepEqual(month.totals, {
    signUps: 0,
    listings: 3,
    views: 42,
    bookings: 4,
    cancelled: 1,
    sales: 3,
    salesCents: 3 * 34_950,
  });
  assert.equal(month.medianDaysToSale, 14);
  assert.deepEqual(
    month.models.map(({ model, bookings }) => [model, bookings]),
    [
      ["Fairphone one", 2],
      ["Fairphone Three", 1],
      ["Fairphone Two", 1],
    ],
  );
  // From Saturday, October 24 to Sunday, November 22.
  assert.deepEqual(
    month.spans.map(({ from, through, bookings, cancelled }) => [from, through, bookings, cancelled]),
    [
      ["2026-10-24", "2026-10-25", 0, 0],
      ["2026-10-26", "2026-11-01", 0, 0],
      ["2026-11-02", "2026-11-08", 0, 0],
      ["2026-11-09", "2026-11-15", 2, 0],
      ["2026-11-16", "2026-11-22", 2, 1],
    ],
  );
  const week = await readNumbers(db, { days: 7, by: "month" }, now);
  assert.deepEqual([week.spans.length, week.totals.sales, week.medianDaysToSale], [1, 2, 12]);
};

export const viewsOfOneListingAreWrittenTogether = async (db: Db) => {
  const seller = await addAccount(db, { userType: "Seller" });
  const [phone, other] = [await addPhone(db, { sellerId: seller.id }), await addPhone(db)];
  const gone = await addPhone(db, { sellerId: seller.id, hiddenById: "removal" });
  const viewed = [phone.id, phone.id, other.id, gone.id, timeOrderedId(), phone.id];
  await Promise.all(viewed.map((id) => countView(db, id)));
  await countView(db, phone.id);
  const views = await db.select().from(listingViews).orderBy(asc(listingViews.views));
  assert.deepEqual(views, [
    { phoneId: other.id, views: 1 },
    { phoneId: phone.id, views: 4 },
  ]);
  // Purging a listing leaves nothing.
  await db.delete(phones).where(eq(phones.id, other.id));
  assert.equal(await db.$count(listingViews), 1);
};

export const sellersSeeTheNumbersOfTheirListings = async (db: Db) => {
  const [seller, buyer] = [await addAccount(db, { userType: "Seller" }), await addAccount(db)];
  const model = { brandName: "Nokia", model: "G22" };
  await addSales(db, { ...model, rom: "256gb" }, [15_000, 20_000, 30_000]);
  await addPhone(db, { sellerId: seller.id, status: "sold", sellingCents: 15_000 });
  await addPhone(db, { sellerId: seller.id, hiddenById: "removal" });
  const { id } = await addPhone(db, { sellerId: seller.id, ...model });
  await countView(db, id);
  await saveListing(db, buyer, id);
  await sendFirstMessage(db, buyer, { phone: id }, { text: "Hello", formKey: null });
  const { rows } = await listSellerNumbers(db, seller, null);
  assert.deepEqual(
    rows.map(({ views, savers, asked, usualCents }) => [views, savers, asked, usualCents]),
    [
      [1, 1, 1, 20_000],
      [0, 0, 0, null],
    ],
  );
  assert.deepEqual(await sumUpListings(db, seller), { listings: 2, views: 1, sold: 1, soldCents: 15_000 });
  assert.deepEqual((await listSellerNumbers(db, buyer, null)).rows, []);
  const viewsIn = async (days: 7 | 30, daysLater: number) => {
    const { now, before } = await readSellerPeriod(db, seller, days, Date.now() + daysLater * dayMs);
    return [now.views, before.views];
  };
  await countView(db, id);
  assert.deepEqual(
    [
      await viewsIn(7, 0),
      await viewsIn(7, 6),
      await viewsIn(7, 7),
      await viewsIn(30, 7),
      await viewsIn(7, 14),
    ],
    [
      [2, 0],
      [2, 0],
      [0, 2],
      [2, 0],
      [0, 0],
    ],
  );

  // The second of several pages.
  for (let count = 0; count < 25; count += 1) await addPhone(db, { sellerId: seller.id });
  const { next } = await listSellerNumbers(db, seller, null);
  const last = await listSellerNumbers(db, seller, { after: next ?? "" });
  assert.deepEqual([last.firstNumber, last.rows.map(({ views }) => views)], [26, [2, 0]]);
};

export const knowsTheSizeOfTheDatabase = async (db: Db) => {
  assert.ok((await findDatabaseSize(db)) > 100_000);
};

export const wordsOfSearchesWithoutResultsAreKeptIfSeveralSearchForThem = async (db: Db) => {
  const today = daysSinceEpoch(new Date());
  for (const words of ["Zeppelin  One", "zeppelin one", "ZÉPPELIN ONE", "Mia Sund Berlin"])
    await countEmptySearch(db, words);
  // An address, a phone number and an IMEI.
  for (const words of ["mia@example.com", "+46 70 123 45 67", "490154203237518"])
    await countEmptySearch(db, words);
  assert.deepEqual(
    (await db.select().from(emptySearches).orderBy(emptySearches.words)).map(({ day, words, searches }) => [
      day - today,
      words,
      searches,
    ]),
    [
      [0, "mia sund berlin", 1],
      [0, "zeppelin one", 3],
    ],
  );
  const { missed } = await readNumbers(db, { days: 7, by: "day" });
  assert.deepEqual(missed, [{ words: "zeppelin one", searches: 3, lastDay: today }]);
  const inDays = (days: number) => new Date(Date.now() + days * dayMs);
  const keptAfter = async (days: number) => {
    await forgetEmptySearches(db, inDays(days));
    return db.$count(emptySearches);
  };
  assert.deepEqual([await keptAfter(0), await keptAfter(1), await keptAfter(90)], [2, 1, 1]);
  assert.equal(await keptAfter(91), 0);
};

export const aDayHasAtMost500WordsOfSearches = async (db: Db) => {
  const day = daysSinceEpoch(new Date());
  await countEmptySearch(db, "counted before");
  await db.run(sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 499)
    insert into empty_searches (day, words, searches) select ${day}, 'junk ' || i, 1 from n`);
  for (const words of ["too late", "counted before"]) await countEmptySearch(db, words);
  assert.equal(await db.$count(emptySearches), 500);
  const [row] = await db.select().from(emptySearches).where(eq(emptySearches.words, "counted before"));
  assert.equal(row?.searches, 2);
};

export const sellersCompareAPeriodWithTheOneBefore = async (db: Db) => {
  const seller = await addAccount(db, { userType: "Seller" });
  const sell = async (model: string, cents: number, bookedDaysAgo: number, daysAgo: number | null) => {
    const phone = await addPhone(db, {
      ...{ sellerId: seller.id, brandName: "Nokia", model, sellingCents: cents, status: "sold" },
      ...{ createdAt: createdAgo(bookedDaysAgo + 3).createdAt },
    });
    const [order] = await addOrder(db, phone, bookedDaysAgo);
    assert.ok(order);
    if (daysAgo === null) return order;
    await db.update(orders).set({ stage: "received" }).where(eq(orders.id, order.id));
    await receive(db, order.id, daysAgo);
    return order;
  };
  await sell("XR20", 20_000, 6, 2);
  await sell("XR20", 10_000, 12, 3);
  await sell("G22", 5_000, 20, 10);
  await sell("G22", 5_000, 1, null);
  // A cancelled one counts nowhere, and a deleted listing stays in the books.
  const cancelled = await sell("G22", 9_000, 2, 1);
  await db.update(orders).set({ status: "cancelled" }).where(eq(orders.id, cancelled.id));
  await db.update(phones).set({ hiddenById: "removal" }).where(eq(phones.sellingCents, 10_000));
  await addOrder(db, await addPhone(db), 2);

  const week = await readSellerPeriod(db, seller, 7, now.getTime());
  const counted = { views: 0, saves: 0, offers: 0 };
  assert.deepEqual(week.now, { ...counted, bookings: 2, sold: 2, soldCents: 30_000, daysToSale: 9.5 });
  assert.deepEqual(week.before, { ...counted, bookings: 1, sold: 1, soldCents: 5_000, daysToSale: 13 });
  assert.deepEqual(week.models, [{ name: "Nokia XR20", sold: 2, soldCents: 30_000 }]);
  await db.insert(viewedDays).values([
    { sellerId: seller.id, day: daysSinceEpoch(new Date("2026-10-31")), views: 3 },
    { sellerId: seller.id, day: daysSinceEpoch(new Date("2026-11-01")), views: 4 },
  ]);
  const year = await readSellerPeriod(db, seller, 365, now.getTime());
  assert.deepEqual(year.months, [
    { name: "2026-10", ...counted, views: 3, bookings: 0, sold: 0, soldCents: 0, daysToSale: null },
    { name: "2026-11", ...counted, views: 4, bookings: 4, sold: 3, soldCents: 35_000, daysToSale: 32 / 3 },
  ]);

  const lines: string[] = [];
  for await (const text of exportSales(db, seller, 7, now.getTime())) lines.push(...text.split("\r\n"));
  assert.equal(lines[0], "\uFEFFReceived,Booked,Order,Own number,Device,RAM,Storage,Price,Refund,Buyer");
  assert.deepEqual(
    lines.slice(1).map((line) => line.split(",").slice(4)),
    [
      ["Nokia XR20", "8 GB", "256 GB", "200.00", "0.00", "B"],
      ["Nokia XR20", "8 GB", "256 GB", "100.00", "0.00", "B"],
      [],
    ],
  );
};

export const sellersSeeWhatManyLookAtAndNobodyBooks = async (db: Db) => {
  const seller = await addAccount(db, { userType: "Seller" });
  const viewed = async (views: number, of = seller) => {
    const phone = await addPhone(db, { sellerId: of.id, status: "available" });
    await db.insert(listingViews).values({ phoneId: phone.id, views });
    return phone;
  };
  await viewed(19);
  const popular = await viewed(20);
  const most = await viewed(21);
  const booked = await viewed(50);
  await addOrder(db, booked, 3);
  await viewed(99, await addAccount(db));
  assert.deepEqual(
    (await listUnbooked(db, seller)).map(({ id, views }) => [id, views]),
    [
      [most.id, 21],
      [popular.id, 20],
    ],
  );
};
