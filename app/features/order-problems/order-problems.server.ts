import {
  and,
  countDistinct,
  eq,
  exists,
  gt,
  inArray,
  isNotNull,
  isNull,
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
import { batchUnless } from "#app/db/expectations.server.ts";
import { orderProblemSteps, orderProblems, orderSteps, orders, phones } from "#app/db/schema.ts";
import type {
  NotificationKind,
  ProblemOffer,
  ProblemState,
  ProblemStepKind,
  ReviewRole,
} from "#app/db/values.ts";
import { problemDays } from "#app/market.ts";
import { dayMs } from "#app/time.ts";
import { isOpenAccount } from "../accounts/accounts.server.ts";
import { type Actor, system, type Viewer } from "../accounts/viewer.ts";
import { addRemoval, imeiIfStillFree } from "../audit/removals.server.ts";
import { hidingDecision, removalOfSeller } from "../listings/listing-removal.server.ts";
import { addStep, deadlinesOf, hasOpenProblem, notifySide } from "../orders/order-steps.server.ts";
import { allowedAnswers, type ProblemRefusal, problemChoices, stepOf } from "./order-problem.rules.ts";
import type { NewAnswer, NewProblem, NewProblemDecision } from "./order-problem.schema.ts";

type Outcome = "done" | "not found" | ProblemRefusal;
type Problem = typeof orderProblems.$inferSelect;

/** Opens a problem with an order, for one of its sides: the order stands still. The same problem sent again is opened once. */
export async function openProblem(
  db: Db,
  viewer: Viewer,
  orderId: string,
  { kind, text }: NewProblem,
  now = new Date(),
): Promise<Outcome> {
  const [id, stepId] = [timeOrderedId(), timeOrderedId()];
  const isSide = or(eq(orders.buyerId, viewer.id), eq(phones.sellerId, viewer.id));
  const ownOrder = (condition?: SQL) =>
    db
      .select({ id: orders.id })
      .from(orders)
      .innerJoin(phones, eq(phones.id, orders.phoneId))
      .where(and(eq(orders.id, orderId), isSide, condition));
  const isBuyer = sql`${orders.buyerId} = ${viewer.id}`;
  const kindsOf = (role: ReviewRole, stage: "reserved" | "received") =>
    inArray(
      sql`${kind}`,
      problemChoices(role, stage).map(({ value }) => value),
    );
  const isKnown = (stage: "reserved" | "received") =>
    sql`iif(${isBuyer}, ${kindsOf("buyer", stage)}, ${kindsOf("seller", stage)})`;
  const earliest = new Date(now.getTime() - problemDays.openable * dayMs);
  const isRecent = hasRow(
    db,
    orderSteps,
    and(
      eq(orderSteps.orderId, orders.id),
      eq(orderSteps.kind, "received"),
      gt(orderSteps.createdAt, earliest),
    ),
  );
  const order = eq(orders.id, orderId);
  const [deadline, reminder] = answerTimes(now);
  const opened = { order, event: `problem ${id}`, actorId: viewer.id, page: "/problem" } as const;
  const refusal = await batchUnless<Exclude<Outcome, "done">>(
    db,
    {
      "not found": and(exists(ownOrder()), isOpenAccount(db, viewer)),
      "problem open": exists(ownOrder(not(hasOpenProblem(db)))),
      cancelled: exists(ownOrder(eq(orders.status, "active"))),
      "too late": exists(ownOrder(or(ne(orders.stage, "received"), isRecent))),
      "not now": exists(ownOrder(isKnown("received"))),
      "not yet": exists(ownOrder(or(ne(orders.stage, "reserved"), isKnown("reserved")))),
    },
    [
      db.insert(orderProblems).select(
        db
          .select({
            id: valueFor(orderProblems.id, id),
            orderId: orders.id,
            buyerId: orders.buyerId,
            sellerId: phones.sellerId,
            openedBy: sql<ReviewRole>`iif(${isBuyer}, 'buyer', 'seller')`.as("opened_by"),
            kind: valueFor(orderProblems.kind, kind),
            state: valueFor(orderProblems.state, "open"),
            lastStepId: valueFor(orderProblems.lastStepId, stepId),
            deadlineAt: valueFor(orderProblems.deadlineAt, deadline),
            reminderAt: valueFor(orderProblems.reminderAt, reminder),
            createdAt: valueFor(orderProblems.createdAt, now),
            endedAt: valueFor(orderProblems.endedAt, null),
          })
          .from(orders)
          .innerJoin(phones, eq(phones.id, orders.phoneId))
          .where(order),
      ),
      db
        .insert(orderProblemSteps)
        .values({ id: stepId, problemId: id, actorId: viewer.id, kind: "opened", text, createdAt: now }),
      db.update(orders).set({ deadlineAt: null, reminderAt: null }).where(order),
      notifySide(db, "buyer", "problem opened", opened),
      notifySide(db, "seller", "problem opened", opened),
    ],
  );
  if (refusal !== "problem open") return refusal ?? "done";
  const [latest] = await db
    .select({ kind: orderProblems.kind, actorId: orderProblemSteps.actorId, text: orderProblemSteps.text })
    .from(orderProblems)
    .innerJoin(orderProblemSteps, eq(orderProblemSteps.id, orderProblems.lastStepId))
    .where(and(eq(orderProblems.orderId, orderId), isNull(orderProblems.endedAt)));
  const isSame = latest?.actorId === viewer.id && latest.kind === kind && latest.text === text;
  return isSame ? "done" : refusal;
}

/**
 * Answers the newest problem of an order, for one of its sides. Of two answers at once, one counts. The same answer sent
 * again is stored once.
 */
export async function answerProblem(
  db: Db,
  viewer: Viewer,
  orderId: string,
  { answer, offer, text, lastStepId }: NewAnswer,
  now = new Date(),
): Promise<Outcome> {
  const isSide = or(eq(orderProblems.buyerId, viewer.id), eq(orderProblems.sellerId, viewer.id));
  const found = await newestProblem(db, and(eq(orderProblems.orderId, orderId), isSide));
  if (!found) return "not found";
  const { problem, last } = found;
  const kind = stepOf[answer];
  const proposed = answer === "offer" ? (offer ?? null) : null;
  const isSame = last?.kind === kind && last.text === text && last.offer === proposed;
  if (isSame && last.actorId === viewer.id) return "done";
  if (problem.endedAt) return "not open";
  if (lastStepId && lastStepId !== problem.lastStepId) return "changed";
  const isOpener = viewer.id === (problem.openedBy === "buyer" ? problem.buyerId : problem.sellerId);
  if (!allowedAnswers(problem.state, isOpener).includes(answer)) return "not now";
  if (answer === "offer" && !offer) return "no offer";
  const step = { actor: viewer, kind, text, offer: proposed };
  const takes = answer === "accept" && last?.offer === "return" ? "returned" : "solved";
  const next = {
    offer: "offered",
    accept: takes,
    decline: "open",
    ask: "with moderators",
    close: "solved",
  } as const;
  const told =
    answer === "offer" ? "problem offer" : answer === "ask" ? "problem with moderators" : "problem answer";
  return advance(db, problem, next[answer], { ...step, told, now });
}

/** Decides about a problem that is with the moderators, with a reason; not by one of its sides. Of two decisions, one counts. */
export async function decideProblem(
  db: Db,
  moderator: Viewer,
  problemId: string,
  { decision, reason, lastStepId }: NewProblemDecision,
  now = new Date(),
): Promise<Outcome> {
  const found = await newestProblem(db, and(eq(orderProblems.id, problemId), wasWithModerators(db)));
  if (!found) return "not found";
  const { problem, last } = found;
  if ([problem.buyerId, problem.sellerId].includes(moderator.id)) return "own order";
  if (last?.actorId === moderator.id && problem.state === decision && last.text === reason) return "done";
  if (problem.endedAt) return "not open";
  if (lastStepId && lastStepId !== problem.lastStepId) return "changed";
  const step = { actor: moderator, kind: "decided", text: reason, offer: null } as const;
  return advance(db, problem, decision, { ...step, told: "problem decided", now });
}

/** Condition on `orderProblems`: the moderators decide about it, or have. */
export function wasWithModerators(db: Db) {
  const asked = and(
    eq(orderProblemSteps.problemId, orderProblems.id),
    eq(orderProblemSteps.kind, "asked moderators"),
  );
  return hasRow(db, orderProblemSteps, asked);
}

async function newestProblem(db: Db, condition: SQL | undefined) {
  const [found] = await db
    .select({ problem: orderProblems, last: orderProblemSteps })
    .from(orderProblems)
    .leftJoin(orderProblemSteps, eq(orderProblemSteps.id, orderProblems.lastStepId))
    .where(condition)
    .orderBy(sql`${orderProblems.id} desc`)
    .limit(1);
  return found;
}

/** Brings a problem into its next state, unless somebody has answered since it was read. */
async function advance(
  db: Db,
  problem: Problem,
  state: ProblemState,
  {
    actor,
    kind,
    text,
    offer = null,
    told,
    now,
  }: {
    actor: Actor;
    kind: ProblemStepKind;
    text: string;
    offer?: ProblemOffer | null;
    told: NotificationKind;
    now: Date;
  },
): Promise<"done" | "changed"> {
  const stepId = timeOrderedId();
  const own = eq(orderProblems.id, problem.id);
  const order = eq(orders.id, problem.orderId);
  const notice = { order, event: `problem ${stepId}`, actorId: actor.id, page: "/problem" } as const;
  const refusal = await batchUnless(
    db,
    { changed: hasRow(db, orderProblems, and(own, eq(orderProblems.lastStepId, problem.lastStepId))) },
    [
      db
        .insert(orderProblemSteps)
        .values({ id: stepId, problemId: problem.id, actorId: actor.id, kind, text, offer, createdAt: now }),
      db
        .update(orderProblems)
        .set({ state, lastStepId: stepId, ...timesOf(state, now) })
        .where(own),
      // Moderators stay anonymous on the order.
      ...(state === "returned" ? endOrder(db, kind === "decided" ? system : actor, problem) : []),
      ...(state === "solved" || state === "refused" ? [restartDeadline(db, problem)] : []),
      notifySide(db, "buyer", told, notice),
      notifySide(db, "seller", told, notice),
    ],
  );
  return refusal ?? "done";
}

function answerTimes(now: Date) {
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

/** The order goes on: its stage begins anew. */
function restartDeadline(db: Db, { orderId }: Problem) {
  const [reserved, handedOver] = [deadlinesOf("reserved"), deadlinesOf("handed over")];
  const at = (name: "deadlineAt" | "reminderAt") =>
    sql`case ${orders.stage} when 'reserved' then ${reserved[name].getTime()}
      when 'handed over' then ${handedOver[name].getTime()} end`;
  return db
    .update(orders)
    .set({ deadlineAt: at("deadlineAt"), reminderAt: at("reminderAt") })
    .where(eq(orders.id, orderId));
}

/** The order ends, and its listing stays hidden until the seller lists it again. It no longer counts as a sale. */
function endOrder(db: Db, actor: Actor, { id, orderId }: Problem): BatchItem<"sqlite">[] {
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
      })
      .where(order),
    db
      .update(phones)
      .set({ status: "available", removalId: sql`coalesce(${phones.removalId}, ${removalOfSeller}, ${id})` })
      .where(
        and(
          inArray(phones.id, db.select({ id: orders.phoneId }).from(orders).where(order)),
          or(eq(phones.status, "reserved"), isNull(phones.removalId)),
        ),
      ),
    addStep(db, actor, orderId, "returned"),
  ];
}

/** Lists a returned device again, for its seller; false if there is none. */
export async function listAgain(db: Db, seller: Viewer, orderId: string): Promise<boolean> {
  const returned = db
    .select({ id: orderProblems.id })
    .from(orderProblems)
    .where(
      and(
        eq(orderProblems.orderId, orderId),
        eq(orderProblems.sellerId, seller.id),
        eq(orderProblems.state, "returned"),
      ),
    );
  const listing = inArray(phones.removalId, returned);
  const refusal = await batchUnless(db, { refused: hasRow(db, phones, listing) }, [
    db
      .update(phones)
      .set({ removalId: sql`coalesce(${hidingDecision}, ${removalOfSeller})`, imeiHash: imeiIfStillFree(db) })
      .where(listing),
  ]);
  return !refusal;
}

/** Problems of one run; the next run continues. */
const maxProblems = 1000;

/** Hands problems that nobody answered in time to the moderators. */
export async function endOverdueAnswers(db: Db, limit = maxProblems, now = new Date()): Promise<void> {
  const overdue = await db
    .select()
    .from(orderProblems)
    .where(
      and(
        isNull(orderProblems.endedAt),
        inArray(orderProblems.state, ["open", "offered"]),
        lte(orderProblems.deadlineAt, now),
      ),
    )
    .orderBy(orderProblems.deadlineAt)
    .limit(limit);
  const step = {
    actor: system,
    kind: "asked moderators",
    text: "",
    told: "problem with moderators",
    now,
  } as const;
  for (const problem of overdue) await advance(db, problem, "with moderators", step);
}

/** Reminds the side that has to answer, once for each answer. */
export async function remindOfProblems(db: Db, limit = maxProblems, now = new Date()): Promise<void> {
  const due = await db
    .select()
    .from(orderProblems)
    .where(and(isNotNull(orderProblems.reminderAt), lte(orderProblems.reminderAt, now)))
    .orderBy(orderProblems.reminderAt)
    .limit(limit);
  for (const { id, orderId, openedBy, state, lastStepId } of due) {
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
      }),
      db.update(orderProblems).set({ reminderAt: null }).where(isStill),
    ]);
  }
}

/** The problems of a person that are not settled, on either side. */
export function openProblems(db: Db, userId: string | SQLWrapper) {
  return db
    .select({ one: sql`1` })
    .from(orderProblems)
    .where(
      and(
        or(eq(orderProblems.buyerId, userId), eq(orderProblems.sellerId, userId)),
        isNull(orderProblems.endedAt),
      ),
    );
}

/**
 * For a seller's record: the orders that were not just cancelled, on how many of them the buyer had a problem that was
 * not refused, and how many of these are still open.
 */
export async function countProblems(db: Db, sellerId: string) {
  const ofBuyers = and(eq(orderProblems.openedBy, "buyer"), ne(orderProblems.state, "refused"));
  const [found] = await db
    .select({
      orders: countDistinct(orders.id),
      withProblem: countDistinct(orderProblems.orderId),
      open: sql<number>`count(distinct iif(${isNull(orderProblems.endedAt)}, ${orderProblems.orderId}, null))`,
    })
    .from(phones)
    .innerJoin(orders, eq(orders.phoneId, phones.id))
    .leftJoin(orderProblems, and(eq(orderProblems.orderId, orders.id), ofBuyers))
    .where(
      and(
        eq(phones.sellerId, sellerId),
        or(eq(orders.status, "active"), eq(orderProblems.state, "returned")),
      ),
    );
  return found ?? { orders: 0, withProblem: 0, open: 0 };
}
