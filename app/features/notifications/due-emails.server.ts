import { and, eq, gt, inArray, isNotNull, isNull, lt, not, or, sql } from "drizzle-orm";
import { brand } from "#app/brand.ts";
import type { Db } from "#app/db/client.server.ts";
import { emailOptOuts, notifications, users } from "#app/db/schema.ts";
import type { NotificationKind } from "#app/db/values.ts";
import { singleLine } from "#app/server/forms/sanitize-text.ts";
import type { DueEmail } from "#app/server/mail/due-email.ts";
import { type EmailContent, type EmailFacts, renderEmail } from "#app/server/mail/render-email.server.tsx";
import { dayMs } from "#app/time.ts";
import { unsubscribeToken } from "./email-choices.server.ts";
import { notificationText, notificationTexts } from "./notification-texts.ts";
import { reviewAuthor } from "./notifications.server.ts";

/** Notifications in one batch. */
const emailBatchSize = 25;

/** A message gets no email if its conversation is opened within this time. */
const messageDelay = 5 * 60_000;

interface EmailRoute {
  /** The origin of links. */
  origin: string;
  /** Sign unsubscribe links, newest first. */
  secrets: string[];
  /** What emails say of orders, their problems and offers, by the id of the notification. */
  factsOf?(due: DueNotification[]): Promise<Map<string, EmailFacts>>;
  /** Returns whether it sent the email, now or before. Else it stays due; so do all of the batch if it throws. */
  send(email: DueEmail): Promise<boolean>;
}

export type DueNotification = Awaited<ReturnType<typeof selectDue>>[number];

/** An email is sent once by its id, which of an order names the kind and the hour: there is one of each in an hour. */
function emailId({ id, userId, kind, path, createdAt }: DueNotification): string {
  if (!path.startsWith("/manage/orders/")) return `notification ${id}`;
  return `notification ${userId} ${kind} ${path} ${createdAt.toISOString().slice(0, 13)}`;
}

/**
 * Sends the emails of a batch of notifications, oldest first. A notification gets no email if its user has left or does
 * not want this kind, if it is older than a day or a message that was read, or if the address is not verified, unless it
 * is about an order. Two runs at once may take the same email; it is sent once, by its id.
 *
 * @param after the last notification of the batch before; emails of that batch that failed are left for another run
 * @returns the last notification of this batch; null if it was not full, so that no more are due
 */
export async function sendDueBatch(
  db: Db,
  { origin, secrets, factsOf, send }: EmailRoute,
  { after = null, now = new Date() }: { after?: string | null; now?: Date } = {},
): Promise<string | null> {
  const due = await selectDue(db, after, now);
  if (due.length === 0) return null;
  const wanted = due.filter(
    ({ kind, isVerified, isRemoved, isOff, isReadMessage, createdAt }) =>
      (isVerified || notificationTexts[kind].group === "Orders") &&
      !isRemoved &&
      !isOff &&
      !isReadMessage &&
      createdAt.getTime() > now.getTime() - dayMs,
  );
  const facts = await factsOf?.(wanted);
  const write = async ({ id, userId, email, kind, subject, path, author }: DueNotification) => {
    const token = await unsubscribeToken(secrets, { userId, kind });
    const unsubscribeLink = new URL(`/unsubscribe?${new URLSearchParams({ token })}`, origin).href;
    const content = notificationEmail({
      kind,
      subject,
      author,
      facts: facts?.get(id),
      path,
      origin,
      unsubscribeLink,
    });
    return { to: email, ...content };
  };
  const sent = await Promise.all(
    wanted.map(async (row) => ({ row, isDone: await send({ id: emailId(row), write: () => write(row) }) })),
  );
  const unsent = new Set(sent.filter(({ isDone }) => !isDone).map(({ row }) => row));
  const done = due.filter((row) => !unsent.has(row));
  await db
    .update(notifications)
    .set({ emailDoneAt: now })
    .where(
      and(
        isNull(notifications.emailDoneAt),
        inArray(
          notifications.id,
          done.map(({ id }) => id),
        ),
      ),
    );
  return due.length < emailBatchSize ? null : (due.at(-1)?.id ?? null);
}

function selectDue(db: Db, after: string | null, now: Date) {
  const isMessage = eq(notifications.kind, "message");
  return db
    .select({
      id: notifications.id,
      userId: notifications.userId,
      kind: notifications.kind,
      subject: notifications.subject,
      path: notifications.path,
      event: notifications.event,
      createdAt: notifications.createdAt,
      email: users.email,
      isVerified: isNotNull(users.emailVerifiedAt).mapWith(Boolean).as("is_verified"),
      isRemoved: isNotNull(users.removalId).mapWith(Boolean).as("is_removed"),
      isReadMessage: sql`${and(isMessage, isNotNull(notifications.readAt))}`
        .mapWith(Boolean)
        .as("is_read_message"),
      author: reviewAuthor(db),
      isOff: isNotNull(emailOptOuts.kind).mapWith(Boolean).as("is_off"),
    })
    .from(notifications)
    .innerJoin(users, eq(users.id, notifications.userId))
    .leftJoin(
      emailOptOuts,
      and(eq(emailOptOuts.userId, notifications.userId), eq(emailOptOuts.kind, notifications.kind)),
    )
    .where(
      and(
        isNull(notifications.emailDoneAt),
        after === null ? undefined : gt(notifications.id, after),
        or(not(isMessage), lt(notifications.createdAt, new Date(now.getTime() - messageDelay))),
      ),
    )
    .orderBy(notifications.id)
    .limit(emailBatchSize);
}

const maxSubjectLength = 60;
const maxFactLength = 160;
/** A moderator has typed it. */
const maxReasonLength = 1000;

/** What a notification is about, for an email: users have typed it, so it is limited in length. */
function shortened(subject: string, maxLength = maxSubjectLength): string {
  const characters = [...subject.trim()];
  if (characters.length <= maxLength) return subject;
  return `${characters.slice(0, maxLength - 1).join("")}…`;
}

/** The email of a notification. It holds no address and no phone number. */
function notificationEmail({
  kind,
  subject,
  author,
  facts,
  path,
  origin,
  unsubscribeLink,
}: {
  kind: NotificationKind;
  subject: string;
  author: string | null;
  facts?: EmailFacts;
  path: string;
  origin: string;
  unsubscribeLink: string;
}): EmailContent & { headers: Record<string, string> } {
  const by = author && shortened(author);
  // Nobody has typed how much work waits.
  const sentenceAbout = (about: string, maxLength: number) =>
    notificationText(kind, kind === "cases waiting" ? about : shortened(about, maxLength), by);
  // What has happened is in the email.
  const isCut = kind.startsWith("problem ") && subject.length > maxSubjectLength;
  const title = sentenceAbout(isCut ? subject.replace(/: [^:]*$/, "") : subject, maxSubjectLength);
  const texts = notificationTexts[kind];
  const { next, linkLabel } = (path.endsWith("/problem") && texts.inProblem) || texts;
  const content = renderEmail({
    ...(kind === "from us"
      ? { subject: `A message from ${brand.name}`, message: subject }
      : { subject: title.replace(/\.$/, ""), message: sentenceAbout(subject, maxFactLength) }),
    facts: facts?.map(([term, value]) => [
      term,
      singleLine(shortened(value, term === "Reason" ? maxReasonLength : maxFactLength)),
    ]),
    linkLabel,
    link: new URL(path, origin).href,
    notes: next === null ? [] : [next],
    footer: {
      text: `You’re getting this because you have a ${brand.name} account.`,
      linkLabel: "Unsubscribe from these emails",
      link: unsubscribeLink,
    },
  });
  // One click, RFC 8058.
  const headers = {
    "List-Unsubscribe": `<${unsubscribeLink}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  };
  return { ...content, headers };
}
