import { and, eq, exists, inArray, isNotNull, ne, notExists, or, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import {
  activity,
  blocks,
  bookings,
  conversationSides,
  conversations,
  decisions,
  emailOptOuts,
  messages,
  notifications,
  oneTimeTokens,
  passkeys,
  personalAccessTokens,
  phones,
  photos,
  priceChanges,
  reports,
  savedListings,
  savedSearches,
  sessions,
  signals,
  signUpAddresses,
  unmatchedListings,
  users,
} from "#app/db/schema.ts";
import { emailEquals } from "../accounts/email.server.ts";
import { formerMember } from "../accounts/former-member.ts";
import type { Viewer } from "../accounts/viewer.ts";

const one = sql`1`;

/**
 * Statements for a batch that erase the person of an account if it has this removal, with all that belongs to them but
 * what docs/security.md says stays. The row of the account stays for references from sold phones and orders.
 */
export function eraseAccount(db: Db, person: Pick<Viewer, "id" | "name" | "email">, removalId: string) {
  const { id } = person;
  const account = and(eq(users.id, id), eq(users.removalId, removalId));
  const isRemoved = exists(db.select({ one }).from(users).where(account));
  const unsold = unsoldPhones(db, id);
  const abandoned = abandonedConversations(db, id);
  // Anyone can sign up with the address of another, and reports are sent without an account.
  const isVerified = db
    .select({ one })
    .from(users)
    .where(and(account, isNotNull(users.emailVerifiedAt)));
  const ownReports = and(emailEquals(reports.email, person.email), exists(isVerified));
  return [
    ...eraseFromActivity(db, person, isRemoved),
    db
      .update(activity)
      .set({ target: formerMember })
      .where(inArray(activity.targetId, db.select({ id: reports.id }).from(reports).where(ownReports))),
    db.update(reports).set({ name: formerMember, email: "" }).where(ownReports),
    db.delete(sessions).where(and(eq(sessions.userId, id), isRemoved)),
    db.delete(passkeys).where(and(eq(passkeys.userId, id), isRemoved)),
    db.delete(personalAccessTokens).where(and(eq(personalAccessTokens.userId, id), isRemoved)),
    db.delete(oneTimeTokens).where(and(eq(oneTimeTokens.userId, id), isRemoved)),
    db.delete(signUpAddresses).where(and(eq(signUpAddresses.userId, id), isRemoved)),
    db.delete(savedSearches).where(and(eq(savedSearches.userId, id), isRemoved)),
    db.delete(notifications).where(and(eq(notifications.userId, id), isRemoved)),
    db.delete(emailOptOuts).where(and(eq(emailOptOuts.userId, id), isRemoved)),
    db.delete(savedListings).where(and(eq(savedListings.userId, id), isRemoved)),
    // The next photo cleanup deletes their objects.
    db
      .update(photos)
      .set({ phoneId: null })
      .where(and(inArray(photos.phoneId, unsold), isRemoved)),
    db.delete(priceChanges).where(and(inArray(priceChanges.phoneId, unsold), isRemoved)),
    db.delete(unmatchedListings).where(and(inArray(unmatchedListings.phoneId, unsold), isRemoved)),
    db.delete(phones).where(and(eq(phones.sellerId, id), ne(phones.status, "sold"), isRemoved)),
    db.delete(signals).where(and(eq(signals.ownerId, id), isRemoved)),
    // The decisions stay, without what the owner wrote.
    db
      .update(decisions)
      .set({ answer: null, target: nameless(decisions.targetKind, decisions.target) })
      .where(and(eq(decisions.ownerId, id), isRemoved)),
    db
      .update(bookings)
      .set({ buyerName: formerMember, buyerAddress: "", email: "", phone: "" })
      .where(and(eq(bookings.buyerId, id), isRemoved)),
    db.delete(blocks).where(and(or(eq(blocks.blockerId, id), eq(blocks.blockedId, id)), isRemoved)),
    db.delete(messages).where(and(inArray(messages.conversationId, abandoned), isRemoved)),
    db.delete(conversations).where(and(inArray(conversations.id, abandoned), isRemoved)),
    db.delete(conversationSides).where(and(eq(conversationSides.userId, id), isRemoved)),
    // Last, because the statements above read it.
    db
      .update(users)
      .set({
        name: formerMember,
        email: "",
        passwordHash: null,
        googleSubject: null,
        emailVerifiedAt: null,
        verified: null,
      })
      .where(account),
  ] as const;
}

/** Where the activity log names the person: as a target, as the author of one, or in the filters of an export. */
function eraseFromActivity(
  db: Db,
  { id, name, email }: Pick<Viewer, "id" | "name" | "email">,
  isRemoved: SQLWrapper,
) {
  const ofOwner = (columns: SQLWrapper) =>
    sql`(select ${columns} from ${decisions} where ${decisions.ownerId} = ${id}
      and ${decisions.targetKind} <> 'listing' and ${decisions.targetId} = ${activity.targetId})`;
  const written = db
    .select({ id: decisions.targetId })
    .from(decisions)
    .where(and(eq(decisions.ownerId, id), ne(decisions.targetKind, "listing")));
  const filters = sql`lower(${activity.target}) || '&'`;
  return [
    db
      .update(activity)
      .set({
        target: sql`coalesce(${ofOwner(nameless(decisions.targetKind, decisions.target))}, ${formerMember})`,
      })
      .where(and(or(eq(activity.targetId, id), inArray(activity.targetId, written)), sql`${isRemoved}`)),
    db
      .update(activity)
      .set({ target: sql`substr(${activity.target}, 1, instr(${activity.target}, '?') - 1)` })
      .where(
        and(
          eq(activity.action, "exported table"),
          or(...[name, email].map((text) => sql`instr(${filters}, '=' || lower(${text}) || '&')`)),
          sql`${isRemoved}`,
        ),
      ),
  ] as const;
}

/** What a decision was about, without the name of its owner. */
function nameless(kind: SQLWrapper, target: SQLWrapper) {
  return sql`case ${kind} when 'seller' then ${formerMember} when 'review' then 'Review by ' || ${formerMember}
    when 'message' then 'Message from ' || ${formerMember} else ${target} end`;
}

/** The phones of a seller that somebody has booked and not received. */
export function reservedPhones(db: Db, sellerId: string | SQLWrapper) {
  return db
    .select({ one })
    .from(phones)
    .where(and(eq(phones.sellerId, sellerId), eq(phones.status, "reserved")));
}

/** The orders of a buyer that are neither received nor cancelled. */
export function openOrders(db: Db, buyerId: string | SQLWrapper) {
  return db
    .select({ one })
    .from(bookings)
    .where(and(eq(bookings.buyerId, buyerId), eq(bookings.status, "active"), ne(bookings.stage, "received")));
}

function unsoldPhones(db: Db, sellerId: string) {
  return db
    .select({ id: phones.id })
    .from(phones)
    .where(and(eq(phones.sellerId, sellerId), ne(phones.status, "sold")));
}

/** The conversations whose other side has been erased before. */
function abandonedConversations(db: Db, userId: string) {
  const other = alias(conversationSides, "other_side");
  return db
    .select({ id: conversationSides.conversationId })
    .from(conversationSides)
    .where(
      and(
        eq(conversationSides.userId, userId),
        notExists(
          db
            .select({ one })
            .from(other)
            .where(and(eq(other.conversationId, conversationSides.conversationId), ne(other.userId, userId))),
        ),
      ),
    );
}
