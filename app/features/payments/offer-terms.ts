import type { OfferTerms } from "../listings/merchant.rules.ts";
import type { PaymentPromise } from "./provider.ts";

/** The terms of a listing as search engines are told of them, on its page and in the product feed. */
export const termsOf = (delivery: string | null, promise: PaymentPromise): OfferTerms => ({
  delivery,
  returnDays: typeof promise === "string" ? null : promise.returnDays,
});
