import { and, eq, inArray, isNotNull, isNull, lt, not, or, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { emailOptOuts, notifications, users } from "#app/db/schema.ts";
import type { QueuedEmail } from "#app/server/mail/queued-email.ts";
import { dayMs } from "#app/time.ts";
import { notificationEmail } from "./notification-mail.server.ts";
import { unsubscribeToken } from "./unsubscribe-token.server.ts";

/** Notifications in one batch. The messages of their emails must fit into one batch of a queue, 256 KB. */
export const emailBatchSize = 25;

/** A message gets no email if its conversation is opened within this time. */
const messageDelay = 5 * 60_000;

interface EmailRoute {
  /** The origin of links. */
  origin: string;
  /** Sign unsubscribe links, newest first. */
  secrets: string[];
  /** If it throws, the emails are due again. */
  queue(emails: QueuedEmail[]): Promise<void>;
}

/**
 * Queues a batch of emails of notifications that have none yet, oldest first: to verified addresses of accounts that exist
 * and want this kind. Notifications older than a day get no email, nor do messages that have been read. Two requests at
 * once may queue the same email; it is sent once, by its id.
 *
 * @returns how many notifications were due
 */
export async function queueDueBatch(
  db: Db,
  { origin, secrets, queue }: EmailRoute,
  now = new Date(),
): Promise<number> {
  const due = await selectDue(db, now);
  if (due.length === 0) return 0;
  const wanted = due.filter(
    ({ isVerified, isRemoved, isOff, isReadMessage, createdAt }) =>
      isVerified && !isRemoved && !isOff && !isReadMessage && createdAt.getTime() > now.getTime() - dayMs,
  );
  const emails = await Promise.all(
    wanted.map(async ({ id, userId, email, kind, subject, path }) => {
      const token = await unsubscribeToken(secrets, { userId, kind });
      const unsubscribeLink = new URL(`/unsubscribe?${new URLSearchParams({ token })}`, origin).href;
      const link = new URL(path, origin).href;
      return {
        id: `notification ${id}`,
        to: email,
        ...notificationEmail({ kind, subject, link, unsubscribeLink }),
      };
    }),
  );
  if (emails.length > 0) await queue(emails);
  await db
    .update(notifications)
    .set({ emailQueuedAt: now })
    .where(
      and(
        isNull(notifications.emailQueuedAt),
        inArray(
          notifications.id,
          due.map(({ id }) => id),
        ),
      ),
    );
  return due.length;
}

function selectDue(db: Db, now: Date) {
  const isMessage = eq(notifications.kind, "message");
  return db
    .select({
      id: notifications.id,
      userId: notifications.userId,
      kind: notifications.kind,
      subject: notifications.subject,
      path: notifications.path,
      createdAt: notifications.createdAt,
      email: users.email,
      isVerified: sql<number>`${users.emailVerifiedAt} is not null`.mapWith(Boolean).as("is_verified"),
      isRemoved: sql<number>`${users.removalId} is not null`.mapWith(Boolean).as("is_removed"),
      isReadMessage: sql<number>`${and(isMessage, isNotNull(notifications.readAt))}`
        .mapWith(Boolean)
        .as("is_read_message"),
      isOff: sql<number>`${emailOptOuts.kind} is not null`.mapWith(Boolean).as("is_off"),
    })
    .from(notifications)
    .innerJoin(users, eq(users.id, notifications.userId))
    .leftJoin(
      emailOptOuts,
      and(eq(emailOptOuts.userId, notifications.userId), eq(emailOptOuts.kind, notifications.kind)),
    )
    .where(
      and(
        isNull(notifications.emailQueuedAt),
        or(not(isMessage), lt(notifications.createdAt, new Date(now.getTime() - messageDelay))),
      ),
    )
    .orderBy(notifications.id)
    .limit(emailBatchSize);
}
