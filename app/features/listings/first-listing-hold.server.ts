import { and, eq, isNull, ne, not, or } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { hasRow, valueFor } from "#app/db/conditions.server.ts";
import { decisions, phones, users } from "#app/db/schema.ts";
import { hasPermission } from "../accounts/account-access.server.ts";
import { deviceNameColumn } from "./listings.server.ts";

/**
 * Holds a new listing for approval if its seller is not verified and has never had a listing on sale. Run it after the
 * listing's insertion in its batch.
 */
export function holdFirstListing(db: Db, phoneId: string) {
  const id = timeOrderedId();
  const hold = db
    .select({
      id: valueFor(decisions.id, id),
      kind: valueFor(decisions.kind, "hold"),
      targetKind: valueFor(decisions.targetKind, "listing"),
      targetId: valueFor(decisions.targetId, phoneId),
      target: deviceNameColumn.as("target"),
      ownerId: phones.sellerId,
      actorId: valueFor(decisions.actorId, null),
      reason: valueFor(decisions.reason, ""),
      until: valueFor(decisions.until, null),
      createdAt: valueFor(decisions.createdAt, new Date()),
      endedAt: valueFor(decisions.endedAt, null),
      previousId: valueFor(decisions.previousId, null),
      formKey: valueFor(decisions.formKey, null),
      appeal: valueFor(decisions.appeal, null),
      appealedAt: valueFor(decisions.appealedAt, null),
    })
    .from(phones)
    .innerJoin(users, eq(users.id, phones.sellerId))
    .where(
      and(
        eq(phones.id, phoneId),
        isNull(phones.hiddenById),
        eq(users.verified, false),
        not(hasPermission("moderate")),
        not(hasListingThatWasOnSale(db)),
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

/** Condition on `phones`: another listing of the seller is on sale, was never held, or was approved. */
function hasListingThatWasOnSale(db: Db) {
  const earlier = alias(phones, "earlier");
  const hold = alias(decisions, "hold");
  const approval = alias(decisions, "approval");
  const isApproved = hasRow(
    db,
    approval,
    and(eq(approval.previousId, hold.id), eq(approval.kind, "approve"), isNull(approval.endedAt)),
  );
  const waits = hasRow(
    db,
    hold,
    and(
      eq(hold.targetKind, "listing"),
      eq(hold.targetId, earlier.id),
      eq(hold.kind, "hold"),
      not(isApproved),
    ),
  );
  return hasRow(
    db,
    earlier,
    and(
      eq(earlier.sellerId, phones.sellerId),
      ne(earlier.id, phones.id),
      or(isNull(earlier.hiddenById), not(waits)),
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
