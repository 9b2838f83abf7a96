import { and, eq, gt, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { decisions, phones, removals, reports, users } from "#app/db/schema.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { undoableSince } from "../audit/removals.server.ts";
import { removePhone } from "../listings/listing-removal.server.ts";
import { hidingDecisions } from "../listings/listing-tables.server.ts";
import { deviceNameColumn } from "../listings/phones.server.ts";
import { hideListing } from "../moderation/decide.server.ts";
import { removeReport } from "../moderation/reports.server.ts";
import type { BulkAction, BulkRefusal } from "./bulk.rules.ts";
import { verifySeller } from "./seller-verification.server.ts";
import { removeUser } from "./user-removal.server.ts";

export interface SelectedRow {
  id: string;
  label: string;
  /** Why the action is not possible. */
  refusal: BulkRefusal | null;
}

interface BulkOutcome {
  /** Of the rows that the action took effect on, now or when the administrator sent the same form before. */
  removalIds: string[];
  refusals: BulkRefusal[];
}

const actions: Record<
  BulkAction,
  {
    kind: (typeof removals.$inferSelect)["kind"];
    apply: (db: Db, admin: Viewer, id: string, reason: string) => Promise<string | null>;
  }
> = {
  "delete users": { kind: "user", apply: removeUser },
  "verify sellers": {
    kind: "verification",
    apply: async (db, admin, id) => (await verifySeller(db, admin, id)).removalId ?? null,
  },
  "hide listings": { kind: "decision", apply: hideListing },
  "delete listings": { kind: "phone", apply: removePhone },
  "delete reports": { kind: "report", apply: removeReport },
};

/**
 * Applies an action to each row by itself, with all its rules. Rows that have changed since are left out.
 *
 * @param reason for the owners, if the action needs one
 */
export async function applyToSelected(
  db: Db,
  admin: Viewer,
  action: BulkAction,
  ids: string[],
  reason = "",
): Promise<BulkOutcome> {
  const removalIds: string[] = [];
  const failed: string[] = [];
  for (const id of ids) {
    const removalId = await actions[action].apply(db, admin, id, reason);
    if (removalId) removalIds.push(removalId);
    else failed.push(id);
  }
  if (failed.length === 0) return { removalIds, refusals: [] };
  const [rows, repeated] = await Promise.all([
    findSelected(db, admin, action, failed),
    undoableOf(db, admin, action, failed),
  ]);
  const refusals = failed
    .filter((id) => !repeated.some(({ targetId }) => targetId === id))
    .map((id) => rows.find((row) => row.id === id)?.refusal ?? "not found");
  return { removalIds: [...removalIds, ...repeated.map(({ id }) => id)], refusals };
}

/** What the administrator has done to rows and can still undo: a form that was sent twice has the same result. */
function undoableOf(db: Db, admin: Viewer, action: BulkAction, ids: string[]) {
  const since = undoableSince();
  return db
    .select({ id: removals.id, targetId: removals.targetId })
    .from(removals)
    .leftJoin(decisions, eq(decisions.id, removals.id))
    .where(
      and(
        // The ids are time-ordered, and there is no index of the targets.
        gt(removals.id, timeOrderedId({ msecs: since.getTime(), seq: 0, random: new Uint8Array(16) })),
        gt(removals.createdAt, since),
        eq(removals.kind, actions[action].kind),
        inArray(removals.targetId, ids),
        eq(removals.actorId, admin.id),
        isNull(removals.undoneAt),
        or(isNull(decisions.id), and(eq(decisions.kind, "hide"), isNull(decisions.endedAt))),
      ),
    );
}

/** Finds the rows for the page that asks for confirmation, in the order of their ids. */
export async function findSelected(
  db: Db,
  admin: Viewer,
  action: BulkAction,
  ids: string[],
): Promise<SelectedRow[]> {
  if (ids.length === 0) return [];
  const withRefusal = (table: typeof users | typeof phones | typeof reports, label: SQL, refusal: SQL) =>
    db
      .select({
        id: table.id,
        label: sql<string>`${label}`.as("label"),
        refusal: sql<BulkRefusal | null>`${refusal}`.as("refusal"),
      })
      .from(table)
      .leftJoin(decisions, eq(decisions.id, table.removalId))
      .where(inArray(table.id, ids))
      .orderBy(table.id);
  const deletedBefore = (table: typeof users | typeof phones | typeof reports) =>
    sql`when ${table.removalId} is not null then ${"deleted before"}`;
  const reserved = sql`when ${phones.status} = 'reserved' then ${"reserved"}`;
  switch (action) {
    case "delete users":
      return withRefusal(
        users,
        userLabel,
        sql`case ${deletedBefore(users)} when ${users.id} = ${admin.id} then ${"own account"} end`,
      );
    case "verify sellers":
      return withRefusal(
        users,
        userLabel,
        sql`case ${deletedBefore(users)} when ${users.userType} <> 'Seller' then ${"not found"} when ${users.verified} = 'yes' then ${"verified before"} end`,
      );
    case "hide listings":
      return withRefusal(
        phones,
        deviceNameColumn,
        // Those that wait for approval or are hidden with their seller can be hidden for good.
        sql`case when ${decisions.kind} = 'hide' then ${"hidden before"} when ${decisions.kind} in ('hold', 'suspend') then null ${deletedBefore(phones)} ${reserved} end`,
      );
    case "delete listings":
      return withRefusal(
        phones,
        deviceNameColumn,
        sql`case when ${inArray(decisions.kind, hidingDecisions)} then ${"hidden before"} ${deletedBefore(phones)} ${reserved} end`,
      );
    case "delete reports":
      return withRefusal(
        reports,
        sql`coalesce(nullif(${reports.email}, ''), nullif(${reports.name}, ''), 'Anonymous')`,
        sql`case ${deletedBefore(reports)} end`,
      );
  }
}

const userLabel = sql`${users.name} || ' (' || ${users.email} || ')'`;
