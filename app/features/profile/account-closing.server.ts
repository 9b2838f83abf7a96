import {
  and,
  eq,
  exists,
  gt,
  inArray,
  isNotNull,
  isNull,
  ne,
  notExists,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import {
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
  users,
} from "#app/db/schema.ts";
import { emailEquals } from "../accounts/email.server.ts";
import { oneTimeTokenId, oneTimeTokenOwner } from "../accounts/one-time-tokens.server.ts";
import { findUnverifiedAccount } from "../accounts/verification.server.ts";
import type { Viewer } from "../accounts/viewer.ts";

/** The result of closing an account. Unless "closed", nothing has changed. */
export type ClosingOutcome = "closed" | "phone reserved" | "order open" | "last administrator" | "not proven";

/** Proof that the owner closes the account. */
export type ClosingProof =
  /** From `checkPassword`. */
  | { passwordHash: string }
  /** For an account without a password: a session opened in the last ten minutes. */
  | { sessionId: string }
  /** For an account whose address was never verified: the id of a token to verify it. */
  | { verificationId: string };

const recentMinutes = 10;

const deletedName = "Deleted account";

/**
 * Closes an account permanently, in one batch, so that a concurrent booking either prevents it or finds no account.
 *
 * Deletes all personal data, unsold listings, and the buyer's data in past orders. The empty row stays for references
 * from sold phones and orders. Messages stay for the other side, if it is a member. Reports stay; they lose name and email address only if the address is verified, because
 * anyone can sign up with the address of another.
 */
export async function closeAccount(db: Db, viewer: Viewer, proof: ClosingProof): Promise<ClosingOutcome> {
  const removalId = timeOrderedId();
  const account = and(eq(users.id, viewer.id), isNull(users.removalId));
  const mayClose = and(
    account,
    isProven(db, viewer, proof),
    notExists(reservedPhones(db, viewer)),
    notExists(openOrders(db, viewer)),
    or(ne(users.userType, "Admin"), exists(otherAdministrators(db, viewer))),
  );
  const one = sql`1`;
  const closed = exists(db.select({ one }).from(users).where(eq(users.removalId, removalId)));
  const unsold = unsoldPhones(db, viewer);
  const ownReports = and(
    emailEquals(reports.email, viewer.email),
    exists(
      db
        .select({ one })
        .from(users)
        .where(and(mayClose, isNotNull(users.emailVerifiedAt))),
    ),
  );
  const abandoned = abandonedConversations(db, viewer);
  const [, marked] = await db.batch([
    // First, because the next statement resets `emailVerifiedAt`.
    db.update(reports).set({ name: deletedName, email: "" }).where(ownReports),
    db
      .update(users)
      .set({
        removalId,
        name: deletedName,
        email: "",
        passwordHash: null,
        googleSubject: null,
        emailVerifiedAt: null,
        verified: null,
      })
      .where(mayClose)
      .returning({ id: users.id }),
    db.delete(sessions).where(and(eq(sessions.userId, viewer.id), closed)),
    db.delete(passkeys).where(and(eq(passkeys.userId, viewer.id), closed)),
    db.delete(personalAccessTokens).where(and(eq(personalAccessTokens.userId, viewer.id), closed)),
    db.delete(oneTimeTokens).where(and(eq(oneTimeTokens.userId, viewer.id), closed)),
    db.delete(savedSearches).where(and(eq(savedSearches.userId, viewer.id), closed)),
    db.delete(notifications).where(and(eq(notifications.userId, viewer.id), closed)),
    db.delete(emailOptOuts).where(and(eq(emailOptOuts.userId, viewer.id), closed)),
    db.delete(savedListings).where(and(eq(savedListings.userId, viewer.id), closed)),
    // The next photo cleanup deletes their objects.
    db
      .update(photos)
      .set({ phoneId: null })
      .where(and(inArray(photos.phoneId, unsold), closed)),
    db.delete(priceChanges).where(and(inArray(priceChanges.phoneId, unsold), closed)),
    db.delete(phones).where(and(eq(phones.sellerId, viewer.id), ne(phones.status, "sold"), closed)),
    // The decisions stay, without what the owner wrote.
    db
      .update(decisions)
      .set({ answer: null })
      .where(and(eq(decisions.ownerId, viewer.id), closed)),
    db
      .update(bookings)
      .set({ buyerName: deletedName, buyerAddress: "", email: "", phone: "" })
      .where(and(eq(bookings.buyerId, viewer.id), closed)),
    db
      .delete(blocks)
      .where(and(or(eq(blocks.blockerId, viewer.id), eq(blocks.blockedId, viewer.id)), closed)),
    db.delete(messages).where(and(inArray(messages.conversationId, abandoned), closed)),
    db.delete(conversations).where(and(inArray(conversations.id, abandoned), closed)),
    db.delete(conversationSides).where(and(eq(conversationSides.userId, viewer.id), closed)),
  ]);
  return marked.length > 0 ? "closed" : findObstacle(db, viewer);
}

function isProven(db: Db, viewer: Viewer, proof: ClosingProof): SQL | undefined {
  if ("passwordHash" in proof) return eq(users.passwordHash, proof.passwordHash);
  if ("verificationId" in proof) return isUnverifiedOwner(db, proof.verificationId);
  const recent = new Date(Date.now() - recentMinutes * 60_000);
  return and(
    isNull(users.passwordHash),
    exists(
      db
        .select({ one: sql`1` })
        .from(sessions)
        .where(
          and(
            eq(sessions.id, proof.sessionId),
            eq(sessions.userId, viewer.id),
            gt(sessions.createdAt, recent),
          ),
        ),
    ),
  );
}

/** "locked": it cannot be closed yet, but nobody can log in to it. "invalid": the token is. */
export type DisownOutcome = "closed" | "locked" | "last administrator" | "invalid";

/**
 * Closes an account that somebody made with another's address, by the token that was sent to the address. With a
 * reserved phone or an open order it stays, without password, passkeys, personal access tokens and sessions.
 */
export async function disownAccount(db: Db, token: string): Promise<DisownOutcome> {
  const account = await findUnverifiedAccount(db, token);
  if (!account) return "invalid";
  const verificationId = await oneTimeTokenId(token);
  const outcome = await closeAccount(db, account, { verificationId });
  if (outcome === "closed" || outcome === "last administrator") return outcome;
  return (await lockAccount(db, verificationId)) ? "locked" : "invalid";
}

async function lockAccount(db: Db, verificationId: string): Promise<boolean> {
  const locked = db.select({ id: users.id }).from(users).where(isUnverifiedOwner(db, verificationId));
  const [, , , , used] = await db.batch([
    db.delete(sessions).where(inArray(sessions.userId, locked)),
    db.delete(passkeys).where(inArray(passkeys.userId, locked)),
    db.delete(personalAccessTokens).where(inArray(personalAccessTokens.userId, locked)),
    db.update(users).set({ passwordHash: null }).where(isUnverifiedOwner(db, verificationId)),
    db.delete(oneTimeTokens).where(inArray(oneTimeTokens.userId, locked)).returning({ id: oneTimeTokens.id }),
  ]);
  return used.length > 0;
}

/** Condition on `users`: the account of a valid token, never verified. */
function isUnverifiedOwner(db: Db, verificationId: string) {
  return and(
    isNull(users.emailVerifiedAt),
    inArray(users.id, oneTimeTokenOwner(db, "verification", verificationId)),
  );
}

function reservedPhones(db: Db, { id }: Viewer) {
  return db
    .select({ one: sql`1` })
    .from(phones)
    .where(and(eq(phones.sellerId, id), eq(phones.status, "reserved")));
}

function unsoldPhones(db: Db, { id }: Viewer) {
  return db
    .select({ id: phones.id })
    .from(phones)
    .where(and(eq(phones.sellerId, id), ne(phones.status, "sold")));
}

/** The conversations whose other side has closed its account before. */
function abandonedConversations(db: Db, { id }: Viewer) {
  const other = alias(conversationSides, "other_side");
  return db
    .select({ id: conversationSides.conversationId })
    .from(conversationSides)
    .where(
      and(
        eq(conversationSides.userId, id),
        notExists(
          db
            .select({ one: sql`1` })
            .from(other)
            .where(and(eq(other.conversationId, conversationSides.conversationId), ne(other.userId, id))),
        ),
      ),
    );
}

function openOrders(db: Db, { id }: Viewer) {
  return db
    .select({ one: sql`1` })
    .from(bookings)
    .where(and(eq(bookings.buyerId, id), eq(bookings.status, "active"), ne(bookings.stage, "received")));
}

function otherAdministrators(db: Db, { id }: Viewer) {
  const other = alias(users, "other");
  return db
    .select({ one: sql`1` })
    .from(other)
    .where(and(ne(other.id, id), eq(other.userType, "Admin"), isNull(other.removalId)));
}

async function findObstacle(db: Db, viewer: Viewer): Promise<ClosingOutcome> {
  const [reserved, open, administrators] = await db.batch([
    reservedPhones(db, viewer).limit(1),
    openOrders(db, viewer).limit(1),
    otherAdministrators(db, viewer).limit(1),
  ]);
  if (reserved.length > 0) return "phone reserved";
  if (open.length > 0) return "order open";
  return viewer.userType === "Admin" && administrators.length === 0 ? "last administrator" : "not proven";
}
