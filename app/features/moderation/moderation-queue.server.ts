import { and, asc, desc, eq, isNull, ne, not, or, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import { type Cursor, isBackwards, keysetPage, sortKeyOf } from "#app/db/cursor.ts";
import type { TargetKind } from "#app/db/enums.ts";
import { keyset } from "#app/db/keyset.server.ts";
import { contentReports, decisions, phones, removals, signals, users } from "#app/db/schema.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { hasLaterDecision, isUndoableBy, undoableSince } from "../audit/removals.server.ts";
import { deviceNameColumn } from "../listings/listings.server.ts";
import type { DecidedProblem } from "../order-problems/decided-problems.server.ts";
import { pastDecisionColumns } from "./cases.server.ts";
import { hasAppealFor, isOpenHold } from "./decisions/decision-conditions.server.ts";
import { reasonsText, targetLabel, targetLabelOf } from "./reports/content-report.rules.ts";
import type { Signal } from "./signals/signal.rules.ts";
import { isNotOwn } from "./target.server.ts";

const pageSize = 20;

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
export async function listReported(db: Db, viewer: Pick<Viewer, "id">, cursor: Cursor) {
  const reports = sql<number>`count(*)`;
  const first = sql<string>`min(${contentReports.id})`;
  const [number, id] = (sortKeyOf(cursor) ?? "").split(".");
  const backwards = isBackwards(cursor);
  const beyond = backwards
    ? sql`count(*) > ${Number(number)} or (count(*) = ${Number(number)} and min(${contentReports.id}) < ${id})`
    : sql`count(*) < ${Number(number)} or (count(*) = ${Number(number)} and min(${contentReports.id}) > ${id})`;
  const rows = await db
    .select({
      kind: contentReports.targetKind,
      targetId: contentReports.targetId,
      firstId: first.as("first_id"),
      reports: reports.as("reports"),
      text: sql`group_concat(distinct ${contentReports.reason})`.mapWith(reasonsText).as("reasons"),
      since: sql`min(${contentReports.createdAt})`.mapWith(contentReports.createdAt).as("since"),
      ownerName: sql<string>`max(${users.name})`.as("owner_name"),
      device: sql<string | null>`max(${deviceNameColumn})`.as("device"),
      signals: signalsColumn.as("signals"),
    })
    .from(contentReports)
    .leftJoin(users, eq(users.id, contentReports.ownerId))
    .leftJoin(phones, and(eq(contentReports.targetKind, "listing"), eq(phones.id, contentReports.targetId)))
    .where(and(isNull(contentReports.decisionId), isNotOwn(contentReports, viewer)))
    .groupBy(contentReports.targetKind, contentReports.targetId)
    .having(cursor ? beyond : undefined)
    .orderBy(...(backwards ? [asc(reports), desc(first)] : [desc(reports), asc(first)]))
    .limit(pageSize + 1);
  const page = keysetPage(rows, cursor, pageSize, (row) => `${row.reports}.${row.firstId}`);
  return {
    ...page,
    rows: page.rows.map(({ device, firstId: _, ...row }) => ({
      ...row,
      name: targetLabelOf({ device, ...row }),
    })),
  };
}

/** The stored signals of a target and its owner, in a query grouped by target. */
const signalsColumn =
  sql`(select json_group_array(json(one.value)) from ${signals}, json_each(${signals.found}) as one
  where ${signals.targetKind} = ${contentReports.targetKind} and ${signals.targetId} = ${contentReports.targetId}
    or ${signals.targetKind} = 'seller' and ${signals.targetId} = ${contentReports.ownerId})`.mapWith(
    (found: string): Signal[] => JSON.parse(found),
  );

/** A page of the first listings that wait for approval, the oldest first. */
export function listHeld(db: Db, viewer: Pick<Viewer, "id">, cursor: Cursor) {
  return decisionPage(db, viewer, cursor, isOpenHold(db));
}

/** A page of the decisions with an open appeal, the oldest first. */
export function listAppealed(db: Db, viewer: Viewer, cursor: Cursor) {
  return decisionPage(db, viewer, cursor, hasAppealFor(db, viewer));
}

async function decisionPage(
  db: Db,
  viewer: Pick<Viewer, "id">,
  cursor: Cursor,
  condition: ReturnType<typeof and>,
) {
  const { afterCursor } = keyset(decisions.id, cursor, asc);
  const rows = await db
    .select({
      id: decisions.id,
      kind: decisions.targetKind,
      targetId: decisions.targetId,
      name: decisions.target,
      ownerName: users.name,
      text: sql<string>`coalesce(${decisions.appeal}, '')`.as("appeal_text"),
      since: sql`coalesce(${decisions.appealedAt}, ${decisions.createdAt})`
        .mapWith(decisions.createdAt)
        .as("since"),
      reports: sql<number>`0`.as("reports"),
      signals: sql`'[]'`.mapWith((): Signal[] => []).as("signals"),
    })
    .from(decisions)
    .innerJoin(users, eq(users.id, decisions.ownerId))
    .where(and(condition, isNotOwn(decisions, viewer), afterCursor))
    // The few open ones are found by an index and sorted; in the order of the ids, all decisions would be read.
    .orderBy(isBackwards(cursor) ? sql`+${decisions.id} desc` : sql`+${decisions.id}`)
    .limit(pageSize + 1);
  const named = rows.map((row) => ({ ...row, name: targetLabel(row.kind, row.name) }));
  return keysetPage(named, cursor, pageSize, (row) => row.id);
}

/** Condition on `signals`, their `users` and their `phones`: open, of something that is there, and not in the reports. */
export function isOpenSignal(db: Db, viewer: Pick<Viewer, "id">) {
  const isReported = hasRow(
    db,
    contentReports,
    and(
      eq(contentReports.targetKind, signals.targetKind),
      eq(contentReports.targetId, signals.targetId),
      isNull(contentReports.decisionId),
    ),
  );
  return and(
    isNull(signals.decisionId),
    isNotOwn(signals, viewer),
    or(phones.listed, and(eq(signals.targetKind, "seller"), isNull(users.suspensionId))),
    not(isReported),
  );
}

/** A page of the targets with signals that nobody has reported or decided about, the newest first. */
export async function listSignals(db: Db, viewer: Pick<Viewer, "id">, cursor: Cursor) {
  const { afterCursor, orderBy } = keyset(signals.id, cursor);
  const rows = await db
    .select({
      id: signals.id,
      kind: signals.targetKind,
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
    .leftJoin(phones, and(eq(signals.targetKind, "listing"), eq(phones.id, signals.targetId)))
    .where(and(isOpenSignal(db, viewer), afterCursor))
    .orderBy(orderBy)
    .limit(pageSize + 1);
  return keysetPage(rows, cursor, pageSize, (row) => row.id);
}

/** A page of what moderators have decided, the newest first, with what the viewer can still undo. */
export async function listDecided(db: Db, viewer: Viewer, cursor: Cursor) {
  // Loaded on demand: few requests need them.
  const { isUndecided, selectDecidedProblems, selectPendingDecisions } = await import(
    "../order-problems/decided-problems.server.ts"
  );
  const { afterCursor, orderBy } = keyset(decisions.id, cursor);
  const isDependedOn = and(
    isUndoableBy(viewer),
    isNull(removals.undoneAt),
    hasLaterDecision(db, decisions.id),
  );
  const [ofContent, ofProblems, pending] = await db.batch([
    db
      .select({
        ...pastDecisionColumns(db, viewer),
        /** The viewer could undo it if a later decision did not depend on it. */
        isDependedOn: sql`coalesce(${isDependedOn}, 0)`.mapWith(Boolean).as("is_depended_on"),
      })
      .from(decisions)
      .leftJoin(users, eq(users.id, decisions.actorId))
      .leftJoin(removals, eq(removals.id, decisions.id))
      .where(and(ne(decisions.kind, "hold"), isNotOwn(decisions, viewer), afterCursor))
      .orderBy(orderBy)
      .limit(pageSize + 1),
    selectDecidedProblems(db, viewer, cursor, pageSize + 1),
    selectPendingDecisions(db, viewer, cursor, pageSize + 1),
  ]);
  // Ids are time-ordered, so they sort all kinds.
  const sign = isBackwards(cursor) ? -1 : 1;
  const rows = [
    ...ofContent.map((decision) => ({ ...decision, problem: null })),
    ...[...ofProblems, ...pending].map(
      ({ isOwn, ...decision }): DecidedProblem => ({
        ...decision,
        canUndo:
          decision.takesEffectAt !== null &&
          isUndecided(decision.problem) &&
          isOwn &&
          decision.createdAt > undoableSince(),
      }),
    ),
  ].toSorted((one, other) => (one.id < other.id ? sign : -sign));
  return keysetPage(rows, cursor, pageSize, (row) => row.id);
}
