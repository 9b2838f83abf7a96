import assert from "node:assert/strict";
import { and, eq, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { notifications, orders, reviews, sentEmails, users } from "#app/db/schema.ts";
import { findSeller, findSellerReviews } from "#app/features/catalog/seller.server.ts";
import { findListing } from "#app/features/listings/listing.server.ts";
import { sendDueBatch } from "#app/features/notifications/due-emails.server.ts";
import { listNotifications } from "#app/features/notifications/notifications.server.ts";
import { cancelOrder, handOver, recordReceipt } from "#app/features/orders/order-steps.server.ts";
import { exportAccountData } from "#app/features/profile/account-data.server.ts";
import { eraseAccount } from "#app/features/profile/account-erasure.server.ts";
import { inviteReviewers, notifyOfPublishedReviews } from "#app/features/reviews/review-jobs.server.ts";
import {
  countStars,
  findOrderReviews,
  listReviews,
  ratingsOf,
} from "#app/features/reviews/reviews.server.ts";
import { replyToReview, saveReview } from "#app/features/reviews/write-review.server.ts";
import type { DueEmail } from "#app/server/mail/due-email.ts";
import { dayMs } from "#app/time.ts";
import { bookWithoutLimits, undoWithoutLimits } from "../../harness/bookings.ts";
import { addAccount, addPhone, addReceivedOrder } from "../../harness/fixtures.ts";

const details = { address: "1 Harbour Street", phone: "+46 70 123 45 67" };
const inDays = (days: number) => new Date(Date.now() + days * dayMs);
const proven = { emailVerifiedAt: new Date(0) };
const good = { stars: 5, text: "Just as described." };

async function received(db: Db, seller?: Awaited<ReturnType<typeof addAccount>>) {
  const owner = seller ?? (await addAccount(db, { ...proven, userType: "Seller" }));
  const buyer = await addAccount(db, { ...proven, name: "Bea van der Lind" });
  return { seller: owner, buyer, orderId: await addReceivedOrder(db, buyer, owner) };
}

const ratingOf = async (db: Db, sellerId: string) => (await findSeller(db, sellerId, null))?.seller.rating;

export const reviewsNeedAReceivedOrder = async (db: Db) => {
  const seller = await addAccount(db, { userType: "Seller" });
  const [buyer, stranger] = [await addAccount(db), await addAccount(db)];
  const admin = await addAccount(db, { userType: "Admin" });
  const phone = await addPhone(db, { sellerId: seller.id });
  const { orderId } = (await bookWithoutLimits(db, buyer, phone.id, details)) as { orderId: string };
  assert.equal(await saveReview(db, buyer, orderId, good), "not received");
  assert.equal(await findOrderReviews(db, buyer, orderId), null);
  await handOver(db, seller, orderId);
  assert.equal(await saveReview(db, seller, orderId, good), "not received");
  await recordReceipt(db, buyer, orderId);
  for (const other of [stranger, admin]) {
    assert.equal(await saveReview(db, other, orderId, good), "not found");
    assert.equal(await findOrderReviews(db, other, orderId), null);
  }
  assert.equal(await saveReview(db, buyer, "nothing", good), "not found");
  assert.equal(await db.$count(reviews, eq(reviews.orderId, orderId)), 0);
  assert.equal(await saveReview(db, buyer, orderId, good, inDays(61)), "too late");
  assert.equal(await saveReview(db, buyer, orderId, good, inDays(59)), "saved");
};

export const aCancellationThatWasReviewedIsNotUndone = async (db: Db) => {
  const [seller, admin] = [
    await addAccount(db, { userType: "Seller" }),
    await addAccount(db, { userType: "Admin" }),
  ];
  const buyer = await addAccount(db);
  const phone = await addPhone(db, { sellerId: seller.id });
  const { orderId } = (await bookWithoutLimits(db, buyer, phone.id, details)) as { orderId: string };
  await handOver(db, seller, orderId);
  const { removalId } = await cancelOrder(db, admin, orderId, { reason: "Both sides asked." });
  assert.equal(await saveReview(db, buyer, orderId, good), "saved");
  assert.equal((await undoWithoutLimits(db, admin, removalId ?? "")).result, "impossible");
};

export const reviewsAreHiddenUntilBothAreWritten = async (db: Db) => {
  const { seller, buyer, orderId } = await received(db);
  assert.equal(await saveReview(db, buyer, orderId, good), "saved");
  assert.equal((await findOrderReviews(db, seller, orderId))?.other, null);
  assert.equal((await ratingOf(db, seller.id))?.count, 0);
  assert.deepEqual((await listReviews(db, seller.id, null)).rows, []);
  assert.equal(await replyToReview(db, seller, orderId, "Thank you!"), "nothing to reply to");
  assert.equal((await findOrderReviews(db, seller, orderId, inDays(14.1)))?.other?.stars, 5);
  assert.equal((await countStars(db, seller.id, "buyer", inDays(14.1)))[0]?.count, 1);

  assert.equal(await saveReview(db, seller, orderId, { stars: 4, text: "" }), "saved");
  const forBuyer = await findOrderReviews(db, buyer, orderId);
  assert.deepEqual([forBuyer?.role, forBuyer?.own?.isPublished, forBuyer?.other?.stars], ["buyer", true, 4]);
  assert.equal((await findOrderReviews(db, seller, orderId))?.other?.text, good.text);
  assert.equal((await ratingOf(db, seller.id))?.average, 5);
  assert.equal((await countStars(db, buyer.id, "seller"))[1]?.count, 1);
};

export const reviewsOfBothAtOnceArePublished = async (db: Db) => {
  const { seller, buyer, orderId } = await received(db);
  const outcomes = await Promise.all([
    saveReview(db, buyer, orderId, good),
    saveReview(db, buyer, orderId, good),
    saveReview(db, seller, orderId, good),
  ]);
  assert.deepEqual(outcomes, ["saved", "saved", "saved"]);
  assert.equal(await db.$count(reviews, eq(reviews.orderId, orderId)), 2);
  assert.equal((await findOrderReviews(db, buyer, orderId))?.other?.stars, 5);
  assert.equal((await findOrderReviews(db, buyer, orderId))?.own?.edited, false);
};

export const reviewsAreEditableForTwoWeeks = async (db: Db) => {
  const { seller, buyer, orderId } = await received(db);
  await saveReview(db, buyer, orderId, good);
  const changed = { stars: 2, text: "The battery is worse than described." };
  assert.equal(await saveReview(db, buyer, orderId, changed, inDays(13.9)), "saved");
  const own = (await findOrderReviews(db, buyer, orderId))?.own;
  assert.deepEqual([own?.stars, own?.text, own?.edited], [2, changed.text, true]);
  assert.equal(await saveReview(db, buyer, orderId, good, inDays(14.1)), "too late");
  assert.equal((await findOrderReviews(db, buyer, orderId, inDays(14.1)))?.writableUntil, null);
  assert.equal((await listReviews(db, seller.id, null, inDays(15))).rows[0]?.edited, true);
};

export const starsAreFinalOnceBothReviewsArePublished = async (db: Db) => {
  const { seller, buyer, orderId } = await received(db);
  await saveReview(db, buyer, orderId, { ...good, stars: 4 });
  assert.equal(await saveReview(db, buyer, orderId, good), "saved");
  await saveReview(db, seller, orderId, { stars: 1, text: "Never came." });
  assert.equal(await saveReview(db, buyer, orderId, { ...good, stars: 1 }), "stars are final");
  assert.equal(await saveReview(db, seller, orderId, { stars: 5, text: "Came." }), "stars are final");
  assert.equal(await saveReview(db, buyer, orderId, { ...good, text: "As described." }), "saved");
  const own = (await findOrderReviews(db, buyer, orderId))?.own;
  assert.deepEqual([own?.stars, own?.text, own?.edited], [5, "As described.", true]);
  assert.equal((await ratingOf(db, seller.id))?.average, 5);
};

export const onlyTheLatestReviewOfAPairCountsInARating = async (db: Db) => {
  const seller = await addAccount(db, { userType: "Seller" });
  const [partner, other] = [await addAccount(db, proven), await addAccount(db, proven)];
  const review = async (buyer: typeof partner, stars: number, daysAgo: number) => {
    const orderId = await addReceivedOrder(db, buyer, seller);
    assert.equal(await saveReview(db, buyer, orderId, { ...good, stars }), "saved");
    const publishedAt = inDays(-daysAgo);
    await db.update(reviews).set({ publishedAt }).where(eq(reviews.orderId, orderId));
    return orderId;
  };
  for (const daysAgo of [200, 89, 40, 3, 2]) await review(partner, 5, daysAgo);
  await review(other, 2, 1);
  // 200 days ago and 2 days ago; 89 is within 90 days of the next.
  const rating = { average: 4, count: 3 };
  assert.deepEqual(await ratingOf(db, seller.id), rating);
  const [several] = await ratingsOf(db, sql`(${seller.id})`);
  assert.deepEqual(several, { sellerId: seller.id, ...rating });
  assert.deepEqual(
    (await countStars(db, seller.id, "buyer")).map(({ count }) => count),
    [2, 0, 0, 1, 0],
  );
  assert.equal((await listReviews(db, seller.id, null)).rows.length, 6);

  // Hidden, the latest gives way to the one before it.
  const latest = await review(partner, 2, 0);
  assert.equal((await ratingOf(db, seller.id))?.average, 3);
  await db.update(reviews).set({ hiddenById: "decision" }).where(eq(reviews.orderId, latest));
  assert.deepEqual(await ratingOf(db, seller.id), rating);
};

export const reviewsByUnprovenAccountsDoNotCountInARating = async (db: Db) => {
  const { seller, buyer, orderId } = await received(db);
  await saveReview(db, buyer, orderId, good);
  await saveReview(db, seller, orderId, good);
  const counts = async () => [
    (await ratingOf(db, seller.id))?.count,
    (await ratingsOf(db, sql`(${seller.id})`))[0]?.count ?? 0,
    (await countStars(db, seller.id, "buyer"))[0]?.count,
  ];
  assert.deepEqual(await counts(), [1, 1, 1]);
  for (const doubt of [{ emailVerifiedAt: null }, { suspensionId: "decision" }]) {
    await db.update(users).set(doubt).where(eq(users.id, buyer.id));
    assert.deepEqual(await counts(), [0, 0, 0]);
    // It can still be read.
    assert.equal((await listReviews(db, seller.id, null)).rows.length, 1);
    await db
      .update(users)
      .set({ ...proven, suspensionId: null })
      .where(eq(users.id, buyer.id));
  }
  // Who closes the account keeps having confirmed the address.
  await db.batch(eraseAccount(db, buyer));
  assert.deepEqual(await counts(), [1, 1, 1]);
};

export const sellersReplyOnce = async (db: Db) => {
  const { seller, buyer, orderId } = await received(db);
  await saveReview(db, buyer, orderId, good);
  await saveReview(db, seller, orderId, good);
  assert.equal((await findOrderReviews(db, seller, orderId))?.canReply, true);
  assert.equal(await replyToReview(db, buyer, orderId, "I reply to myself."), "nothing to reply to");
  assert.equal(await replyToReview(db, await addAccount(db), orderId, "A stranger."), "not found");
  assert.equal(await replyToReview(db, seller, orderId, "Thank you!"), "saved");
  assert.equal(await replyToReview(db, seller, orderId, "Thank you!"), "saved");
  assert.equal(await replyToReview(db, seller, orderId, "Another one."), "nothing to reply to");
  assert.equal((await findOrderReviews(db, seller, orderId))?.canReply, false);
  assert.equal((await listReviews(db, seller.id, null)).rows[0]?.reply, "Thank you!");
  assert.equal(
    await saveReview(db, buyer, orderId, { stars: 1, text: "Changed after the reply." }),
    "replied to",
  );
  assert.equal((await findOrderReviews(db, buyer, orderId))?.writableUntil, null);
};

export const reviewersAreShownByShortName = async (db: Db) => {
  const { seller, buyer, orderId } = await received(db);
  await saveReview(db, buyer, orderId, good);
  await saveReview(db, seller, orderId, good);
  assert.equal((await listReviews(db, seller.id, null)).rows[0]?.author, "Bea L.");
  await db.update(users).set({ removalId: "removed" }).where(eq(users.id, buyer.id));
  assert.equal((await listReviews(db, seller.id, null)).rows[0]?.author, "Former member");
};

export const reviewsHavePagesAndADistribution = async (db: Db) => {
  const seller = await addAccount(db, { userType: "Seller" });
  for (let count = 0; count < 12; count += 1) {
    const { buyer, orderId } = await received(db, seller);
    await saveReview(db, buyer, orderId, { stars: count < 9 ? 5 : 1, text: `Review ${count}` });
    await saveReview(db, seller, orderId, good);
  }
  const counted = await countStars(db, seller.id, "buyer");
  assert.deepEqual(
    counted.map(({ stars, count }) => [stars, count]),
    [
      [5, 9],
      [4, 0],
      [3, 0],
      [2, 0],
      [1, 3],
    ],
  );
  const first = await listReviews(db, seller.id, null);
  assert.equal(first.rows.length, 10);
  assert.equal(first.rows[0]?.text, "Review 11");
  const second = await listReviews(db, seller.id, { after: first.next ?? "" });
  assert.deepEqual(
    second.rows.map(({ text }) => text),
    ["Review 1", "Review 0"],
  );
  assert.equal(second.next, null);

  const page = await findSeller(db, seller.id, null);
  assert.deepEqual(page?.seller.rating, { average: 4, count: 12 });
  const { id } = await addPhone(db, { sellerId: seller.id });
  assert.deepEqual((await findListing(db, id))?.listing.sellerRating, { average: 4, count: 12 });
  const other = await addPhone(db);
  assert.deepEqual((await findListing(db, other.id))?.listing.sellerRating, { average: 0, count: 0 });
  assert.equal((await findSellerReviews(db, other.sellerId, null))?.seller.rating.count, 0);
};

const invitationsOf = (db: Db, { id }: { id: string }) =>
  db.$count(notifications, and(eq(notifications.userId, id), eq(notifications.kind, "review invitation")));

export const buyersAreInvitedOnce = async (db: Db) => {
  const [first, second, reviewed, invitedBefore] = [
    await received(db),
    await received(db),
    await received(db),
    await received(db),
  ];
  await saveReview(db, reviewed.buyer, reviewed.orderId, good);
  // As earlier versions recorded their emails.
  await db.insert(sentEmails).values({ id: `review invitation ${invitedBefore.orderId}` });
  await inviteReviewers(db, inDays(0.9));
  await inviteReviewers(db, inDays(8.1));
  assert.equal(await db.$count(notifications, eq(notifications.kind, "review invitation")), 0);

  await Promise.all([inviteReviewers(db, inDays(1.1)), inviteReviewers(db, inDays(1.1))]);
  await inviteReviewers(db, inDays(7.9));
  for (const { buyer } of [first, second]) assert.equal(await invitationsOf(db, buyer), 1);
  for (const { buyer } of [reviewed, invitedBefore]) assert.equal(await invitationsOf(db, buyer), 0);
  const [invitation] = (await listNotifications(db, first.buyer, null)).rows;
  assert.equal(invitation?.path, `/manage/orders/${first.orderId}/reviews`);
};

export const reviewsAreExported = async (db: Db) => {
  const { seller, buyer, orderId } = await received(db);
  await saveReview(db, buyer, orderId, good);
  const exported = async (viewer: typeof buyer) => {
    let text = "";
    for await (const part of exportAccountData(db, viewer)) text += part;
    const { reviewsWritten, reviewsReceived } = JSON.parse(text);
    return [reviewsWritten.length, reviewsReceived.length];
  };
  assert.deepEqual(
    [await exported(buyer), await exported(seller)],
    [
      [1, 0],
      [0, 0],
    ],
  );
  await saveReview(db, seller, orderId, good);
  assert.deepEqual(
    [await exported(buyer), await exported(seller)],
    [
      [1, 1],
      [1, 1],
    ],
  );
};

const reviewEventsOf = async (db: Db, viewer: Awaited<ReturnType<typeof addAccount>>) =>
  (await listNotifications(db, viewer, null)).rows
    .map(({ kind }) => kind)
    .filter((kind) => kind === "review" || kind === "review reply");

export const bothSidesAreNotifiedOfReviewsOnceTheyArePublished = async (db: Db) => {
  const { seller, buyer, orderId } = await received(db);
  await saveReview(db, buyer, orderId, good);
  assert.deepEqual(await reviewEventsOf(db, seller), []);
  await saveReview(db, seller, orderId, { stars: 4, text: "" });
  await saveReview(db, seller, orderId, { stars: 3, text: "Changed" });
  await notifyOfPublishedReviews(db, new Date());
  for (const side of [seller, buyer]) assert.deepEqual(await reviewEventsOf(db, side), ["review"]);
  const textOf = async (viewer: typeof seller) => (await listNotifications(db, viewer, null)).rows[0]?.text;
  const [{ productName } = { productName: "" }] = await db
    .select()
    .from(orders)
    .where(eq(orders.id, orderId));
  assert.equal(await textOf(buyer), `${seller.name} reviewed you (${productName}).`);
  assert.equal(await textOf(seller), `Bea L. reviewed you (${productName}).`);
  await db.update(users).set({ emailVerifiedAt: new Date() });
  const subjects: string[] = [];
  const send = async ({ write }: DueEmail) => {
    subjects.push((await write()).subject);
    return true;
  };
  await sendDueBatch(db, { origin: "https://ringback.example", secrets: ["a secret"], send });
  assert.ok(subjects.includes(`Bea L. reviewed you (${productName})`), subjects.join());
  await db.update(users).set({ removalId: "some removal" }).where(eq(users.id, buyer.id));
  assert.equal(await textOf(seller), `Former member reviewed you (${productName}).`);
  await db.update(users).set({ removalId: null }).where(eq(users.id, buyer.id));
  await replyToReview(db, seller, orderId, "Thank you!");
  await replyToReview(db, seller, orderId, "Thank you!");
  assert.deepEqual(await reviewEventsOf(db, buyer), ["review reply", "review"]);
  assert.deepEqual(await reviewEventsOf(db, seller), ["review"]);
};

export const sellersAreNotifiedOfAReviewThatIsPublishedAfterTwoWeeks = async (db: Db) => {
  const { seller, buyer, orderId } = await received(db);
  await saveReview(db, buyer, orderId, good);
  for (const days of [13.9, 15.1]) await notifyOfPublishedReviews(db, inDays(days));
  assert.deepEqual(await reviewEventsOf(db, seller), []);
  for (const days of [14.1, 14.2]) await notifyOfPublishedReviews(db, inDays(days));
  assert.deepEqual(await reviewEventsOf(db, seller), ["review"]);
  assert.deepEqual(await reviewEventsOf(db, buyer), []);
};

export const nobodyRepliesToAHiddenReview = async (db: Db) => {
  const { seller, buyer, orderId } = await received(db);
  await saveReview(db, buyer, orderId, good);
  await saveReview(db, seller, orderId, good);
  const hide = (hiddenById: string | null) =>
    db.update(reviews).set({ hiddenById }).where(eq(reviews.authorId, buyer.id));
  await hide("decision");
  assert.equal((await findOrderReviews(db, seller, orderId))?.canReply, false);
  assert.equal(await replyToReview(db, seller, orderId, "Thank you!"), "nothing to reply to");
  await hide(null);
  assert.equal((await findOrderReviews(db, seller, orderId))?.canReply, true);
  assert.equal(await replyToReview(db, seller, orderId, "Thank you!"), "saved");
};
