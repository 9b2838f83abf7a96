import {
  and,
  eq,
  exists,
  gte,
  isNotNull,
  isNull,
  lt,
  ne,
  not,
  notExists,
  type SQL,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import { type Cursor, isBackwards, keysetPage, sortKeyOf, splitValueAndId } from "#app/db/cursor.ts";
import type { TargetKind, WorkKind } from "#app/db/enums.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import {
  contentReports,
  decisions,
  notifications,
  orderProblemSteps,
  orderProblems,
  orders,
  paymentDifferences,
  payments,
  paymentTasks,
  phones,
  signals,
  tickets,
  users,
  workClaims,
} from "#app/db/schema.ts";
import { dayMs } from "#app/time.ts";
import { hasPermission } from "../accounts/account-access.server.ts";
import { may, type Permission, type Permitted } from "../accounts/permissions.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { addActivity } from "../audit/activity.server.ts";
import { isDisputed } from "../audit/order-windows.server.ts";
import { deviceNameColumn } from "../listings/listings.server.ts";
import { hasAppealFor, isOpenHold } from "../moderation/decisions/decision-conditions.server.ts";
import { isOpenSignal } from "../moderation/moderation-queue.server.ts";
import { reasonText, targetLabel, urgentReasons } from "../moderation/reports/content-report.rules.ts";
import { urgentSignals } from "../moderation/signals/signal.rules.ts";
import { isNotOwn } from "../moderation/target.server.ts";
import { workLabel, workNames } from "../notifications/work-text.ts";
import { isOfOthers, waitsForModerators } from "../order-problems/order-problems.server.ts";
import { isReleasableByStaff } from "../payments/money-facts.server.ts";
import { isWorkForStaff } from "../payments/payment-tasks.server.ts";
import { elapsedLabel, maxWorkCount, totalWork, type WorkCounts, workPageSize } from "./work.rules.ts";

interface WorkDefinition {
  permission: Permission;
  /** The path of an item's page, before its id. */
  page: string;
  /** Never urgent and without a due date: read by time, through an index. */
  isNeverUrgent?: true;
  /** The open items, as `item` has them, without the viewer’s own cases. @param id of one alone */
  items(db: Db, viewer: Permitted & Pick<Viewer, "id">, id?: string): SQLWrapper;
  /** SQL for the item’s name, from `work.subject_id`. */
  subject(db: Db): SQLWrapper;
}

/**
 * The columns of an open item; times in milliseconds.
 *
 * @param due until when somebody should decide, if there is an end
 * @param urgency why it is urgent, if it is
 * @param subject what it is about, or the id of that
 */
const item = (columns: {
  id: SQLWrapper;
  subject: SQLWrapper;
  since: SQLWrapper;
  due?: SQLWrapper;
  urgency?: SQLWrapper;
}) => ({
  id: sql`${columns.id}`.as("id"),
  subject: sql`${columns.subject}`.as("subject_id"),
  since: sql`${columns.since}`.as("since"),
  due: sql`${columns.due ?? sql`null`}`.as("due"),
  urgency: sql`${columns.urgency ?? sql`null`}`.as("urgency"),
});

const subjectId = sql`work.subject_id`;

/** Of items whose subject is a text already. */
const asWritten = () => subjectId;

const targetId = (kind: SQLWrapper, id: SQLWrapper) => sql`${kind} || '/' || ${id}`;

/** Condition: of the target that an id of `targetId` names; none without an id. */
function isTarget(table: { targetKind: SQLiteColumn; targetId: SQLiteColumn }, id: string | undefined) {
  if (id === undefined) return undefined;
  const [kind, ...target] = id.split("/");
  return and(sql`${table.targetKind} = ${kind}`, sql`${table.targetId} = ${target.join("/")}`);
}

const isItem = (column: SQLiteColumn, id: string | undefined) =>
  id === undefined ? undefined : eq(column, id);

const decisionsAs = (
  db: Db,
  viewer: Pick<Viewer, "id">,
  id: string | undefined,
  times: { since: SQLWrapper; due?: SQLWrapper },
  condition: SQL | undefined,
) =>
  db
    .select(
      item({
        id: targetId(decisions.targetKind, decisions.targetId),
        subject: decisions.target,
        ...times,
      }),
    )
    .from(decisions)
    .where(and(condition, isNotOwn(decisions, viewer), isTarget(decisions, id)));

/** A constant in a statement. D1 allows a hundred parameters, and the conditions of a claim have all kinds of a page twice. */
const literal = (text: string) => sql.raw(`'${text}'`);

/** Read from the text: `json_each` would count as a row for each signal. */
const urgencyOfSignal = sql`case ${sql.join(
  Object.entries(urgentSignals).map(
    ([urgency, kinds]) =>
      sql`when ${sql.join(
        kinds.map((kind) => sql`instr(${signals.found}, ${literal(`"kind":"${kind}"`)})`),
        sql` or `,
      )} then ${literal(urgency)}`,
  ),
  sql` `,
)} end`;

const urgencyOfReports = sql`max(case when ${contentReports.reason} in (${sql.join(urgentReasons.map(literal), sql`, `)})
  then ${contentReports.reason} end)`;

const deviceOf = (db: Db, id: SQLWrapper) =>
  sql`(${db.select({ name: deviceNameColumn }).from(phones).where(sql`${phones.id} = ${id}`)})`;

const nameOf = (db: Db, id: SQLWrapper) =>
  sql`(${db.select({ name: users.name }).from(users).where(sql`${users.id} = ${id}`)})`;

/** The kind and the id of a target, as columns of its item. */
const kindOfTarget = sql`substr(work.id, 1, instr(work.id, '/') - 1)`;
const idOfTarget = sql`substr(work.id, instr(work.id, '/') + 1)`;

/** For `targetLabel`. */
const nameOfTarget = (db: Db) =>
  sql`case ${kindOfTarget} when 'listing' then coalesce(${deviceOf(db, idOfTarget)}, '')
    else ${nameOf(db, subjectId)} end`;

const casesPage = "/manage/moderation/";

/** What waits for a decision or an answer. The menu's badge, the page Work and the daily email follow from this. */
const workKinds = {
  reports: {
    permission: "moderate",
    page: casesPage,
    items: (db, viewer, id) =>
      db
        .select(
          item({
            id: targetId(contentReports.targetKind, contentReports.targetId),
            subject: sql`max(${contentReports.ownerId})`,
            since: sql`min(${contentReports.createdAt})`,
            urgency: urgencyOfReports,
          }),
        )
        .from(contentReports)
        .where(
          and(
            isNull(contentReports.decisionId),
            isNotOwn(contentReports, viewer),
            isTarget(contentReports, id),
          ),
        )
        .groupBy(contentReports.targetKind, contentReports.targetId),
    subject: nameOfTarget,
  },
  appeals: {
    permission: "moderate",
    page: casesPage,
    items: (db, viewer, id) =>
      decisionsAs(
        db,
        viewer,
        id,
        // Once a suspension is over, an answer comes too late.
        {
          since: decisions.appealedAt,
          due: sql`iif(${decisions.endedAt} is null, ${decisions.until}, null)`,
        },
        hasAppealFor(db, viewer),
      ),
    subject: asWritten,
  },
  "first-listings": {
    permission: "moderate",
    page: casesPage,
    items: (db, viewer, id) => decisionsAs(db, viewer, id, { since: decisions.createdAt }, isOpenHold(db)),
    subject: asWritten,
  },
  signals: {
    permission: "moderate",
    page: casesPage,
    items: (db, viewer, id) =>
      db
        .select(
          item({
            id: targetId(signals.targetKind, signals.targetId),
            subject: signals.ownerId,
            since: signals.createdAt,
            urgency: urgencyOfSignal,
          }),
        )
        .from(signals)
        .innerJoin(users, and(eq(users.id, signals.ownerId), isNull(users.removalId)))
        .leftJoin(phones, and(eq(signals.targetKind, "listing"), eq(phones.id, signals.targetId)))
        .where(and(isOpenSignal(db, viewer), isTarget(signals, id))),
    subject: nameOfTarget,
  },
  "order-problems": {
    permission: "moderate",
    page: "/manage/problems/",
    items: (db, viewer, id) =>
      db
        .select(
          item({
            id: orderProblems.id,
            subject: orderProblems.orderId,
            // When the moderators were asked.
            since: sql`(select ${orderProblemSteps.createdAt} from ${orderProblemSteps}
              where ${orderProblemSteps.id} = ${orderProblems.lastStepId})`,
            due: orderProblems.deadlineAt,
          }),
        )
        .from(orderProblems)
        .where(and(waitsForModerators, isOfOthers(viewer), isItem(orderProblems.id, id))),
    subject: (db) =>
      sql`(${db.select({ name: orders.productName }).from(orders).where(sql`${orders.id} = ${subjectId}`)})`,
  },
  tickets: {
    permission: "read support tickets",
    page: "/manage/reports/",
    isNeverUrgent: true,
    items: (db, _viewer, id) =>
      db
        .select(
          item({
            id: tickets.id,
            subject: sql`coalesce(nullif(substr(${tickets.details}, 1, 200), ''), 'Report without a text')`,
            since: tickets.createdAt,
          }),
        )
        .from(tickets)
        .where(and(eq(tickets.state, "open"), isNull(tickets.removalId), isItem(tickets.id, id))),
    subject: asWritten,
  },
  payments: {
    permission: "manage orders",
    page: "/manage/orders/",
    items: (db, _viewer, id) =>
      db
        .select(
          item({
            id: orders.id,
            subject: sql`${orders.productName} || ' (' || case ${paymentTasks.kind} when 'release' then 'paying the seller'
              when 'refund' then 'paying the buyer back' else 'taking it back from the seller' end
              || ' fails: ' || ${paymentTasks.error} || ')'`,
            since: paymentTasks.createdAt,
          }),
        )
        .from(paymentTasks)
        .innerJoin(orders, eq(orders.id, paymentTasks.orderId))
        .where(and(isWorkForStaff(), isItem(orders.id, id)))
        .unionAll(
          db
            .select(
              item({
                id: orders.id,
                subject: sql`${orders.productName} || ' (ledger and provider differ)'`,
                since: sql`min(${paymentDifferences.createdAt})`,
              }),
            )
            .from(paymentDifferences)
            .innerJoin(orders, eq(orders.id, paymentDifferences.orderId))
            .where(and(isNull(paymentDifferences.solvedAt), isItem(orders.id, id)))
            .groupBy(paymentDifferences.orderId),
        )
        .unionAll(
          db
            .select(
              item({
                id: orders.id,
                subject: sql`${orders.productName} || ' (its seller is suspended for good)'`,
                since: payments.paidAt,
              }),
            )
            // From the few who are suspended on: SQLite does not reorder a cross join.
            .from(users)
            .crossJoin(payments)
            .innerJoin(orders, eq(orders.id, payments.orderId))
            .where(
              and(
                eq(payments.sellerId, users.id),
                // By an index.
                isNotNull(users.suspensionId),
                isNull(users.suspendedUntil),
                isReleasableByStaff(db),
                isItem(orders.id, id),
              ),
            ),
        ),
    subject: asWritten,
  },
  disputes: {
    permission: "manage orders",
    page: "/manage/orders/",
    items: (db, _viewer, id) =>
      db
        .select(item({ id: orders.id, subject: orders.productName, since: payments.disputedAt }))
        .from(payments)
        .innerJoin(orders, eq(orders.id, payments.orderId))
        .where(and(isNull(payments.settledAt), isDisputed, isItem(orders.id, id))),
    subject: asWritten,
  },
  differences: {
    permission: "manage orders",
    // One item, whose page has all of them.
    page: "/manage/payments",
    items: (db, _viewer, id = "") => {
      const isKnown = hasRow(db, orders, eq(orders.id, paymentDifferences.orderId));
      return (
        db
          .select(
            item({
              id: sql`''`,
              subject: sql`'ledger and provider differ, ' || count(*)`,
              since: sql`min(${paymentDifferences.createdAt})`,
            }),
          )
          .from(paymentDifferences)
          .where(and(isNull(paymentDifferences.solvedAt), not(isKnown), id === "" ? undefined : sql`false`))
          // One group of all there is: no item without any.
          .groupBy(sql`null`)
      );
    },
    subject: asWritten,
  },
  sellers: {
    permission: "verify sellers",
    page: "/manage/users/",
    isNeverUrgent: true,
    items: (db, _viewer, id) =>
      db
        .select(item({ id: users.id, subject: users.name, since: users.createdAt }))
        .from(users)
        .where(
          and(
            eq(users.userType, "Seller"),
            eq(users.verified, false),
            isNull(users.removalId),
            // Who sells nothing does not wait.
            hasRow(
              db,
              phones,
              and(eq(phones.sellerId, users.id), isNull(phones.hiddenById), ne(phones.status, "sold")),
            ),
            isItem(users.id, id),
          ),
        ),
    subject: asWritten,
  },
} as const satisfies Record<WorkKind, WorkDefinition>;

const kinds = Object.entries(workKinds) as [WorkKind, WorkDefinition][];

const kindsFor = (user: Permitted) => kinds.filter(([, { permission }]) => may(user, permission));

/** The kinds that a user may work on, as the page names them. */
export function workKindsFor(user: Permitted): { kind: WorkKind; label: string }[] {
  return kindsFor(user).map(([kind]) => ({ kind, label: workLabel(kind) }));
}

/** Counts the open items that a user may work on, by kind. @param most of each kind */
export async function countWork(
  db: Db,
  user: Permitted & Pick<Viewer, "id">,
  most = maxWorkCount,
): Promise<WorkCounts> {
  const counts = kindsFor(user).map(([kind, { items }]) => [
    kind,
    sql<number>`(select count(*) from (select 1 from ${items(db, user)} limit ${most}))`.as(kind),
  ]);
  if (counts.length === 0) return {};
  const [found = {}] = await db.select(Object.fromEntries(counts)).from(sql`(select 1)`);
  return found;
}

/** Added to the time of each item that is neither urgent nor overdue, so that it sorts after all that are. */
const afterUrgent = 1e14;

/** The format of the page's cursor: the rank and the path of an item. */
export const workKey = /^\d{1,15}\.\/[\w/-]{1,120}$/;

export type WorkItem = Awaited<ReturnType<typeof listWork>>["rows"][number];

/**
 * A page of the open items that a user may work on, what is urgent or overdue first, then the oldest, with the counts of
 * all kinds.
 *
 * @param only one kind
 */
export async function listWork(
  db: Db,
  viewer: Viewer,
  { only, cursor = null }: { only?: WorkKind; cursor?: Cursor } = {},
  now = new Date(),
) {
  const chosen = kindsFor(viewer).filter(([kind]) => only === undefined || kind === only);
  // Not one statement: D1 allows five terms in a union.
  const [first, ...others] = chosen.map((kind) => selectWork(db, viewer, kind, cursor, now));
  const ofKinds = first ? await db.batch([first, ...others]) : [];
  const found = ofKinds.flat();
  // The first page of all has read as many of each kind as are counted.
  const isCounted = only === undefined && cursor === null;
  const counts: WorkCounts = isCounted
    ? Object.fromEntries(chosen.map(([kind], index) => [kind, ofKinds[index]?.length ?? 0]))
    : await countWork(db, viewer);
  const sign = isBackwards(cursor) ? -1 : 1;
  const isBefore = (one: (typeof found)[number], other: (typeof found)[number]) =>
    one.rank === other.rank ? one.path < other.path : one.rank < other.rank;
  const rows = found.toSorted((one, other) => (isBefore(one, other) ? -sign : sign));
  const page = keysetPage(rows, cursor, workPageSize, (row) => `${row.rank}.${row.path}`);
  return {
    ...page,
    counts,
    rows: page.rows.map(({ since, due, rank, urgency, targetKind, takerId, takerName, takenAt, ...row }) => ({
      ...row,
      subject: targetKind ? targetLabel(targetKind, row.subject) : row.subject,
      urgency: urgency && reasonText(urgency),
      since: new Date(since),
      due: due === null ? null : new Date(due),
      isUrgent: rank < afterUrgent,
      age: elapsedLabel(new Date(since), now),
      claim: claimOf({ takerId, takerName, takenAt }, viewer, now),
    })),
  };
}

/** The path of what is to be decided next below a path, and nobody else has taken; else of the page Work. */
export async function nextCase(db: Db, viewer: Viewer, below: string, only?: WorkKind): Promise<string> {
  const { rows } = await listWork(db, viewer, { only });
  const next = rows.find(({ path, claim }) => path.startsWith(below) && (!claim || claim.isOwn));
  return next?.path ?? "/manage/work";
}

function selectWork(
  db: Db,
  viewer: Viewer,
  [kind, { page, permission, isNeverUrgent, items, subject }]: [WorkKind, WorkDefinition],
  cursor: Cursor,
  now: Date,
) {
  const backwards = isBackwards(cursor);
  const direction = sql.raw(backwards ? "desc" : "asc");
  const [since, path] = [sql<number>`open.since`, sql<string>`${page} || open.id`];
  const isUrgent = sql`(open.urgency is not null or open.due <= ${now.getTime()})`;
  const rank = sql<number>`open.since + iif(${isUrgent}, 0, ${afterUrgent})`;
  const { value, id } = splitValueAndId(sortKeyOf(cursor) ?? "");
  const comparison = sql.raw(backwards ? "<" : ">");
  const sinceOfCursor = Number(value) - afterUrgent;
  const beyond = isNeverUrgent
    ? sql`${since} ${comparison}= ${sinceOfCursor} and (${since}, ${path}) ${comparison} (${sinceOfCursor}, ${id})`
    : sql`(${rank}, ${path}) ${comparison} (${Number(value)}, ${id})`;
  // One more than a page, to know whether there is another page.
  const shown = sql`(select open.*, ${path} as path, ${rank} as rank from ${items(db, viewer)} as open
    where ${cursor ? beyond : sql`true`}
    order by ${isNeverUrgent ? since : rank} ${direction}, ${isNeverUrgent ? sql`open.id` : path} ${direction}
    limit ${workPageSize + 1}) as work`;
  const workSince = sql<number>`work.since`;
  return db
    .select({
      path: sql<string>`work.path`.as("path"),
      targetKind: sql<TargetKind | null>`${page === casesPage ? kindOfTarget : sql`null`}`.as("target_kind"),
      kindName: sql<string>`${workNames[kind][0]}`.as("kind_name"),
      subject: sql<string>`${subject(db)}`.as("subject"),
      since: workSince.as("since"),
      due: sql<number | null>`work.due`.as("due"),
      urgency: sql<string | null>`work.urgency`.as("urgency"),
      rank: sql<number>`work.rank`.as("rank"),
      ...takerColumns,
    })
    .from(shown)
    .leftJoin(workClaims, and(eq(workClaims.path, sql`work.path`), gte(workClaims.takenAt, workSince)))
    .leftJoin(users, isTaker(permission));
}

const takerColumns = { takerId: users.id, takerName: users.name, takenAt: workClaims.takenAt };

/** Condition on `users` and `workClaims`: whose it is, as long as they are there and may do it. */
function isTaker(permission: Permission) {
  return and(eq(users.id, workClaims.userId), isNull(users.removalId), hasPermission(permission));
}

/** Who works on something, for a colleague. */
export type WorkClaim = NonNullable<ReturnType<typeof claimOf>>;

function claimOf(
  { takerId, takerName, takenAt }: { takerId: string | null; takerName: string | null; takenAt: Date | null },
  viewer: Viewer,
  now: Date,
) {
  if (takerId === null || takerName === null || takenAt === null) return null;
  return { name: takerName, ago: elapsedLabel(takenAt, now), isOwn: takerId === viewer.id };
}

/** Since when something is open on a page, as a column: null if nothing is. With the permission to work on it. */
function openOn(db: Db, viewer: Viewer, path: string) {
  const onPage = kindsFor(viewer).filter(([, { page }]) => path.startsWith(page));
  const [first] = onPage;
  if (!first) return null;
  const open = onPage.map(([, { page, items }]) => {
    const id = path.slice(page.length);
    return sql`select since from ${items(db, viewer, id)}`;
  });
  const [kind, { permission }] = first;
  return {
    since: sql<number | null>`(select min(since) from (${sql.join(open, sql` union all `)}))`,
    permission,
    kind,
  };
}

/** Who has taken what is open on a page; null if nothing is that the viewer may work on. */
export async function findClaim(
  db: Db,
  viewer: Viewer,
  path: string,
  now = new Date(),
): Promise<{ path: string; claim: WorkClaim | null } | null> {
  const open = openOn(db, viewer, path);
  if (!open) return null;
  const [found] = await db
    .select({ since: open.since.as("since"), ...takerColumns })
    .from(sql`(select 1)`)
    .leftJoin(workClaims, and(eq(workClaims.path, path), gte(workClaims.takenAt, open.since)))
    .leftJoin(users, isTaker(open.permission));
  return !found || found.since === null ? null : { path, claim: claimOf(found, viewer, now) };
}

/** Takes what is open on a page, unless a colleague works on it. Taking it again changes nothing. */
export async function takeCase(db: Db, viewer: Viewer, path: string): Promise<"done" | "taken" | "not open"> {
  const open = openOn(db, viewer, path);
  if (!open) return "not open";
  const takers = db
    .select({ one: sql`1` })
    .from(workClaims)
    .innerJoin(users, isTaker(open.permission))
    .where(and(eq(workClaims.path, path), gte(workClaims.takenAt, open.since)));
  const taker = sql`(select ${workClaims.userId} from ${workClaims} where ${workClaims.path} = ${path})`;
  const now = new Date();
  const claim = { userId: viewer.id, takenAt: now };
  const refusal = await batchUnless(
    db,
    {
      "not open": sql`${open.since} is not null`,
      done: sql`not (${exists(takers)} and ${taker} = ${viewer.id})`,
      taken: notExists(takers),
    },
    [
      db
        .insert(workClaims)
        .values({ path, ...claim })
        .onConflictDoUpdate({ target: workClaims.path, set: claim }),
      addActivity(db, viewer, "took case", idOf(path), "", { details: { work: open.kind } }),
    ],
  );
  return refusal ?? "done";
}

const idOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);

/** Gives back what the viewer has taken; false if there is no such claim. */
export async function giveBackCase(db: Db, viewer: Viewer, path: string): Promise<boolean> {
  const own = and(eq(workClaims.path, path), eq(workClaims.userId, viewer.id));
  const [kind] = kinds.find(([, { page }]) => path.startsWith(page)) ?? [];
  const refusal = await batchUnless(db, { "not taken": hasRow(db, workClaims, own) }, [
    db.delete(workClaims).where(own),
    addActivity(db, viewer, "gave back case", idOf(path), "", { details: kind && { work: kind } }),
  ]);
  return !refusal;
}

/** Nobody works on a case for so long; others can take it then. */
const claimDays = 30;

/** Items of one kind are counted in emails up to this number. */
const maxCountInEmail = 10_000;

/** Tells everyone with the permission once a day what waits for them, and forgets old claims. */
export async function notifyOfWork(db: Db, now = new Date()): Promise<void> {
  await db.delete(workClaims).where(lt(workClaims.takenAt, new Date(now.getTime() - claimDays * dayMs)));
  const event = `cases waiting ${now.toISOString().slice(0, 10)}`;
  const isOwnEvent = and(eq(notifications.userId, users.id), eq(notifications.event, event));
  const staff = await db
    .select({ id: users.id, userType: users.userType, moderatorSince: users.moderatorSince })
    .from(users)
    .where(
      and(hasPermission("see work"), isNull(users.removalId), not(hasRow(db, notifications, isOwnEvent))),
    );
  for (const person of staff) {
    const counts = await countWork(db, person, maxCountInEmail);
    if (totalWork(counts) === 0) continue;
    await db
      .insert(notifications)
      .values({
        id: timeOrderedId(),
        userId: person.id,
        kind: "cases waiting",
        subject: "",
        details: { waiting: counts },
        path: "/manage/work",
        event,
      })
      .onConflictDoNothing();
  }
}
