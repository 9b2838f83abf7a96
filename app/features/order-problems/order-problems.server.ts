import {
  and,
  desc,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  ne,
  not,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { hasRow, valueFor } from "#app/db/conditions.server.ts";
import {
  type NotificationDetails,
  type NotificationKind,
  type OrderStage,
  type ProblemOffer,
  type ProblemOpener,
  type ProblemState,
  type ProblemStepKind,
  problemKinds,
  problemOpeners,
} from "#app/db/enums.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import {
  notifications,
  orderProblemSteps,
  orderProblems,
  orders,
  payments,
  pendingDecisions,
  phones,
} from "#app/db/schema.ts";
import { problemDays } from "#app/terms.ts";
import { dayMs, hourMs } from "#app/time.ts";
import { type Actor, system, type Viewer } from "../accounts/viewer.ts";
import { notifySide } from "../audit/notify.server.ts";
import { receivedAt, windowEnd } from "../audit/order-windows.server.ts";
import { addRemoval } from "../audit/removals.server.ts";
import { freedStatus, removalOfSeller, returnedOrderId } from "../listings/listing-removal.server.ts";
import { problemOpenableUntil } from "../messages/order-contact.server.ts";
import { addStep, goneSide, isReturnDue, resumeOrders } from "../orders/order-steps.server.ts";
import { notGotCents, paidColumns, refundableCents } from "../payments/protected-orders.server.ts";
import { resumeReviews } from "../reviews/write-review.server.ts";
import {
  allowedAnswers,
  amountRefusal,
  isAfterEnd,
  isDecidedByBank,
  isReturnByRight,
  maxProblemMessagesAnHour,
  type ProblemAnswer,
  type ProblemRefusal,
  partialRefundRefusal,
  problemOffersFor,
  problemScope,
  stepOfAnswer,
} from "./order-problem.rules.ts";
import type { NewProblemAnswer, NewProblemDecision } from "./order-problem.schema.ts";
import { decisionChoices } from "./order-problem-texts.ts";

export type ProblemOutcome = "done" | "not found" | ProblemRefusal;
type Problem = typeof orderProblems.$inferSelect;

/**
 * Answers a problem of an order for one of its sides, by default the newest open one that the answer fits. Of two answers
 * at once, one counts. The same answer sent again is stored once.
 */
export async function answerProblem(
  db: Db,
  viewer: Viewer,
  orderId: string,
  { problemId, answer, offer, amount, text, lastStepId }: NewProblemAnswer,
  now = new Date(),
): Promise<ProblemOutcome> {
  const isSide = or(eq(orderProblems.buyerId, viewer.id), eq(orderProblems.sellerId, viewer.id));
  const isAnswered = problemId ? eq(orderProblems.id, problemId) : undefined;
  const found = await findProblems(db, and(eq(orderProblems.orderId, orderId), isSide, isAnswered));
  const kind = stepOfAnswer[answer];
  const proposalIn = ({ refundable }: FoundProblem) =>
    answer === "offer"
      ? { offer: offer ?? null, amountCents: offer === "refund" ? refundable : (amount ?? null) }
      : { offer: null, amountCents: null };
  const isSame = (problem: FoundProblem) => {
    const { last } = problem;
    const proposed = proposalIn(problem);
    return (
      last?.kind === kind &&
      last.text === text &&
      last.offer === proposed.offer &&
      last.amountCents === proposed.amountCents &&
      last.actorId === viewer.id
    );
  };
  const isAllowed = ({ problem, gone }: FoundProblem) => {
    const { openedBy, buyerId, sellerId } = problem;
    const isOpener = viewer.id === (openedBy === "buyer" ? buyerId : sellerId);
    return allowedAnswers(problem, isOpener, gone !== null).includes(answer);
  };
  const open = found.filter(({ problem }) => !problem.endedAt);
  const answered =
    open.find((problem) => isSame(problem) || isAllowed(problem)) ?? found.find(isSame) ?? found[0];
  if (!answered) return "not found";
  const { problem, last, stage, refundable } = answered;
  if (answer === "write") return writeInProblem(db, viewer, problem, text, now);
  if (isSame(answered)) return "done";
  if (problem.endedAt) return "not open";
  if (lastStepId && lastStepId !== problem.lastStepId) return "changed";
  if (!isAllowed(answered)) return "not now";
  const scope = problemScope(problem.kind, stage);
  if (answer === "offer" && !(offer && problemOffersFor(problem.kind, scope, refundable).includes(offer)))
    return "no offer";
  const unpayable = offer === "part refund" ? partialRefundRefusal(amount, refundable) : null;
  if (unpayable) return unpayable;
  const proposed = proposalIn(answered);
  const step = { actor: viewer, kind, text, ...proposed };
  if (answer === "accept" && isReturnByRight(problem.kind))
    return acceptReturn(db, viewer, { ...problem, stage }, text, now);
  const takes = answer === "accept" && last?.offer === "return" && !isAfterEnd(scope) ? "returned" : "solved";
  const next: Record<Exclude<ProblemAnswer, "write">, ProblemState> = {
    offer: "offered",
    accept: takes,
    decline: "open",
    ask: "with moderators",
    close: "solved",
  };
  const told =
    answer === "offer" ? "problem offer" : answer === "ask" ? "problem with moderators" : "problem answer";
  const details: NotificationDetails = proposed.offer
    ? { problemOffer: proposed.offer, problem: problem.kind, stage }
    : answer === "ask"
      ? { problem: problem.kind }
      : { problemStep: kind };
  const refundCents = (answer === "accept" && last?.amountCents) || 0;
  // Of all that was left, a part may have gone back since.
  const isAtMost = last?.offer === "refund";
  return advanceProblem(db, problem, next[answer], { ...step, refundCents, isAtMost, told, details, now });
}

/** The buyer gives back what they have a right to give back. */
function acceptReturn(
  db: Db,
  actor: Actor,
  { stage, ...problem }: Problem & { stage: OrderStage },
  text: string,
  now: Date,
) {
  const details = { problemOffer: "return", problem: problem.kind, stage } as const;
  return advanceProblem(db, problem, "returned", {
    actor,
    kind: "accepted",
    text,
    told: "problem answer",
    details,
    now,
  });
}

/** Adds a message of a side to an open problem. It changes nothing else, so that no answer to an older step is refused. */
async function writeInProblem(
  db: Db,
  viewer: Viewer,
  { id: problemId, orderId, buyerId }: Problem,
  text: string,
  now: Date,
): Promise<ProblemOutcome> {
  const id = timeOrderedId();
  const isOwn = and(
    eq(orderProblemSteps.problemId, problemId),
    eq(orderProblemSteps.actorId, viewer.id),
    eq(orderProblemSteps.kind, "written"),
  );
  const isRecent = gt(orderProblemSteps.createdAt, new Date(now.getTime() - hourMs));
  const [newest] = await db
    .select({ text: orderProblemSteps.text })
    .from(orderProblemSteps)
    .where(isOwn)
    .orderBy(desc(orderProblemSteps.id))
    .limit(1);
  if (newest?.text === text) return "done";
  const [other, otherId] =
    viewer.id === buyerId ? (["seller", phones.sellerId] as const) : (["buyer", orders.buyerId] as const);
  const isUnread = and(
    eq(notifications.userId, otherId),
    eq(notifications.kind, "problem message"),
    isNull(notifications.readAt),
    sql`${notifications.path} = '/manage/orders/' || ${orders.id} || '/problem'`,
  );
  const refusal = await batchUnless<"not open" | "too many messages">(
    db,
    {
      "not open": hasRow(
        db,
        orderProblems,
        and(eq(orderProblems.id, problemId), isNull(orderProblems.endedAt)),
      ),
      "too many messages": lt(db.$count(orderProblemSteps, and(isOwn, isRecent)), maxProblemMessagesAnHour),
    },
    [
      db
        .insert(orderProblemSteps)
        .values({ id, problemId, actorId: viewer.id, kind: "written", text, createdAt: now }),
      notifySide(db, other, "problem message", {
        order: and(eq(orders.id, orderId), not(hasRow(db, notifications, isUnread))),
        event: `problem ${id}`,
        page: "/problem",
      }),
    ],
  );
  return refusal ?? "done";
}

/** Finds a problem that moderators were asked about, and whose side the moderator is not. */
export async function findToDecide(db: Db, moderator: Pick<Viewer, "id">, problemId: string) {
  const isTheirs = and(wasWithModerators(db), isOfOthers(moderator));
  const [found] = await findProblems(db, and(eq(orderProblems.id, problemId), isTheirs));
  return found;
}

/** Why a decision is not possible now, or "done" if the same has been made before; null if it is possible. */
export function decisionRefusal(
  { problem, last, stage, refundable }: FoundProblem,
  moderator: Pick<Viewer, "id">,
  { decision, amount, reason, lastStepId }: NewProblemDecision,
): ProblemOutcome | null {
  const isSame = last?.text === reason && last.amountCents === (amount ?? null);
  if (isSame && last.actorId === moderator.id && problem.state === decision) return "done";
  if (problem.endedAt) return "not open";
  if (lastStepId && lastStepId !== problem.lastStepId) return "changed";
  if (isDecidedByBank(problem.kind)) return "not now";
  const scope = problemScope(problem.kind, stage);
  if (!decisionChoices(scope).some(({ value }) => value === decision)) return "not now";
  return amount === undefined ? null : amountRefusal(amount, isAfterEnd(scope) ? null : refundable);
}

/**
 * Decides about a problem that is with the moderators, with a reason; not by one of its sides. Of two decisions, one counts.
 * Staff’s own are carried out once they can no longer be undone: `submitDecision`.
 */
export async function decideProblem(
  db: Db,
  moderator: Pick<Actor, "id">,
  problemId: string,
  given: NewProblemDecision,
  now = new Date(),
  batchedWith: { condition?: SQL; also?: BatchItem<"sqlite">[]; madeAt?: Date } = {},
): Promise<ProblemOutcome> {
  const found = await findToDecide(db, moderator, problemId);
  if (!found) return "not found";
  const refusal = decisionRefusal(found, moderator, given);
  if (refusal) return refusal;
  const { problem, stage } = found;
  const { decision, amount, reason } = given;
  const step = {
    actor: moderator,
    kind: "decided",
    text: reason,
    amountCents: amount ?? null,
    refundCents: amount ?? 0,
  } as const;
  const details = { problemDecision: decision, problem: problem.kind, stage };
  return advanceProblem(db, problem, decision, {
    ...step,
    told: "problem decided",
    details,
    now,
    ...batchedWith,
  });
}

/** Condition on `orderProblems`: moderators read it, since they decide about it, have, or answer the bank that does. */
export function wasWithModerators(db: Db) {
  const asked = and(
    eq(orderProblemSteps.problemId, orderProblems.id),
    eq(orderProblemSteps.kind, "asked moderators"),
  );
  return or(eq(orderProblems.kind, "bank dispute"), hasRow(db, orderProblemSteps, asked));
}

/** Condition on `orderProblems`: the viewer is no side of it. Others decide about one's own. */
export function isOfOthers(viewer: Pick<Viewer, "id">) {
  return and(ne(orderProblems.buyerId, viewer.id), ne(orderProblems.sellerId, viewer.id));
}

/** Condition on `orderProblems`: a moderator has to decide, and no decision is pending. */
export const waitsForModerators = and(
  eq(orderProblems.state, "with moderators"),
  isNull(orderProblems.endedAt),
  sql`not exists (select 1 from ${pendingDecisions} where ${pendingDecisions.problemId} = ${orderProblems.id})`,
);

/** Condition on `orderProblems`: a moderator should have decided by now. */
export function isOverdueDecision(now = new Date()) {
  return and(waitsForModerators, lte(orderProblems.deadlineAt, now));
}

/** Orders the problems of an order: the open ones first, then those that ended last. */
export const openFirst = [
  desc(isNull(orderProblems.endedAt)),
  desc(orderProblems.endedAt),
  // The other one ended with the order.
  desc(eq(orderProblems.state, "returned")),
  desc(orderProblems.id),
] as const;

/** Of the newest so many problems of an order, one is answered. */
const maxFound = 20;

type FoundProblem = Awaited<ReturnType<typeof findProblems>>[number];

function findProblems(db: Db, condition: SQL | undefined) {
  return db
    .select({
      problem: orderProblems,
      last: orderProblemSteps,
      stage: orders.stage,
      productName: orders.productName,
      gone: goneSide(db).as("gone"),
      refundable: refundableCents.as("refundable_cents"),
      ...paidColumns,
    })
    .from(orderProblems)
    .innerJoin(orders, eq(orders.id, orderProblems.orderId))
    .leftJoin(orderProblemSteps, eq(orderProblemSteps.id, orderProblems.lastStepId))
    .where(condition)
    .orderBy(...openFirst)
    .limit(maxFound);
}

/** Brings a problem into its next state, unless somebody has answered since it was read. */
export async function advanceProblem(
  db: Db,
  problem: Problem,
  state: ProblemState,
  {
    actor,
    kind,
    text,
    offer = null,
    amountCents = null,
    refundCents = 0,
    isAtMost = false,
    told,
    details,
    also = [],
    condition,
    now,
    madeAt = now,
  }: {
    actor: Pick<Actor, "id">;
    kind: ProblemStepKind;
    text: string;
    offer?: ProblemOffer | null;
    /** What is offered or decided to be paid back, and what is to be paid back from now on. */
    amountCents?: number | null;
    refundCents?: number;
    /** Whether, if less of it is left, that is paid back. */
    isAtMost?: boolean;
    told: NotificationKind;
    /** What the notifications say beside the device. */
    details: NotificationDetails;
    /** What is stored in the same batch, and what else must be as it was read. */
    also?: BatchItem<"sqlite">[];
    condition?: SQL;
    now: Date;
    /** When a decision was made that takes effect only now. */
    madeAt?: Date;
  },
): Promise<"done" | "changed" | "amount too high"> {
  const stepId = timeOrderedId();
  const own = eq(orderProblems.id, problem.id);
  const order = eq(orders.id, problem.orderId);
  const notice = { order, event: `problem ${stepId}`, actorId: actor.id, page: "/problem", details } as const;
  const refusal = await batchUnless(
    db,
    {
      changed: and(
        hasRow(db, orderProblems, and(own, eq(orderProblems.lastStepId, problem.lastStepId))),
        condition,
      ),
      "amount too high":
        refundCents > 0 && !isAtMost
          ? hasRow(db, orders, and(order, sql`${refundableCents} >= ${refundCents}`))
          : undefined,
    },
    [
      db.insert(orderProblemSteps).values({
        id: stepId,
        problemId: problem.id,
        actorId: actor.id,
        kind,
        text,
        offer,
        amountCents,
        createdAt: madeAt,
      }),
      ...(refundCents > 0 ? [payBack(db, problem.orderId, refundCents)] : []),
      db
        .update(orderProblems)
        .set({ state, lastStepId: stepId, ...timesOf(state, now) })
        .where(own),
      // Moderators stay anonymous on the order.
      ...(state === "returned" ? endOrder(db, kind === "decided" ? system : actor, problem) : []),
      ...(state === "solved" || state === "refused" ? [resumeOrders(db, order, now)] : []),
      notifySide(db, "buyer", told, notice),
      notifySide(db, "seller", told, notice),
      ...(state === "returned" ? endOtherProblems(db, problem, now) : []),
      resumeReviews(db, sql`(${problem.orderId})`, now),
      ...also,
    ],
  );
  // If that fails, the job does it.
  if (!refusal && timesOf(state, now).endedAt)
    await (await import("../payments/payments.server.ts")).addDueTask(db, problem.orderId);
  return refusal ?? "done";
}

/** A part of an order that goes on is to be paid back beside what the buyer has got, or what is left of it. */
function payBack(db: Db, orderId: string, cents: number) {
  return db
    .update(payments)
    .set({ refundCents: sql`min(${payments.amountCents}, ${notGotCents} + ${cents})`, settledAt: null })
    .where(eq(payments.orderId, orderId));
}

/** Until when a side has to answer what happens now, and when it is reminded. */
export function answerTimes(now: Date) {
  const { answer, reminderBefore } = problemDays;
  return [answer, answer - reminderBefore].map((days) => new Date(now.getTime() + days * dayMs)) as [
    Date,
    Date,
  ];
}

function timesOf(state: ProblemState, now: Date) {
  if (state === "open" || state === "offered") {
    const [deadlineAt, reminderAt] = answerTimes(now);
    return { deadlineAt, reminderAt };
  }
  if (state === "with moderators") {
    return { deadlineAt: new Date(now.getTime() + problemDays.decision * dayMs), reminderAt: null };
  }
  return { deadlineAt: null, reminderAt: null, endedAt: now };
}

/** The order ends, and its listing stays hidden until the seller lists it again. It no longer counts as a sale. */
function endOrder(db: Db, actor: Pick<Actor, "id">, { orderId }: Problem): BatchItem<"sqlite">[] {
  const removalId = timeOrderedId();
  const order = eq(orders.id, orderId);
  return [
    addRemoval(db, system, "order", { id: removalId, targetId: orderId }),
    db
      .update(orders)
      .set({
        status: "cancelled",
        removalId,
        stage: sql`iif(${orders.stage} = 'received', 'handed over', ${orders.stage})`,
        heldSince: null,
      })
      .where(order),
    db
      .update(phones)
      .set({
        status: freedStatus(),
        hiddenById: sql`coalesce(${phones.hiddenById}, ${removalOfSeller}, ${returnedOrderId})`,
      })
      .where(inArray(phones.id, db.select({ id: orders.phoneId }).from(orders).where(order))),
    // If the seller of a protected order was paid, that is taken back.
    db.update(payments).set({ settledAt: null }).where(eq(payments.orderId, orderId)),
    addStep(db, actor, orderId, "returned"),
  ];
}

/** Statements: the problems of others, if they are open, end with the order, and both sides are told. */
function endOtherProblems(db: Db, { orderId, openedBy }: Problem, now: Date) {
  const others = problemOpeners.filter((opener) => opener !== openedBy);
  return others.flatMap((opener) => endProblemOf(db, orderId, opener, { kind: "ended", now }));
}

/** Statements: the problem that a side has opened, if one is open, is solved by itself, and both sides are told. */
export function endProblemOf(
  db: Db,
  orderId: string,
  opener: ProblemOpener,
  { kind, now }: { kind: "ended" | "closed"; now: Date },
) {
  const stepId = timeOrderedId();
  const isOther = and(
    eq(orderProblems.orderId, orderId),
    eq(orderProblems.openedBy, opener),
    isNull(orderProblems.endedAt),
  );
  const hasEnded = and(eq(orderProblems.orderId, orders.id), eq(orderProblems.lastStepId, stepId));
  const notice = {
    order: and(eq(orders.id, orderId), hasRow(db, orderProblems, hasEnded)),
    event: `problem ${stepId}`,
    page: "/problem",
    details: { problemStep: kind },
  } as const;
  return [
    db.insert(orderProblemSteps).select(
      db
        .select({
          id: valueFor(orderProblemSteps.id, stepId),
          problemId: sql`${orderProblems.id}`.as("problem_id"),
          actorId: valueFor(orderProblemSteps.actorId, system.id),
          kind: valueFor(orderProblemSteps.kind, kind),
          offer: valueFor(orderProblemSteps.offer, null),
          amountCents: valueFor(orderProblemSteps.amountCents, null),
          text: valueFor(orderProblemSteps.text, ""),
          createdAt: valueFor(orderProblemSteps.createdAt, now),
        })
        .from(orderProblems)
        .where(isOther),
    ),
    db
      .update(orderProblems)
      .set({ state: "solved", lastStepId: stepId, ...timesOf("solved", now) })
      .where(isOther),
    notifySide(db, "buyer", "problem answer", notice),
    notifySide(db, "seller", "problem answer", notice),
  ];
}

/** Problems of one run; the next run continues. */
const maxProblems = 1000;

/** Hands problems that nobody answered in time to the moderators. What is a right needs no answer. */
export async function endOverdueAnswers(db: Db, limit = maxProblems, now = new Date()): Promise<void> {
  const overdue = lte(orderProblems.deadlineAt, now);
  const byRight = await db
    .select({ ...getTableColumns(orderProblems), stage: orders.stage })
    .from(orderProblems)
    .innerJoin(orders, eq(orders.id, orderProblems.orderId))
    .where(and(eq(orderProblems.state, "open"), isNull(orderProblems.endedAt), overdue, isByRight))
    .limit(limit);
  for (const problem of byRight) await acceptReturn(db, system, problem, "", now);
  await askModerators(db, and(overdue, not(isByRight)), limit, now);
}

const isByRight = inArray(orderProblems.kind, problemKinds.filter(isReturnByRight));

/** Hands problems that wait for an answer to the moderators, in the order of their deadlines. */
export async function askModerators(
  db: Db,
  condition: SQL | undefined,
  limit: number,
  now: Date,
): Promise<void> {
  const waiting = await db
    .select()
    .from(orderProblems)
    .where(and(isNull(orderProblems.endedAt), inArray(orderProblems.state, ["open", "offered"]), condition))
    .orderBy(orderProblems.deadlineAt)
    .limit(limit);
  const step = {
    actor: system,
    kind: "asked moderators",
    text: "",
    told: "problem with moderators",
    now,
  } as const;
  for (const problem of waiting)
    await advanceProblem(db, problem, "with moderators", { ...step, details: { problem: problem.kind } });
}

/** Reminds the side that has to answer, once for each answer. */
export async function remindOfProblems(db: Db, limit = maxProblems, now = new Date()): Promise<void> {
  const due = await db
    .select()
    .from(orderProblems)
    .where(and(isNotNull(orderProblems.reminderAt), lte(orderProblems.reminderAt, now)))
    .orderBy(orderProblems.reminderAt)
    .limit(limit);
  for (const { id, orderId, openedBy, state, kind, lastStepId } of due) {
    const isBuyersTurn = (openedBy === "buyer") === (state === "offered");
    const isStill = and(
      eq(orderProblems.id, id),
      eq(orderProblems.lastStepId, lastStepId),
      isNotNull(orderProblems.reminderAt),
    );
    await batchUnless(db, { answered: hasRow(db, orderProblems, isStill) }, [
      notifySide(db, isBuyersTurn ? "buyer" : "seller", "problem due", {
        order: eq(orders.id, orderId),
        event: `problem due ${lastStepId}`,
        page: "/problem",
        details: { problem: kind },
      }),
      db.update(orderProblems).set({ reminderAt: null }).where(isStill),
    ]);
  }
}

/** Condition: a problem with an order of the person, on either side, is not settled. */
export function isInOpenProblem(db: Db, userId: string | SQLWrapper) {
  return hasRow(db, orderProblems, isOpenProblemOf(userId));
}

function isOpenProblemOf(userId: string | SQLWrapper) {
  const isSide = or(eq(orderProblems.buyerId, userId), eq(orderProblems.sellerId, userId));
  return and(isSide, isNull(orderProblems.endedAt));
}

/** Condition: a seller can still report that the buyer has not given a device back. */
export function mayOweDevice(db: Db, buyerId: string, now = new Date()) {
  return hasRow(db, orders, isReturnReportable(db, buyerId, now));
}

function isReturnReportable(db: Db, buyerId: string, now: Date) {
  const canReport = sql`${problemOpenableUntil(now)} > ${now.getTime()}`;
  return and(eq(orders.buyerId, buyerId), isReturnDue(db), canReport, isNull(goneSide(db)));
}

const saleUntil = (now: Date) => windowEnd(orders.id, receivedAt, problemDays.sale, now);

/** Condition: a buyer, who is still there, has had a device of the seller for less than 30 days. */
export function hasRecentSale(db: Db, sellerId: string) {
  return hasRow(db, orders, isRecentSale(db, sellerId, new Date()));
}

function isRecentSale(db: Db, sellerId: string, now: Date) {
  const own = db.select({ id: phones.id }).from(phones).where(eq(phones.sellerId, sellerId));
  const isOpen = sql`${saleUntil(now)} > ${now.getTime()}`;
  return and(inArray(orders.phoneId, own), eq(orders.status, "active"), isOpen, isNull(goneSide(db)));
}

/** The last sale that keeps a seller from closing the account, and until when. */
export async function findRecentSale(db: Db, { id }: Viewer) {
  const now = new Date();
  const [order] = await db
    .select({
      id: orders.id,
      productName: orders.productName,
      until: sql`${saleUntil(now)}`.mapWith(orders.createdAt).as("sale_until"),
    })
    .from(orders)
    .where(isRecentSale(db, id, now))
    .orderBy(sql`sale_until desc`)
    .limit(1);
  return order;
}

/** The order that keeps a person from closing the account. */
export async function findUnsettledOrder(
  db: Db,
  { id: userId }: Viewer,
  because: "problem open" | "return due",
) {
  const now = new Date();
  const inProblem = db
    .select({ id: orderProblems.orderId })
    .from(orderProblems)
    .where(isOpenProblemOf(userId));
  const [order] = await db
    .select({
      id: orders.id,
      productName: orders.productName,
      buyerId: orders.buyerId,
      reportUntil: sql`${problemOpenableUntil(now)}`.mapWith(orders.deadlineAt).as("report_until"),
    })
    .from(orders)
    .where(because === "problem open" ? inArray(orders.id, inProblem) : isReturnReportable(db, userId, now))
    .orderBy(sql`report_until desc`)
    .limit(1);
  return order;
}
