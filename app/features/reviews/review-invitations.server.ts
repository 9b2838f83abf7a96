import { and, eq, gt, isNotNull, isNull, lt, notExists, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { bookings, orderSteps, reviews, sentEmails, users } from "#app/db/schema.ts";

const day = 86_400_000;
/** Invitations of one run of the job; the next run continues. */
const maxInvitations = 50;
/** Later than this after the receipt, nobody is invited. */
const latestDays = 8;

const emailId = sql<string>`'review invitation ' || ${bookings.id}`;

/**
 * Invites buyers who received their phone a day ago to review the seller, once for each order. Only verified addresses
 * get an email. An email that fails is tried again by the next run, and holds up no other.
 *
 * @throws the first error of an email, after all were tried
 */
export async function inviteReviewers(
  db: Db,
  send: (email: string, orderId: string) => Promise<void>,
  now = new Date(),
): Promise<void> {
  const ofOrder = db.select({ one: sql`1` });
  const due = await db
    .select({ id: emailId, orderId: bookings.id, email: users.email })
    .from(orderSteps)
    .innerJoin(bookings, eq(bookings.id, orderSteps.orderId))
    .innerJoin(users, eq(users.id, bookings.buyerId))
    .where(
      and(
        eq(orderSteps.kind, "received"),
        lt(orderSteps.createdAt, new Date(now.getTime() - day)),
        gt(orderSteps.createdAt, new Date(now.getTime() - latestDays * day)),
        isNotNull(users.emailVerifiedAt),
        isNull(users.removalId),
        notExists(ofOrder.from(sentEmails).where(eq(sentEmails.id, emailId))),
        notExists(
          ofOrder.from(reviews).where(and(eq(reviews.orderId, bookings.id), eq(reviews.authorRole, "buyer"))),
        ),
      ),
    )
    .orderBy(orderSteps.createdAt)
    .limit(maxInvitations);
  const errors: unknown[] = [];
  for (const { id, orderId, email } of due) {
    const recorded = await db.insert(sentEmails).values({ id }).onConflictDoNothing().returning();
    if (recorded.length === 0) continue;
    try {
      await send(email, orderId);
    } catch (error) {
      await db.delete(sentEmails).where(eq(sentEmails.id, id));
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}
