import { and, eq, gt, isNull, ne, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { type Cursor, keysetPage } from "#app/db/cursor.ts";
import { keyset } from "#app/db/keyset.server.ts";
import { decisions, removals, users } from "#app/db/schema.ts";
import type { Viewer } from "../../accounts/viewer.ts";
import { undoableSince } from "../../audit/removals.server.ts";
import { pastDecisionColumns } from "../cases.server.ts";
import { pageSize } from "../moderation-queue.server.ts";
import { hasLaterDecision } from "./decision-conditions.server.ts";

/** A page of what moderators have decided, the newest first, with what the viewer can still undo. */
export async function listDecided(db: Db, viewer: Viewer, cursor: Cursor) {
  const { afterCursor, orderBy } = keyset(decisions.id, cursor);
  const isRecent = and(
    isNull(removals.undoneAt),
    eq(removals.actorId, viewer.id),
    gt(removals.createdAt, undoableSince()),
  );
  const rows = await db
    .select({
      ...pastDecisionColumns,
      canUndo: sql<number>`coalesce(${isRecent} and not ${hasLaterDecision(db)}, 0)`
        .mapWith(Boolean)
        .as("can_undo"),
      /** The viewer could undo it if a later decision did not depend on it. */
      isDependedOn: sql<number>`coalesce(${isRecent} and ${hasLaterDecision(db)}, 0)`
        .mapWith(Boolean)
        .as("is_depended_on"),
    })
    .from(decisions)
    .leftJoin(users, eq(users.id, decisions.actorId))
    .leftJoin(removals, eq(removals.id, decisions.id))
    .where(and(ne(decisions.kind, "hold"), afterCursor))
    .orderBy(orderBy)
    .limit(pageSize + 1);
  return keysetPage(rows, cursor, pageSize, (row) => row.id);
}
