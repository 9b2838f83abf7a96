import { and, eq, isNull, sql } from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import { notifications, removals, users } from "#app/db/schema.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { addActivityOf } from "../audit/activity.server.ts";
import { addRemoval, markUndone, type Removal, stillRemoved } from "../audit/removals.server.ts";
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
  const seller = eq(users.id, sellerId);
  const isSeller = and(seller, eq(users.userType, "Seller"), isNull(users.removalId));
  const notification = notificationValues("verification", {
    userId: users.id,
    subject: users.name,
    path: sql`'/sellers/' || ${users.id}`,
    event: `verification ${sellerId}`,
  });
  const refusal = await batchUnless(
    db,
    {
      "not found": hasRow(db, users, isSeller),
      "verified before": hasRow(db, users, and(seller, isNull(users.verified))),
    },
    [
      addRemoval(db, admin, "verification", { id: removalId, targetId: sellerId, formKey }),
      db.update(users).set({ verified: "yes" }).where(seller),
      addActivityOf(db, admin, "verified seller", users, users.email, seller),
      db
        .insert(notifications)
        .select(db.select(notification).from(users).where(seller))
        .onConflictDoNothing(),
    ],
  );
  return refusal ? { refusal } : { removalId };
}

/** Takes a verification back, with the seller's notification of it; false if it has been taken back already. */
export async function undoVerification(db: Db, admin: Viewer, removal: Removal): Promise<boolean> {
  const seller = eq(users.id, removal.targetId);
  const refusal = await batchUnless(
    db,
    {
      "undone before": hasRow(db, removals, stillRemoved(removal.id)),
      "not verified": hasRow(db, users, and(seller, eq(users.verified, "yes"))),
    },
    [
      db.update(users).set({ verified: null }).where(seller),
      db
        .delete(notifications)
        .where(
          and(
            eq(notifications.userId, removal.targetId),
            eq(notifications.event, `verification ${removal.targetId}`),
          ),
        ),
      addActivityOf(db, admin, "undid verification", users, users.email, seller),
      markUndone(db, removal),
    ],
  );
  return !refusal;
}
