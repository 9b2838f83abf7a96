import {
  and,
  asc,
  count,
  desc,
  eq,
  inArray,
  isNotNull,
  isNull,
  not,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import { union } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import type { Cursor } from "#app/db/cursor.ts";
import type { Role } from "#app/db/enums.ts";
import { allRows, exportBatchSize, keyset, numberedPage } from "#app/db/keyset.server.ts";
import { contactsWith, minContactLength } from "#app/db/record-search.server.ts";
import { orders, phones, savedAddresses, users } from "#app/db/schema.ts";
import { selectiveFilters } from "#app/db/selective-filter.server.ts";
import { isSuspendedNow, usersNamed } from "../accounts/accounts.server.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { addActivity } from "../audit/activity.server.ts";
import { sellsOrHasListed } from "../listings/sellings.server.ts";
import { maxUsersCounted, type UserQuery } from "./user-tables.rules.ts";

const userColumns = {
  id: users.id,
  name: users.name,
  email: users.email,
  userType: users.userType,
  moderatorSince: users.moderatorSince,
  verified: users.verified,
};

export type UserRow = Awaited<ReturnType<typeof listUsers>>["rows"][number];

/** A page of the users, by default the oldest first. */
export async function listUsers(db: Db, cursor: Cursor, query: UserQuery = { filters: {} }) {
  return numberedPage(db, cursor, {
    ...(await usersMatching(db, query)),
    read: ({ where, orderBy, limit, sortValue }) =>
      db
        .select({ ...userColumns, createdAt: users.createdAt, lastSeenDay: users.lastSeenDay, sortValue })
        .from(users)
        .where(where)
        .orderBy(...orderBy)
        .limit(limit),
  });
}

/** All users that match a table's query, in batches. */
export async function* exportUsers(db: Db, query: UserQuery) {
  yield* allRows(
    {
      ...(await usersMatching(db, query)),
      read: ({ where, orderBy, limit, sortValue }) =>
        db
          .select({
            ...userColumns,
            emailVerifiedAt: users.emailVerifiedAt,
            createdAt: users.createdAt,
            lastSeenDay: users.lastSeenDay,
            sortValue,
          })
          .from(users)
          .where(where)
          .orderBy(...orderBy)
          .limit(limit),
    },
    exportBatchSize,
  );
}

/** How many users match a table's query, up to one more than the page counts: a count reads each row. */
export async function countUsers(db: Db, query: UserQuery): Promise<number> {
  const { where } = await usersMatching(db, query);
  const matching = db
    .select({ one: sql`1`.as("one") })
    .from(users)
    .where(where)
    .limit(maxUsersCounted + 1)
    .as("matching");
  const [found] = await db.select({ count: count() }).from(matching);
  return found?.count ?? 0;
}

async function usersMatching(db: Db, { filters, sort, findsSelling }: UserQuery) {
  const { q, role, verified, email, account, listings, contact } = filters;
  const isListed = hasRow(db, phones, and(eq(phones.sellerId, users.id), isNull(phones.hiddenById)));
  const hasRole = role && (role === "Moderator" ? isNotNull(users.moderatorSince) : eq(users.userType, role));
  const ofRole = q && findsSelling ? undefined : hasRole;
  const isSuspended = account === "suspended" ? isSuspendedNow() : undefined;
  // Its index has the ids in the order of the table.
  const isInOrder =
    ofRole && role !== "Moderator" && (sort === undefined || sort === "oldest" || sort === "newest");
  const indexed = await selectiveFilters(db, users, [
    q && inArray(users.id, usersNamed(db, q)),
    isInOrder ? undefined : ofRole,
    isSuspended,
  ]);
  return {
    table: users,
    where: and(
      isUser(),
      ...indexed,
      isInOrder ? ofRole : undefined,
      ofRole === hasRole ? undefined : sellsOrHasListed(db),
      verified && eq(users.verified, verified === "yes"),
      email && (email === "yes" ? isNotNull : isNull)(users.emailVerifiedAt),
      account === "open" ? not(isSuspendedNow()) : undefined,
      listings && (listings === "yes" ? isListed : not(isListed)),
      contact ? inArray(users.id, usersOfContacts(db, contactsWith(db, contact))) : undefined,
    ),
    order: sort === "newest" ? desc : asc,
    sortBy:
      sort === "name" ? sql`lower(${users.name})` : sort === "email" ? sql`lower(${users.email})` : undefined,
  };
}

/** Selects the ids of the users whom orders and saved addresses with these ids are of. @param contacts what `in` takes */
export function usersOfContacts(db: Db, contacts: SQLWrapper) {
  return union(
    db.select({ id: orders.buyerId }).from(orders).where(sql`${orders.id} in ${contacts}`),
    db
      .select({ id: savedAddresses.userId })
      .from(savedAddresses)
      .where(sql`${savedAddresses.id} in ${contacts}`),
  );
}

/** Records that an administrator looks for a phone number or an address, of which the log keeps the beginning alone. */
export async function noteContactSearch(db: Db, admin: Viewer, contact: string): Promise<void> {
  await addActivity(db, admin, "searched contact data", "", shortenedContact(contact));
}

export function shortenedContact(contact: string): string {
  return `${[...contact].slice(0, minContactLength).join("")}…`;
}

/** Selects users for the API, newest first. */
export function selectUsers(db: Db, only: "Seller" | undefined, cursor: Cursor, limit: number) {
  const { afterCursor, orderBy } = keyset(users.id, cursor);
  return db
    .select(userColumns)
    .from(users)
    .where(and(isUser(only), afterCursor))
    .orderBy(orderBy)
    .limit(limit);
}

function isUser(role?: Role) {
  return and(isNull(users.removalId), role && eq(users.userType, role));
}
