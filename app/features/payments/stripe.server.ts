import Stripe from "stripe";
import type { PayoutState } from "#app/db/enums.ts";
import { market } from "#app/market.ts";
import {
  notDone,
  type PaymentProvider,
  type ProviderDispute,
  ProviderError,
  type ProviderMovement,
} from "./provider.ts";

/** The version that the types of the package describe. */
const apiVersion = "2026-10-28.endive";

const timeoutMs = 20_000;

/** Stripe closes a page 30 minutes after it was opened at the earliest; one more for clocks that differ. */
const shortestPageMs = 31 * 60_000;

const currency = market.currency.toLowerCase();

/**
 * Stripe, by separate charges and transfers: the buyer pays Ringback, which pays the seller later. A card's authorization
 * would end after seven days, before most orders do.
 *
 * @see https://docs.stripe.com/connect/separate-charges-and-transfers
 */
export function stripeProvider(settings: {
  secretKey: string;
  webhookSecret: string;
  /** What stands in for Stripe; null for Stripe itself. */
  apiOrigin: string | null;
}): PaymentProvider {
  const stripe = new Stripe(settings.secretKey, {
    apiVersion,
    httpClient: Stripe.createFetchHttpClient(),
    // What is to be moved is a task, which is sent again.
    maxNetworkRetries: 0,
    timeout: timeoutMs,
    telemetry: false,
    ...(settings.apiOrigin && addressOf(settings.apiOrigin)),
  });
  const cryptoProvider = Stripe.createSubtleCryptoProvider();

  return {
    startPayment: ({ key, orderId, amountCents, productName, payBy, returnUrl }) =>
      answered(async () => {
        const isLate = payBy.getTime() - Date.now() < shortestPageMs;
        const closesAt = payBy.getTime() + (isLate ? shortestPageMs : 0);
        const session = await stripe.checkout.sessions.create(
          {
            mode: "payment",
            client_reference_id: orderId,
            line_items: [
              {
                quantity: 1,
                price_data: { currency, unit_amount: amountCents, product_data: { name: productName } },
              },
            ],
            // Cards are charged at once; a bank debit would take days.
            allowed_payment_method_types: ["card"],
            payment_intent_data: { transfer_group: orderId, metadata: { order: orderId } },
            metadata: { order: orderId },
            expires_at: Math.floor(closesAt / 1000),
            success_url: returnUrl,
            cancel_url: returnUrl,
          },
          // A key stands for the same facts only.
          { idempotencyKey: isLate ? `${key}-late` : key },
        );
        if (!session.url) throw new ProviderError("no_page", false);
        return { checkoutId: session.id, url: session.url };
      }),

    findPayment: (checkoutId) =>
      answered(async () => {
        const session = await stripe.checkout.sessions.retrieve(checkoutId, { expand: ["payment_intent"] });
        const isPaid = session.status === "complete" && session.payment_status === "paid";
        const intent = typeof session.payment_intent === "string" ? null : session.payment_intent;
        return {
          orderId: session.client_reference_id ?? "",
          state: isPaid ? "paid" : session.status === "expired" ? "expired" : "open",
          chargeId: isPaid ? idOf(intent?.latest_charge) : null,
          amountCents: session.amount_total ?? 0,
          url: session.url,
        };
      }),

    findDisputes: (disputeId) =>
      answered(async () => {
        const { charge } = await stripe.disputes.retrieve(disputeId);
        const chargeId = idOf(charge) ?? "";
        const disputes: ProviderDispute[] = [];
        for await (const { id, amount, status } of stripe.disputes.list({ charge: chargeId, limit: 100 })) {
          const isWon = ["won", "warning_closed", "prevented"].includes(status);
          const state = status === "lost" ? "lost" : isWon ? "won" : "open";
          disputes.push({ id, amountCents: amount, state });
        }
        return { chargeId, disputes };
      }),

    endPayment: (checkoutId) =>
      answered(async () => {
        const isOpen = async () => (await stripe.checkout.sessions.retrieve(checkoutId)).status === "open";
        if (!(await isOpen())) return;
        try {
          await stripe.checkout.sessions.expire(checkoutId);
        } catch (error) {
          // The buyer may have paid in between.
          if (!(error instanceof Stripe.errors.StripeInvalidRequestError) || (await isOpen())) throw error;
        }
      }),

    release: ({ key, isLookup = false, orderId, chargeId, accountId, amountCents }) =>
      moveOnce({ key, isLookup }, stripe.transfers.list({ transfer_group: orderId, limit: 100 }), () =>
        stripe.transfers.create(
          {
            amount: amountCents,
            currency,
            destination: accountId,
            transfer_group: orderId,
            // So that the money of this charge is moved, also before it is available.
            ...(chargeId && { source_transaction: chargeId }),
            metadata: { order: orderId, key },
          },
          { idempotencyKey: key },
        ),
      ),

    refund: ({ key, isLookup = false, orderId, chargeId, amountCents }) =>
      moveOnce({ key, isLookup }, stripe.refunds.list({ charge: chargeId, limit: 100 }), async () => {
        const refund = await stripe.refunds.create(
          { charge: chargeId, amount: amountCents, metadata: { order: orderId, key } },
          { idempotencyKey: key },
        );
        if (!isRefunded(refund)) throw new ProviderError(refund.failure_reason ?? "refund_failed", false);
        return refund;
      }),

    reverse: ({ key, isLookup = false, orderId, transferId, amountCents }) =>
      moveOnce({ key, isLookup }, stripe.transfers.listReversals(transferId, { limit: 100 }), () =>
        stripe.transfers.createReversal(
          transferId,
          { amount: amountCents, metadata: { order: orderId, key } },
          { idempotencyKey: key },
        ),
      ),

    onboard: ({ key, userId, accountId, returnUrl }) =>
      answered(async () => {
        const account = accountId ?? (await createAccount(key, userId));
        const link = await stripe.accountLinks.create({
          account,
          type: "account_onboarding",
          collection_options: { fields: "eventually_due" },
          return_url: returnUrl,
          // For a link that was used before: its page has the button for another one.
          refresh_url: returnUrl,
        });
        return { accountId: account, url: link.url };
      }),

    accountState: (accountId) => answered(async () => stateOf(await stripe.accounts.retrieve(accountId))),

    async readEvent(body, signature) {
      try {
        const { id, type, data } = await stripe.webhooks.constructEventAsync(
          body,
          signature ?? "",
          settings.webhookSecret,
          undefined,
          cryptoProvider,
        );
        return { id, type, objectId: "id" in data.object ? String(data.object.id) : "" };
      } catch (error) {
        if (error instanceof Stripe.errors.StripeSignatureVerificationError) return null;
        throw error;
      }
    },

    async *list(since) {
      try {
        yield* movementsSince(Math.floor(since.getTime() / 1000));
      } catch (error) {
        throw toProviderError(error);
      }
    },
  };

  /**
   * Sellers get Stripe's own small dashboard and give their details to Stripe alone; Ringback bears fees and losses. By
   * controller properties, which replace the account types such as Express.
   *
   * @see https://docs.stripe.com/connect/migrate-to-controller-properties
   */
  async function createAccount(key: string, userId: string): Promise<string> {
    const account = await stripe.accounts.create(
      {
        controller: {
          stripe_dashboard: { type: "express" },
          requirement_collection: "stripe",
          fees: { payer: "application" },
          losses: { payments: "application" },
        },
        capabilities: { transfers: { requested: true } },
        metadata: { user: userId },
      },
      { idempotencyKey: key },
    );
    return account.id;
  }

  async function* movementsSince(since: number): AsyncIterable<ProviderMovement> {
    const page = { created: { gte: since }, limit: 100 };
    for await (const { id, paid, transfer_group, amount } of stripe.charges.list(page)) {
      if (paid && transfer_group) yield { kind: "charged", id, orderId: transfer_group, amountCents: amount };
    }
    for await (const refund of stripe.refunds.list(page)) {
      const { id, amount, metadata } = refund;
      if (isRefunded(refund) && metadata?.order)
        yield { kind: "refunded", id, orderId: metadata.order, amountCents: amount };
    }
    for await (const { id, transfer_group, amount } of stripe.transfers.list(page)) {
      if (transfer_group) yield { kind: "released", id, orderId: transfer_group, amountCents: amount };
    }
    // Reversals have no list of their own.
    const reversals = { ...page, type: "transfer_refund", expand: ["data.source"] };
    for await (const { source } of stripe.balanceTransactions.list(reversals)) {
      if (typeof source !== "object" || source?.object !== "transfer_reversal") continue;
      const { id, amount, metadata } = source;
      if (metadata?.order) yield { kind: "taken back", id, orderId: metadata.order, amountCents: amount };
    }
  }
}

/** Does what was not done with this key before. Stripe forgets keys after a day, so that they alone don't tell. */
function moveOnce<Item extends { id: string; metadata?: Stripe.Metadata | null }>(
  { key, isLookup }: { key: string; isLookup: boolean },
  done: AsyncIterable<Item>,
  move: () => Promise<{ id: string }>,
): Promise<{ id: string }> {
  return answered(async () => {
    for await (const { id, metadata } of done) if (metadata?.key === key) return { id };
    if (isLookup) throw new ProviderError(notDone, false);
    const { id } = await move();
    return { id };
  });
}

function isRefunded({ status }: Stripe.Refund): boolean {
  return status !== "failed" && status !== "canceled";
}

function stateOf({
  capabilities,
  payouts_enabled,
  requirements,
  details_submitted,
}: Stripe.Account): PayoutState {
  if (requirements?.disabled_reason?.startsWith("rejected.")) return "refused";
  if (capabilities?.transfers === "active" && payouts_enabled) return "ready";
  const isIncomplete = !details_submitted || (requirements?.currently_due?.length ?? 0) > 0;
  return isIncomplete ? "to do" : "waiting";
}

function idOf(object: string | { id: string } | null | undefined): string | null {
  return typeof object === "string" ? object : (object?.id ?? null);
}

function addressOf(origin: string) {
  const { hostname, port, protocol } = new URL(origin);
  return {
    host: hostname,
    protocol: protocol === "http:" ? ("http" as const) : ("https" as const),
    ...(port && { port }),
  };
}

async function answered<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask();
  } catch (error) {
    throw toProviderError(error);
  }
}

/** Without Stripe's message, which may quote what people typed. */
function toProviderError(error: unknown): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error;
  const code = error.code ?? error.rawType ?? "no_answer";
  // Settings can be corrected; a request with its key still being carried out answers 409.
  const isRetryable =
    error instanceof Stripe.errors.StripeConnectionError ||
    error instanceof Stripe.errors.StripeAPIError ||
    error instanceof Stripe.errors.StripeRateLimitError ||
    error instanceof Stripe.errors.StripeAuthenticationError ||
    error instanceof Stripe.errors.StripePermissionError ||
    error.statusCode === 409;
  return new ProviderError(code, isRetryable);
}
