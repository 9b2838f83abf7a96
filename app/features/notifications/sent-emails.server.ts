import { eq, inArray, lt } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { sentEmails } from "#app/db/schema.ts";

const day = 86_400_000;
/** Longer than an email can be in the queues. */
const retentionDays = 60;

/** Sends an email unless one with its id was sent. If sending fails, it can be tried again. */
export async function sendOnce(db: Db, id: string, send: () => Promise<void>): Promise<void> {
  const recorded = await db
    .insert(sentEmails)
    .values({ id })
    .onConflictDoNothing()
    .returning({ id: sentEmails.id });
  if (recorded.length === 0) return;
  try {
    await send();
  } catch (error) {
    await db.delete(sentEmails).where(eq(sentEmails.id, id));
    throw error;
  }
}

/** Deletes the records of emails that can no longer be sent again, at most `portion`. */
export async function forgetSentEmails(db: Db, portion: number, now = new Date()): Promise<void> {
  const old = db
    .select({ id: sentEmails.id })
    .from(sentEmails)
    .where(lt(sentEmails.createdAt, new Date(now.getTime() - retentionDays * day)))
    .limit(portion);
  await db.delete(sentEmails).where(inArray(sentEmails.id, old));
}
