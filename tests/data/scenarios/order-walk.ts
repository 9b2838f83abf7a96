import assert from "node:assert/strict";
import { and, eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import type { OrderStepKind } from "#app/db/enums.ts";
import { blocks, ledgerEntries, orderSteps, orders, payments, removals, users } from "#app/db/schema.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import { removeListing } from "#app/features/listings/listing-removal.server.ts";
import { decide } from "#app/features/moderation/decisions/decide.server.ts";
import { refreshDispute } from "#app/features/order-problems/bank-disputes.server.ts";
import { openProblem } from "#app/features/order-problems/open-problem.server.ts";
import type { NewProblem } from "#app/features/order-problems/order-problem.schema.ts";
import { answerProblem } from "#app/features/order-problems/order-problems.server.ts";
import { answerOffer, makeOffer } from "#app/features/orders/offers.server.ts";
import { endOverdueOrders } from "#app/features/orders/order-deadlines.server.ts";
import { findOrder, handleOrderIntent } from "#app/features/orders/order-details.server.ts";
import { canRestoreOrder } from "#app/features/orders/order-restoring.server.ts";
import { changeDelivery, handOver as markAsHandedOver } from "#app/features/orders/order-steps.server.ts";
import {
  nextStepText,
  type OrderIntent,
  orderIntents,
  orderStatusText,
} from "#app/features/orders/order-texts.ts";
import { saveReview } from "#app/features/reviews/write-review.server.ts";
import { findViolations } from "../../../bench/soak/invariants.ts";
import { bookWithoutLimits, noLimits, undoWithoutLimits } from "../../harness/bookings.ts";
import { addAccount, addPhone } from "../../harness/fixtures.ts";
import { memoryProvider } from "../../harness/memory-provider.ts";
import { browse } from "../../harness/search.ts";

async function ordered(db: Db, side: "Buyer" | "Admin" = "Buyer") {
  const seller = await addAccount(db, { userType: side === "Admin" ? "Admin" : "Seller" });
  const buyer = await addAccount(db, { userType: side });
  const phone = await addPhone(db, { sellerId: seller.id });
  const booked = await bookWithoutLimits(db, buyer, phone.id, { address: "", phone: "" });
  assert.ok(booked.orderId);
  return {
    seller,
    buyer,
    phone,
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

async function suspend(db: Db, { administrator, ...people }: Ordered, side: "buyer" | "seller" = "seller") {
  const decision = { decision: "suspend", reason: "Fraud.", days: "7" } as const;
  assert.ok((await decide(db, administrator, "seller", people[side].id, decision, null)).id);
}

async function hide(db: Db, { administrator, phone }: Ordered) {
  const decision = { decision: "hide", reason: "Wrong photos.", days: "" } as const;
  assert.ok((await decide(db, administrator, "listing", phone.id, decision, null)).id);
}

const block = (db: Db, by: Viewer, of: Viewer) =>
  db.insert(blocks).values({ blockerId: by.id, blockedId: of.id });

async function agree(db: Db, { seller, buyer, phone }: Ordered) {
  const message = { amountCents: phone.sellingCents * 0.8, text: "", formKey: null };
  const { offerId = "" } = await makeOffer(db, buyer, phone.id, message);
  assert.ok((await answerOffer(db, seller, offerId, "accepted")).offerId);
}

const report = async (db: Db, viewer: Viewer, { orderId }: Ordered, kind: NewProblem["kind"]) =>
  assert.equal(await openProblem(db, viewer, orderId, { kind, text: "See the photos." }), "done");

/** The buyer has paid, and their bank disputes that; then it decides. */
async function dispute(db: Db, { orderId }: Ordered, ...states: ("open" | "lost")[]) {
  const chargeId = `charge of ${orderId}`;
  const amountCents = 34_950;
  const payment = { orderId, amountCents, feeCents: 0, payBy: new Date(), paidAt: new Date(), chargeId };
  await db.insert(payments).values(payment);
  await db.insert(ledgerEntries).values({ orderId, kind: "charged", amountCents, providerId: chargeId });
  const { provider, dispute } = memoryProvider();
  for (const state of states) {
    dispute(orderId, { chargeId, amountCents, state });
    await refreshDispute(db, provider, orderId);
  }
}

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
  "reserved, disputed by the bank": (db, order) => dispute(db, order, "open"),
  "reserved, the bank has taken the money": (db, order) => dispute(db, order, "open", "lost"),
  "reserved, the buyer has left": (db, order) => leave(db, order.buyer),
  "reserved, the seller has left": (db, order) => leave(db, order.seller),
  "handed over": (db, order) => taken(db, order, handOver),
  "reserved, the seller is suspended": suspend,
  // What a suspended buyer has only reserved ends, unless a problem holds it.
  "reserved, the buyer is suspended": async (db, order) => {
    await report(db, order.buyer, order, "not arrived");
    await suspend(db, order, "buyer");
    await answerProblem(db, order.buyer, order.orderId, { answer: "close", text: "" });
  },
  "reserved, the buyer has blocked the seller": (db, order) => block(db, order.buyer, order.seller),
  "reserved, the seller has blocked the buyer": (db, order) => block(db, order.seller, order.buyer),
  "reserved, a moderator has hidden the listing": hide,
  "handed over, the buyer is suspended": async (db, order) => {
    await taken(db, order, handOver);
    await suspend(db, order, "buyer");
  },
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
  "received, disputed by the bank": async (db, order) => {
    await taken(db, order, ...received);
    await dispute(db, order, "open");
  },
  "received, the bank has taken the money": async (db, order) => {
    await taken(db, order, ...received);
    await dispute(db, order, "lost");
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
  "receipt undone, the seller has left": async (db, order) => {
    await taken(db, order, ...received, ["buyer", "undo receipt"]);
    await leave(db, order.seller);
  },
  "receipt undone": (db, order) => taken(db, order, ...received, ["buyer", "undo receipt"]),
  "received again": (db, order) =>
    taken(db, order, ...received, ["buyer", "undo receipt"], ["buyer", "receive"]),
  "cancelled by the buyer": (db, order) => taken(db, order, ["buyer", "cancel"]),
  "cancelled by the seller": (db, order) => taken(db, order, ["seller", "cancel"]),
  "cancelled after the handover": (db, order) => taken(db, order, handOver, ["administrator", "cancel"]),
};

/** What can have happened since an order was cancelled, and whether that can still be undone. */
const since: Record<string, [canUndo: boolean, (db: Db, order: Ordered) => Promise<unknown>]> = {
  nothing: [true, async () => {}],
  "more than ten minutes": [
    false,
    (db, { orderId }) =>
      db
        .update(removals)
        .set({ createdAt: new Date(Date.now() - 11 * 60_000) })
        .where(eq(removals.targetId, orderId)),
  ],
  "the buyer was suspended": [false, (db, order) => suspend(db, order, "buyer")],
  // The order is on hold, as it would be without the cancellation.
  "the seller was suspended": [true, suspend],
  "the buyer has left": [false, (db, order) => leave(db, order.buyer)],
  "the seller has left": [false, (db, order) => leave(db, order.seller)],
  "the buyer has blocked the seller": [false, (db, order) => block(db, order.buyer, order.seller)],
  "the seller has blocked the buyer": [false, (db, order) => block(db, order.seller, order.buyer)],
  "a moderator has hidden the listing": [false, hide],
  "the seller has deleted the listing": [
    false,
    async (db, { seller, phone }) => assert.ok((await removeListing(db, seller, phone.id)).removalId),
  ],
  "somebody else has booked": [
    false,
    async (db, { phone }) => {
      const details = { address: "", phone: "" };
      assert.ok((await bookWithoutLimits(db, await addAccount(db), phone.id, details)).orderId);
    },
  ],
  "an offer was accepted": [false, agree],
  "the buyer’s bank has disputed it": [false, (db, order) => dispute(db, order, "open")],
  "the buyer’s bank has taken the money": [false, (db, order) => dispute(db, order, "lost")],
  "a problem was opened": [false, (db, order) => report(db, order.buyer, order, "not refunded")],
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

export const changesOfDeliveryAndHandoverAreOfferedWhereTheyAreAccepted = async (db: Db) => {
  for (const [state, reach] of Object.entries(states)) {
    const order = await ordered(db);
    await reach(db, order);
    for (const role of ["buyer", "seller", "administrator"] as const) {
      const found = await findOrder(db, order[role], order.orderId);
      const before = await snapshot(db, order);
      await changeDelivery(db, order[role], order.orderId, { address: `2 ${role} Street` });
      const delivered = await snapshot(db, order);
      assert.equal(delivered !== before, found?.canChangeDelivery ?? false, `${state}: ${role}, delivery`);
      // Else it is a handover, not a change of one.
      if (found?.intents.includes("hand over")) continue;
      await markAsHandedOver(db, order[role], order.orderId, { handover: "shipped", parcelService: "UPS" });
      const isChanged = (await snapshot(db, order)) !== delivered;
      assert.equal(isChanged, found?.canChangeHandover ?? false, `${state}: ${role}, handover`);
    }
  }
};

export const offersTheStepsOfEachState = async (db: Db) => {
  const offers: Record<string, Partial<Record<Role, OrderIntent[]>>> = {
    reserved: { buyer: ["extend", "cancel"], seller: ["hand over", "cancel"], administrator: ["cancel"] },
    "reserved, not arrived": { seller: ["hand over"] },
    "reserved, other terms": {},
    "reserved, disputed by the bank": {},
    "received, disputed by the bank": {},
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
    "reserved, other terms": "It’s on hold until that’s settled. Don’t hand it over before that.",
    "reserved, disputed by the bank": "It’s on hold until that’s settled. Don’t hand it over before that.",
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

async function undoes(db: Db, actor: Viewer, order: Ordered): Promise<boolean> {
  const [row] = await db.select().from(orders).where(eq(orders.id, order.orderId));
  const before = await snapshot(db, order);
  const { result } = await undoWithoutLimits(db, actor, row?.removalId ?? "");
  assert.equal((await snapshot(db, order)) !== before, result === "undone");
  return result === "undone";
}

const isUndoOffered = (db: Db, actor: Viewer, { orderId }: Ordered) =>
  canRestoreOrder(db, actor, orderId, noLimits);

export const anUndoOfACancellationIsOfferedWhereItIsAccepted = async (db: Db) => {
  for (const [event, [canUndo, happen]] of Object.entries(since)) {
    for (const by of ["buyer", "seller", "administrator"] as const) {
      const order = await ordered(db);
      await taken(db, order, [by, "cancel"]);
      await happen(db, order);
      for (const role of ["seller", "buyer", "administrator"] as const) {
        const isOffered = await isUndoOffered(db, order[role], order);
        const cell = `cancelled by the ${by}; since then ${event}: ${role}`;
        assert.equal(isOffered, canUndo && role === by, cell);
        assert.equal(await undoes(db, order[role], order), isOffered, cell);
        // Else the next one would meet another state.
        if (isOffered) break;
      }
    }
  }
};

export const aCancellationSaysWhetherItCanBeUndone = async (db: Db) => {
  const lasting: string[] = [];
  for (const [state, reach] of Object.entries(states)) {
    for (const role of ["buyer", "seller", "administrator"] as const) {
      const order = await ordered(db);
      await reach(db, order);
      if (!(await findOrder(db, order[role], order.orderId))?.intents.includes("cancel")) continue;
      const isPromised = await isUndoOffered(db, order[role], order);
      await taken(db, order, [role, "cancel"]);
      const cell = `${state}: ${role}`;
      assert.equal(await isUndoOffered(db, order[role], order), isPromised, cell);
      assert.equal(await undoes(db, order[role], order), isPromised, cell);
      if (!isPromised && !lasting.includes(state)) lasting.push(state);
    }
  }
  assert.deepEqual(lasting, [
    "reserved, the buyer has left",
    "reserved, the seller has left",
    "reserved, the buyer is suspended",
    "reserved, the buyer has blocked the seller",
    "reserved, the seller has blocked the buyer",
    "reserved, a moderator has hidden the listing",
    "handed over, the buyer is suspended",
    "handed over, the buyer has left",
    "handed over, the seller has left",
    "receipt undone, the seller has left",
  ]);
};

export const anUndoOfACancellationCountsTheOtherReservationsOnly = async (db: Db) => {
  const order = await ordered(db);
  const limits = { ...noLimits, MAX_RESERVATIONS: 1, MAX_RESERVATIONS_UNCONFIRMED: 1 };
  const isOffered = () => canRestoreOrder(db, order.buyer, order.orderId, limits);
  assert.equal(await isOffered(), true);
  await taken(db, order, ["buyer", "cancel"]);
  assert.equal(await isOffered(), true);
  await bookWithoutLimits(db, order.buyer, (await addPhone(db)).id, { address: "", phone: "" });
  assert.equal(await isOffered(), false);
};

export const whatMarkingAsReceivedSaysOfItsUndoIsTrue = async (db: Db) => {
  for (const [state, reach] of Object.entries(states)) {
    const order = await ordered(db);
    await reach(db, order);
    const before = await findOrder(db, order.buyer, order.orderId);
    if (!before?.intents.includes("receive")) continue;
    await taken(db, order, ["buyer", "receive"]);
    const after = await findOrder(db, order.buyer, order.orderId);
    assert.equal(before.canUndoReceipt, after?.intents.includes("undo receipt"), state);
  }
};

export const aDeviceGoesBackOnSaleOnlyWhereThatIsTrue = async (db: Db) => {
  const onSale = /on sale/;
  for (const [state, reach] of Object.entries(states)) {
    const order = await ordered(db);
    await reach(db, order);
    const found = await findOrder(db, order.seller, order.orderId);
    if (found?.status !== "active" || found.stage !== "reserved" || found.hasProblem) continue;
    const next = nextStepText("seller", found, "Friday") ?? "";
    await db.update(orders).set({ deadlineAt: new Date() }).where(eq(orders.id, order.orderId));
    await taken(db, order, ["administrator", "cancel"]);
    const isOnSale = (await browse(db)).phones.some(({ id }) => id === order.phone.id);
    // A seller who is suspended or has left is told of that.
    if (!found.isSellerSuspended && found.gone !== "seller")
      assert.equal(onSale.test(next), isOnSale, `${state}: ${next}`);
    const ended = await findOrder(db, order.seller, order.orderId);
    const told = ended && orderStatusText("seller", { ...ended, isBySystem: true });
    assert.ok(told && onSale.test(told) === isOnSale, `${state}: ${told}`);
  }
};
