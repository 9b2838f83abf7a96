import { expect, test } from "vitest";
import {
  type NotificationKind,
  notificationKinds,
  type OrderSide,
  orderStages,
  type ProblemState,
  type ProblemStepKind,
  problemKinds,
  problemStates,
} from "#app/db/enums.ts";
import { notificationEmail } from "#app/features/notifications/due-emails.server.ts";
import { notificationTexts } from "#app/features/notifications/notification-texts.ts";
import { problemEmailFacts } from "#app/features/order-problems/problem-email.server.ts";
import { orderEmailFacts } from "#app/features/orders/order-email.server.ts";

type MailedOrder = Parameters<typeof orderEmailFacts>[1];

const order: MailedOrder = {
  id: "0190d3b5-6f0b-7c3a-9d59-4f2a91c077be",
  productName: "Pixel 7",
  ram: "8 GB",
  rom: "128 GB",
  priceCents: 52_900,
  sellerName: "Sam",
  status: "active",
  stage: "reserved",
  hasProblem: false,
  isHandoverBarred: false,
  isSellerSuspended: false,
  hasBlock: false,
  goesBackOnSale: true,
  hasEndingProblem: false,
  isRefundDue: false,
  isReturnDue: false,
  isRefundable: false,
  refundable: null,
  isProtected: false,
  isMoneyDelayed: false,
  isUnpaid: false,
  hasAddress: false,
  gone: null,
  buyerId: "buyer",
  sellerId: "seller",
  cancelledById: "buyer",
  cancelReason: null,
  warrantyEnd: new Date("2027-12-08T12:00:00Z"),
  deadlineAt: new Date("2026-12-02T09:40:00Z"),
  isMissed: false,
};

/** As a row without one has it. */
const none = null as unknown as Date;

const payments: Record<string, Partial<MailedOrder>> = {
  "paid directly": { isRefundDue: true },
  "not paid yet": { isProtected: true, isUnpaid: true },
  paid: { isProtected: true, isRefundable: true, refundable: 52_900 },
  "paid back": { isProtected: true, refundable: 0 },
};

const situations: Record<string, Partial<MailedOrder>> = {
  usual: {},
  "with an address": { hasAddress: true },
  "with a suspended seller": { isSellerSuspended: true },
  "with an open problem": { hasProblem: true },
  "that a problem has ended": { hasEndingProblem: true, isReturnDue: true, status: "cancelled" },
  "without its buyer": { gone: "buyer" },
  "without its seller": { gone: "seller" },
  "with a block": { hasBlock: true },
  cancelled: { status: "cancelled", deadlineAt: none },
  "cancelled on Ringback’s side": {
    status: "cancelled",
    deadlineAt: none,
    cancelledById: "system",
    isMissed: true,
  },
};

const states = Object.entries(payments).flatMap(([paid, payment]) =>
  Object.entries(situations).flatMap(([name, situation]) =>
    (payment.isUnpaid ? (["reserved"] as const) : orderStages).map(
      (stage): [name: string, order: MailedOrder] => [
        `${paid}, ${name}, ${stage}`,
        { ...order, ...payment, ...situation, stage },
      ],
    ),
  ),
);

const forBuyers: NotificationKind[] = [
  "order placed",
  "rebooking allowed",
  "handed over",
  "shipped",
  "handover undone",
  "receive reminder",
  "seller suspended",
  "seller back",
];

const sidesOf = (kind: NotificationKind): OrderSide[] =>
  notificationTexts[kind].isForSellers
    ? ["seller"]
    : forBuyers.includes(kind)
      ? ["buyer"]
      : ["buyer", "seller"];

function emailOf(
  kind: NotificationKind,
  mailed: MailedOrder,
  side: OrderSide,
  subject = "Pixel 7",
  facts = orderEmailFacts(kind, mailed, side, true),
) {
  return notificationEmail({
    kind,
    subject,
    details: kind === "shipped" ? { parcelService: "UPS", trackingNumber: "1Z9" } : null,
    author: null,
    facts,
    path: `/manage/orders/${mailed.id}`,
    origin: "https://ringback.example",
    unsubscribeLink: "https://ringback.example/unsubscribe",
  });
}

/** What only the other side reads. */
const wrongWords: Record<OrderSide, RegExp> = {
  buyer: /Message the buyer|pays you(?! back)|the buyer’s address|goes back on sale|your record/,
  seller:
    /Message the seller|You’ve paid|You booked|the card that paid|You get |You pay |pay you back|Pay by/,
};

const orderKinds = notificationKinds.filter((kind) => notificationTexts[kind].group === "Orders");

test.each(orderKinds)(
  "the email “%s” says all to the right side, whatever the state of the order",
  (kind) => {
    for (const side of sidesOf(kind))
      for (const [name, mailed] of states) {
        // Sellers learn of a booking once it is paid.
        if (kind === "booked" && mailed.isUnpaid) continue;
        const { subject, text } = emailOf(kind, mailed, side);
        const state = `${side}: ${name}`;
        expect(`${state} ${subject} ${text}`).not.toContain("…");
        expect(`${state} ${text}`).not.toMatch(/undefined|null|\.\.|: \n/);
        expect(`${state} ${text}`).not.toMatch(wrongWords[side]);
      }
  },
);

test.each(notificationKinds)("of the email “%s”, only what somebody has typed is shortened", (kind) => {
  const name = `Phone ${"of many words ".repeat(30)}`;
  const { subject, text } = emailOf(kind, { ...order, productName: name }, "buyer", name);
  const [before = "", after = ""] = notificationTexts[kind]
    .sentence(kind === "shipped" ? "| is on its way with UPS 1Z9" : "|", null)
    .split("|");
  const message = text.split("\n\n")[1] ?? "";
  if (kind !== "from us") {
    expect(message.startsWith(before) && message.endsWith(after)).toBe(true);
    expect(subject.length).toBeLessThan(
      60 + before.length + after.length + " is on its way with UPS 1Z9".length,
    );
  }
});

type Problem = Parameters<typeof problemEmailFacts>[0];

/** What may have led to each state. */
const lastSteps: Record<ProblemState, ProblemStepKind[]> = {
  open: ["opened"],
  offered: ["offered"],
  "with moderators": ["asked moderators"],
  solved: ["accepted", "ended"],
  returned: ["decided"],
  refused: ["closed"],
};

test.each(problemKinds)("no email about the problem “%s” cuts a sentence, whatever its state", (kind) => {
  for (const state of problemStates)
    for (const lastKind of lastSteps[state])
      for (const openedBy of ["buyer", "seller", "system"] as const)
        for (const stage of orderStages)
          for (const gone of [null, "buyer", "seller"] as const)
            for (const returnedInDispute of [null, 0]) {
              const hasEnded = ["solved", "returned", "refused"].includes(state);
              const problem: Problem = {
                ...{ id: "problem", orderId: order.id, buyerId: "buyer", productName: "Pixel 7" },
                ...{ lastStepId: "step", hasMovedOn: false },
                ...{ kind, state, openedBy, lastKind, stage, gone, status: order.status },
                ...{ deadlineAt: hasEnded ? null : order.deadlineAt, orderEnd: order.deadlineAt },
                ...{ paidCents: 52_900, feeCents: 0, refundable: 40_000, returnedInDispute, reason: null },
                parcel: { parcelService: "UPS", trackingNumber: "1Z9" },
                payment: null,
                hasEndedWithOrder: lastKind === "ended",
              };
              for (const side of ["buyer", "seller"] as const) {
                const facts = problemEmailFacts(problem, side);
                const { text } = emailOf("problem answer", order, side, "Pixel 7", facts);
                expect(text).not.toMatch(/…|undefined/);
                for (const [, value] of facts) expect(text).toContain(value);
              }
            }
});

const bookingOf = (mailed: Partial<MailedOrder>, kind: NotificationKind = "order placed") =>
  emailOf(kind, { ...order, ...mailed }, kind === "booked" ? "seller" : "buyer").text;

test("the email of a booking says what comes first", () => {
  const unpaid = bookingOf({ isProtected: true, isUnpaid: true });
  expect(unpaid).toContain(
    "Next step: Pay by Dec 2, 2026, 9:40 AM UTC. If you don’t, we cancel the order. You won’t owe anything. You can book it again after 24 hours.",
  );
  expect(unpaid).not.toMatch(/Message the seller|You’ve paid/);
  const paid = bookingOf({ isProtected: true, isRefundable: true });
  expect(paid).toContain("Payment: You’ve paid. Ringback holds the money until you have the device.");
  expect(paid).toContain("Next step: Message the seller to agree on delivery.");
  expect(bookingOf({ isProtected: true, isRefundable: true, hasAddress: true })).toContain(
    "Next step: There’s nothing you have to do now: the seller has your address.",
  );
  expect(bookingOf({})).toContain("Next step: Message the seller to agree on delivery and payment.");
  expect(bookingOf({}, "booked")).toContain("Next step: Message the buyer to agree on delivery.");
  expect(bookingOf({ hasAddress: true }, "booked")).toContain(
    "You’ll find the buyer’s address on the order’s page.",
  );
});

test("an email that comes late says where the money is now", () => {
  const cancelled = { isProtected: true, isRefundable: true, status: "cancelled", deadlineAt: none } as const;
  expect(bookingOf(cancelled)).toContain("Payment: You get all of it back from Ringback.");
  expect(bookingOf({ ...cancelled, isUnpaid: true })).toContain("Payment: Nothing was paid.");
  expect(bookingOf({ isProtected: true, refundable: 0 })).toContain(
    "Payment: You’ve already been paid back.",
  );
  const refunded = (isMoneyDelayed: boolean) =>
    emailOf("refunded", { ...order, isMoneyDelayed }, "buyer").text;
  expect(refunded(false)).toContain("Refund: It goes back to the card that paid for it.");
  expect(refunded(true)).toContain("Refund: It’s delayed at our payment partner. We keep trying.");
});

test("an email about a problem says nothing of its state once more has happened", () => {
  const problem = { ...{ kind: "not arrived", state: "solved", orderId: order.id }, hasMovedOn: true };
  const facts = problemEmailFacts(problem as unknown as Problem, "buyer");
  expect(facts.map(([term]) => term)).toEqual(["Order number", "Device", "Problem", "State"]);
  expect(facts.at(-1)?.[1]).toBe("More has happened since. The order’s page says what.");
});

test("after a full refund, no email asks to hand over or to confirm", () => {
  for (const stage of ["reserved", "handed over"] as const) {
    const paidBack = { ...order, isProtected: true, refundable: 0, stage };
    for (const side of ["buyer", "seller"] as const)
      expect(emailOf("refunded", paidBack, side).text).not.toMatch(/Confirm by|Handover by/);
    const { text } = emailOf("refunded", { ...paidBack, isRefundable: true, refundable: 1 }, "buyer");
    expect(text).toContain(stage === "reserved" ? "Handover by: Dec 2, 2026" : "Confirm by: Dec 2, 2026");
  }
});
