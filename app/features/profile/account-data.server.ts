import {
  and,
  desc,
  eq,
  inArray,
  isNotNull,
  isNull,
  lte,
  ne,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import type { SQLiteColumn, SQLiteSelect } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import { type Cursor, readInBatches } from "#app/db/cursor.ts";
import { keyset } from "#app/db/keyset.server.ts";
import {
  contentReports,
  conversationParticipants,
  conversations,
  decisions,
  emailOptOuts,
  listingDrafts,
  listingViews,
  logins,
  messages,
  offers,
  orderProblemSteps,
  orderProblems,
  orderSteps,
  orders,
  phones,
  priceChanges,
  reportMessages,
  reports,
  reviews,
  savedListings,
  savedSearches,
  sessions,
  users,
} from "#app/db/schema.ts";
import { emailEquals } from "../accounts/email.server.ts";
import { listPasskeys } from "../accounts/passkeys.server.ts";
import { listPersonalAccessTokens } from "../accounts/personal-access-tokens.server.ts";
import { otherName, type Viewer } from "../accounts/viewer.ts";
import { toAmount } from "../listings/money.rules.ts";
import { attributeColumns } from "../listings/phones.server.ts";
import { listBlockedPeople } from "../messages/blocks.server.ts";
import { selectNotifications } from "../notifications/notifications.server.ts";
import { parcelColumns } from "../orders/order-steps.server.ts";
import { listAddresses } from "../orders/saved-addresses.server.ts";
import { parseSavedSearch } from "../saved-searches/saved-search.rules.ts";

/** Rows read at once, which limits memory. */
const batchSize = 500;

/**
 * Streams a user's data as JSON text, without secrets; of others, what they wrote to the user, under the names that pages
 * show. Prices as amounts, times in ISO 8601.
 * Reports are found by email address, which anyone can enter, so they need a verified address.
 */
export async function* exportAccountData(db: Db, viewer: Viewer): AsyncGenerator<string, void> {
  const [account] = await db
    .select({
      name: users.name,
      email: users.email,
      emailVerifiedAt: users.emailVerifiedAt,
      userType: users.userType,
      moderatorSince: users.moderatorSince,
      verifiedSeller: users.verified,
      hasPassword: isNotNull(users.passwordHash).mapWith(Boolean),
      signsInWithGoogle: isNotNull(users.googleSubject).mapWith(Boolean),
      createdAt: users.createdAt,
      acceptedTermsFrom: publishedAt(users.termsVersionId),
      acceptedPrivacyFrom: publishedAt(users.privacyVersionId),
      lastSeenOn: sql<string | null>`date(${users.lastSeenDay} * 86400, 'unixepoch')`,
    })
    .from(users)
    .where(and(eq(users.id, viewer.id), isNull(users.removalId)));
  yield `{\n"profile": ${JSON.stringify(account ?? null)}`;
  yield* list(
    "listings",
    (cursor) => listingsOf(db, viewer, cursor),
    asAmounts("marketPrice", "sellingPrice"),
  );
  yield* list(
    "priceChanges",
    (cursor) => priceChangesOf(db, viewer, cursor),
    asAmounts("oldPrice", "newPrice"),
  );
  yield* list("orders", (cursor) => ordersOf(db, viewer, cursor), asAmounts("price"));
  yield* list("orderSteps", (cursor) => stepsOf(db, viewer, cursor));
  yield* list("orderProblems", (cursor) => problemStepsOf(db, viewer, cursor));
  yield* list("offers", (cursor) => offersOf(db, viewer, cursor), asAmounts("amount"));
  yield* list("savedListings", (cursor) => savedListingsOf(db, viewer, cursor), asAmounts("price"));
  yield* list("reviewsWritten", (cursor) => reviewsOf(db, viewer, "authorId", cursor));
  yield* list("reviewsReceived", (cursor) => reviewsOf(db, viewer, "subjectId", cursor));
  yield* list("contentReports", (cursor) => contentReportsOf(db, viewer, cursor));
  yield* list("decisions", (cursor) => decisionsAbout(db, viewer, cursor));
  yield* list("notifications", (cursor) => notificationsOf(db, viewer, cursor));
  yield `,\n"emailsSwitchedOff": ${JSON.stringify(await optOutsOf(db, viewer))}`;
  yield* list("conversations", (cursor) => conversationsOf(db, viewer, cursor));
  yield* list("messagesSent", (cursor) => messagesOf(db, viewer, "sent", cursor));
  yield* list("messagesReceived", (cursor) => messagesOf(db, viewer, "received", cursor));
  yield `,\n"blockedPeople": ${JSON.stringify(await blockedBy(db, viewer), null, 1)}`;
  if (account?.emailVerifiedAt) {
    yield* list("reports", (cursor) => reportsOf(db, viewer, cursor));
    yield* list("reportMessages", (cursor) => reportMessagesOf(db, viewer, cursor));
  } else yield `,\n"reports": "Confirm your email address to include the reports sent with it."`;
  yield `,\n"listingDrafts": ${JSON.stringify(await draftsOf(db, viewer), null, 1)}`;
  yield `,\n"savedSearches": ${JSON.stringify(await savedSearchesOf(db, viewer), null, 1)}`;
  yield `,\n"deliveryAddresses": ${JSON.stringify(await listAddresses(db, viewer), null, 1)}`;
  yield `,\n"passkeys": ${JSON.stringify(await passkeysOf(db, viewer), null, 1)}`;
  yield `,\n"personalAccessTokens": ${JSON.stringify(await tokensOf(db, viewer), null, 1)}`;
  yield `,\n"sessions": ${JSON.stringify(await sessionsOf(db, viewer), null, 1)}`;
  yield `,\n"logins": ${JSON.stringify(await loginsOf(db, viewer), null, 1)}\n}\n`;
}

/** When the version of a page was published that the user accepted; null if none. */
const publishedAt = (versionId: SQLWrapper) =>
  sql<string | null>`(select strftime('%Y-%m-%dT%H:%M:%SZ', page_versions.created_at / 1000, 'unixepoch')
    from page_versions where page_versions.id = ${versionId})`;

/** One array of the object, one row per line. */
async function* list<Row extends { id: string }>(
  name: string,
  read: (cursor: Cursor) => Promise<Row[]>,
  format: (row: Row) => unknown = (row) => row,
): AsyncGenerator<string, void> {
  yield `,\n${JSON.stringify(name)}: [`;
  let separator = "\n";
  for await (const rows of readInBatches(read, { size: batchSize })) {
    yield separator + rows.map((row) => JSON.stringify(format(row))).join(",\n");
    separator = ",\n";
  }
  yield "]";
}

/** One batch of a query, sorted by its ids. */
function page<Query extends SQLiteSelect>(
  query: Query,
  id: SQLiteColumn,
  condition: SQL | undefined,
  cursor: Cursor,
) {
  const { afterCursor, orderBy } = keyset(id, cursor);
  return query.where(and(condition, afterCursor)).orderBy(orderBy).limit(batchSize);
}

/** Converts these properties of a row from cents to amounts. */
function asAmounts<Name extends string>(...names: Name[]) {
  return (row: Record<Name, number>) => ({
    ...row,
    ...Object.fromEntries(names.map((name) => [name, toAmount(row[name])])),
  });
}

function draftsOf(db: Db, { id }: Viewer) {
  const { typed, createdAt } = listingDrafts;
  return db.select({ typed, createdAt }).from(listingDrafts).where(eq(listingDrafts.sellerId, id));
}

/** Includes removed listings that are still stored. */
function listingsOf(db: Db, { id }: Viewer, cursor: Cursor) {
  return page(
    db
      .select({
        id: phones.id,
        ...attributeColumns,
        image: phones.image,
        sellingReason: phones.sellingReason,
        marketPrice: phones.marketCents,
        sellingPrice: phones.sellingCents,
        postDate: phones.postDate,
        status: phones.status,
        imeiKept: isNotNull(phones.imeiHash).mapWith(Boolean),
        deleted: isNotNull(phones.hiddenById).mapWith(Boolean),
        createdAt: phones.createdAt,
        views: sql<number>`coalesce(${listingViews.views}, 0)`.as("view_count"),
      })
      .from(phones)
      .leftJoin(listingViews, eq(listingViews.phoneId, phones.id))
      .$dynamic(),
    phones.id,
    eq(phones.sellerId, id),
    cursor,
  );
}

function priceChangesOf(db: Db, { id }: Viewer, cursor: Cursor) {
  const own = db.select({ id: phones.id }).from(phones).where(eq(phones.sellerId, id));
  return page(
    db
      .select({
        id: priceChanges.id,
        listingId: priceChanges.phoneId,
        oldPrice: priceChanges.oldCents,
        newPrice: priceChanges.newCents,
        createdAt: priceChanges.createdAt,
      })
      .from(priceChanges)
      .$dynamic(),
    priceChanges.id,
    inArray(priceChanges.phoneId, own),
    cursor,
  );
}

/** Includes cancelled orders. */
function ordersOf(db: Db, { id }: Viewer, cursor: Cursor) {
  return page(
    db
      .select({
        id: orders.id,
        productName: orders.productName,
        ram: orders.ram,
        rom: orders.rom,
        price: orders.priceCents,
        buyerName: orders.buyerName,
        buyerAddress: orders.buyerAddress,
        email: orders.email,
        phone: orders.phoneNumber,
        status: orders.status,
        stage: orders.stage,
        ...parcelColumns,
        createdAt: orders.createdAt,
      })
      .from(orders)
      .$dynamic(),
    orders.id,
    eq(orders.buyerId, id),
    cursor,
  );
}

/** All steps of orders that the user placed, and their own steps in other orders. */
function stepsOf(db: Db, { id }: Viewer, cursor: Cursor) {
  const placed = db.select({ id: orders.id }).from(orders).where(eq(orders.buyerId, id));
  return page(
    db
      .select({
        id: orderSteps.id,
        orderId: orderSteps.orderId,
        kind: orderSteps.kind,
        byYou: eq(orderSteps.actorId, id).mapWith(Boolean),
        createdAt: orderSteps.createdAt,
      })
      .from(orderSteps)
      .$dynamic(),
    orderSteps.id,
    or(eq(orderSteps.actorId, id), inArray(orderSteps.orderId, placed)),
    cursor,
  );
}

/** The history of all problems with orders that the user bought or sold, with what both sides wrote. */
function problemStepsOf(db: Db, { id }: Viewer, cursor: Cursor) {
  return page(
    db
      .select({
        id: orderProblemSteps.id,
        orderId: orderProblems.orderId,
        problem: orderProblems.kind,
        kind: orderProblemSteps.kind,
        offer: orderProblemSteps.offer,
        text: orderProblemSteps.text,
        byYou: eq(orderProblemSteps.actorId, id).mapWith(Boolean),
        createdAt: orderProblemSteps.createdAt,
      })
      .from(orderProblems)
      .innerJoin(orderProblemSteps, eq(orderProblemSteps.problemId, orderProblems.id))
      .$dynamic(),
    orderProblemSteps.id,
    or(eq(orderProblems.buyerId, id), eq(orderProblems.sellerId, id)),
    cursor,
  );
}

/** By the user or for them, with counteroffers. */
function offersOf(db: Db, { id }: Viewer, cursor: Cursor) {
  return page(
    db
      .select({
        id: offers.id,
        listingId: offers.phoneId,
        amount: offers.amountCents,
        by: offers.side,
        byYou: sql<number>`iif(${offers.side} = 'buyer', ${offers.buyerId}, ${offers.sellerId}) = ${id}`
          .mapWith(Boolean)
          .as("by_you"),
        answer: offers.answer,
        createdAt: offers.createdAt,
        answeredAt: offers.answeredAt,
      })
      .from(offers)
      .$dynamic(),
    offers.id,
    or(eq(offers.buyerId, id), eq(offers.sellerId, id)),
    cursor,
  );
}

/** With the prices when they were saved. */
function savedListingsOf(db: Db, { id }: Viewer, cursor: Cursor) {
  return page(
    db
      .select({
        id: savedListings.id,
        listingId: savedListings.phoneId,
        price: savedListings.priceCents,
        createdAt: savedListings.createdAt,
      })
      .from(savedListings)
      .$dynamic(),
    savedListings.id,
    eq(savedListings.userId, id),
    cursor,
  );
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

/** Reviews by the user, or the published ones about them. */
function reviewsOf(db: Db, { id }: Viewer, side: "authorId" | "subjectId", cursor: Cursor) {
  const isPublished = side === "subjectId" ? lte(reviews.publishedAt, new Date()) : undefined;
  return page(
    db
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
      .$dynamic(),
    reviews.id,
    and(eq(reviews[side], id), isPublished),
    cursor,
  );
}

/** With the name of the other person as the pages show it. */
async function conversationsOf(db: Db, viewer: Viewer, cursor: Cursor) {
  const rows = await page(
    db
      .select({
        id: conversations.id,
        listingId: conversations.phoneId,
        productName: conversations.productName,
        isBuyer: eq(conversations.buyerId, viewer.id).mapWith(Boolean).as("is_buyer"),
        name: users.name,
        createdAt: conversations.createdAt,
      })
      .from(conversationParticipants)
      .innerJoin(conversations, eq(conversations.id, conversationParticipants.conversationId))
      .leftJoin(users, and(eq(users.id, conversationParticipants.otherId), isNull(users.removalId)))
      .$dynamic(),
    conversations.id,
    eq(conversationParticipants.userId, viewer.id),
    cursor,
  );
  return rows.map(({ isBuyer, name, ...row }) => ({ ...row, with: otherName(name, isBuyer) }));
}

/** Messages that the user sent, or those of others that are not hidden; both are in the conversations. */
function messagesOf(db: Db, { id }: Viewer, side: "sent" | "received", cursor: Cursor) {
  const isReceived = and(ne(messages.senderId, id), isNull(messages.hiddenById));
  return page(
    db
      .select({
        id: messages.id,
        conversationId: messages.conversationId,
        text: messages.text,
        createdAt: messages.createdAt,
      })
      .from(messages)
      .innerJoin(
        conversationParticipants,
        and(
          eq(conversationParticipants.conversationId, messages.conversationId),
          eq(conversationParticipants.userId, id),
        ),
      )
      .$dynamic(),
    messages.id,
    side === "sent" ? eq(messages.senderId, id) : isReceived,
    cursor,
  );
}

async function blockedBy(db: Db, viewer: Viewer) {
  const people = await listBlockedPeople(db, viewer);
  return people.map(({ name, createdAt }) => ({ name, createdAt }));
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

/** Reports of listings, people and reviews that the user sent. */
function contentReportsOf(db: Db, { id }: Viewer, cursor: Cursor) {
  return page(
    db
      .select({
        id: contentReports.id,
        kind: contentReports.targetKind,
        targetId: contentReports.targetId,
        reason: contentReports.reason,
        details: contentReports.details,
        createdAt: contentReports.createdAt,
      })
      .from(contentReports)
      .$dynamic(),
    contentReports.id,
    eq(contentReports.reporterId, id),
    cursor,
  );
}

/** Decisions of moderators that the user was notified of. */
function decisionsAbout(db: Db, { id }: Viewer, cursor: Cursor) {
  return page(
    db
      .select({
        id: decisions.id,
        kind: decisions.kind,
        target: decisions.target,
        reason: decisions.reason,
        until: decisions.until,
        createdAt: decisions.createdAt,
        endedAt: decisions.endedAt,
        appeal: decisions.appeal,
        appealedAt: decisions.appealedAt,
      })
      .from(decisions)
      .$dynamic(),
    decisions.id,
    and(eq(decisions.ownerId, id), ne(decisions.kind, "dismiss")),
    cursor,
  );
}

/** Answers to the user's reports, and what they wrote back. */
function reportMessagesOf(db: Db, { email }: Viewer, cursor: Cursor) {
  return page(
    db
      .select({
        id: reportMessages.id,
        reportId: reportMessages.reportId,
        isAnswer: isNotNull(reportMessages.authorId).mapWith(Boolean).as("is_answer"),
        text: reportMessages.text,
        createdAt: reportMessages.createdAt,
      })
      .from(reportMessages)
      .innerJoin(reports, eq(reports.id, reportMessages.reportId))
      .$dynamic(),
    reportMessages.id,
    emailEquals(reports.email, email),
    cursor,
  );
}

function reportsOf(db: Db, { email }: Viewer, cursor: Cursor) {
  return page(
    db
      .select({
        id: reports.id,
        name: reports.name,
        email: reports.email,
        details: reports.details,
        createdAt: reports.createdAt,
      })
      .from(reports)
      .$dynamic(),
    reports.id,
    emailEquals(reports.email, email),
    cursor,
  );
}

async function passkeysOf(db: Db, viewer: Viewer) {
  return (await listPasskeys(db, viewer)).map(({ id, ...passkey }) => passkey);
}

async function tokensOf(db: Db, viewer: Viewer) {
  return (await listPersonalAccessTokens(db, viewer)).map(({ id, hasExpired, ...token }) => token);
}

/** The first login of each day. */
function loginsOf(db: Db, { id }: Viewer) {
  return db
    .select({ at: logins.createdAt })
    .from(logins)
    .where(eq(logins.userId, id))
    .orderBy(desc(logins.id))
    .limit(1000);
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
