import {
  and,
  count,
  desc,
  eq,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  not,
  notInArray,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { brand } from "#app/brand.ts";
import type { Db } from "#app/db/client.server.ts";
import { firstIdAt, hasRow } from "#app/db/conditions.server.ts";
import {
  bundledNotificationKinds,
  type EmailOutcome,
  type NotificationDetails,
  type NotificationKind,
  type OrderStage,
  undoableKinds,
} from "#app/db/enums.ts";
import { accountEmails, emailOptOuts, notifications, orders, ticketMessages, users } from "#app/db/schema.ts";
import { singleLine } from "#app/server/forms/sanitize-text.ts";
import type { DueEmail } from "#app/server/mail/due-email.ts";
import { type EmailContent, type EmailFacts, renderEmail } from "#app/server/mail/render-email.server.tsx";
import { dayMs } from "#app/time.ts";
import { undoableSince } from "../audit/removals.server.ts";
import { isDueAnswer } from "../support-tickets/tickets.server.ts";
import { alarmLimits } from "./alarm-text.ts";
import { unsubscribeToken } from "./email-choices.server.ts";
import { isLastOffer, lastOfferText, subjectText } from "./notification-subjects.server.ts";
import {
  bookAnywayText,
  maxEmailsCounted,
  notificationText,
  notificationTexts,
} from "./notification-texts.ts";
import { reviewAuthor } from "./notifications.server.ts";

/** Notifications in one batch. */
const emailBatchSize = 25;

/** What is bundled gets no email if its page is opened within this time. */
const bundlingTime = 5 * 60_000;

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

/**
 * Sends the emails of a batch of notifications: those to one person in the order of the events, so that the last one
 * matches the state. A notification gets no email if its user has left or does not want this kind, if it is older than a
 * day, a message that was read or about an order that has ended since, or if the address is not verified, unless it is
 * about an own order or offer: each keeps its outcome. Two runs at once may take the same email; it is sent once, by its
 * id.
 *
 * @param after the last notification of the batch before; emails of that batch that failed are left for another run, and
 * so are the later ones to the same people
 * @returns the last notification of this batch; null if it was not full, so that no more are due
 */
export async function sendDueBatch(
  db: Db,
  { origin, secrets, factsOf, send }: EmailRoute,
  { after = null, now = new Date() }: { after?: string | null; now?: Date } = {},
): Promise<string | null> {
  const due = await selectDue(db, after, now);
  if (due.length === 0) return null;
  const wanted = due.filter((row) => whyNotSent(row, now) === null);
  const facts = await factsOf?.(wanted);
  const write = async ({ id, userId, email, kind, subject, details, path, author }: DueNotification) => {
    const token = await unsubscribeToken(secrets, { userId, kind });
    const unsubscribeLink = new URL(`/unsubscribe?${new URLSearchParams({ token })}`, origin).href;
    const content = notificationEmail({
      kind,
      subject,
      details,
      author,
      facts: facts?.get(id),
      path,
      origin,
      unsubscribeLink,
    });
    return { to: email, ...content };
  };
  const trySending = (row: DueNotification) =>
    send({ id: `notification ${row.id}`, write: () => write(row) });
  const people = [...new Set(wanted.map(({ userId }) => userId))];
  const unsent = await Promise.all(
    people.map((person) =>
      sendInOrder(
        wanted.filter(({ userId }) => userId === person),
        trySending,
      ),
    ),
  );
  const stillDue = new Set(unsent.flat());
  const outcomes = due
    .filter((row) => !stillDue.has(row))
    .map((row): [string, EmailOutcome] => [row.id, whyNotSent(row, now) ?? "sent"]);
  await recordOutcomes(db, Object.fromEntries(outcomes), now);
  return due.length < emailBatchSize ? null : (due.at(-1)?.id ?? null);
}

/** Why a notification gets no email; null if it gets one. */
function whyNotSent(
  { kind, isVerified, isRemoved, isOff, isOver, isSeen, createdAt }: DueNotification,
  now: Date,
): EmailOutcome | null {
  if (isRemoved) return "account deleted";
  if (isOff) return "switched off";
  if (!isVerified && !["Orders", "Offers"].includes(notificationTexts[kind].group))
    return "address not confirmed";
  if (isOver) return "order over";
  if (isSeen) return "read before";
  return createdAt.getTime() > now.getTime() - dayMs ? null : "too late";
}

/** @param outcomes by the id of the notification */
async function recordOutcomes(db: Db, outcomes: Record<string, EmailOutcome>, now: Date): Promise<void> {
  const outcome = sql`(select value from json_each(${JSON.stringify(outcomes)}) where key = ${notifications.id})`;
  await db
    .update(notifications)
    .set({ emailDoneAt: now, emailOutcome: outcome })
    .where(and(isNull(notifications.emailDoneAt), inArray(notifications.id, Object.keys(outcomes))));
}

/** Sends emails one after the other. @returns those that are still due: the first that was not sent, and all after it */
async function sendInOrder(
  rows: DueNotification[],
  send: (row: DueNotification) => Promise<boolean>,
): Promise<DueNotification[]> {
  for (const [index, row] of rows.entries()) if (!(await send(row))) return rows.slice(index);
  return [];
}

async function selectDue(db: Db, after: string | null, now: Date) {
  const isBundled = inArray(notifications.kind, bundledNotificationKinds);
  return db
    .select({
      id: notifications.id,
      userId: notifications.userId,
      kind: notifications.kind,
      subject: notifications.subject,
      details: notifications.details,
      path: notifications.path,
      event: notifications.event,
      createdAt: notifications.createdAt,
      email: users.email,
      isVerified: isNotNull(users.emailVerifiedAt).mapWith(Boolean).as("is_verified"),
      isRemoved: isNotNull(users.removalId).mapWith(Boolean).as("is_removed"),
      isOver: sql`${isOrderPast(db)}`.mapWith(Boolean).as("is_over"),
      isSeen: sql`${and(isBundled, isNotNull(notifications.readAt))}`.mapWith(Boolean).as("is_seen"),
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
        after === null ? undefined : and(gt(notifications.id, after), not(isHeldBack(db, after))),
        or(not(isBundled), lt(notifications.createdAt, new Date(now.getTime() - bundlingTime))),
        or(notInArray(notifications.kind, undoableKinds), lt(notifications.createdAt, undoableSince(now))),
      ),
    )
    .orderBy(notifications.id)
    .limit(emailBatchSize);
}

/** Kinds that say what a running order waits for, and at which stages it does. */
const awaitingStages: { [Kind in NotificationKind]?: OrderStage[] } = {
  "seller suspended": ["reserved", "handed over"],
  "seller back": ["reserved", "handed over"],
  "hand over reminder": ["reserved"],
  "receive reminder": ["handed over"],
};

/** Condition on `notifications`: the order whose page it leads to no longer waits for what it says. */
function isOrderPast(db: Db) {
  const isOrder = eq(orders.id, sql`substr(${notifications.path}, length('/manage/orders/') + 1)`);
  const isActive = and(isOrder, eq(orders.status, "active"));
  const past = Object.entries(awaitingStages).map(([kind, stages]) =>
    and(
      sql`${notifications.kind} = ${kind}`,
      not(hasRow(db, orders, and(isActive, inArray(orders.stage, stages)))),
    ),
  );
  return or(...past);
}

/** Condition on `notifications`: of the batches before, an email to the same person is still due. */
function isHeldBack(db: Db, after: string) {
  const earlier = alias(notifications, "earlier");
  return hasRow(
    db,
    earlier,
    and(
      eq(earlier.userId, notifications.userId),
      lte(earlier.id, after),
      isNull(earlier.emailDoneAt),
      notInArray(earlier.kind, [...bundledNotificationKinds, ...undoableKinds]),
    ),
  );
}

/** For how many minutes the oldest email has waited, if that is longer than it should; else null. */
export async function findLateEmails(db: Db, now = new Date()): Promise<number | null> {
  const late = new Date(now.getTime() - alarmLimits.emailMinutes * 60_000);
  const found = await db.batch([
    db
      .select({ at: notifications.createdAt })
      .from(notifications)
      .where(
        and(
          isNull(notifications.emailDoneAt),
          // The index has the ids, which are made when the rows are.
          lt(notifications.id, firstIdAt(new Date(late.getTime() + 60_000))),
          lt(notifications.createdAt, late),
        ),
      )
      .orderBy(notifications.id)
      .limit(1),
    db
      .select({ at: accountEmails.createdAt })
      .from(accountEmails)
      .where(and(isNull(accountEmails.emailOutcome), lt(accountEmails.createdAt, late)))
      .orderBy(accountEmails.createdAt)
      .limit(1),
    db
      .select({ at: ticketMessages.createdAt })
      .from(ticketMessages)
      .where(and(isDueAnswer(db), lt(ticketMessages.createdAt, late)))
      .orderBy(ticketMessages.createdAt)
      .limit(1),
  ]);
  const times = found.flat().map(({ at }) => at.getTime());
  return times.length === 0 ? null : Math.floor((now.getTime() - Math.min(...times)) / 60_000);
}

/**
 * What became of the emails of the newest notifications of the last 24 hours, and, also of emails about accounts and answers
 * to support tickets, whether one could not be sent in the day before and how many wait.
 */
export async function summarizeEmails(db: Db, now = new Date()) {
  const isOfDay = gt(notifications.id, firstIdAt(new Date(now.getTime() - dayMs)));
  const newest = db
    .select({ outcome: notifications.emailOutcome })
    .from(notifications)
    .where(isOfDay)
    .orderBy(desc(notifications.id))
    .limit(maxEmailsCounted)
    .as("newest");
  const waitingIn = (
    table: typeof notifications | typeof accountEmails | typeof ticketMessages,
    condition: SQL | undefined,
  ) => {
    const rows = db.select({ one: sql`1` }).from(table).where(condition).limit(maxEmailsCounted);
    return db.select({ number: sql<number>`count(*)` }).from(sql`(${rows})`);
  };
  // It was to be sent for a day.
  const since = new Date(now.getTime() - 2 * dayMs);
  const hasTooLate = or(
    hasRow(
      db,
      notifications,
      and(sql`${notifications.emailOutcome} = 'too late'`, gt(notifications.id, firstIdAt(since))),
    ),
    hasRow(db, accountEmails, and(isNotNull(accountEmails.emailOutcome), gt(accountEmails.createdAt, since))),
    hasRow(
      db,
      ticketMessages,
      and(sql`${ticketMessages.emailOutcome} = 'too late'`, gt(ticketMessages.createdAt, since)),
    ),
  );
  const [outcomes, tooLate, ...waiting] = await db.batch([
    db
      .select({ outcome: newest.outcome, number: count().as("number") })
      .from(newest)
      .groupBy(newest.outcome),
    db.select({ one: sql`1` }).from(sql`(select 1)`).where(hasTooLate),
    waitingIn(notifications, isNull(notifications.emailDoneAt)),
    waitingIn(accountEmails, isNull(accountEmails.emailOutcome)),
    waitingIn(ticketMessages, isDueAnswer(db)),
  ]);
  return {
    outcomes: outcomes.flatMap(({ outcome, number }) => (outcome ? [{ outcome, number }] : [])),
    /** How many the outcomes are of, if there were more. */
    newestOf:
      outcomes.reduce((sum, { number }) => sum + number, 0) < maxEmailsCounted ? null : maxEmailsCounted,
    hasTooLate: tooLate.length > 0,
    /** Up to three times `maxEmailsCounted`. */
    waiting: waiting.flat().reduce((sum, { number }) => sum + number, 0),
    isLate: (await findLateEmails(db, now)) !== null,
  };
}

const maxSubjectLength = 60;
const maxNameLength = 160;
/** The facts that somebody has typed. */
const typedFacts: Record<string, number> = { Device: maxNameLength, Seller: maxNameLength, Reason: 1000 };

/** What users have typed, limited in length for an email. Our own sentences around it stay whole. */
function shortened(typed: string, maxLength: number): string {
  const characters = [...typed.trim()];
  if (characters.length <= maxLength) return typed;
  return `${characters.slice(0, maxLength - 1).join("")}…`;
}

/** The email of a notification. It holds no address and no phone number. */
export function notificationEmail({
  kind,
  subject,
  details,
  author,
  facts,
  path,
  origin,
  unsubscribeLink,
}: {
  kind: NotificationKind;
  subject: string;
  details: NotificationDetails | null;
  author: string | null;
  facts?: EmailFacts;
  path: string;
  origin: string;
  unsubscribeLink: string;
}): EmailContent & { headers: Record<string, string> } {
  const by = author && shortened(author, maxSubjectLength);
  const sentenceAbout = (about: string) => notificationText(kind, about, by);
  const about = subjectText(shortened(subject, maxNameLength), details);
  const name = shortened(subject, maxSubjectLength);
  // What has happened is in the email.
  const isShort = kind.startsWith("problem ") && about.length > maxSubjectLength;
  const title = sentenceAbout(isShort ? name : subjectText(name, details));
  const texts = notificationTexts[kind];
  const { next, linkLabel } = (path.endsWith("/problem") && texts.inProblem) || texts;
  const content = renderEmail({
    ...(kind === "from us"
      ? { subject: `A message from ${brand.name}`, message: subject }
      : { subject: title.replace(/\.$/, ""), message: sentenceAbout(about) }),
    facts: facts?.map(([term, value]) => [
      term,
      singleLine(shortened(value, typedFacts[term] ?? Number.POSITIVE_INFINITY)),
    ]),
    linkLabel,
    link: new URL(path, origin).href,
    notes: isLastOffer(details) ? [lastOfferText, bookAnywayText] : next === null ? [] : [next],
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
