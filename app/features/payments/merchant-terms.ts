import type { MerchantTerms } from "../listings/merchant.rules.ts";
import type { PaymentPromise } from "./provider.ts";

/** The terms of a listing as search engines are told of them, on its page and in the product feed. */
export const merchantTermsOf = (delivery: string | null, promise: PaymentPromise): MerchantTerms => ({
  delivery,
  returnDays: typeof promise === "string" ? null : promise.returnDays,
});
