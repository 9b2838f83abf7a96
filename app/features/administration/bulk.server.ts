import { and, eq, gt, inArray, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { firstIdAt } from "#app/db/conditions.server.ts";
import { decisions, phones, removals, tickets, users } from "#app/db/schema.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { undoableSince } from "../audit/removals.server.ts";
import { removeListing } from "../listings/listing-removal.server.ts";
import { hidingDecisionKinds } from "../listings/listing-tables.server.ts";
import { deviceNameColumn } from "../listings/listings.server.ts";
import { sellsOrHasListed } from "../listings/sellings.server.ts";
import { hideListing } from "../moderation/decisions/decide.server.ts";
import { hasHeldMoney } from "../payments/money-facts.server.ts";
import { removeTicket } from "../support-tickets/tickets.server.ts";
import type { BulkAction, BulkRefusal } from "./bulk.rules.ts";
import { removeUser, verifySeller } from "./user-actions.server.ts";

export interface SelectedRow {
  id: string;
  label: string;
  /** The seller of a listing, or the email address of a user. */
  person: string | null;
  /** The price of a listing. */
  cents: number | null;
  /** Why the action is not possible. */
  refusal: BulkRefusal | null;
}

type BulkTable = typeof users | typeof phones | typeof tickets;

const hiddenBy = (table: BulkTable) => ("hiddenById" in table ? table.hiddenById : table.removalId);

interface BulkOutcome {
  /** Of the rows that the action took effect on, now or when the same form was submitted before. */
  removalIds: string[];
  refusals: BulkRefusal[];
}

const actions: Record<
  BulkAction,
  {
    kind: (typeof removals.$inferSelect)["kind"];
    apply: (db: Db, admin: Viewer, id: string, formKey: string, reason: string) => Promise<unknown>;
  }
> = {
  "delete users": { kind: "user", apply: removeUser },
  "verify sellers": { kind: "verification", apply: verifySeller },
  "hide listings": {
    kind: "decision",
    apply: (db, admin, id, formKey, reason) => hideListing(db, admin, id, reason, formKey),
  },
  "delete listings": {
    kind: "phone",
    apply: (db, admin, id, formKey) => removeListing(db, admin, id, { formKey }),
  },
  "delete tickets": { kind: "report", apply: removeTicket },
};

/**
 * Applies an action to each row by itself, with all its rules. Rows that have changed since are left out.
 *
 * @param formKey idempotency key: the same form submitted again changes nothing and has the same result
 * @param reason for the owners, if the action needs one
 */
export async function applyToSelected(
  db: Db,
  admin: Viewer,
  action: BulkAction,
  ids: string[],
  formKey: string,
  reason = "",
): Promise<BulkOutcome> {
  const made = () => removalsOf(db, admin, action, formKey);
  const before = await made();
  for (const id of ids) {
    if (!before.has(id)) await actions[action].apply(db, admin, id, formKey, reason);
  }
  // Also those of the same form submitted at the same time.
  const [removed, rows] = await Promise.all([made(), findSelected(db, admin, action, ids)]);
  const outcome: BulkOutcome = { removalIds: [], refusals: [] };
  for (const id of ids) {
    const removal = removed.get(id);
    if (removal && !removal.undoneAt) outcome.removalIds.push(removal.id);
    else if (removal) outcome.refusals.push("undone since");
    else outcome.refusals.push(rows.find((row) => row.id === id)?.refusal ?? "not found");
  }
  return outcome;
}

/** What a form has done while it can be undone, by the ids of the rows. */
async function removalsOf(db: Db, admin: Viewer, action: BulkAction, formKey: string) {
  const since = undoableSince();
  const rows = await db
    .select({ id: removals.id, targetId: removals.targetId, undoneAt: removals.undoneAt })
    .from(removals)
    .where(
      and(
        gt(removals.id, firstIdAt(since)),
        gt(removals.createdAt, since),
        eq(removals.kind, actions[action].kind),
        eq(removals.actorId, admin.id),
        eq(removals.formKey, formKey),
      ),
    );
  return new Map(rows.map((row) => [row.targetId, row]));
}

/** Finds the rows for the page that asks for confirmation, in the order of `ids`. */
export async function findSelected(
  db: Db,
  admin: Viewer,
  action: BulkAction,
  ids: string[],
): Promise<SelectedRow[]> {
  if (ids.length === 0) return [];
  const withRefusal = async (
    table: BulkTable,
    { label, person = sql`null`, cents = sql`null` }: { label: SQL; person?: SQL; cents?: SQL },
    refusal: SQL,
  ) => {
    const rows = await db
      .select({
        id: table.id,
        label: sql<string>`${label}`.as("label"),
        person: sql<string | null>`${person}`.as("person"),
        cents: sql<number | null>`${cents}`.as("cents"),
        refusal: sql<BulkRefusal | null>`${refusal}`.as("refusal"),
      })
      .from(table)
      .leftJoin(decisions, eq(decisions.id, hiddenBy(table)))
      .where(inArray(table.id, ids));
    return rows.sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
  };
  const deletedBefore = (table: BulkTable) =>
    sql`when ${hiddenBy(table)} is not null then ${"deleted before"}`;
  const reserved = sql`when ${phones.status} = 'reserved' then ${"reserved"}`;
  const listing = {
    label: deviceNameColumn,
    person: sql`(${db.select({ name: users.name }).from(users).where(eq(users.id, phones.sellerId))})`,
    cents: sql`${phones.sellingCents}`,
  };
  switch (action) {
    case "delete users":
      return withRefusal(
        users,
        { label: sql`${users.name}`, person: sql`${users.email}` },
        sql`case ${deletedBefore(users)} when ${users.id} = ${admin.id} then ${"own account"} when ${hasHeldMoney(db, users.id)} then ${"money held"} end`,
      );
    case "verify sellers":
      return withRefusal(
        users,
        { label: sql`${users.name}`, person: sql`${users.email}` },
        sql`case ${deletedBefore(users)} when not ${sellsOrHasListed(db)} then ${"not found"} when ${users.verified} then ${"verified before"} end`,
      );
    case "hide listings":
      return withRefusal(
        phones,
        listing,
        // Those that wait for approval or are hidden with their seller can be hidden for good.
        sql`case when ${decisions.kind} = 'hide' then ${"hidden before"} when ${decisions.kind} in ('hold', 'suspend') then null ${deletedBefore(phones)} ${reserved} end`,
      );
    case "delete listings":
      return withRefusal(
        phones,
        listing,
        sql`case when ${inArray(decisions.kind, hidingDecisionKinds)} then ${"hidden before"} ${deletedBefore(phones)} ${reserved} end`,
      );
    case "delete tickets":
      return withRefusal(
        tickets,
        { label: sql`coalesce(nullif(${tickets.email}, ''), nullif(${tickets.name}, ''), 'Anonymous')` },
        sql`case ${deletedBefore(tickets)} end`,
      );
  }
}
