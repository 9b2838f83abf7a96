import assert from "node:assert/strict";
import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { activity, phones, removals, reports, users } from "#app/db/schema.ts";
import { bulkMessage } from "#app/features/moderation/bulk.rules.ts";
import { applyToSelected, findSelected } from "#app/features/moderation/bulk.server.ts";
import { undoRemovals } from "#app/features/moderation/undo.server.ts";
import { bookPhone } from "#app/features/orders/bookings.server.ts";
import { addAccount, addPhone } from "../../harness/fixtures.ts";

const visible = async (db: Db, table: typeof users | typeof phones | typeof reports, ids: string[]) =>
  (await db.select({ id: table.id, removalId: table.removalId }).from(table))
    .filter(({ id, removalId }) => ids.includes(id) && removalId === null)
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
      [admin.id, "own account"],
      [one.id, null],
      [other.id, null],
      [gone.id, "deleted before"],
    ],
  );
  const outcome = await applyToSelected(db, admin, "delete users", ids);
  assert.deepEqual([outcome.done, outcome.refusals], [2, ["own account", "deleted before", "not found"]]);
  assert.equal(
    bulkMessage("delete users", outcome.done, outcome.refusals),
    "2 users deleted. 3 could not be deleted: 1 is your own account, 1 has already been deleted, 1 was not found.",
  );
  assert.deepEqual(await visible(db, users, ids), [admin.id]);
  assert.deepEqual(await visible(db, phones, [phone.id]), []);

  // The form is sent twice: the result is the same, and so is the undo.
  const again = await applyToSelected(db, admin, "delete users", ids);
  assert.deepEqual(
    { ...again, removalIds: again.removalIds.toSorted() },
    { ...outcome, removalIds: outcome.removalIds.toSorted() },
  );
  // To another administrator they are gone.
  const colleague = await addAccount(db, { userType: "Admin" });
  const late = await applyToSelected(db, colleague, "delete users", [one.id, other.id]);
  assert.deepEqual(late, { done: 0, removalIds: [], refusals: ["deleted before", "deleted before"] });
  assert.equal(
    bulkMessage("delete users", 0, late.refusals),
    "2 users could not be deleted: 2 have already been deleted.",
  );
  assert.equal((await undoRemovals(db, colleague, outcome.removalIds)).kind, "error");

  assert.deepEqual(await undoRemovals(db, admin, outcome.removalIds), {
    kind: "success",
    message: "2 users restored",
  });
  assert.deepEqual((await visible(db, users, ids)).toSorted(), [admin.id, one.id, other.id].toSorted());
  assert.deepEqual(await visible(db, phones, [phone.id]), [phone.id]);
  const actions = (await db.select().from(activity)).map(({ action }) => action).toSorted();
  assert.deepEqual(actions, ["deleted user", "deleted user", "undid deletion", "undid deletion"]);
};

export const leavesOutListingsThatWereReservedMeanwhile = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const [kept, reserved, later] = [await addPhone(db), await addPhone(db), await addPhone(db)];
  const ids = [kept.id, reserved.id];
  assert.ok((await findSelected(db, admin, "delete listings", ids)).every(({ refusal }) => refusal === null));
  await bookPhone(db, await addAccount(db), reserved.id, { address: "", phone: "" });
  const outcome = await applyToSelected(db, admin, "delete listings", ids);
  assert.deepEqual([outcome.done, outcome.refusals], [1, ["reserved"]]);
  assert.deepEqual(
    (await visible(db, phones, [...ids, later.id])).toSorted(),
    [reserved.id, later.id].toSorted(),
  );
  // After ten minutes it is too late.
  const [removalId = ""] = outcome.removalIds;
  await db.update(removals).set({ createdAt: new Date(Date.now() - 11 * 60_000) });
  assert.equal((await undoRemovals(db, admin, [removalId])).message, "This can no longer be undone.");
  const late = await applyToSelected(db, admin, "delete listings", [kept.id]);
  assert.deepEqual(late.refusals, ["deleted before"]);
};

export const deletesAndRestoresReports = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const values = { name: "", email: "r@example.com", details: "Broken" };
  const ids = (await db.insert(reports).values([values, values]).returning()).map(({ id }) => id);
  const { removalIds } = await applyToSelected(db, admin, "delete reports", ids);
  assert.deepEqual(await visible(db, reports, ids), []);
  const undone = { kind: "success", message: "2 reports restored" };
  assert.deepEqual(await undoRemovals(db, admin, removalIds), undone);
  // A repeated undo succeeds again.
  assert.deepEqual(await undoRemovals(db, admin, removalIds), undone);
  assert.equal((await visible(db, reports, ids)).length, 2);
  assert.equal((await db.select().from(activity)).length, 4);
};

export const verifiesChosenSellersOnce = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const [seller, verified, buyer] = [
    await addAccount(db, { userType: "Seller" }),
    await addAccount(db, { userType: "Seller", verified: "yes" }),
    await addAccount(db),
  ];
  const outcome = await applyToSelected(db, admin, "verify sellers", [seller.id, verified.id, buyer.id]);
  assert.deepEqual(outcome, { done: 1, removalIds: [], refusals: ["verified before", "not found"] });
  const [row] = await db.select().from(users).where(eq(users.id, seller.id));
  assert.equal(row?.verified, "yes");
  assert.equal((await db.select().from(activity)).length, 1);
};
