import { eq, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import { activity, contentReports, decisions } from "#app/db/schema.ts";
import type { ActivityAction } from "#app/db/values.ts";
import type { Viewer } from "../../accounts/viewer.ts";
import { activityValues } from "../../audit/activity.server.ts";
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

/** Decisions that may close reports. */
const ofReports: ReadonlySet<ModeratorDecision> = new Set(["dismiss", "hide", "remove", "warn", "suspend"]);

/** Writes a decision into the activity log, which says so if nobody had reported the target. */
export function logDecision(db: Db, moderator: Viewer, id: string, decision: ModeratorDecision) {
  const isReported = hasRow(db, contentReports, eq(contentReports.decisionId, id));
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
