import { apiOfferAnswerSchema } from "#app/features/orders/offer.schema.ts";
import { replyToOffer } from "#app/features/orders/offers.server.ts";
import { offerTerms } from "#app/market.ts";
import { defineApiRoute, operation } from "./define-api-route.server.ts";
import { byId, modifiedResponse, modifiedSchema, offerRefusalResponse, unmodifiedFields } from "./results.ts";

const route = defineApiRoute({
  PUT: operation({
    tag: "Offers",
    summary: "Answer an offer, or take it back",
    description: `Sellers accept, refuse or counter an offer, with an amount between the offer and the price. Buyers accept or refuse a counteroffer. Whoever made an offer can withdraw it. Once it’s accepted, the buyer can book at that price for ${offerTerms.bookingHours} hours. Others can still book first.`,
    access: "signed in",
    params: byId,
    body: apiOfferAnswerSchema,
    example: { answer: "counter", amount: 330, text: "It’s like new." },
    mutation: "offer",
    response: modifiedSchema,
    errors: {
      404: "No such offer, or it isn’t yours.",
      409: "It’s been answered or has lapsed, it’s the other side’s turn, the device isn’t for sale, its price isn’t above the offer, or you can’t message the other person.",
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
