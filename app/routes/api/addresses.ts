import { z } from "zod";
import { maxAddresses, newSavedAddressSchema } from "#app/features/orders/booking.schema.ts";
import {
  addressRefusals,
  addSavedAddress,
  changeSavedAddress,
  deleteAddress,
  listAddresses,
} from "#app/features/orders/saved-addresses.server.ts";
import { problemDetails } from "#app/server/api/problem-details.server.ts";
import { defineApiRoutes, operation } from "./define-api-routes.server.ts";
import { addressRecord, toAddress } from "./order-records.ts";
import {
  acknowledgedResponse,
  acknowledgedSchema,
  deletedResponse,
  deletedSchema,
  idParams,
  nothingDeleted,
} from "./results.ts";

const routes = defineApiRoutes({
  "/addresses": {
    GET: operation({
      tag: "Addresses",
      summary: "List your saved addresses",
      description: "Newest first.",
      access: "signed in",
      response: z.array(addressRecord),
      async handle({ context, viewer }) {
        return Response.json((await listAddresses(context.db, viewer)).map(toAddress));
      },
    }),
    POST: operation({
      tag: "Addresses",
      summary: "Save an address",
      description:
        "You can pick it at your next booking. The same address and phone number are saved only once.",
      access: "signed in",
      body: newSavedAddressSchema,
      example: { address: "1 Quay Street, Port Town", phone: "555 0100" },
      mutation: "change account",
      response: acknowledgedSchema,
      errors: { 409: `You already have ${maxAddresses} saved addresses.` },
      async handle({ context, viewer, body }) {
        const refusal = await addSavedAddress(context.db, viewer, body);
        return refusal ? problemDetails(409, addressRefusals[refusal]) : acknowledgedResponse();
      },
    }),
  },
  "/addresses/:id": {
    PUT: operation({
      tag: "Addresses",
      summary: "Change a saved address",
      description: "Bookings sent there keep what it was.",
      access: "signed in",
      params: idParams,
      body: newSavedAddressSchema,
      example: { address: "2 Quay Street, Port Town", phone: "555 0100" },
      mutation: "change account",
      response: acknowledgedSchema,
      errors: { 404: "You have no such address.", 409: "You’ve already saved this address." },
      async handle({ context, viewer, params, body }) {
        const refusal = await changeSavedAddress(context.db, viewer, params.id, body);
        if (refusal === "unknown") return problemDetails(404, "There is no such address.");
        return refusal ? problemDetails(409, addressRefusals[refusal]) : acknowledgedResponse();
      },
    }),
    DELETE: operation({
      tag: "Addresses",
      summary: "Delete a saved address",
      description: "Bookings sent there keep it.",
      access: "signed in",
      params: idParams,
      mutation: "change account",
      response: deletedSchema,
      errors: { 404: "You have no such address." },
      async handle({ context, viewer, params }) {
        const wasDeleted = await deleteAddress(context.db, viewer, params.id);
        return wasDeleted
          ? deletedResponse()
          : problemDetails(404, "There is no such address.", nothingDeleted);
      },
    }),
  },
});

export const loader = routes.loader;
export const action = routes.action;
