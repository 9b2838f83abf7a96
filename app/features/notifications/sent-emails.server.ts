import { and, eq, inArray, isNull, lt } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { sentEmails } from "#app/db/schema.ts";
import { dayMs } from "#app/time.ts";

/** Longer than an email can be in the queues. */
const retentionDays = 60;

/** Longer than sending takes. An attempt that was not completed by then was interrupted. */
const attemptMinutes = 2;

/**
 * Sends an email unless one with its id was sent. If sending fails or is interrupted, it can be tried again.
 *
 * @param onUnrecorded called if the email was sent, but that could not be recorded
 * @returns "being sent" if another attempt is under way, or was interrupted just now
 */
export async function sendOnce(
  db: Db,
  id: string,
  send: () => Promise<void>,
  onUnrecorded: (error: unknown) => void,
  now = new Date(),
): Promise<"sent" | "being sent"> {
  const thisEmail = eq(sentEmails.id, id);
  const interrupted = and(
    isNull(sentEmails.sentAt),
    lt(sentEmails.createdAt, new Date(now.getTime() - attemptMinutes * 60_000)),
  );
  const [claimed, [recorded]] = await db.batch([
    db
      .insert(sentEmails)
      .values({ id, createdAt: now })
      .onConflictDoUpdate({ target: sentEmails.id, set: { createdAt: now }, setWhere: interrupted })
      .returning({ id: sentEmails.id }),
    db.select({ sentAt: sentEmails.sentAt }).from(sentEmails).where(thisEmail),
  ]);
  if (claimed.length === 0) return recorded?.sentAt ? "sent" : "being sent";
  try {
    await send();
  } catch (error) {
    await db.delete(sentEmails).where(thisEmail);
    throw error;
  }
  await db.update(sentEmails).set({ sentAt: now }).where(thisEmail).catch(onUnrecorded);
  return "sent";
}

/** Deletes the records of emails that can no longer be sent again, at most `limit`. */
export async function forgetSentEmails(db: Db, limit: number, now = new Date()): Promise<void> {
  const old = db
    .select({ id: sentEmails.id })
    .from(sentEmails)
    .where(lt(sentEmails.createdAt, new Date(now.getTime() - retentionDays * dayMs)))
    .limit(limit);
  await db.delete(sentEmails).where(inArray(sentEmails.id, old));
}
