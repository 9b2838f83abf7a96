import type { SaleStatus } from "#app/db/enums.ts";
import { market } from "#app/market.ts";
import { orderDeadlines } from "#app/terms.ts";

// What search engines are told of an offer: structured data of its page and the product feed say the same.

const schema = (name: string) => `https://schema.org/${name}`;

/** Whether it can be bought, as the page says it. */
export const isInStock = (status: SaleStatus) => status === "available";

export const availabilitySchema = (status: SaleStatus) =>
  schema(isInStock(status) ? "InStock" : "OutOfStock");

export const usedConditionSchema = schema("UsedCondition");

/** Of a listing. */
export interface MerchantTerms {
  /** A code of the attribute; null if not stated. */
  delivery: string | null;
  /** For how many days a buyer can change their mind; null if the payment would not be protected. */
  returnDays: number | null;
}

/** From the booking to the handover, in days. */
export const handlingDays = { min: 0, max: orderDeadlines.reserved.days };

/** Whether the seller says that they ship. */
export const isShipped = ({ delivery }: MerchantTerms) => delivery === "shipped" || delivery === "either";

/**
 * Of what isn't shipped. Else Google wants the rate and the time on the way, which buyer and seller agree on.
 *
 * @see https://developers.google.com/search/docs/appearance/structured-data/merchant-listing#offer-shipping-details
 */
const notShipped = {
  "@type": "OfferShippingDetails",
  shippingDestination: { "@type": "DefinedRegion", addressCountry: market.country },
  doesNotShip: true,
};

/** @see https://schema.org/MerchantReturnPolicy */
function returnPolicy(days: number) {
  const policy = { "@type": "MerchantReturnPolicy", applicableCountry: market.country };
  if (days === 0) return { ...policy, returnPolicyCategory: schema("MerchantReturnNotPermitted") };
  return {
    ...policy,
    returnPolicyCategory: schema("MerchantReturnFiniteReturnWindow"),
    merchantReturnDays: days,
    returnMethod: schema("ReturnByMail"),
    returnFees: schema("ReturnFeesCustomerResponsibility"),
  };
}

/** The parts of schema.org's Offer that the terms of a listing make. */
export function offerTermsSchema(terms: MerchantTerms) {
  return {
    ...(terms.delivery !== null && !isShipped(terms) && { shippingDetails: notShipped }),
    ...(terms.returnDays !== null && { hasMerchantReturnPolicy: returnPolicy(terms.returnDays) }),
  };
}

/** The labels of the same terms in the feed, for which the merchant account has the rates and policies. */
export const merchantTermsLabels = (terms: MerchantTerms) => ({
  shipping: terms.delivery === null ? null : isShipped(terms) ? "shipped" : "in_person",
  returns:
    terms.returnDays === null
      ? null
      : terms.returnDays === 0
        ? "no_returns"
        : `returns_${terms.returnDays}_days`,
});
