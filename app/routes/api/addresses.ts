import { z } from "zod";
import { maxAddresses, newAddressSchema } from "#app/features/orders/booking.schema.ts";
import { addressRefusals, listAddresses, saveAddress } from "#app/features/orders/saved-addresses.server.ts";
import { problem } from "#app/server/api/problem.server.ts";
import { defineApiRoute, operation } from "./define-api-route.server.ts";
import { addressRecord, toAddress } from "./order-records.ts";
import { acknowledgedResponse, acknowledgedSchema } from "./results.ts";

const route = defineApiRoute({
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
    body: newAddressSchema,
    example: { address: "1 Quay Street, Port Town", phone: "555 0100" },
    mutation: "change account",
    response: acknowledgedSchema,
    errors: { 409: `You already have ${maxAddresses} saved addresses.` },
    async handle({ context, viewer, body }) {
      const refusal = await saveAddress(context.db, viewer, body);
      return refusal ? problem(409, addressRefusals[refusal]) : acknowledgedResponse();
    },
  }),
});

export const loader = route.loader;
export const action = route.action;
