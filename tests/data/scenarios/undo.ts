import assert from "node:assert/strict";
import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { orders, phones } from "#app/db/schema.ts";
import { cancelOrder } from "#app/features/orders/order-steps.server.ts";
import { bookWithoutLimits, undoWithoutLimits } from "../../harness/bookings.ts";
import { addAccount, addPhone } from "../../harness/fixtures.ts";

const details = { address: "1 Harbour Street", phone: "+46 70 123 45 67" };

async function cancelled(db: Db) {
  const buyer = await addAccount(db);
  const phone = await addPhone(db);
  await bookWithoutLimits(db, buyer, phone.id, details);
  const [order] = await db.select().from(orders);
  const removalId = (await cancelOrder(db, buyer, order?.id ?? "")).removalId;
  assert.ok(removalId);
  return { buyer, phone, removalId };
}

async function standing(db: Db, phoneId: string) {
  const ordered = await db.select().from(orders).where(eq(orders.phoneId, phoneId));
  const [phone] = await db.select().from(phones).where(eq(phones.id, phoneId));
  const active = ordered.filter(({ status }) => status === "active").map(({ buyerId }) => buyerId);
  return { active, status: phone?.status };
}

export const restoresAnOrderOnceForConcurrentRequests = async (db: Db) => {
  const { buyer, phone, removalId } = await cancelled(db);
  const outcomes = await Promise.all([1, 2, 3].map(() => undoWithoutLimits(db, buyer, removalId)));
  assert.deepEqual(outcomes, Array(3).fill({ kind: "order", result: "undone" }));
  assert.deepEqual(await standing(db, phone.id), { active: [buyer.id], status: "reserved" });
};

export const givesAPhoneToOneWhenUndoAndBookingRace = async (db: Db) => {
  const { buyer, phone, removalId } = await cancelled(db);
  const [one, other] = [await addAccount(db), await addAccount(db)];
  const outcomes = await Promise.all([
    bookWithoutLimits(db, one, phone.id, details),
    undoWithoutLimits(db, buyer, removalId),
    bookWithoutLimits(db, other, phone.id, details),
  ]);
  assert.equal(
    outcomes.filter((outcome) => "orderId" in outcome || ("result" in outcome && outcome.result === "undone"))
      .length,
    1,
  );
  const { active, status } = await standing(db, phone.id);
  assert.deepEqual([active.length, status], [1, "reserved"]);
};

export const leavesAPhoneThatWasSoldSince = async (db: Db) => {
  const { buyer, phone, removalId } = await cancelled(db);
  await db.update(phones).set({ status: "sold" }).where(eq(phones.id, phone.id));
  assert.equal((await undoWithoutLimits(db, buyer, removalId)).result, "impossible");
  assert.deepEqual(await standing(db, phone.id), { active: [], status: "sold" });
};

export const isForItsActorOnly = async (db: Db) => {
  const { buyer, phone, removalId } = await cancelled(db);
  for (const stranger of [await addAccount(db), await addAccount(db, { userType: "Admin" })]) {
    assert.equal((await undoWithoutLimits(db, stranger, removalId)).result, "too late");
  }
  assert.equal((await undoWithoutLimits(db, buyer, "nothing")).result, "too late");
  assert.deepEqual(await standing(db, phone.id), { active: [], status: "available" });
};

export const doesNotConfirmWhatWasRemovedAgain = async (db: Db) => {
  const { buyer, phone, removalId } = await cancelled(db);
  assert.equal((await undoWithoutLimits(db, buyer, removalId)).result, "undone");
  const [order] = await db.select().from(orders);
  assert.ok((await cancelOrder(db, buyer, order?.id ?? "")).removalId);
  assert.equal((await undoWithoutLimits(db, buyer, removalId)).result, "too late");
  assert.deepEqual(await standing(db, phone.id), { active: [], status: "available" });
};
