import { and, asc, count, desc, eq, gt, inArray, isNotNull, isNull, ne, not, or, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { v7 as timeOrderedId } from "uuid";
import { z } from "zod";
import { brand } from "#app/brand.ts";
import type { Db } from "#app/db/client.server.ts";
import { hasRow, isWithin } from "#app/db/conditions.server.ts";
import type { Cursor } from "#app/db/cursor.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import { allRows, keyset, numberedPage, type PageQuery } from "#app/db/keyset.server.ts";
import { recordsWith } from "#app/db/record-words.server.ts";
import { reportMessages, reports, users } from "#app/db/schema.ts";
import type { ReportState } from "#app/db/values.ts";
import { signedToken } from "#app/server/config/signed-links.server.ts";
import { dayRange } from "#app/server/forms/table-query.ts";
import type { DueEmail } from "#app/server/mail/due-email.ts";
import { type EmailContent, renderEmail } from "#app/server/mail/render-email.server.tsx";
import { dayMs } from "#app/time.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { addActivityOf } from "../audit/activity.server.ts";
import { addRemoval, markUndone, type Removal, type UndoHandler } from "../audit/removals.server.ts";
import type { NewReport } from "./report.schema.ts";
import type { ReportQuery } from "./report-table.rules.ts";

/** Stores a report and returns its id; the same report with the same form key is stored once, as are empty ones in a row. */
export async function createReport(
  db: Db,
  { name, email, details }: NewReport,
  formKey: string | null,
): Promise<string> {
  const id = timeOrderedId();
  const report = { name, email, details };
  if (!name && !email && !details) {
    const newest = db.select({ id: sql`max(${reports.id})` }).from(reports);
    const isSame = and(eq(reports.name, ""), eq(reports.email, ""), eq(reports.details, ""));
    const [open] = await db
      .select({ id: reports.id })
      .from(reports)
      .where(
        and(eq(reports.id, sql`(${newest})`), isSame, eq(reports.state, "open"), isNull(reports.removalId)),
      );
    if (open) return open.id;
  }
  const [created] = await db
    .insert(reports)
    .values({ id, ...report, formKey })
    .onConflictDoNothing({ target: reports.formKey })
    .returning({ id: reports.id });
  if (created || !formKey) return id;
  const same = and(eq(reports.name, name), eq(reports.email, email), eq(reports.details, details));
  const [first] = await db
    .select({ id: reports.id })
    .from(reports)
    .where(and(eq(reports.formKey, formKey), same));
  if (first) return first.id;
  // The first one was stored although its response was lost, and its text was changed since.
  await db.insert(reports).values({ id, ...report });
  return id;
}

const reportColumns = {
  id: reports.id,
  name: reports.name,
  email: reports.email,
  details: reports.details,
  state: reports.state,
};

/** A page of the reports, by default the newest first. */
export function listReports(db: Db, cursor: Cursor, query: ReportQuery = { filters: {} }) {
  return numberedPage(db, cursor, reportsMatching(db, query));
}

/** Fewer than of other tables, since their texts are long. */
const reportsAtOnce = 500;

/** All reports that match a table's query, in batches. */
export function exportReports(db: Db, query: ReportQuery) {
  return allRows(reportsMatching(db, query), reportsAtOnce);
}

function reportsMatching(db: Db, { filters: { q, state, from, to }, sort }: ReportQuery) {
  return {
    table: reports,
    where: and(
      isNull(reports.removalId),
      q
        ? or(
            inArray(reports.id, recordsWith(db, q)),
            inArray(
              reports.id,
              db
                .select({ id: reportMessages.reportId })
                .from(reportMessages)
                .where(inArray(reportMessages.id, recordsWith(db, q))),
            ),
          )
        : undefined,
      state && eq(reports.state, state),
      ...isWithin(reports.createdAt, dayRange({ from, to })),
    ),
    order: sort === "oldest" ? asc : desc,
    read: ({ where, orderBy, limit, sortValue }: PageQuery) =>
      db
        .select({ ...reportColumns, createdAt: reports.createdAt, sortValue })
        .from(reports)
        .where(where)
        .orderBy(...orderBy)
        .limit(limit),
  };
}

/** Messages that a page shows; a report can have so many. */
const maxMessages = 200;

export type ReportDetails = NonNullable<Awaited<ReturnType<typeof findReport>>>;

/** Finds a report with its messages, the oldest first; null if there is none, or if it has been deleted. */
export async function findReport(db: Db, id: string) {
  const [[found], messages] = await db.batch([
    db
      .select({ ...reportColumns, createdAt: reports.createdAt })
      .from(reports)
      .where(and(eq(reports.id, id), isNull(reports.removalId))),
    db
      .select({
        id: reportMessages.id,
        text: reportMessages.text,
        createdAt: reportMessages.createdAt,
        isAnswer: isNotNull(reportMessages.authorId).mapWith(Boolean).as("is_answer"),
        author: users.name,
      })
      .from(reportMessages)
      .leftJoin(users, and(eq(users.id, reportMessages.authorId), isNull(users.removalId)))
      .where(eq(reportMessages.reportId, id))
      .orderBy(asc(reportMessages.id))
      .limit(maxMessages),
  ]);
  return found ? { ...found, canBeAnswered: isAddress(found.email), messages } : null;
}

const isAddress = (email: string) => z.email().safeParse(email.trim()).success;

/** A report as its sender sees it by the link in an email: staff has no names. */
export async function findOwnReport(db: Db, id: string) {
  const found = await findReport(db, id);
  if (!found) return null;
  const { details, state, createdAt, messages } = found;
  return { details, state, createdAt, messages: messages.map((message) => ({ ...message, author: null })) };
}

/** Why an answer is not possible. */
export const answerRefusals = {
  "no address": "There’s no email address to reply to.",
  "too many": "This report has too many messages.",
};

/** Stores an answer, which is then due as an email; one with the same form key is stored once. */
export async function answerReport(
  db: Db,
  admin: Viewer,
  reportId: string,
  answer: { text: string; formKey: string | null },
): Promise<"done" | "not found" | keyof typeof answerRefusals> {
  const found = await findReport(db, reportId);
  if (!found?.canBeAnswered) return found ? "no address" : "not found";
  const refusal = await addMessage(db, { reportId, authorId: admin.id, ...answer }, [
    db.update(reports).set({ state: "answered", closedAt: null }).where(eq(reports.id, reportId)),
    addActivityOf(db, admin, "answered report", reports, reports.email, eq(reports.id, reportId)),
  ]);
  return refusal ?? "done";
}

/** Of one run; the next run continues. */
const maxDueAnswers = 50;

/** Sends the emails of answers that are due, for a day. @param send returns whether it sent the email, now or before */
export async function sendDueAnswers(
  db: Db,
  { origin, secrets, send }: { origin: string; secrets: string[]; send(email: DueEmail): Promise<boolean> },
): Promise<void> {
  const { id, reportId, text, authorId, emailDoneAt, createdAt } = reportMessages;
  const due = await db
    .select({ id, reportId, text, email: reports.email })
    .from(reportMessages)
    .innerJoin(reports, eq(reports.id, reportId))
    .where(
      and(
        isNotNull(authorId),
        isNull(emailDoneAt),
        gt(createdAt, new Date(Date.now() - dayMs)),
        isNull(reports.removalId),
      ),
    )
    .orderBy(desc(id))
    .limit(maxDueAnswers);
  await Promise.all(
    due.map(async (answer) => {
      const write = async () => {
        const token = await signedToken(secrets, "report", answer.reportId);
        const link = new URL(`/ticket?${new URLSearchParams({ token })}`, origin).href;
        return { to: answer.email.trim(), ...reportAnswerEmail(answer.text, link) };
      };
      if (!(await send({ id: `report answer ${answer.id}`, write }))) return;
      await db.update(reportMessages).set({ emailDoneAt: new Date() }).where(eq(id, answer.id));
    }),
  );
}

/** Stores what the sender of a report writes back, which opens it again. */
export async function replyToAnswer(
  db: Db,
  reportId: string,
  reply: { text: string; formKey: string | null },
): Promise<"not found" | "too many" | "done"> {
  const refusal = await addMessage(db, { reportId, authorId: null, ...reply }, [
    db.update(reports).set({ state: "open", closedAt: null }).where(eq(reports.id, reportId)),
  ]);
  return refusal ?? "done";
}

function addMessage(
  db: Db,
  message: typeof reportMessages.$inferInsert,
  more: BatchItem<"sqlite">[],
): Promise<"not found" | "too many" | "done" | null> {
  const { reportId, formKey } = message;
  const messages = db
    .select({ count: count() })
    .from(reportMessages)
    .where(eq(reportMessages.reportId, reportId));
  return batchUnless(
    db,
    {
      "not found": hasRow(db, reports, and(eq(reports.id, reportId), isNull(reports.removalId))),
      done: formKey ? not(hasRow(db, reportMessages, eq(reportMessages.formKey, formKey))) : undefined,
      "too many": sql`${messages} < ${maxMessages}`,
    },
    [db.insert(reportMessages).values(message), ...more],
  );
}

/** Closes a report, or opens it again; false if there is no such report. Succeeds again if it is in that state. */
export async function changeReportState(
  db: Db,
  admin: Viewer,
  reportId: string,
  state: "open" | "closed",
): Promise<boolean> {
  const report = and(eq(reports.id, reportId), isNull(reports.removalId));
  const changed = and(report, ne(reports.state, state));
  const action = state === "open" ? "reopened report" : "closed report";
  const refusal = await batchUnless(db, { refused: hasRow(db, reports, report) }, [
    addActivityOf(db, admin, action, reports, reports.email, changed),
    db
      .update(reports)
      .set({ state, closedAt: state === "closed" ? new Date() : null })
      .where(changed),
  ]);
  return !refusal;
}

export type ReportRow = Awaited<ReturnType<typeof selectReports>>[number];

/** Selects reports for the API, newest first. @param state undefined for all */
export function selectReports(db: Db, state: ReportState | undefined, cursor: Cursor, limit: number) {
  const { afterCursor, orderBy } = keyset(reports.id, cursor);
  return db
    .select(reportColumns)
    .from(reports)
    .where(and(isNull(reports.removalId), state && eq(reports.state, state), afterCursor))
    .orderBy(orderBy)
    .limit(limit);
}

/**
 * Removes a report. Returns the removal's id, to undo it; null if there is no such report.
 *
 * @param formKey idempotency key of a bulk action
 */
export async function removeReport(
  db: Db,
  admin: Viewer,
  reportId: string,
  formKey: string | null = null,
): Promise<string | null> {
  const removalId = timeOrderedId();
  const report = eq(reports.id, reportId);
  const refusal = await batchUnless(
    db,
    { refused: hasRow(db, reports, and(report, isNull(reports.removalId))) },
    [
      addRemoval(db, admin, "report", { id: removalId, targetId: reportId, formKey }),
      db.update(reports).set({ removalId }).where(report),
      addActivityOf(db, admin, "deleted report", reports, reports.email, report),
    ],
  );
  return refusal ? null : removalId;
}

export const reportUndo: UndoHandler = {
  undo: restoreReport,
  isUndone: async (db, id) =>
    (await db.$count(reports, and(eq(reports.id, id), isNull(reports.removalId)))) > 0,
  texts: {
    undone: "Report Restored",
    many: "reports restored",
    impossible: "We can’t restore this report.",
  },
};

async function restoreReport(db: Db, admin: Viewer, removal: Removal): Promise<boolean> {
  const report = eq(reports.id, removal.targetId);
  const isRemoved = hasRow(db, reports, and(report, eq(reports.removalId, removal.id)));
  const refusal = await batchUnless(db, { refused: isRemoved }, [
    db.update(reports).set({ removalId: null }).where(report),
    addActivityOf(db, admin, "undid deletion", reports, reports.email, report),
    markUndone(db, removal),
  ]);
  return !refusal;
}

/** The email of an answer to a problem report. It quotes nothing of the report: anyone can send one with another's address. */
function reportAnswerEmail(answer: string, link: string): EmailContent {
  return renderEmail({
    subject: `${brand.name} answered your report`,
    message: answer,
    linkLabel: "Read and reply",
    link,
    notes: [
      "Reply on that page: nobody reads replies to this email. Anyone with the link can read your report.",
      `Didn’t write to ${brand.name}? Ignore this email.`,
    ],
  });
}
