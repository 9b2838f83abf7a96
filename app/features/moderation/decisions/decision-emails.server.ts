import { and, eq, isNull, type SQL } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import { notifications } from "#app/db/schema.ts";

/** Condition on `notifications`: that of a user of an event. */
const isOf = (userId: string, event: string | SQL) =>
  and(eq(notifications.userId, userId), eq(notifications.event, event));

/** Condition on `notifications`: what they say ended before its email went out, so that there is none. */
const isStopped = eq(notifications.emailOutcome, "undone");

/** A statement: what a notification says is not in effect anymore; its email, if it still waits, is not sent. */
export function stopEmail(db: Db, userId: string, event: SQL, now: Date) {
  return db
    .update(notifications)
    .set({ emailDoneAt: now, emailOutcome: "undone" })
    .where(and(isOf(userId, event), isNull(notifications.emailDoneAt)));
}

/** A statement: what `stopEmail` was for is in effect again, so that its email waits again. */
export function resumeEmail(db: Db, userId: string, event: string) {
  return db
    .update(notifications)
    .set({ emailDoneAt: null, emailOutcome: null })
    .where(and(isOf(userId, event), isStopped));
}

/** Condition: `stopEmail` came before the email. */
export const isEmailStopped = (db: Db, userId: string, event: SQL) =>
  hasRow(db, notifications, and(isOf(userId, event), isStopped));
