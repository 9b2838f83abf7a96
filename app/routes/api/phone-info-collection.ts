import { phoneSchema } from "#app/features/listings/phone.schema.ts";
import { addPhone } from "#app/features/listings/publishing.server.ts";
import { countLabel, market } from "#app/market.ts";
import { defineApiRoute, operation } from "./define-api-route.server.ts";
import { listingsOperation } from "./listings-operation.server.ts";
import { inserted, insertedResponse } from "./results.ts";

const route = defineApiRoute({
  GET: listingsOperation({ summary: "All listed phones and tablets" }),
  POST: operation({
    tag: "Listings",
    summary: "Publish a device",
    description: `The caller is the seller. Seller and id in the body are ignored. Prices are from ${market.price("1")} to ${market.price(countLabel(100_000))}, so a market price of 0 is refused with 422, and so is an \`image\` that is no \`http:\` or \`https:\` URL. The first listing of a seller who is not verified may be held until a moderator approves it.`,
    access: "signed in",
    body: phoneSchema,
    mutation: "publish",
    response: inserted,
    handle: async ({ context, viewer, body, requestId }) =>
      insertedResponse(
        await addPhone(context.db, viewer, body, requestId, context.environment.HOLD_FIRST_LISTINGS),
      ),
  }),
});

export const loader = route.loader;
export const action = route.action;
