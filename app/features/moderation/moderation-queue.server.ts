import { and, asc, desc, eq, isNull, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import { type Cursor, isBackwards, keysetPage, sortKeyOf } from "#app/db/cursor.ts";
import { keyset } from "#app/db/keyset.server.ts";
import { contentReports, decisions, phones, signals, users } from "#app/db/schema.ts";
import type { TargetKind } from "#app/db/values.ts";
import { deviceNameColumn } from "../listings/phones.server.ts";
import { hasOpenAppeal } from "./decisions/decision-conditions.server.ts";
import type { Signal } from "./signals/signal.rules.ts";

export const pageSize = 20;

/** A row of the moderators' queue. */
export interface QueueRow {
  kind: TargetKind;
  targetId: string;
  name: string;
  ownerName: string;
  /** Open reports; 0 in the other queues. */
  reports: number;
  /** The chosen reasons, each once; or the owner's appeal. */
  text: string;
  since: Date;
  signals: Signal[];
}

/** The format of the queue's cursor: the number of reports and the id of the first one. */
export const queueKey = /^\d{1,9}\.[0-9a-f-]{36}$/;

/** A page of the targets with open reports, the most reported first, then the longest waiting. */
export async function listReported(db: Db, cursor: Cursor) {
  const reports = sql<number>`count(*)`;
  const first = sql<string>`min(${contentReports.id})`;
  const [number, id] = (sortKeyOf(cursor) ?? "").split(".");
  const backwards = isBackwards(cursor);
  const beyond = backwards
    ? sql`count(*) > ${Number(number)} or (count(*) = ${Number(number)} and min(${contentReports.id}) < ${id})`
    : sql`count(*) < ${Number(number)} or (count(*) = ${Number(number)} and min(${contentReports.id}) > ${id})`;
  const rows = await db
    .select({
      kind: contentReports.kind,
      targetId: contentReports.targetId,
      firstId: first.as("first_id"),
      reports: reports.as("reports"),
      text: sql<string>`group_concat(distinct ${contentReports.reason})`.as("reasons"),
      since: sql<Date>`min(${contentReports.createdAt})`.mapWith(contentReports.createdAt).as("since"),
      ownerName: sql<string>`max(${users.name})`.as("owner_name"),
      device: sql<string | null>`max(${deviceNameColumn})`.as("device"),
      signals: signalsColumn.as("signals"),
    })
    .from(contentReports)
    .leftJoin(users, eq(users.id, contentReports.ownerId))
    .leftJoin(phones, and(eq(contentReports.kind, "listing"), eq(phones.id, contentReports.targetId)))
    .where(isNull(contentReports.decisionId))
    .groupBy(contentReports.kind, contentReports.targetId)
    .having(cursor ? beyond : undefined)
    .orderBy(...(backwards ? [asc(reports), desc(first)] : [desc(reports), asc(first)]))
    .limit(pageSize + 1);
  const page = keysetPage(rows, cursor, pageSize, (row) => `${row.reports}.${row.firstId}`);
  return {
    ...page,
    rows: page.rows.map(({ device, firstId: _, ...row }) => ({ ...row, name: device ?? nameOf(row) })),
  };
}

/** The name of a reported target that is not a listing, or is a deleted one. */
export function nameOf({ kind, ownerName }: { kind: TargetKind; ownerName: string }): string {
  if (kind === "seller") return ownerName;
  if (kind === "message") return `Message from ${ownerName}`;
  return kind === "review" ? `Review by ${ownerName}` : "Deleted listing";
}

/** The stored signals of a target and its owner, in a query grouped by target. */
const signalsColumn =
  sql`(select json_group_array(json(one.value)) from ${signals}, json_each(${signals.found}) as one
  where ${signals.kind} = ${contentReports.kind} and ${signals.targetId} = ${contentReports.targetId}
    or ${signals.kind} = 'seller' and ${signals.targetId} = ${contentReports.ownerId})`.mapWith(
    (found: string): Signal[] => JSON.parse(found),
  );

/** A page of the first listings that wait for approval, the oldest first. */
export function listHeld(db: Db, cursor: Cursor) {
  return decisionPage(db, cursor, isHeld(db));
}

/** Condition on `decisions`: its listing waits for approval. */
export function isHeld(db: Db) {
  return and(
    eq(decisions.kind, "hold"),
    isNull(decisions.endedAt),
    hasRow(db, phones, and(eq(phones.id, decisions.targetId), eq(phones.removalId, decisions.id))),
  );
}

/** A page of the decisions with an open appeal, the oldest first. */
export function listAppealed(db: Db, cursor: Cursor) {
  return decisionPage(db, cursor, hasOpenAppeal(db));
}

async function decisionPage(db: Db, cursor: Cursor, condition: ReturnType<typeof and>) {
  const { afterCursor, orderBy } = keyset(decisions.id, cursor, asc);
  const rows = await db
    .select({
      id: decisions.id,
      kind: decisions.targetKind,
      targetId: decisions.targetId,
      name: decisions.target,
      ownerName: users.name,
      text: sql<string>`coalesce(${decisions.appeal}, '')`.as("appeal_text"),
      since: sql<Date>`coalesce(${decisions.appealedAt}, ${decisions.createdAt})`
        .mapWith(decisions.createdAt)
        .as("since"),
      reports: sql<number>`0`.as("reports"),
      signals: sql`'[]'`.mapWith((): Signal[] => []).as("signals"),
    })
    .from(decisions)
    .innerJoin(users, eq(users.id, decisions.ownerId))
    .where(and(condition, afterCursor))
    .orderBy(orderBy)
    .limit(pageSize + 1);
  return keysetPage(rows, cursor, pageSize, (row) => row.id);
}
