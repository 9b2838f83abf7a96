import { and, eq, isNull, ne, not, notExists, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import { decisions, phones, users } from "#app/db/schema.ts";
import type { DecisionKind, TargetKind } from "#app/db/values.ts";
import { hasPermission } from "../accounts/account-access.server.ts";
import { deviceNameColumn } from "./phones.server.ts";

const one = { one: sql`1` };

/**
 * Holds a new listing for approval if its seller is not verified and has never had a listing on sale. Run it after the
 * listing's insertion in its batch.
 */
export function holdFirstListing(db: Db, phoneId: string) {
  const id = timeOrderedId();
  const hold = db
    .select({
      id: sql`${id}`.as("id"),
      kind: sql<DecisionKind>`'hold'`.as("kind"),
      targetKind: sql<TargetKind>`'listing'`.as("target_kind"),
      targetId: sql`${phones.id}`.as("target_id"),
      target: deviceNameColumn.as("target"),
      ownerId: sql`${phones.sellerId}`.as("owner_id"),
      actorId: sql`null`.as("actor_id"),
      reason: sql`''`.as("reason"),
      until: sql`null`.as("until"),
      createdAt: sql`${Date.now()}`.as("created_at"),
      endedAt: sql`null`.as("ended_at"),
      previousId: sql`null`.as("previous_id"),
      formKey: sql`null`.as("form_key"),
      appeal: sql`null`.as("appeal"),
      appealedAt: sql`null`.as("appealed_at"),
    })
    .from(phones)
    .innerJoin(users, eq(users.id, phones.sellerId))
    .where(
      and(
        eq(phones.id, phoneId),
        isNull(phones.hiddenById),
        eq(users.verified, false),
        not(hasPermission("moderate")),
        notExists(listingThatWasOnSale(db)),
      ),
    );
  return [
    db.insert(decisions).select(hold),
    db
      .update(phones)
      .set({ hiddenById: id })
      .where(and(eq(phones.id, phoneId), hasRow(db, decisions, eq(decisions.id, id)))),
  ] as const;
}

/** Another listing of the seller that is on sale, was never held, or was approved. */
function listingThatWasOnSale(db: Db) {
  const earlier = alias(phones, "earlier");
  const hold = alias(decisions, "hold");
  const approval = alias(decisions, "approval");
  const approved = db
    .select(one)
    .from(approval)
    .where(and(eq(approval.previousId, hold.id), eq(approval.kind, "approve"), isNull(approval.endedAt)));
  const neverApproved = db
    .select(one)
    .from(hold)
    .where(
      and(
        eq(hold.targetKind, "listing"),
        eq(hold.targetId, earlier.id),
        eq(hold.kind, "hold"),
        notExists(approved),
      ),
    );
  return db
    .select(one)
    .from(earlier)
    .where(
      and(
        eq(earlier.sellerId, phones.sellerId),
        ne(earlier.id, phones.id),
        or(isNull(earlier.hiddenById), notExists(neverApproved)),
      ),
    );
}

/** Condition on `phones`: the listing waits for approval. */
export function isHeld(db: Db) {
  return hasRow(db, decisions, and(eq(decisions.id, phones.hiddenById), eq(decisions.kind, "hold")));
}

export async function isHeldForApproval(db: Db, phoneId: string): Promise<boolean> {
  return (await db.$count(phones, and(eq(phones.id, phoneId), isHeld(db)))) > 0;
}
