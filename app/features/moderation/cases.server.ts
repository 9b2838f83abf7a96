import { and, asc, count, desc, eq, gt, isNotNull, isNull, lte, ne, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import type { TargetKind } from "#app/db/enums.ts";
import {
  contentReports,
  conversationParticipants,
  conversations,
  decisions,
  messages,
  phones,
  priceChanges,
  removals,
  reviews,
  users,
} from "#app/db/schema.ts";
import { may } from "../accounts/permissions.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { canUndo } from "../audit/removals.server.ts";
import { sellerExists } from "../catalog/seller.server.ts";
import { selectPhotos } from "../photos/photos.server.ts";
import {
  findLimit,
  findReversibleDecision,
  isHoldOfAnotherListing,
  possibleDecisions,
} from "./decisions/decision-conditions.server.ts";
import { targetLabel } from "./reports/content-report.rules.ts";
import { findTarget } from "./target.server.ts";

const maxReports = 100;
const maxDecisions = 20;

/**
 * All that a moderator needs to decide about a target; null if there is no such target, or if it is their own. Only who
 * manages users sees email addresses.
 */
export async function findCase(db: Db, moderator: Viewer, kind: TargetKind, id: string) {
  const target = await findTarget(db, moderator, kind, id);
  if (!target) return null;
  const seesAccounts = may(moderator, "manage users");
  const noAddress = sql<null>`null`.as("no_address");
  const reporter = alias(users, "reporter");
  const ofTarget = and(eq(contentReports.targetKind, kind), eq(contentReports.targetId, id));
  // Few requests need it.
  const { findSignals, listingsWithSameText } = await import("./signals/signals.server.ts");
  const [
    content,
    [owner],
    reports,
    [reportCount],
    ofThis,
    ofOwner,
    prices,
    signals,
    sameText,
    choices,
    reversible,
    limit,
    othersHeld,
  ] = await Promise.all([
    selectContent(db, kind, id, seesAccounts),
    db
      .select({
        id: users.id,
        name: users.name,
        email: seesAccounts ? users.email : noAddress,
        userType: users.userType,
        since: users.createdAt,
        isRemoved: isNotNull(users.removalId).mapWith(Boolean).as("is_removed"),
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
        reporterEmail: seesAccounts ? reporter.email : noAddress,
        isOpen: isNull(contentReports.decisionId).mapWith(Boolean).as("is_open"),
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
    selectDecisions(db, moderator, and(eq(decisions.targetKind, kind), eq(decisions.targetId, id))),
    selectDecisions(db, moderator, and(eq(decisions.ownerId, target.ownerId), ne(decisions.targetId, id))),
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
    findSignals(db, kind, id, target.ownerId),
    listingsWithSameText(db, kind, id),
    possibleDecisions(db, target),
    findReversibleDecision(db, target),
    findLimit(db, moderator, target),
    db.$count(decisions, isHoldOfAnotherListing(db, target)),
  ]);
  return {
    target: { ...target, name: targetLabel(kind, target.name) },
    content,
    owner: owner ?? null,
    openReports: reportCount?.count ?? 0,
    reports,
    ofThis,
    ofOwner,
    prices,
    signals,
    sameText,
    choices: limit ? choices.filter(limit.allows) : choices,
    reversible,
    limit: limit?.text ?? null,
    othersHeld,
    seesAccounts,
  };
}

/** A decision in a history. */
export type PastDecision = Awaited<ReturnType<typeof selectDecisions>>[number];

/** Of `decisions`, joined with the moderator in `users` and with `removals`. */
export const pastDecisionColumns = (db: Db, viewer: Viewer) => ({
  id: decisions.id,
  kind: decisions.kind,
  targetKind: decisions.targetKind,
  targetId: decisions.targetId,
  target: decisions.target,
  reason: decisions.reason,
  until: decisions.until,
  createdAt: decisions.createdAt,
  endedAt: decisions.endedAt,
  appeal: decisions.appeal,
  moderator: users.name,
  canUndo: sql`coalesce(${canUndo(db, viewer)}, 0)`.mapWith(Boolean).as("can_undo"),
});

function selectDecisions(db: Db, viewer: Viewer, condition: ReturnType<typeof and>) {
  return db
    .select(pastDecisionColumns(db, viewer))
    .from(decisions)
    .leftJoin(users, eq(users.id, decisions.actorId))
    .leftJoin(removals, eq(removals.id, decisions.id))
    .where(condition)
    .orderBy(desc(decisions.id))
    .limit(maxDecisions);
}

export type ModerationCase = NonNullable<Awaited<ReturnType<typeof findCase>>>;

/** Messages before and after a reported one. */
const messagesAround = 5;

/** A listing, review or message as a moderator sees it; none for a person and for what has been deleted. */
async function selectContent(db: Db, kind: TargetKind, id: string, seesAccounts: boolean) {
  const [listing] = kind === "listing" ? await selectListing(db, id) : [];
  const [review] =
    kind === "review"
      ? await db
          .select({
            stars: reviews.stars,
            text: reviews.text,
            reply: reviews.reply,
            createdAt: reviews.createdAt,
            isHidden: isNotNull(reviews.hiddenById).mapWith(Boolean).as("is_hidden"),
          })
          .from(reviews)
          .where(eq(reviews.id, id))
      : [];
  const message = kind === "message" ? await selectMessage(db, id, seesAccounts) : null;
  const hasSellerPage = kind === "seller" && (await sellerExists(db, id));
  const photos = listing ? await selectPhotos(db, id) : [];
  return { listing: listing ? { ...listing, photos } : null, review: review ?? null, message, hasSellerPage };
}

/** A message with those around it, oldest first; null if it has been deleted. */
async function selectMessage(db: Db, id: string, seesAccounts: boolean) {
  const conversationId = db.select({ id: messages.conversationId }).from(messages).where(eq(messages.id, id));
  const inConversation = eq(messages.conversationId, sql`(${conversationId})`);
  const sender = alias(users, "sender");
  const columns = {
    id: messages.id,
    text: messages.text,
    createdAt: messages.createdAt,
    isHidden: isNotNull(messages.hiddenById).mapWith(Boolean).as("is_hidden"),
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
        id: conversationParticipants.userId,
        name: users.name,
        email: seesAccounts ? users.email : sql<string | null>`null`.as("no_address"),
        isBuyer: eq(conversations.buyerId, conversationParticipants.userId).mapWith(Boolean).as("is_buyer"),
      })
      .from(conversationParticipants)
      .innerJoin(conversations, eq(conversations.id, conversationParticipants.conversationId))
      .leftJoin(users, and(eq(users.id, conversationParticipants.userId), isNull(users.removalId)))
      .where(eq(conversationParticipants.conversationId, sql`(${conversationId})`)),
    db
      .select({
        name: conversations.productName,
        phoneId: sql<string | null>`iif(${phones.hiddenById} is null, ${phones.id}, null)`.as("phone_id"),
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
      isListed: isNull(phones.hiddenById).mapWith(Boolean).as("is_listed"),
      hiddenBy: sql<(typeof hides.$inferSelect)["kind"] | null>`${hides.kind}`.as("hidden_by"),
    })
    .from(phones)
    .leftJoin(hides, eq(hides.id, phones.hiddenById))
    .where(eq(phones.id, id));
}
