import { and, eq, isNull, or, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import { ledgerEntries, payments, paymentTasks } from "#app/db/schema.ts";
import { settlePayment } from "./payment-tasks.server.ts";
import type { PaymentProvider } from "./provider.ts";

/** Looks up at the provider what a buyer’s bank disputes: until its end nothing moves, and what is lost is booked. */
export async function refreshDispute(db: Db, provider: PaymentProvider, disputeId: string, now = new Date()) {
  const { chargeId, amountCents, state } = await provider.findDispute(disputeId);
  const isOf = and(
    eq(payments.chargeId, chargeId),
    or(isNull(payments.disputeId), eq(payments.disputeId, disputeId)),
  );
  const [payment] = await db.select({ orderId: payments.orderId }).from(payments).where(isOf);
  if (!payment) return;
  const { orderId } = payment;
  const isPayment = eq(payments.orderId, orderId);
  const begin = db
    .update(payments)
    .set({ disputeId, disputedAt: sql`coalesce(${payments.disputedAt}, ${now.getTime()})`, settledAt: null })
    .where(isPayment);
  const isRunning = and(isPayment, isNull(payments.disputeEndedAt));
  await batchUnless(db, { "ended before": hasRow(db, payments, isRunning) }, [
    begin,
    ...(state === "open" ? [] : [db.update(payments).set({ disputeEndedAt: now }).where(isPayment)]),
    ...(state === "lost"
      ? [
          db
            .insert(ledgerEntries)
            .values({ orderId, kind: "refunded", amountCents, providerId: disputeId, createdAt: now }),
          // What was to be moved, and was never sent, is another amount now.
          db
            .delete(paymentTasks)
            .where(
              and(
                eq(paymentTasks.orderId, orderId),
                isNull(paymentTasks.doneAt),
                eq(paymentTasks.attempts, 0),
              ),
            ),
        ]
      : []),
    ...(state === "open" ? [] : [settlePayment(db, orderId, now)]),
  ]);
}
