import { and, asc, desc, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import type { Cursor } from "#app/db/cursor.ts";
import { allRows, exportBatchSize, keyset, numberedPage } from "#app/db/keyset.server.ts";
import { users } from "#app/db/schema.ts";
import { selectiveFilters } from "#app/db/selective-filter.server.ts";
import type { Role } from "#app/db/values.ts";
import { usersNamed } from "../accounts/accounts.server.ts";
import type { UserQuery } from "./user-tables.rules.ts";

const userColumns = {
  id: users.id,
  name: users.name,
  email: users.email,
  userType: users.userType,
  verified: users.verified,
};

export type UserRow = Awaited<ReturnType<typeof listUsers>>["rows"][number];

/** A page of the users, by default the oldest first. */
export async function listUsers(db: Db, cursor: Cursor, query: UserQuery = { filters: {} }) {
  return numberedPage(db, cursor, {
    ...(await usersMatching(db, query)),
    read: ({ where, orderBy, limit, sortValue }) =>
      db
        .select({ ...userColumns, sortValue })
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

async function usersMatching(db: Db, { filters: { q, role, verified, email }, order }: UserQuery) {
  const indexed = await selectiveFilters(db, users, [
    q && inArray(users.id, usersNamed(db, q)),
    role && eq(users.userType, role),
  ]);
  return {
    table: users,
    where: and(
      isUser(),
      ...indexed,
      verified && eq(users.verified, verified === "yes"),
      email && (email === "yes" ? isNotNull : isNull)(users.emailVerifiedAt),
    ),
    order: order === "newest" ? desc : asc,
    sortBy:
      order === "name"
        ? sql`lower(${users.name})`
        : order === "email"
          ? sql`lower(${users.email})`
          : undefined,
  };
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
