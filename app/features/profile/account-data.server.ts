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
import type { SQLiteColumn, SQLiteSelect, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import { type Cursor, readInBatches } from "#app/db/cursor.ts";
import { keyset } from "#app/db/keyset.server.ts";
import {
  contentReports,
  conversationParticipants,
  conversations,
  decisions,
  emailOptOuts,
  ledgerEntries,
  listingDrafts,
  listingImportRows,
  listingImports,
  listingViews,
  logins,
  messages,
  offers,
  orderProblemSteps,
  orderProblems,
  orderSteps,
  orders,
  payments,
  payoutAccounts,
  phones,
  photos,
  priceChanges,
  reviews,
  savedListings,
  savedSearches,
  sessions,
  ticketMessages,
  tickets,
  users,
  viewedDays,
} from "#app/db/schema.ts";
import { emailEquals } from "../accounts/email.server.ts";
import { listPasskeys } from "../accounts/passkeys.server.ts";
import { listPersonalAccessTokens } from "../accounts/personal-access-tokens.server.ts";
import { otherSideName, type Viewer } from "../accounts/viewer.ts";
import { attributeColumns } from "../listings/listings.server.ts";
import { toAmount } from "../listings/money.rules.ts";
import { listBlockedPeople } from "../messages/blocks.server.ts";
import { reasonText, targetLabel } from "../moderation/reports/content-report.rules.ts";
import { selectNotifications } from "../notifications/notifications.server.ts";
import { parcelColumns } from "../orders/order-steps.server.ts";
import { listAddresses } from "../orders/saved-addresses.server.ts";
import { photoUrl } from "../photos/photo.rules.ts";
import { draftKey, isDraftPhotoOf } from "../photos/photos.server.ts";
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
      shopText: users.shopText,
      inProductFeed: users.inProductFeed,
      lastSeenOn: sql<string | null>`date(${users.lastSeenDay} * 86400, 'unixepoch')`,
    })
    .from(users)
    .where(and(eq(users.id, viewer.id), isNull(users.removalId)));
  yield `{\n"profile": ${JSON.stringify(account ?? null)}`;
  for (const [name, read] of Object.entries(listsOf(db, viewer))) yield* list(name, read);
  if (account?.emailVerifiedAt) {
    for (const [name, read] of Object.entries(ticketsOf(db, viewer))) yield* list(name, read);
  } else yield `,\n"reports": "Confirm your email address to include the reports sent with it."`;
  for (const [name, read] of Object.entries(shortLists)) {
    yield `,\n"${name}": ${JSON.stringify(await read(db, viewer), null, 1)}`;
  }
  yield "\n}\n";
}

/** When the version of a page was published that the user accepted; null if none. */
const publishedAt = (versionId: SQLWrapper) =>
  sql<string | null>`(select strftime('%Y-%m-%dT%H:%M:%SZ', page_versions.created_at / 1000, 'unixepoch')
    from page_versions where page_versions.id = ${versionId})`;

/** An amount of money, of a column in cents. */
const amount = (cents: SQLiteColumn) => sql<number>`${cents}`.mapWith(toAmount);

type Read = (cursor: Cursor) => Promise<{ id: string }[]>;

/** Reads a batch of a query, sorted by its ids. */
function rows<Query extends SQLiteSelect>(query: Query, id: SQLiteColumn, condition: SQL | undefined) {
  return (cursor: Cursor) => {
    const { afterCursor, orderBy } = keyset(id, cursor);
    return query.where(and(condition, afterCursor)).orderBy(orderBy).limit(batchSize);
  };
}

/** The same for some columns of one table. */
function rowsOf<Table extends SQLiteTable & { id: SQLiteColumn }>(
  db: Db,
  table: Table,
  condition: SQL | undefined,
  columns: Record<string, SQLiteColumn | SQL | SQL.Aliased>,
): Read {
  const query = db.select({ id: sql<string>`${table.id}`, ...columns }).from(table as SQLiteTable);
  return rows(query.$dynamic(), table.id, condition);
}

/** One array of the object, one row per line. */
async function* list(name: string, read: Read): AsyncGenerator<string, void> {
  yield `,\n${JSON.stringify(name)}: [`;
  let separator = "\n";
  for await (const batch of readInBatches(read, { size: batchSize })) {
    yield separator + batch.map((row) => JSON.stringify(row)).join(",\n");
    separator = ",\n";
  }
  yield "]";
}

/** The long lists. */
function listsOf(db: Db, viewer: Viewer): Record<string, Read> {
  const { id } = viewer;
  const listings = db.select({ id: phones.id }).from(phones).where(eq(phones.sellerId, id));
  const placed = db.select({ id: orders.id }).from(orders).where(eq(orders.buyerId, id));
  const sold = db.select({ id: orders.id }).from(orders).where(inArray(orders.phoneId, listings));
  return {
    /** Includes removed listings that are still stored. */
    listings: rows(
      db
        .select({
          id: phones.id,
          ...attributeColumns,
          image: phones.image,
          sellingReason: phones.sellingReason,
          marketPrice: amount(phones.marketCents),
          sellingPrice: amount(phones.sellingCents),
          postDate: phones.postDate,
          status: phones.status,
          soldElsewhere: phones.soldElsewhere,
          pausedUntil: phones.pausedUntil,
          ownNumber: phones.ownNumber,
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
    ),
    priceChanges: rowsOf(db, priceChanges, inArray(priceChanges.phoneId, listings), {
      listingId: priceChanges.phoneId,
      oldPrice: amount(priceChanges.oldCents),
      newPrice: amount(priceChanges.newCents),
      createdAt: priceChanges.createdAt,
    }),
    /** Includes cancelled orders. */
    orders: rowsOf(db, orders, eq(orders.buyerId, id), {
      productName: orders.productName,
      ram: orders.ram,
      rom: orders.rom,
      price: amount(orders.priceCents),
      buyerName: orders.buyerName,
      buyerAddress: orders.buyerAddress,
      email: orders.email,
      phone: orders.phoneNumber,
      status: orders.status,
      stage: orders.stage,
      ...parcelColumns,
      createdAt: orders.createdAt,
    }),
    /** All steps of orders that the user placed, and their own steps in other orders. */
    orderSteps: rowsOf(db, orderSteps, or(eq(orderSteps.actorId, id), inArray(orderSteps.orderId, placed)), {
      orderId: orderSteps.orderId,
      kind: orderSteps.kind,
      byYou: eq(orderSteps.actorId, id).mapWith(Boolean),
      createdAt: orderSteps.createdAt,
    }),
    /** The history of all problems with orders that the user bought or sold, with what both sides wrote. */
    orderProblems: rows(
      db
        .select({
          id: orderProblemSteps.id,
          orderId: orderProblems.orderId,
          problem: orderProblems.kind,
          kind: orderProblemSteps.kind,
          offer: orderProblemSteps.offer,
          amount: amount(orderProblemSteps.amountCents),
          text: orderProblemSteps.text,
          byYou: eq(orderProblemSteps.actorId, id).mapWith(Boolean),
          createdAt: orderProblemSteps.createdAt,
        })
        .from(orderProblems)
        .innerJoin(orderProblemSteps, eq(orderProblemSteps.problemId, orderProblems.id))
        .$dynamic(),
      orderProblemSteps.id,
      or(eq(orderProblems.buyerId, id), eq(orderProblems.sellerId, id)),
    ),
    /** Protected payments of orders that the user bought or sold. */
    payments: rows(
      db
        .select({
          id: payments.orderId,
          amount: amount(payments.amountCents),
          fee: amount(payments.feeCents),
          returnDays: payments.returnDays,
          refund: amount(payments.refundCents),
          refundReason: payments.refundReason,
          disputedAt: payments.disputedAt,
          disputeEndedAt: payments.disputeEndedAt,
          createdAt: payments.createdAt,
          paidAt: payments.paidAt,
          approvedAt: payments.approvedAt,
        })
        .from(payments)
        .$dynamic(),
      payments.orderId,
      or(inArray(payments.orderId, placed), inArray(payments.orderId, sold)),
    ),
    /** What has happened to their money. */
    paymentHistory: rowsOf(
      db,
      ledgerEntries,
      or(inArray(ledgerEntries.orderId, placed), inArray(ledgerEntries.orderId, sold)),
      {
        orderId: ledgerEntries.orderId,
        kind: ledgerEntries.kind,
        amount: amount(ledgerEntries.amountCents),
        createdAt: ledgerEntries.createdAt,
      },
    ),
    /** By the user or for them, with counteroffers. */
    offers: rowsOf(db, offers, or(eq(offers.buyerId, id), eq(offers.sellerId, id)), {
      listingId: offers.phoneId,
      amount: amount(offers.amountCents),
      by: offers.side,
      byYou: sql<number>`iif(${offers.side} = 'buyer', ${offers.buyerId}, ${offers.sellerId}) = ${id}`
        .mapWith(Boolean)
        .as("by_you"),
      answer: offers.answer,
      createdAt: offers.createdAt,
      answeredAt: offers.answeredAt,
    }),
    /** With the prices when they were saved. */
    savedListings: rowsOf(db, savedListings, eq(savedListings.userId, id), {
      listingId: savedListings.phoneId,
      price: amount(savedListings.priceCents),
      createdAt: savedListings.createdAt,
    }),
    reviewsWritten: reviewsBy(db, eq(reviews.authorId, id)),
    /** The published ones. */
    reviewsReceived: reviewsBy(db, and(eq(reviews.subjectId, id), lte(reviews.publishedAt, new Date()))),
    /** Reports of listings, people and reviews that the user sent. */
    contentReports: rowsOf(db, contentReports, eq(contentReports.reporterId, id), {
      kind: contentReports.targetKind,
      targetId: contentReports.targetId,
      reason: sql`${contentReports.reason}`.mapWith(reasonText),
      details: contentReports.details,
      createdAt: contentReports.createdAt,
    }),
    /** Decisions of moderators that the user was notified of. */
    decisions: async (cursor) =>
      (await decisionsAbout(db, id)(cursor)).map(({ targetKind, ...row }) => ({
        ...row,
        target: targetLabel(targetKind, row.target),
      })),
    /** Without the paths of their pages. */
    notifications: async (cursor) =>
      (await selectNotifications(db, viewer, cursor, batchSize)).map(({ path, ...row }) => row),
    conversations: conversationsOf(db, viewer),
    messagesSent: messagesIn(db, viewer, eq(messages.senderId, id)),
    /** But hidden ones. */
    messagesReceived: messagesIn(db, viewer, and(ne(messages.senderId, id), isNull(messages.hiddenById))),
  };
}

const decisionsAbout = (db: Db, ownerId: string) =>
  rows(
    db
      .select({
        id: decisions.id,
        kind: decisions.kind,
        targetKind: decisions.targetKind,
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
    and(eq(decisions.ownerId, ownerId), ne(decisions.kind, "dismiss")),
  );

/** Reports that the user sent, found by the address. */
function ticketsOf(db: Db, { email }: Viewer): Record<string, Read> {
  return {
    reports: rowsOf(db, tickets, emailEquals(tickets.email, email), {
      name: tickets.name,
      email: tickets.email,
      details: tickets.details,
      createdAt: tickets.createdAt,
    }),
    /** Answers to the user's reports, and what they wrote back. */
    reportMessages: rows(
      db
        .select({
          id: ticketMessages.id,
          reportId: ticketMessages.ticketId,
          isAnswer: isNotNull(ticketMessages.authorId).mapWith(Boolean).as("is_answer"),
          text: ticketMessages.text,
          createdAt: ticketMessages.createdAt,
        })
        .from(ticketMessages)
        .innerJoin(tickets, eq(tickets.id, ticketMessages.ticketId))
        .$dynamic(),
      ticketMessages.id,
      emailEquals(tickets.email, email),
    ),
  };
}

function reviewsBy(db: Db, condition: SQL | undefined) {
  return rowsOf(db, reviews, condition, {
    orderId: reviews.orderId,
    authorRole: reviews.authorRole,
    stars: reviews.stars,
    text: reviews.text,
    createdAt: reviews.createdAt,
    editedAt: reviews.editedAt,
    reply: reviews.reply,
    repliedAt: reviews.repliedAt,
  });
}

/** With the name of the other person as the pages show it. */
function conversationsOf(db: Db, viewer: Viewer): Read {
  const read = rows(
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
  );
  return async (cursor) =>
    (await read(cursor)).map(({ isBuyer, name, ...row }) => ({ ...row, with: otherSideName(name, isBuyer) }));
}

/** Messages in the user's conversations. */
function messagesIn(db: Db, { id }: Viewer, condition: SQL | undefined) {
  return rows(
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
    condition,
  );
}

/** The short lists. */
const shortLists: Record<string, (db: Db, viewer: Viewer) => Promise<unknown[]>> = {
  emailsSwitchedOff: optOutsOf,
  blockedPeople: blockedBy,
  listingDrafts: draftsOf,
  listingImports: importsOf,
  savedSearches: savedSearchesOf,
  deliveryAddresses: listAddresses,
  payoutAccount: payoutAccountOf,
  viewsByDay,
  passkeys: passkeysOf,
  personalAccessTokens: tokensOf,
  sessions: sessionsOf,
  logins: loginsOf,
};

async function draftsOf(db: Db, viewer: Viewer) {
  const { id, typed, createdAt, sellerId } = listingDrafts;
  const drafts = await db.select({ id, typed, createdAt }).from(listingDrafts).where(eq(sellerId, viewer.id));
  const pictures = await db
    .select({ id: photos.id, draftId: photos.draftId })
    .from(photos)
    .where(isDraftPhotoOf(viewer.id))
    .orderBy(photos.position);
  return drafts.map(({ id, ...draft }) => {
    const own = pictures.filter(({ draftId }) => draftId === draftKey(viewer, id));
    return { ...draft, photos: own.map((photo) => photoUrl(photo.id, "gallery")) };
  });
}

/** The rows of files of the last days. A seller has few at a time. */
function importsOf(db: Db, { id }: Viewer) {
  const { fileName, state, createdAt, sellerId } = listingImports;
  const { line, device, ownNumber, fields, before, photos, importId } = listingImportRows;
  return db
    .select({ fileName, state, createdAt, row: line, device, ownNumber, fields, before, photos })
    .from(listingImports)
    .innerJoin(listingImportRows, eq(importId, listingImports.id))
    .where(eq(sellerId, id));
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

function viewsByDay(db: Db, { id }: Viewer) {
  return db
    .select({
      day: sql<string>`date(${viewedDays.day} * 86400, 'unixepoch')`.as("viewed_day"),
      views: viewedDays.views,
    })
    .from(viewedDays)
    .where(eq(viewedDays.sellerId, id))
    .orderBy(viewedDays.day);
}

function payoutAccountOf(db: Db, { id }: Viewer) {
  const { accountId, state, updatedAt, userId } = payoutAccounts;
  return db.select({ accountId, state, updatedAt }).from(payoutAccounts).where(eq(userId, id));
}

async function blockedBy(db: Db, viewer: Viewer) {
  const people = await listBlockedPeople(db, viewer);
  return people.map(({ name, createdAt }) => ({ name, createdAt }));
}

async function optOutsOf(db: Db, { id }: Viewer) {
  const rows = await db
    .select({ kind: emailOptOuts.kind })
    .from(emailOptOuts)
    .where(eq(emailOptOuts.userId, id));
  return rows.map(({ kind }) => kind);
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
