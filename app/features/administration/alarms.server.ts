import { and, desc, eq, gt, isNull } from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import type { SystemAlarm } from "#app/db/enums.ts";
import { notifications, users } from "#app/db/schema.ts";
import { dayMs, hourMs } from "#app/time.ts";
import { hasPermission } from "../accounts/account-access.server.ts";
import { alarmLimits } from "../notifications/alarm-text.ts";
import { findLateEmails } from "../notifications/due-emails.server.ts";
import { findLastBackup } from "./backup.server.ts";
import { countErrors } from "./recorded-errors.server.ts";

/** What the scheduled jobs know of themselves. */
interface JobsState {
  failedJobs: string[];
  /** The storage of backups, if there is one. */
  backups: R2Bucket | undefined;
}

/**
 * Notifies administrators of what needs a look: of each alarm once a day, and at most once an hour. What comes up in between
 * waits for the next run after that.
 */
export async function notifyOfAlarms(db: Db, jobs: JobsState): Promise<void> {
  const now = new Date();
  const alarms = await findAlarms(db, jobs, now);
  if (alarms.length === 0) return;
  const isAdministrator = and(hasPermission("see the system"), isNull(users.removalId));
  const earlier = await db
    .select({ details: notifications.details, createdAt: notifications.createdAt })
    .from(notifications)
    .innerJoin(users, eq(users.id, notifications.userId))
    .where(
      and(
        isAdministrator,
        eq(notifications.kind, "system alarm"),
        gt(notifications.createdAt, new Date(now.getTime() - dayMs)),
      ),
    )
    .orderBy(desc(notifications.createdAt));
  const [last] = earlier;
  if (last && last.createdAt.getTime() > now.getTime() - hourMs) return;
  const isTold = (alarm: SystemAlarm) =>
    earlier.some(({ details }) => details && "alarms" in details && details.alarms.includes(alarm));
  const fresh = alarms.filter(({ alarm }) => !isTold(alarm));
  if (fresh.length === 0) return;
  const administrators = await db.select({ id: users.id }).from(users).where(isAdministrator);
  for (const { id } of administrators) {
    await db
      .insert(notifications)
      .values({
        id: timeOrderedId(),
        userId: id,
        kind: "system alarm",
        subject: "",
        details: {
          alarms: fresh.map(({ alarm }) => alarm),
          figures: Object.fromEntries(fresh.map(({ alarm, figure }) => [alarm, figure])),
        },
        path: "/manage/system",
        // Of two runs at once, one tells it.
        event: `system alarm ${now.toISOString().slice(0, 13)}`,
        createdAt: now,
      })
      .onConflictDoNothing();
  }
}

/** What has reached its limit, with the figure. */
async function findAlarms(
  db: Db,
  { failedJobs, backups }: JobsState,
  now: Date,
): Promise<{ alarm: SystemAlarm; figure: number }[]> {
  // A new deployment has no backup yet.
  const backup = backups && (await findLastBackup(backups, now));
  const lateMinutes = await findLateEmails(db, now);
  const errors = await countErrors(db, now);
  const figures: Record<SystemAlarm, number | null> = {
    jobs: failedJobs.length > 0 ? failedJobs.length : null,
    emails: lateMinutes,
    backup: backup?.isLate ? backup.hoursOld : null,
    errors: errors >= alarmLimits.errors ? errors : null,
  };
  return (Object.keys(figures) as SystemAlarm[]).flatMap((alarm) => {
    const figure = figures[alarm];
    return figure === null ? [] : { alarm, figure };
  });
}
