import { and, eq, isNull, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { type Cursor, readInBatches } from "#app/db/cursor.ts";
import { users } from "#app/db/schema.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { toAmount } from "../listings/money.rules.ts";
import { passkeysOf, sessionsOf, tokensOf } from "./account-data-access.server.ts";
import {
  blockedBy,
  contentReportsOf,
  conversationsOf,
  decisionsAbout,
  messagesOf,
  notificationsOf,
  optOutsOf,
  reportsOf,
  reviewsOf,
} from "./account-data-contact.server.ts";
import {
  listingsOf,
  ordersOf,
  priceChangesOf,
  savedListingsOf,
  savedSearchesOf,
  stepsOf,
} from "./account-data-trade.server.ts";

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
    (cursor) => listingsOf(db, viewer, cursor, batchSize),
    asAmounts("marketPrice", "sellingPrice"),
  );
  yield* list(
    "priceChanges",
    (cursor) => priceChangesOf(db, viewer, cursor, batchSize),
    asAmounts("oldPrice", "newPrice"),
  );
  yield* list("orders", (cursor) => ordersOf(db, viewer, cursor, batchSize), asAmounts("price"));
  yield* list("orderSteps", (cursor) => stepsOf(db, viewer, cursor, batchSize), unchanged);
  yield* list(
    "savedListings",
    (cursor) => savedListingsOf(db, viewer, cursor, batchSize),
    asAmounts("price"),
  );
  yield* list("reviewsWritten", (cursor) => reviewsOf(db, viewer, "authorId", cursor, batchSize), unchanged);
  yield* list(
    "reviewsReceived",
    (cursor) => reviewsOf(db, viewer, "subjectId", cursor, batchSize),
    unchanged,
  );
  yield* list("contentReports", (cursor) => contentReportsOf(db, viewer, cursor, batchSize), unchanged);
  yield* list("decisions", (cursor) => decisionsAbout(db, viewer, cursor, batchSize), unchanged);
  yield* list("notifications", (cursor) => notificationsOf(db, viewer, cursor, batchSize), unchanged);
  yield `,\n"emailsSwitchedOff": ${JSON.stringify(await optOutsOf(db, viewer))}`;
  yield* list("conversations", (cursor) => conversationsOf(db, viewer, cursor, batchSize), unchanged);
  yield* list("messagesSent", (cursor) => messagesOf(db, viewer, "sent", cursor, batchSize), unchanged);
  yield* list(
    "messagesReceived",
    (cursor) => messagesOf(db, viewer, "received", cursor, batchSize),
    unchanged,
  );
  yield `,\n"blockedPeople": ${JSON.stringify(await blockedBy(db, viewer), null, 1)}`;
  if (account?.emailVerifiedAt)
    yield* list("reports", (cursor) => reportsOf(db, viewer, cursor, batchSize), unchanged);
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

/** Converts these properties of a row from cents to amounts. */
function asAmounts<Name extends string>(...names: Name[]) {
  return (row: Record<Name, number>) => ({
    ...row,
    ...Object.fromEntries(names.map((name) => [name, toAmount(row[name])])),
  });
}
