import { z } from "zod";
import { toAmount } from "#app/features/listings/money.rules.ts";
import type { OrderDetails } from "#app/features/orders/order-details.server.ts";
import {
  entryStateSchema,
  ledgerKindSchema,
  moneyStateSchema,
  payoutStateSchema,
} from "#app/features/payments/payment.schema.ts";
import type { PayoutRow, PayoutSums } from "#app/features/payments/payout-entries.server.ts";
import { orderDetailsRecord } from "./order-records.ts";
import { _id, amount, recordNames } from "./record-fields.ts";

const time = z.iso.datetime().nullable();

export const paymentRecord = z
  .object({
    _id: _id.describe("The booking."),
    role: orderDetailsRecord.shape.role,
    state: moneyStateSchema.describe("Where the money is."),
    price: amount.describe("What the buyer pays."),
    share: amount.describe("What the seller gets of it."),
    toRefund: amount.describe("What the buyer still gets back."),
    refunded: amount.describe("What the buyer has got back."),
    refundReason: z.string().nullable().describe("Why staff paid back. Null unless they did."),
    payBy: z.iso.datetime(),
    movesAt: time.describe(
      "When the seller is paid, or the buyer paid back. Null as long as that’s open, and once the money has moved.",
    ),
    canPay: z
      .boolean()
      .describe("Whether you can pay now: `POST` to this path for the address of the payment page."),
    refundedByBank: amount.describe("By the buyer’s bank, of that."),
    history: z.array(
      z.object({
        kind: ledgerKindSchema,
        amount,
        at: z.iso.datetime(),
      }),
    ),
  })
  .register(recordNames, { id: "Payment" });

type Payment = NonNullable<OrderDetails["payment"]>;

export function toPayment({ id, role, priceCents }: OrderDetails, payment: Payment) {
  const { state, refundReason, payBy, movesAt } = payment;
  return {
    ...{ _id: id, role, state, refundReason, payBy, movesAt },
    price: toAmount(priceCents),
    share: toAmount(payment.sellerShareCents),
    toRefund: toAmount(payment.toRefundCents),
    refunded: toAmount(payment.refundedCents),
    canPay: role === "buyer" && payment.canStillPay,
    refundedByBank: toAmount(payment.refundedByBankCents),
    history: payment.history.map(({ kind, cents, at }) => ({ kind, amount: toAmount(cents), at })),
  } satisfies z.infer<typeof paymentRecord>;
}

const sum = z.object({ amount, bookings: z.int().min(0) });

export const payoutsRecord = z
  .object({
    state: payoutStateSchema.describe(
      "Of your account at the payment provider. Unless it’s “ready”, buyers pay you directly.",
    ),
    held: sum,
    onItsWay: sum.describe("Received by the buyers, and due to you soon."),
    paid: sum,
  })
  .register(recordNames, { id: "Payouts" });

export function toPayouts(state: z.infer<typeof payoutStateSchema>, sums: PayoutSums) {
  const toSum = ({ cents, orders }: PayoutSums["held"]) => ({ amount: toAmount(cents), bookings: orders });
  return {
    state,
    held: toSum(sums.held),
    onItsWay: toSum(sums["on its way"]),
    paid: toSum(sums.paid),
  } satisfies z.infer<typeof payoutsRecord>;
}

export const payoutRecord = z
  .object({
    _id: _id.describe("The booking."),
    productName: z.string().describe("Brand and model."),
    state: entryStateSchema,
    amount: amount.describe("What you get, after the fee."),
    paidAt: time.describe("When the buyer paid."),
    releasedBy: time.describe("By when you’re paid. Null unless it’s on its way and known."),
    settledAt: time.describe("When you were paid, or the buyer was paid back."),
  })
  .register(recordNames, { id: "Payout" });

export function toPayout({ id, productName, state, cents, paidAt, releasedBy, settledAt }: PayoutRow) {
  return {
    ...{ _id: id, productName, state },
    amount: state === "paid back" ? 0 : toAmount(cents),
    paidAt: paidAt?.toISOString() ?? null,
    releasedBy: releasedBy?.toISOString() ?? null,
    settledAt: settledAt?.toISOString() ?? null,
  } satisfies z.infer<typeof payoutRecord>;
}
