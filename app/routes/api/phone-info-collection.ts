import { phoneSchema } from "#app/features/listings/phone.schema.ts";
import { publishListing } from "#app/features/listings/publishing.server.ts";
import { countLabel, market } from "#app/market.ts";
import { problem } from "#app/server/api/problem.server.ts";
import { defineApiRoute, operation } from "./define-api-route.server.ts";
import { listingsOperation } from "./listings-operation.server.ts";
import { insertedResponse, insertedSchema } from "./results.ts";

const route = defineApiRoute({
  GET: listingsOperation({ summary: "All listed phones and tablets" }),
  POST: operation({
    tag: "Listings",
    summary: "Publish a device",
    description: `The caller is the seller. Seller and id in the body are ignored. Prices are from ${market.price("1")} to ${market.price(countLabel(100_000))}, so a market price of 0 is refused with 422, and so is an \`image\` that is no \`http:\` or \`https:\` URL. Improbable prices and ages are published as they are: only the page asks about them. The first listing of a seller who is not verified may be held until a moderator approves it.`,
    access: "signed in",
    body: phoneSchema,
    example: {
      ...{ brandName: "Sony", model: "Xperia 5", ram: "8 GB", rom: "256 GB", processor: "Snapdragon 865" },
      ...{ camera: "12 MP", battery: "4000 mAh", os: "Android", deviceType: "Smart Phone" },
      ...{ image: "https://pictures.example/xperia.jpg", sellingReason: "I have a new one", usedTime: "14" },
      ...{ marketPrice: 549, sellingPrice: 349, postDate: "2026-11-20" },
    },
    mutation: "publish",
    response: insertedSchema,
    async handle({ context: { db, environment }, viewer, body, requestId }) {
      const outcome = await publishListing(db, viewer, body, {
        formKey: requestId,
        holdsFirst: environment.HOLD_FIRST_LISTINGS,
        // The page asks a person once whether an improbable price is right. A program means what it sends.
        confirmed: "all",
      });
      if ("id" in outcome) return insertedResponse(outcome.id);
      return problem(
        422,
        Object.values(outcome.refusal.fieldErrors ?? {})
          .flat()
          .join(" "),
      );
    },
  }),
});

export const loader = route.loader;
export const action = route.action;
