import { and, eq, gt, inArray, isNull, not, notInArray, type SQL, sql } from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import type { ContentReportReason } from "#app/db/enums.ts";
import { contentReports, notifications, orderProblems, orders, users } from "#app/db/schema.ts";
import { dayMs } from "#app/time.ts";
import { hasPermission } from "../accounts/account-access.server.ts";
import { system } from "../accounts/viewer.ts";
import { isOverdueDecision } from "../order-problems/order-problems.server.ts";
import { urgentReasons } from "./reports/content-report.rules.ts";
import { findTarget } from "./target.server.ts";

/** Targets of one run; the next run continues. */
const maxUrgent = 20;

/** Tells moderators of reports that can't wait until tomorrow and of overdue problems with orders, once for each. */
export async function alertModerators(db: Db, now = new Date()): Promise<void> {
  await alertOfOverdueProblems(db, now);
  const event = sql<string>`'urgent case ' || ${contentReports.targetKind} || ' ' || ${contentReports.targetId}`;
  const urgent = await db
    .select({
      kind: contentReports.targetKind,
      targetId: contentReports.targetId,
      reason: sql<ContentReportReason>`max(${contentReports.reason})`.as("reason"),
      event: event.as("event"),
    })
    .from(contentReports)
    .where(
      and(
        isNull(contentReports.decisionId),
        gt(contentReports.createdAt, new Date(now.getTime() - dayMs)),
        inArray(contentReports.reason, urgentReasons),
        not(isTold(db, event)),
      ),
    )
    .groupBy(contentReports.targetKind, contentReports.targetId)
    .limit(maxUrgent);
  for (const { kind, targetId, reason, event } of urgent) {
    const target = await findTarget(db, system, kind, targetId);
    if (!target) continue;
    const path = `/manage/moderation/${kind}/${targetId}`;
    await notifyModerators(db, [target.ownerId], {
      subject: target.name,
      details: { urgent: reason, targetKind: kind },
      path,
      event,
    });
  }
}

async function alertOfOverdueProblems(db: Db, now: Date): Promise<void> {
  const event = sql<string>`'overdue problem ' || ${orderProblems.id}`;
  const overdue = await db
    .select({
      id: orderProblems.id,
      buyerId: orderProblems.buyerId,
      sellerId: orderProblems.sellerId,
      productName: orders.productName,
      event: event.as("event"),
    })
    .from(orderProblems)
    .innerJoin(orders, eq(orders.id, orderProblems.orderId))
    .where(and(isOverdueDecision(now), not(isTold(db, event))))
    .limit(maxUrgent);
  for (const { id, buyerId, sellerId, productName, event } of overdue) {
    await notifyModerators(db, [buyerId, sellerId], {
      subject: productName,
      details: { urgent: "overdue order problem" },
      path: `/manage/problems/${id}`,
      event,
    });
  }
}

/** Condition: somebody has been notified of an event. */
function isTold(db: Db, event: SQL) {
  return hasRow(db, notifications, eq(notifications.event, event));
}

/** @param involved whose own case it is: others decide */
async function notifyModerators(
  db: Db,
  involved: string[],
  notification: Pick<typeof notifications.$inferInsert, "subject" | "details" | "path" | "event">,
): Promise<void> {
  const moderators = await db
    .select({ id: users.id })
    .from(users)
    .where(and(hasPermission("moderate"), isNull(users.removalId), notInArray(users.id, involved)));
  for (const { id } of moderators) {
    await db
      .insert(notifications)
      .values({ ...notification, id: timeOrderedId(), userId: id, kind: "urgent case" })
      .onConflictDoNothing();
  }
}
