import { phoneSchema } from "#app/features/phones/phone.schema.ts";
import { addPhone } from "#app/features/phones/sellings.server.ts";
import { call, door } from "./door.server.ts";
import { inserted, insertedAnswer } from "./records.ts";
import { shelfCall } from "./shelf-call.server.ts";

export const loader = door({
  GET: shelfCall({ summary: "All phones and tablets on offer" }),
  POST: call({
    subject: "Listings",
    summary: "Publish a device",
    description: "The seller is whoever makes the call; what the body says of seller and id is not believed.",
    who: "signed in",
    body: phoneSchema,
    limit: "PUBLISH_LIMIT",
    answer: inserted,
    make: async ({ context, viewer, body, name }) =>
      insertedAnswer(await addPhone(context.db, viewer, body, name)),
  }),
});
