import assert from "node:assert/strict";
import { eq, isNull } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import type { OrderStage } from "#app/db/enums.ts";
import {
  activity,
  notifications,
  orderProblemSteps,
  orderProblems,
  orders,
  pendingDecisions,
  phones,
  users,
} from "#app/db/schema.ts";
import { undoRemovals } from "#app/features/administration/undo.server.ts";
import { listDecided } from "#app/features/moderation/moderation-queue.server.ts";
import { openProblem } from "#app/features/order-problems/open-problem.server.ts";
import { findProblemCase } from "#app/features/order-problems/order-problem-details.server.ts";
import { answerProblem } from "#app/features/order-problems/order-problems.server.ts";
import {
  carryOutDecisions,
  findDecidable,
  findPendingDecision,
  submitDecision,
} from "#app/features/order-problems/pending-decisions.server.ts";
import { noLimits } from "../../harness/bookings.ts";
import { addAccount, addProblem, removeUser } from "../../harness/fixtures.ts";

const returned = { decision: "returned", reason: "It is broken." } as const;
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000);

/** A problem about which a moderator has just decided. */
async function decided(db: Db, stage: OrderStage = "handed over") {
  const moderator = await addAccount(db, { moderatorSince: new Date() });
  const made = await addProblem(db, { isAsked: true });
  await db.update(orders).set({ stage }).where(eq(orders.id, made.orderId));
  const { id } = await made.problem();
  /** All that a decision changes once it is in effect. */
  const state = async () => [
    await db.select().from(orderProblems),
    await db.select().from(orderProblemSteps),
    await db.select().from(orders),
    await db.select().from(phones),
    await db.select().from(notifications),
  ];
  const before = await state();
  assert.equal(await submitDecision(db, moderator, id, returned), "done");
  const pending = await findPendingDecision(db, id);
  const undo = (by = moderator) => undoRemovals(db, by, [pending?.id ?? ""], noLimits);
  const kindOfState = async () => (await made.problem()).state;
  return { ...made, id, moderator, before, state, undo, kindOfState };
}

export const aDecisionAboutAProblemChangesNothingWhileItCanBeUndone = async (db: Db) => {
  const { id, moderator, before, state, undo, kindOfState } = await decided(db);
  await carryOutDecisions(db, inMinutes(9));
  assert.deepEqual(await state(), before);
  assert.equal((await undo()).message, "Decision undone. Nobody was told.");
  await carryOutDecisions(db, inMinutes(11));
  assert.deepEqual(await state(), before);
  assert.equal(await findPendingDecision(db, id), null);
  // An Undo that is repeated succeeds, and another decision can follow.
  assert.equal((await undo()).kind, "success");
  const other = { decision: "refused", reason: "It works." } as const;
  assert.deepEqual(
    [await submitDecision(db, moderator, id, other), await submitDecision(db, moderator, id, other)],
    ["done", "done"],
  );
  await carryOutDecisions(db, inMinutes(11));
  assert.equal(await kindOfState(), "refused");
};

export const aDecisionAboutAProblemIsCarriedOutOnceByItsModerator = async (db: Db) => {
  const { id, moderator, orderId, undo, kindOfState } = await decided(db);
  const [made] = await db.select().from(pendingDecisions);
  const later = inMinutes(11);
  await Promise.all([carryOutDecisions(db, later), carryOutDecisions(db, later)]);
  assert.equal(await kindOfState(), "returned");
  const steps = await db.select().from(orderProblemSteps).where(eq(orderProblemSteps.kind, "decided"));
  assert.deepEqual(
    // As of when it was made, not of the job.
    steps.map(({ actorId, text, createdAt }) => [actorId, text, createdAt]),
    [[moderator.id, returned.reason, made?.createdAt]],
  );
  const [order] = await db.select().from(orders).where(eq(orders.id, orderId));
  assert.equal(order?.status, "cancelled");
  assert.equal(await db.$count(pendingDecisions), 0);
  assert.equal((await undo()).message, "This decision is in effect, so we can’t undo it.");
  assert.equal(await submitDecision(db, moderator, id, { ...returned, reason: "No." }), "not open");
};

export const aSecondModeratorReadsADecisionThatCanBeUndone = async (db: Db) => {
  const { id, moderator, undo, buyer } = await decided(db);
  const admin = await addAccount(db, { userType: "Admin" });
  const [again, other] = [
    await submitDecision(db, moderator, id, returned),
    { ...returned, reason: "Mine." },
  ];
  assert.deepEqual([again, await submitDecision(db, admin, id, other)], ["done", "decided already"]);
  const shown = await findProblemCase(db, admin, id);
  assert.deepEqual([shown?.pending?.by, shown?.pending?.decision], [moderator.name, "returned"]);
  /** Who decided what, whether it is in effect, and whether the viewer can undo it. */
  const listed = async (viewer: typeof admin) =>
    (await listDecided(db, viewer, null)).rows.map((row) => [
      row.moderator,
      row.reason,
      row.problem?.state,
      row.problem && row.takesEffectAt === null,
      row.canUndo,
    ]);
  const pending = [moderator.name, returned.reason, "with moderators", false];
  assert.deepEqual(await listed(admin), [[...pending, false]]);
  assert.deepEqual(await listed(moderator), [[...pending, true]]);
  assert.deepEqual(await listed(buyer), []);
  for (const stranger of [admin, buyer])
    assert.equal((await undo(stranger)).message, "It’s too late to undo this.");
  assert.ok(await findPendingDecision(db, id));
  await carryOutDecisions(db, inMinutes(11));
  assert.deepEqual(await listed(admin), [[moderator.name, returned.reason, "returned", true, false]]);
  assert.deepEqual(await listed(buyer), []);
};

export const aDecisionIsDroppedOnceTheDeviceIsHandedOver = async (db: Db) => {
  const { id, moderator, orderId, kindOfState } = await decided(db, "reserved");
  await db.update(orders).set({ stage: "handed over" }).where(eq(orders.id, orderId));
  await carryOutDecisions(db, inMinutes(11));
  assert.deepEqual([await kindOfState(), await db.$count(pendingDecisions)], ["with moderators", 0]);
  // Until somebody decides again, the case says so.
  assert.ok((await findProblemCase(db, moderator, id))?.droppedAt);
  const dropped = eq(activity.action, "dropped decision");
  assert.equal(await db.$count(activity, dropped), 1);
  // Another decision follows, about where the device is now.
  assert.equal((await findDecidable(db, moderator, id, returned))?.stage, "handed over");
  assert.equal(await submitDecision(db, moderator, id, returned), "done");
  await carryOutDecisions(db, inMinutes(11));
  assert.deepEqual([await kindOfState(), await db.$count(activity, dropped)], ["returned", 1]);
};

export const aDroppedDecisionIsToldOfItsProblemAlone = async (db: Db) => {
  const { moderator, orderId, buyer, id: ended } = await decided(db);
  const undoable = async () => (await listDecided(db, moderator, null)).rows.map(({ canUndo }) => canUndo);
  assert.deepEqual(await undoable(), [true]);
  await answerProblem(db, buyer, orderId, { answer: "close", text: "" });
  // It doesn’t count, so there is nothing to undo.
  assert.deepEqual(await undoable(), [false]);
  const problem = { kind: "not as described", text: "It is blue." } as const;
  assert.equal(await openProblem(db, buyer, orderId, problem), "done");
  await answerProblem(db, buyer, orderId, { answer: "ask", text: "" });
  const [open] = await db.select().from(orderProblems).where(isNull(orderProblems.endedAt));
  const id = open?.id ?? "";
  const droppedAt = async () => (await findProblemCase(db, moderator, id))?.droppedAt;
  await carryOutDecisions(db, inMinutes(11));
  assert.equal(await db.$count(activity, eq(activity.action, "dropped decision")), 1);
  assert.equal(await droppedAt(), null);
  // The case of the one that has ended says so.
  const past = await findProblemCase(db, moderator, ended);
  assert.ok(past?.droppedAt && past.endedAt);
  const dropNext = async () => {
    assert.equal(await submitDecision(db, moderator, id, returned), "done");
    await db.update(orders).set({ stage: "reserved" }).where(eq(orders.id, orderId));
    await carryOutDecisions(db, inMinutes(11));
  };
  await dropNext();
  assert.ok(await droppedAt());
  // One that is in effect was not dropped.
  await db.update(orders).set({ stage: "handed over" }).where(eq(orders.id, orderId));
  assert.equal(await submitDecision(db, moderator, id, returned), "done");
  await carryOutDecisions(db, inMinutes(11));
  assert.equal(await droppedAt(), null);
};

export const theSameDecisionSentTwiceAtOnceIsStoredOnce = async (db: Db) => {
  const { id, moderator, undo } = await decided(db);
  await undo();
  const outcomes = await Promise.all([1, 2].map(() => submitDecision(db, moderator, id, returned)));
  assert.deepEqual([outcomes, await db.$count(pendingDecisions)], [["done", "done"], 1]);
};

type Decided = Awaited<ReturnType<typeof decided>>;

/** What may happen within the ten minutes, and the state that the problem then has, with and without Undo. */
const meetings: Record<
  string,
  { happen(db: Db, made: Decided): Promise<unknown>; left: string; undone: string }
> = {
  nothing: { happen: async () => {}, left: "returned", undone: "with moderators" },
  "the opener closes it": {
    happen: (db, { buyer, orderId }) => answerProblem(db, buyer, orderId, { answer: "close", text: "" }),
    left: "solved",
    undone: "solved",
  },
  "a side writes": {
    happen: (db, { seller, orderId }) =>
      answerProblem(db, seller, orderId, { answer: "write", text: "Wait." }),
    left: "returned",
    undone: "with moderators",
  },
  "the buyer is deleted": {
    happen: async (db, { buyer }) => removeUser(db, await addAccount(db, { userType: "Admin" }), buyer.id),
    left: "returned",
    undone: "with moderators",
  },
  "the seller is suspended": {
    happen: (db, { seller }) =>
      db.update(users).set({ suspensionId: "suspension" }).where(eq(users.id, seller.id)),
    left: "returned",
    undone: "with moderators",
  },
};

export const whatHappensMeanwhileDoesNotMeetADecisionHalfDone = async (db: Db) => {
  for (const [name, { happen, left, undone }] of Object.entries(meetings)) {
    for (const isUndone of [false, true]) {
      const made = await decided(db);
      await happen(db, made);
      if (isUndone) assert.equal((await made.undo()).kind, "success", name);
      await carryOutDecisions(db, inMinutes(11));
      assert.equal(await made.kindOfState(), isUndone ? undone : left, name);
      assert.equal(await db.$count(pendingDecisions), 0, name);
    }
  }
};

export const ofAnUndoAndTheJobAtOnceOneCounts = async (db: Db) => {
  for (let times = 0; times < 5; times += 1) {
    const { undo, kindOfState } = await decided(db);
    const [toast] = await Promise.all([undo(), carryOutDecisions(db, inMinutes(11))]);
    assert.equal(await kindOfState(), toast.kind === "success" ? "with moderators" : "returned");
  }
};

export const theDecisionOfWhoMayNotDecideAnymoreIsDropped = async (db: Db) => {
  const changes = [{ moderatorSince: null }, { suspensionId: "suspension" }, { removalId: "removal" }];
  for (const change of changes) {
    const { moderator, undo, kindOfState } = await decided(db);
    await db.update(users).set(change).where(eq(users.id, moderator.id));
    const [actor = moderator] = await db.select().from(users).where(eq(users.id, moderator.id));
    if ("moderatorSince" in change)
      assert.deepEqual(await undo(actor), { kind: "error", message: "You’re no longer a moderator." });
    await carryOutDecisions(db, inMinutes(11));
    assert.deepEqual([await kindOfState(), await db.$count(pendingDecisions)], ["with moderators", 0]);
  }
};
