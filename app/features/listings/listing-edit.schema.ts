import { z } from "zod";
import { listingImageSchema, listingSchema, sizeFields } from "./listing.schema.ts";

/**
 * The fields of a published listing that its seller can edit. An empty optional field removes its value, except the
 * IMEI, which stays unless `removeImei` is set.
 */
export const listingEditSchema = listingSchema.extend({
  image: listingImageSchema,
  removeImei: z.boolean().optional(),
  listAgain: z.boolean().optional().describe("Puts a returned device back on sale."),
});

/** The schema for an edit of one listing, where an unchanged size from before sizes were read is valid. */
export const schemaForEditOf = (listing: { ram: string; rom: string } | null) =>
  listingEditSchema.extend(sizeFields(listing ?? {}));

/** What listing a device again says that was reported as not given back. */
export const notBackText =
  "You’ve reported that the buyer hasn’t given it back. Once you list it again, that’s settled.";

/** A valid edit; prices in cents. */
export type ListingEdit = z.infer<typeof listingEditSchema>;
