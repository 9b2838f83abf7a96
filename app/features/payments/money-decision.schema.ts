import { z } from "zod";
import { freeText } from "#app/server/forms/schema-fields.ts";
import { priceSchema } from "../listings/price.schema.ts";

/** What staff pays back to a buyer, of an order that goes on, or pays to its suspended seller. */
export const moneyDecisionSchema = z.object({
  intent: z.enum(["refund", "release"]),
  // What is left may be a cent.
  amount: priceSchema("Amount", 1),
  reason: freeText("Reason", { max: 500, missing: "Reason required" }).min(1, "Reason required"),
  /** What was paid back, or is to be, when the form was shown; in cents. */
  shown: z.coerce.number().int().min(0),
});
