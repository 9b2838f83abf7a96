import { and, eq, isNull, notExists, or, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { type Cursor, keysetPage } from "#app/db/cursor.ts";
import { keyset } from "#app/db/keyset.server.ts";
import { contentReports, phones, signals, users } from "#app/db/schema.ts";
import { deviceNameColumn } from "../../listings/phones.server.ts";
import { pageSize } from "../moderation-queue.server.ts";

/** A page of the targets with signals that nobody has reported or decided about, the newest first. */
export async function listSignals(db: Db, cursor: Cursor) {
  const { afterCursor, orderBy } = keyset(signals.id, cursor);
  const openReport = db
    .select({ one: sql`1` })
    .from(contentReports)
    .where(
      and(
        eq(contentReports.kind, signals.kind),
        eq(contentReports.targetId, signals.targetId),
        isNull(contentReports.decisionId),
      ),
    );
  const rows = await db
    .select({
      id: signals.id,
      kind: signals.kind,
      targetId: signals.targetId,
      name: sql<string>`coalesce(${deviceNameColumn}, ${users.name})`.as("name"),
      ownerName: users.name,
      reports: sql<number>`0`.as("reports"),
      text: sql<string>`''`.as("text"),
      since: signals.createdAt,
      signals: signals.found,
    })
    .from(signals)
    .innerJoin(users, and(eq(users.id, signals.ownerId), isNull(users.removalId)))
    .leftJoin(phones, and(eq(signals.kind, "listing"), eq(phones.id, signals.targetId)))
    .where(
      and(
        isNull(signals.decisionId),
        or(phones.listed, and(eq(signals.kind, "seller"), isNull(users.suspensionId))),
        notExists(openReport),
        afterCursor,
      ),
    )
    .orderBy(orderBy)
    .limit(pageSize + 1);
  return keysetPage(rows, cursor, pageSize, (row) => row.id);
}
