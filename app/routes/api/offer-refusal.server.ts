import { type OfferRefusal, offerRefusalTexts, offerRetryAfter } from "#app/features/orders/offer.rules.ts";
import { problem } from "#app/server/api/problem.server.ts";

/** Responds to an offer that was not made or answered. */
export function offerRefusalResponse(
  refusal: OfferRefusal | "not found",
  notFoundText: string,
  more?: Record<string, number>,
): Response {
  if (refusal === "not found") return problem(404, notFoundText, more);
  const retryAfter = offerRetryAfter(refusal);
  return retryAfter === undefined
    ? problem(409, offerRefusalTexts[refusal], more)
    : problem(429, offerRefusalTexts[refusal], { ...more, headers: { "Retry-After": String(retryAfter) } });
}
