import { and, eq, exists, gt, inArray, isNull, sql } from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { contentReports, decisions, notifications, orderProblems, users } from "#app/db/schema.ts";
import { countLabel } from "#app/market.ts";
import { dayMs } from "#app/time.ts";
import { hasPermission } from "../accounts/account-access.server.ts";
import { waitsForModerators } from "../order-problems/order-problem-details.server.ts";
import { hasOpenAppeal } from "./decisions/decision-conditions.server.ts";
import { isHeld } from "./moderation-queue.server.ts";
import { urgentReasons } from "./reports/content-report.rules.ts";
import { findTarget } from "./target.server.ts";

/** How many targets wait for a moderator: reported, held, with an appeal, or a problem with an order. Signals alone don't count. */
export async function countWaitingCases(db: Db): Promise<number> {
  const reported = db
    .selectDistinct({ kind: contentReports.kind, id: contentReports.targetId })
    .from(contentReports)
    .where(isNull(contentReports.decisionId))
    .as("reported");
  const held = db.select({ count: sql`count(*)` }).from(decisions).where(isHeld(db));
  const appealed = db.select({ count: sql`count(*)` }).from(decisions).where(hasOpenAppeal(db));
  const problems = db.select({ count: sql`count(*)` }).from(orderProblems).where(waitsForModerators);
  const [waiting] = await db
    .select({ count: sql<number>`count(*) + (${held}) + (${appealed}) + (${problems})` })
    .from(reported);
  return waiting?.count ?? 0;
}

/** Tells moderators once a day how many cases wait. */
export async function remindModerators(db: Db, now = new Date()): Promise<void> {
  const count = await countWaitingCases(db);
  if (count === 0) return;
  await notifyModerators(db, {
    kind: "cases waiting",
    subject: count === 1 ? "1 case" : `${countLabel(count)} cases`,
    path: "/manage/moderation",
    event: `cases waiting ${now.toISOString().slice(0, 10)}`,
  });
}

/** Targets of one run; the next run continues. */
const maxUrgent = 20;

/** Tells moderators of reports that can't wait until tomorrow, once for each target. */
export async function alertModerators(db: Db, now = new Date()): Promise<void> {
  const event = sql<string>`'urgent case ' || ${contentReports.kind} || ' ' || ${contentReports.targetId}`;
  const isTold = exists(db.select({ one: sql`1` }).from(notifications).where(eq(notifications.event, event)));
  const urgent = await db
    .selectDistinct({
      kind: contentReports.kind,
      targetId: contentReports.targetId,
      event: event.as("event"),
    })
    .from(contentReports)
    .where(
      and(
        isNull(contentReports.decisionId),
        gt(contentReports.createdAt, new Date(now.getTime() - dayMs)),
        inArray(contentReports.reason, urgentReasons),
        sql`not ${isTold}`,
      ),
    )
    .limit(maxUrgent);
  for (const { kind, targetId, event } of urgent) {
    const target = await findTarget(db, kind, targetId);
    if (!target) continue;
    const path = `/manage/moderation/${kind}/${targetId}`;
    await notifyModerators(db, { kind: "urgent case", subject: target.name, path, event });
  }
}

async function notifyModerators(
  db: Db,
  notification: Pick<typeof notifications.$inferInsert, "kind" | "subject" | "path" | "event">,
): Promise<void> {
  const moderators = await db
    .select({ id: users.id })
    .from(users)
    .where(and(hasPermission("moderate"), isNull(users.removalId)));
  for (const { id } of moderators) {
    await db
      .insert(notifications)
      .values({ ...notification, id: timeOrderedId(), userId: id })
      .onConflictDoNothing();
  }
}
