import { and, eq, isNotNull, isNull } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { orders, phones, reports, users } from "#app/db/schema.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { findUndoable } from "../audit/removals.server.ts";
import { restorePhone } from "../listings/listing-removal.server.ts";
import { undoDecision } from "../moderation/decisions/decision-effects.server.ts";
import type { ReservationLimits } from "../orders/booking.server.ts";
import { restoreReport } from "../problem-reports/reports.server.ts";
import { restoreOrder } from "./order-restoring.server.ts";
import { restoreUser, undoModeratorChange, undoVerification } from "./user-actions.server.ts";

type Kind = keyof typeof restore | "order";

/** The result of an undo; "too late" also for a removal by another user. */
type UndoOutcome = { kind: Kind; result: "undone" | "impossible" } | { kind?: undefined; result: "too late" };

const restore = {
  user: restoreUser,
  phone: restorePhone,
  report: restoreReport,
  decision: undoDecision,
  verification: undoVerification,
  appointment: undoModeratorChange,
  withdrawal: undoModeratorChange,
};

/** Restores what the actor removed less than ten minutes ago. A repeated undo succeeds again. */
export async function undoRemoval(
  db: Db,
  actor: Viewer,
  removalId: string,
  limits?: ReservationLimits,
): Promise<UndoOutcome> {
  const removal = await findUndoable(db, actor, removalId);
  if (!removal) return { result: "too late" };
  const { kind, targetId, undoneAt } = removal;
  if (undoneAt)
    return (await isUndone(db, kind, targetId)) ? { kind, result: "undone" } : { result: "too late" };
  const given = { id: removalId, targetId };
  const isRestored =
    kind === "order" ? await restoreOrder(db, actor, given, limits) : await restore[kind](db, actor, given);
  if (isRestored) return { kind, result: "undone" };
  // A concurrent undo may have succeeded.
  const now = await findUndoable(db, actor, removalId);
  return { kind, result: now?.undoneAt ? "undone" : "impossible" };
}

/** Restores several removals, and returns the toast for the result. */
export async function undoRemovals(db: Db, actor: Viewer, removalIds: string[], limits?: ReservationLimits) {
  const outcomes: UndoOutcome[] = [];
  for (const removalId of removalIds) outcomes.push(await undoRemoval(db, actor, removalId, limits));
  const undone = outcomes.find(({ result }) => result === "undone");
  const failed = outcomes.filter(({ result }) => result !== "undone");
  const failureText = failed[0] && messageOf(failed[0]);
  if (!undone?.kind) return failure(failureText ?? tooLate);
  if (outcomes.length === 1) return success(messageOf(undone));
  const restored = outcomes.length - failed.length;
  const { many } = messages[undone.kind];
  return failureText === undefined
    ? success(`${restored} ${many}`)
    : failure(`${restored} of ${outcomes.length} ${many}. ${failureText}`);
}

const tables = { user: users, phone: phones, order: orders, report: reports };

/** False if the row has been removed again since it was restored. */
async function isUndone(db: Db, kind: Kind, id: string): Promise<boolean> {
  if (kind === "decision") return true;
  if (kind === "verification") return !(await isVerified(db, id));
  if (kind === "appointment" || kind === "withdrawal") {
    return (await isModerator(db, id)) === (kind === "withdrawal");
  }
  const { [kind]: table } = tables;
  const rows = await db
    .select({ id: table.id })
    .from(table)
    .where(and(eq(table.id, id), isNull(table.removalId)));
  return rows.length > 0;
}

async function isVerified(db: Db, sellerId: string): Promise<boolean> {
  return (await db.$count(users, and(eq(users.id, sellerId), isNotNull(users.verified)))) > 0;
}

async function isModerator(db: Db, id: string): Promise<boolean> {
  return (await db.$count(users, and(eq(users.id, id), isNotNull(users.moderatorSince)))) > 0;
}

const success = (message: string) => ({ kind: "success", message }) as const;
const failure = (message: string) => ({ kind: "error", message }) as const;

const tooLate = "This can no longer be undone.";

function messageOf(outcome: UndoOutcome): string {
  return outcome.result === "too late" ? tooLate : messages[outcome.kind][outcome.result];
}

const messages: Record<Kind, { undone: string; many: string; impossible: string }> = {
  user: {
    undone: "User Restored",
    many: "users restored",
    impossible:
      "Another account now uses this email address or Google account, so the user cannot be restored.",
  },
  phone: {
    undone: "Post Restored",
    many: "listings restored",
    impossible: "The post cannot be restored, because its seller has been removed.",
  },
  order: {
    undone: "Order Restored",
    many: "orders restored",
    impossible:
      "The order cannot be restored, because the device has been booked or removed, the buyer has been removed, or the buyer has too many other reservations.",
  },
  report: {
    undone: "Report Restored",
    many: "reports restored",
    impossible: "The report cannot be restored.",
  },
  decision: {
    undone: "The decision has been undone.",
    many: "decisions undone",
    impossible:
      "The decision cannot be undone. A later decision depends on this one, or the listing has been booked or changed since.",
  },
  verification: {
    undone: "The seller is no longer verified.",
    many: "verifications undone",
    impossible: "The verification cannot be undone.",
  },
  appointment: {
    undone: "The user is not a moderator.",
    many: "appointments undone",
    impossible: "This cannot be undone, because the role has changed since.",
  },
  withdrawal: {
    undone: "The user is a moderator again.",
    many: "withdrawals undone",
    impossible: "This cannot be undone, because the role has changed since, or the account is suspended.",
  },
};
