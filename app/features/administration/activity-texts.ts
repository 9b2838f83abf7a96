import type { ActivityDetails } from "#app/db/enums.ts";
import { targetLabel } from "../moderation/reports/content-report.rules.ts";
import { workNames } from "../notifications/work-text.ts";

/** What an action of the activity log was about, in words. */
export function activityTargetText(row: { target: string; details: ActivityDetails | null }): string {
  const { targetKind, isUnreported, work, into } = row.details ?? {};
  if (work) return workNames[work][0];
  if (into) return `${row.target} into ${into}`;
  const target = targetKind ? targetLabel(targetKind, row.target) : row.target;
  return isUnreported ? `${target} (no reports)` : target;
}
