import fc from "fast-check";
import { expect, test } from "vitest";
import { orderStages, problemKinds } from "#app/db/enums.ts";
import { feeCents, payoutLabel } from "#app/features/listings/fee.rules.ts";
import {
  feeOfMove,
  heldCents,
  type MoneyFacts,
  moneyDue,
  moneyState,
  refundTime,
  releaseTime,
} from "#app/features/payments/payment.rules.ts";
import { paymentTerms } from "#app/terms.ts";
import { dayMs } from "#app/time.ts";

const minute = 60_000;
const start = Date.UTC(2026, 10, 28);

/** A paid order of $100 with a fee of $4, received at the start. */
const received: MoneyFacts = {
  amountCents: 10_000,
  feeCents: 400,
  refundCents: 0,
  isRefundByStaff: false,
  charged: 10_000,
  released: 0,
  refunded: 0,
  takenBack: 0,
  fee: 0,
  status: "active",
  stage: "received",
  paidAt: start - 5 * dayMs,
  approvedAt: null,
  receivedAt: start,
  endedAt: null,
  endingProblem: null,
  hasOpenProblem: false,
  problemSettledAt: null,
  isDeviceBack: false,
  returnSettledAt: null,
  returnRefusedAt: null,
  isSellerSuspended: false,
  isPayoutReady: true,
  isDisputed: false,
  hasTask: false,
};

const cancelled: MoneyFacts = {
  ...received,
  status: "cancelled",
  stage: "reserved",
  receivedAt: null,
  endedAt: start,
};
const returned: MoneyFacts = { ...cancelled, stage: "handed over", endingProblem: "defect" };

/** A quarter of it goes back, though the order goes on. */
const part: MoneyFacts = { ...received, refundCents: 2_500 };
const gone = { refundCents: 2_500, refunded: 2_500 };
const back = (cause: string) => ({ kind: "refund", amountCents: 2_500, cause });

const release = (cause: string) => ({ kind: "release", amountCents: 9_600, cause });
const refund = (cause: string) => ({ kind: "refund", amountCents: 10_000, cause });

test.each<[string, MoneyFacts, number, object | null]>([
  ["received, a minute before its two days", received, 2 * dayMs - minute, null],
  ["received, after two days", received, 2 * dayMs, release("received")],
  ["approved, within ten minutes", { ...received, approvedAt: start }, 9 * minute, null],
  ["approved, after ten minutes", { ...received, approvedAt: start }, 10 * minute, release("approved")],
  ["handed over, for long", { ...received, stage: "handed over", receivedAt: null }, 30 * dayMs, null],
  ["received, with a problem", { ...received, hasOpenProblem: true, approvedAt: start }, 30 * dayMs, null],
  [
    "received, a problem is settled",
    { ...received, problemSettledAt: start + dayMs },
    dayMs,
    release("problem"),
  ],
  ["received, a problem was settled before", { ...received, problemSettledAt: start - 1 }, dayMs, null],
  ["received, of a suspended seller", { ...received, isSellerSuspended: true }, 30 * dayMs, null],
  ["received, of a seller who cannot be paid", { ...received, isPayoutReady: false }, 30 * dayMs, null],
  ["received, a task waits", { ...received, hasTask: true }, 30 * dayMs, null],
  ["received, released", { ...received, released: 9_600, fee: 400 }, 30 * dayMs, null],
  ["cancelled, within ten minutes", cancelled, 9 * minute, null],
  ["cancelled, after ten minutes", cancelled, 10 * minute, refund("cancelled")],
  ["cancelled, of a suspended seller", { ...cancelled, isSellerSuspended: true }, dayMs, refund("cancelled")],
  ["cancelled, refunded", { ...cancelled, refunded: 10_000 }, dayMs, null],
  ["cancelled, not paid", { ...cancelled, charged: 0, paidAt: null }, dayMs, null],
  ["paid after the end", { ...cancelled, paidAt: start + 1 }, 1, refund("paid too late")],
  ["ended before the handover", { ...returned, stage: "reserved" }, 0, refund("problem")],
  ["ended, has not arrived", { ...returned, endingProblem: "not arrived" }, 0, refund("problem")],
  ["to be given back", returned, paymentTerms.returnDays * dayMs - 1, null],
  ["to be given back, for too long", returned, paymentTerms.returnDays * dayMs, refund("problem")],
  ["given back", { ...returned, isDeviceBack: true }, minute, refund("problem")],
  ["not given back, says the seller", { ...returned, hasOpenProblem: true }, 90 * dayMs, null],
  ["nothing to give back", { ...returned, returnRefusedAt: start + dayMs }, dayMs, refund("problem")],
  [
    "still to be given back",
    { ...returned, returnSettledAt: start + dayMs },
    paymentTerms.returnDays * dayMs,
    null,
  ],
  [
    "given back after the release",
    { ...returned, isDeviceBack: true, released: 9_600, fee: 400 },
    minute,
    { kind: "take back", amountCents: 9_600, cause: "problem" },
  ],
  [
    "taken back",
    { ...returned, isDeviceBack: true, released: 9_600, takenBack: 9_600, fee: 400 },
    minute,
    refund("problem"),
  ],
  ["a part, before the receipt", { ...part, stage: "handed over", receivedAt: null }, 0, back("problem")],
  ["a part, decided by staff", { ...part, isRefundByStaff: true }, 0, back("staff")],
  ["a part, while a problem is open", { ...part, hasOpenProblem: true }, 0, back("problem")],
  ["a part, of a suspended seller", { ...part, isSellerSuspended: true }, 0, back("problem")],
  [
    "a part has gone back",
    { ...part, refunded: 2_500 },
    2 * dayMs,
    { kind: "release", amountCents: 7_100, cause: "received" },
  ],
  [
    "a part, after the release",
    { ...part, released: 9_600, fee: 400 },
    3 * dayMs,
    { kind: "take back", amountCents: 2_500, cause: "problem" },
  ],
  [
    "a part, taken back",
    { ...part, released: 9_600, fee: 400, takenBack: 2_500 },
    3 * dayMs,
    back("problem"),
  ],
  [
    "a part that needs the fee, after the release",
    { ...part, refundCents: 9_900, released: 9_600, fee: 400 },
    3 * dayMs,
    { kind: "take back", amountCents: 9_600, cause: "problem" },
  ],
  [
    "a part that leaves less than the fee",
    { ...part, refundCents: 9_900, refunded: 9_900 },
    3 * dayMs,
    { kind: "release", amountCents: 1, cause: "received" },
  ],
  [
    "cancelled, after a part",
    { ...cancelled, ...gone },
    dayMs,
    { ...refund("cancelled"), amountCents: 7_500 },
  ],
  ["disputed, after two days", { ...received, isDisputed: true }, 30 * dayMs, null],
  ["disputed, cancelled", { ...cancelled, isDisputed: true }, 30 * dayMs, null],
  [
    "lost, after the release",
    { ...received, released: 9_600, fee: 400, refunded: 10_000 },
    0,
    { kind: "take back", amountCents: 9_600, cause: "dispute" },
  ],
  ["lost, before the release", { ...received, refunded: 10_000 }, 30 * dayMs, null],
  ["a part of more than was paid", { ...part, refundCents: 20_000 }, 0, refund("problem")],
])("%s", (_name, facts, after, due) => {
  expect(moneyDue(facts, start + after)).toEqual(due);
});

const time = fc.option(fc.integer({ min: start - 30 * dayMs, max: start + 30 * dayMs }), { nil: null });
const facts: fc.Arbitrary<MoneyFacts> = fc
  .record({
    amountCents: fc.integer({ min: 1, max: 1_000_000 }),
    refundCents: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 1_000_000 })),
    isRefundByStaff: fc.boolean(),
    status: fc.constantFrom("active" as const, "cancelled" as const),
    stage: fc.constantFrom(...orderStages),
    paidAt: time,
    approvedAt: time,
    receivedAt: time,
    endedAt: time,
    endingProblem: fc.option(fc.constantFrom(...problemKinds), { nil: null }),
    hasOpenProblem: fc.boolean(),
    problemSettledAt: time,
    isDeviceBack: fc.boolean(),
    returnSettledAt: time,
    returnRefusedAt: time,
    isSellerSuspended: fc.boolean(),
    isPayoutReady: fc.boolean(),
    isDisputed: fc.boolean(),
    hasTask: fc.boolean(),
  })
  .map((values) => ({
    ...values,
    feeCents: feeCents(values.amountCents, { percent: 4, fixedCents: 30, minimumCents: 100 }),
    charged: values.paidAt === null ? 0 : values.amountCents,
    released: 0,
    refunded: 0,
    takenBack: 0,
    fee: 0,
  }));

/** The facts after a task was carried out. */
function carriedOut(facts: MoneyFacts, due: NonNullable<ReturnType<typeof moneyDue>>): MoneyFacts {
  const fee = facts.fee + feeOfMove(due.kind, due.amountCents, facts);
  if (due.kind === "release") return { ...facts, fee, released: facts.released + due.amountCents };
  if (due.kind === "take back") return { ...facts, fee, takenBack: facts.takenBack + due.amountCents };
  return { ...facts, fee, refunded: facts.refunded + due.amountCents };
}

test("whatever happens, money is conserved, moves in time, and comes to rest", () => {
  fc.assert(
    fc.property(fc.array(facts, { minLength: 1, maxLength: 4 }), fc.nat(60), (changes, days) => {
      const [first] = changes;
      if (!first) return;
      // One order that its facts change of; what was paid and moved stays.
      const { amountCents, feeCents, charged, paidAt } = first;
      let moved = { released: 0, refunded: 0, takenBack: 0, fee: 0 };
      for (const change of changes) {
        let now: MoneyFacts = { ...change, amountCents, feeCents, charged, paidAt, ...moved };
        for (let turn = 0; turn < 5; turn += 1) {
          const at = start + days * dayMs;
          const due = moneyDue(now, at);
          moneyState(now);
          if (!due) break;
          expect(turn).toBeLessThan(3);
          expect(due.amountCents).toBeGreaterThan(0);
          expect(due.amountCents).toBeLessThanOrEqual(charged);
          if (due.kind === "release") {
            expect(releaseTime(now)?.at).toBeLessThanOrEqual(at);
            expect(now.isSellerSuspended || now.hasOpenProblem).toBe(false);
          } else if (now.status === "cancelled") expect(refundTime(now)).toBeLessThanOrEqual(at);
          now = carriedOut(now, due);
          expect(heldCents(now)).toBeGreaterThanOrEqual(0);
          expect(now.refunded).toBeLessThanOrEqual(charged);
          expect(now.fee).toBeGreaterThanOrEqual(0);
          expect(now.fee).toBeLessThanOrEqual(feeCents);
          expect(now.released - now.takenBack).toBeLessThanOrEqual(charged);
        }
        moved = { released: now.released, refunded: now.refunded, takenBack: now.takenBack, fee: now.fee };
      }
    }),
    {
      numRuns: 2000,
      // A fee of the whole price.
      examples: [
        [
          [
            {
              ...received,
              amountCents: 1,
              feeCents: feeCents(1, { percent: 4, fixedCents: 30, minimumCents: 100 }),
              charged: 1,
            },
            { ...cancelled, amountCents: 1 },
          ],
          30,
        ],
      ],
    },
  );
});

test("people see where the money is", () => {
  expect(moneyState({ ...received, charged: 0, stage: "reserved" })).toBe("to pay");
  expect(moneyState({ ...cancelled, charged: 0 })).toBe("not paid");
  expect(moneyState({ ...received, stage: "handed over" })).toBe("held");
  expect(moneyState({ ...received, hasOpenProblem: true })).toBe("on hold");
  expect(moneyState(received)).toBe("to be released");
  expect(moneyState({ ...received, released: 9_600, fee: 400 })).toBe("released");
  expect(moneyState(cancelled)).toBe("to be refunded");
  expect(moneyState(part)).toBe("to be refunded");
  expect(moneyState({ ...received, ...gone })).toBe("to be released");
  expect(moneyState({ ...received, ...gone, released: 7_100, fee: 400 })).toBe("partly refunded");
  expect(moneyState({ ...cancelled, refunded: 10_000 })).toBe("refunded");
});

test("a fee has a share, a fixed part and a minimum, and is never all of the price", () => {
  const fee = { percent: 3, fixedCents: 30, minimumCents: 100 };
  expect([0, 50, 1_000, 10_000, 9_983].map((cents) => feeCents(cents, fee))).toEqual([0, 49, 100, 330, 329]);
  expect(feeCents(10_000)).toBe(0);
});

test("a seller reads what they get after the fee", () => {
  const label = (percent: number, fixedCents: number, minimumCents: number) =>
    payoutLabel(10_000, { percent, fixedCents, minimumCents });
  expect(label(0, 0, 0)).toBe("You get $100. There is no fee.");
  expect(label(3, 0, 0)).toBe("You get $97 after our fee of 3%.");
  expect(label(3, 30, 500)).toBe("You get $95 after our fee of 3% and $0.30, at least $5.");
  expect(label(0, 0, 500)).toBe("You get $95 after our fee of $5.");
});

test("a seller who has not typed a price reads what the fee is, if there is one", () => {
  const fee = { percent: 3, fixedCents: 30, minimumCents: 500 };
  expect(payoutLabel(undefined, fee)).toBe("You get your price minus our fee of 3% and $0.30, at least $5.");
  expect(payoutLabel(undefined, { percent: 0, fixedCents: 0, minimumCents: 0 })).toBeNull();
});
