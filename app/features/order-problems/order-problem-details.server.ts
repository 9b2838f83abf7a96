import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { brand } from "#app/brand.ts";
import type { Db } from "#app/db/client.server.ts";
import { type Cursor, keysetPage } from "#app/db/cursor.ts";
import { type OrderStage, type ProblemOffer, type ProblemOpener, problemOpeners } from "#app/db/enums.ts";
import { keyset } from "#app/db/keyset.server.ts";
import {
  activity,
  conversations,
  messages,
  orderProblemSteps,
  orderProblems,
  orderSteps,
  orders,
  photos,
  users,
} from "#app/db/schema.ts";
import { may } from "../accounts/permissions.ts";
import { formerMember, system, type Viewer } from "../accounts/viewer.ts";
import { type ProblemEnd, parcelOf } from "../orders/order.rules.ts";
import { orderStateColumns, parcelColumns } from "../orders/order-steps.server.ts";
import { isProtected, paidColumns, refundableCents } from "../payments/protected-orders.server.ts";
import { problemsOpenedBy, selectProblemOrder, selectProblems } from "./open-problem.server.ts";
import {
  allowedAnswers,
  isAfterEnd,
  isDecidedByBank,
  isReturnByRight,
  type MoneyOfOrder,
  moneySplitOf,
  problemChoices,
  problemScope,
  refusalOfAllKinds,
} from "./order-problem.rules.ts";
import {
  isOfOthers,
  isOverdueDecision,
  waitsForModerators,
  wasWithModerators,
} from "./order-problems.server.ts";
import { findPendingDecision } from "./pending-decisions.server.ts";
import { selectProblemPhotos } from "./problem-photos.server.ts";

const maxSteps = 200;
const maxMessages = 100;

/** An order with the problems of both sides and their histories, as one of its sides sees them. */
export type OrderProblem = NonNullable<Awaited<ReturnType<typeof findOrderProblem>>>;

/** Finds the latest problem of each side of an order, and of Ringback, for its buyer or seller; null for others. */
export async function findOrderProblem(db: Db, viewer: Viewer, orderId: string, now = new Date()) {
  const latestOf = (opener: ProblemOpener) =>
    db
      .select({ id: sql<string>`max(${orderProblems.id})` })
      .from(orderProblems)
      .where(and(eq(orderProblems.orderId, orderId), eq(orderProblems.openedBy, opener)));
  const isLatest = (id: typeof orderProblemSteps.problemId | typeof photos.problemId) =>
    sql`${id} in (${sql.join(
      problemOpeners.map((opener) => sql`(${latestOf(opener)})`),
      sql`, `,
    )})`;
  const [[order], problems, steps, pictures] = await db.batch([
    selectProblemOrder(db, viewer, orderId, now),
    selectProblems(db, orderId),
    selectSteps(db, isLatest(orderProblemSteps.problemId)),
    selectProblemPhotos(db, isLatest(photos.problemId)),
  ]);
  if (!order) return null;
  const {
    id,
    productName,
    status,
    stage,
    role,
    reportUntil,
    returnedPhoneId,
    hasListing,
    isOtherGone,
    isOpenToMessages,
    block,
    refundable,
  } = order;
  const latest = problems.filter(
    ({ id, openedBy }) => !problems.some((other) => other.openedBy === openedBy && other.id > id),
  );
  const hasOpenOwn = latest.some(({ openedBy, endedAt }) => openedBy === role && !endedAt);
  const canReport = !hasOpenOwn && hasListing;
  const reportable = { ...order, earlier: problemsOpenedBy(problems, role) };
  const choices = canReport ? problemChoices(role, reportable, now) : [];
  return {
    order: { id, productName, status, stage },
    role,
    isOtherGone,
    /** The latest of each side, the open ones first, then the one that ended last. */
    problems: latest.map((problem) => {
      const ownSteps = steps.filter(({ problemId }) => problemId === problem.id).toReversed();
      return {
        ...shownProblem(problem, order, now),
        isOtherGone,
        steps: namedSteps(ownSteps, problem, viewer),
        photos: pictures.filter(({ problemId }) => problemId === problem.id),
        settlement: settlementOf(problem, ownSteps),
        end: problemEndOf(problem, ownSteps, order.stage),
        answers: allowedAnswers(problem, problem.openedBy === role, isOtherGone),
      };
    }),
    /** How much of it can be paid back if it goes on, in cents; null if it is not protected. */
    refundable,
    /** Whether the buyer’s bank disputes the payment, so that what is agreed on goes back once it has decided. */
    isDisputed: order.returnedInDispute !== null,
    /** Whether the viewer can write to the other side, unless one has blocked the other. */
    isOpenToMessages: isOpenToMessages && !isOtherGone,
    block,
    /** What the viewer can report now. */
    choices,
    /** Why that is nothing; null while the viewer has a problem open. */
    refusal: hasOpenOwn || choices.length > 0 ? null : refusalOfAllKinds(role, reportable, now),
    /** An ISO time; null as long as the order goes on. */
    reportUntil: reportUntil === null ? null : new Date(reportUntil).toISOString(),
    /** The listing that the seller can list again. */
    returnedPhoneId: role === "seller" ? returnedPhoneId : null,
  };
}

function shownProblem(
  { id, kind, state, openedBy, lastKind, lastStepId, deadlineAt, createdAt, endedAt }: Problem,
  { stage, parcel, ...money }: { stage: OrderStage; parcel: Parameters<typeof parcelOf>[0] } & MoneyOfOrder,
  now: Date,
) {
  return {
    id,
    kind,
    scope: problemScope(kind, stage),
    parcel: parcelOf(parcel),
    /** How the money was split; null as long as that is open, and without protected payment. */
    split: moneySplitOf({ kind, state, lastKind }, stage, money),
    state,
    openedBy,
    /** Whether it ended because the other side's problem ended the order. */
    hasEndedWithOrder: lastKind === "ended",
    lastStepId,
    /** ISO times. */
    deadline: deadlineAt?.toISOString() ?? null,
    isOverdue: deadlineAt !== null && deadlineAt < now,
    createdAt: createdAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
  };
}

type Problem = Awaited<ReturnType<typeof selectProblems>>[number];

/** What a problem ended with, if both sides agreed or moderators decided for who opened it. */
function settlementOf(
  { kind, state }: Pick<Problem, "kind" | "state">,
  steps: { kind: string; offer: ProblemOffer | null; amountCents: number | null; text: string }[],
) {
  const last = steps.at(-1);
  if (isDecidedByBank(kind)) return null;
  if (state !== "solved" && state !== "returned") return null;
  if (last?.kind === "decided") return { offer: null, amountCents: last.amountCents, text: last.text };
  if (last?.kind === "accepted" && isReturnByRight(kind))
    return { offer: "return" as const, amountCents: null, text: "" };
  const accepted = last?.kind === "accepted" ? steps.findLast(({ kind }) => kind === "offered") : undefined;
  if (!accepted) return null;
  const { offer, amountCents, text } = accepted;
  return { offer, amountCents, text };
}

/** How a problem ended, as texts about its order need it. */
function problemEndOf(
  problem: Problem,
  steps: Parameters<typeof settlementOf>[1],
  stage: OrderStage,
): ProblemEnd | null {
  // That of an ended order changes nothing of it.
  if (isAfterEnd(problemScope(problem.kind, stage))) return null;
  if (problem.state === "refused") return problem.openedBy === "buyer" ? "refused" : null;
  const settlement = settlementOf(problem, steps);
  return settlement && (settlement.offer ? "agreed" : "decided");
}

/** Selects the steps of problems, the newest first, since both sides can write many. */
function selectSteps(db: Db, condition: ReturnType<typeof and>) {
  return db
    .select({
      id: orderProblemSteps.id,
      problemId: orderProblemSteps.problemId,
      kind: orderProblemSteps.kind,
      offer: orderProblemSteps.offer,
      amountCents: orderProblemSteps.amountCents,
      text: orderProblemSteps.text,
      at: orderProblemSteps.createdAt,
      actorId: orderProblemSteps.actorId,
      actorName: users.name,
    })
    .from(orderProblemSteps)
    .leftJoin(users, and(eq(users.id, orderProblemSteps.actorId), isNull(users.removalId)))
    .where(condition)
    .orderBy(desc(orderProblemSteps.id))
    .limit(maxSteps);
}

/** Moderators stay anonymous to the two sides. */
function namedSteps(
  steps: Awaited<ReturnType<typeof selectSteps>>,
  { buyerId, sellerId }: Problem,
  viewer: Viewer,
) {
  return steps.map(({ problemId: _, actorId, actorName, at, ...step }) => {
    const isSide = actorId === buyerId || actorId === sellerId;
    const name = isSide ? (actorName ?? formerMember) : brand.name;
    return { ...step, at: at.toISOString(), by: actorId === viewer.id && isSide ? "you" : name };
  });
}

export type ProblemCase = NonNullable<Awaited<ReturnType<typeof findProblemCase>>>;

/** What moderators need to decide about a problem: both sides, all problems of the order, its history and its messages; null if nobody asked them, or they are a side of it. */
export async function findProblemCase(db: Db, moderator: Viewer, problemId: string) {
  const now = new Date();
  const seller = alias(users, "seller");
  const [found] = await db
    .select({
      problem: orderProblems,
      order: {
        id: orders.id,
        productName: orders.productName,
        ram: orders.ram,
        rom: orders.rom,
        priceCents: orders.priceCents,
        ...orderStateColumns(db),
        phoneId: orders.phoneId,
        createdAt: orders.createdAt,
        isProtected: isProtected(db).mapWith(Boolean).as("is_protected"),
      },
      parcel: parcelColumns,
      buyerName: orders.buyerName,
      sellerName: seller.name,
      refundable: refundableCents.as("refundable_cents"),
      ...paidColumns,
    })
    .from(orderProblems)
    .innerJoin(orders, eq(orders.id, orderProblems.orderId))
    .leftJoin(seller, and(eq(seller.id, orderProblems.sellerId), isNull(seller.removalId)))
    .where(and(eq(orderProblems.id, problemId), wasWithModerators(db), isOfOthers(moderator)));
  if (!found) return null;
  const { problem, order, buyerName, sellerName, refundable } = found;
  const ofAll = { ...found, stage: order.stage };
  const ofOrder = db
    .select({ id: orderProblems.id })
    .from(orderProblems)
    .where(eq(orderProblems.orderId, problem.orderId));
  const [problems, steps, pictures, history, said] = await db.batch([
    selectProblems(db, problem.orderId),
    selectSteps(db, inArray(orderProblemSteps.problemId, ofOrder)),
    selectProblemPhotos(db, inArray(photos.problemId, ofOrder)),
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
  const shown = problems.find(({ id }) => id === problemId);
  if (!shown) return null;
  const nameOf = (id: string) =>
    id === problem.buyerId
      ? `${buyerName} (buyer)`
      : id === problem.sellerId
        ? `${sellerName ?? formerMember} (seller)`
        : id === system.id
          ? brand.name
          : "An administrator";
  const stepsOf = (id: string) =>
    steps
      .filter((step) => step.problemId === id)
      .toReversed()
      .map(({ problemId: _, actorId, actorName, at, ...step }) => ({
        ...step,
        at: at.toISOString(),
        by: step.kind === "decided" ? (actorName ?? "A moderator") : nameOf(actorId),
      }));
  const photosOf = (id: string) => pictures.filter((photo) => photo.problemId === id);
  return {
    ...shownProblem(shown, ofAll, now),
    order: { ...order, createdAt: order.createdAt.toISOString() },
    refundable,
    payment: order.isProtected
      ? await (await import("../payments/payments.server.ts")).findPayment(db, order.id)
      : null,
    pending: await findPendingDecision(db, problemId),
    droppedAt: await findDropped(db, shown),
    people: {
      buyer: { id: problem.buyerId, name: buyerName },
      seller: { id: problem.sellerId, name: sellerName ?? formerMember },
    },
    /** Its page is the administrators’. */
    hasOrderPage: may(moderator, "manage orders"),
    steps: stepsOf(problemId),
    photos: photosOf(problemId),
    /** The other problems of the order, oldest first. */
    others: problems
      .filter((other) => other.id !== problemId)
      .map((other) => ({
        ...shownProblem(other, ofAll, now),
        steps: stepsOf(other.id),
        photos: photosOf(other.id),
      }))
      .toReversed(),
    history: history.map(({ actorId, at, ...step }) => ({
      ...step,
      at: at.toISOString(),
      by: nameOf(actorId),
      isBySystem: actorId === system.id,
    })),
    messages: said
      .toReversed()
      .map(({ senderId, at, ...message }) => ({ ...message, at: at.toISOString(), by: nameOf(senderId) })),
  };
}

/**
 * When the last decision about a problem was dropped, unless somebody has decided since; an ISO time. The log names the
 * order. A decision about a problem before this one may be dropped after this one is opened, but was made before; one
 * about a problem after this one is made after this one has ended.
 */
async function findDropped(
  db: Db,
  { id, orderId, endedAt, lastKind }: Pick<Problem, "id" | "orderId" | "endedAt" | "lastKind">,
): Promise<string | null> {
  // One of them has taken effect.
  if (lastKind === "decided") return null;
  const actions = await db
    .select({ action: activity.action, at: activity.createdAt })
    .from(activity)
    .where(
      and(
        eq(activity.targetId, orderId),
        gt(activity.id, id),
        inArray(activity.action, ["decided order problem", "undid decision", "dropped decision"]),
      ),
    )
    .orderBy(desc(activity.id))
    .limit(maxDecisionsSearched);
  const isBeforeEnd = ({ at }: { at: Date }) => endedAt === null || at <= endedAt;
  const decided = actions.findIndex((step) => step.action !== "dropped decision" && isBeforeEnd(step));
  if (actions[decided]?.action !== "decided order problem") return null;
  // The first after it; of an open problem, the last of all: one before may be of the problem before.
  const drops = actions.slice(0, decided).filter(({ action }) => action === "dropped decision");
  return (endedAt === null ? drops[0] : drops.at(-1))?.at.toISOString() ?? null;
}

const maxDecisionsSearched = 10;

const pageSize = 20;

/** A problem that waits for moderators. */
export type WaitingProblem = Awaited<ReturnType<typeof selectWaitingProblems>>[number];

/** Selects the problems of others that wait for moderators, the oldest first. */
export function selectWaitingProblems(
  db: Db,
  viewer: Viewer,
  cursor: Cursor,
  limit: number,
  now = new Date(),
) {
  const { afterCursor, orderBy } = keyset(orderProblems.id, cursor, asc);
  return db
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
    .leftJoin(users, and(eq(users.id, orderProblems.sellerId), isNull(users.removalId)))
    .where(and(waitsForModerators, isOfOthers(viewer), isNotNull(orderProblems.deadlineAt), afterCursor))
    .orderBy(orderBy)
    .limit(limit);
}

export async function listWaitingProblems(db: Db, viewer: Viewer, cursor: Cursor, now = new Date()) {
  const rows = await selectWaitingProblems(db, viewer, cursor, pageSize + 1, now);
  return keysetPage(rows, cursor, pageSize, (row) => row.id);
}
