import { and, eq, exists, isNull, ne, or, sql } from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { activity, decisions, phones, removals, users } from "#app/db/schema.ts";
import { changeableListing } from "../accounts/account-access.server.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { activityValues } from "../audit/activity.server.ts";
import { imeiIfStillFree, removalExists, removalValues, stillRemoved } from "../audit/removals.server.ts";
import { hiddenByModerators } from "./listing-tables.server.ts";
import { deviceNameColumn } from "./phones.server.ts";

/** The removal or suspension of a phone's seller, for a condition on `phones`. */
export const removalOfSeller = sql`(select coalesce(${users.removalId}, ${users.suspensionId}) from ${users} where ${users.id} = ${phones.sellerId})`;

/** The decision that still hides a listing of its own, for a condition on `phones`; a suspension hides all of a seller. */
const hidingDecision = sql`(select max(id) from ${decisions} where target_kind = 'listing' and target_id = ${phones.id}
  and kind in ('hide', 'hold') and ended_at is null)`;

/**
 * Administrators may remove any visible listing, sellers their own, hidden ones too. Returns the removal's id, or null.
 *
 * @param formKey idempotency key of a bulk action
 */
export async function removePhone(
  db: Db,
  viewer: Viewer,
  phoneId: string,
  formKey: string | null = null,
): Promise<string | null> {
  const removalId = timeOrderedId();
  const [removed] = await db.batch([
    db
      .insert(removals)
      .select(
        db
          .select(removalValues(removalId, viewer, "phone", phones.id, formKey))
          .from(phones)
          .where(
            and(
              eq(phones.id, phoneId),
              ne(phones.status, "reserved"),
              or(
                and(isNull(phones.removalId), changeableListing(viewer)),
                and(hiddenByModerators(db), eq(phones.sellerId, viewer.id)),
              ),
            ),
          ),
      )
      .returning({ id: removals.id }),
    db
      .update(phones)
      .set({ removalId })
      .where(and(eq(phones.id, phoneId), removalExists(db, removalId))),
    db.insert(activity).select(
      db
        .select(activityValues(viewer, "deleted listing", phones.id, deviceNameColumn))
        .from(phones)
        .where(and(eq(phones.removalId, removalId), ne(phones.sellerId, viewer.id))),
    ),
  ]);
  return removed[0]?.id ?? null;
}

export async function isReserved(db: Db, viewer: Viewer, phoneId: string): Promise<boolean> {
  const reserved = await db
    .select({ id: phones.id })
    .from(phones)
    .where(
      and(
        eq(phones.id, phoneId),
        eq(phones.status, "reserved"),
        isNull(phones.removalId),
        changeableListing(viewer),
      ),
    );
  return reserved.length > 0;
}

/**
 * Restores a removed listing, unless its seller has been removed too. It stays hidden while the seller is suspended or a
 * decision hides it.
 */
export async function restorePhone(db: Db, actor: Viewer, removalId: string): Promise<boolean> {
  const isRestored = or(isNull(phones.removalId), ne(phones.removalId, removalId));
  const [restored] = await db.batch([
    db
      .update(phones)
      .set({
        removalId: sql`coalesce(${hidingDecision}, ${removalOfSeller})`,
        imeiHash: imeiIfStillFree(db),
      })
      .where(
        and(
          eq(phones.removalId, removalId),
          exists(
            db
              .select({ one: sql`1` })
              .from(users)
              .where(and(eq(users.id, phones.sellerId), isNull(users.removalId))),
          ),
        ),
      )
      .returning({ id: phones.id }),
    db.insert(activity).select(
      db
        .select(activityValues(actor, "undid deletion", phones.id, deviceNameColumn))
        .from(removals)
        .innerJoin(phones, eq(phones.id, removals.targetId))
        .where(and(stillRemoved(removalId), isRestored, ne(phones.sellerId, actor.id))),
    ),
    db
      .update(removals)
      .set({ undoneAt: new Date() })
      .where(
        and(
          stillRemoved(removalId),
          exists(
            db
              .select({ one: sql`1` })
              .from(phones)
              .where(and(eq(phones.id, removals.targetId), isRestored)),
          ),
        ),
      ),
  ]);
  return restored.length > 0;
}
