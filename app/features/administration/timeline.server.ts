import {
  and,
  asc,
  desc,
  eq,
  gt,
  inArray,
  isNull,
  lt,
  notInArray,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { brand } from "#app/brand.ts";
import type { Db } from "#app/db/client.server.ts";
import { type Cursor, isBackwards, keysetPage, sortKeyOf } from "#app/db/cursor.ts";
import type { ActivityAction, DecisionKind, TargetKind } from "#app/db/enums.ts";
import {
  activity,
  contentReports,
  decisions,
  logins,
  notes,
  orders,
  phones,
  tickets,
  users,
} from "#app/db/schema.ts";
import { dayLabel } from "#app/time.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { deviceNameColumn } from "../listings/listings.server.ts";
import {
  decisionEvent,
  moderatorDecisions,
  suspensionEndText,
} from "../moderation/decisions/decision.rules.ts";
import { reasonsText, targetLabelForOwner } from "../moderation/reports/content-report.rules.ts";
import { isNotOwn } from "../moderation/target.server.ts";
import { ticketNumber } from "../support-tickets/ticket-table.rules.ts";
import { maxLookedUp } from "./user-details.rules.ts";

const pageSize = 15;

/** What decisions and notes tell themselves. */
const toldElsewhere: ActivityAction[] = [
  ...Object.values(moderatorDecisions).map(({ action }) => action),
  "dismissed signals",
  "wrote note",
];

export type TimelineEntry = Awaited<ReturnType<typeof listTimeline>>["rows"][number];

/** Selects the ids of an account’s newest listings or orders. */
export function newestOf(db: Db, table: typeof phones | typeof orders, condition: SQL) {
  return db.select({ id: table.id }).from(table).where(condition).orderBy(desc(table.id)).limit(maxLookedUp);
}

/** A page of what happened around an account, the newest first, without the viewer’s own cases. Ids are time-ordered, so they sort all kinds of it. */
export async function listTimeline(
  db: Db,
  viewer: Pick<Viewer, "id">,
  userId: string,
  cursor: Cursor = null,
) {
  const backwards = isBackwards(cursor);
  const key = sortKeyOf(cursor);
  const ownPhones = newestOf(db, phones, eq(phones.sellerId, userId));
  const ownOrders = newestOf(db, orders, eq(orders.buyerId, userId));
  const email = sql`(select lower(${users.email}) from ${users} where ${users.id} = ${userId})`;
  const isOwnReport = and(sql`lower(${tickets.email}) = ${email}`, isNull(tickets.removalId));

  /** The newest of one kind. @param entry `path` is null without a page of its own */
  function select(
    table: SQLiteTable & { id: SQLiteColumn; createdAt: SQLiteColumn },
    event: string,
    where: SQL | undefined,
    entry: { text: SQL; path: SQL; by?: SQL; decision?: SQL; of?: SQL; until?: SQL },
  ) {
    const beyond = key === null ? undefined : (backwards ? gt : lt)(table.id, key);
    return db
      .select({
        id: sql<string>`${table.id}`.as("id"),
        at: sql<number>`${table.createdAt}`.as("at"),
        event: sql<string>`${event}`.as("event"),
        text: sql<string>`${entry.text}`.as("text"),
        path: sql<string | null>`${entry.path}`.as("path"),
        by: sql<string | null>`${entry.by ?? sql`null`}`.as("by"),
        decision: sql<DecisionKind | null>`${entry.decision ?? sql`null`}`.as("decision"),
        of: sql<TargetKind | null>`${entry.of ?? sql`null`}`.as("of"),
        until: sql<number | null>`${entry.until ?? sql`null`}`.as("until"),
      })
      .from(table as SQLiteTable)
      .where(and(where, beyond))
      .orderBy((backwards ? asc : desc)(table.id))
      .limit(pageSize + 1);
  }

  // One's own listing has no page for moderators.
  const listingPath = (id: SQLWrapper) =>
    userId === viewer.id ? sql`null` : sql`'/manage/moderation/listing/' || ${id}`;
  const device = { text: deviceNameColumn, path: listingPath(phones.id) };
  const order = { text: sql`${orders.productName}`, path: sql`'/manage/orders/' || ${orders.id}` };
  const reported = {
    text: sql`${contentReports.reason}`,
    of: sql`${contentReports.targetKind}`,
    path: sql`'/manage/moderation/' || ${contentReports.targetKind} || '/' || ${contentReports.targetId}`,
  };
  const author = sql`(select ${users.name} from ${users} where ${users.id} = ${notes.authorId})`;
  const found = await db.batch([
    select(users, "Signed up", eq(users.id, userId), { text: sql`${users.userType}`, path: sql`null` }),
    select(logins, "Logged in", eq(logins.userId, userId), {
      text: sql`'for the first time that day'`,
      path: sql`null`,
    }),
    select(phones, "Listed", eq(phones.sellerId, userId), device),
    select(orders, "Booked", eq(orders.buyerId, userId), order),
    select(orders, "Was booked", eq(orders.soldById, userId), order),
    select(
      contentReports,
      "Reported",
      and(eq(contentReports.reporterId, userId), isNotOwn(contentReports, viewer)),
      reported,
    ),
    select(
      contentReports,
      "Was reported",
      and(eq(contentReports.ownerId, userId), isNotOwn(contentReports, viewer)),
      reported,
    ),
    select(tickets, "Support ticket", isOwnReport, {
      text: sql`substr(${tickets.details}, 1, 200)`,
      path: sql`'/manage/reports/' || ${tickets.id}`,
    }),
    select(decisions, "Decision", and(eq(decisions.ownerId, userId), isNotOwn(decisions, viewer)), {
      text: sql`${decisions.target}`,
      by: sql`coalesce((select ${users.name} from ${users} where ${users.id} = ${decisions.actorId}), ${brand.name})`,
      decision: sql`${decisions.kind}`,
      of: sql`${decisions.targetKind}`,
      until: sql`${decisions.until}`,
      path: sql`'/manage/moderation/' || ${decisions.targetKind} || '/' || ${decisions.targetId}`,
    }),
    select(
      notes,
      "Note",
      or(
        eq(notes.subjectId, userId),
        inArray(notes.subjectId, ownPhones),
        inArray(notes.subjectId, ownOrders),
      ),
      {
        text: sql`${notes.text}`,
        path: sql`case ${notes.subjectKind} when 'listing' then ${listingPath(notes.subjectId)}
          when 'order' then '/manage/orders/' || ${notes.subjectId} end`,
        by: author,
      },
    ),
    select(
      activity,
      "Staff",
      and(
        or(eq(activity.targetId, userId), inArray(activity.targetId, ownPhones)),
        notInArray(activity.action, toldElsewhere),
      ),
      { text: sql`${activity.action}`, path: sql`null`, by: sql`${activity.actorEmail}` },
    ),
  ]);
  const sign = backwards ? 1 : -1;
  const rows = found.flat().toSorted((one, other) => (one.id < other.id ? -sign : sign));
  const page = keysetPage(rows, cursor, pageSize, ({ id }) => id);
  return {
    ...page,
    rows: page.rows.map(({ at, decision, of, until, text, ...row }) => ({
      ...row,
      ...(decision && of && decisionEvent(decision, of, endText(until))),
      text:
        decision && of
          ? targetLabelForOwner(of, text, "their")
          : of
            ? `${of}: ${reasonsText(text)}`
            : // Texts may begin alike.
              row.event === "Support ticket"
              ? `${ticketNumber(row.id)}${text && `, ${text}`}`
              : text,
      at: new Date(at),
    })),
  };
}

const endText = (until: number | null) =>
  suspensionEndText(until === null ? null : new Date(until).toISOString(), dayLabel);
