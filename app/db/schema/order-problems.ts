import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import {
  orderStages,
  problemDecisions,
  problemKinds,
  problemOffers,
  problemOpeners,
  problemStates,
  problemStepKinds,
} from "../enums.ts";
import { createdAt, id, timestamp } from "./columns.ts";

/** Problems of orders: those that a side has opened, and disputes of a buyer’s bank. */
export const orderProblems = sqliteTable(
  "order_problems",
  {
    id: id(),
    orderId: text("order_id").notNull(),
    buyerId: text("buyer_id").notNull(),
    sellerId: text("seller_id").notNull(),
    openedBy: text("opened_by", { enum: problemOpeners }).notNull(),
    kind: text("kind", { enum: problemKinds }).notNull(),
    state: text("state", { enum: problemStates }).notNull(),
    /** The newest step: who answers an older one is refused. */
    lastStepId: text("last_step_id").notNull(),
    /** The deadline of the next step; null once it has ended. */
    deadlineAt: timestamp("deadline_at"),
    /** When they are reminded; null after that. */
    reminderAt: timestamp("reminder_at"),
    createdAt: createdAt(),
    /** Null while it is open: the order is then on hold. */
    endedAt: timestamp("ended_at"),
  },
  (table) => [
    // Each side has one open problem at a time, as Ringback has.
    uniqueIndex("order_problems_one_open")
      .on(table.orderId, table.openedBy)
      .where(sql`${table.endedAt} is null`),
    index("order_problems_order").on(table.orderId, table.id),
    index("order_problems_buyer").on(table.buyerId, table.id),
    index("order_problems_seller").on(table.sellerId, table.id),
    index("order_problems_deadline").on(table.state, table.deadlineAt).where(sql`${table.endedAt} is null`),
    index("order_problems_reminder").on(table.reminderAt).where(sql`${table.reminderAt} is not null`),
  ],
);

export const orderProblemSteps = sqliteTable(
  "order_problem_steps",
  {
    id: id(),
    problemId: text("problem_id").notNull(),
    /** Empty for the system. */
    actorId: text("actor_id").notNull(),
    kind: text("kind", { enum: problemStepKinds }).notNull(),
    /** What was offered; null for other steps. */
    offer: text("offer", { enum: problemOffers }),
    /** How much of the price is paid back, if a part is offered; null if it is settled without Ringback. */
    amountCents: integer("amount_cents"),
    text: text("text").notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    index("order_problem_steps_problem").on(table.problemId, table.id),
    index("order_problem_steps_actor").on(table.actorId, table.id),
    // What moderators have decided, for their list of it.
    index("order_problem_steps_decided").on(table.id).where(sql`${table.kind} = 'decided'`),
  ],
);

/**
 * Decisions of moderators that can still be undone. Nothing of the problem has changed: a job carries them out, and deletes
 * the row.
 */
export const pendingDecisions = sqliteTable("pending_decisions", {
  problemId: text("problem_id").primaryKey(),
  /** Of the row in `removals`, whose Undo deletes this one. */
  id: text("id").notNull(),
  actorId: text("actor_id").notNull(),
  decision: text("decision", { enum: problemDecisions }).notNull(),
  amountCents: integer("amount_cents"),
  reason: text("reason").notNull(),
  /** The step that it answers, and the stage of the order then: if either has changed, it is dropped. */
  lastStepId: text("last_step_id").notNull(),
  stage: text("stage", { enum: orderStages }).notNull().default("handed over"),
  createdAt: createdAt(),
});
