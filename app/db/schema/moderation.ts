import { sql } from "drizzle-orm";
import { index, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import {
  contentReportReasons,
  decisionKinds,
  emailOutcomes,
  type SignalKind,
  targetKinds,
  ticketStates,
} from "../enums.ts";
import { createdAt, id, removalId, timestamp } from "./columns.ts";

export const tickets = sqliteTable(
  "reports",
  {
    id: id(),
    name: text("name").notNull(),
    email: text("email").notNull(),
    details: text("details").notNull(),
    createdAt: createdAt(),
    state: text("state", { enum: ticketStates }).notNull().default("open"),
    /** Null unless it is closed. */
    closedAt: timestamp("closed_at"),
    /** Idempotency key of the form that created it. */
    formKey: text("form_key").unique(),
    removalId: removalId(),
  },
  (table) => [
    index("reports_open").on(table.createdAt, table.id).where(sql`${table.state} = 'open'`),
    index("reports_email").on(sql`lower(${table.email})`, table.id),
    index("reports_removal").on(table.removalId).where(sql`${table.removalId} is not null`),
    // For the job that erases them.
    index("reports_closed").on(table.closedAt).where(sql`${table.closedAt} is not null`),
  ],
);

/** Answers to reports, and what their senders wrote back. */
export const ticketMessages = sqliteTable(
  "report_messages",
  {
    id: id(),
    ticketId: text("report_id")
      .notNull()
      .references(() => tickets.id, { onDelete: "cascade" }),
    /** Null for the sender of the report. */
    authorId: text("author_id"),
    text: text("text").notNull(),
    createdAt: createdAt(),
    /** When it was decided what becomes of the email of an answer; null while it is due, and for what the sender wrote. */
    emailDoneAt: timestamp("email_done_at"),
    emailOutcome: text("email_outcome", { enum: emailOutcomes }),
    /** Idempotency key of the form that created it. */
    formKey: text("form_key").unique(),
  },
  (table) => [
    index("report_messages_report").on(table.ticketId, table.id),
    index("report_messages_due")
      .on(table.createdAt)
      .where(sql`${table.authorId} is not null and ${table.emailDoneAt} is null`),
  ],
);

/** Reports of content and people to moderators. */
export const contentReports = sqliteTable(
  "content_reports",
  {
    id: id(),
    targetKind: text("kind", { enum: targetKinds }).notNull(),
    /** A listing, a review, a message or, for a seller, an account. */
    targetId: text("target_id").notNull(),
    /** The account that is responsible for the target. */
    ownerId: text("owner_id").notNull(),
    reporterId: text("reporter_id").notNull(),
    reason: text("reason", { enum: contentReportReasons }).notNull(),
    details: text("details").notNull(),
    createdAt: createdAt(),
    /** Null while the report is open. */
    decisionId: text("decision_id"),
  },
  (table) => [
    uniqueIndex("content_reports_one_open")
      .on(table.targetKind, table.targetId, table.reporterId)
      .where(sql`${table.decisionId} is null`),
    index("content_reports_target").on(table.targetKind, table.targetId, table.id),
    index("content_reports_owner").on(table.ownerId, table.id),
    index("content_reports_reporter").on(table.reporterId, table.id),
    index("content_reports_decision").on(table.decisionId).where(sql`${table.decisionId} is not null`),
  ],
);

/**
 * Decisions of moderators. One that hides listings is the `hidden_by_id` of these; each has a row of the same id in
 * `removals`, to undo it.
 */
export const decisions = sqliteTable(
  "decisions",
  {
    id: id(),
    kind: text("kind", { enum: decisionKinds }).notNull(),
    targetKind: text("target_kind", { enum: targetKinds }).notNull(),
    targetId: text("target_id").notNull(),
    /** The name of the device or person then. */
    target: text("target").notNull(),
    ownerId: text("owner_id").notNull(),
    /** Null for a listing that was held automatically. */
    actorId: text("actor_id"),
    /** What the owner is notified of. */
    reason: text("reason").notNull(),
    /** The end of a suspension; null if it is for good. */
    until: timestamp("until"),
    createdAt: createdAt(),
    /** When it was undone, reversed or over; null while it is in force. */
    endedAt: timestamp("ended_at"),
    /** The decision that this one approves, upholds, reverses or replaces. */
    previousId: text("previous_id"),
    /** Idempotency key of the form that created it. */
    formKey: text("form_key").unique(),
    /** The owner's appeal, of which there is at most one. */
    appeal: text("appeal"),
    appealedAt: timestamp("appealed_at"),
  },
  (table) => [
    index("decisions_owner").on(table.ownerId, table.id),
    index("decisions_target").on(table.targetKind, table.targetId, table.id),
    index("decisions_previous").on(table.previousId).where(sql`${table.previousId} is not null`),
    index("decisions_held").on(table.id).where(sql`${table.kind} = 'hold' and ${table.endedAt} is null`),
    index("decisions_suspended")
      .on(table.until)
      .where(sql`${table.kind} = 'suspend' and ${table.endedAt} is null`),
    // Of listings that are off sale and kept, for the search over all records.
    index("decisions_hiding")
      .on(table.id)
      .where(sql`${table.kind} in ('hide', 'hold', 'suspend') and ${table.endedAt} is null`),
    index("decisions_appealed").on(table.appealedAt).where(sql`${table.appealedAt} is not null`),
  ],
);

/** The signals of a listing or an account ("seller") that a job has found, for the moderators' list. */
export const signals = sqliteTable(
  "signals",
  {
    id: id(),
    targetKind: text("kind", { enum: targetKinds }).notNull(),
    targetId: text("target_id").notNull(),
    /** The account that is responsible for the target. */
    ownerId: text("owner_id").notNull(),
    found: text("found", { mode: "json" }).$type<{ kind: SignalKind; figure: number }[]>().notNull(),
    /** When the newest kind of signal was found. */
    createdAt: createdAt(),
    /** Null until a moderator has decided about the target. */
    decisionId: text("decision_id"),
  },
  (table) => [
    uniqueIndex("signals_target").on(table.targetKind, table.targetId),
    index("signals_owner").on(table.ownerId),
    index("signals_open").on(table.id).where(sql`${table.decisionId} is null`),
  ],
);
