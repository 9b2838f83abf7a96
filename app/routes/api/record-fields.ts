import { z } from "zod";
import { photoUrl } from "#app/features/photos/photo.rules.ts";
import { market } from "#app/market.ts";

/** Names of the records in the OpenAPI document. */
export const recordNames = z.registry<{ id: string }>();

export const _id = z.string().describe("Sorts by time: newer records have greater ids.");
export const amount = z.number().describe(`In ${market.currencyName}.`);

export const photoRecord = z
  .object({
    _id: z.string(),
    width: z.int(),
    height: z.int(),
    path: z.string().describe("The photo at full size."),
  })
  .register(recordNames, { id: "Photo" });

export function toPhoto({ id, width, height }: { id: string; width: number; height: number }) {
  return { _id: id, width, height, path: photoUrl(id, "gallery") } satisfies z.infer<typeof photoRecord>;
}

const fieldErrors = z.array(
  z.object({
    detail: z.string(),
    pointer: z.string().optional().describe("Where it is in the body, as a JSON pointer."),
    parameter: z.string().optional().describe("The path or query parameter it’s in."),
  }),
);

export const problemRecord = z
  .looseObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    errors: fieldErrors.optional(),
    asked: z
      .array(z.string())
      .optional()
      .describe("What you’re asked about. Send these as `confirmed` to do it all the same."),
  })
  .register(recordNames, { id: "Problem" });
