import { and, eq, inArray, isNotNull, isNull, lte, not, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import { freeStatuses } from "#app/db/enums.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import {
  contentReports,
  decisions,
  messages,
  phones,
  removals,
  reviews,
  signals,
  users,
} from "#app/db/schema.ts";
import { may } from "../../accounts/permissions.ts";
import type { Viewer } from "../../accounts/viewer.ts";
import { addActivity } from "../../audit/activity.server.ts";
import { takeBackNotification } from "../../audit/notify.server.ts";
import {
  hasLaterDecision,
  isNotUndone,
  markUndone,
  type Removal,
  type UndoHandler,
} from "../../audit/removals.server.ts";
import { imeiIfStillFree, removalOfSeller, returnedOrderId } from "../../listings/listing-removal.server.ts";
import {
  delayReservations,
  holdSales,
  resumeSales,
  takeBackSuspensionNotices,
} from "../../orders/order-steps.server.ts";
import { isHideable, removable } from "./decision-conditions.server.ts";

type Decision = typeof decisions.$inferSelect;

/**
 * Hides what a decision hides, and begins its suspension. Statements for a batch.
 *
 * @param replacedId the suspension that it replaces
 */
export function applyDecisionEffects(
  db: Db,
  decision: Pick<Decision, "id" | "kind" | "targetKind" | "targetId" | "ownerId" | "until">,
  replacedId: SQL = sql`null`,
) {
  const { id, kind, targetKind, targetId, ownerId, until } = decision;
  if (kind === "suspend") {
    return [
      db
        .update(users)
        .set({ suspensionId: id, suspendedUntil: until })
        .where(
          and(eq(users.id, ownerId), or(isNull(users.suspensionId), eq(users.suspensionId, replacedId))),
        ),
      db
        .update(phones)
        .set({ hiddenById: id })
        .where(
          and(
            eq(phones.sellerId, ownerId),
            inArray(phones.status, freeStatuses),
            or(isNull(phones.hiddenById), eq(phones.hiddenById, replacedId)),
          ),
        ),
      ...holdSales(db, ownerId, id, replacedId, new Date()),
      delayReservations(db, ownerId, new Date()),
    ] as const;
  }
  if (kind !== "hide" && kind !== "remove" && kind !== "hold") return [];
  if (targetKind === "review" || targetKind === "message") {
    const table = targetKind === "review" ? reviews : messages;
    return [
      db
        .update(table)
        .set({ hiddenById: id })
        .where(and(eq(table.id, targetId), isNull(table.hiddenById))),
    ] as const;
  }
  return [
    db
      .update(phones)
      .set({ hiddenById: id })
      .where(and(eq(phones.id, targetId), isHideable(db, kind === "remove" ? removable : undefined))),
  ] as const;
}

/**
 * Shows again what a decision hides, and ends its suspension. Statements for a batch.
 *
 * @param isTold whether the buyers of a suspended seller learn that the suspension is over
 */
export function liftDecisionEffects(db: Db, id: string | SQL, { isTold } = { isTold: true }) {
  const column = (name: "target_id" | "owner_id") =>
    sql`(select ended.${sql.raw(name)} from ${decisions} as ended where ended.id = ${id})`;
  return [
    db
      .update(users)
      .set({ suspensionId: null, suspendedUntil: null })
      .where(and(eq(users.id, column("owner_id")), eq(users.suspensionId, sql`${id}`))),
    db
      .update(phones)
      .set({
        hiddenById: sql`coalesce(${removalOfSeller}, ${returnedOrderId})`,
        imeiHash: imeiIfStillFree(db),
      })
      .where(eq(phones.hiddenById, sql`${id}`)),
    ...[reviews, messages].map((table) =>
      db
        .update(table)
        .set({ hiddenById: null })
        .where(and(eq(table.id, column("target_id")), eq(table.hiddenById, sql`${id}`))),
    ),
    ...resumeSales(db, column("owner_id"), id, new Date(), { isTold }),
  ] as const;
}

/** Suspensions that one run of the job ends; the next run continues. */
const maxEnded = 50;

/** Ends the suspensions that are over and lists what they hid again. */
export async function endSuspensions(db: Db, now = new Date()): Promise<void> {
  const over = await db
    .select({ id: decisions.id })
    .from(decisions)
    .where(
      and(
        eq(decisions.kind, "suspend"),
        isNull(decisions.endedAt),
        isNotNull(decisions.until),
        lte(decisions.until, now),
      ),
    )
    .orderBy(decisions.until)
    .limit(maxEnded);
  for (const { id } of over) {
    await db.batch([
      ...liftDecisionEffects(db, id),
      db
        .update(decisions)
        .set({ endedAt: now })
        .where(and(eq(decisions.id, id), isNull(decisions.endedAt))),
    ]);
  }
}

export const decisionUndo: UndoHandler = {
  undo: undoDecision,
  isUndone: async () => true,
  texts: {
    undone: "Decision undone",
    many: "decisions undone",
    impossible:
      "We can’t undo this decision: a later one depends on it, or the listing has been booked or changed since.",
  },
};

/**
 * Undoes a decision and opens its reports and signals again, unless a later decision depends on it, or an approved listing
 * has been booked or removed since.
 */
async function undoDecision(db: Db, actor: Viewer, { id }: Pick<Removal, "id">) {
  const now = new Date();
  // The role of a moderator may have been withdrawn since.
  if (!may(actor, "moderate")) return "not allowed";
  const [decision] = await db.select().from(decisions).where(eq(decisions.id, id));
  if (!decision) return "not found";
  const { previousId, kind } = decision;
  const [found] = previousId ? await db.select().from(decisions).where(eq(decisions.id, previousId)) : [];
  // What had ended before, such as a suspension that was over when its appeal was answered, stays so.
  const previous = found?.endedAt?.getTime() === decision.createdAt.getTime() ? found : undefined;
  const other = alias(contentReports, "other");
  const isReportedAgain = hasRow(
    db,
    other,
    and(
      eq(other.targetKind, contentReports.targetKind),
      eq(other.targetId, contentReports.targetId),
      eq(other.reporterId, contentReports.reporterId),
      isNull(other.decisionId),
    ),
  );
  const isDependedOn = hasLaterDecision(db, id);
  // Loaded on demand: few decisions end another.
  const { resumeBuyerEmails, resumeEmail } = await import("./decision-emails.server.ts");
  return batchUnless(
    db,
    {
      "undone before": hasRow(db, removals, isNotUndone(id)),
      "later decision": not(isDependedOn),
      "listing changed": kind === "approve" ? isStillListed(db, decision) : undefined,
    },
    [
      markUndone(db, { id }, now),
      ...revertedEffects(db, decision, previous),
      db
        .update(contentReports)
        .set({ decisionId: null })
        .where(and(eq(contentReports.decisionId, id), not(isReportedAgain))),
      db
        .update(signals)
        .set({ decisionId: null })
        .where(
          and(
            eq(signals.targetKind, decision.targetKind),
            eq(signals.targetId, decision.targetId),
            eq(signals.decisionId, id),
          ),
        ),
      ...(previous
        ? [
            db.update(decisions).set({ endedAt: null }).where(eq(decisions.id, previous.id)),
            resumeEmail(db, previous.ownerId, `decision ${previous.id}`),
          ]
        : []),
      db.update(decisions).set({ endedAt: now }).where(eq(decisions.id, id)),
      ...(kind === "suspend" || kind === "reverse"
        ? [resumeBuyerEmails(db, decision.ownerId, decision.createdAt)]
        : []),
      takeBackNotification(db, decision.ownerId, `decision ${id}`),
      addActivity(db, actor, "undid decision", decision.targetId, decision.target, {
        details: { targetKind: decision.targetKind },
      }),
    ],
  );
}

/** The listing of an approval has not been booked, changed or removed since. */
function isStillListed(db: Db, { targetId }: Decision) {
  return hasRow(
    db,
    phones,
    and(eq(phones.id, targetId), eq(phones.status, "available"), isNull(phones.hiddenById)),
  );
}

function revertedEffects(db: Db, decision: Decision, previous: Decision | undefined) {
  const { id, kind, ownerId } = decision;
  if (kind === "approve" || kind === "reverse") {
    if (!previous) return [];
    const effects = applyDecisionEffects(db, previous, sql`${previous.previousId}`);
    return previous.kind === "suspend"
      ? [...effects, takeBackSuspensionNotices(db, "seller back", ownerId, previous.id)]
      : effects;
  }
  const effects = previous
    ? restorePrevious(db, decision, previous)
    : liftDecisionEffects(db, id, { isTold: false });
  return kind === "suspend"
    ? [...effects, takeBackSuspensionNotices(db, "seller suspended", ownerId, id)]
    : effects;
}

/** Puts back what the decision replaced: a hold of the listing, or a suspension of the owner. */
function restorePrevious(db: Db, { id, ownerId }: Decision, previous: Decision) {
  return [
    db.update(phones).set({ hiddenById: previous.id }).where(eq(phones.hiddenById, id)),
    db
      .update(users)
      .set({ suspensionId: previous.id, suspendedUntil: previous.until })
      .where(and(eq(users.id, ownerId), eq(users.suspensionId, id))),
  ];
}
