import assert from "node:assert/strict";
import { eq, isNull } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import {
  activity,
  contentReports,
  decisions,
  notifications,
  phones,
  removals,
  tickets,
  users,
} from "#app/db/schema.ts";
import { bulkMessage } from "#app/features/administration/bulk.rules.ts";
import { applyToSelected, findSelected } from "#app/features/administration/bulk.server.ts";
import { undoRemovals } from "#app/features/administration/undo.server.ts";
import { removeListing } from "#app/features/listings/listing-removal.server.ts";
import { bookWithoutLimits, noLimits } from "../../harness/bookings.ts";
import { addAccount, addPhone } from "../../harness/fixtures.ts";

const formKey = "a form";

const visible = async (db: Db, table: typeof users | typeof phones | typeof tickets, ids: string[]) =>
  (await db.select().from(table))
    .filter((row) => ids.includes(row.id) && ("hiddenById" in row ? row.hiddenById : row.removalId) === null)
    .map(({ id }) => id);

export const deletesChosenUsersAndUndoesItAtOnce = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const [one, other, gone] = [
    await addAccount(db),
    await addAccount(db, { userType: "Seller" }),
    await addAccount(db, { removalId: "some removal" }),
  ];
  const phone = await addPhone(db, { sellerId: other.id });
  const ids = [one.id, admin.id, gone.id, "nobody", other.id];
  const rows = await findSelected(db, admin, "delete users", ids);
  assert.deepEqual(
    rows.map(({ id, refusal }) => [id, refusal]),
    [
      [one.id, null],
      [admin.id, "own account"],
      [gone.id, "deleted before"],
      [other.id, null],
    ],
  );
  const outcome = await applyToSelected(db, admin, "delete users", ids, formKey);
  assert.deepEqual(
    [outcome.removalIds.length, outcome.refusals],
    [2, ["own account", "deleted before", "not found"]],
  );
  assert.equal(
    bulkMessage("delete users", outcome.removalIds.length, outcome.refusals),
    "2 users deleted. 3 couldn’t be deleted: 1 is your own account, 1 has already been deleted, 1 was not found.",
  );
  assert.deepEqual(await visible(db, users, ids), [admin.id]);
  assert.deepEqual(await visible(db, phones, [phone.id]), []);

  // The form is sent twice: the result is the same, and so is the undo.
  assert.deepEqual(await applyToSelected(db, admin, "delete users", ids, formKey), outcome);
  // To another administrator they are gone.
  const colleague = await addAccount(db, { userType: "Admin" });
  const late = await applyToSelected(db, colleague, "delete users", [one.id, other.id], formKey);
  assert.deepEqual(late, { removalIds: [], refusals: ["deleted before", "deleted before"] });
  assert.equal(
    bulkMessage("delete users", 0, late.refusals),
    "2 users couldn’t be deleted: 2 have already been deleted.",
  );
  assert.equal((await undoRemovals(db, colleague, outcome.removalIds, noLimits)).kind, "error");

  assert.deepEqual(await undoRemovals(db, admin, outcome.removalIds, noLimits), {
    kind: "success",
    message: "2 users restored",
  });
  assert.deepEqual((await visible(db, users, ids)).toSorted(), [admin.id, one.id, other.id].toSorted());
  assert.deepEqual(await visible(db, phones, [phone.id]), [phone.id]);
  // The same form does not delete them again.
  const repeated = await applyToSelected(db, admin, "delete users", [one.id, other.id], formKey);
  assert.equal(
    bulkMessage("delete users", 0, repeated.refusals),
    "2 users couldn’t be deleted: 2 have been undone since.",
  );
  const actions = (await db.select().from(activity)).map(({ action }) => action).toSorted();
  assert.deepEqual(actions, ["deleted user", "deleted user", "undid deletion", "undid deletion"]);
};

/** Of two forms, each undoes what it has done itself, as does the button of a row. */
export const undoesNothingThatWasDoneByAnotherForm = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const [single, first, both] = [await addPhone(db), await addPhone(db), await addPhone(db)];
  const ids = [single, first, both].map(({ id }) => id);
  await removeListing(db, admin, single.id);
  const apply = (key: string) => applyToSelected(db, admin, "delete listings", ids, key);
  // A double click sends both at once.
  const [outcome, same] = await Promise.all([apply(formKey), apply(formKey)]);
  assert.deepEqual([outcome.removalIds.length, outcome.refusals], [2, ["deleted before"]]);
  assert.deepEqual(same, outcome);
  assert.deepEqual(await apply("another form"), {
    removalIds: [],
    refusals: ["deleted before", "deleted before", "deleted before"],
  });
  assert.equal((await undoRemovals(db, admin, outcome.removalIds, noLimits)).message, "2 listings restored");
  assert.deepEqual((await visible(db, phones, ids)).toSorted(), [first.id, both.id].toSorted());
};

export const leavesOutListingsThatWereReservedMeanwhile = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const [kept, reserved, later] = [await addPhone(db), await addPhone(db), await addPhone(db)];
  const ids = [kept.id, reserved.id];
  assert.ok((await findSelected(db, admin, "delete listings", ids)).every(({ refusal }) => refusal === null));
  await bookWithoutLimits(db, await addAccount(db), reserved.id, { address: "", phone: "" });
  const outcome = await applyToSelected(db, admin, "delete listings", ids, formKey);
  assert.deepEqual([outcome.removalIds.length, outcome.refusals], [1, ["reserved"]]);
  assert.deepEqual(
    (await visible(db, phones, [...ids, later.id])).toSorted(),
    [reserved.id, later.id].toSorted(),
  );
  // After ten minutes it is too late.
  const [removalId = ""] = outcome.removalIds;
  await db.update(removals).set({ createdAt: new Date(Date.now() - 11 * 60_000) });
  assert.equal((await undoRemovals(db, admin, [removalId], noLimits)).message, "It’s too late to undo this.");
  const late = await applyToSelected(db, admin, "delete listings", [kept.id], formKey);
  assert.deepEqual(late.refusals, ["deleted before"]);
};

export const deletesAndRestoresReports = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const values = { name: "", email: "r@example.com", details: "Broken" };
  const ids = (await db.insert(tickets).values([values, values]).returning()).map(({ id }) => id);
  const { removalIds } = await applyToSelected(db, admin, "delete tickets", ids, formKey);
  assert.deepEqual(await visible(db, tickets, ids), []);
  const undone = { kind: "success", message: "2 reports restored" };
  assert.deepEqual(await undoRemovals(db, admin, removalIds, noLimits), undone);
  // A repeated undo succeeds again.
  assert.deepEqual(await undoRemovals(db, admin, removalIds, noLimits), undone);
  assert.equal((await visible(db, tickets, ids)).length, 2);
  assert.equal((await db.select().from(activity)).length, 4);
};

export const verifiesChosenSellersAndTakesItBack = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const [seller, verified, buyer] = [
    await addAccount(db, { userType: "Seller" }),
    await addAccount(db, { userType: "Seller", verified: true }),
    await addAccount(db),
  ];
  const phone = await addPhone(db, { sellerId: seller.id });
  const other = await addAccount(db, { userType: "Admin" });
  await addPhone(db, { sellerId: other.id });
  const ids = [seller.id, verified.id, buyer.id, other.id];
  const isVerified = async () => {
    const rows = await db.select({ id: users.id, verified: users.verified }).from(users);
    return rows.filter((row) => row.verified).map(({ id }) => id);
  };
  const outcome = await applyToSelected(db, admin, "verify sellers", ids, formKey);
  assert.deepEqual(outcome.refusals, ["verified before", "not found", "not found"]);
  assert.deepEqual(await isVerified(), [seller.id, verified.id]);
  assert.equal((await db.select().from(notifications)).length, 1);
  assert.deepEqual(await applyToSelected(db, admin, "verify sellers", ids, formKey), outcome);
  assert.equal((await db.select().from(activity)).length, 1);

  // Only those that this has verified, twice pressed.
  for (let press = 0; press < 2; press += 1) {
    const undone = await undoRemovals(db, admin, outcome.removalIds, noLimits);
    assert.deepEqual(undone, { kind: "success", message: "The seller is no longer verified." });
  }
  assert.deepEqual(await isVerified(), [verified.id]);
  // What they were told stays, says so, and is emailed to nobody.
  const told = await db.select().from(notifications);
  assert.deepEqual(
    told.map(({ emailOutcome }) => emailOutcome),
    ["undone"],
  );
  const log = (await db.select().from(activity)).map(({ action, targetId }) => [action, targetId]);
  assert.deepEqual(log.toSorted(), [
    ["undid verification", seller.id],
    ["verified seller", seller.id],
  ]);
  const [shown] = await db.select().from(phones).where(eq(phones.id, phone.id));
  assert.equal(shown?.sellerVerified, false);
  // What a colleague does later is not taken back.
  const colleague = await addAccount(db, { userType: "Admin" });
  await applyToSelected(db, colleague, "verify sellers", [seller.id], formKey);
  assert.equal((await undoRemovals(db, admin, outcome.removalIds, noLimits)).kind, "error");
  assert.deepEqual(await isVerified(), [seller.id, verified.id]);
};

export const hidesChosenListingsAndUndoesItAtOnce = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const [seller, reporter] = [await addAccount(db, { userType: "Seller" }), await addAccount(db)];
  const add = (more = {}) => addPhone(db, { sellerId: seller.id, ...more });
  const [one, other, reserved, deleted, sold] = [
    await add({ model: "One" }),
    await add(),
    await add({ status: "reserved" }),
    await add({ hiddenById: "some removal" }),
    await add({ status: "sold" }),
  ];
  await db.insert(contentReports).values({
    targetKind: "listing",
    targetId: one.id,
    ownerId: seller.id,
    reporterId: reporter.id,
    reason: "duplicate",
    details: "",
  });
  const ids = [one, other, reserved, deleted, sold].map(({ id }) => id);
  const refusalsOf = async (action: "hide listings" | "delete listings") =>
    (await findSelected(db, admin, action, ids)).map(({ refusal }) => refusal);
  assert.deepEqual(await refusalsOf("hide listings"), [null, null, "reserved", "deleted before", null]);
  const outcome = await applyToSelected(db, admin, "hide listings", ids, formKey, "Duplicate or spam");
  assert.deepEqual(outcome.refusals, ["reserved", "deleted before"]);
  assert.equal(
    bulkMessage("hide listings", outcome.removalIds.length, outcome.refusals),
    "3 listings hidden. 2 couldn’t be hidden: 1 is reserved for a buyer, 1 has already been deleted.",
  );
  assert.deepEqual(await visible(db, phones, ids), [reserved.id]);
  const made = await db.select().from(decisions);
  assert.deepEqual(
    made.map(({ kind, targetId, ownerId, actorId, reason }) => [kind, targetId, ownerId, actorId, reason]),
    [one, other, sold].map(({ id }) => ["hide", id, seller.id, admin.id, "Duplicate or spam"]),
  );
  assert.equal((await db.select().from(notifications)).length, 3);
  assert.equal(await openReports(db), 0);

  // A second click, also with another reason, decides nothing again. Nor are hidden listings deleted.
  assert.deepEqual(await applyToSelected(db, admin, "hide listings", ids, formKey, "Other"), outcome);
  const hidden = "hidden before";
  assert.deepEqual(await refusalsOf("hide listings"), [hidden, hidden, "reserved", "deleted before", hidden]);
  const late = await applyToSelected(db, admin, "delete listings", [one.id, other.id], formKey);
  assert.deepEqual(late, { removalIds: [], refusals: [hidden, hidden] });
  const colleague = await addAccount(db, { userType: "Admin" });
  assert.deepEqual((await applyToSelected(db, colleague, "hide listings", [one.id], formKey)).refusals, [
    hidden,
  ]);
  assert.equal((await undoRemovals(db, colleague, outcome.removalIds, noLimits)).kind, "error");

  assert.deepEqual(await undoRemovals(db, admin, outcome.removalIds, noLimits), {
    kind: "success",
    message: "3 decisions undone",
  });
  assert.deepEqual(await visible(db, phones, ids), [one.id, other.id, reserved.id, sold.id]);
  const told = await db.select().from(notifications);
  assert.deepEqual(
    told.map(({ emailOutcome }) => emailOutcome),
    ["undone", "undone", "undone"],
  );
  assert.equal(await openReports(db), 1);
  const log = (await db.select().from(activity)).map(({ action }) => action).toSorted();
  assert.deepEqual(log, [...Array(3).fill("hid content"), ...Array(3).fill("undid decision")]);
};

/** What waits for approval, or is hidden with its seller, goes back to that. */
export const hidesListingsThatAreHeldOrOfASuspendedSeller = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const decision = { targetKind: "listing", targetId: "", target: "", ownerId: "", reason: "" } as const;
  const seller = await addAccount(db, { userType: "Seller" });
  const [suspension] = await db
    .insert(decisions)
    .values({ ...decision, kind: "suspend" })
    .returning();
  await db.update(users).set({ suspensionId: suspension?.id }).where(eq(users.id, seller.id));
  const held = await addPhone(db);
  const [hold] = await db
    .insert(decisions)
    .values({ ...decision, kind: "hold", targetId: held.id })
    .returning();
  await db.update(phones).set({ hiddenById: hold?.id }).where(eq(phones.id, held.id));
  const ofSuspended = await addPhone(db, { sellerId: seller.id, hiddenById: suspension?.id ?? null });
  const ids = [held.id, ofSuspended.id];
  const hiddenBy = async () => (await db.select().from(phones)).map(({ hiddenById }) => hiddenById);
  const before = await hiddenBy();
  const { removalIds, refusals } = await applyToSelected(db, admin, "hide listings", ids, formKey, "Spam");
  assert.deepEqual(refusals, []);
  assert.deepEqual(await hiddenBy(), removalIds);
  assert.equal((await undoRemovals(db, admin, removalIds, noLimits)).message, "2 decisions undone");
  assert.deepEqual(await hiddenBy(), before);
};

const openReports = (db: Db) => db.$count(contentReports, isNull(contentReports.decisionId));
