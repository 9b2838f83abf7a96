import assert from "node:assert/strict";
import { and, eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { orderSteps, orders, users } from "#app/db/schema.ts";
import type { OrderStepKind, ProblemKind } from "#app/db/values.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import { decide } from "#app/features/moderation/decisions/decide.server.ts";
import { openProblem } from "#app/features/order-problems/open-problem.server.ts";
import { answerProblem } from "#app/features/order-problems/order-problems.server.ts";
import { nextStepText, type OrderIntent, orderIntents } from "#app/features/orders/order.rules.ts";
import { endOverdueOrders } from "#app/features/orders/order-deadlines.server.ts";
import { findOrder, handleOrderIntent } from "#app/features/orders/order-details.server.ts";
import { saveReview } from "#app/features/reviews/write-review.server.ts";
import { findViolations } from "../../../bench/soak/invariants.ts";
import { bookWithoutLimits } from "../../harness/bookings.ts";
import { addAccount, addPhone } from "../../harness/fixtures.ts";

async function ordered(db: Db, side: "Buyer" | "Admin" = "Buyer") {
  const seller = await addAccount(db, { userType: side === "Admin" ? "Admin" : "Seller" });
  const buyer = await addAccount(db, { userType: side });
  const phone = await addPhone(db, { sellerId: seller.id });
  const booked = await bookWithoutLimits(db, buyer, phone.id, { address: "", phone: "" });
  assert.ok(booked.orderId);
  return {
    seller,
    buyer,
    administrator: await addAccount(db, { userType: "Admin" }),
    orderId: booked.orderId,
  };
}

type Ordered = Awaited<ReturnType<typeof ordered>>;
type Role = "buyer" | "seller" | "administrator";

const reason = "Both sides asked for it.";
const take = (db: Db, viewer: Viewer, orderId: string, intent: OrderIntent) =>
  handleOrderIntent(db, viewer, orderId, intent, { reason });

async function taken(db: Db, { orderId, ...people }: Ordered, ...steps: [Role, OrderIntent][]) {
  for (const [role, intent] of steps)
    assert.equal((await take(db, people[role], orderId, intent)).refusal, null, `${role}: ${intent}`);
}

async function minutesAgo(db: Db, { orderId }: Ordered, kind: OrderStepKind, minutes: number) {
  await db
    .update(orderSteps)
    .set({ createdAt: new Date(Date.now() - minutes * 60_000) })
    .where(and(eq(orderSteps.orderId, orderId), eq(orderSteps.kind, kind)));
}

async function suspend(db: Db, { administrator, seller }: Ordered) {
  const decision = { decision: "suspend", reason: "Fraud.", days: "7" } as const;
  assert.ok((await decide(db, administrator, "seller", seller.id, decision, null)).id);
}

const report = async (db: Db, viewer: Viewer, { orderId }: Ordered, kind: ProblemKind) =>
  assert.equal(await openProblem(db, viewer, orderId, { kind, text: "See the photos." }), "done");

const leave = (db: Db, viewer: Viewer) =>
  db.update(users).set({ removalId: "left" }).where(eq(users.id, viewer.id));

const handOver: [Role, OrderIntent] = ["seller", "hand over"];
const received: [Role, OrderIntent][] = [handOver, ["buyer", "receive"]];

/** What leads to each state, from a booking on. */
const states: Record<string, (db: Db, order: Ordered) => Promise<unknown>> = {
  reserved: async () => {},
  "reserved, extended": (db, order) => taken(db, order, ["buyer", "extend"]),
  "reserved, not arrived": (db, order) => report(db, order.buyer, order, "not arrived"),
  "reserved, other terms": (db, order) => report(db, order.seller, order, "other terms"),
  "reserved, the buyer has left": (db, order) => leave(db, order.buyer),
  "reserved, the seller has left": (db, order) => leave(db, order.seller),
  "handed over": (db, order) => taken(db, order, handOver),
  "reserved, the seller is suspended": suspend,
  "handed over, the seller is suspended": async (db, order) => {
    await taken(db, order, handOver);
    await suspend(db, order);
  },
  "received, the seller is suspended": async (db, order) => {
    await taken(db, order, handOver);
    await suspend(db, order);
    await taken(db, order, ["buyer", "receive"]);
  },
  "handed over, not just now": async (db, order) => {
    await taken(db, order, handOver);
    await minutesAgo(db, order, "handed over", 11);
  },
  "handed over, extended": (db, order) => taken(db, order, handOver, ["seller", "extend"]),
  "handed over, with a problem": async (db, order) => {
    await taken(db, order, handOver);
    await report(db, order.buyer, order, "defect");
  },
  "handed over, the buyer has left": async (db, order) => {
    await taken(db, order, handOver);
    await leave(db, order.buyer);
  },
  "handed over, the seller has left": async (db, order) => {
    await taken(db, order, handOver);
    await leave(db, order.seller);
  },
  "handover undone": (db, order) => taken(db, order, handOver, ["seller", "undo handover"]),
  "handed over again": (db, order) => taken(db, order, handOver, ["seller", "undo handover"], handOver),
  received: (db, order) => taken(db, order, ...received),
  "received, not just now": async (db, order) => {
    await taken(db, order, ...received);
    await minutesAgo(db, order, "received", 11);
  },
  "received, with a review": async (db, order) => {
    await taken(db, order, ...received);
    await saveReview(db, order.seller, order.orderId, { stars: 5, text: "" });
  },
  "received, with a problem": async (db, order) => {
    await taken(db, order, ...received);
    await report(db, order.buyer, order, "defect");
  },
  "received, with a problem that was closed": async (db, order) => {
    await taken(db, order, ...received);
    await report(db, order.buyer, order, "defect");
    await answerProblem(db, order.buyer, order.orderId, { answer: "close", text: "" });
  },
  "received, the seller has left": async (db, order) => {
    await taken(db, order, ...received);
    await leave(db, order.seller);
  },
  "received by the system": async (db, order) => {
    await taken(db, order, handOver);
    await db.update(orders).set({ deadlineAt: new Date() }).where(eq(orders.id, order.orderId));
    await endOverdueOrders(db);
  },
  "receipt undone": (db, order) => taken(db, order, ...received, ["buyer", "undo receipt"]),
  "received again": (db, order) =>
    taken(db, order, ...received, ["buyer", "undo receipt"], ["buyer", "receive"]),
  "cancelled by the buyer": (db, order) => taken(db, order, ["buyer", "cancel"]),
  "cancelled by the seller": (db, order) => taken(db, order, ["seller", "cancel"]),
  "cancelled after the handover": (db, order) => taken(db, order, handOver, ["administrator", "cancel"]),
};

/** The order and its steps, to see whether anything has changed. */
async function snapshot(db: Db, { orderId }: Ordered) {
  const steps = await db.select().from(orderSteps).where(eq(orderSteps.orderId, orderId));
  return JSON.stringify([steps, await db.select().from(orders).where(eq(orders.id, orderId))]);
}

export const whatIsOfferedIsWhatIsAccepted = async (db: Db) => {
  for (const side of ["Buyer", "Admin"] as const) {
    for (const [state, reach] of Object.entries(states)) {
      // Nobody suspends staff.
      if (side === "Admin" && state.endsWith("suspended")) continue;
      const order = await ordered(db, side);
      await reach(db, order);
      for (const role of ["buyer", "seller", "administrator"] as const) {
        const offered = (await findOrder(db, order[role], order.orderId))?.intents ?? [];
        for (const intent of orderIntents) {
          const cell = `${state}, ${side}: ${role}, ${intent}`;
          const isOffered = offered.includes(intent);
          const tried = isOffered ? await ordered(db, side) : order;
          if (isOffered) await reach(db, tried);
          const before = await snapshot(db, tried);
          const { refusal } = await take(db, tried[role], tried.orderId, intent);
          const hasChanged = (await snapshot(db, tried)) !== before;
          assert.equal(hasChanged, isOffered, `${cell}: ${refusal}`);
          // A repeated step succeeds, and changes nothing.
          if (isOffered) assert.equal(refusal, null, cell);
        }
      }
    }
  }
  const wrong = (await findViolations(db)).filter((violation) => !violation.includes("removed account"));
  assert.deepEqual(wrong, []);
};

export const offersTheStepsOfEachState = async (db: Db) => {
  const offers: Record<string, Partial<Record<Role, OrderIntent[]>>> = {
    reserved: { buyer: ["extend", "cancel"], seller: ["hand over", "cancel"], administrator: ["cancel"] },
    "reserved, not arrived": { seller: ["hand over"] },
    "reserved, other terms": {},
    "reserved, the buyer has left": { buyer: ["cancel"], seller: ["cancel"], administrator: ["cancel"] },
    "handed over": { buyer: ["receive"], seller: ["undo handover", "extend"], administrator: ["cancel"] },
    "handed over, not just now": { buyer: ["receive"], seller: ["extend"], administrator: ["cancel"] },
    "handed over again": { buyer: ["receive"], seller: ["extend"], administrator: ["cancel"] },
    received: { buyer: ["undo receipt"] },
    "received, with a review": {},
    "received by the system": {},
    "cancelled by the buyer": { seller: ["allow rebooking"] },
  };
  for (const [state, expected] of Object.entries(offers)) {
    const order = await ordered(db);
    await states[state]?.(db, order);
    for (const role of ["buyer", "seller", "administrator"] as const)
      assert.deepEqual(
        (await findOrder(db, order[role], order.orderId))?.intents,
        expected[role] ?? [],
        `${state}: ${role}`,
      );
  }
};

export const saysWhetherAnOrderOnHoldCanBeHandedOver = async (db: Db) => {
  const expected = {
    "reserved, not arrived": "It’s on hold until that’s settled, but you can hand it over.",
    "reserved, other terms": "It’s on hold until that’s settled.",
  };
  for (const [state, text] of Object.entries(expected)) {
    const order = await ordered(db);
    await states[state]?.(db, order);
    const found = await findOrder(db, order.seller, order.orderId);
    assert.equal(found && nextStepText("seller", found, null), text, state);
  }
};

export const anUndoneStepOfASuspendedSellerStaysOnHold = async (db: Db) => {
  const heldAfter = async (state: string, ...last: [Role, OrderIntent]) => {
    const order = await ordered(db);
    await states[state]?.(db, order);
    await taken(db, order, last);
    const [row] = await db.select().from(orders).where(eq(orders.id, order.orderId));
    return row?.heldSince instanceof Date;
  };
  const suspended = "the seller is suspended";
  assert.equal(await heldAfter(`handed over, ${suspended}`, "seller", "undo handover"), true);
  assert.equal(await heldAfter(`handed over, ${suspended}`, "buyer", "receive"), false);
  assert.equal(await heldAfter(`received, ${suspended}`, "buyer", "undo receipt"), true);
};
