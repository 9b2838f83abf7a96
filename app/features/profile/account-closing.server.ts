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
  bookings,
  oneTimeTokens,
  passkeys,
  phones,
  photos,
  priceChanges,
  reports,
  sessions,
  users,
} from "#app/db/schema.ts";
import type { Viewer } from "../accounts/viewer.ts";

/** How an attempt to close an account went; all but the first leave everything as it was. */
export type ClosingOutcome = "closed" | "phone reserved" | "order open" | "last administrator" | "not proven";

/** What shows that it is the owner who closes an account. */
export type ClosingProof =
  /** Of `checkPassword`. */
  | { passwordHash: string }
  /** For an account without a password: a session that was opened in the last ten minutes. */
  | { sessionId: string };

const recentMinutes = 10;

/** Stands where a name was. */
const nobody = "Deleted account";

/**
 * Closes an account for good, in one batch that the database decides: a booking or another closing at the same
 * moment comes either before, and is a reason to refuse, or after, and finds the account gone.
 *
 * What tells of a person goes: name, address, password, Google's key, sessions and one-time tokens, the listings that
 * were not sold with their photos, and what past orders, received or cancelled, say of their buyer. The empty row stays, as
 * sold phones and past orders name its id. Reports stay, without name and address if the address was shown to be
 * theirs: anybody could have signed up with another's.
 */
export async function closeAccount(db: Db, viewer: Viewer, proof: ClosingProof): Promise<ClosingOutcome> {
  const removalId = timeOrderedId();
  const itself = and(eq(users.id, viewer.id), isNull(users.removalId));
  const mayClose = and(
    itself,
    proven(db, viewer, proof),
    notExists(reservedPhones(db, viewer)),
    notExists(openOrders(db, viewer)),
    or(ne(users.userType, "Admin"), exists(otherAdministrators(db, viewer))),
  );
  const one = sql`1`;
  const closed = exists(db.select({ one }).from(users).where(eq(users.removalId, removalId)));
  const unsold = unsoldPhones(db, viewer);
  const filedByThem = and(
    sql`lower(${reports.email}) = lower(${viewer.email})`,
    exists(
      db
        .select({ one })
        .from(users)
        .where(and(mayClose, isNotNull(users.emailVerifiedAt))),
    ),
  );
  const [, marked] = await db.batch([
    // Before the row forgets whether the address was shown to be theirs.
    db.update(reports).set({ name: nobody, email: "" }).where(filedByThem),
    db
      .update(users)
      .set({
        removalId,
        name: nobody,
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
    db.delete(oneTimeTokens).where(and(eq(oneTimeTokens.userId, viewer.id), closed)),
    // Their bytes go with the next sweep.
    db
      .update(photos)
      .set({ phoneId: null })
      .where(and(inArray(photos.phoneId, unsold), closed)),
    db.delete(priceChanges).where(and(inArray(priceChanges.phoneId, unsold), closed)),
    db.delete(phones).where(and(eq(phones.sellerId, viewer.id), ne(phones.status, "sold"), closed)),
    db
      .update(bookings)
      .set({ buyerName: nobody, buyerAddress: "", email: "", phone: "" })
      .where(and(eq(bookings.buyerId, viewer.id), closed)),
  ]);
  return marked.length > 0 ? "closed" : whyNot(db, viewer);
}

function proven(db: Db, viewer: Viewer, proof: ClosingProof): SQL | undefined {
  if ("passwordHash" in proof) return eq(users.passwordHash, proof.passwordHash);
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

/** Finds out what stood in the way. */
async function whyNot(db: Db, viewer: Viewer): Promise<ClosingOutcome> {
  const [reserved, open, administrators] = await db.batch([
    reservedPhones(db, viewer).limit(1),
    openOrders(db, viewer).limit(1),
    otherAdministrators(db, viewer).limit(1),
  ]);
  if (reserved.length > 0) return "phone reserved";
  if (open.length > 0) return "order open";
  return viewer.userType === "Admin" && administrators.length === 0 ? "last administrator" : "not proven";
}
