import { z } from "zod";
import { confirmed, freeText } from "#app/server/forms/schema-fields.ts";
import { priceSchema } from "../listings/price.schema.ts";
import { offerIntents } from "./offer.rules.ts";

/** A price that a buyer or a seller names; in cents once it is parsed. */
const offerSchema = z.object({
  amount: priceSchema("Offer"),
  text: freeText("Message", { max: 1000 }).default(""),
});

/** The form of an offer or, with the id of the one that it answers, of a counteroffer. */
export const offerFormSchema = offerSchema.extend({ offer: z.string().optional() });

/** The body of `POST /offers`. */
export const apiOfferSchema = offerSchema.extend({ phoneId: z.string(), confirmed });

/** The body of `PUT /offers/{id}`. */
export const apiOfferAnswerSchema = offerSchema
  .partial({ amount: true })
  .extend({ answer: z.enum(offerIntents), confirmed })
  .refine(({ answer, amount }) => answer !== "counter" || amount !== undefined, {
    path: ["amount"],
    error: "Offer is required",
  });
