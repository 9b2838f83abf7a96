import { and, eq, gt, inArray, isNull, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { phones, removals, reports, users } from "#app/db/schema.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { undoableSince } from "../audit/removals.server.ts";
import { removePhone } from "../listings/listing-removal.server.ts";
import { deviceNameColumn } from "../listings/phones.server.ts";
import type { BulkAction, BulkRefusal } from "./bulk.rules.ts";
import { removeReport } from "./reports.server.ts";
import { removeUser, verifySeller } from "./users.server.ts";

export interface SelectedRow {
  id: string;
  label: string;
  refusal: BulkRefusal | null;
}

/** Finds the rows for the page that asks for confirmation, in the order of their ids. */
export async function findSelected(
  db: Db,
  admin: Viewer,
  action: BulkAction,
  ids: string[],
): Promise<SelectedRow[]> {
  return (await stateOf(db, admin, action, ids)).map(({ id, label, refusal }) => ({ id, label, refusal }));
}

interface BulkOutcome {
  /** How many rows the action took effect on, now or by the same administrator's same request before. */
  done: number;
  /** To undo it. */
  removalIds: string[];
  refusals: BulkRefusal[];
}

/** Applies an action to each row by itself, with all its rules. Rows that have changed since are left out. */
export async function applyToSelected(
  db: Db,
  admin: Viewer,
  action: BulkAction,
  ids: string[],
): Promise<BulkOutcome> {
  const removalIds: string[] = [];
  const failed: string[] = [];
  let verified = 0;
  for (const id of ids) {
    if (action === "verify sellers") {
      if ((await verifySeller(db, admin, id)) === 1) verified += 1;
      else failed.push(id);
      continue;
    }
    const removalId = await remove[action](db, admin, id);
    if (removalId) removalIds.push(removalId);
    else failed.push(id);
  }
  if (failed.length === 0) return { done: removalIds.length + verified, removalIds, refusals: [] };
  const state = await stateOf(db, admin, action, failed);
  const repeated = await undoableAmong(
    db,
    admin,
    state.flatMap(({ removalId }) => removalId ?? []),
  );
  removalIds.push(...repeated);
  const refusals = failed.flatMap((id): BulkRefusal[] => {
    const row = state.find((one) => one.id === id);
    if (!row) return ["not found"];
    if (row.removalId && repeated.includes(row.removalId)) return [];
    return [row.refusal ?? "not found"];
  });
  return { done: removalIds.length + verified, removalIds, refusals };
}

const remove = { "delete users": removeUser, "delete listings": removePhone, "delete reports": removeReport };

/** The removals that the administrator can still undo: a form that was sent twice has the same result. */
async function undoableAmong(db: Db, admin: Viewer, removalIds: string[]): Promise<string[]> {
  if (removalIds.length === 0) return [];
  const rows = await db
    .select({ id: removals.id })
    .from(removals)
    .where(
      and(
        inArray(removals.id, removalIds),
        eq(removals.actorId, admin.id),
        isNull(removals.undoneAt),
        gt(removals.createdAt, undoableSince()),
      ),
    );
  return rows.map(({ id }) => id);
}

/** The rows that exist, with why the action is not possible. */
async function stateOf(
  db: Db,
  admin: Viewer,
  action: BulkAction,
  ids: string[],
): Promise<(SelectedRow & { removalId: string | null })[]> {
  if (ids.length === 0) return [];
  const withRefusal = (table: typeof users | typeof phones | typeof reports, label: SQL, refusal: SQL) =>
    db
      .select({
        id: table.id,
        label: sql<string>`${label}`.as("label"),
        removalId: table.removalId,
        refusal:
          sql<BulkRefusal | null>`case when ${table.removalId} is not null then ${"deleted before"} else ${refusal} end`.as(
            "refusal",
          ),
      })
      .from(table)
      .where(inArray(table.id, ids))
      .orderBy(table.id);
  switch (action) {
    case "delete users":
      return withRefusal(
        users,
        userLabel,
        sql`case when ${users.id} = ${admin.id} then ${"own account"} end`,
      );
    case "verify sellers":
      return withRefusal(
        users,
        userLabel,
        sql`case when ${users.userType} <> 'Seller' then ${"not found"} when ${users.verified} = 'yes' then ${"verified before"} end`,
      );
    case "delete listings":
      return withRefusal(
        phones,
        deviceNameColumn,
        sql`case when ${phones.status} = 'reserved' then ${"reserved"} end`,
      );
    case "delete reports":
      return withRefusal(
        reports,
        sql`coalesce(nullif(${reports.email}, ''), nullif(${reports.name}, ''), 'Anonymous')`,
        sql`null`,
      );
  }
}

const userLabel = sql`${users.name} || ' (' || ${users.email} || ')'`;
