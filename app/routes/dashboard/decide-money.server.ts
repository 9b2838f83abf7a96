import type { AppLoadContext } from "@remix-run/cloudflare";
import { formRefusal, type PostedForm } from "#app/auth/guard.server.ts";
import { may } from "#app/features/accounts/permissions.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import { priceLabel } from "#app/features/listings/money.rules.ts";
import { orderRefusals } from "#app/features/orders/order-texts.ts";
import { moneyDecisionSchema } from "#app/features/payments/money-decision.schema.ts";
import { findLedger } from "#app/features/payments/payment-list.server.ts";
import { paymentProvider } from "#app/features/payments/provider.server.ts";
import {
  findRefundable,
  findReleasable,
  refundOrder,
  refundRefusals,
  releaseToSuspendedSeller,
  resendRefusals,
  resendTasks,
} from "#app/features/payments/refunds.server.ts";
import { redirectWithToast } from "#app/server/forms/flash.server.ts";
import { invalidForm, parseForm, refusedForm } from "#app/server/forms/forms.server.ts";
import { pathAndQuery } from "#app/server/http/paths.ts";
import { notFound } from "#app/server/http/responses.server.ts";
import { confirmedIn } from "../message-question.server.ts";

/** What has happened to the money of an order, and what staff can do with it. */
export async function ledgerOf({ db }: AppLoadContext, viewer: Viewer, orderId: string) {
  const [ledger, refundable, releasable] = await Promise.all([
    findLedger(db, orderId),
    findRefundable(db, viewer, orderId),
    findReleasable(db, viewer, orderId),
  ]);
  return { ...ledger, refundable, releasable, account: viewer.email };
}

/** Sends to the provider again at once what it has not carried out. */
export async function sendAgain(posted: PostedForm, orderId: string) {
  const { context, request, viewer } = posted;
  const provider = await paymentProvider(context.environment);
  if (!provider || !may(viewer, "manage orders")) throw notFound();
  const refusal = await formRefusal(posted, "advance order");
  if (refusal) return refusedForm(refusal);
  const outcome = await resendTasks(context.db, provider, viewer, orderId);
  const here = pathAndQuery(request);
  if (typeof outcome === "string")
    return redirectWithToast(context, here, { kind: "error", message: resendRefusals[outcome] });
  return redirectWithToast(
    context,
    here,
    outcome.length === 0
      ? { kind: "success", message: "Sent" }
      : { kind: "error", message: `Not carried out: the provider says ${outcome.join(", ")}` },
  );
}

/** Pays back, or to a suspended seller, what staff has decided on an order's page. */
export async function decideMoney(posted: PostedForm, orderId: string) {
  const { context, request, viewer, form } = posted;
  if (!may(viewer, "manage orders")) throw notFound();
  const submission = parseForm(form, moneyDecisionSchema);
  if (submission.status !== "success") return invalidForm(submission);
  const refusal = await formRefusal(posted, "advance order");
  if (refusal) return invalidForm(submission, refusal);
  const { intent, amount: amountCents, reason, shown: shownCents } = submission.value;
  if (intent === "release") {
    const releasable = await findReleasable(context.db, viewer, orderId);
    const isOffered = releasable?.from === null;
    const asked = `release ${amountCents}`;
    if (isOffered && releasable.cents === amountCents && !confirmedIn(form).includes(asked)) {
      const question = `Pay ${releasable.sellerName}, who is suspended, ${priceLabel(amountCents)}? It can’t be undone. Press the button again to confirm.`;
      return invalidForm(submission, { formErrors: [question], asked: [asked] });
    }
    const outcome = await releaseToSuspendedSeller(context.db, viewer, orderId, { amountCents, reason });
    if (outcome === "done")
      return redirectWithToast(context, pathAndQuery(request), {
        kind: "success",
        message: "Payment decided",
      });
    const message = orderRefusals[outcome];
    // The form keeps the reason.
    if (isOffered) return invalidForm(submission, { formErrors: [message] });
    return redirectWithToast(context, pathAndQuery(request), { kind: "error", message });
  }
  const refundable = await findRefundable(context.db, viewer, orderId);
  const asked = `${amountCents} ${shownCents}`;
  const isPossible = refundable?.refusal === null && amountCents <= refundable.leftCents;
  if (isPossible && !confirmedIn(form).includes(asked)) {
    const question = `Pay back ${priceLabel(amountCents)}? It can’t be undone. Press Refund again to confirm.`;
    return invalidForm(submission, { formErrors: [question], asked: [asked] });
  }
  const outcome = await refundOrder(context.db, viewer, orderId, { amountCents, reason, shownCents });
  if (outcome === "not found") throw notFound();
  if (outcome === "too much")
    return invalidForm(submission, { fieldErrors: { amount: ["That’s more than what’s left of it"] } });
  return redirectWithToast(
    context,
    pathAndQuery(request),
    outcome === "done"
      ? { kind: "success", message: "Refund decided" }
      : { kind: "error", message: refundRefusals[outcome] },
  );
}
