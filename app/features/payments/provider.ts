import type { LedgerKind, PayoutState } from "#app/db/enums.ts";
import type { Environment } from "#app/server/config/environment.server.ts";

type PaymentState = "open" | "paid" | "expired";

/** What has become of a payment, as the provider knows it. */
interface ProviderPayment {
  orderId: string;
  state: PaymentState;
  /** Only of a paid one. */
  chargeId: string | null;
  amountCents: number;
  /** The page where the buyer pays; null once it has closed. */
  url: string | null;
}

/** What a buyer’s bank disputes, as the provider knows it. */
export interface ProviderDispute {
  id: string;
  amountCents: number;
  /** “lost”: the bank has taken the money. It can still give it back, and dispute again what it has decided about. */
  state: "open" | "won" | "lost";
}

/** An amount to be moved. The provider carries out a key once, however often it is sent. */
interface Move {
  key: string;
  orderId: string;
  amountCents: number;
  /** Whether it is only looked up: if it was not carried out before, that is an error with the code `notDone`. */
  isLookup?: boolean;
}

/** The code of a movement that was looked up, and was not carried out. */
export const notDone = "not_done";

/** What has moved at the provider. */
export interface ProviderMovement {
  kind: Exclude<LedgerKind, "fee">;
  id: string;
  orderId: string;
  amountCents: number;
}

/**
 * A payment provider, which charges buyers, holds the money and pays sellers. Its methods throw `ProviderError` if it
 * refuses or does not answer.
 */
export interface PaymentProvider {
  /** Opens the page where the buyer pays. The same key and facts: the same page. */
  startPayment(facts: {
    key: string;
    orderId: string;
    amountCents: number;
    productName: string;
    payBy: Date;
    returnUrl: string;
  }): Promise<{ checkoutId: string; url: string }>;
  findPayment(checkoutId: string): Promise<ProviderPayment>;
  /** Closes the page where the buyer pays, unless that has happened or the buyer has paid. */
  endPayment(checkoutId: string): Promise<void>;
  /** All disputes of the charge that one is about. */
  findDisputes(disputeId: string): Promise<{ chargeId: string; disputes: ProviderDispute[] }>;
  /** Moves money of a charge, or what has come back since, to a seller's account. */
  release(move: Move & { chargeId: string | null; accountId: string }): Promise<{ id: string }>;
  /** Returns money of a charge to the buyer. */
  refund(move: Move & { chargeId: string }): Promise<{ id: string }>;
  /** Takes back from the seller's account what was released to it. */
  reverse(move: Move & { transferId: string }): Promise<{ id: string }>;
  /** The page where a seller sets up payouts, for a new account if there is none. */
  onboard(facts: {
    key: string;
    userId: string;
    accountId: string | null;
    returnUrl: string;
  }): Promise<{ accountId: string; url: string }>;
  accountState(accountId: string): Promise<PayoutState>;
  /** @returns null if the signature is wrong or too old */
  readEvent(
    body: string,
    signature: string | null,
  ): Promise<{ id: string; type: string; objectId: string } | null>;
  /** What has moved since then. */
  list(since: Date): AsyncIterable<ProviderMovement>;
}

/** A refusal or a failure of the provider, without personal data. */
export class ProviderError extends Error {
  override name = "ProviderError";

  constructor(
    /** Short and in the provider's words, such as `balance_insufficient`. */
    readonly code: string,
    /** Whether the same request may succeed later. */
    readonly isRetryable: boolean,
  ) {
    super(`The payment provider failed: ${code}.`);
  }
}

/** Whether an order of a listing would be protected, and for how many days its buyer could change their mind. */
export type PaymentPromise = { returnDays: number } | "unprotected" | "no provider";

export function paymentPromiseOf(
  environment: Pick<Environment, "STRIPE_SECRET_KEY">,
  { returnDays }: { returnDays: number | null },
): PaymentPromise {
  if (!hasProvider(environment)) return "no provider";
  return returnDays === null ? "unprotected" : { returnDays };
}

/** Whether the market has a payment provider. Without one, buyers pay sellers directly. */
export function hasProvider({ STRIPE_SECRET_KEY }: Pick<Environment, "STRIPE_SECRET_KEY">): boolean {
  return STRIPE_SECRET_KEY !== undefined;
}
