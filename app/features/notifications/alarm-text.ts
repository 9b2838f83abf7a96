import type { SystemAlarm } from "#app/db/enums.ts";
import { countLabel } from "#app/market.ts";

/** Administrators are told of what is beyond its limit. */
export const alarmLimits = {
  /** That failed in a run. */
  jobs: 0,
  /** That an email waits: the jobs run every ten minutes. */
  emailMinutes: 30,
  /** Since the last backup: there is one each day. */
  backupHours: 48,
  /** Within an hour. */
  errors: 20,
} as const;

const texts: Record<SystemAlarm, (figure: number) => string> = {
  jobs: (figure) => `${countLabel(figure)} scheduled ${figure === 1 ? "job" : "jobs"} failed`,
  emails: (figure) =>
    `an email has waited ${countLabel(figure)} minutes (limit: ${alarmLimits.emailMinutes})`,
  backup: (figure) =>
    `the last backup is ${countLabel(figure)} hours old (limit: ${alarmLimits.backupHours})`,
  errors: (figure) => `${countLabel(figure)} errors within an hour (limit: ${alarmLimits.errors})`,
};

/** Of an alarm that was told without its figure. */
const shortTexts: Record<SystemAlarm, string> = {
  jobs: "scheduled jobs failed",
  emails: "emails aren’t going out",
  backup: "the last backup is too old",
  errors: "many pages fail",
};

/** "2 scheduled jobs failed, 25 errors within an hour (limit: 20)". */
export function alarmText(alarms: SystemAlarm[], figures: Partial<Record<SystemAlarm, number>> = {}): string {
  return alarms
    .map((alarm) => {
      const figure = figures[alarm];
      return figure === undefined ? shortTexts[alarm] : texts[alarm](figure);
    })
    .join(", ");
}
