import { and, eq, isNull, or } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import type { Cursor } from "#app/db/cursor.ts";
import { keyset } from "#app/db/keyset.server.ts";
import { listingDrafts, phones, users } from "#app/db/schema.ts";
import { may } from "../accounts/permissions.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { listingColumns } from "./phones.server.ts";

/** Whether a user has My Sellings: sellers and administrators, and buyers who have ever published or drafted a listing. */
export async function hasMySellings(db: Db, viewer: Viewer): Promise<boolean> {
  if (may(viewer, "see My Sells")) return true;
  // Deleted listings count: the last deletion must not lock its page, which offers to undo it.
  const has = or(
    hasRow(db, phones, eq(phones.sellerId, viewer.id)),
    hasRow(db, listingDrafts, eq(listingDrafts.sellerId, viewer.id)),
  );
  return (
    (
      await db
        .select({ id: users.id })
        .from(users)
        .where(and(eq(users.id, viewer.id), has))
    ).length > 0
  );
}

/** Selects the listings of a seller for the API, newest first. */
export function selectSellings(db: Db, sellerId: string, cursor: Cursor, limit: number) {
  const { afterCursor, orderBy } = keyset(phones.id, cursor);
  return db
    .select(listingColumns)
    .from(phones)
    .innerJoin(users, eq(users.id, phones.sellerId))
    .where(and(eq(phones.sellerId, sellerId), isNull(phones.hiddenById), afterCursor))
    .orderBy(orderBy)
    .limit(limit);
}
