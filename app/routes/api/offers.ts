import { z } from "zod";
import { minPriceCents, priceLabel, toAmount } from "#app/features/listings/money.rules.ts";
import { offerStates } from "#app/features/orders/offer.rules.ts";
import { apiOfferAnswerSchema, apiOfferSchema } from "#app/features/orders/offer.schema.ts";
import { makeOffer, type Offer, replyToOffer, selectOwnOffers } from "#app/features/orders/offers.server.ts";
import { offerTerms } from "#app/market.ts";
import { ownHostOf } from "#app/server/http/request.server.ts";
import { defineApiRoutes, operation } from "./define-api-routes.server.ts";
import { listQuerySchema, listResponse } from "./list.server.ts";
import { _id, amount, recordNames } from "./record-fields.ts";
import {
  idParams,
  insertedResponse,
  insertedSchema,
  modifiedCountSchema,
  modifiedResponse,
  offerRefusalResponse,
  questionResponse,
  unmodifiedFields,
} from "./results.ts";

const side = z.enum(["buyer", "seller"]);

const offerRecord = z
  .object({
    _id,
    phoneId: z.string(),
    productName: z.string().describe("Brand and model."),
    ownNumber: z.string().nullable().describe("Of your own listing: your number (SKU)."),
    conversationId: z.string().describe("The conversation with its message."),
    role: side.describe("Yours."),
    by: side.describe("Who made it: “seller” for a counteroffer."),
    amount,
    price: amount.nullable().describe("The listing’s price now. Null once it’s deleted."),
    state: z
      .enum(offerStates)
      .describe(
        "“gone”: someone booked the device, or it isn’t for sale. “lapsed”: nobody answered in time. “unused”: accepted, but not booked in time.",
      ),
    until: z.iso
      .datetime()
      .nullable()
      .describe(
        "When it lapses or, once accepted, when its price expires. While “gone”, it holds again if the listing is back by then; null if that can’t be.",
      ),
    createdAt: z.iso.datetime(),
  })
  .register(recordNames, { id: "Offer" });

function toOffer({ id, side: by, amountCents, priceCents, until, createdAt, ...offer }: Offer) {
  const { phoneId, productName, ownNumber, conversationId, role, state } = offer;
  return {
    _id: id,
    phoneId,
    productName,
    ownNumber,
    conversationId,
    role,
    by,
    amount: toAmount(amountCents),
    price: priceCents === null ? null : toAmount(priceCents),
    state,
    until: until?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  } satisfies z.infer<typeof offerRecord>;
}

const routes = defineApiRoutes({
  "/offers": {
    GET: operation({
      tag: "Offers",
      summary: "List your offers",
      description: "Made and received, including counteroffers, newest first.",
      access: "signed in",
      query: listQuerySchema,
      response: z.array(offerRecord),
      paginated: true,
      handle: ({ request, context, viewer, query }) =>
        listResponse(request, query, {
          read: (cursor, limit) => selectOwnOffers(context.db, viewer, cursor, limit),
          record: toOffer,
        }),
    }),
    POST: operation({
      tag: "Offers",
      summary: "Offer a price for a listing",
      description: `Offer ${offerTerms.minPercent}% to ${offerTerms.maxPercent}% of the price, and ${priceLabel(minPriceCents)} at least. For a whole price, these limits are whole. For each listing, you can have one open offer at a time, and make ${offerTerms.perListing} in all. The seller has ${offerTerms.answerHours} hours to answer. They get it as a message, with a standard text if you don’t write one.`,
      access: "signed in",
      body: apiOfferSchema,
      example: { phoneId: "LISTING", amount: 300 },
      mutation: "offer",
      response: insertedSchema,
      errors: {
        404: "No such listing.",
        409: "The amount is out of range, the listing takes no offers or its price leaves no room for one, it isn’t for sale or is your own, you have an open offer or none left, you can’t message the seller, or the text needs to be `confirmed`.",
      },
      async handle({ request, context, viewer, body, requestId }) {
        const { amount: amountCents, text, confirmed } = body;
        const ownHost = ownHostOf(context, request);
        const offer = { amountCents, text, formKey: requestId, confirmed, ownHost };
        const { offerId, refusal, question } = await makeOffer(
          context.db,
          viewer,
          body.phoneId,
          offer,
          context.environment,
        );
        if (question) return questionResponse(question);
        return refusal ? offerRefusalResponse(refusal, "No such listing.") : insertedResponse(offerId);
      },
    }),
  },
  "/offers/:id": {
    PUT: operation({
      tag: "Offers",
      summary: "Answer an offer, or take it back",
      description: `Sellers accept, refuse or counter an offer, with an amount between the offer and the price. Buyers accept or refuse a counteroffer. Whoever made an offer can withdraw it. Once it’s accepted, the buyer can book at that price for ${offerTerms.bookingHours} hours. Others can still book first.`,
      access: "signed in",
      params: idParams,
      body: apiOfferAnswerSchema,
      example: { answer: "counter", amount: 330, text: "It’s like new." },
      mutation: "offer",
      response: modifiedCountSchema,
      errors: {
        404: "No such offer, or it isn’t yours.",
        409: "It’s been answered or has lapsed, it’s the other side’s turn, the device isn’t for sale, its price isn’t above the offer, you can’t message the other person, or the text needs to be `confirmed`.",
      },
      async handle({ request, context, viewer, params, body, requestId }) {
        const { answer, amount = 0, text, confirmed } = body;
        const ownHost = ownHostOf(context, request);
        const reply = { amountCents: amount, text, formKey: requestId, confirmed, ownHost };
        const { refusal, question } = await replyToOffer(context.db, viewer, params.id, answer, reply);
        if (question) return questionResponse(question, unmodifiedFields);
        return refusal
          ? offerRefusalResponse(refusal, "There is no such offer.", unmodifiedFields)
          : modifiedResponse(1);
      },
    }),
  },
});

export const loader = routes.loader;
export const action = routes.action;
