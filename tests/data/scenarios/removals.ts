import assert from "node:assert/strict";
import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { activity, phones, removals, sessions, users } from "#app/db/schema.ts";
import { authenticate } from "#app/features/accounts/passwords.server.ts";
import { findViewer, openSession } from "#app/features/accounts/sessions.server.ts";
import { createAccount } from "#app/features/accounts/sign-up.server.ts";
import { system } from "#app/features/accounts/viewer.ts";
import { verifySeller } from "#app/features/administration/user-actions.server.ts";
import { findUserDetails } from "#app/features/administration/user-details.server.ts";
import { asSellers } from "#app/features/administration/user-tables.rules.ts";
import { listUsers } from "#app/features/administration/users.server.ts";
import { listActivity } from "#app/features/audit/activity.server.ts";
import { removeListing } from "#app/features/listings/listing-removal.server.ts";
import { findPublishedListing } from "#app/features/listings/listings.server.ts";
import { decide } from "#app/features/moderation/decisions/decide.server.ts";
import { submitDecision } from "#app/features/order-problems/pending-decisions.server.ts";
import { cancelOrder } from "#app/features/orders/order-steps.server.ts";
import { listAllOrders, listOrders } from "#app/features/orders/orders.server.ts";
import { bookWithoutLimits, undoWithoutLimits } from "../../harness/bookings.ts";
import { addAccount, addPhone, addProblem, password, removeUser } from "../../harness/fixtures.ts";
import { browse } from "../../harness/search.ts";

const details = { address: "1 Harbour Street", phone: "+46 70 123 45 67" };
const actions = async (db: Db) =>
  (await listActivity(db, system, null)).rows.map(({ action, target }) => `${action}: ${target}`);
const listedIds = async (db: Db) => (await browse(db)).phones.map(({ id }) => id);

export const verifiesABuyerWhoHasPublished = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const [shop, reader] = [await addAccount(db, { name: "Ada Shop" }), await addAccount(db, { name: "Ada" })];
  await addPhone(db, { sellerId: shop.id });
  const found = async (q: string) =>
    (await listUsers(db, null, asSellers({ filters: { q } }))).rows.map(({ id }) => id);
  assert.deepEqual([await found("ada"), await found("reader")], [[shop.id], []]);
  const page = async (id: string) => (await findUserDetails(db, admin, id))?.user.sells;
  assert.deepEqual([await page(shop.id), await page(reader.id)], [true, false]);
  assert.ok((await verifySeller(db, admin, shop.id)).removalId);
  assert.deepEqual(await verifySeller(db, admin, reader.id), { refusal: "not found" });
};

export const verifiesASellerOnce = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const seller = await addAccount(db, { userType: "Seller", email: "nils@example.com" });
  const buyer = await addAccount(db);
  assert.ok((await verifySeller(db, admin, seller.id)).removalId);
  assert.deepEqual(await verifySeller(db, admin, seller.id), { refusal: "verified before" });
  assert.deepEqual(await verifySeller(db, admin, buyer.id), { refusal: "not found" });
  assert.deepEqual(await verifySeller(db, admin, "nobody"), { refusal: "not found" });
  const [row] = (await listUsers(db, null, { filters: { role: "Seller" } })).rows;
  assert.equal(row?.verified, true);
  assert.deepEqual(await actions(db), ["verified seller: nils@example.com"]);
};

export const removesAUserWithSessionsAndUnsoldPhones = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const seller = await addAccount(db, { userType: "Seller", email: "nils@example.com" });
  const buyer = await addAccount(db);
  const free = await addPhone(db, { sellerId: seller.id });
  const promised = await addPhone(db, { sellerId: seller.id });
  await bookWithoutLimits(db, buyer, promised.id, details);
  const session = await openSession(db, seller, { seconds: 60 });

  assert.ok(await removeUser(db, admin, seller.id));
  assert.equal(await findViewer(db, session), null);
  assert.deepEqual(await db.select().from(sessions), []);
  assert.deepEqual(await authenticate(db, { email: seller.email, password }), { refusal: "disabled" });
  assert.equal(await findPublishedListing(db, free.id), null);
  // A reserved phone stays with its seller's name until the order ends.
  assert.deepEqual(await listedIds(db), [promised.id]);
  assert.equal((await findPublishedListing(db, promised.id))?.sellerName, seller.name);
  assert.deepEqual(await bookWithoutLimits(db, buyer, free.id, details), {
    refusal: { reason: "unknown phone" },
  });
  assert.ok(!(await listUsers(db, null)).rows.some(({ id }) => id === seller.id));

  const [order] = (await listOrders(db, buyer, null)).rows;
  assert.ok(order);
  assert.ok((await cancelOrder(db, buyer, order.id)).removalId);
  assert.deepEqual(await listedIds(db), []);
  assert.equal(await removeUser(db, admin, seller.id), null);
  assert.deepEqual(await actions(db), ["deleted user: nils@example.com"]);
};

export const keepsARemovedBuyersOrders = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const buyer = await addAccount(db);
  const phone = await addPhone(db);
  await bookWithoutLimits(db, buyer, phone.id, details);
  assert.ok(await removeUser(db, admin, buyer.id));
  assert.equal((await findPublishedListing(db, phone.id))?.status, "reserved");
  // Administrators still see the order, and can cancel it.
  const [order] = (await listAllOrders(db, null)).rows;
  const removal = (await cancelOrder(db, admin, order?.id ?? "")).removalId;
  assert.equal((await findPublishedListing(db, phone.id))?.status, "available");
  assert.equal((await undoWithoutLimits(db, admin, removal ?? "")).result, "impossible");
  assert.equal((await findPublishedListing(db, phone.id))?.status, "available");
};

export const restoresNoOrderOfARemovedSeller = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const seller = await addAccount(db, { userType: "Seller" });
  const buyer = await addAccount(db);
  const phone = await addPhone(db, { sellerId: seller.id });
  await bookWithoutLimits(db, buyer, phone.id, details);
  await removeUser(db, admin, seller.id);
  const [order] = (await listOrders(db, buyer, null)).rows;
  const removal = (await cancelOrder(db, buyer, order?.id ?? "")).removalId;
  assert.equal(await findPublishedListing(db, phone.id), null);
  assert.equal((await undoWithoutLimits(db, buyer, removal ?? "")).result, "impossible");
  assert.equal(await findPublishedListing(db, phone.id), null);
};

export const confirmsARepeatedUndo = async (db: Db) => {
  const seller = await addAccount(db, { userType: "Seller" });
  const phone = await addPhone(db, { sellerId: seller.id });
  const removal = (await removeListing(db, seller, phone.id)).removalId ?? "";
  const outcomes = await Promise.all([1, 2, 3].map(() => undoWithoutLimits(db, seller, removal)));
  assert.deepEqual(outcomes, Array(3).fill({ kind: "phone", result: "undone" }));
  assert.deepEqual(await listedIds(db), [phone.id]);
};

export const refusesToRemoveTheLastAdministrator = async (db: Db) => {
  const [one, other] = [
    await addAccount(db, { userType: "Admin" }),
    await addAccount(db, { userType: "Admin" }),
  ];
  assert.equal(await removeUser(db, one, one.id), null);
  assert.equal(await removeUser(db, await addAccount(db), one.id), null);
  // Of two administrators who remove each other, the second has lost the role.
  const removed = await Promise.all([removeUser(db, one, other.id), removeUser(db, other, one.id)]);
  assert.equal(removed.filter(Boolean).length, 1);
  const left = (await listUsers(db, null)).rows.filter(({ userType }) => userType === "Admin");
  assert.equal(left.length, 1);
};

export const restoresAUserWithPhones = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const seller = await addAccount(db, { userType: "Seller", email: "nils@example.com" });
  const [kept, gone] = [
    await addPhone(db, { sellerId: seller.id }),
    await addPhone(db, { sellerId: seller.id }),
  ];
  assert.ok((await removeListing(db, seller, gone.id)).removalId);
  const removal = await removeUser(db, admin, seller.id);
  assert.ok(removal);
  assert.equal(
    (await undoWithoutLimits(db, await addAccount(db, { userType: "Admin" }), removal)).result,
    "too late",
  );
  assert.equal((await undoWithoutLimits(db, admin, removal)).result, "undone");
  // Restores exactly what this removal took, not the phone removed before it.
  assert.deepEqual(await listedIds(db), [kept.id]);
  const { viewer } = await authenticate(db, { email: seller.email, password });
  assert.equal(viewer?.id, seller.id);
  assert.equal((await undoWithoutLimits(db, admin, removal)).result, "undone");
  assert.deepEqual(await actions(db), ["undid deletion: nils@example.com", "deleted user: nils@example.com"]);
};

export const refusesToRestoreAUserWhoseEmailIsInUse = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const seller = await addAccount(db, { userType: "Seller", email: "nils@example.com" });
  await addPhone(db, { sellerId: seller.id });
  const removal = await removeUser(db, admin, seller.id);
  assert.ok(await createAccount(db, { name: "N", email: "NILS@example.com", password, userType: "Buyer" }));
  assert.equal((await undoWithoutLimits(db, admin, removal ?? "")).result, "impossible");
  assert.deepEqual(await listedIds(db), []);
  assert.deepEqual(await actions(db), ["deleted user: nils@example.com"]);
};

export const removesAndRestoresAListing = async (db: Db) => {
  const seller = await addAccount(db, { userType: "Seller" });
  const phone = await addPhone(db, { sellerId: seller.id });
  const stranger = await addAccount(db, { userType: "Seller" });
  assert.equal((await removeListing(db, stranger, phone.id)).refusal, "not found");
  const removal = (await removeListing(db, seller, phone.id)).removalId;
  assert.ok(removal);
  assert.equal((await removeListing(db, seller, phone.id)).refusal, "not found");
  assert.deepEqual(await listedIds(db), []);
  assert.equal((await undoWithoutLimits(db, stranger, removal)).result, "too late");
  assert.equal((await undoWithoutLimits(db, seller, removal)).result, "undone");
  assert.deepEqual(await listedIds(db), [phone.id]);
  // A seller's own changes are not logged.
  assert.deepEqual(await db.select().from(activity), []);
};

export const logsAdministratorsChangesOfOthersData = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const buyer = await addAccount(db);
  const seller = await addAccount(db, { userType: "Seller" });
  const phone = await addPhone(db, { brandName: "Sony", model: "Xperia 5", sellerId: seller.id });
  await bookWithoutLimits(db, buyer, phone.id, details);
  const [order] = (await listOrders(db, buyer, null)).rows;
  assert.equal((await removeListing(db, admin, phone.id)).refusal, "reserved");
  const cancelled = (await cancelOrder(db, admin, order?.id ?? "")).removalId;
  assert.equal((await undoWithoutLimits(db, admin, cancelled ?? "")).result, "undone");
  await cancelOrder(db, admin, order?.id ?? "");
  const removal = (await removeListing(db, admin, phone.id)).removalId;
  assert.equal((await undoWithoutLimits(db, admin, removal ?? "")).result, "undone");
  assert.deepEqual((await actions(db)).toReversed(), [
    "deleted order: Sony Xperia 5",
    "undid deletion: Sony Xperia 5",
    "deleted order: Sony Xperia 5",
    "deleted listing: Sony Xperia 5",
    "undid deletion: Sony Xperia 5",
  ]);
};

export const restoresAnOrderUnlessThePhoneIsReserved = async (db: Db) => {
  const [buyer, next] = [await addAccount(db), await addAccount(db)];
  const phone = await addPhone(db);
  await bookWithoutLimits(db, buyer, phone.id, details);
  const [order] = (await listOrders(db, buyer, null)).rows;
  const first = (await cancelOrder(db, buyer, order?.id ?? "")).removalId;
  assert.equal((await undoWithoutLimits(db, buyer, first ?? "")).result, "undone");
  assert.deepEqual((await listOrders(db, buyer, null)).rows, [order]);
  assert.equal((await findPublishedListing(db, phone.id))?.status, "reserved");

  const second = (await cancelOrder(db, buyer, order?.id ?? "")).removalId;
  assert.ok("orderId" in (await bookWithoutLimits(db, next, phone.id, details)));
  assert.equal((await undoWithoutLimits(db, buyer, second ?? "")).result, "impossible");
  assert.deepEqual((await listOrders(db, buyer, null)).rows, []);
  assert.equal((await listOrders(db, next, null)).rows.length, 1);
};

export const refusesToRestoreAnOrderOfARemovedPhone = async (db: Db) => {
  const buyer = await addAccount(db);
  const seller = await addAccount(db, { userType: "Seller" });
  const phone = await addPhone(db, { sellerId: seller.id });
  await bookWithoutLimits(db, buyer, phone.id, details);
  const [order] = (await listOrders(db, buyer, null)).rows;
  const removal = (await cancelOrder(db, buyer, order?.id ?? "")).removalId;
  assert.ok((await removeListing(db, seller, phone.id)).removalId);
  assert.equal((await undoWithoutLimits(db, buyer, removal ?? "")).result, "impossible");
  assert.deepEqual(await listedIds(db), []);
};

export const undoesWithinTenMinutesOnly = async (db: Db) => {
  const seller = await addAccount(db, { userType: "Seller" });
  const phone = await addPhone(db, { sellerId: seller.id });
  const removal = (await removeListing(db, seller, phone.id)).removalId ?? "";
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  await db
    .update(removals)
    .set({ createdAt: minutesAgo(11) })
    .where(eq(removals.id, removal));
  assert.equal((await undoWithoutLimits(db, seller, removal)).result, "too late");
  await db
    .update(removals)
    .set({ createdAt: minutesAgo(9) })
    .where(eq(removals.id, removal));
  assert.equal((await undoWithoutLimits(db, seller, removal)).result, "undone");
};

export const removesAListingOnceForConcurrentRequests = async (db: Db) => {
  const seller = await addAccount(db, { userType: "Seller" });
  const phone = await addPhone(db, { sellerId: seller.id });
  const tries = await Promise.all(Array.from({ length: 5 }, () => removeListing(db, seller, phone.id)));
  const [removed, ...others] = tries.filter(({ refusal }) => !refusal);
  assert.deepEqual(others, []);
  const [row] = await db.select().from(phones).where(eq(phones.id, phone.id));
  assert.equal(row?.hiddenById, removed?.removalId);
  assert.equal((await db.select().from(users)).length, 1);
};

export const onlyTheActorSeesWhatCanBeUndone = async (db: Db) => {
  const [admin, other] = [
    await addAccount(db, { userType: "Admin" }),
    await addAccount(db, { userType: "Admin" }),
  ];
  const [user, phone] = [await addAccount(db), await addPhone(db)];
  await removeUser(db, admin, user.id);
  const { removalId = "" } = await removeListing(db, admin, phone.id);
  const undosOf = async (viewer: typeof admin) =>
    (await listActivity(db, viewer, null)).rows.map((row) => [row.action, row.canUndo && row.id]);
  const [ofListing, ofUser] = (await undosOf(admin)).map(([, id]) => id);
  assert.equal(ofListing, removalId);
  assert.ok(ofUser && ofUser !== ofListing);
  assert.deepEqual(await undosOf(other), [
    ["deleted listing", false],
    ["deleted user", false],
  ]);
  await undoWithoutLimits(db, admin, removalId);
  assert.deepEqual(await undosOf(admin), [
    ["undid deletion", false],
    ["deleted listing", false],
    ["deleted user", ofUser],
  ]);
  await db.update(removals).set({ createdAt: new Date(Date.now() - 11 * 60_000) });
  assert.ok((await undosOf(admin)).every(([, id]) => !id));
};

export const eachActionHasAnUndoOfItsOwn = async (db: Db) => {
  const [admin, other] = [
    await addAccount(db, { userType: "Admin" }),
    await addAccount(db, { userType: "Admin" }),
  ];
  const undosOf = async (viewer: typeof admin) =>
    (await listActivity(db, viewer, null)).rows.map(({ action, canUndo }) => [action, canUndo]);
  const { id } = await addAccount(db, { userType: "Seller" });
  const { removalId = "" } = await verifySeller(db, admin, id);
  await undoWithoutLimits(db, admin, removalId);
  await verifySeller(db, admin, id);
  const verified = [
    ["verified seller", true],
    ["undid verification", false],
    ["verified seller", false],
  ];
  assert.deepEqual(await undosOf(admin), verified);
  const ofUser = (await findUserDetails(db, admin, id))?.actions.rows;
  assert.deepEqual(
    ofUser?.map(({ action, canUndo }) => [action, canUndo]),
    verified,
  );

  const phone = await addPhone(db, { sellerId: id });
  const choice = { decision: "hide", reason: "Unclear.", days: "7" } as const;
  const hidden = await decide(db, other, "listing", phone.id, choice, null);
  assert.deepEqual((await undosOf(other))[0], ["hid content", true]);
  const reversal = { ...choice, decision: "reverse", lastDecisionId: hidden.id } as const;
  await decide(db, admin, "listing", phone.id, reversal, null);
  // The hiding cannot be undone while the reversal depends on it.
  const decided = (await undosOf(other)).slice(0, 2);
  assert.deepEqual(decided, [
    ["reversed decision", false],
    ["hid content", false],
  ]);
  assert.deepEqual((await undosOf(admin)).slice(0, 2), [
    ["reversed decision", true],
    ["hid content", false],
  ]);

  const { problem } = await addProblem(db, { isAsked: true });
  const aboutProblem = { decision: "refused", reason: "It works." } as const;
  assert.equal(await submitDecision(db, admin, (await problem()).id, aboutProblem), "done");
  assert.deepEqual((await undosOf(admin))[0], ["decided order problem", true]);
  assert.deepEqual((await undosOf(other))[0], ["decided order problem", false]);
};
