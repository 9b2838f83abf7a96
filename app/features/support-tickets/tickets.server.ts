import { and, asc, count, desc, eq, inArray, isNotNull, isNull, lte, ne, not, or, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { v7 as timeOrderedId } from "uuid";
import { z } from "zod";
import { brand } from "#app/brand.ts";
import type { Db } from "#app/db/client.server.ts";
import { hasRow, isWithin, numberConditions } from "#app/db/conditions.server.ts";
import type { Cursor } from "#app/db/cursor.ts";
import type { EmailOutcome, TicketState } from "#app/db/enums.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import { allRows, keyset, numberedPage, type PageQuery } from "#app/db/keyset.server.ts";
import { recordsWithWords } from "#app/db/record-words.server.ts";
import { ticketMessages, tickets, users } from "#app/db/schema.ts";
import { signedToken } from "#app/server/config/signed-links.server.ts";
import { dayRange } from "#app/server/forms/table-query.ts";
import type { DueEmail } from "#app/server/mail/due-email.ts";
import { type EmailContent, renderEmail } from "#app/server/mail/render-email.server.tsx";
import { dayMs } from "#app/time.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { addActivityOf } from "../audit/activity.server.ts";
import {
  addRemoval,
  markUndone,
  type Removal,
  type RemovalOutcome,
  type UndoHandler,
} from "../audit/removals.server.ts";
import type { NewTicket } from "./ticket.schema.ts";
import { type TicketQuery, ticketNumber } from "./ticket-table.rules.ts";

/** Stores a ticket and returns its id; the same ticket with the same form key is stored once, as are empty ones in a row. */
export async function createTicket(
  db: Db,
  { name, email, details }: NewTicket,
  formKey: string | null,
): Promise<string> {
  const id = timeOrderedId();
  const ticket = { name, email, details };
  if (!name && !email && !details) {
    const newest = db.select({ id: sql`max(${tickets.id})` }).from(tickets);
    const isSame = and(eq(tickets.name, ""), eq(tickets.email, ""), eq(tickets.details, ""));
    const [open] = await db
      .select({ id: tickets.id })
      .from(tickets)
      .where(
        and(eq(tickets.id, sql`(${newest})`), isSame, eq(tickets.state, "open"), isNull(tickets.removalId)),
      );
    if (open) return open.id;
  }
  const [created] = await db
    .insert(tickets)
    .values({ id, ...ticket, formKey })
    .onConflictDoNothing({ target: tickets.formKey })
    .returning({ id: tickets.id });
  if (created || !formKey) return id;
  const same = and(eq(tickets.name, name), eq(tickets.email, email), eq(tickets.details, details));
  const [first] = await db
    .select({ id: tickets.id })
    .from(tickets)
    .where(and(eq(tickets.formKey, formKey), same));
  if (first) return first.id;
  // The first one was stored although its response was lost, and its text was changed since.
  await db.insert(tickets).values({ id, ...ticket });
  return id;
}

const ticketColumns = {
  id: tickets.id,
  name: tickets.name,
  email: tickets.email,
  details: tickets.details,
  state: tickets.state,
};

/** A page of the tickets, by default the newest first. */
export function listTickets(db: Db, cursor: Cursor, query: TicketQuery = { filters: {} }) {
  return numberedPage(db, cursor, ticketsMatching(db, query));
}

/** Fewer than of other tables, since their texts are long. */
const ticketsAtOnce = 500;

/** All tickets that match a table's query, in batches. */
export function exportTickets(db: Db, query: TicketQuery) {
  return allRows(ticketsMatching(db, query), ticketsAtOnce);
}

function ticketsMatching(db: Db, { filters: { q, state, from, to }, sort }: TicketQuery) {
  return {
    table: tickets,
    where: and(
      isNull(tickets.removalId),
      q
        ? or(
            ...numberConditions(tickets.id, q),
            inArray(tickets.id, recordsWithWords(db, q)),
            inArray(
              tickets.id,
              db
                .select({ id: ticketMessages.ticketId })
                .from(ticketMessages)
                .where(inArray(ticketMessages.id, recordsWithWords(db, q))),
            ),
          )
        : undefined,
      state && eq(tickets.state, state),
      ...isWithin(tickets.createdAt, dayRange({ from, to })),
    ),
    order: sort === "oldest" ? asc : desc,
    read: ({ where, orderBy, limit, sortValue }: PageQuery) =>
      db
        .select({ ...ticketColumns, createdAt: tickets.createdAt, sortValue })
        .from(tickets)
        .where(where)
        .orderBy(...orderBy)
        .limit(limit),
  };
}

/** Messages that a page shows; a ticket can have so many. */
const maxMessages = 200;

export type TicketDetails = NonNullable<Awaited<ReturnType<typeof findTicket>>>;

/** Finds a ticket with its messages, the oldest first; null if there is none, or if it has been deleted. */
export async function findTicket(db: Db, id: string) {
  const [[found], messages] = await db.batch([
    db
      .select({ ...ticketColumns, createdAt: tickets.createdAt })
      .from(tickets)
      .where(and(eq(tickets.id, id), isNull(tickets.removalId))),
    db
      .select({
        id: ticketMessages.id,
        text: ticketMessages.text,
        createdAt: ticketMessages.createdAt,
        isAnswer: isNotNull(ticketMessages.authorId).mapWith(Boolean).as("is_answer"),
        author: users.name,
        isDue: sql`(${isDueAnswer(db)})`.mapWith(Boolean).as("is_due"),
        outcome: ticketMessages.emailOutcome,
      })
      .from(ticketMessages)
      .leftJoin(users, and(eq(users.id, ticketMessages.authorId), isNull(users.removalId)))
      .where(eq(ticketMessages.ticketId, id))
      .orderBy(asc(ticketMessages.id))
      .limit(maxMessages),
  ]);
  return found ? { ...found, canBeAnswered: isAddress(found.email), messages } : null;
}

/** Condition on `ticketMessages`: an answer of which the email is due. */
export const isDueAnswer = (db: Db) =>
  and(
    isNotNull(ticketMessages.authorId),
    isNull(ticketMessages.emailDoneAt),
    hasRow(db, tickets, and(eq(tickets.id, ticketMessages.ticketId), isNull(tickets.removalId))),
  );

const isAddress = (email: string) => z.email().safeParse(email.trim()).success;

/** A ticket as its sender sees it by the link in an email: staff has no names. */
export async function findOwnTicket(db: Db, id: string) {
  const found = await findTicket(db, id);
  if (!found) return null;
  const { details, state, createdAt, messages } = found;
  return {
    number: ticketNumber(id),
    details,
    state,
    createdAt,
    messages: messages.map((message) => ({ ...message, author: null, isDue: false, outcome: null })),
  };
}

/** Why an answer is not possible. */
export const answerRefusals = {
  "no address": "There’s no email address to reply to.",
  "too many": "This report has too many messages.",
};

/** Stores an answer, which is then due as an email; one with the same form key is stored once. */
export async function answerTicket(
  db: Db,
  admin: Viewer,
  ticketId: string,
  answer: { text: string; formKey: string | null },
): Promise<"done" | "not found" | keyof typeof answerRefusals> {
  const found = await findTicket(db, ticketId);
  if (!found?.canBeAnswered) return found ? "no address" : "not found";
  const refusal = await addMessage(db, { ticketId, authorId: admin.id, ...answer }, [
    db.update(tickets).set({ state: "answered", closedAt: null }).where(eq(tickets.id, ticketId)),
    addActivityOf(db, admin, "answered report", tickets, tickets.email, eq(tickets.id, ticketId)),
  ]);
  return refusal ?? "done";
}

/** Of one run; the next run continues. */
const maxDueAnswers = 50;

/** Sends the emails of answers that are due, for a day; each keeps what became of it. @param send returns whether it sent the email, now or before */
export async function sendDueTicketAnswers(
  db: Db,
  { origin, secrets, send }: { origin: string; secrets: string[]; send(email: DueEmail): Promise<boolean> },
): Promise<void> {
  const { id, ticketId, text, authorId, emailDoneAt, createdAt } = ticketMessages;
  const dayAgo = new Date(Date.now() - dayMs);
  const due = await db
    .select({ id, ticketId, text, createdAt, email: tickets.email, removalId: tickets.removalId })
    .from(ticketMessages)
    .innerJoin(tickets, eq(tickets.id, ticketId))
    .where(
      and(isNotNull(authorId), isNull(emailDoneAt), or(isNull(tickets.removalId), lte(createdAt, dayAgo))),
    )
    .orderBy(desc(id))
    .limit(maxDueAnswers);
  await Promise.all(
    due.map(async (answer) => {
      const write = async () => {
        const token = await signedToken(secrets, "report", answer.ticketId);
        const link = new URL(`/ticket?${new URLSearchParams({ token })}`, origin).href;
        return { to: answer.email.trim(), ...ticketAnswerEmail(answer, link) };
      };
      const isTooLate = answer.createdAt <= dayAgo;
      if (!isTooLate && !(await send({ id: `report answer ${answer.id}`, write }))) return;
      const emailOutcome: EmailOutcome = answer.removalId ? "undone" : isTooLate ? "too late" : "sent";
      await db
        .update(ticketMessages)
        .set({ emailDoneAt: new Date(), emailOutcome })
        .where(and(eq(id, answer.id), isNull(emailDoneAt)));
    }),
  );
}

/** Stores what the sender of a ticket writes back, which opens it again. */
export async function replyToAnswer(
  db: Db,
  ticketId: string,
  reply: { text: string; formKey: string | null },
): Promise<"not found" | "too many" | "done"> {
  const refusal = await addMessage(db, { ticketId, authorId: null, ...reply }, [
    db.update(tickets).set({ state: "open", closedAt: null }).where(eq(tickets.id, ticketId)),
  ]);
  return refusal ?? "done";
}

function addMessage(
  db: Db,
  message: typeof ticketMessages.$inferInsert,
  more: BatchItem<"sqlite">[],
): Promise<"not found" | "too many" | "done" | null> {
  const { ticketId, formKey } = message;
  const messages = db
    .select({ count: count() })
    .from(ticketMessages)
    .where(eq(ticketMessages.ticketId, ticketId));
  return batchUnless(
    db,
    {
      "not found": hasRow(db, tickets, and(eq(tickets.id, ticketId), isNull(tickets.removalId))),
      done: formKey ? not(hasRow(db, ticketMessages, eq(ticketMessages.formKey, formKey))) : undefined,
      "too many": sql`${messages} < ${maxMessages}`,
    },
    [db.insert(ticketMessages).values(message), ...more],
  );
}

/** Closes a ticket, or opens it again; false if there is no such ticket. Succeeds again if it is in that state. */
export async function changeTicketState(
  db: Db,
  admin: Viewer,
  ticketId: string,
  state: "open" | "closed",
): Promise<boolean> {
  const ticket = and(eq(tickets.id, ticketId), isNull(tickets.removalId));
  const changed = and(ticket, ne(tickets.state, state));
  const action = state === "open" ? "reopened report" : "closed report";
  const refusal = await batchUnless(db, { refused: hasRow(db, tickets, ticket) }, [
    addActivityOf(db, admin, action, tickets, tickets.email, changed),
    db
      .update(tickets)
      .set({ state, closedAt: state === "closed" ? new Date() : null })
      .where(changed),
  ]);
  return !refusal;
}

export type TicketRow = Awaited<ReturnType<typeof selectTickets>>[number];

/** Selects tickets for the API, newest first. @param state undefined for all */
export function selectTickets(db: Db, state: TicketState | undefined, cursor: Cursor, limit: number) {
  const { afterCursor, orderBy } = keyset(tickets.id, cursor);
  return db
    .select(ticketColumns)
    .from(tickets)
    .where(and(isNull(tickets.removalId), state && eq(tickets.state, state), afterCursor))
    .orderBy(orderBy)
    .limit(limit);
}

/**
 * Removes a ticket, which can be undone.
 *
 * @param formKey idempotency key of a bulk action
 */
export async function removeTicket(
  db: Db,
  admin: Viewer,
  ticketId: string,
  formKey: string | null = null,
): Promise<RemovalOutcome<"not found">> {
  const removalId = timeOrderedId();
  const ticket = eq(tickets.id, ticketId);
  const refusal = await batchUnless(
    db,
    { "not found": hasRow(db, tickets, and(ticket, isNull(tickets.removalId))) },
    [
      addRemoval(db, admin, "report", { id: removalId, targetId: ticketId, formKey }),
      db.update(tickets).set({ removalId }).where(ticket),
      addActivityOf(db, admin, "deleted report", tickets, tickets.email, ticket, removalId),
    ],
  );
  return refusal ? { refusal } : { removalId };
}

export const ticketUndo: UndoHandler = {
  undo: restoreTicket,
  isUndone: async (db, id) =>
    (await db.$count(tickets, and(eq(tickets.id, id), isNull(tickets.removalId)))) > 0,
  texts: {
    undone: "Report Restored",
    many: "reports restored",
    impossible: "We can’t restore this report.",
  },
};

function restoreTicket(db: Db, admin: Viewer, removal: Removal) {
  const ticket = eq(tickets.id, removal.targetId);
  const isRemoved = hasRow(db, tickets, and(ticket, eq(tickets.removalId, removal.id)));
  return batchUnless(db, { refused: isRemoved }, [
    db.update(tickets).set({ removalId: null }).where(ticket),
    addActivityOf(db, admin, "undid deletion", tickets, tickets.email, ticket),
    markUndone(db, removal),
  ]);
}

/** The email of an answer to a support ticket. It quotes nothing of the ticket: anyone can send one with another's address. */
function ticketAnswerEmail(
  { ticketId, text }: { ticketId: string; text: string },
  link: string,
): EmailContent {
  return renderEmail({
    subject: `${brand.name} answered your report`,
    message: text,
    facts: [["Report number", ticketNumber(ticketId)]],
    linkLabel: "Read and reply",
    link,
    notes: [
      "Reply on that page: nobody reads replies to this email. Anyone with the link can read your report.",
      `Didn’t write to ${brand.name}? Ignore this email.`,
    ],
  });
}
