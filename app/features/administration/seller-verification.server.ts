import { and, eq, isNull, sql } from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { activity, notifications, removals, users } from "#app/db/schema.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { activityValues } from "../audit/activity.server.ts";
import { removalExists, removalValues, stillRemoved } from "../audit/removals.server.ts";
import { notificationValues } from "../notifications/notify.server.ts";

/** A verification with its id, to undo it; or why there is none. */
type VerificationOutcome =
  | { removalId: string; refusal?: undefined }
  | { removalId?: undefined; refusal: "verified before" | "not found" };

/**
 * Verifies a seller, notifies them, and can be undone for ten minutes.
 *
 * @param formKey idempotency key of a bulk action
 */
export async function verifySeller(
  db: Db,
  admin: Viewer,
  sellerId: string,
  formKey: string | null = null,
): Promise<VerificationOutcome> {
  const removalId = timeOrderedId();
  const thisSeller = and(eq(users.id, sellerId), eq(users.userType, "Seller"), isNull(users.removalId));
  const isNew = and(eq(users.id, sellerId), removalExists(db, removalId));
  const notification = notificationValues("verification", {
    userId: users.id,
    subject: users.name,
    path: sql`'/sellers/' || ${users.id}`,
    event: `verification ${sellerId}`,
  });
  const [inserted, , , , found] = await db.batch([
    db
      .insert(removals)
      .select(
        db
          .select(removalValues(removalId, admin, "verification", users.id, formKey))
          .from(users)
          .where(and(thisSeller, isNull(users.verified))),
      )
      .returning({ id: removals.id }),
    db.update(users).set({ verified: "yes" }).where(isNew),
    db.insert(activity).select(
      db
        .select(activityValues(admin, "verified seller", users.id, users.email))
        .from(users)
        .where(isNew),
    ),
    db.insert(notifications).select(db.select(notification).from(users).where(isNew)).onConflictDoNothing(),
    db.select({ id: users.id }).from(users).where(thisSeller),
  ]);
  if (inserted.length > 0) return { removalId };
  return { refusal: found.length > 0 ? "verified before" : "not found" };
}

/** Takes a verification back, with the seller's notification of it; false if it has been taken back already. */
export async function undoVerification(db: Db, admin: Viewer, removalId: string): Promise<boolean> {
  const sellerId = sql`(select ${removals.targetId} from ${removals} where ${stillRemoved(removalId)})`;
  const [undone] = await db.batch([
    db
      .update(users)
      .set({ verified: null })
      .where(and(eq(users.id, sellerId), eq(users.verified, "yes")))
      .returning({ id: users.id }),
    db
      .delete(notifications)
      .where(
        and(eq(notifications.userId, sellerId), eq(notifications.event, sql`'verification ' || ${sellerId}`)),
      ),
    db.insert(activity).select(
      db
        .select(activityValues(admin, "undid verification", users.id, users.email))
        .from(users)
        .where(eq(users.id, sellerId)),
    ),
    db.update(removals).set({ undoneAt: new Date() }).where(stillRemoved(removalId)),
  ]);
  return undone.length > 0;
}
