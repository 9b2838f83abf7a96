import assert from "node:assert/strict";
import { desc, eq, isNull, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import type { OrderStepKind } from "#app/db/enums.ts";
import { notifications, orderSteps, sentEmails } from "#app/db/schema.ts";
import { sendDueBatch } from "#app/features/notifications/due-emails.server.ts";
import { sendOnce } from "#app/features/notifications/sent-emails.server.ts";
import { openProblem } from "#app/features/order-problems/open-problem.server.ts";
import type { ProblemAnswer } from "#app/features/order-problems/order-problem.rules.ts";
import { answerProblem } from "#app/features/order-problems/order-problems.server.ts";
import { allowRebooking } from "#app/features/orders/booking.server.ts";
import { answerOffer, counterOffer, makeOffer } from "#app/features/orders/offers.server.ts";
import {
  cancelOrder,
  changeDelivery,
  extend,
  handOver,
  recordReceipt,
  undoHandover,
  undoReceipt,
} from "#app/features/orders/order-steps.server.ts";
import type { DueEmail } from "#app/server/mail/due-email.ts";
import { bookWithoutLimits, undoWithoutLimits } from "../../harness/bookings.ts";
import { addAccount, addPhone } from "../../harness/fixtures.ts";

type Account = Awaited<ReturnType<typeof addAccount>>;
type Side = "buyer" | "seller";
const sides = ["buyer", "seller"] as const;
const otherSide = { buyer: "seller", seller: "buyer" } as const;

/** The same numbers from 0 to 1 for a seed. @see https://en.wikipedia.org/wiki/Linear_congruential_generator */
function randomNumbers(seed: number) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** What a side is told, in the words of the emails' subjects. */
const told = {
  "order placed": /^You booked/,
  booked: /is booked$/,
  cancelled: /^Order cancelled/,
  reinstated: /^Back on/,
  "handed over": /handed over your/,
  shipped: /is on its way with/,
  "handover undone": /^The seller took the handover of your .* back/,
  received: /^The buyer has your/,
  "receipt undone": /^The buyer doesn’t have your/,
  extended: /more time/,
  "rebooking allowed": /lets you book/,
  "delivery details changed": /changed the address or phone number/,
  "problem opened": /^Problem with/,
  "problem offer": /offer to settle/,
  "problem answer": /^News on a problem/,
  "problem with moderators": /deciding/,
  "offer made": /You got an offer for/,
  "offer countered": /The seller made a counteroffer/,
  "offer accepted": /Your offer .* accepted/,
  "offer refused": /Your offer .* declined/,
  "counteroffer accepted": /Your counteroffer .* accepted/,
  "counteroffer refused": /Your counteroffer .* declined/,
  "offer withdrawn": /The buyer withdrew their offer/,
  "counteroffer withdrawn": /The seller withdrew the counteroffer/,
};
type Told = keyof typeof told;

/** A buyer and a seller who take steps, and what each has to be told, in order. */
class Deal {
  readonly expected: Record<Side, Told[]> = { buyer: [], seller: [] };
  orderId = "";
  private lastRemoval = { id: "", by: "buyer" as Side };
  private offer = { id: "", by: "buyer" as Side, cents: 0 };
  private parcels = 0;
  private addresses = 1;

  constructor(
    readonly db: Db,
    readonly people: Record<Side, Account>,
    readonly phoneId: string,
  ) {}

  tell(side: Side, kind: Told) {
    this.expected[side].push(kind);
  }

  async book() {
    const details = { address: "1 Harbour Street", phone: "12345" };
    const { orderId } = await bookWithoutLimits(this.db, this.people.buyer, this.phoneId, details);
    if (!orderId || orderId === this.orderId) return;
    this.orderId = orderId;
    this.tell("buyer", "order placed");
    this.tell("seller", "booked");
  }

  async cancel(by: Side) {
    const outcome = await cancelOrder(this.db, this.people[by], this.orderId, { bySeller: true });
    if (!outcome.removalId) return;
    this.lastRemoval = { id: outcome.removalId, by };
    this.tell(otherSide[by], "cancelled");
  }

  async undo() {
    const { id, by } = this.lastRemoval;
    this.lastRemoval = { id: "", by };
    if (id && (await undoWithoutLimits(this.db, this.people[by], id)).result === "undone")
      this.tell(otherSide[by], "reinstated");
  }

  async ship() {
    this.parcels += 1;
    const parcel = { parcelService: "DHL", trackingNumber: `PARCEL${this.parcels}` };
    const { refusal } = await handOver(this.db, this.people.seller, this.orderId, parcel);
    if (!refusal) this.tell("buyer", "shipped");
  }

  async handOver() {
    const inPerson = { handover: "in person" } as const;
    const { refusal } = await handOver(this.db, this.people.seller, this.orderId, inPerson);
    if (!refusal) this.tell("buyer", "handed over");
  }

  async undoHandover() {
    const { refusal } = await undoHandover(this.db, this.people.seller, this.orderId);
    if (!refusal) this.tell("buyer", "handover undone");
  }

  async receive() {
    const { refusal } = await recordReceipt(this.db, this.people.buyer, this.orderId);
    if (!refusal) this.tell("seller", "received");
  }

  async undoReceipt() {
    const { refusal } = await undoReceipt(this.db, this.people.buyer, this.orderId);
    if (!refusal) this.tell("seller", "receipt undone");
  }

  async extend(by: Side) {
    const { refusal } = await extend(this.db, this.people[by], this.orderId);
    if (!refusal) this.tell(otherSide[by], "extended");
  }

  async allowRebooking() {
    const { refusal } = await allowRebooking(this.db, this.people.seller, this.orderId);
    if (!refusal) this.tell("buyer", "rebooking allowed");
  }

  async changeDelivery() {
    this.addresses += 1;
    const delivery = { address: `${this.addresses} Harbour Street`, phone: "12345" };
    const { modifiedCount } = await changeDelivery(this.db, this.people.buyer, this.orderId, delivery);
    if (modifiedCount) this.tell("seller", "delivery details changed");
  }

  async openProblem(by: Side) {
    const problem = by === "buyer" ? ({ kind: "not arrived" } as const) : ({ kind: "not paid" } as const);
    const text = `Nothing yet: ${this.expected[otherSide[by]].length}`;
    if ((await openProblem(this.db, this.people[by], this.orderId, { ...problem, text })) === "done")
      this.tell(otherSide[by], "problem opened");
  }

  async answerProblem(by: Side, answer: Exclude<ProblemAnswer, "write">) {
    const offer = answer === "offer" ? "something else" : undefined;
    const text = `Words ${this.expected.buyer.length} ${this.expected.seller.length}`;
    const outcome = await answerProblem(this.db, this.people[by], this.orderId, { answer, offer, text });
    if (outcome !== "done") return;
    const kind = ({ offer: "problem offer", ask: "problem with moderators" } as const)[String(answer)];
    this.tell(otherSide[by], kind ?? "problem answer");
  }

  async makeOffer() {
    const cents = 30_000 + this.parcels * 100;
    const made = { amountCents: cents, text: "", formKey: null };
    const { offerId } = await makeOffer(this.db, this.people.buyer, this.phoneId, made);
    if (!offerId) return;
    this.offer = { id: offerId, by: "buyer", cents };
    this.tell("seller", "offer made");
  }

  async counter() {
    const cents = this.offer.cents + 1_000;
    const made = { amountCents: cents, text: "", formKey: null };
    const { offerId } = await counterOffer(this.db, this.people.seller, this.offer.id, made);
    if (!offerId) return;
    this.offer = { id: offerId, by: "seller", cents };
    this.tell("buyer", "offer countered");
  }

  async answerOffer(answer: "accepted" | "refused") {
    const { id, by } = this.offer;
    const { refusal } = await answerOffer(this.db, this.people[otherSide[by]], id, answer);
    this.offer = { ...this.offer, id: "" };
    if (!refusal && id) this.tell(by, by === "buyer" ? `offer ${answer}` : `counteroffer ${answer}`);
  }

  async withdrawOffer() {
    const { id, by } = this.offer;
    const { refusal } = await answerOffer(this.db, this.people[by], id, "withdrawn");
    this.offer = { ...this.offer, id: "" };
    if (!refusal && id)
      this.tell(otherSide[by], by === "buyer" ? "offer withdrawn" : "counteroffer withdrawn");
  }
}

const steps: ((deal: Deal, by: Side) => Promise<void>)[] = [
  (deal) => deal.book(),
  (deal) => deal.book(),
  (deal, by) => deal.cancel(by),
  (deal, by) => deal.cancel(by),
  (deal) => deal.undo(),
  (deal) => deal.undo(),
  (deal) => deal.undo(),
  (deal) => deal.ship(),
  (deal) => deal.ship(),
  (deal) => deal.handOver(),
  (deal) => deal.undoHandover(),
  (deal) => deal.receive(),
  (deal) => deal.receive().then(() => deal.undoReceipt()),
  (deal, by) => deal.extend(by),
  (deal) => deal.cancel("buyer").then(() => deal.allowRebooking()),
  (deal, by) => deal.openProblem(by),
  (deal, by) => deal.answerProblem(by, "offer"),
  (deal, by) => deal.answerProblem(by, "offer"),
  (deal, by) => deal.answerProblem(by, "decline"),
  (deal, by) => deal.answerProblem(by, "decline"),
  (deal, by) => deal.answerProblem(by, "accept"),
  (deal, by) => deal.answerProblem(by, "ask"),
  (deal, by) => deal.answerProblem(by, "close"),
  (deal) => deal.makeOffer(),
  (deal) => deal.makeOffer(),
  (deal) => deal.counter(),
  (deal) => deal.answerOffer("accepted"),
  (deal) => deal.answerOffer("refused"),
  (deal) => deal.withdrawOffer(),
  (deal) => deal.counter().then(() => deal.withdrawOffer()),
  (deal) => deal.counter().then(() => deal.answerOffer("accepted")),
  (deal) => deal.counter().then(() => deal.answerOffer("refused")),
  (deal) => deal.changeDelivery(),
];

/** A mail service, and runs of the consumer that sends to it, of which some fail or are interrupted. */
function mailbox(db: Db, random: () => number) {
  const sent: { to: string; subject: string }[] = [];
  const route = { origin: "https://ringback.example", secrets: ["a secret of thirty-two characters"] };
  const sendWith =
    (failures: number) =>
    async ({ id, write }: DueEmail) => {
      const { to, subject } = await write();
      if (random() < failures / 2) return false;
      // As a Worker that ends leaves it.
      if (random() < failures / 2) await db.insert(sentEmails).values({ id }).onConflictDoNothing();
      const deliver = async () => void sent.push({ to, subject });
      return (await sendOnce(db, id, deliver, () => assert.fail())) === "sent";
    };
  const run = async (count: number, failures: number) => {
    const send = sendWith(failures);
    await Promise.all(Array.from({ length: count }, () => sendDueBatch(db, { ...route, send })));
  };
  /** Until nothing is due, after the time in which an attempt may still go on. */
  const settle = async () => {
    const earlier = sql`${sentEmails.createdAt} - ${3 * 60_000}`;
    await db.update(sentEmails).set({ createdAt: earlier }).where(isNull(sentEmails.sentAt));
    while ((await db.$count(notifications, isNull(notifications.emailDoneAt))) > 0) await run(2, 0);
  };
  return { sent, run, settle };
}

/** What the other side of an order's last step has read last about its state. */
const lastWords: Partial<Record<OrderStepKind, RegExp>> = {
  reserved: told.booked,
  cancelled: told.cancelled,
  reinstated: told.reinstated,
  received: told.received,
  "handover undone": told["handover undone"],
  "receipt undone": told["receipt undone"],
};

export const eachSideIsToldOfEachStepOnceInOrderAndLastOfTheState = async (db: Db) => {
  const random = randomNumbers(50);
  const pick = <Choice>(choices: readonly Choice[]) =>
    choices[Math.floor(random() * choices.length)] as Choice;
  const taken = new Set<Told>();
  const kinds = Object.keys(told).sort();
  for (let count = 0; count < 20 || (count < 200 && taken.size < kinds.length); count += 1) {
    const emailVerifiedAt = new Date();
    const buyer = await addAccount(db, { emailVerifiedAt });
    const seller = await addAccount(db, { userType: "Seller", emailVerifiedAt });
    const phone = await addPhone(db, { sellerId: seller.id, brandName: "Nokia", model: "G22" });
    const deal = new Deal(db, { buyer, seller }, phone.id);
    const { sent, run, settle } = mailbox(db, random);
    for (let step = 0; step < 18; step += 1) {
      await pick(steps)(deal, pick(sides));
      if (random() < 0.3) await run(pick([1, 2]), 0.4);
    }
    await settle();
    for (const side of sides) {
      const got = sent.filter(({ to }) => to === deal.people[side].email).map(({ subject }) => subject);
      const due = deal.expected[side];
      assert.equal(got.length, due.length, `deal ${count}, ${side}: ${got.join("; ")} for ${due}`);
      for (const [index, kind] of due.entries()) assert.match(got[index] ?? "", told[kind]);
      for (const kind of due) taken.add(kind);
    }
    const [last] = await db
      .select()
      .from(orderSteps)
      .where(eq(orderSteps.orderId, deal.orderId))
      .orderBy(desc(orderSteps.id))
      .limit(1);
    const words = last && lastWords[last.kind];
    if (!last || !words) continue;
    const reader = last.actorId === buyer.id ? seller : buyer;
    const aboutState = Object.values(lastWords);
    const read = sent.filter(
      ({ to, subject }) => to === reader.email && aboutState.some((told) => told.test(subject)),
    );
    assert.match(read.at(-1)?.subject ?? "", words);
  }
  // Each kind of step has been taken.
  assert.deepEqual([...taken].sort(), kinds);
};
