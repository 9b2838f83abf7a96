import { z } from "zod";
import { market } from "#app/market.ts";

/** Names of the records in the OpenAPI document. */
export const recordNames = z.registry<{ id: string }>();

export const _id = z.string().describe("Time-ordered: newer records have greater ids.");
export const amount = z.number().describe(`In ${market.currencyName}.`);
