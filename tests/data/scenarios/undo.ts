import assert from "node:assert/strict";
import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { bookings, phones, removals } from "#app/db/schema.ts";
import { removeUser } from "#app/features/accounts/users.server.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import { bookPhone } from "#app/features/bookings/bookings.server.ts";
import { cancelOrder } from "#app/features/bookings/orders.server.ts";
import { undoRemoval } from "#app/features/bookings/undo.server.ts";
import { removePhone } from "#app/features/phones/sellings.server.ts";
import { addAccount, addPhone } from "../../harness/rows.ts";

const details = { address: "1 Harbour Street", phone: "+46 70 123 45 67" };

/** A buyer who has booked a phone and cancelled the order. */
async function cancelled(db: Db) {
  const buyer = await addAccount(db);
  const phone = await addPhone(db);
  await bookPhone(db, buyer, phone.id, details);
  const [order] = await db.select().from(bookings);
  const removalId = await cancelOrder(db, buyer, order?.id ?? "");
  assert.ok(removalId);
  return { buyer, phone, removalId };
}

/** The active orders of a phone and its status. */
async function standing(db: Db, phoneId: string) {
  const orders = await db.select().from(bookings).where(eq(bookings.phoneId, phoneId));
  const [phone] = await db.select().from(phones).where(eq(phones.id, phoneId));
  const active = orders.filter(({ status }) => status === "active").map(({ buyerId }) => buyerId);
  return { active, status: phone?.status };
}

export const putsACancelledOrderBack = async (db: Db) => {
  const { buyer, phone, removalId } = await cancelled(db);
  assert.equal(await undoRemoval(db, buyer, removalId), "order restored");
  assert.deepEqual(await standing(db, phone.id), { active: [buyer.id], status: "reserved" });
  assert.equal(await bookPhone(db, await addAccount(db), phone.id, details), "just reserved");
};

export const putsItBackOnceHoweverOftenAsked = async (db: Db) => {
  const { buyer, phone, removalId } = await cancelled(db);
  const outcomes = await Promise.all([1, 2, 3].map(() => undoRemoval(db, buyer, removalId)));
  assert.deepEqual(outcomes, ["order restored", "order restored", "order restored"]);
  assert.deepEqual(await standing(db, phone.id), { active: [buyer.id], status: "reserved" });
};

export const leavesAnOrderCancelledWhosePhoneIsTaken = async (db: Db) => {
  const { buyer, phone, removalId } = await cancelled(db);
  const next = await addAccount(db);
  assert.equal(await bookPhone(db, next, phone.id, details), "booked");
  assert.equal(await undoRemoval(db, buyer, removalId), "order impossible");
  assert.deepEqual(await standing(db, phone.id), { active: [next.id], status: "reserved" });
};

export const givesAPhoneToOneWhenUndoAndBookingRace = async (db: Db) => {
  const { buyer, phone, removalId } = await cancelled(db);
  const others = [await addAccount(db), await addAccount(db), await addAccount(db)];
  const outcomes = await Promise.all([
    bookPhone(db, others[0] as Viewer, phone.id, details),
    undoRemoval(db, buyer, removalId),
    bookPhone(db, others[1] as Viewer, phone.id, details),
    bookPhone(db, others[2] as Viewer, phone.id, details),
  ]);
  assert.equal(outcomes.filter((outcome) => outcome === "booked" || outcome === "order restored").length, 1);
  const { active, status } = await standing(db, phone.id);
  assert.deepEqual([active.length, status], [1, "reserved"]);
};

export const leavesAnOrderCancelledWhosePhoneIsRemoved = async (db: Db) => {
  const { buyer, phone, removalId } = await cancelled(db);
  assert.ok(await removePhone(db, { ...buyer, id: phone.sellerId }, phone.id));
  assert.equal(await undoRemoval(db, buyer, removalId), "order impossible");
  assert.deepEqual(await standing(db, phone.id), { active: [], status: "available" });
};

export const isForItsActorAlone = async (db: Db) => {
  const { buyer, phone, removalId } = await cancelled(db);
  const admin = await addAccount(db, { userType: "Admin" });
  assert.equal(await undoRemoval(db, await addAccount(db), removalId), "late");
  assert.equal(await undoRemoval(db, admin, removalId), "late");
  assert.equal(await undoRemoval(db, buyer, "nothing"), "late");
  assert.deepEqual(await standing(db, phone.id), { active: [], status: "available" });
};

export const isForTenMinutes = async (db: Db) => {
  const { buyer, phone, removalId } = await cancelled(db);
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  await db.update(removals).set({ createdAt: ago(10) });
  assert.equal(await undoRemoval(db, buyer, removalId), "late");
  assert.deepEqual(await standing(db, phone.id), { active: [], status: "available" });
  await db.update(removals).set({ createdAt: ago(9) });
  assert.equal(await undoRemoval(db, buyer, removalId), "order restored");
};

export const putsBackUsersAndListingsToo = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const phone = await addPhone(db);
  const removedPhone = await removePhone(db, admin, phone.id);
  assert.equal(await undoRemoval(db, admin, removedPhone ?? ""), "phone restored");
  const removedUser = await removeUser(db, admin, phone.sellerId);
  assert.equal(await undoRemoval(db, admin, removedUser ?? ""), "user restored");
  const [row] = await db.select().from(phones).where(eq(phones.id, phone.id));
  assert.equal(row?.removalId, null);
};
