import { and, asc, desc, eq, isNotNull, isNull, lte, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { brand } from "#app/brand.ts";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import { type Cursor, keysetPage } from "#app/db/cursor.ts";
import { keyset } from "#app/db/keyset.server.ts";
import {
  conversations,
  messages,
  orderProblemSteps,
  orderProblems,
  orderSteps,
  orders,
  phones,
  users,
} from "#app/db/schema.ts";
import type { OrderStage, ReviewRole } from "#app/db/values.ts";
import { problemDays } from "#app/market.ts";
import { dayMs } from "#app/time.ts";
import { formerMember, system, type Viewer } from "../accounts/viewer.ts";
import { allowedAnswers, problemChoices, problemScope } from "./order-problem.rules.ts";
import { problemTime, wasWithModerators } from "./order-problems.server.ts";

const maxSteps = 200;
const maxMessages = 100;

/** An order with its newest problem and the problem's history, as one of its sides sees it. */
export type OrderProblem = NonNullable<Awaited<ReturnType<typeof findOrderProblem>>>;

/** Finds the newest problem of an order, for its buyer or seller; null for others. */
export async function findOrderProblem(db: Db, viewer: Viewer, orderId: string, now = new Date()) {
  const isSide = or(eq(orders.buyerId, viewer.id), eq(phones.sellerId, viewer.id));
  const newest = db
    .select({ id: sql`max(${orderProblems.id})` })
    .from(orderProblems)
    .where(eq(orderProblems.orderId, orderId));
  const returned = and(eq(orderProblems.orderId, orders.id), eq(orderProblems.id, phones.removalId));
  const [[order], [problem], steps] = await db.batch([
    db
      .select({
        id: orders.id,
        productName: orders.productName,
        status: orders.status,
        stage: orders.stage,
        buyerId: orders.buyerId,
        since: problemTime(db).as("since"),
        isHidden: sql`${hasRow(db, orderProblems, returned)}`.mapWith(Boolean).as("is_hidden"),
        /** A seller who has left keeps sold devices only. */
        hasListing: sql`${phones.id} is not null`.mapWith(Boolean).as("has_listing"),
      })
      .from(orders)
      .leftJoin(phones, eq(phones.id, orders.phoneId))
      .where(and(eq(orders.id, orderId), isSide)),
    db
      .select()
      .from(orderProblems)
      .where(eq(orderProblems.id, sql`(${newest})`)),
    selectSteps(db, eq(orderProblemSteps.problemId, sql`(${newest})`)),
  ]);
  if (!order) return null;
  const { buyerId, since, isHidden, hasListing, ...shown } = order;
  const role: ReviewRole = buyerId === viewer.id ? "buyer" : "seller";
  const isOpen = problem !== undefined && problem.endedAt === null;
  const days = order.status === "cancelled" ? problemDays.refund : problemDays.openable;
  const openUntil = since === null ? null : new Date(since + days * dayMs);
  const hasTime = openUntil === null || openUntil > now;
  return {
    order: shown,
    role,
    problem: problem
      ? {
          ...shownProblem(problem, order.stage, now),
          steps: namedSteps(steps, problem, viewer),
          answers: allowedAnswers(problem.state, problem.openedBy === role),
        }
      : null,
    canOpen: !isOpen && hasListing && hasTime && problemChoices(role, order).length > 0,
    /** An ISO time; null as long as the order goes on. */
    openUntil: openUntil?.toISOString() ?? null,
    /** Whether the seller can list the returned device again. */
    canListAgain: role === "seller" && isHidden,
  };
}

function shownProblem(
  { id, kind, state, openedBy, lastStepId, deadlineAt, createdAt, endedAt }: Problem,
  stage: OrderStage,
  now: Date,
) {
  return {
    id,
    kind,
    scope: problemScope(kind, stage),
    state,
    openedBy,
    lastStepId,
    /** ISO times. */
    deadline: deadlineAt?.toISOString() ?? null,
    isOverdue: deadlineAt !== null && deadlineAt < now,
    createdAt: createdAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
  };
}

type Problem = typeof orderProblems.$inferSelect;

function selectSteps(db: Db, condition: ReturnType<typeof and>) {
  return db
    .select({
      id: orderProblemSteps.id,
      kind: orderProblemSteps.kind,
      offer: orderProblemSteps.offer,
      text: orderProblemSteps.text,
      at: orderProblemSteps.createdAt,
      actorId: orderProblemSteps.actorId,
      actorName: users.name,
    })
    .from(orderProblemSteps)
    .leftJoin(users, and(eq(users.id, orderProblemSteps.actorId), isNull(users.removalId)))
    .where(condition)
    .orderBy(asc(orderProblemSteps.id))
    .limit(maxSteps);
}

/** Moderators stay anonymous to the two sides. */
function namedSteps(
  steps: Awaited<ReturnType<typeof selectSteps>>,
  { buyerId, sellerId }: Problem,
  viewer: Viewer,
) {
  return steps.map(({ actorId, actorName, at, ...step }) => {
    const isSide = actorId === buyerId || actorId === sellerId;
    const name = isSide ? (actorName ?? formerMember) : brand.name;
    return { ...step, at: at.toISOString(), by: actorId === viewer.id && isSide ? "you" : name };
  });
}

export type ProblemCase = NonNullable<Awaited<ReturnType<typeof findProblemCase>>>;

/** What moderators need to decide about a problem: both sides, the order's history and its messages; null if nobody asked them. */
export async function findProblemCase(db: Db, moderator: Viewer, problemId: string, now = new Date()) {
  const seller = alias(users, "seller");
  const [found] = await db
    .select({
      problem: orderProblems,
      order: {
        productName: orders.productName,
        priceCents: orders.priceCents,
        stage: orders.stage,
        status: orders.status,
        phoneId: orders.phoneId,
      },
      buyerName: orders.buyerName,
      sellerName: seller.name,
    })
    .from(orderProblems)
    .innerJoin(orders, eq(orders.id, orderProblems.orderId))
    .leftJoin(seller, eq(seller.id, orderProblems.sellerId))
    .where(and(eq(orderProblems.id, problemId), wasWithModerators(db)));
  if (!found) return null;
  const { problem, order, buyerName, sellerName } = found;
  const [steps, history, said] = await db.batch([
    selectSteps(db, eq(orderProblemSteps.problemId, problemId)),
    db
      .select({
        id: orderSteps.id,
        kind: orderSteps.kind,
        at: orderSteps.createdAt,
        actorId: orderSteps.actorId,
      })
      .from(orderSteps)
      .where(eq(orderSteps.orderId, problem.orderId))
      .orderBy(asc(orderSteps.id))
      .limit(maxSteps),
    db
      .select({ id: messages.id, text: messages.text, at: messages.createdAt, senderId: messages.senderId })
      .from(messages)
      .innerJoin(conversations, eq(conversations.id, messages.conversationId))
      .where(
        and(
          eq(conversations.phoneId, order.phoneId),
          eq(conversations.buyerId, problem.buyerId),
          isNull(messages.hiddenById),
        ),
      )
      .orderBy(desc(messages.id))
      .limit(maxMessages),
  ]);
  const nameOf = (id: string) =>
    id === problem.buyerId
      ? `${buyerName} (buyer)`
      : id === problem.sellerId
        ? `${sellerName ?? formerMember} (seller)`
        : id === system.id
          ? brand.name
          : "An administrator";
  return {
    ...shownProblem(problem, order.stage, now),
    order,
    people: { buyer: buyerName, seller: sellerName ?? formerMember },
    steps: steps.map(({ actorId, actorName: _, at, ...step }) => ({
      ...step,
      at: at.toISOString(),
      by: step.kind === "decided" ? "A moderator" : nameOf(actorId),
    })),
    history: history.map(({ actorId, at, ...step }) => ({
      ...step,
      at: at.toISOString(),
      by: nameOf(actorId),
    })),
    messages: said
      .toReversed()
      .map(({ senderId, at, ...message }) => ({ ...message, at: at.toISOString(), by: nameOf(senderId) })),
    isOwn: [problem.buyerId, problem.sellerId].includes(moderator.id),
  };
}

const pageSize = 20;

/** Condition on `orderProblems`: a moderator has to decide. */
export const waitsForModerators = and(
  eq(orderProblems.state, "with moderators"),
  isNull(orderProblems.endedAt),
);

/** Condition on `orderProblems`: a moderator should have decided by now. */
export function isOverdueDecision(now = new Date()) {
  return and(waitsForModerators, lte(orderProblems.deadlineAt, now));
}

/** A page of the problems that wait for moderators, the oldest first. */
export async function listWaitingProblems(db: Db, cursor: Cursor, now = new Date()) {
  const { afterCursor, orderBy } = keyset(orderProblems.id, cursor, asc);
  const rows = await db
    .select({
      id: orderProblems.id,
      kind: orderProblems.kind,
      productName: orders.productName,
      deadline: orderProblems.deadlineAt,
      isOverdue: sql`${isOverdueDecision(now)}`.mapWith(Boolean).as("is_overdue"),
      buyerName: orders.buyerName,
      sellerName: users.name,
    })
    .from(orderProblems)
    .innerJoin(orders, eq(orders.id, orderProblems.orderId))
    .leftJoin(users, eq(users.id, orderProblems.sellerId))
    .where(and(waitsForModerators, isNotNull(orderProblems.deadlineAt), afterCursor))
    .orderBy(orderBy)
    .limit(pageSize + 1);
  return keysetPage(rows, cursor, pageSize, (row) => row.id);
}
