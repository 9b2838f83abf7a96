import assert from "node:assert/strict";
import { asc, eq, inArray, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import {
  blocks,
  notifications,
  phones,
  removals,
  savedListingChanges,
  savedListings,
  users,
} from "#app/db/schema.ts";
import { removeListing } from "#app/features/listings/listing-removal.server.ts";
import { listSellings } from "#app/features/listings/listing-tables.server.ts";
import { priceLabel } from "#app/features/listings/money.rules.ts";
import { decide } from "#app/features/moderation/decisions/decide.server.ts";
import { subjectText } from "#app/features/notifications/notification-subjects.server.ts";
import { listNotifications } from "#app/features/notifications/notifications.server.ts";
import { cancelOrder, handOver, recordReceipt } from "#app/features/orders/order-steps.server.ts";
import { isBookableBy } from "#app/features/orders/rebooking.server.ts";
import { closeAccount } from "#app/features/profile/account-closing.server.ts";
import { exportAccountData } from "#app/features/profile/account-data.server.ts";
import { notifySavers } from "#app/features/saved-listings/saved-listing-news.server.ts";
import {
  findSavedIds,
  listSaved,
  saveListing,
  unsaveListing,
} from "#app/features/saved-listings/saved-listings.server.ts";
import { dayMs } from "#app/time.ts";
import { bookWithoutLimits, undoWithoutLimits } from "../../harness/bookings.ts";
import { addAccount, addPhone, removeUser } from "../../harness/fixtures.ts";

const details = { address: "1 Harbour Street", phone: "12345" };

const cut = (db: Db, phoneId: string, sellingCents: number) =>
  db.update(phones).set({ sellingCents }).where(eq(phones.id, phoneId));

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000);

/** Runs the job, and returns the notifications since the last time. */
async function newNotifications(db: Db, minutes = 0): Promise<string[]> {
  await notifySavers(db, isBookableBy, inMinutes(minutes));
  assert.equal(await db.$count(savedListingChanges), 0);
  const rows = await db
    .select({ name: users.name, kind: notifications.kind, path: notifications.path })
    .from(notifications)
    .innerJoin(users, eq(users.id, notifications.userId))
    .where(inArray(notifications.kind, ["price drop", "saved listing gone", "saved listing back"]))
    .orderBy(asc(users.name));
  await db.delete(notifications);
  return rows.map(({ name, kind, path }) => `${name}: ${kind} ${path}`);
}

async function order(
  db: Db,
  buyer: Parameters<typeof bookWithoutLimits>[1],
  phoneId: string,
): Promise<string> {
  // Whoever has cancelled an order of the phone can book it again after a day.
  await db.update(removals).set({ createdAt: new Date(Date.now() - 2 * dayMs) });
  const { orderId } = await bookWithoutLimits(db, buyer, phoneId, details);
  assert.ok(orderId);
  return orderId;
}

export const listingsAreSavedOnce = async (db: Db) => {
  const [buyer, other] = [await addAccount(db), await addAccount(db)];
  const phone = await addPhone(db);
  const outcomes = await Promise.all([saveListing(db, buyer, phone.id), saveListing(db, buyer, phone.id)]);
  assert.deepEqual(outcomes.toSorted(), ["already saved", "saved"]);
  assert.deepEqual(await findSavedIds(db, buyer, [phone.id, "nothing"]), [phone.id]);
  assert.deepEqual(await findSavedIds(db, other, [phone.id]), []);
  assert.equal(await unsaveListing(db, other, phone.id), false);
  assert.equal(await unsaveListing(db, buyer, phone.id), true);
  assert.equal(await unsaveListing(db, buyer, phone.id), false);
  assert.equal(await saveListing(db, buyer, phone.id), "saved");
  assert.equal(await db.$count(savedListings), 1);
};

export const someListingsCannotBeSaved = async (db: Db) => {
  const buyer = await addAccount(db);
  const seller = await addAccount(db, { userType: "Seller" });
  const own = await addPhone(db, { sellerId: seller.id });
  const sold = await addPhone(db, { status: "sold" });
  const removed = await addPhone(db, { hiddenById: "some removal" });
  assert.equal(await saveListing(db, seller, own.id), "own listing");
  assert.equal(await saveListing(db, buyer, sold.id), "sold");
  assert.equal(await saveListing(db, buyer, removed.id), "unknown listing");
  assert.equal(await saveListing(db, buyer, "nothing"), "unknown listing");
  assert.equal(await db.$count(savedListings), 0);
};

export const savedListingsShowPriceAndStatus = async (db: Db) => {
  const buyer = await addAccount(db);
  const seller = await addAccount(db, { userType: "Seller" });
  const [first, second, third, fourth] = [
    await addPhone(db, { sellerId: seller.id, model: "First", sellingCents: 30_000 }),
    await addPhone(db, { sellerId: seller.id, model: "Second" }),
    await addPhone(db, { sellerId: seller.id, model: "Third" }),
    await addPhone(db, { sellerId: seller.id, model: "Fourth" }),
  ];
  for (const { id } of [first, second, third, fourth]) await saveListing(db, buyer, id);
  await cut(db, first.id, 28_000);
  const orderId = await order(db, await addAccount(db), second.id);
  assert.ok((await removeListing(db, seller, third.id)).removalId);
  await db.delete(phones).where(eq(phones.id, fourth.id));
  const read = async () =>
    (await listSaved(db, buyer, null)).rows.map(({ model, status, sellingCents, savedCents, image }) => [
      model,
      status,
      sellingCents,
      savedCents,
      image,
    ]);
  const picture = first.image;
  assert.deepEqual(await read(), [
    [null, "removed", null, 34_950, null],
    ["Third", "removed", null, 34_950, null],
    ["Second", "reserved", 34_950, 34_950, picture],
    ["First", "available", 28_000, 30_000, picture],
  ]);
  await handOver(db, seller, orderId);
  assert.equal((await listSaved(db, buyer, null)).rows[2]?.status, "reserved");
  // What was deleted for good leaves the list once its savers have been notified.
  await notifySavers(db, isBookableBy);
  assert.deepEqual(
    (await read()).map(([model]) => model),
    ["Third", "Second", "First"],
  );
};

export const namesThePricesOfADropAsPagesDo = async (db: Db) => {
  const [seller, buyer] = [await addAccount(db, { userType: "Seller" }), await addAccount(db)];
  const drops = [
    [100_000_000, 1_234_505],
    [10_000, 9_999],
    [105, 5],
  ] as const;
  for (const [was, now] of drops) {
    const { id } = await addPhone(db, { sellerId: seller.id, sellingCents: was });
    await saveListing(db, buyer, id);
    await cut(db, id, now);
  }
  await notifySavers(db, isBookableBy);
  const subjects = (await db.select().from(notifications)).map(
    ({ subject, details }) => subjectText(subject, details).split(":")[0],
  );
  assert.deepEqual(
    subjects.toSorted(),
    drops.map(([was, now]) => `Now ${priceLabel(now)}, was ${priceLabel(was)}`).toSorted(),
  );
};

export const saversAreNotifiedOfEachChangeOnce = async (db: Db) => {
  const seller = await addAccount(db, { userType: "Seller", name: "Seller" });
  const admin = await addAccount(db, { userType: "Admin", name: "Admin" });
  const [ada, bo, cy] = [
    await addAccount(db, { name: "Ada" }),
    await addAccount(db, { name: "Bo" }),
    await addAccount(db, { name: "Cy" }),
  ];
  const { id } = await addPhone(db, { sellerId: seller.id, sellingCents: 30_000 });
  const page = `/phones/${id}`;
  const everyone = (kind: string, path = page) =>
    ["Ada", "Bo", "Cy"].map((name) => `${name}: ${kind} ${path}`);
  await saveListing(db, ada, id);
  await saveListing(db, bo, id);
  assert.deepEqual(await newNotifications(db), []);

  await cut(db, id, 29_000);
  await notifySavers(db, isBookableBy);
  const before = await db.select().from(notifications);
  assert.match(before[0]?.id ?? "", /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/);
  const [told] = (await listNotifications(db, ada, null)).rows;
  assert.match(told?.text ?? "", /^Now \$290, was \$300: Fairphone Model/);
  assert.deepEqual(await newNotifications(db), [`Ada: price drop ${page}`, `Bo: price drop ${page}`]);
  // Not for a price that is higher than one they were notified of, or than when they saved it.
  for (const cents of [31_000, 29_500, 32_000]) {
    await cut(db, id, cents);
    assert.deepEqual(await newNotifications(db), []);
  }
  const dee = await addAccount(db, { name: "Dee" });
  await saveListing(db, dee, id);
  await cut(db, id, 30_500);
  assert.deepEqual(await newNotifications(db), [`Dee: price drop ${page}`]);
  await unsaveListing(db, dee, id);

  // Booked by Bo, who is not notified; nor is anybody when it is sold, since it was gone before.
  const bookedByBo = await order(db, bo, id);
  assert.deepEqual(await newNotifications(db), [`Ada: saved listing gone ${page}`]);
  await saveListing(db, cy, id);
  await cancelOrder(db, bo, bookedByBo);
  assert.deepEqual(await newNotifications(db), [
    `Ada: saved listing back ${page}`,
    `Cy: saved listing back ${page}`,
  ]);

  const booked = await order(db, cy, id);
  await cancelOrder(db, cy, booked);
  assert.deepEqual(await newNotifications(db), []);

  // Bo, who has cancelled an order of it, is notified when others cancel theirs, and when it was his that was cancelled.
  const third = await order(db, await addAccount(db), id);
  assert.deepEqual(await newNotifications(db), everyone("saved listing gone"));
  await cancelOrder(db, admin, third);
  assert.deepEqual(await newNotifications(db), everyone("saved listing back"));
  const another = await order(db, bo, id);
  assert.equal((await newNotifications(db)).length, 2);
  await cancelOrder(db, admin, another);
  assert.deepEqual(await newNotifications(db), everyone("saved listing back"));
  const last = await order(db, bo, id);
  assert.equal((await newNotifications(db)).length, 2);
  await cancelOrder(db, bo, last);
  assert.equal((await newNotifications(db)).length, 2);

  const removal = (await removeListing(db, seller, id)).removalId;
  assert.deepEqual(await newNotifications(db, 11), everyone("saved listing gone", "/manage/saved"));
  await undoWithoutLimits(db, seller, removal ?? "");
  assert.equal((await newNotifications(db))[0], `Ada: saved listing back ${page}`);

  const sold = await order(db, cy, id);
  await handOver(db, seller, sold);
  await recordReceipt(db, cy, sold);
  assert.deepEqual(await newNotifications(db), [
    `Ada: saved listing gone ${page}`,
    `Bo: saved listing gone ${page}`,
  ]);

  // A removed account is not notified.
  const other = await addPhone(db, { sellerId: seller.id, sellingCents: 30_000 });
  await saveListing(db, ada, other.id);
  await saveListing(db, bo, other.id);
  await removeUser(db, admin, bo.id);
  await removeUser(db, admin, seller.id);
  assert.deepEqual(await newNotifications(db, 11), ["Ada: saved listing gone /manage/saved"]);
};

export const saversLearnOfWhatIsHiddenOnceItCannotBeUndone = async (db: Db) => {
  const moderator = await addAccount(db, { userType: "Admin" });
  const ada = await addAccount(db, { name: "Ada" });
  const hidden = { decision: "hide", reason: "Not the device in the pictures.", days: "7" } as const;
  const told = async (minutes: number) => {
    await notifySavers(db, isBookableBy, inMinutes(minutes));
    const rows = await db.select().from(notifications).where(eq(notifications.userId, ada.id));
    return rows.map(({ kind }) => kind);
  };
  const hide = async () => {
    const { id } = await addPhone(db);
    await saveListing(db, ada, id);
    return (await decide(db, moderator, "listing", id, hidden, null)).id ?? "";
  };
  const undone = await hide();
  assert.deepEqual(await told(9), []);
  assert.equal((await undoWithoutLimits(db, moderator, undone)).result, "undone");
  assert.deepEqual(await told(11), []);
  assert.equal(await db.$count(savedListingChanges), 0);

  await hide();
  assert.deepEqual(await told(9), []);
  assert.deepEqual(await told(11), ["saved listing gone"]);
  assert.equal(await db.$count(savedListingChanges), 0);
};

export const nobodyIsInvitedToWhatTheyCannotBook = async (db: Db) => {
  const seller = await addAccount(db, { name: "Seller", userType: "Seller" });
  const ada = await addAccount(db, { name: "Ada" });
  const blocked = await addAccount(db, { name: "Blocked" });
  const blocking = await addAccount(db, { name: "Blocking" });
  const suspended = await addAccount(db, { name: "Suspended" });
  const { id } = await addPhone(db, { sellerId: seller.id, sellingCents: 30_000 });
  for (const saver of [ada, blocked, blocking, suspended]) await saveListing(db, saver, id);
  await db.insert(blocks).values([
    { blockerId: seller.id, blockedId: blocked.id },
    { blockerId: blocking.id, blockedId: seller.id },
  ]);
  await db.update(users).set({ suspensionId: "some decision" }).where(eq(users.id, suspended.id));
  await cut(db, id, 29_000);
  assert.deepEqual(await newNotifications(db), [`Ada: price drop /phones/${id}`]);

  const buyer = await addAccount(db);
  const orderId = await order(db, buyer, id);
  assert.equal((await newNotifications(db)).length, 4);
  await cancelOrder(db, buyer, orderId);
  assert.deepEqual(await newNotifications(db), [`Ada: saved listing back /phones/${id}`]);
};

export const manyPeopleAreNotifiedInBatches = async (db: Db) => {
  const seller = await addAccount(db, { userType: "Seller" });
  const { id } = await addPhone(db, { sellerId: seller.id });
  await db.run(sql`
    with recursive places(place) as (select 1 union all select place + 1 from places where place < 2500)
    insert into users (id, name, email, user_type, created_at)
    select 'saver-' || place, 'Saver', 'saver' || place || '@example.com', 'Buyer', 1 from places`);
  await db.run(sql`
    insert into saved_listings (id, user_id, phone_id, price_cents, created_at)
    select 'saved-' || id, id, ${id}, 34950, 1 from users where id like 'saver-%'`);
  assert.equal((await listSellings(db, seller, null)).rows[0]?.savers, 1001);
  await cut(db, id, 30_000);
  await notifySavers(db, isBookableBy);
  assert.equal(await db.$count(notifications), 2500);
  assert.equal(await db.$count(savedListingChanges), 0);
};

export const sellersSeeHowManySavedAListing = async (db: Db) => {
  const seller = await addAccount(db, { userType: "Seller" });
  const [saver, removed] = [await addAccount(db), await addAccount(db)];
  const { id } = await addPhone(db, { sellerId: seller.id });
  for (const user of [saver, removed]) await saveListing(db, user, id);
  assert.equal((await listSellings(db, seller, null)).rows[0]?.savers, 2);
  await removeUser(db, await addAccount(db, { userType: "Admin" }), removed.id);
  assert.equal((await listSellings(db, seller, null)).rows[0]?.savers, 1);
};

export const savedListingsAreExportedAndLeaveWithTheAccount = async (db: Db) => {
  const seller = await addAccount(db, { userType: "Seller" });
  const [buyer, other] = [await addAccount(db), await addAccount(db, { name: "Other" })];
  const { id } = await addPhone(db, { sellerId: seller.id });
  for (const user of [buyer, other]) await saveListing(db, user, id);
  let text = "";
  for await (const part of exportAccountData(db, buyer)) text += part;
  const exported = JSON.parse(text).savedListings;
  assert.deepEqual(
    exported.map((row: Record<string, unknown>) => [row.listingId, row.price]),
    [[id, 349.5]],
  );
  assert.equal(await closeAccount(db, buyer, { passwordHash: buyer.passwordHash ?? "" }), "closed");
  assert.deepEqual(
    (await db.select().from(savedListings)).map(({ userId }) => userId),
    [other.id],
  );
  assert.equal(await closeAccount(db, seller, { passwordHash: seller.passwordHash ?? "" }), "closed");
  assert.deepEqual(await newNotifications(db), ["Other: saved listing gone /manage/saved"]);
  assert.equal(await db.$count(savedListings), 0);
};

export const savesUpToAThousandListings = async (db: Db) => {
  const buyer = await addAccount(db);
  const [first, last, other] = [await addPhone(db), await addPhone(db), await addPhone(db)];
  await db.run(sql`insert into phones (id, seller_id, brand_name, model, ram, rom, image, camera, processor, battery,
      os, device_type, selling_reason, market_cents, selling_cents, post_date, used_time, status, created_at)
    with recursive n (i) as (select 1 union all select i + 1 from n where i < 999)
    select 'copy ' || i, seller_id, brand_name, model, ram, rom, image, camera, processor, battery, os, device_type,
      selling_reason, market_cents, selling_cents, post_date, used_time, status, created_at
    from phones, n where id = ${first.id}`);
  await db.run(sql`insert into saved_listings (id, user_id, phone_id, price_cents, created_at)
    select id, ${buyer.id}, id, selling_cents, created_at from phones where id like 'copy %'`);
  const outcomes = await Promise.all([last, other].map(({ id }) => saveListing(db, buyer, id)));
  assert.deepEqual(outcomes.toSorted(), ["limit reached", "saved"]);
  assert.equal(await saveListing(db, buyer, "copy 1"), "already saved");
  await unsaveListing(db, buyer, "copy 1");
  assert.equal(await saveListing(db, buyer, first.id), "saved");
};

export const aClosedAccountSavesNothing = async (db: Db) => {
  const buyer = await addAccount(db, { removalId: "closed" });
  await saveListing(db, buyer, (await addPhone(db)).id);
  assert.equal(await db.$count(savedListings), 0);
};
