import { z } from "zod";

/** Names of the records in the OpenAPI document. */
export const recordNames = z.registry<{ id: string }>();

export const _id = z.string().describe("Time-ordered: newer records have greater ids.");
export const dollars = z.number().describe("In dollars.");
