import { phoneSchema } from "#app/features/listings/phone.schema.ts";
import { publishListing } from "#app/features/listings/publishing.server.ts";
import { countLabel, market } from "#app/market.ts";
import { problem } from "#app/server/api/problem.server.ts";
import { defineApiRoute, operation } from "./define-api-route.server.ts";
import { listingsOperation } from "./listings-operation.server.ts";
import { insertedResponse, insertedSchema } from "./results.ts";

const route = defineApiRoute({
  GET: listingsOperation({ summary: "List all phones and tablets" }),
  POST: operation({
    tag: "Listings",
    summary: "Publish a device",
    description: `You’re the seller: a seller or id in the body is ignored. Prices go from ${market.price("1")} to ${market.price(countLabel(100_000))}, so a market price of 0 returns 422. So does an \`image\` that isn’t an \`https:\` URL. Unlikely prices and ages go through: only the web form asks about them. If you’re not verified yet, a moderator may have to approve your first listing.`,
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
        limits: environment,
      });
      if ("id" in outcome) return insertedResponse(outcome.id);
      const { status = 422, formErrors = [], fieldErrors = {}, retryAfter } = outcome.refusal;
      return problem(status, [...formErrors, ...Object.values(fieldErrors).flat()].join(" "), {
        headers: retryAfter ? { "Retry-After": String(retryAfter) } : {},
      });
    },
  }),
});

export const loader = route.loader;
export const action = route.action;
