import { listingEditSchema } from "#app/features/listings/listing-edit.schema.ts";
import { changeListing, editRefusals, imeiHashesOf } from "#app/features/listings/listing-edit.server.ts";
import { problem } from "#app/server/api/problem.server.ts";
import { defineApiRoute, operation } from "./define-api-route.server.ts";
import { byId, modifiedResponse, modifiedSchema, unmodifiedFields } from "./results.ts";

const route = defineApiRoute({
  PUT: operation({
    tag: "Listings",
    summary: "Change a listing",
    description:
      "For its seller. Fields you leave out stay as they are. A new price goes into the price history. While the device is reserved, you can’t change what identifies it. A returned device stays hidden until you send `listAgain`.",
    access: "signed in",
    mutation: "edit listing",
    params: byId,
    body: listingEditSchema.partial(),
    example: { sellingPrice: 299, city: "Port Town" },
    response: modifiedSchema,
    errors: {
      404: "No such listing, or it isn’t yours.",
      409: "The device is sold, it’s reserved and the change would make it another device, or its IMEI is already listed.",
    },
    async handle({ context, viewer, params, body }) {
      const imeiHashes = await imeiHashesOf(context.secrets, body.imei);
      const outcome = await changeListing(context.db, viewer, params.id, body, imeiHashes);
      if (outcome === "saved") return modifiedResponse(1);
      return outcome === "unknown listing"
        ? problem(404, "No such listing.", unmodifiedFields)
        : problem(409, editRefusals[outcome], unmodifiedFields);
    },
  }),
});

export const loader = route.loader;
export const action = route.action;
