import { apiOfferAnswerSchema } from "#app/features/orders/offer.schema.ts";
import { replyToOffer } from "#app/features/orders/offers.server.ts";
import { offerTerms } from "#app/market.ts";
import { defineApiRoute, operation } from "./define-api-route.server.ts";
import { byId, modifiedResponse, modifiedSchema, offerRefusalResponse, unmodifiedFields } from "./results.ts";

const route = defineApiRoute({
  PUT: operation({
    tag: "Offers",
    summary: "Answer an offer, or take it back",
    description: `Sellers accept, refuse or counter the offer of a buyer, with an amount between offer and price; buyers accept or refuse a counteroffer; who made an offer can withdraw it. For ${offerTerms.bookingHours} hours after it is accepted, the buyer’s booking has its price. The listing stays open to others.`,
    access: "signed in",
    params: byId,
    body: apiOfferAnswerSchema,
    example: { answer: "counter", amount: 330, text: "It’s like new." },
    mutation: "offer",
    response: modifiedSchema,
    errors: {
      404: "There is no such offer, or it is not the caller’s.",
      409: "It has been answered or has lapsed, it is the other side’s turn, the device is not for sale, its price is not above the offer, or the other person cannot be written to.",
    },
    async handle({ context, viewer, params, body, requestId }) {
      const { answer, amount = 0, text } = body;
      const reply = { amountCents: amount, text, formKey: requestId };
      const { refusal } = await replyToOffer(context.db, viewer, params.id, answer, reply);
      return refusal
        ? offerRefusalResponse(refusal, "There is no such offer.", unmodifiedFields)
        : modifiedResponse(1);
    },
  }),
});

export const loader = route.loader;
export const action = route.action;
