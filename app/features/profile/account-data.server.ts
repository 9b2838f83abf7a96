import { and, desc, eq, inArray, isNull, lte, ne, or, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { type Cursor, readInBatches } from "#app/db/cursor.ts";
import { keyset } from "#app/db/keyset.server.ts";
import {
  bookings,
  contentReports,
  conversationSides,
  conversations,
  decisions,
  emailOptOuts,
  listingViews,
  messages,
  orderSteps,
  passkeys,
  personalAccessTokens,
  phones,
  priceChanges,
  reports,
  reviews,
  savedListings,
  savedSearches,
  sessions,
  users,
} from "#app/db/schema.ts";
import { emailEquals } from "../accounts/email.server.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { toDollars } from "../listings/money.rules.ts";
import { listBlockedPeople } from "../messages/blocks.server.ts";
import { otherName } from "../messages/message.rules.ts";
import { selectNotifications } from "../notifications/notifications.server.ts";
import { parseSavedSearch } from "../saved-searches/saved-search.rules.ts";

/** Rows read at once, which limits memory. */
const batchSize = 500;

/**
 * Streams a user's data as JSON text, without secrets; of others, what they wrote to the user, under the names that pages
 * show. Prices in dollars, times in ISO 8601.
 * Reports are found by email address, which anyone can enter, so they need a verified address.
 */
export async function* exportAccountData(db: Db, viewer: Viewer): AsyncGenerator<string, void> {
  const [account] = await db
    .select({
      name: users.name,
      email: users.email,
      emailVerifiedAt: users.emailVerifiedAt,
      userType: users.userType,
      verifiedSeller: sql<number>`${users.verified} is not null`.mapWith(Boolean),
      hasPassword: sql<number>`${users.passwordHash} is not null`.mapWith(Boolean),
      signsInWithGoogle: sql<number>`${users.googleSubject} is not null`.mapWith(Boolean),
      createdAt: users.createdAt,
    })
    .from(users)
    .where(and(eq(users.id, viewer.id), isNull(users.removalId)));
  yield `{\n"profile": ${JSON.stringify(account ?? null)}`;
  yield* list(
    "listings",
    (cursor) => listingsOf(db, viewer, cursor),
    inDollars("marketPrice", "sellingPrice"),
  );
  yield* list(
    "priceChanges",
    (cursor) => priceChangesOf(db, viewer, cursor),
    inDollars("oldPrice", "newPrice"),
  );
  yield* list("orders", (cursor) => ordersOf(db, viewer, cursor), inDollars("price"));
  yield* list("orderSteps", (cursor) => stepsOf(db, viewer, cursor), unchanged);
  yield* list("savedListings", (cursor) => savedListingsOf(db, viewer, cursor), inDollars("price"));
  yield* list("reviewsWritten", (cursor) => reviewsOf(db, viewer, "authorId", cursor), unchanged);
  yield* list("reviewsReceived", (cursor) => reviewsOf(db, viewer, "subjectId", cursor), unchanged);
  yield* list("contentReports", (cursor) => contentReportsOf(db, viewer, cursor), unchanged);
  yield* list("decisions", (cursor) => decisionsAbout(db, viewer, cursor), unchanged);
  yield* list("notifications", (cursor) => notificationsOf(db, viewer, cursor), unchanged);
  yield `,\n"emailsSwitchedOff": ${JSON.stringify(await optOutsOf(db, viewer))}`;
  yield* list("conversations", (cursor) => conversationsOf(db, viewer, cursor), unchanged);
  yield* list("messagesSent", (cursor) => messagesOf(db, viewer, "sent", cursor), unchanged);
  yield* list("messagesReceived", (cursor) => messagesOf(db, viewer, "received", cursor), unchanged);
  yield `,\n"blockedPeople": ${JSON.stringify(await blockedBy(db, viewer), null, 1)}`;
  if (account?.emailVerifiedAt) yield* list("reports", (cursor) => reportsOf(db, viewer, cursor), unchanged);
  else yield `,\n"reports": "Confirm your email address to include the reports sent with it."`;
  yield `,\n"savedSearches": ${JSON.stringify(await savedSearchesOf(db, viewer), null, 1)}`;
  yield `,\n"passkeys": ${JSON.stringify(await passkeysOf(db, viewer), null, 1)}`;
  yield `,\n"personalAccessTokens": ${JSON.stringify(await tokensOf(db, viewer), null, 1)}`;
  yield `,\n"sessions": ${JSON.stringify(await sessionsOf(db, viewer), null, 1)}\n}\n`;
}

/** One array of the object, one row per line. */
async function* list<Row extends { id: string }>(
  name: string,
  read: (cursor: Cursor) => Promise<Row[]>,
  format: (row: Row) => unknown,
): AsyncGenerator<string, void> {
  yield `,\n${JSON.stringify(name)}: [`;
  let separator = "\n";
  for await (const rows of readInBatches(read, { size: batchSize })) {
    yield separator + rows.map((row) => JSON.stringify(format(row))).join(",\n");
    separator = ",\n";
  }
  yield "]";
}

const unchanged = (row: object) => row;

/** Converts these properties of a row from cents to dollars. */
function inDollars<Name extends string>(...names: Name[]) {
  return (row: Record<Name, number>) => ({
    ...row,
    ...Object.fromEntries(names.map((name) => [name, toDollars(row[name])])),
  });
}

/** Includes removed listings that are still stored. */
function listingsOf(db: Db, { id }: Viewer, cursor: Cursor) {
  const { afterCursor, orderBy } = keyset(phones.id, cursor);
  return db
    .select({
      id: phones.id,
      brandName: phones.brandName,
      model: phones.model,
      ram: phones.ram,
      rom: phones.rom,
      image: phones.image,
      camera: phones.camera,
      processor: phones.processor,
      battery: phones.battery,
      os: phones.os,
      deviceType: phones.deviceType,
      sellingReason: phones.sellingReason,
      marketPrice: phones.marketCents,
      sellingPrice: phones.sellingCents,
      postDate: phones.postDate,
      usedTime: phones.usedTime,
      status: phones.status,
      condition: phones.condition,
      batteryHealth: phones.batteryHealth,
      imeiKept: sql<number>`${phones.imeiHash} is not null`.mapWith(Boolean),
      deleted: sql<number>`${phones.removalId} is not null`.mapWith(Boolean),
      createdAt: phones.createdAt,
      views: sql<number>`coalesce(${listingViews.views}, 0)`.as("view_count"),
    })
    .from(phones)
    .leftJoin(listingViews, eq(listingViews.phoneId, phones.id))
    .where(and(eq(phones.sellerId, id), afterCursor))
    .orderBy(orderBy)
    .limit(batchSize);
}

function priceChangesOf(db: Db, { id }: Viewer, cursor: Cursor) {
  const { afterCursor, orderBy } = keyset(priceChanges.id, cursor);
  const own = db.select({ id: phones.id }).from(phones).where(eq(phones.sellerId, id));
  return db
    .select({
      id: priceChanges.id,
      listingId: priceChanges.phoneId,
      oldPrice: priceChanges.oldCents,
      newPrice: priceChanges.newCents,
      createdAt: priceChanges.createdAt,
    })
    .from(priceChanges)
    .where(and(inArray(priceChanges.phoneId, own), afterCursor))
    .orderBy(orderBy)
    .limit(batchSize);
}

/** Includes cancelled orders. */
function ordersOf(db: Db, { id }: Viewer, cursor: Cursor) {
  const { afterCursor, orderBy } = keyset(bookings.id, cursor);
  return db
    .select({
      id: bookings.id,
      productName: bookings.productName,
      ram: bookings.ram,
      rom: bookings.rom,
      price: bookings.priceCents,
      buyerName: bookings.buyerName,
      buyerAddress: bookings.buyerAddress,
      email: bookings.email,
      phone: bookings.phone,
      status: bookings.status,
      stage: bookings.stage,
      createdAt: bookings.createdAt,
    })
    .from(bookings)
    .where(and(eq(bookings.buyerId, id), afterCursor))
    .orderBy(orderBy)
    .limit(batchSize);
}

/** All steps of orders that the user placed, and their own steps in other orders. */
function stepsOf(db: Db, { id }: Viewer, cursor: Cursor) {
  const { afterCursor, orderBy } = keyset(orderSteps.id, cursor);
  const placed = db.select({ id: bookings.id }).from(bookings).where(eq(bookings.buyerId, id));
  return db
    .select({
      id: orderSteps.id,
      orderId: orderSteps.orderId,
      kind: orderSteps.kind,
      byYou: sql<number>`${orderSteps.actorId} = ${id}`.mapWith(Boolean),
      createdAt: orderSteps.createdAt,
    })
    .from(orderSteps)
    .where(and(or(eq(orderSteps.actorId, id), inArray(orderSteps.orderId, placed)), afterCursor))
    .orderBy(orderBy)
    .limit(batchSize);
}

/** With the prices when they were saved. */
function savedListingsOf(db: Db, { id }: Viewer, cursor: Cursor) {
  const { afterCursor, orderBy } = keyset(savedListings.id, cursor);
  return db
    .select({
      id: savedListings.id,
      listingId: savedListings.phoneId,
      price: savedListings.priceCents,
      createdAt: savedListings.createdAt,
    })
    .from(savedListings)
    .where(and(eq(savedListings.userId, id), afterCursor))
    .orderBy(orderBy)
    .limit(batchSize);
}

/** Reviews by the user, or the published ones about them. */
function reviewsOf(db: Db, { id }: Viewer, side: "authorId" | "subjectId", cursor: Cursor) {
  const { afterCursor, orderBy } = keyset(reviews.id, cursor);
  const isPublished = side === "subjectId" ? lte(reviews.publishedAt, new Date()) : undefined;
  return db
    .select({
      id: reviews.id,
      orderId: reviews.orderId,
      authorRole: reviews.authorRole,
      stars: reviews.stars,
      text: reviews.text,
      createdAt: reviews.createdAt,
      editedAt: reviews.editedAt,
      reply: reviews.reply,
      repliedAt: reviews.repliedAt,
    })
    .from(reviews)
    .where(and(eq(reviews[side], id), isPublished, afterCursor))
    .orderBy(orderBy)
    .limit(batchSize);
}

/** Reports of listings, people and reviews that the user sent. */
function contentReportsOf(db: Db, { id }: Viewer, cursor: Cursor) {
  const { afterCursor, orderBy } = keyset(contentReports.id, cursor);
  return db
    .select({
      id: contentReports.id,
      kind: contentReports.kind,
      targetId: contentReports.targetId,
      reason: contentReports.reason,
      details: contentReports.details,
      createdAt: contentReports.createdAt,
    })
    .from(contentReports)
    .where(and(eq(contentReports.reporterId, id), afterCursor))
    .orderBy(orderBy)
    .limit(batchSize);
}

/** Messages that the user sent, or those of others that are not hidden; both are in the conversations. */
function messagesOf(db: Db, { id }: Viewer, side: "sent" | "received", cursor: Cursor) {
  const { afterCursor, orderBy } = keyset(messages.id, cursor);
  const isReceived = and(ne(messages.senderId, id), isNull(messages.hiddenById));
  return db
    .select({
      id: messages.id,
      conversationId: messages.conversationId,
      text: messages.text,
      createdAt: messages.createdAt,
    })
    .from(messages)
    .innerJoin(
      conversationSides,
      and(eq(conversationSides.conversationId, messages.conversationId), eq(conversationSides.userId, id)),
    )
    .where(and(side === "sent" ? eq(messages.senderId, id) : isReceived, afterCursor))
    .orderBy(orderBy)
    .limit(batchSize);
}

/** With the name of the other person as the pages show it. */
async function conversationsOf(db: Db, viewer: Viewer, cursor: Cursor) {
  const { afterCursor, orderBy } = keyset(conversations.id, cursor);
  const rows = await db
    .select({
      id: conversations.id,
      listingId: conversations.phoneId,
      productName: conversations.productName,
      isBuyer: sql<number>`${conversations.buyerId} = ${viewer.id}`.mapWith(Boolean).as("is_buyer"),
      name: users.name,
      createdAt: conversations.createdAt,
    })
    .from(conversationSides)
    .innerJoin(conversations, eq(conversations.id, conversationSides.conversationId))
    .leftJoin(users, and(eq(users.id, conversationSides.otherId), isNull(users.removalId)))
    .where(and(eq(conversationSides.userId, viewer.id), afterCursor))
    .orderBy(orderBy)
    .limit(batchSize);
  return rows.map(({ isBuyer, name, ...row }) => ({ ...row, with: otherName(name, isBuyer) }));
}

/** Decisions of moderators that the user was told of. */
function decisionsAbout(db: Db, { id }: Viewer, cursor: Cursor) {
  const { afterCursor, orderBy } = keyset(decisions.id, cursor);
  return db
    .select({
      id: decisions.id,
      kind: decisions.kind,
      target: decisions.target,
      reason: decisions.reason,
      until: decisions.until,
      createdAt: decisions.createdAt,
      endedAt: decisions.endedAt,
      answer: decisions.answer,
      answeredAt: decisions.answeredAt,
    })
    .from(decisions)
    .where(and(eq(decisions.ownerId, id), ne(decisions.kind, "dismiss"), afterCursor))
    .orderBy(orderBy)
    .limit(batchSize);
}

async function blockedBy(db: Db, viewer: Viewer) {
  const people = await listBlockedPeople(db, viewer);
  return people.map(({ name, createdAt }) => ({ name, createdAt }));
}

function reportsOf(db: Db, { email }: Viewer, cursor: Cursor) {
  const { afterCursor, orderBy } = keyset(reports.id, cursor);
  return db
    .select({
      id: reports.id,
      name: reports.name,
      email: reports.email,
      details: reports.details,
      createdAt: reports.createdAt,
    })
    .from(reports)
    .where(and(emailEquals(reports.email, email), afterCursor))
    .orderBy(orderBy)
    .limit(batchSize);
}

async function notificationsOf(db: Db, viewer: Viewer, cursor: Cursor) {
  const rows = await selectNotifications(db, viewer, cursor, batchSize);
  return rows.map(({ path, ...row }) => row);
}

async function optOutsOf(db: Db, { id }: Viewer) {
  const rows = await db
    .select({ kind: emailOptOuts.kind })
    .from(emailOptOuts)
    .where(eq(emailOptOuts.userId, id));
  return rows.map(({ kind }) => kind);
}

async function savedSearchesOf(db: Db, { id }: Viewer) {
  const { name, category, query, frequency, createdAt, userId } = savedSearches;
  const rows = await db
    .select({ name, category, query, frequency, createdAt })
    .from(savedSearches)
    .where(eq(userId, id))
    .orderBy(desc(savedSearches.id));
  return rows.map((row) => ({
    name: row.name,
    search: parseSavedSearch(row).path,
    frequency: row.frequency,
    createdAt: row.createdAt,
  }));
}

function passkeysOf(db: Db, { id }: Viewer) {
  return db
    .select({ name: passkeys.name, createdAt: passkeys.createdAt, lastUsedAt: passkeys.lastUsedAt })
    .from(passkeys)
    .where(eq(passkeys.userId, id))
    .orderBy(desc(passkeys.createdAt))
    .limit(1000);
}

function tokensOf(db: Db, { id }: Viewer) {
  const { name, scope, createdAt, expiresAt, lastUsedAt, userId } = personalAccessTokens;
  return db
    .select({ name, scope, createdAt, expiresAt, lastUsedAt })
    .from(personalAccessTokens)
    .where(eq(userId, id))
    .orderBy(desc(createdAt));
}

function sessionsOf(db: Db, { id }: Viewer) {
  return db
    .select({
      device: sessions.device,
      createdAt: sessions.createdAt,
      lastSeenAt: sql`max(${sessions.lastSeenAt}, ${sessions.createdAt})`.mapWith(sessions.lastSeenAt),
      expiresAt: sessions.expiresAt,
    })
    .from(sessions)
    .where(eq(sessions.userId, id))
    .orderBy(desc(sessions.createdAt))
    .limit(1000);
}
