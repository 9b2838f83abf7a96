import { and, asc, count, desc, eq, exists, gt, isNull, lte, ne, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import { type Cursor, isBackwards, keysetPage, sortKeyOf } from "#app/db/cursor.ts";
import { keyset } from "#app/db/keyset.server.ts";
import {
  contentReports,
  conversationSides,
  conversations,
  decisions,
  messages,
  phones,
  priceChanges,
  reviews,
  users,
} from "#app/db/schema.ts";
import type { ReportTarget } from "#app/db/values.ts";
import { hasOpenAnswer, heldBy } from "./decide.server.ts";
import { possibleDecisions } from "./decision.rules.ts";
import { findSignals } from "./signals.server.ts";
import { findTarget } from "./target.server.ts";

const pageSize = 20;
const maxReports = 100;
const maxDecisions = 20;
/** Messages before and after a reported one. */
const messagesAround = 5;

/** A row of the moderators' queue. */
export interface QueueRow {
  kind: ReportTarget;
  targetId: string;
  name: string;
  ownerName: string;
  /** Open reports; 0 in the other queues. */
  reports: number;
  /** The chosen reasons, each once; or the owner's answer. */
  text: string;
  since: Date;
}

/** The format of the queue's cursor: the number of reports and the id of the first one. */
export const queueKey = /^\d{1,9}\.[0-9a-f-]{36}$/;

/** A page of the targets with open reports, the most reported first, then the longest waiting. */
export async function listReported(db: Db, cursor: Cursor) {
  const reports = sql<number>`count(*)`;
  const first = sql<string>`min(${contentReports.id})`;
  const [number, id] = (sortKeyOf(cursor) ?? "").split(".");
  const backwards = isBackwards(cursor);
  const beyond = backwards
    ? sql`count(*) > ${Number(number)} or (count(*) = ${Number(number)} and min(${contentReports.id}) < ${id})`
    : sql`count(*) < ${Number(number)} or (count(*) = ${Number(number)} and min(${contentReports.id}) > ${id})`;
  const rows = await db
    .select({
      kind: contentReports.kind,
      targetId: contentReports.targetId,
      firstId: first.as("first_id"),
      reports: reports.as("reports"),
      text: sql<string>`group_concat(distinct ${contentReports.reason})`.as("reasons"),
      since: sql<Date>`min(${contentReports.createdAt})`.mapWith(contentReports.createdAt).as("since"),
      ownerName: sql<string>`max(${users.name})`.as("owner_name"),
      device: sql<string | null>`max(${phones.brandName} || ' ' || ${phones.model})`.as("device"),
    })
    .from(contentReports)
    .leftJoin(users, eq(users.id, contentReports.ownerId))
    .leftJoin(phones, and(eq(contentReports.kind, "listing"), eq(phones.id, contentReports.targetId)))
    .where(isNull(contentReports.decisionId))
    .groupBy(contentReports.kind, contentReports.targetId)
    .having(cursor ? beyond : undefined)
    .orderBy(...(backwards ? [asc(reports), desc(first)] : [desc(reports), asc(first)]))
    .limit(pageSize + 1);
  const page = keysetPage(rows, cursor, pageSize, (row) => `${row.reports}.${row.firstId}`);
  return {
    ...page,
    rows: page.rows.map(({ device, firstId: _, ...row }) => ({ ...row, name: device ?? nameOf(row) })),
  };
}

function nameOf({ kind, ownerName }: { kind: ReportTarget; ownerName: string }): string {
  if (kind === "seller") return ownerName;
  if (kind === "message") return `Message from ${ownerName}`;
  return kind === "review" ? `Review by ${ownerName}` : "Deleted listing";
}

/** A page of the first listings that wait for approval, the oldest first. */
export function listHeld(db: Db, cursor: Cursor) {
  return decisionPage(
    db,
    cursor,
    and(
      eq(decisions.kind, "hold"),
      isNull(decisions.endedAt),
      exists(
        db
          .select({ one: sql`1` })
          .from(phones)
          .where(and(eq(phones.id, decisions.targetId), eq(phones.removalId, decisions.id))),
      ),
    ),
  );
}

/** A page of the decisions with an answer that nobody has replied to, the oldest first. */
export function listAnswered(db: Db, cursor: Cursor) {
  return decisionPage(db, cursor, hasOpenAnswer(db));
}

async function decisionPage(db: Db, cursor: Cursor, condition: ReturnType<typeof and>) {
  const { afterCursor, orderBy } = keyset(decisions.id, cursor, asc);
  const rows = await db
    .select({
      id: decisions.id,
      kind: decisions.targetKind,
      targetId: decisions.targetId,
      name: decisions.target,
      ownerName: users.name,
      text: sql<string>`coalesce(${decisions.answer}, '')`.as("answer_text"),
      since: sql<Date>`coalesce(${decisions.answeredAt}, ${decisions.createdAt})`
        .mapWith(decisions.createdAt)
        .as("since"),
      reports: sql<number>`0`.as("reports"),
    })
    .from(decisions)
    .innerJoin(users, eq(users.id, decisions.ownerId))
    .where(and(condition, afterCursor))
    .orderBy(orderBy)
    .limit(pageSize + 1);
  return keysetPage(rows, cursor, pageSize, (row) => row.id);
}

/** All that a moderator needs to decide about a target; null if there is no such target. */
export async function findCase(db: Db, kind: ReportTarget, id: string) {
  const target = await findTarget(db, kind, id);
  if (!target) return null;
  const reporter = alias(users, "reporter");
  const ofTarget = and(eq(contentReports.kind, kind), eq(contentReports.targetId, id));
  const [content, [owner], reports, [reportCount], ofThis, ofOwner, prices, [open], signals] =
    await Promise.all([
      selectContent(db, kind, id),
      db
        .select({
          id: users.id,
          name: users.name,
          email: users.email,
          userType: users.userType,
          since: users.createdAt,
          isRemoved: sql<number>`${users.removalId} is not null`.mapWith(Boolean).as("is_removed"),
          suspensionId: users.suspensionId,
          suspendedUntil: users.suspendedUntil,
        })
        .from(users)
        .where(eq(users.id, target.ownerId)),
      db
        .select({
          id: contentReports.id,
          reason: contentReports.reason,
          details: contentReports.details,
          createdAt: contentReports.createdAt,
          reporterName: reporter.name,
          reporterEmail: reporter.email,
          isOpen: sql<number>`${contentReports.decisionId} is null`.mapWith(Boolean).as("is_open"),
        })
        .from(contentReports)
        .leftJoin(reporter, and(eq(reporter.id, contentReports.reporterId), isNull(reporter.removalId)))
        .where(ofTarget)
        .orderBy(desc(contentReports.id))
        .limit(maxReports),
      db
        .select({ count: count() })
        .from(contentReports)
        .where(and(ofTarget, isNull(contentReports.decisionId))),
      selectDecisions(db, and(eq(decisions.targetKind, kind), eq(decisions.targetId, id))),
      selectDecisions(db, and(eq(decisions.ownerId, target.ownerId), ne(decisions.targetId, id))),
      db
        .select({
          oldCents: priceChanges.oldCents,
          newCents: priceChanges.newCents,
          at: priceChanges.createdAt,
        })
        .from(priceChanges)
        .where(eq(priceChanges.phoneId, id))
        .orderBy(desc(priceChanges.id))
        .limit(maxDecisions),
      db
        .select({
          hold: sql<string | null>`${heldBy(db, kind, id)}`.as("hold"),
          answers: sql<number>`${exists(
            db
              .select({ one: sql`1` })
              .from(decisions)
              .where(and(eq(decisions.targetKind, kind), eq(decisions.targetId, id), hasOpenAnswer(db))),
          )}`
            .mapWith(Boolean)
            .as("answers"),
        })
        .from(users)
        .where(eq(users.id, target.ownerId)),
      findSignals(db, kind, id, target.ownerId),
    ]);
  const openReports = reportCount?.count ?? 0;
  const { listing, review, message } = content;
  const text = review ?? message;
  const choices = possibleDecisions({
    kind,
    hasOpenReports: openReports > 0,
    isHeld: open?.hold != null,
    hasOpenAnswer: open?.answers ?? false,
    canBeHidden: listing ? listing.isHideable : text !== null && !text.isHidden,
    isReserved: listing?.status === "reserved",
    canBeSuspended: owner !== undefined && !owner.isRemoved && owner.userType !== "Admin",
  });
  return {
    target,
    content,
    owner: owner ?? null,
    openReports,
    reports,
    ofThis,
    ofOwner,
    prices,
    signals,
    choices,
  };
}

async function selectContent(db: Db, kind: ReportTarget, id: string) {
  const [listing] = kind === "listing" ? await selectListing(db, id) : [];
  const [review] =
    kind === "review"
      ? await db
          .select({
            stars: reviews.stars,
            text: reviews.text,
            reply: reviews.reply,
            orderId: reviews.orderId,
            createdAt: reviews.createdAt,
            isHidden: sql<number>`${reviews.hiddenById} is not null`.mapWith(Boolean).as("is_hidden"),
          })
          .from(reviews)
          .where(eq(reviews.id, id))
      : [];
  const message = kind === "message" ? await selectMessage(db, id) : null;
  return { listing: listing ?? null, review: review ?? null, message };
}

/** A message with those around it, oldest first; null if it has been deleted. */
async function selectMessage(db: Db, id: string) {
  const conversationId = db.select({ id: messages.conversationId }).from(messages).where(eq(messages.id, id));
  const inConversation = eq(messages.conversationId, sql`(${conversationId})`);
  const sender = alias(users, "sender");
  const columns = {
    id: messages.id,
    text: messages.text,
    createdAt: messages.createdAt,
    isHidden: sql<number>`${messages.hiddenById} is not null`.mapWith(Boolean).as("is_hidden"),
    senderId: messages.senderId,
    senderName: sender.name,
  };
  const read = (condition: SQL, order: typeof asc, limit: number) =>
    db
      .select(columns)
      .from(messages)
      .leftJoin(sender, eq(sender.id, messages.senderId))
      .where(and(inConversation, condition))
      .orderBy(order(messages.id))
      .limit(limit);
  const [upTo, after, people, [listing]] = await Promise.all([
    read(lte(messages.id, id), desc, messagesAround + 1),
    read(gt(messages.id, id), asc, messagesAround),
    db
      .select({
        id: conversationSides.userId,
        name: users.name,
        email: users.email,
        isBuyer: eq(conversations.buyerId, conversationSides.userId).mapWith(Boolean).as("is_buyer"),
      })
      .from(conversationSides)
      .innerJoin(conversations, eq(conversations.id, conversationSides.conversationId))
      .leftJoin(users, and(eq(users.id, conversationSides.userId), isNull(users.removalId)))
      .where(eq(conversationSides.conversationId, sql`(${conversationId})`)),
    db
      .select({
        name: conversations.productName,
        phoneId: sql<string | null>`iif(${phones.removalId} is null, ${phones.id}, null)`.as("phone_id"),
      })
      .from(conversations)
      .leftJoin(phones, eq(phones.id, conversations.phoneId))
      .where(eq(conversations.id, sql`(${conversationId})`)),
  ]);
  const [reported] = upTo;
  if (reported?.id !== id || !listing) return null;
  return { isHidden: reported.isHidden, around: [...upTo.toReversed(), ...after], people, listing };
}

function selectListing(db: Db, id: string) {
  const hides = alias(decisions, "hides");
  return db
    .select({
      brandName: phones.brandName,
      model: phones.model,
      ram: phones.ram,
      rom: phones.rom,
      image: phones.image,
      cover: phones.cover,
      deviceType: phones.deviceType,
      sellingCents: phones.sellingCents,
      marketCents: phones.marketCents,
      sellingReason: phones.sellingReason,
      status: phones.status,
      createdAt: phones.createdAt,
      isListed: sql<number>`${phones.removalId} is null`.mapWith(Boolean).as("is_listed"),
      hiddenBy: sql<(typeof hides.$inferSelect)["kind"] | null>`${hides.kind}`.as("hidden_by"),
      isHideable:
        sql<number>`${phones.removalId} is null or coalesce(${hides.kind} in ('hold', 'suspend'), 0)`
          .mapWith(Boolean)
          .as("is_hideable"),
    })
    .from(phones)
    .leftJoin(hides, eq(hides.id, phones.removalId))
    .where(eq(phones.id, id));
}

/** A decision in a history. */
export type PastDecision = Awaited<ReturnType<typeof selectDecisions>>[number];

function selectDecisions(db: Db, condition: ReturnType<typeof and>) {
  const actor = alias(users, "actor");
  return db
    .select({
      id: decisions.id,
      kind: decisions.kind,
      targetKind: decisions.targetKind,
      targetId: decisions.targetId,
      target: decisions.target,
      reason: decisions.reason,
      until: decisions.until,
      createdAt: decisions.createdAt,
      endedAt: decisions.endedAt,
      answer: decisions.answer,
      moderator: actor.name,
    })
    .from(decisions)
    .leftJoin(actor, eq(actor.id, decisions.actorId))
    .where(condition)
    .orderBy(desc(decisions.id))
    .limit(maxDecisions);
}

export type Case = NonNullable<Awaited<ReturnType<typeof findCase>>>;
