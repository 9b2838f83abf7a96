import assert from "node:assert/strict";
import { eq, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import {
  activity,
  deviceVariants,
  orders,
  phones,
  photos,
  removals,
  savedListingChanges,
  savedListings,
  searchWords,
  users,
} from "#app/db/schema.ts";

import { addNote } from "#app/features/administration/notes.server.ts";
import { exportTable } from "#app/features/administration/table-exports.server.ts";
import { takeCase } from "#app/features/administration/work.server.ts";
import { removeListing } from "#app/features/listings/listing-removal.server.ts";
import { queueEditedListings } from "#app/features/listings/unmatched-listings.server.ts";
import { blockOtherSide } from "#app/features/messages/blocks.server.ts";
import { findConversation, listConversations } from "#app/features/messages/conversations.server.ts";
import { decide } from "#app/features/moderation/decisions/decide.server.ts";
import { reportContent } from "#app/features/moderation/reports/content-reports.server.ts";
import { cancelOrder } from "#app/features/orders/order-steps.server.ts";
import { listOrders } from "#app/features/orders/orders.server.ts";
import { closeAccount } from "#app/features/profile/account-closing.server.ts";
import { purgeRemovals } from "#app/features/profile/purging.server.ts";
import { listReviews } from "#app/features/reviews/reviews.server.ts";
import { saveListing } from "#app/features/saved-listings/saved-listings.server.ts";
import { matchListings } from "#app/features/saved-searches/search-alerts.server.ts";
import {
  answerTicket,
  changeTicketState,
  createTicket,
  findTicket,
  replyToAnswer,
} from "#app/features/support-tickets/tickets.server.ts";
import { dayMs } from "#app/time.ts";
import { bookWithoutLimits, undoWithoutLimits } from "../../harness/bookings.ts";
import { assertCountsMatch } from "../../harness/catalog-counts.ts";
import { addAccount, addPhone, addReceivedOrder, editPhone, removeUser } from "../../harness/fixtures.ts";
import { addTraces, allRows } from "../../harness/personal-traces.ts";

type Account = Awaited<ReturnType<typeof addAccount>>;
const inDays = (days: number) => new Date(Date.now() + days * dayMs);
const purgeAll = (db: Db) => purgeRemovals(db, inDays(31));
const listingIds = async (db: Db) => (await db.select({ id: phones.id }).from(phones)).map(({ id }) => id);

async function assertReferencesHold(db: Db) {
  assert.deepEqual(await db.all(sql`pragma foreign_key_check`), []);
  await assertCountsMatch(db, "the purge");
}

export const nothingOfARemovedPersonIsLeft = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const gone = await addTraces(db, admin, "Nils Holmqvist");
  const kept = await addTraces(db, admin, "Vera Berglund");
  const traces = async () => (await allRows(db)).filter((row) => /nils.holmqvist/i.test(row));
  const others = async () =>
    (await allRows(db)).filter((row) => row.includes(kept.person.id) && !row.startsWith("removals "));
  assert.ok(await removeUser(db, admin, gone.person.id));
  const [before, othersBefore] = [(await traces()).length, await others()];
  assert.ok(before > 15);
  await purgeRemovals(db, inDays(29));
  assert.ok((await traces()).length >= before - 1);

  await Promise.all([purgeAll(db), purgeAll(db)]);
  assert.deepEqual(await traces(), []);
  assert.deepEqual(await others(), othersBefore);
  assert.deepEqual(
    (await allRows(db)).filter((row) => /^(users|orders|decisions) .*Vera/i.test(row)).length,
    4,
  );
  await assertReferencesHold(db);

  // What stays for the other side.
  const [order] = await db.select().from(orders).where(eq(orders.id, gone.orderId));
  assert.deepEqual(
    [order?.buyerId, order?.buyerName, order?.priceCents, order?.stage],
    [gone.person.id, "Former member", 34_950, "received"],
  );
  const conversation = await findConversation(db, gone.other, gone.conversationId, null);
  assert.ok(JSON.stringify(conversation).includes("Not at all."));
  const shown = JSON.stringify([
    await listConversations(db, gone.other, null),
    await listReviews(db, gone.other.id, null),
  ]);
  assert.ok(shown.includes("Fast.") && shown.includes("Former member"));
  assert.equal((await listingIds(db)).includes(gone.unsold), false);
  assert.deepEqual(
    (await db.select().from(photos)).map(
      ({ phoneId, draftId, problemId }) => phoneId ?? draftId?.split("/")[0] ?? problemId,
    ),
    [null, null, null, kept.unsold, kept.person.id, kept.problemId],
  );
};

export const aPurgeContinuesWhereItWasCut = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const seller = await addAccount(db, { name: "Nils Holm", userType: "Seller" });
  const [saver, buyer] = [await addAccount(db), await addAccount(db)];
  for (let count = 0; count < 5; count += 1) await addPhone(db, { sellerId: seller.id });
  const listed = await listingIds(db);
  await saveListing(db, saver, listed[0] ?? "");
  const cancelled = await bookWithoutLimits(db, buyer, listed[1] ?? "", { address: "a", phone: "b" });
  await cancelOrder(db, buyer, cancelled.orderId ?? "");
  const soldId = (await listOrdersOf(db, seller, buyer)).phoneId;
  await db.update(phones).set({ details: { city: "Austin" } });
  assert.ok((await removeListing(db, seller, listed[4] ?? "")).removalId);
  assert.ok((await removeListing(db, seller, soldId)).removalId);
  assert.ok(await removeUser(db, admin, seller.id));
  await db.delete(savedListingChanges);

  const limit = { listings: 2, tickets: 1, accounts: 1, removals: 2, variants: 2 };
  const left: number[] = [];
  const purgeSome = (allowed: number) => purgeRemovals(stoppingAfter(db, allowed), inDays(31), limit);
  for (const allowed of [0, 1, 9, 1, 9]) {
    await purgeSome(allowed).catch((error: Error) => assert.equal(error.message, "killed"));
    left.push((await listingIds(db)).length);
    await assertReferencesHold(db);
  }
  assert.deepEqual(left, [6, 5, 3, 1, 1]);
  for (let run = 0; run < 3; run += 1) await purgeSome(9);
  assert.deepEqual(await listingIds(db), [soldId]);
  assert.equal(await db.$count(removals), 0);
  assert.equal((await db.select().from(users).where(eq(users.id, seller.id)))[0]?.name, "Former member");
  // The sold listing stays for its order, without the seller's words, and savers are not notified again.
  const [kept] = await db.select().from(phones);
  assert.deepEqual([kept?.sellingReason, kept?.details], ["", {}]);
  assert.equal((await listOrders(db, buyer, null)).rows.length, 1);
  assert.deepEqual([await db.$count(savedListings), await db.$count(savedListingChanges)], [0, 0]);
};

async function listOrdersOf(db: Db, seller: Account, buyer: Account) {
  const orderId = await addReceivedOrder(db, buyer, seller);
  const [order] = await db.select().from(orders).where(eq(orders.id, orderId));
  assert.ok(order);
  return order;
}

/** A database that fails after some batches, as if the run had been killed. */
function stoppingAfter(db: Db, batches: number): Db {
  let count = 0;
  return new Proxy(db, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name !== "batch") return typeof value === "function" ? value.bind(target) : value;
      return (...args: Parameters<Db["batch"]>) => {
        count += 1;
        if (count > batches) throw new Error("killed");
        return target.batch(...args);
      };
    },
  });
}

export const whatIsUndoneHiddenOrInUseIsNotPurged = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const seller = await addAccount(db, { userType: "Seller" });
  const buyer = await addAccount(db, { name: "Bea Lind" });
  const restored = await addPhone(db, { sellerId: seller.id });
  assert.equal(
    (await undoWithoutLimits(db, seller, (await removeListing(db, seller, restored.id)).removalId ?? ""))
      .result,
    "undone",
  );
  const sellerRemoval = (await removeUser(db, admin, seller.id)) ?? "";
  assert.equal((await undoWithoutLimits(db, admin, sellerRemoval)).result, "undone");
  const [hidden, taken] = [
    await addPhone(db, { sellerId: seller.id }),
    await addPhone(db, { sellerId: seller.id }),
  ];
  for (const [{ id }, decision] of [
    [hidden, "hide"],
    [taken, "remove"],
  ] as const) {
    await reportContent(db, buyer, "listing", id, { reason: "duplicate", details: "" });
    assert.ok((await decide(db, admin, "listing", id, { decision, reason: "No.", days: "7" }, null)).id);
  }
  const ordered = await addPhone(db, { sellerId: seller.id });
  const booked = await bookWithoutLimits(db, buyer, ordered.id, {
    address: "1 Harbour Street",
    phone: "12345",
  });
  assert.ok(await removeUser(db, admin, buyer.id));

  await purgeAll(db);
  assert.deepEqual(await listingIds(db), [restored.id, hidden.id, ordered.id]);
  assert.equal((await db.select().from(users).where(eq(users.id, seller.id)))[0]?.name, seller.name);
  // The seller still needs the address; when the order has ended, the buyer is erased.
  assert.equal((await db.select().from(orders))[0]?.buyerAddress, "1 Harbour Street");
  await cancelOrder(db, seller, booked.orderId ?? "", { bySeller: true });
  await purgeAll(db);
  assert.equal((await allRows(db)).filter((row) => /Bea Lind|Harbour/.test(row)).length, 0);
  assert.deepEqual((await db.select().from(removals)).length, 0);
  await assertReferencesHold(db);
};

export const theActivityLogNamesAClosedAdministratorForAMonth = async (db: Db) => {
  const [admin] = [await addAccount(db, { userType: "Admin" }), await addAccount(db, { userType: "Admin" })];
  const { person, conversationId } = await addTraces(db, admin, "Vera Berglund");
  await blockOtherSide(db, person, conversationId);
  assert.equal(await closeAccount(db, person, { passwordHash: person.passwordHash ?? "" }), "closed");
  // Closing erases the same at once.
  const left = (await allRows(db)).filter((row) => /vera.berglund/i.test(row));
  // An answer of the API stays for its day.
  assert.deepEqual(left.map((row) => row.split(" ")[0]).toSorted(), ["idempotency_keys"]);
  assert.equal(await closeAccount(db, admin, { passwordHash: admin.passwordHash ?? "" }), "closed");
  const actors = async () => new Set((await db.select().from(activity)).map(({ actorEmail }) => actorEmail));
  await purgeRemovals(db, inDays(29));
  assert.deepEqual(await actors(), new Set([admin.email]));
  await purgeAll(db);
  assert.deepEqual(await actors(), new Set(["Former member"]));
};

export const aReportIsErasedAYearAfterItWasClosed = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const written = (name: string) => ({
    name,
    email: ` ${name}@Example.com`,
    details: `${name} cannot log in.`,
  });
  const create = (name: string) => createTicket(db, written(name), null);
  const [closed, reopened, answered, open] = [
    await create("nils.closed"),
    await create("vera.reopened"),
    await create("ada.answered"),
    await create("otto.open"),
  ];
  for (const id of [closed, reopened, answered]) {
    assert.equal(await changeTicketState(db, admin, id, "closed"), true);
  }
  await addNote(db, admin, { kind: "report", id: closed }, { text: "Ask nils.closed.", formKey: null });
  assert.equal(await takeCase(db, admin, `/manage/reports/${open}`), "done");
  for (const q of ["nils.closed@example.com", "vera.reopened@example.com"]) {
    for await (const _lines of exportTable(db, admin, "reports", new URLSearchParams({ q })));
  }
  await replyToAnswer(db, reopened, { text: "It still fails.", formKey: null });
  assert.equal(await answerTicket(db, admin, answered, { text: "Now it works.", formKey: null }), "done");
  const named = async (name: string) => (await allRows(db)).filter((row) => row.includes(name)).length;

  await purgeRemovals(db, inDays(364));
  assert.ok((await named("nils.closed")) > 3);
  // Closing it again does not begin the year anew; reopening it does.
  await changeTicketState(db, admin, closed, "closed");
  await purgeRemovals(db, inDays(366));
  assert.equal(await named("nils.closed"), 0);
  for (const name of ["vera.reopened", "ada.answered", "otto.open"]) assert.ok((await named(name)) > 0, name);
  assert.equal(await findTicket(db, closed), null);
  const log = (await db.select().from(activity)).filter(({ targetId }) => targetId === closed);
  assert.deepEqual(
    log.map(({ action, target }) => [action, target]),
    [
      ["closed report", "Deleted report"],
      ["wrote note", "Deleted report"],
    ],
  );
};

export const whatNoListingIsCalledAnyMoreLeavesTheSearch = async (db: Db) => {
  const seller = await addAccount(db, { userType: "Seller" });
  const typed = (model: string, status: "available" | "sold" = "available") =>
    addPhone(db, { sellerId: seller.id, brandName: "Zonda", model, status });
  const gone = await typed("Call Nilsson 555");
  await typed("Wunder", "sold");
  await typed("Zebra");
  const edited = await typed("Mistyped");
  await db.batch([queueEditedListings(db, eq(phones.id, edited.id))]);
  await editPhone(db, edited.id, { model: "Zebra" });
  assert.ok((await removeListing(db, seller, gone.id)).removalId);

  const models = async () =>
    (await db.select().from(deviceVariants).orderBy(deviceVariants.id)).map(({ model }) => model);
  const words = async () => {
    const rows = await db.select().from(searchWords);
    const ours = ["call", "nilsson", "mistyped", "wunder", "zebra", "zonda"];
    return ours.filter((word) => rows.some((row) => row.word === word));
  };
  // A listing can be restored, and saved searches compare an edited one with what it was.
  await purgeRemovals(db, inDays(29));
  assert.deepEqual(await models(), ["Call Nilsson 555", "Wunder", "Zebra", "Mistyped"]);
  await purgeAll(db);
  assert.deepEqual(await models(), ["Wunder", "Zebra", "Mistyped"]);
  assert.deepEqual(await words(), ["mistyped", "wunder", "zebra", "zonda"]);
  await matchListings(db);
  await purgeAll(db);
  assert.deepEqual(await models(), ["Wunder", "Zebra"]);
  assert.deepEqual(await words(), ["wunder", "zebra", "zonda"]);
  await assertReferencesHold(db);
  // The same words can be typed again.
  await typed("Mistyped");
  assert.deepEqual(await words(), ["mistyped", "wunder", "zebra", "zonda"]);
};
