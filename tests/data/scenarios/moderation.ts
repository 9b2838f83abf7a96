import assert from "node:assert/strict";
import { and, eq, ne, sql } from "drizzle-orm";
import type { z } from "zod";
import type { Db } from "#app/db/client.server.ts";
import { isOneOf } from "#app/db/conditions.server.ts";
import type { TargetKind, WorkKind } from "#app/db/enums.ts";
import {
  contentReports,
  decisions,
  messages,
  notifications,
  orders,
  phones,
  reviews,
  signals,
  unmatchedListings,
  users,
} from "#app/db/schema.ts";
import { recordingSignUpAddress } from "#app/features/accounts/sign-up.server.ts";
import { isSuspended, system } from "#app/features/accounts/viewer.ts";
import { activityTargetText } from "#app/features/administration/activity-texts.ts";
import { findRecords } from "#app/features/administration/find-records.server.ts";
import { findLastRunOf, recordJobRun } from "#app/features/administration/job-runs.server.ts";
import { savedReplySchema } from "#app/features/administration/saved-reply.schema.ts";
import { findUserDetails } from "#app/features/administration/user-details.server.ts";
import { listWork } from "#app/features/administration/work.server.ts";
import { listActivity } from "#app/features/audit/activity.server.ts";
import { findSeller } from "#app/features/catalog/seller.server.ts";
import { refreshUsualPrices } from "#app/features/listings/fair-price.server.ts";
import { removeListing } from "#app/features/listings/listing-removal.server.ts";
import { listSellings } from "#app/features/listings/listing-tables.server.ts";
import { findPublishedListing } from "#app/features/listings/listings.server.ts";
import { findConversation, listConversations } from "#app/features/messages/conversations.server.ts";
import { sendFirstMessage, sendMessage } from "#app/features/messages/send-message.server.ts";
import { findCase as findCaseFor } from "#app/features/moderation/cases.server.ts";
import {
  approveFirstListings,
  approveOtherListings,
  decide,
} from "#app/features/moderation/decisions/decide.server.ts";
import { decisionChoice } from "#app/features/moderation/decisions/decision.rules.ts";
import { decisionSchema } from "#app/features/moderation/decisions/decision.schema.ts";
import { endSuspensions } from "#app/features/moderation/decisions/decision-effects.server.ts";
import {
  appealDecision,
  findMailedReasons,
  findOwnDecision,
} from "#app/features/moderation/decisions/own-decisions.server.ts";
import {
  listAppealed,
  listDecided,
  listHeld,
  listReported,
  listSignals,
} from "#app/features/moderation/moderation-queue.server.ts";
import { reasonLabels } from "#app/features/moderation/reports/content-report.rules.ts";
import { contentReportSchema } from "#app/features/moderation/reports/content-report.schema.ts";
import { findReportTarget, reportContent } from "#app/features/moderation/reports/content-reports.server.ts";
import { signalText } from "#app/features/moderation/signals/signal.rules.ts";
import { searchSignals } from "#app/features/moderation/signals/signal-search.server.ts";
import { findSignals } from "#app/features/moderation/signals/signals.server.ts";
import { alertModerators } from "#app/features/moderation/urgent-cases.server.ts";
import { subjectText } from "#app/features/notifications/notification-subjects.server.ts";
import { listNotifications } from "#app/features/notifications/notifications.server.ts";
import { cancelOrder } from "#app/features/orders/order-steps.server.ts";
import { insertPhoto, listingForPhotos } from "#app/features/photos/photo-changes.server.ts";
import { cleanUpPhotos } from "#app/features/photos/photo-cleanup.server.ts";
import { selectPhotos } from "#app/features/photos/photos.server.ts";
import { exportAccountData } from "#app/features/profile/account-data.server.ts";
import { purgeRemovals } from "#app/features/profile/purging.server.ts";
import {
  countStars,
  findOrderReviews,
  listReviews,
  ratingsOf,
} from "#app/features/reviews/reviews.server.ts";
import { saveReview } from "#app/features/reviews/write-review.server.ts";
import { dayLabel, dayMs } from "#app/time.ts";
import { bookWithoutLimits, undoWithoutLimits } from "../../harness/bookings.ts";
import { addAccount, addPhone, addReceivedOrder } from "../../harness/fixtures.ts";
import { publish } from "../../harness/publish.ts";
import { addSales } from "../../harness/sales.ts";
import { browse } from "../../harness/search.ts";

const spam = { reason: "duplicate", details: "Listed five times." } as const;

/** What an administrator sees of a case. */
const findCase = async (db: Db, kind: TargetKind, id: string) =>
  findCaseFor(db, await addAccount(db, { userType: "Admin" }), kind, id);

export const aTargetIsReportedOnceByEach = async (db: Db) => {
  const [one, other] = [await addAccount(db), await addAccount(db)];
  const phone = await addPhone(db, { brandName: "Nokia", model: "8" });
  assert.equal((await findReportTarget(db, one, "listing", phone.id))?.name, "Nokia 8");
  const outcomes = await Promise.all([1, 2, 3].map(() => reportContent(db, one, "listing", phone.id, spam)));
  assert.deepEqual(
    outcomes.map(({ refusal }) => refusal),
    [undefined, undefined, undefined],
  );
  const again = { ...spam, details: "And once more." };
  assert.equal((await reportContent(db, one, "listing", phone.id, again)).refusal, "already reported");
  assert.equal((await findReportTarget(db, one, "listing", phone.id))?.isReported, true);
  assert.equal((await findReportTarget(db, other, "listing", phone.id))?.isReported, false);
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
  await removeListing(db, seller, phone.id);
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
    (await findReportTarget(db, seller, "review", ofBuyer?.id ?? ""))?.path,
    `/manage/orders/${orderId}/reviews`,
  );
};

export const somethingElseNeedsWords = async () => {
  const parse = (values: object) => contentReportSchema.safeParse(values).success;
  assert.equal(parse({ reason: "something else" }), false);
  assert.equal(parse({ reason: "something else", details: " " }), false);
  assert.equal(parse({ reason: "something else", details: "Odd." }), true);
  assert.equal(parse({ reason: "spam" }), true);
  // As the API names it.
  assert.equal(contentReportSchema.parse({ reason: "Fraud or attempted fraud" }).reason, "fraud");
  assert.equal(parse({ reason: "A reason of my own" }), false);
  assert.equal(parse({ reason: "spam", details: "x".repeat(2001) }), false);
};

const listedIds = async (db: Db) => (await browse(db)).phones.map(({ id }) => id);
const notified = async (db: Db, userId: string) =>
  (await db.select().from(notifications).where(eq(notifications.userId, userId))).map(({ path }) => path);

async function reported(db: Db, phoneId: string) {
  await reportContent(db, await addAccount(db), "listing", phoneId, spam);
}

type Choice = Parameters<typeof decide>[4];
const decision = (kind: Choice["decision"], days = "7"): Choice => ({
  decision: kind,
  reason: "It is not the device in the pictures.",
  days,
});

export const hiddenListingsDisappearForOthers = async (db: Db) => {
  const moderator = await addAccount(db, { userType: "Admin" });
  const seller = await addAccount(db, { userType: "Seller" });
  const phone = await addPhone(db, { sellerId: seller.id });
  const other = await addPhone(db, { sellerId: seller.id });
  await reported(db, phone.id);
  await reported(db, phone.id);
  assert.equal(
    (await decide(db, await addAccount(db), "listing", phone.id, decision("hide"), null)).refusal,
    "not allowed",
  );
  const [row] = (await listReported(db, system, null)).rows;
  assert.deepEqual([row?.reports, row?.text], [2, reasonLabels[spam.reason]]);

  const { id } = await decide(db, moderator, "listing", phone.id, decision("hide"), null);
  assert.ok(id);
  assert.equal(await findPublishedListing(db, phone.id), null);
  assert.deepEqual(await listedIds(db), [other.id]);
  const own = (await listSellings(db, seller, null)).rows.find((each) => each.id === phone.id);
  assert.deepEqual([own?.decisionId, own?.hiddenBy], [id, "hide"]);
  assert.deepEqual(await notified(db, seller.id), [`/manage/decisions/${id}`]);
  assert.deepEqual((await listReported(db, system, null)).rows, []);
  assert.deepEqual(
    (await listActivity(db, system, null)).rows.map(({ action }) => action),
    ["hid content"],
  );
  assert.equal(await findOwnDecision(db, moderator, id ?? ""), null);

  assert.equal((await undoWithoutLimits(db, moderator, id ?? "")).result, "undone");
  assert.equal((await undoWithoutLimits(db, moderator, id ?? "")).result, "undone");
  assert.deepEqual((await listedIds(db)).toSorted(), [phone.id, other.id].toSorted());
  const [told] = (await listNotifications(db, seller, null)).rows;
  assert.match(told?.text ?? "", /We’ve taken this back\.$/);
  assert.equal((await findUserDetails(db, system, seller.id))?.emails.rows[0]?.text, told?.text);
  assert.equal((await listReported(db, system, null)).rows[0]?.reports, 2);
};

export const ofTwoModeratorsOneDecides = async (db: Db) => {
  const [one, two] = [
    await addAccount(db, { userType: "Admin" }),
    await addAccount(db, { userType: "Admin" }),
  ];
  const phone = await addPhone(db);
  await reported(db, phone.id);
  const key = crypto.randomUUID();
  const outcomes = await Promise.all([
    decide(db, one, "listing", phone.id, decision("hide"), key),
    decide(db, one, "listing", phone.id, decision("hide"), key),
    decide(db, two, "listing", phone.id, decision("dismiss"), crypto.randomUUID()),
  ]);
  const made = await db.select().from(decisions);
  assert.equal(made.length, 1);
  const [hidden, again, dismissed] = outcomes;
  assert.equal(hidden.id, again.id);
  assert.equal(dismissed.id === undefined, made[0]?.kind === "hide");
  assert.equal((await findPublishedListing(db, phone.id)) === null, made[0]?.kind === "hide");
};

export const ownersAnswerOnceAndModeratorsReverse = async (db: Db) => {
  const moderator = await addAccount(db, { userType: "Admin" });
  const phone = await addPhone(db);
  const [seller] = await db.select().from(users).where(eq(users.id, phone.sellerId));
  assert.ok(seller);
  await reported(db, phone.id);
  const { id = "" } = await decide(db, moderator, "listing", phone.id, decision("hide"), null);
  assert.equal(await appealDecision(db, moderator, id, "Not mine."), false);
  assert.equal(await appealDecision(db, seller, id, "Here are new pictures."), true);
  assert.equal(await appealDecision(db, seller, id, "Here are new pictures."), true);
  assert.equal(await appealDecision(db, seller, id, "And again."), false);
  assert.deepEqual(
    (await listAppealed(db, { ...moderator, id: "nobody" }, null)).rows.map(({ targetId }) => targetId),
    [phone.id],
  );
  assert.deepEqual((await findCase(db, "listing", phone.id))?.choices, [
    "uphold",
    "reverse",
    "warn",
    "remove",
    "suspend",
  ]);

  // Somebody else answers, as long as there is somebody.
  const uphold = (by: typeof moderator) => decide(db, by, "listing", phone.id, decision("uphold"), null);
  const own = await uphold(moderator);
  assert.match(own.refusal === "not allowed" ? own.message : "", /A colleague answers this appeal/);
  assert.deepEqual((await listAppealed(db, moderator, null)).rows, []);
  assert.equal((await findCaseFor(db, moderator, "listing", phone.id))?.choices.includes("uphold"), false);
  const colleague = await addAccount(db, { userType: "Admin" });
  const { id: upheld = "" } = await uphold(colleague);
  assert.deepEqual((await listAppealed(db, { ...moderator, id: "nobody" }, null)).rows, []);
  assert.equal((await findOwnDecision(db, seller, id))?.ruling?.kind, "uphold");
  assert.equal((await undoWithoutLimits(db, colleague, upheld)).result, "undone");
  await db
    .update(users)
    .set({ suspensionId: "away" })
    .where(and(eq(users.userType, "Admin"), ne(users.id, moderator.id)));
  const { id: alone = "" } = await uphold(moderator);
  assert.equal((await undoWithoutLimits(db, moderator, alone)).result, "undone");
  const { id: reversed = "" } = await decide(db, moderator, "listing", phone.id, decision("reverse"), null);
  assert.ok(await findPublishedListing(db, phone.id));
  assert.equal((await undoWithoutLimits(db, moderator, reversed)).result, "undone");
  assert.equal(await findPublishedListing(db, phone.id), null);
};

export const moderatorsEndWhatIsInForce = async (db: Db) => {
  const [one, two] = [
    await addAccount(db, { userType: "Admin", name: "Alex" }),
    await addAccount(db, { userType: "Admin" }),
  ];
  const seller = await addAccount(db, { userType: "Seller" });
  const { id: phoneId } = await addPhone(db, { sellerId: seller.id });
  const decideNow = async (
    kind: Choice["decision"],
    targetKind: "listing" | "seller" = "listing",
    targetId = phoneId,
    by = one,
  ) => {
    const lastDecisionId = (await findCase(db, targetKind, targetId))?.ofThis[0]?.id;
    const choice = { ...decision(kind), lastDecisionId };
    return (await decide(db, by, targetKind, targetId, choice, null)).id ?? "";
  };
  const choices = async () => {
    const found = await findCase(db, "listing", phoneId);
    return found?.choices.map((choice) => decisionChoice(choice, "listing", found.reversible).label);
  };
  const ofHidden = ["Reverse the decision", "Warn the owner", "Remove", "Suspend the account"];
  const hidden = await decideNow("hide");
  assert.deepEqual(await choices(), ofHidden);
  await appealDecision(db, seller, hidden, "Here are new pictures.");
  const upheld = await decideNow("uphold", "listing", phoneId, two);
  assert.deepEqual(await choices(), ofHidden);

  // The appeal was upheld: the hiding cannot be undone as if nobody had confirmed it.
  assert.deepEqual(
    (await listDecided(db, one, null)).rows.map((row) => [
      row.id,
      row.canUndo,
      row.problem === null && row.isDependedOn,
    ]),
    [
      [upheld, false, false],
      [hidden, false, true],
    ],
  );
  await undoWithoutLimits(db, one, hidden);
  assert.equal(await findPublishedListing(db, phoneId), null);

  const shownAgain = await decideNow("reverse");
  assert.ok(await findPublishedListing(db, phoneId));
  const late = { ...decision("reverse"), lastDecisionId: upheld };
  const second = await decide(db, two, "listing", phoneId, late, null);
  assert.match(second.refusal === "already decided" ? second.message : "", /^Alex has reversed the decision/);
  assert.equal((await findOwnDecision(db, seller, hidden))?.ruling?.kind, "reverse");
  await undoWithoutLimits(db, one, shownAgain);
  const removed = await decideNow("remove");
  const hiddenBy = async () => (await db.select().from(phones).where(eq(phones.id, phoneId)))[0]?.hiddenById;
  assert.equal(await hiddenBy(), removed);
  await undoWithoutLimits(db, one, removed);
  assert.equal(await hiddenBy(), hidden);

  // A suspension ends on the case of the account, too, and what was hidden before stays hidden.
  await decideNow("suspend");
  assert.deepEqual((await choices())?.[0], "Reverse the decision");
  await decideNow("reverse", "seller", seller.id);
  assert.equal((await findCase(db, "seller", seller.id))?.owner?.suspensionId, null);
  assert.equal(await hiddenBy(), hidden);
  assert.deepEqual((await choices())?.[0], "Reverse the decision");
};

export const removalsAreAppealedAndReversedUntilTheyAreErased = async (db: Db) => {
  const moderator = await addAccount(db, { userType: "Admin" });
  const seller = await addAccount(db, { userType: "Seller" });
  const inDays = (days: number) => new Date(Date.now() + days * dayMs);
  const remove = async (madeAt = new Date()) => {
    const { id: phoneId } = await addPhone(db, { sellerId: seller.id });
    await insertPhoto(db, listingForPhotos(db, seller, phoneId), {
      id: phoneId,
      width: 40,
      height: 30,
      digest: phoneId,
    });
    const { id = "" } = await decide(db, moderator, "listing", phoneId, decision("remove"), null, madeAt);
    return { phoneId, id };
  };
  const [appealed, left, old] = [await remove(), await remove(), await remove(inDays(-31))];
  const choices = async (phoneId: string) => (await findCase(db, "listing", phoneId))?.choices;
  const canAppeal = async (id: string) => (await findOwnDecision(db, seller, id))?.canAppeal;
  assert.deepEqual(await choices(left.phoneId), ["reverse", "warn", "suspend"]);
  assert.deepEqual(await choices(old.phoneId), ["warn", "suspend"]);
  assert.deepEqual(
    [await canAppeal(appealed.id), await canAppeal(left.id), await canAppeal(old.id)],
    [true, true, false],
  );
  assert.equal(await appealDecision(db, seller, old.id, "It is mine."), false);
  assert.equal(await appealDecision(db, seller, appealed.id, "It is mine."), true);
  assert.deepEqual(
    (await listAppealed(db, { ...moderator, id: "nobody" }, null)).rows.map(({ targetId }) => targetId),
    [appealed.phoneId],
  );

  // Nobody has answered the appeal yet.
  const bucket = { delete: async () => {}, list: async () => ({ objects: [] }) };
  await cleanUpPhotos(db, { bucket } as never, inDays(29));
  assert.deepEqual((await selectPhotos(db, left.phoneId)).length, 1);
  await purgeRemovals(db, inDays(31));
  assert.deepEqual([await choices(left.phoneId), await choices(old.phoneId)], [undefined, undefined]);
  assert.equal((await selectPhotos(db, appealed.phoneId)).length, 1);
  const { id: reversed = "" } = await decide(
    db,
    moderator,
    "listing",
    appealed.phoneId,
    decision("reverse"),
    null,
  );
  assert.ok(await findPublishedListing(db, appealed.phoneId));
  assert.equal((await findOwnDecision(db, seller, appealed.id))?.ruling?.kind, "reverse");
  assert.equal((await undoWithoutLimits(db, moderator, reversed)).result, "undone");
  assert.equal(await findPublishedListing(db, appealed.phoneId), null);

  // The ruling leaves nothing to wait for.
  const colleague = await addAccount(db, { userType: "Admin" });
  await decide(db, colleague, "listing", appealed.phoneId, decision("uphold"), null);
  await purgeRemovals(db, inDays(31));
  assert.equal(await choices(appealed.phoneId), undefined);
};

export const emailsOfDecisionsNameTheAppeal = async (db: Db) => {
  const moderator = await addAccount(db, { userType: "Admin" });
  const seller = await addAccount(db, { userType: "Seller", emailVerifiedAt: new Date() });
  const facts = async (kind: "warn" | "remove" | "dismiss") => {
    const phone = await addPhone(db, { sellerId: seller.id });
    await reported(db, phone.id);
    const { id } = await decide(db, moderator, "listing", phone.id, decision(kind), null);
    const [found] = await findMailedReasons(db, [{ id: "it", kind: "decision", event: `decision ${id}` }]);
    return found?.[1].filter(([term]) => term === "Appeal").map(([, text]) => text);
  };
  const lastDay = dayLabel(new Date(Date.now() + 30 * dayMs).toISOString());
  assert.deepEqual(await facts("warn"), ["You can appeal once"]);
  assert.deepEqual(await facts("remove"), [`You can appeal once, until ${lastDay}`]);
  assert.deepEqual(await facts("dismiss"), []);
};

export const ordersAreFoundByTheirNumberAsItIsWritten = async (db: Db) => {
  const moderator = await addAccount(db, { userType: "Admin" });
  const orderId = await addReceivedOrder(
    db,
    await addAccount(db),
    await addAccount(db, { userType: "Seller" }),
  );
  const number = orderId.slice(-8);
  const found = async (typed: string) =>
    (await findRecords(db, moderator, typed, [])).orders.map(({ id }) => id);
  for (const typed of [number, `#${number}`, `Order ${number}`, `order #${number}`, ` # ${number}`])
    assert.deepEqual(await found(typed), [orderId], typed);
};

export const ordersAreFoundByTheTrackingNumberOfAParcelOnItsWay = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const orderId = await addReceivedOrder(
    db,
    await addAccount(db),
    await addAccount(db, { userType: "Seller" }),
  );
  const set = (values: Partial<typeof orders.$inferInsert>) =>
    db.update(orders).set(values).where(eq(orders.id, orderId));
  const found = async (typed: string) => (await findRecords(db, admin, typed, [])).orders.map(({ id }) => id);
  const deadlineAt = new Date(Date.now() + 86_400_000);
  await set({ stage: "handed over", deadlineAt, trackingNumber: "1Z 999-AA1 01" });
  for (const typed of ["1Z999AA1", "1z999aa101", "1Z 999 AA1", "1z-999-aa1-0"])
    assert.deepEqual([typed, await found(typed)], [typed, [orderId]]);
  // From the beginning on, and not what is too short to be one.
  for (const typed of ["999AA101", "1Z999AA", "1Z998AA1"])
    assert.deepEqual([typed, await found(typed)], [typed, []]);
  // All orders with a deadline are read for it, so that words with a digit are not looked for.
  await set({ trackingNumber: "iphone13" });
  assert.deepEqual(await found("iphone13"), []);
  await set({ stage: "received", deadlineAt: null, trackingNumber: "1Z999AA1" });
  assert.deepEqual(await found("1Z999AA1"), []);
};

export const noTextIsSentWithWhatNothingFillsIn = async () => {
  const errorOf = (schema: z.ZodType, values: object) =>
    schema.safeParse(values).error?.issues.map(({ message }) => message) ?? [];
  const reasonOf = (reason: string) => errorOf(decisionSchema, { decision: "hide", reason });
  assert.deepEqual(reasonOf("About {order}: no."), ["Replace {order} first"]);
  assert.deepEqual(reasonOf("About {Order number} and {device}."), ["Replace {Order number} first"]);
  assert.deepEqual(reasonOf("Sizes {1, 2} and {} are wrong."), []);
  const replyOf = (text: string) => errorOf(savedReplySchema, { title: "Blurred", text });
  assert.deepEqual(replyOf("Hi {name}, your {Device} is blurred."), []);
  assert.deepEqual(replyOf("Hi {name}, about {order}:"), [
    "We can’t fill in {order}. Use {name} or {device}, or write it out",
  ]);
};

export const anAppealEndsWithItsDecision = async (db: Db) => {
  const moderator = await addAccount(db, { userType: "Admin" });
  const seller = await addAccount(db, { userType: "Seller" });
  const appealed = async () =>
    (await listAppealed(db, { ...moderator, id: "nobody" }, null)).rows.map(({ targetId }) => targetId);
  const { id = "" } = await decide(db, moderator, "seller", seller.id, decision("suspend", "1"), null);
  const [told] = (await listNotifications(db, seller, null)).rows;
  assert.equal(told?.text, "Your account is suspended for 1 day.");
  await appealDecision(db, seller, id, "It was not me.");
  assert.deepEqual(await appealed(), [seller.id]);

  // It is reversed; the Undo of that opens the appeal again.
  const reversed = await decide(db, moderator, "seller", seller.id, decision("reverse"), null);
  assert.deepEqual(await appealed(), []);
  assert.equal((await findOwnDecision(db, seller, id))?.ruling?.kind, "reverse");
  await undoWithoutLimits(db, moderator, reversed.id ?? "");
  assert.deepEqual(await appealed(), [seller.id]);

  // It expires.
  await endSuspensions(db, new Date(Date.now() + 1.1 * dayMs));
  assert.deepEqual(await appealed(), []);
  const choices = async (...target: [TargetKind, string]) => (await findCase(db, ...target))?.choices;
  assert.deepEqual(await choices("seller", seller.id), ["warn", "suspend"]);
  const { ruling, endedAt } = (await findOwnDecision(db, seller, id)) ?? {};
  assert.deepEqual([ruling, endedAt instanceof Date], [null, true]);

  // It is undone, whatever it was.
  for (const kind of ["warn", "hide", "remove", "suspend"] as const) {
    const phone = await addPhone(db, { sellerId: seller.id });
    const made = await decide(db, moderator, "listing", phone.id, decision(kind), null);
    assert.equal(await appealDecision(db, seller, made.id ?? "", "Here are new pictures."), true);
    assert.deepEqual(await appealed(), [phone.id]);
    assert.equal((await undoWithoutLimits(db, moderator, made.id ?? "")).result, "undone");
    assert.deepEqual(await appealed(), [], kind);
    assert.deepEqual(await choices("listing", phone.id), ["warn", "hide", "remove", "suspend"]);
  }

  // It is replaced, which answers the appeal; the Undo of that opens it again.
  const phone = await addPhone(db, { sellerId: seller.id });
  const hidden = await decide(db, moderator, "listing", phone.id, decision("hide"), null);
  await appealDecision(db, seller, hidden.id ?? "", "Here are new pictures.");
  const colleague = await addAccount(db, { userType: "Admin" });
  const removed = await decide(db, colleague, "listing", phone.id, decision("remove"), null);
  assert.deepEqual(await appealed(), []);
  await undoWithoutLimits(db, colleague, removed.id ?? "");
  assert.deepEqual(await appealed(), [phone.id]);
};

export const suspensionsHideListingsAndEnd = async (db: Db) => {
  const moderator = await addAccount(db, { userType: "Admin" });
  const seller = await addAccount(db, { userType: "Seller" });
  const [free, promised] = [
    await addPhone(db, { sellerId: seller.id }),
    await addPhone(db, { sellerId: seller.id }),
  ];
  const buyer = await addAccount(db);
  const order = await bookWithoutLimits(db, buyer, promised.id, { address: "", phone: "" });
  await reported(db, free.id);
  const first = await decide(db, moderator, "listing", free.id, decision("suspend", "3"), null);
  const suspended = async () => (await db.select().from(users).where(eq(users.id, seller.id)))[0];
  assert.ok(isSuspended((await suspended()) ?? seller));
  assert.deepEqual(await listedIds(db), [promised.id]);
  assert.equal((await listSellings(db, seller, null)).rows.length, 2);
  // A cancelled order makes the phone available again, and hides it with the others.
  await cancelOrder(db, buyer, order.orderId ?? "");
  assert.deepEqual(await listedIds(db), []);

  await reportContent(db, await addAccount(db), "seller", seller.id, { reason: "spam", details: "" });
  const second = await decide(db, moderator, "seller", seller.id, decision("suspend", "permanent"), null);
  assert.equal((await suspended())?.suspendedUntil, null);
  assert.equal((await undoWithoutLimits(db, moderator, second.id ?? "")).result, "undone");
  assert.equal((await suspended())?.suspensionId, first.id);

  await endSuspensions(db, new Date(Date.now() + 2 * dayMs));
  assert.deepEqual(await listedIds(db), []);
  const later = new Date(Date.now() + 3.1 * dayMs);
  assert.equal(isSuspended((await suspended()) ?? seller, later), false);
  await endSuspensions(db, later);
  assert.equal((await suspended())?.suspensionId, null);
  assert.deepEqual((await listedIds(db)).toSorted(), [free.id, promised.id].toSorted());
  const counts = await browse(db);
  assert.equal(counts.phones.length, 2);
};

export const administratorsAreNotSuspended = async (db: Db) => {
  const [one, two] = [
    await addAccount(db, { userType: "Admin" }),
    await addAccount(db, { userType: "Admin" }),
  ];
  const phone = await addPhone(db, { sellerId: two.id });
  await reported(db, phone.id);
  assert.equal(
    (await decide(db, one, "listing", phone.id, decision("suspend"), null)).refusal,
    "already decided",
  );
  assert.deepEqual((await findCase(db, "listing", phone.id))?.choices, ["dismiss", "warn", "hide", "remove"]);
};

export const moderatorsDecideWithoutAReport = async (db: Db) => {
  const [one, two] = [
    await addAccount(db, { userType: "Admin" }),
    await addAccount(db, { userType: "Admin" }),
  ];
  const phone = await addPhone(db, { brandName: "Nokia", model: "8" });
  const shown = await findCase(db, "listing", phone.id);
  assert.deepEqual([shown?.openReports, shown?.choices], [0, ["warn", "hide", "remove", "suspend"]]);
  const refusal = async (kind: Choice["decision"], lastDecisionId?: string) =>
    (await decide(db, two, "listing", phone.id, { ...decision(kind), lastDecisionId }, null)).refusal;
  assert.equal(await refusal("dismiss"), "already decided");
  const { id = "" } = await decide(db, one, "listing", phone.id, decision("hide"), null);
  assert.equal(await findPublishedListing(db, phone.id), null);
  assert.deepEqual(await notified(db, phone.sellerId), [`/manage/decisions/${id}`]);
  // The other moderator's page is older than the decision.
  assert.equal(await refusal("warn"), "already decided");
  assert.equal(await refusal("warn", id), undefined);
  assert.deepEqual(
    (await listDecided(db, two, null)).rows.map((row) => [
      row.problem === null && row.kind,
      row.moderator,
      row.canUndo,
    ]),
    [
      ["warn", two.name, true],
      ["hide", one.name, false],
    ],
  );
  const other = await addPhone(db, { brandName: "Nokia", model: "9" });
  await reported(db, other.id);
  await decide(db, two, "listing", other.id, decision("dismiss"), null);
  const [seller] = await db.select().from(users).where(eq(users.id, phone.sellerId));
  assert.deepEqual(
    (await listActivity(db, system, null)).rows.map((row) => `${row.action}: ${activityTargetText(row)}`),
    [
      "dismissed reports: Nokia 9",
      `warned user: ${seller?.email} (no reports)`,
      "hid content: Nokia 8 (no reports)",
    ],
  );
  assert.equal(await findCase(db, "listing", crypto.randomUUID()), null);
};

export const hiddenReviewsAreNeitherShownNorCounted = async (db: Db) => {
  const moderator = await addAccount(db, { userType: "Admin" });
  const seller = await addAccount(db, { userType: "Seller" });
  const buyer = await addAccount(db, { emailVerifiedAt: new Date(0) });
  const orderId = await addReceivedOrder(db, buyer, seller);
  await saveReview(db, buyer, orderId, { stars: 1, text: "He is a thief." });
  await saveReview(db, seller, orderId, { stars: 5, text: "" });
  const [review] = (await listReviews(db, seller.id, null)).rows;
  await reportContent(db, seller, "review", review?.id ?? "", spam);
  const { id = "" } = await decide(db, moderator, "review", review?.id ?? "", decision("hide"), null);
  const counts = async () => [
    (await listReviews(db, seller.id, null)).rows.length,
    (await findSeller(db, seller.id, null))?.seller.rating.count,
    (await countStars(db, seller.id, "buyer")).at(-1)?.count,
    (await findSeller(db, seller.id, null))?.reviews.length,
    (await ratingsOf(db, sql`(select ${seller.id})`)).length,
  ];
  assert.deepEqual(await counts(), [0, 0, 0, 0, 0]);
  assert.equal((await findOrderReviews(db, seller, orderId))?.other?.text, "");
  assert.equal((await findOrderReviews(db, buyer, orderId))?.own?.text, "He is a thief.");
  assert.equal((await undoWithoutLimits(db, moderator, id)).result, "undone");
  assert.equal((await listReviews(db, seller.id, null)).rows[0]?.text, "He is a thief.");
  assert.deepEqual(await counts(), [1, 1, 1, 1, 1]);
};

const signalsOf = async (...args: Parameters<typeof findSignals>) =>
  (await findSignals(...args)).map(signalText);

export const signalsStandBesideTheListing = async (db: Db) => {
  const words = "I have bought a newer one, so this one is for sale.";
  const device = { brandName: "Nokia", model: "8" };
  for (let count = 0; count < 3; count += 1) {
    const phone = await addPhone(db, { ...device, sellingCents: 30_000, sellingReason: words });
    await bookWithoutLimits(db, await addAccount(db), phone.id, { address: "", phone: "" });
  }
  await db.update(orders).set({ stage: "received" });
  await db.update(users).set({ emailVerifiedAt: new Date() });
  await refreshUsualPrices(db);
  const others = (await db.select({ id: phones.id }).from(phones)).map(({ id }) => id);
  const cheap = await addPhone(db, { ...device, sellingCents: 9_000, sellingReason: words });
  const sameText = async () =>
    (await findCase(db, "listing", cheap.id))?.sameText.map(({ id }) => id).toSorted();
  const usual = await addPhone(db, { ...device, sellingCents: 29_000 });
  assert.deepEqual(await signalsOf(db, "listing", cheap.id, cheap.sellerId), [
    "3 listings of other sellers have the same reason for selling, word for word.",
    "The price is 30% of what this model usually sells for.",
  ]);
  assert.deepEqual(await signalsOf(db, "listing", usual.id, usual.sellerId), []);
  // A shop gives the same reason for all its devices.
  const ofShop = { sellerId: cheap.sellerId, sellingReason: words };
  for (let count = 0; count < 7; count += 1) await addPhone(db, ofShop);
  assert.deepEqual(await sameText(), others.toSorted());

  // A deleted one does not count, a hidden one does.
  const [first = "", second = "", third = ""] = others;
  await db.update(phones).set({ hiddenById: "some removal" }).where(eq(phones.id, first));
  const moderator = await addAccount(db, { userType: "Admin" });
  await db.update(phones).set({ status: "available" }).where(eq(phones.id, second));
  assert.ok((await decide(db, moderator, "listing", second, decision("hide"), null)).id);
  assert.deepEqual((await signalsOf(db, "listing", cheap.id, cheap.sellerId)).slice(0, 1), [
    "2 listings of other sellers have the same reason for selling, word for word.",
  ]);
  assert.deepEqual(await sameText(), [second, third].toSorted());
};

export const signalsContactDetails = async (db: Db) => {
  const plain = await addPhone(db, { sellingReason: "Serial 5125550147, 128 GB, $349.50" });
  const suspect = [
    await addPhone(db, { model: "8, call 512-555-0147" }),
    await addPhone(db, { sellingReason: "Mail ada@example.com. It has 128 GB." }),
    await addPhone(db, { sellingReason: "IMEI 490154203237518, 128 GB" }),
    await addPhone(db, { details: { city: "Austin, +1 512 555 0147" } }),
  ];
  for (const { id, sellerId } of suspect)
    assert.deepEqual(await signalsOf(db, "listing", id, sellerId), [
      "The name, city or reason for selling has a phone number, an email address, a messenger or an IMEI.",
    ]);
  assert.deepEqual(await signalsOf(db, "listing", plain.id, plain.sellerId), []);
  await searchSignals(db);
  assert.deepEqual((await signalled(db)).toSorted(), suspect.map(({ id }) => id).toSorted());
};

const signalled = async (db: Db) =>
  (await listSignals(db, system, null)).rows.map(({ targetId }) => targetId);

export const signalsOfUnreportedListingsWaitForADecision = async (db: Db) => {
  const moderator = await addAccount(db, { userType: "Admin" });
  const sellingReason = "Or +1 512 555 0147";
  const nokia = { brandName: "Nokia", model: "8", sellingReason };
  const [one, two, three] = [await addPhone(db, nokia), await addPhone(db, nokia), await addPhone(db, nokia)];
  const ids = [three, two, one].map(({ id }) => id);
  await searchSignals(db);
  assert.deepEqual((await signalled(db)).toSorted(), ids.toSorted());
  const [first] = (await listSignals(db, system, null)).rows;
  assert.deepEqual([first?.name, first?.signals], ["Nokia 8", [{ kind: "contact details", figure: 1 }]]);
  // Nothing follows from a signal by itself.
  assert.equal((await listedIds(db)).length, 3);
  assert.deepEqual(
    [await db.$count(decisions), await db.$count(notifications), await db.$count(contentReports)],
    [0, 0, 0],
  );

  assert.ok((await findCase(db, "listing", one.id))?.choices.includes("dismiss"));
  const { id = "" } = await decide(db, moderator, "listing", one.id, decision("dismiss"), null);
  assert.deepEqual((await signalled(db)).toSorted(), [two.id, three.id].toSorted());
  assert.equal((await undoWithoutLimits(db, moderator, id)).result, "undone");
  assert.equal((await signalled(db)).length, 3);
  const lastDecisionId = id;
  await decide(db, moderator, "listing", one.id, { ...decision("dismiss"), lastDecisionId }, null);
  assert.deepEqual(
    (await listActivity(db, system, null)).rows.map(({ action }) => action),
    ["dismissed signals", "undid decision", "dismissed signals"],
  );
  await reported(db, two.id);
  assert.deepEqual(await signalled(db), [three.id]);
  assert.deepEqual(
    (await listReported(db, system, null)).rows.map(({ targetId, signals: found }) => [targetId, found]),
    [[two.id, [{ kind: "contact details", figure: 1 }]]],
  );

  // Another figure says nothing new about the dismissed listing, another signal does.
  const four = await addPhone(db, nokia);
  await db
    .update(phones)
    .set({ sellingReason: `${sellingReason} Or ada@example.com.` })
    .where(eq(phones.id, one.id));
  await searchSignals(db);
  assert.deepEqual((await signalled(db)).toSorted(), [three.id, four.id].toSorted());
  await addSales(db, { ...nokia, sellingReason: "" }, [30_000, 30_000, 30_000]);
  await db.update(phones).set({ sellingCents: 9_000 }).where(eq(phones.id, one.id));
  await searchSignals(db);
  const [newest] = (await listSignals(db, system, null)).rows;
  assert.deepEqual(
    [newest?.targetId, newest?.signals.map(({ kind }) => kind)],
    [one.id, ["low price", "contact details"]],
  );
  await db.update(phones).set({ sellingReason: "" }).where(eq(phones.id, three.id));
  await decide(db, moderator, "listing", four.id, decision("hide"), null);
  await searchSignals(db);
  assert.deepEqual(await signalled(db), [one.id]);
};

export const anImportWithTheReasonsOfAnotherSellerIsOneSignalPerReason = async (db: Db) => {
  const moderator = await addAccount(db, { userType: "Admin" });
  const reasons = [
    "I have bought a newer one, so this is for sale.",
    "Traded in at our shop, and checked by us.",
  ];
  const addShop = async () => {
    const seller = await addAccount(db, { userType: "Seller" });
    const added: string[] = [];
    for (let count = 0; count < 6; count += 1) {
      const sellingReason = reasons[count % 2] ?? "";
      added.push((await addPhone(db, { sellerId: seller.id, sellingReason })).id);
    }
    return added;
  };
  const [, copied] = [await addShop(), await addShop()];
  const searched = async () => {
    await searchSignals(db);
    return (await signalled(db)).toSorted();
  };
  const [, , third = "", , fifth = "", sixth = ""] = copied;
  const newest = [fifth, sixth].toSorted();
  assert.deepEqual([await searched(), await searched()], [newest, newest]);
  // What is dismissed covers the others with its text, what else is decided does not.
  const decided = async (id: string, kind: Choice["decision"]) =>
    assert.ok((await decide(db, moderator, "listing", id, decision(kind), null)).id);
  await decided(sixth, "dismiss");
  assert.deepEqual(await searched(), [fifth]);
  await decided(fifth, "hide");
  assert.deepEqual(await searched(), [third]);
  await decided(third, "warn");
  assert.deepEqual([await searched(), await searched()], [copied.slice(0, 1), copied.slice(0, 1)]);
  await decided(copied[0] ?? "", "dismiss");
  assert.deepEqual(await searched(), []);
  // Another text is another matter, and so is another seller.
  const sellingReason = "My daughter wants another color, so it has to go.";
  for (let count = 0; count < 3; count += 1) await addPhone(db, { sellingReason });
  const [copier] = await db.select().from(phones).where(eq(phones.id, sixth));
  const { id } = await addPhone(db, { sellingReason, sellerId: copier?.sellerId });
  assert.deepEqual(await searched(), [id]);
  await decided(id, "hide");
  assert.deepEqual(await searched(), []);
  const shop = await addShop();
  assert.deepEqual(await searched(), shop.slice(-2).toSorted());
  // What is not listed anymore has no signal, so that another listing of its seller has it.
  await db
    .update(phones)
    .set({ hiddenById: "some removal" })
    .where(isOneOf(phones.id, shop.slice(-1)));
  assert.deepEqual(await searched(), shop.slice(-3, -1).toSorted());
};

export const eachListingHasItsTurnAndNewOnesAtOnce = async (db: Db) => {
  const sellingReason = "I have bought a newer one, so this one is for sale.";
  for (const number of [10, 310, 610]) {
    const { id } = await addPhone(db, { sellingReason });
    await db.update(phones).set({ number }).where(eq(phones.id, id));
  }
  const runs = [0, 1, 2].map((run) => new Date((30_000 + run) * 600_000));
  const counts: number[] = [];
  for (const run of runs) {
    await searchSignals(db, run);
    counts.push((await signalled(db)).length);
  }
  assert.deepEqual(counts, [1, 2, 3]);
  const seller = await addAccount(db, { userType: "Seller" });
  const added = await publish(db, seller, { ...device, sellingReason }, null);
  await searchSignals(db, runs[0]);
  assert.ok((await signalled(db)).includes(added));
};

export const signalsWereLookedForUnlessThatFailed = async (db: Db) => {
  const isKnown = async () => Boolean(await findLastRunOf(db, "signals"));
  assert.equal(await isKnown(), false);
  await recordJobRun(db, ["photos"]);
  assert.equal(await isKnown(), true);
  await recordJobRun(db, ["signals"]);
  assert.equal(await isKnown(), false);
};

export const manyAccountsOfOneAddressAreASignal = async (db: Db) => {
  const people = await Promise.all([1, 2, 3, 4].map(() => addAccount(db, { userType: "Seller" })));
  const [first, second, third, fourth] = people.map(({ id }) => id);
  assert.ok(first && second && third && fourth);
  const eightDaysAgo = new Date(Date.now() - 8 * dayMs);
  await db.batch(recordingSignUpAddress(db, first, "hash", eightDaysAgo));
  for (const id of [second, third, fourth]) await db.batch(recordingSignUpAddress(db, id, "hash"));
  assert.deepEqual(await signalsOf(db, "seller", second, second), []);
  await db.batch(recordingSignUpAddress(db, first, "hash"));
  const burst = ["3 other accounts were made from the same network address within 7 days."];
  assert.deepEqual(await signalsOf(db, "seller", second, second), burst);
  await searchSignals(db);
  assert.deepEqual((await signalled(db)).toSorted(), [first, second, third, fourth].toSorted());
  assert.ok((await findCase(db, "seller", first))?.choices.includes("dismiss"));
  // The signal outlasts the records of the sign-ups, for a while.
  await db.batch(
    recordingSignUpAddress(db, (await addAccount(db)).id, "other", new Date(Date.now() + 8 * dayMs)),
  );
  assert.deepEqual(await signalsOf(db, "seller", second, second), burst);
  const moderator = await addAccount(db, { userType: "Admin" });
  await decide(db, moderator, "seller", first, decision("suspend"), null);
  assert.deepEqual((await signalled(db)).toSorted(), [second, third, fourth].toSorted());
  await searchSignals(db, new Date(Date.now() + 31 * dayMs));
  assert.deepEqual(await signalled(db), []);
};

export const tradingOnlyWithEachOtherIsASignal = async (db: Db) => {
  const [one, two, other] = await Promise.all([1, 2, 3].map(() => addAccount(db, { userType: "Seller" })));
  assert.ok(one && two && other);
  const trade = async (seller: typeof one, buyer: typeof one) => {
    const { id } = await addPhone(db, { sellerId: seller.id });
    const { orderId } = await bookWithoutLimits(db, buyer, id, { address: "", phone: "" });
    return orderId ?? "";
  };
  await trade(one, two);
  assert.deepEqual(await signalsOf(db, "seller", one.id, one.id), []);
  await trade(two, one);
  const pair = ["All 2 orders of the owner are with one other account, which trades with nobody else."];
  for (const { id } of [one, two]) assert.deepEqual(await signalsOf(db, "seller", id, id), pair);
  await searchSignals(db);
  assert.deepEqual((await signalled(db)).toSorted(), [one.id, two.id].toSorted());
  await db.delete(signals);

  // A cancelled order does not count; one with somebody else of either side ends the signal.
  const cancelled = await trade(other, two);
  await cancelOrder(db, two, cancelled);
  assert.deepEqual(await signalsOf(db, "seller", one.id, one.id), pair);
  await trade(other, two);
  for (const { id } of [one, two, other]) assert.deepEqual(await signalsOf(db, "seller", id, id), []);
};

export const tradingWithAnAccountOfTheSameAddressIsASignal = async (db: Db) => {
  const [seller, buyer, neighbor] = await Promise.all([1, 2, 3].map(() => addAccount(db)));
  assert.ok(seller && buyer && neighbor);
  for (const { id } of [seller, buyer]) await db.batch(recordingSignUpAddress(db, id, "hash"));
  await db.batch(recordingSignUpAddress(db, neighbor.id, "other"));
  assert.deepEqual(await signalsOf(db, "seller", seller.id, seller.id), []);
  for (const account of [buyer, neighbor]) {
    const { id } = await addPhone(db, { sellerId: seller.id });
    await bookWithoutLimits(db, account, id, { address: "", phone: "" });
  }
  const expected = [
    "The owner traded with 1 account that was made from the same network address within 7 days.",
  ];
  for (const { id } of [seller, buyer]) assert.deepEqual(await signalsOf(db, "seller", id, id), expected);
  assert.deepEqual(await signalsOf(db, "seller", neighbor.id, neighbor.id), []);
};

export const theMostReportedComeFirst = async (db: Db) => {
  const reporters = await Promise.all([1, 2, 3].map(() => addAccount(db)));
  const rows: { id: string; reports: number }[] = [];
  for (let index = 0; index < 23; index += 1) {
    const { id } = await addPhone(db);
    const reports = 1 + (index % 3);
    for (const reporter of reporters.slice(0, reports))
      await reportContent(db, reporter, "listing", id, spam);
    rows.push({ id, reports });
  }
  const expected = rows.toSorted((a, b) => b.reports - a.reports).map(({ id }) => id);
  const first = await listReported(db, system, null);
  const second = await listReported(db, system, { after: first.next ?? "" });
  const back = await listReported(db, system, { before: second.previous ?? "" });
  const ids = (page: typeof first) => page.rows.map(({ targetId }) => targetId);
  assert.deepEqual([...ids(first), ...ids(second)], expected);
  assert.deepEqual(ids(back), ids(first));
};

const written = (text: string) => ({ text, formKey: null });

async function askSeller(db: Db, text: string) {
  const seller = await addAccount(db, { name: "Sella Mair", userType: "Seller" });
  const buyer = await addAccount(db, { name: "Bea Lind" });
  const phone = await addPhone(db, { sellerId: seller.id });
  const { conversationId = "" } = await sendFirstMessage(db, buyer, { phone: phone.id }, written(text));
  const [message] = await db.select().from(messages).where(eq(messages.conversationId, conversationId));
  return { seller, buyer, phone, conversationId, messageId: message?.id ?? "" };
}

const insult = { reason: "threats", details: "" } as const;

export const onlyTheOtherSideReportsAMessage = async (db: Db) => {
  const { seller, buyer, conversationId, messageId } = await askSeller(db, "You are a thief!");
  const refusal = async (viewer: typeof seller) =>
    (await reportContent(db, viewer, "message", messageId, insult)).refusal;
  assert.equal(await refusal(await addAccount(db)), "not found");
  assert.equal(await refusal(await addAccount(db, { userType: "Admin" })), "not found");
  assert.equal(await refusal(buyer), "own");
  assert.deepEqual([await refusal(seller), await refusal(seller)], [undefined, undefined]);
  const target = await findReportTarget(db, seller, "message", messageId);
  assert.deepEqual(
    [target?.isReported, target?.path],
    [true, `/manage/messages/${conversationId}#message-${messageId}`],
  );
  const [row] = (await listReported(db, system, null)).rows;
  assert.deepEqual([row?.kind, row?.name, row?.reports], ["message", "Message from Bea Lind", 1]);
};

export const aMessageIsNamedWhereItIsShown = async (db: Db) => {
  const moderator = await addAccount(db, { userType: "Admin" });
  const { seller, buyer, messageId } = await askSeller(db, "You are a thief!");
  await reportContent(db, seller, "message", messageId, { reason: "threats", details: "" });
  await alertModerators(db);
  const [urgent] = (await listNotifications(db, moderator, null)).rows;
  assert.match(urgent?.text ?? "", /threats or harassment, Message from Bea Lind\.$/);
  const work = async (only: WorkKind) => (await listWork(db, moderator, { only })).rows[0]?.subject;
  assert.equal(await work("reports"), "Message from Bea Lind");
  const { id = "" } = await decide(db, moderator, "message", messageId, decision("hide"), null);
  await appealDecision(db, buyer, id, "It was a joke.");
  assert.equal((await listAppealed(db, moderator, null)).rows[0]?.name, "Message from Bea Lind");
  assert.equal(await work("appeals"), "Message from Bea Lind");
  let exported = "";
  for await (const part of exportAccountData(db, buyer)) exported += part;
  assert.match(exported, /"target":"Message from Bea Lind"/);
  assert.equal((await undoWithoutLimits(db, moderator, id)).result, "undone");
  assert.deepEqual((await listActivity(db, system, null)).rows.map(activityTargetText), [
    "Message from Bea Lind",
    "Message from Bea Lind",
  ]);
  const stored = await db.select().from(decisions);
  assert.deepEqual(
    stored.map(({ target }) => target),
    ["Bea Lind"],
  );
};

export const moderatorsSeeAMessageInItsConversation = async (db: Db) => {
  const { seller, buyer, conversationId } = await askSeller(db, "0");
  for (let number = 1; number <= 14; number += 1) {
    await sendMessage(db, number % 2 ? seller : buyer, conversationId, written(`${number}`));
  }
  const [seventh] = await db.select().from(messages).where(eq(messages.text, "7"));
  assert.equal(await findCase(db, "message", seventh?.id ?? ""), null);
  await reportContent(db, buyer, "message", seventh?.id ?? "", insult);
  const found = await findCase(db, "message", seventh?.id ?? "");
  assert.equal(found?.owner?.id, seller.id);
  assert.deepEqual(
    found?.content.message?.around.map(({ text }) => Number(text)),
    [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
  );
  assert.deepEqual(found?.content.message?.people.map(({ name, isBuyer }) => [name, isBuyer]).toSorted(), [
    ["Bea Lind", true],
    ["Sella Mair", false],
  ]);
  assert.deepEqual(found?.choices, ["dismiss", "warn", "hide", "suspend"]);
};

export const hiddenMessagesAreHiddenFromBothSides = async (db: Db) => {
  const moderator = await addAccount(db, { userType: "Admin" });
  const { seller, buyer, conversationId, messageId } = await askSeller(db, "You are a thief!");
  await reportContent(db, seller, "message", messageId, insult);
  const { id = "" } = await decide(db, moderator, "message", messageId, decision("hide"), null);
  const shown = async (viewer: typeof seller) => {
    const [listed] = (await listConversations(db, viewer, null)).rows;
    const thread = await findConversation(db, viewer, conversationId, null);
    return [listed?.excerpt, ...(thread?.messages ?? []).flatMap(({ text, hidden }) => [text, hidden])];
  };
  assert.deepEqual(await shown(seller), ["", "", true]);
  assert.deepEqual(await shown(buyer), ["", "", true]);
  const found = await findCase(db, "message", messageId);
  assert.deepEqual(
    [found?.content.message?.isHidden, found?.choices],
    [true, ["reverse", "warn", "suspend"]],
  );
  assert.equal((await reportContent(db, seller, "message", messageId, insult)).refusal, "not found");
  assert.ok((await notified(db, buyer.id)).includes(`/manage/decisions/${id}`));
  assert.equal((await undoWithoutLimits(db, moderator, id)).result, "undone");
  assert.deepEqual(await shown(seller), ["You are a thief!", "You are a thief!", false]);

  // An appeal can reverse it, and undoing that hides it again.
  const again = await decide(db, moderator, "message", messageId, decision("hide"), null);
  assert.equal(await appealDecision(db, buyer, again.id ?? "", "It was a joke."), true);
  const reversed = await decide(db, moderator, "message", messageId, decision("reverse"), null);
  assert.equal((await shown(buyer))[1], "You are a thief!");
  assert.equal((await undoWithoutLimits(db, moderator, reversed.id ?? "")).result, "undone");
  assert.equal((await shown(buyer))[1], "");
};

export const theSameMessageToManyIsASignal = async (db: Db) => {
  const words = "Write to me at my own address, it is cheaper there.";
  const sender = await addAccount(db);
  const send = async (text: string) =>
    sendFirstMessage(db, sender, { phone: (await addPhone(db)).id }, written(text));
  await send(words);
  const { conversationId = "" } = await send(words);
  // Repeated in one conversation, or too short to mean anything.
  await sendMessage(db, sender, conversationId, written(words));
  for (let count = 0; count < 4; count += 1) await send("Still for sale?");
  assert.deepEqual(await signalsOf(db, "seller", sender.id, sender.id), []);
  await send(words);
  assert.deepEqual(await signalsOf(db, "seller", sender.id, sender.id), [
    "The owner has sent the same message, word for word, in 3 conversations.",
  ]);
  await searchSignals(db);
  assert.ok((await signalled(db)).includes(sender.id));
};

const device = {
  ...{ brandName: "Sony", model: "Xperia 5", ram: "8 GB", rom: "256 GB", camera: "12 MP" },
  ...{ processor: "Snapdragon 865", os: "Android", deviceType: "Smart Phone", battery: "4000 mAh" },
  ...{ image: "https://pictures.example/x.jpg", sellingReason: "Too small.", usedTime: "14" },
  ...{ marketPrice: 94_900, sellingPrice: 34_950, postDate: "2026-11-20" },
} as Parameters<typeof publish>[2];

export const firstListingsAreHeldUntilApproved = async (db: Db) => {
  const moderator = await addAccount(db, { userType: "Admin" });
  const seller = await addAccount(db, { userType: "Seller" });
  const key = crypto.randomUUID();
  const first = await publish(db, seller, device, key, true);
  assert.equal(await publish(db, seller, device, key, true), first);
  const second = await publish(db, seller, device, null, true);
  assert.deepEqual(await listedIds(db), []);
  const held = async () => (await listHeld(db, system, null)).rows.map(({ targetId }) => targetId);
  assert.deepEqual(await held(), [first, second]);
  assert.deepEqual(
    (await listSellings(db, seller, null)).rows.map(({ hiddenBy }) => hiddenBy),
    ["hold", "hold"],
  );

  // Its search alerts begin with the approval.
  await db.delete(unmatchedListings);
  const approved = await decide(db, moderator, "listing", first, decision("approve"), null);
  assert.deepEqual(await listedIds(db), [first]);
  assert.deepEqual(await held(), [second]);
  assert.deepEqual(
    (await db.select().from(unmatchedListings)).map(({ phoneId }) => phoneId),
    [first],
  );
  assert.deepEqual(await notified(db, seller.id), [`/manage/decisions/${approved.id}`]);
  assert.equal((await undoWithoutLimits(db, moderator, approved.id ?? "")).result, "undone");
  assert.deepEqual(await listedIds(db), []);
  assert.deepEqual(await held(), [first, second]);

  await decide(db, moderator, "listing", first, decision("approve"), null);
  const third = await publish(db, seller, device, null, true);
  assert.deepEqual(await listedIds(db), [third, first]);
};

export const allFirstListingsOfASellerAreApprovedAtOnce = async (db: Db) => {
  const moderator = await addAccount(db, { userType: "Admin" });
  const [seller, other] = [await addAccount(db), await addAccount(db)];
  const ids: string[] = [];
  for (let count = 0; count < 3; count += 1) ids.push(await publish(db, seller, device, null, true));
  const [first = "", second = ""] = ids;
  const ofOther = await publish(db, other, device, null, true);
  await decide(db, moderator, "listing", second, decision("hide"), null);
  assert.equal((await findCase(db, "listing", first))?.othersHeld, 1);
  const key = crypto.randomUUID();
  const approved = await decide(db, moderator, "listing", first, decision("approve"), key);
  const others = await approveOtherListings(db, moderator, first, key);
  assert.deepEqual(await approveOtherListings(db, moderator, first, key), others);
  assert.deepEqual((await listedIds(db)).toSorted(), [first, ids[2]]);
  assert.deepEqual(
    (await listHeld(db, system, null)).rows.map(({ targetId }) => targetId),
    [ofOther],
  );
  assert.equal((await notified(db, seller.id)).length, 3);

  for (const id of [approved.id ?? "", ...others])
    assert.equal((await undoWithoutLimits(db, moderator, id)).result, "undone");
  assert.deepEqual(await listedIds(db), []);
  // Nobody approves their own, and sellers approve nothing.
  assert.deepEqual(await approveOtherListings(db, seller, first, crypto.randomUUID()), []);
  assert.deepEqual(await approveOtherListings(db, other, first, crypto.randomUUID()), []);
  assert.deepEqual(await listedIds(db), []);
};

export const whatChangesMeanwhileIsNotApprovedWithTheOthers = async (db: Db) => {
  const moderator = await addAccount(db, { userType: "Admin" });
  const other = await addAccount(db, { userType: "Admin" });
  const seller = await addAccount(db, { userType: "Seller" });
  const ids: string[] = [];
  for (let count = 0; count < 4; count += 1) ids.push(await publish(db, seller, device, null, true));
  const [first = "", withdrawn = "", approved = "", last = ""] = ids;
  const key = crypto.randomUUID();
  await removeListing(db, seller, withdrawn);
  assert.equal((await decide(db, other, "listing", approved, decision("approve"), null)).refusal, undefined);
  const own = await decide(db, moderator, "listing", first, decision("approve"), key);
  const others = await approveOtherListings(db, moderator, first, key);
  assert.deepEqual((await listedIds(db)).toSorted(), [first, approved, last]);
  // What another moderator has approved stays, and what was withdrawn stays away.
  for (const id of [own.id ?? "", ...others])
    assert.equal((await undoWithoutLimits(db, moderator, id)).result, "undone");
  assert.deepEqual(await listedIds(db), [approved]);
  const suspension = decisionSchema.parse({ decision: "suspend", reason: "So.", days: "7" });
  await decide(db, moderator, "seller", seller.id, suspension, null);
  await approveFirstListings(db, moderator, seller.id, crypto.randomUUID());
  assert.deepEqual(await listedIds(db), []);
};

export const listingsOfKnownSellersAreNotHeld = async (db: Db) => {
  const isListed = async (id: string) =>
    (await db.select().from(phones).where(eq(phones.id, id)))[0]?.hiddenById === null;
  const newcomer = await addAccount(db, { userType: "Seller" });
  const publishAs = async (seller: typeof newcomer, holds = true) =>
    isListed(await publish(db, seller, device, null, holds));
  assert.equal(await publishAs(newcomer, false), true);
  assert.equal(await publishAs(newcomer), true);
  assert.equal(await publishAs(await addAccount(db, { userType: "Seller", verified: true })), true);
  assert.equal(await publishAs(await addAccount(db, { userType: "Admin" })), true);
  // A listing that was hidden before anybody approved it proves nothing.
  const moderator = await addAccount(db, { userType: "Admin" });
  const seller = await addAccount(db, { userType: "Seller" });
  const first = await publish(db, seller, device, null, true);
  await decide(db, moderator, "listing", first, decision("hide"), null);
  assert.equal(await publishAs(seller), false);
};

export const administratorsFindHiddenListings = async (db: Db) => {
  const moderator = await addAccount(db, { userType: "Admin" });
  const seller = await addAccount(db, { userType: "Seller" });
  const hidden = await publish(db, seller, device, null);
  const shown = await publish(db, seller, device, null);
  const removed = await publish(db, seller, device, null);
  await reported(db, hidden);
  await reported(db, removed);
  await decide(db, moderator, "listing", hidden, decision("hide"), null);
  await decide(db, moderator, "listing", removed, decision("remove"), null);
  const words = `${device.brandName} ${device.model}`;
  const foundBy = async (text: string) =>
    (await findRecords(db, moderator, text, [])).listings.map(({ id, hiddenBy }) => [id, hiddenBy]);
  assert.deepEqual(await foundBy(words), [
    [shown, null],
    [hidden, "hide"],
  ]);
  assert.deepEqual(await foundBy(hidden), [[hidden, "hide"]]);
  // Sizes, in words as well.
  const size = device.rom.replace(" GB", "");
  for (const typed of [`${words} ${size}gb`, `${size} GB ${words}`, `${words} ${size}`])
    assert.deepEqual([typed, (await foundBy(typed)).length], [typed, 2]);
  for (const typed of [`${words} 32gb`, `${words} 1 TB`]) assert.deepEqual(await foundBy(typed), []);

  const details = await findUserDetails(db, moderator, seller.id);
  assert.equal(details?.listings.count, 2);
  assert.deepEqual(
    details.listings.rows.map(({ id, hiddenBy }) => [id, hiddenBy]),
    [
      [shown, null],
      [hidden, "hide"],
    ],
  );
  assert.equal(details.reported.count, 2);
  assert.deepEqual(
    details.reported.rows.map(({ targetId, reports, open }) => [targetId, reports, open]),
    [
      [removed, 1, 0],
      [hidden, 1, 0],
    ],
  );
  assert.deepEqual(
    details.actions.rows.map(({ action, isOfAccount }) => [action, isOfAccount]),
    [
      ["removed listing", false],
      ["hid content", false],
    ],
  );
};

export const decisionsAppearOnTheOwnersPage = async (db: Db) => {
  const moderator = await addAccount(db, { userType: "Admin" });
  const phone = await addPhone(db, { brandName: "Nokia", model: "8" });
  await reported(db, phone.id);
  const { id } = await decide(db, moderator, "listing", phone.id, decision("warn"), null);
  const found = await findUserDetails(db, system, phone.sellerId);
  assert.deepEqual(
    found?.decisions.rows.map((row) => [row.id, row.kind, row.target, row.targetId]),
    [[id, "warn", "Nokia 8", phone.id]],
  );
};

export const moderatorsAreToldOfUrgentReportsAtOnce = async (db: Db) => {
  const moderator = await addAccount(db, { moderatorSince: new Date() });
  const admin = await addAccount(db, { userType: "Admin" });
  await addAccount(db, { moderatorSince: new Date(), removalId: "removed" });
  const seller = await addAccount(db, { userType: "Seller" });
  const told = async (userId: string) =>
    (await db.select().from(notifications).where(eq(notifications.userId, userId)))
      .map(({ kind, subject, details, path }) => `${kind}: ${subjectText(subject, details)} at ${path}`)
      .sort();
  const [one, other] = [await addPhone(db, { sellerId: seller.id }), await addPhone(db)];
  await reported(db, one.id);
  await alertModerators(db);
  assert.deepEqual(await told(admin.id), []);
  const fraud = { reason: "stolen", details: "" } as const;
  await reportContent(db, await addAccount(db), "listing", other.id, fraud);
  await reportContent(db, await addAccount(db), "listing", other.id, fraud);
  for (let times = 0; times < 2; times += 1) await alertModerators(db);
  const path = `/manage/moderation/listing/${other.id}`;
  const urgent = `urgent case: stolen or counterfeit, ${other.brandName} ${other.model} at ${path}`;
  for (const { id } of [moderator, admin]) assert.deepEqual(await told(id), [urgent]);
  assert.equal(await db.$count(notifications), 2);
};
