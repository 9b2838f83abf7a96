import { and, eq, exists, isNull, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { activity, contentReports, decisions, users } from "#app/db/schema.ts";
import type { ActivityAction } from "#app/db/values.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { activityValues } from "../audit/activity.server.ts";
import { insertNotifications, notificationValues } from "../notifications/notify.server.ts";
import type { ModeratorDecision } from "./decision.rules.ts";

const actions: Record<ModeratorDecision, ActivityAction> = {
  dismiss: "dismissed reports",
  hide: "hid content",
  remove: "removed listing",
  warn: "warned user",
  suspend: "suspended user",
  approve: "approved listing",
  uphold: "upheld decision",
  reverse: "reversed decision",
};

/** Decisions that may answer reports. */
const ofReports: ReadonlySet<ModeratorDecision> = new Set(["dismiss", "hide", "remove", "warn", "suspend"]);

/** Writes a decision into the activity log, which says so if nobody had reported the target. */
export function recordDecision(db: Db, moderator: Viewer, id: string, decision: ModeratorDecision) {
  const isReported = exists(
    db.select({ one: sql`1` }).from(contentReports).where(eq(contentReports.decisionId, id)),
  );
  const target = sql`${decisions.target} || iif(${isReported}, '', ' (not reported)')`;
  const action: ActivityAction = "dismissed signals";
  return db.insert(activity).select(
    db
      .select({
        ...activityValues(
          moderator,
          actions[decision],
          decisions.targetId,
          ofReports.has(decision) ? target : decisions.target,
        ),
        ...(decision === "dismiss" && {
          action: sql<ActivityAction>`iif(${isReported}, ${actions.dismiss}, ${action})`.as("action"),
        }),
      })
      .from(decisions)
      .where(eq(decisions.id, id)),
  );
}

/** Tells the owner, unless the account has been removed. The reply to an answer leads to the decision it is about. */
export function notifyOwner(db: Db, id: string) {
  const path = sql`'/manage/decisions/' || iif(${decisions.kind} in ('uphold', 'reverse'), ${decisions.previousId}, ${decisions.id})`;
  return insertNotifications(db)
    .select(
      db
        .select(
          notificationValues("decision", {
            userId: decisions.ownerId,
            subject: decisions.target,
            path,
            event: sql`'decision ' || ${decisions.id}`,
          }),
        )
        .from(decisions)
        .innerJoin(users, and(eq(users.id, decisions.ownerId), isNull(users.removalId)))
        .where(eq(decisions.id, id)),
    )
    .onConflictDoNothing();
}
