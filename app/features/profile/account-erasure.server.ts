import { and, eq, inArray, isNotNull, ne, not, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import {
  accountEmails,
  activity,
  blocks,
  conversationParticipants,
  conversations,
  decisions,
  emailOptOuts,
  listingDrafts,
  listingImports,
  logins,
  messages,
  notes,
  notifications,
  offers,
  oneTimeTokens,
  orderProblems,
  orders,
  passkeys,
  payoutAccounts,
  personalAccessTokens,
  phones,
  photos,
  priceChanges,
  savedAddresses,
  savedListings,
  savedSearches,
  sessions,
  signals,
  signUpAddresses,
  ticketMessages,
  tickets,
  unmatchedListings,
  users,
  viewedDays,
  workClaims,
} from "#app/db/schema.ts";
import { emailEquals } from "../accounts/email.server.ts";
import { formerMember, type Viewer } from "../accounts/viewer.ts";
import { isDraftPhotoOf } from "../photos/photos.server.ts";

/**
 * Statements for a batch that erase the person of an account, with all that belongs to them but what
 * docs/personal-data.md says stays. The row of the account stays for references from sold phones and orders.
 */
export function eraseAccount(db: Db, person: Pick<Viewer, "id" | "name" | "email">) {
  const { id } = person;
  const account = eq(users.id, id);
  const unsold = unsoldPhones(db, id);
  const abandoned = abandonedConversations(db, id);
  // Anyone can sign up with the address of another, and reports are sent without an account.
  const isVerified = hasRow(db, users, and(account, isNotNull(users.emailVerifiedAt)));
  const ownReports = and(emailEquals(tickets.email, person.email), isVerified);
  return [
    ...eraseFromActivity(db, person),
    db
      .update(activity)
      .set({ target: formerMember })
      .where(inArray(activity.targetId, db.select({ id: tickets.id }).from(tickets).where(ownReports))),
    db.delete(notes).where(isAboutPerson(db, id, ownReports)),
    db
      .delete(ticketMessages)
      .where(inArray(ticketMessages.ticketId, db.select({ id: tickets.id }).from(tickets).where(ownReports))),
    db.update(tickets).set({ name: formerMember, email: "" }).where(ownReports),
    db.delete(sessions).where(eq(sessions.userId, id)),
    db.delete(logins).where(eq(logins.userId, id)),
    db.delete(passkeys).where(eq(passkeys.userId, id)),
    db.delete(personalAccessTokens).where(eq(personalAccessTokens.userId, id)),
    db.delete(oneTimeTokens).where(eq(oneTimeTokens.userId, id)),
    db.delete(accountEmails).where(eq(accountEmails.userId, id)),
    db.delete(signUpAddresses).where(eq(signUpAddresses.userId, id)),
    db.delete(listingDrafts).where(eq(listingDrafts.sellerId, id)),
    // With their rows.
    db.delete(listingImports).where(eq(listingImports.sellerId, id)),
    db.delete(savedSearches).where(eq(savedSearches.userId, id)),
    db.delete(workClaims).where(eq(workClaims.userId, id)),
    db.delete(notifications).where(eq(notifications.userId, id)),
    db.delete(emailOptOuts).where(eq(emailOptOuts.userId, id)),
    db.delete(savedAddresses).where(eq(savedAddresses.userId, id)),
    db.delete(payoutAccounts).where(eq(payoutAccounts.userId, id)),
    db.delete(savedListings).where(eq(savedListings.userId, id)),
    db.delete(viewedDays).where(eq(viewedDays.sellerId, id)),
    // The next photo cleanup deletes their objects.
    db.update(photos).set({ phoneId: null }).where(inArray(photos.phoneId, unsold)),
    db.update(photos).set({ draftId: null }).where(isDraftPhotoOf(id)),
    db
      .update(photos)
      .set({ problemId: null })
      .where(inArray(photos.problemId, problemsOpenedBy(db, id))),
    db.delete(priceChanges).where(inArray(priceChanges.phoneId, unsold)),
    db.delete(unmatchedListings).where(inArray(unmatchedListings.phoneId, unsold)),
    db.delete(phones).where(isUnsoldOf(id)),
    db.update(phones).set({ ownNumber: null }).where(eq(phones.sellerId, id)),
    db.delete(signals).where(eq(signals.ownerId, id)),
    // The decisions stay, without what the owner wrote.
    db
      .update(decisions)
      .set({
        appeal: null,
        target: sql`iif(${decisions.targetKind} = 'listing', ${decisions.target}, ${formerMember})`,
      })
      .where(eq(decisions.ownerId, id)),
    db
      .update(orders)
      .set({ buyerName: formerMember, buyerAddress: "", email: "", phoneNumber: "", trackingNumber: null })
      .where(eq(orders.buyerId, id)),
    db.delete(offers).where(or(eq(offers.buyerId, id), eq(offers.sellerId, id))),
    db.delete(blocks).where(or(eq(blocks.blockerId, id), eq(blocks.blockedId, id))),
    db.delete(messages).where(inArray(messages.conversationId, abandoned)),
    db.delete(conversations).where(inArray(conversations.id, abandoned)),
    db.delete(conversationParticipants).where(eq(conversationParticipants.userId, id)),
    // Last, because the statements above read it.
    db
      .update(users)
      .set({
        name: formerMember,
        email: "",
        passwordHash: null,
        googleSubject: null,
        verified: false,
        lastSeenDay: null,
        termsVersionId: null,
        privacyVersionId: null,
        shopText: null,
      })
      .where(account),
  ] as const;
}

/** Where the activity log names the person: as a target, as the author of one, or in the filters of an export. */
function eraseFromActivity(db: Db, { id, name, email }: Pick<Viewer, "id" | "name" | "email">) {
  const written = db
    .select({ id: decisions.targetId })
    .from(decisions)
    .where(and(eq(decisions.ownerId, id), ne(decisions.targetKind, "listing")));
  return [
    db
      .update(activity)
      .set({ target: formerMember })
      .where(or(eq(activity.targetId, id), inArray(activity.targetId, written))),
    eraseFromExports(db, [name, email]),
  ] as const;
}

/** A statement: the activity log forgets the filters of exports that had one of these texts. */
export function eraseFromExports(db: Db, texts: string[]) {
  const searched = JSON.stringify(texts.map((text) => text.trim()).filter(Boolean));
  const isSearched = sql`exists (select 1 from json_each(${searched})
    where instr(lower(${activity.target}) || '&', '=' || lower(value) || '&'))`;
  return db
    .update(activity)
    .set({ target: sql`substr(${activity.target}, 1, instr(${activity.target}, '?') - 1)` })
    .where(and(eq(activity.action, "exported table"), isSearched));
}

/** Condition on `notes`: about the person, their listings, their orders on either side, or their reports. */
function isAboutPerson(db: Db, userId: string, ownReports: SQL | undefined) {
  const ownPhones = db.select({ id: phones.id }).from(phones).where(eq(phones.sellerId, userId));
  const isSide = or(eq(orders.buyerId, userId), inArray(orders.phoneId, ownPhones));
  return or(
    eq(notes.subjectId, userId),
    inArray(notes.subjectId, ownPhones),
    inArray(notes.subjectId, db.select({ id: orders.id }).from(orders).where(isSide)),
    inArray(notes.subjectId, db.select({ id: tickets.id }).from(tickets).where(ownReports)),
  );
}

/** Condition: somebody has booked a phone of the seller and not received it. */
export function hasReservedListing(db: Db, sellerId: string | SQLWrapper) {
  return hasRow(db, phones, and(eq(phones.sellerId, sellerId), eq(phones.status, "reserved")));
}

/** Condition: the buyer has an order that is neither received nor cancelled. */
export function hasOpenOrder(db: Db, buyerId: string | SQLWrapper) {
  return hasRow(
    db,
    orders,
    and(eq(orders.buyerId, buyerId), eq(orders.status, "active"), ne(orders.stage, "received")),
  );
}

function problemsOpenedBy(db: Db, userId: string) {
  return db
    .select({ id: orderProblems.id })
    .from(orderProblems)
    .where(
      or(
        and(eq(orderProblems.openedBy, "buyer"), eq(orderProblems.buyerId, userId)),
        and(eq(orderProblems.openedBy, "seller"), eq(orderProblems.sellerId, userId)),
      ),
    );
}

function unsoldPhones(db: Db, sellerId: string) {
  return db.select({ id: phones.id }).from(phones).where(isUnsoldOf(sellerId));
}

/** Condition on `phones`: of a seller, and no order needs it. */
function isUnsoldOf(sellerId: string) {
  return and(eq(phones.sellerId, sellerId), or(ne(phones.status, "sold"), phones.soldElsewhere));
}

/** The conversations whose other side has been erased before. */
function abandonedConversations(db: Db, userId: string) {
  const other = alias(conversationParticipants, "other_participant");
  return db
    .select({ id: conversationParticipants.conversationId })
    .from(conversationParticipants)
    .where(
      and(
        eq(conversationParticipants.userId, userId),
        not(
          hasRow(
            db,
            other,
            and(eq(other.conversationId, conversationParticipants.conversationId), ne(other.userId, userId)),
          ),
        ),
      ),
    );
}
