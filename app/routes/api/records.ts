import { z } from "zod";
import { toDollars } from "#app/features/listings/money.rules.ts";
import { phoneSchema } from "#app/features/listings/phone.schema.ts";
import type { Listing } from "#app/features/listings/phones.server.ts";
import type { ListedConversation, Message } from "#app/features/messages/conversations.server.ts";
import type { ReportRow } from "#app/features/moderation/reports.server.ts";
import type { UserRow } from "#app/features/moderation/users.server.ts";
import { notificationKindSchema } from "#app/features/notifications/notification.schema.ts";
import type { Notification } from "#app/features/notifications/notifications.server.ts";
import type { OrderRecord } from "#app/features/orders/orders.server.ts";
import type { OrderReviews, SellerReview } from "#app/features/reviews/reviews.server.ts";
import type { SavedListing } from "#app/features/saved-listings/saved-listings.server.ts";
import { apiSearchSchema } from "#app/features/saved-searches/saved-search.schema.ts";
import type { SavedSearch } from "#app/features/saved-searches/saved-searches.server.ts";

/** Names of the records in the OpenAPI document. */
export const recordNames = z.registry<{ id: string }>();

const _id = z.string().describe("Time-ordered: newer records have greater ids.");
const dollars = z.number().describe("In dollars.");

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
    os: phoneSchema.shape.os,
    deviceType: phoneSchema.shape.deviceType,
    sellerName: z.string(),
    sellerEmail: z.string().describe("Blank in the public lists."),
    sellingReason: z.string(),
    marketPrice: dollars,
    sellingPrice: dollars,
    postDate: z.iso.date(),
    usedTime: z.string().describe("In months, as the seller wrote it."),
    status: z.enum(["available", "reserved", "sold"]),
  })
  .register(recordNames, { id: "Listing" });

/** A listing for its seller and administrators. */
export function toListing({ id, marketCents, sellingCents, sellerVerified: _, ...fields }: Listing) {
  return {
    _id: id,
    ...fields,
    marketPrice: toDollars(marketCents),
    sellingPrice: toDollars(sellingCents),
  } satisfies z.infer<typeof listingRecord>;
}

/** A listing as the public sees it: without the seller's email address. */
export function toPublicListing(listing: Listing) {
  return { ...toListing(listing), sellerEmail: "" };
}

export const orderRecord = z
  .object({
    _id,
    phoneId: z.string().describe("The booked listing."),
    productName: z.string().describe("Brand and model."),
    ram: z.string(),
    rom: z.string(),
    buyerName: z.string(),
    buyerAddress: z.string(),
    email: z.string().describe("The buyer’s."),
    price: dollars,
    phone: z.string(),
  })
  .register(recordNames, { id: "Booking" });

export function toOrder({ id, priceCents, ...fields }: OrderRecord) {
  return { _id: id, ...fields, price: toDollars(priceCents) } satisfies z.infer<typeof orderRecord>;
}

export const userRecord = z
  .object({ _id, name: z.string(), email: z.string(), userType: z.enum(["Buyer", "Seller", "Admin"]) })
  .register(recordNames, { id: "User" });

export function toUser({ id, name, email, userType }: UserRow) {
  return { _id: id, name, email, userType } satisfies z.infer<typeof userRecord>;
}

export const sellerRecord = userRecord
  .extend({
    verified: z.literal("yes").nullable().describe("null until an administrator has verified the seller."),
  })
  .register(recordNames, { id: "Seller" });

export function toSeller({ verified, ...user }: UserRow) {
  return { ...toUser({ ...user, verified }), verified } satisfies z.infer<typeof sellerRecord>;
}

export const reportRecord = z
  .object({ _id, name: z.string(), email: z.string(), details: z.string() })
  .register(recordNames, { id: "Report" });

export function toReport({ id, ...fields }: ReportRow) {
  return { _id: id, ...fields } satisfies z.infer<typeof reportRecord>;
}

const reviewFields = {
  stars: z.int().min(1).max(5),
  text: z.string(),
  createdAt: z.iso.datetime(),
  edited: z.boolean(),
  reply: z.string().nullable().describe("The seller’s."),
};

const hidden = z
  .boolean()
  .describe("Whether a moderator has hidden the review: others do not see it, and it does not count.");

export const reviewRecord = z
  .object({
    _id,
    ...reviewFields,
    author: z.string().describe("First name and initial, or Former member."),
  })
  .register(recordNames, { id: "Review" });

export function toReview({ id, createdAt, ...fields }: SellerReview) {
  return { _id: id, ...fields, createdAt: createdAt.toISOString() } satisfies z.infer<typeof reviewRecord>;
}

export const orderReviewsRecord = z
  .object({
    role: z.enum(["buyer", "seller"]).describe("The caller’s in this order."),
    own: z
      .object({ _id, ...reviewFields, hidden, isPublished: z.boolean() })
      .nullable()
      .describe("The caller’s review."),
    other: z
      .object({ _id, ...reviewFields, hidden })
      .nullable()
      .describe("The other side’s. Null until both are written, or for 14 days."),
    writableUntil: z.iso.datetime().nullable().describe("Until when `own` can be written or edited."),
    reviewableUntil: z.iso.datetime().nullable().describe("Until when both sides can write one."),
    canReply: z.boolean(),
  })
  .register(recordNames, { id: "OrderReviews" });

export const searchRecord = z
  .object({
    _id,
    name: z.string(),
    list: apiSearchSchema.shape.list.unwrap(),
    query: z.string().describe("The query string of the list, without the question mark."),
    frequency: apiSearchSchema.shape.frequency,
    newListings: z.int().describe("Matches since the search was last opened from /manage/searches."),
    createdAt: z.iso.datetime(),
  })
  .register(recordNames, { id: "Search" });

export function toSearch({ id, name, category, path, frequency, newCount, createdAt }: SavedSearch) {
  return {
    _id: id,
    name,
    list: category.key,
    query: path.split("?")[1] ?? "",
    frequency,
    newListings: newCount,
    createdAt: createdAt.toISOString(),
  } satisfies z.infer<typeof searchRecord>;
}

export const conversationRecord = z
  .object({
    _id,
    phoneId: z.string().describe("The listing that it is about."),
    productName: z.string().describe("Brand and model."),
    status: z.enum(["available", "reserved", "sold", "removed"]).describe("Of the listing."),
    other: z
      .string()
      .describe("The other person: a seller’s name, a buyer’s first name and initial, or Former member."),
    unread: z.int().min(0),
    newestMessage: z.object({
      text: z.string().describe("At most its first 200 characters; empty if a moderator has hidden it."),
      isOwn: z.boolean(),
      createdAt: z.iso.datetime(),
    }),
  })
  .register(recordNames, { id: "Conversation" });

export function toConversation(conversation: ListedConversation) {
  const { conversationId, phoneId, productName, status, isRemoved, other, unread } = conversation;
  const { excerpt, isOwn, createdAt } = conversation;
  return {
    _id: conversationId,
    phoneId,
    productName,
    status: isRemoved || status === null ? "removed" : status,
    other,
    unread,
    newestMessage: { text: excerpt, isOwn, createdAt: createdAt.toISOString() },
  } satisfies z.infer<typeof conversationRecord>;
}

export const messageRecord = z
  .object({
    _id,
    text: z.string().describe("Empty if a moderator has hidden it."),
    hidden: z.boolean(),
    isOwn: z.boolean(),
    createdAt: z.iso.datetime(),
  })
  .register(recordNames, { id: "Message" });

export function toMessage({ id, text, hidden, isOwn, createdAt }: Message) {
  return {
    _id: id,
    text,
    hidden,
    isOwn,
    createdAt: createdAt.toISOString(),
  } satisfies z.infer<typeof messageRecord>;
}

/** Names the conversation, which a first message starts. */
export const sent = z
  .object({ acknowledged: z.literal(true), conversationId: z.string() })
  .register(recordNames, { id: "Sent" });

export function toOrderReviews({ own, other, ...fields }: OrderReviews) {
  const withId = <Review extends { id: string }>({ id, ...review }: Review) => ({ _id: id, ...review });
  return { ...fields, own: own && withId(own), other: other && withId(other) };
}

export const notificationRecord = z
  .object({
    _id,
    kind: notificationKindSchema,
    text: z.string().describe("A sentence, in English."),
    path: z.string().describe("The page that it leads to."),
    createdAt: z.iso.datetime(),
    read: z.boolean(),
  })
  .register(recordNames, { id: "Notification" });

export function toNotification({ id, createdAt, isRead, ...fields }: Notification) {
  return { _id: id, ...fields, createdAt: createdAt.toISOString(), read: isRead } satisfies z.infer<
    typeof notificationRecord
  >;
}

export const savedListingRecord = z
  .object({
    _id,
    phoneId: z.string(),
    productName: z
      .string()
      .nullable()
      .describe("Brand and model. null once the listing is deleted for good."),
    price: dollars.nullable().describe("In dollars. null once the listing is removed."),
    priceWhenSaved: dollars,
    status: z.enum(["available", "reserved", "sold", "removed"]),
    savedAt: z.iso.datetime(),
  })
  .register(recordNames, { id: "SavedListing" });

export function toSavedListing(row: SavedListing) {
  return {
    _id: row.id,
    phoneId: row.phoneId,
    productName: row.brandName && `${row.brandName} ${row.model}`,
    price: row.sellingCents === null ? null : toDollars(row.sellingCents),
    priceWhenSaved: toDollars(row.savedCents),
    status: row.status,
    savedAt: row.createdAt.toISOString(),
  } satisfies z.infer<typeof savedListingRecord>;
}

export const saved = z.object({ acknowledged: z.literal(true) }).register(recordNames, { id: "Saved" });

export const savedResponse = () => Response.json({ acknowledged: true } satisfies z.infer<typeof saved>);

export const inserted = z
  .object({ acknowledged: z.literal(true), insertedId: z.string() })
  .register(recordNames, { id: "Inserted" });

export const insertedResponse = (insertedId: string) =>
  Response.json({ acknowledged: true, insertedId } satisfies z.infer<typeof inserted>);

/** Added to the problem details if nothing is changed. */
export const nothingModified = { modifiedCount: 0 };

export const modified = z
  .object({
    acknowledged: z.literal(true),
    modifiedCount: z.int().min(0).max(1).describe("0 when nothing had to be changed."),
  })
  .register(recordNames, { id: "Modified" });

export const modifiedResponse = (modifiedCount: number) =>
  Response.json({ acknowledged: true, modifiedCount } satisfies z.infer<typeof modified>);

export const modifiedMany = z
  .object({ acknowledged: z.literal(true), modifiedCount: z.int().min(0) })
  .register(recordNames, { id: "ModifiedMany" });

export const modifiedManyResponse = (modifiedCount: number) =>
  Response.json({ acknowledged: true, modifiedCount } satisfies z.infer<typeof modifiedMany>);

export const byId = z.object({ id: z.string() });
export const byEmail = z.object({ email: z.string() });

/** Added to the problem details if nothing is deleted. */
export const nothingDeleted = { deletedCount: 0 };

export const deleted = z
  .object({ acknowledged: z.literal(true), deletedCount: z.literal(1) })
  .register(recordNames, { id: "Deleted" });

export const deletedResponse = () =>
  Response.json({ acknowledged: true, deletedCount: 1 } satisfies z.infer<typeof deleted>);
