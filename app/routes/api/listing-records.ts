import { z } from "zod";
import type { ListingRecord } from "#app/features/catalog/feed.server.ts";
import {
  type Attribute,
  attributes,
  attributesWith,
  recordOf,
  rowInWords,
  statedOnly,
} from "#app/features/listings/attributes.ts";
import { shownImage } from "#app/features/listings/drawing.rules.ts";
import { listingSchema } from "#app/features/listings/listing.schema.ts";
import { toAmount } from "#app/features/listings/money.rules.ts";
import { saleStatuses } from "#app/features/listings/status.rules.ts";
import type { SavedListing } from "#app/features/saved-listings/saved-listings.server.ts";
import { apiSearchSchema } from "#app/features/saved-searches/saved-search.schema.ts";
import type { SavedSearch } from "#app/features/saved-searches/saved-searches.server.ts";
import { market } from "#app/market.ts";
import { _id, amount, recordNames } from "./record-fields.ts";

const optionalFields = recordOf(attributesWith("optional"), (name) => {
  const { choices, maxLength, minPercent = 0 }: Attribute = attributes[name];
  const value = choices
    ? z.enum(Object.values(choices))
    : maxLength
      ? z.string().max(maxLength)
      : z.int().min(minPercent).max(100);
  return value.optional().describe("Left out if the seller hasn’t said.");
});

export const listingRecord = z
  .object({
    _id,
    brandName: z.string(),
    model: z.string(),
    ram: z.string(),
    rom: z.string(),
    image: z.string(),
    camera: z.string(),
    processor: z.string(),
    battery: z.string(),
    os: listingSchema.shape.os,
    deviceType: listingSchema.shape.deviceType,
    sellerName: z.string(),
    sellerEmail: z.string().describe("Blank in public lists."),
    sellingReason: z.string(),
    marketPrice: amount,
    sellingPrice: amount,
    postDate: z.iso.date(),
    usedTime: z.string().describe("In months, as the seller wrote it."),
    ...optionalFields,
    status: z.enum(saleStatuses),
  })
  .register(recordNames, { id: "Listing" });

/** A listing for its seller and administrators. */
function toListing({
  id,
  marketCents,
  sellingCents,
  sellerVerified: _,
  returnDays: __,
  ...fields
}: ListingRecord) {
  return {
    _id: id,
    ...statedOnly(rowInWords(fields)),
    image: shownImage(fields),
    marketPrice: toAmount(marketCents),
    sellingPrice: toAmount(sellingCents),
  } satisfies z.infer<typeof listingRecord>;
}

export const ownListingRecord = listingRecord
  .extend({
    ownNumber: z.string().optional().describe("Your own number (SKU). Left out if it has none."),
    status: z
      .enum([...saleStatuses, "hidden"])
      .describe("`hidden` while a moderator hides or holds it, or until you list it again after an order."),
  })
  .register(recordNames, { id: "OwnListing" });

/** A listing as its seller sees it. */
export function toOwnListing({
  ownNumber,
  isHidden,
  ...listing
}: ListingRecord & { ownNumber: string | null; isHidden: boolean }): z.infer<typeof ownListingRecord> {
  const { status } = listing;
  return {
    ...toListing(listing),
    ...(ownNumber && { ownNumber }),
    // What is booked or sold stays so.
    status: isHidden && (status === "available" || status === "paused") ? "hidden" : status,
  };
}

/** A listing as the public sees it: without the seller's email address. */
export function toPublicListing(listing: ListingRecord) {
  return { ...toListing(listing), sellerEmail: "" };
}

export const searchRecord = z
  .object({
    _id,
    name: z.string(),
    list: apiSearchSchema.shape.list.unwrap(),
    query: z.string().describe("The list’s query string, without the question mark."),
    frequency: apiSearchSchema.shape.frequency,
    newListings: z.int().describe("New matches since you last opened the search from `/manage/searches`."),
    createdAt: z.iso.datetime(),
  })
  .register(recordNames, { id: "Search" });

export function toSavedSearch({
  id,
  name,
  category,
  path,
  frequency,
  newMatchCount,
  createdAt,
}: SavedSearch) {
  return {
    _id: id,
    name,
    list: category.key,
    query: path.split("?")[1] ?? "",
    frequency,
    newListings: newMatchCount,
    createdAt: createdAt.toISOString(),
  } satisfies z.infer<typeof searchRecord>;
}

export const savedListingRecord = z
  .object({
    _id,
    phoneId: z.string(),
    productName: z
      .string()
      .nullable()
      .describe("Brand and model. Null once the listing is deleted for good."),
    price: amount.nullable().describe(`In ${market.currencyName}. Null once the listing is removed.`),
    priceWhenSaved: amount,
    status: z.enum([...saleStatuses, "removed"]),
    savedAt: z.iso.datetime(),
  })
  .register(recordNames, { id: "SavedListing" });

export function toSavedListing(row: SavedListing) {
  return {
    _id: row.id,
    phoneId: row.phoneId,
    productName: row.brandName && `${row.brandName} ${row.model}`,
    price: row.sellingCents === null ? null : toAmount(row.sellingCents),
    priceWhenSaved: toAmount(row.savedCents),
    status: row.status,
    savedAt: row.createdAt.toISOString(),
  } satisfies z.infer<typeof savedListingRecord>;
}
