import type { Db } from "#app/db/client.server.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { findUndoable, type UndoHandler } from "../audit/removals.server.ts";
import { listingUndo } from "../listings/listing-removal.server.ts";
import { restoredPricesTexts } from "../listings/price-change.rules.ts";
import { decisionUndo } from "../moderation/decisions/decision-effects.server.ts";
import type { ReservationLimits } from "../orders/booking.server.ts";
import { orderUndo } from "../orders/order-restoring.server.ts";
import { ticketUndo } from "../support-tickets/tickets.server.ts";
import { appointmentUndo, userUndo, verificationUndo, withdrawalUndo } from "./user-actions.server.ts";

type Kind = NonNullable<Awaited<ReturnType<typeof findUndoable>>>["kind"];

/** Prices of many listings. Loaded on demand, since few sellers change many. */
const pricesUndo: UndoHandler = {
  async undo(db, actor, removal) {
    const { restorePrices } = await import("../listings/price-change.server.ts");
    return restorePrices(db, actor, removal);
  },
  isUndone: () => Promise.resolve(true),
  texts: restoredPricesTexts,
};

/** Decisions about order problems, loaded on demand too. */
const problemDecisionUndo: UndoHandler = {
  async undo(db, actor, removal) {
    const { undoPendingDecision } = await import("../order-problems/pending-decisions.server.ts");
    return undoPendingDecision(db, actor, removal);
  },
  isUndone: () => Promise.resolve(true),
  texts: {
    undone: "Decision undone. Nobody was told.",
    many: "decisions undone",
    impossible: "This decision is in effect, so we can’t undo it.",
    refusals: { "not allowed": "You’re no longer a moderator." },
  },
};

const notAllowed = { "not allowed": "You no longer have the role for this." };

/** Both loaded on demand, too. */
const announcementUndo: UndoHandler = {
  async undo(db, actor, removal) {
    const { resumeAnnouncement } = await import("./announcements.server.ts");
    return resumeAnnouncement(db, actor, removal);
  },
  isUndone: () => Promise.resolve(true),
  texts: {
    undone: "The announcement goes on.",
    many: "announcements resumed",
    impossible: "We can’t undo this: the announcement is gone.",
    refusals: notAllowed,
  },
};

const replyUndo: UndoHandler = {
  async undo(db, actor, removal) {
    const { restoreReply } = await import("./saved-replies.server.ts");
    return restoreReply(db, actor, removal);
  },
  isUndone: () => Promise.resolve(true),
  texts: {
    undone: "Saved reply restored",
    many: "saved replies restored",
    impossible: "We can’t restore this reply: there’s another one with its title, or there are too many.",
    refusals: notAllowed,
  },
};

/** All that can be undone. */
function undosOf(limits: ReservationLimits): Record<Kind, UndoHandler> {
  return {
    user: userUndo,
    phone: listingUndo,
    order: orderUndo(limits),
    report: ticketUndo,
    decision: decisionUndo,
    "problem decision": problemDecisionUndo,
    verification: verificationUndo,
    appointment: appointmentUndo,
    withdrawal: withdrawalUndo,
    prices: pricesUndo,
    announcement: announcementUndo,
    reply: replyUndo,
  };
}

/** The result of an undo; "too late" also for a removal by another user. */
type UndoOutcome =
  | { kind: Kind; result: "undone" | "impossible"; reason?: string }
  | { kind?: undefined; result: "too late" };

/** Undoes what the actor did less than ten minutes ago. A repeated undo succeeds again. */
export async function undoRemoval(
  db: Db,
  actor: Viewer,
  removalId: string,
  limits: ReservationLimits,
): Promise<UndoOutcome> {
  const removal = await findUndoable(db, actor, removalId);
  if (!removal) return { result: "too late" };
  const { kind, targetId, undoneAt } = removal;
  const { undo, isUndone, texts } = undosOf(limits)[kind];
  if (undoneAt) return (await isUndone(db, targetId)) ? { kind, result: "undone" } : { result: "too late" };
  const refusal = await undo(db, actor, { id: removalId, targetId });
  if (!refusal) return { kind, result: "undone" };
  // A concurrent undo may have succeeded.
  const now = await findUndoable(db, actor, removalId);
  if (now?.undoneAt) return { kind, result: "undone" };
  return { kind, result: "impossible", reason: texts.refusals?.[refusal] };
}

/** Undoes several removals, and returns the toast for the result. */
export async function undoRemovals(db: Db, actor: Viewer, removalIds: string[], limits: ReservationLimits) {
  const outcomes: UndoOutcome[] = [];
  for (const removalId of removalIds) outcomes.push(await undoRemoval(db, actor, removalId, limits));
  const undone = outcomes.find(({ result }) => result === "undone");
  const failed = outcomes.filter(({ result }) => result !== "undone");
  const undos = undosOf(limits);
  const messageOf = (outcome: UndoOutcome) =>
    outcome.result === "too late" ? tooLate : (outcome.reason ?? undos[outcome.kind].texts[outcome.result]);
  const failureText = failed[0] && messageOf(failed[0]);
  if (!undone?.kind) return failure(failureText ?? tooLate);
  if (outcomes.length === 1) return success(messageOf(undone));
  const restored = outcomes.length - failed.length;
  const { many } = undos[undone.kind].texts;
  return failureText === undefined
    ? success(`${restored} ${many}`)
    : failure(`${restored} of ${outcomes.length} ${many}. ${failureText}`);
}

const success = (message: string) => ({ kind: "success", message }) as const;
const failure = (message: string) => ({ kind: "error", message }) as const;

const tooLate = "It’s too late to undo this.";
