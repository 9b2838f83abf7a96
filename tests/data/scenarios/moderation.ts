import assert from "node:assert/strict";
import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { contentReports, reviews } from "#app/db/schema.ts";
import { removePhone } from "#app/features/listings/sellings.server.ts";
import { contentReportSchema } from "#app/features/moderation/content-report.schema.ts";
import { findReportable, reportContent } from "#app/features/moderation/content-reports.server.ts";
import { saveReview } from "#app/features/reviews/write-review.server.ts";
import { addAccount, addPhone, addReceivedOrder } from "../../harness/fixtures.ts";

const spam = { reason: "Duplicate or spam", details: "Listed five times." };

export const aTargetIsReportedOnceByEach = async (db: Db) => {
  const [one, other] = [await addAccount(db), await addAccount(db)];
  const phone = await addPhone(db, { brandName: "Nokia", model: "8" });
  assert.equal((await findReportable(db, one, "listing", phone.id))?.name, "Nokia 8");
  const outcomes = await Promise.all([1, 2, 3].map(() => reportContent(db, one, "listing", phone.id, spam)));
  assert.deepEqual(
    outcomes.map(({ refusal }) => refusal),
    [undefined, undefined, undefined],
  );
  const again = { ...spam, details: "And once more." };
  assert.equal((await reportContent(db, one, "listing", phone.id, again)).refusal, "already reported");
  assert.equal((await findReportable(db, one, "listing", phone.id))?.isReported, true);
  assert.equal((await findReportable(db, other, "listing", phone.id))?.isReported, false);
  assert.equal((await reportContent(db, other, "listing", phone.id, again)).refusal, undefined);
  const rows = await db.select().from(contentReports);
  assert.deepEqual(
    rows.map(({ reporterId, ownerId, details }) => [reporterId, ownerId, details]).toSorted(),
    [
      [one.id, phone.sellerId, spam.details],
      [other.id, phone.sellerId, again.details],
    ].toSorted(),
  );
};

export const onlyWhatOneSeesIsReported = async (db: Db) => {
  const seller = await addAccount(db, { userType: "Seller" });
  const [buyer, stranger] = [await addAccount(db, { name: "Bea Lind" }), await addAccount(db)];
  const phone = await addPhone(db, { sellerId: seller.id });
  const refusal = async (...args: Parameters<typeof reportContent>) => (await reportContent(...args)).refusal;
  assert.equal(await refusal(db, seller, "listing", phone.id, spam), "own");
  assert.equal(await refusal(db, seller, "seller", seller.id, spam), "own");
  assert.equal(await refusal(db, stranger, "seller", buyer.id, spam), "not found");
  await removePhone(db, seller, phone.id);
  assert.equal(await refusal(db, stranger, "listing", phone.id, spam), "not found");

  const orderId = await addReceivedOrder(db, buyer, seller);
  await saveReview(db, buyer, orderId, { stars: 1, text: "He is a thief." });
  const [ofBuyer] = await db.select().from(reviews).where(eq(reviews.authorId, buyer.id));
  assert.equal(await refusal(db, stranger, "review", ofBuyer?.id ?? "", spam), "not found");
  await saveReview(db, seller, orderId, { stars: 1, text: "She came late." });
  const [ofSeller] = await db.select().from(reviews).where(eq(reviews.authorId, seller.id));
  assert.equal(await refusal(db, stranger, "review", ofBuyer?.id ?? "", spam), undefined);
  assert.equal(await refusal(db, stranger, "review", ofSeller?.id ?? "", spam), "not found");
  assert.equal(await refusal(db, seller, "review", ofSeller?.id ?? "", spam), "not found");
  assert.equal(await refusal(db, buyer, "review", ofSeller?.id ?? "", spam), undefined);
  assert.equal(
    (await findReportable(db, seller, "review", ofBuyer?.id ?? ""))?.path,
    `/manage/orders/${orderId}/reviews`,
  );
};

export const somethingElseNeedsWords = async () => {
  const parse = (values: object) => contentReportSchema.safeParse(values).success;
  assert.equal(parse({ reason: "Something else" }), false);
  assert.equal(parse({ reason: "Something else", details: " " }), false);
  assert.equal(parse({ reason: "Something else", details: "Odd." }), true);
  assert.equal(parse({ reason: "Spam" }), true);
  assert.equal(parse({ reason: "A reason of my own" }), false);
  assert.equal(parse({ reason: "Spam", details: "x".repeat(2001) }), false);
};
