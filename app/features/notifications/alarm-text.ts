import type { SystemAlarm } from "#app/db/enums.ts";
import { countLabel } from "#app/market.ts";

/** Administrators are told of what reaches its limit, and of each job that failed. */
export const alarmLimits = {
  /** That an email waits: the jobs run every ten minutes. */
  emailMinutes: 30,
  /** Since the last backup: there is one each day. */
  backupHours: 48,
  /** Within an hour. */
  errors: 20,
} as const;

/** What an alarm says, and the figure with its unit. */
const texts: Record<SystemAlarm, [text: string, figure: (figure: string) => string]> = {
  jobs: ["scheduled jobs failed", (figure) => figure],
  emails: ["emails aren’t going out", (figure) => `${figure} minutes, limit ${alarmLimits.emailMinutes}`],
  backup: ["the last backup is too old", (figure) => `${figure} hours, limit ${alarmLimits.backupHours}`],
  errors: ["many pages fail", (figure) => `${figure} errors in an hour, limit ${alarmLimits.errors}`],
};

/** "scheduled jobs failed (2), many pages fail (25 errors in an hour, limit 20)". Earlier alarms have no figures. */
export function alarmText(alarms: SystemAlarm[], figures: Partial<Record<SystemAlarm, number>> = {}): string {
  return alarms
    .map((alarm) => {
      const [text, withUnit] = texts[alarm];
      const figure = figures[alarm];
      return figure === undefined ? text : `${text} (${withUnit(countLabel(figure))})`;
    })
    .join(", ");
}
