import { and, eq, isNotNull, isNull } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { bookings, phones, reports, users } from "#app/db/schema.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { findUndoable } from "../audit/removals.server.ts";
import { restorePhone } from "../listings/listing-removal.server.ts";
import { undoDecision } from "../moderation/decision-undo.server.ts";
import { restoreReport } from "../moderation/reports.server.ts";
import { restoreOrder } from "./order-restoring.server.ts";
import { undoVerification } from "./seller-verification.server.ts";
import { restoreUser } from "./user-removal.server.ts";

type Kind = keyof typeof restore;

/** The result of an undo; "not undoable" also for a removal by another user. */
type UndoOutcome = `${Kind} restored` | `${Kind} impossible` | "not undoable";

const restore = {
  user: restoreUser,
  phone: restorePhone,
  order: restoreOrder,
  report: restoreReport,
  decision: undoDecision,
  verification: undoVerification,
};

/** Restores what the actor removed less than ten minutes ago. A repeated undo succeeds again. */
export async function undoRemoval(db: Db, actor: Viewer, removalId: string): Promise<UndoOutcome> {
  const removal = await findUndoable(db, actor, removalId);
  if (!removal) return "not undoable";
  const { kind, targetId, undoneAt } = removal;
  if (undoneAt) return (await isPresent(db, kind, targetId)) ? `${kind} restored` : "not undoable";
  if (await restore[kind](db, actor, removalId)) return `${kind} restored`;
  // A concurrent undo may have succeeded.
  const now = await findUndoable(db, actor, removalId);
  return now?.undoneAt ? `${kind} restored` : `${kind} impossible`;
}

const results: Record<Kind, string> = {
  user: "users restored",
  phone: "listings restored",
  order: "orders restored",
  report: "reports restored",
  decision: "decisions undone",
  verification: "verifications undone",
};

/** Restores several removals, and returns the toast for the result. */
export async function undoRemovals(db: Db, actor: Viewer, removalIds: string[]) {
  const outcomes: UndoOutcome[] = [];
  for (const removalId of removalIds) outcomes.push(await undoRemoval(db, actor, removalId));
  const failed = outcomes.filter((outcome) => !outcome.endsWith("restored"));
  const [first = "not undoable"] = failed.length > 0 ? failed : outcomes;
  if (outcomes.length <= 1 || failed.length === outcomes.length) return messages[first];
  const kind = Object.keys(results).find((name) =>
    outcomes.some((outcome) => outcome.startsWith(name)),
  ) as Kind;
  const restored = outcomes.length - failed.length;
  return failed.length === 0
    ? success(`${restored} ${results[kind]}`)
    : failure(`${restored} of ${outcomes.length} ${results[kind]}. ${messages[first].message}`);
}

const tables = { user: users, phone: phones, order: bookings, report: reports };

async function isPresent(db: Db, kind: Kind, id: string): Promise<boolean> {
  if (kind === "decision") return true;
  if (kind === "verification") return !(await isVerified(db, id));
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

const success = (message: string) => ({ kind: "success", message }) as const;
const failure = (message: string) => ({ kind: "error", message }) as const;

const messages = {
  "user restored": success("User Restored"),
  "phone restored": success("Post Restored"),
  "order restored": success("Order Restored"),
  "report restored": success("Report Restored"),
  "decision restored": success("The decision has been undone."),
  "verification restored": success("The seller is no longer verified."),
  "user impossible": failure(
    "Another account now uses this email address or Google account, so the user cannot be restored.",
  ),
  "phone impossible": failure("The post cannot be restored, because its seller has been removed."),
  "order impossible": failure(
    "The order cannot be restored, because the device has been booked or removed, or the buyer has been removed.",
  ),
  "report impossible": failure("The report cannot be restored."),
  "decision impossible": failure(
    "The decision cannot be undone, because the listing has been booked or changed since.",
  ),
  "verification impossible": failure("The verification cannot be undone."),
  "not undoable": failure("This can no longer be undone."),
} as const satisfies Record<UndoOutcome, { kind: "success" | "error"; message: string }>;
