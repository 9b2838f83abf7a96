import { and, eq, inArray, isNotNull, isNull, lt, ne, not, notExists, or, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { firstIdAt, hasRow, isOneOf } from "#app/db/conditions.server.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import { deleteExpiredKeys } from "#app/db/idempotency-keys.server.ts";
import {
  activity,
  decisions,
  logins,
  notes,
  offers,
  orderProblems,
  orders,
  phones,
  photos,
  priceChanges,
  removals,
  savedListings,
  savedReplies,
  tickets,
  unmatchedListings,
  users,
} from "#app/db/schema.ts";
import { purgeAfterDays } from "#app/terms.ts";
import { dayMs } from "#app/time.ts";
import { hasPermission } from "../accounts/account-access.server.ts";
import { formerMember } from "../accounts/viewer.ts";
import { deleteVariantsWithoutListing } from "../listings/device-variants.server.ts";
import { problemOpenableUntil } from "../messages/order-contact.server.ts";
import { hasOpenAppeal } from "../moderation/decisions/decision-conditions.server.ts";
import { isInOpenProblem } from "../order-problems/order-problems.server.ts";
import { hasHeldMoney } from "../payments/money-facts.server.ts";
import {
  eraseAccount,
  eraseFromExports,
  hasOpenOrder,
  hasReservedListing,
} from "./account-erasure.server.ts";

/** Support tickets are erased so many days after they were closed. */
const closedTicketDays = 365;

/** What one run purges at most; the next run continues. */
const limits = { listings: 200, tickets: 200, accounts: 20, removals: 5000, variants: 200 };

/**
 * Erases listings, tickets and people that were removed 30 days ago, and tickets that were closed a year ago, in limited
 * batches. Each ends with deleting the rows it was about, so what a killed run leaves is due in the next.
 */
export async function purgeRemovals(db: Db, now = new Date(), limit = limits): Promise<void> {
  const before = new Date(now.getTime() - purgeAfterDays * dayMs);
  const due = dueBefore(before);
  await purgeListings(db, due, limit.listings, now);
  await purgeTickets(db, due, limit.tickets, now);
  await purgeAccounts(db, due, limit.accounts);
  await db.delete(savedReplies).where(lt(savedReplies.removalId, firstIdAt(before)));
  await forgetRemovals(db, due, limit.removals);
  await deleteVariantsWithoutListing(db, limit.variants);
  await deleteExpiredKeys(db, now);
  await forgetLogins(db, now, limit.removals);
}

const loginDays = 90;

async function forgetLogins(db: Db, now: Date, limit: number): Promise<void> {
  const expired = lt(logins.id, firstIdAt(new Date(now.getTime() - loginDays * dayMs)));
  const some = db.select({ id: logins.id }).from(logins).where(expired).limit(limit);
  await db.delete(logins).where(inArray(logins.id, some));
}

/** Condition on `removals`: older than that. Its ids are time-ordered, so the primary key leads to these rows. */
function dueBefore(before: Date) {
  return and(lt(removals.id, firstIdAt(before)), lt(removals.createdAt, before));
}

type Due = ReturnType<typeof dueBefore>;

async function purgeListings(db: Db, due: Due, limit: number, now: Date): Promise<void> {
  const found = await db
    .select({ id: phones.id })
    .from(removals)
    // From the removals on, of which few are due: SQLite does not reorder a cross join, and hidden listings may be many.
    .crossJoin(phones)
    .where(
      and(
        eq(phones.hiddenById, removals.id),
        due,
        isNull(removals.undoneAt),
        takesListing(db),
        isErasable,
        not(hasRow(db, decisions, and(eq(decisions.id, removals.id), hasOpenAppeal(db)))),
        // The seller of an order is found by its listing.
        notExists(openProblemsOf(db)),
        notExists(reportableOrdersOf(db, now)),
      ),
    )
    .orderBy(removals.id)
    .limit(limit);
  if (found.length === 0) return;
  const ids = found.map(({ id }) => id);
  // Of one that was sold elsewhere, no order needs the listing.
  const isSold = sql`(${phones.status} = 'sold' and not ${phones.soldElsewhere})`;
  await db.batch([
    // The next photo cleanup deletes their objects.
    db.update(photos).set({ phoneId: null }).where(isOneOf(photos.phoneId, ids)),
    db.delete(priceChanges).where(isOneOf(priceChanges.phoneId, ids)),
    // Before the listing, so that no trigger has savers notified again.
    db.delete(savedListings).where(isOneOf(savedListings.phoneId, ids)),
    db.delete(unmatchedListings).where(isOneOf(unmatchedListings.phoneId, ids)),
    db.delete(offers).where(isOneOf(offers.phoneId, ids)),
    db.delete(notes).where(isOneOf(notes.subjectId, ids)),
    // An order names its seller through its listing.
    db
      .update(phones)
      .set({ sellingReason: "", details: {}, formKey: null, imeiHash: null, ownNumber: null, cover: null })
      .where(and(isOneOf(phones.id, ids), isSold)),
    db.delete(removals).where(
      inArray(
        removals.id,
        db
          .select({ id: sql<string>`${phones.hiddenById}`.as("hidden_by_id") })
          .from(phones)
          .where(and(isOneOf(phones.id, ids), isSold)),
      ),
    ),
    db.delete(phones).where(and(isOneOf(phones.id, ids), not(isSold), isNotNull(phones.hiddenById))),
  ]);
}

/** The open problems with orders of a listing. */
function openProblemsOf(db: Db) {
  return db
    .select({ id: orders.id })
    .from(orders)
    .innerJoin(orderProblems, and(eq(orderProblems.orderId, orders.id), isNull(orderProblems.endedAt)))
    .where(eq(orders.phoneId, phones.id));
}

/** The orders of a listing that have ended, and can still be reported. */
function reportableOrdersOf(db: Db, now: Date) {
  return db
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.phoneId, phones.id), sql`${problemOpenableUntil(now)} > ${now.getTime()}`));
}

/** Sold listings stay with an account, as do reserved ones. */
const isErasable = and(
  ne(phones.status, "reserved"),
  or(ne(removals.kind, "user"), ne(phones.status, "sold"), phones.soldElsewhere),
);

/** Condition on `removals`: it removes listings, other than a decision that only hides one. */
function takesListing(db: Db) {
  const isRemoval = hasRow(db, decisions, and(eq(decisions.id, removals.id), eq(decisions.kind, "remove")));
  return or(inArray(removals.kind, ["phone", "user"]), and(eq(removals.kind, "decision"), isRemoval));
}

async function purgeTickets(db: Db, due: Due, limit: number, now: Date): Promise<void> {
  const columns = { id: tickets.id, name: tickets.name, email: tickets.email };
  const wasClosed = and(
    isNull(tickets.removalId),
    lt(tickets.closedAt, new Date(now.getTime() - closedTicketDays * dayMs)),
  );
  const [removed, closed] = await Promise.all([
    db
      .select(columns)
      .from(removals)
      .innerJoin(tickets, eq(tickets.removalId, removals.id))
      .where(and(due, isNull(removals.undoneAt)))
      .orderBy(removals.id)
      .limit(limit),
    db.select(columns).from(tickets).where(wasClosed).orderBy(tickets.closedAt).limit(limit),
  ]);
  const found = [...removed, ...closed];
  if (found.length === 0) return;
  const ids = found.map(({ id }) => id);
  // Unless its sender has just written back.
  const erased = and(isOneOf(tickets.id, ids), or(isNotNull(tickets.removalId), wasClosed));
  const texts = found.flatMap(({ name, email }) => [name, email]);
  const erasedIds = db.select({ id: tickets.id }).from(tickets).where(erased);
  await db.batch([
    // The log names the sender.
    db.update(activity).set({ target: "Deleted report" }).where(inArray(activity.targetId, erasedIds)),
    eraseFromExports(db, texts),
    db.delete(notes).where(inArray(notes.subjectId, erasedIds)),
    db.delete(tickets).where(erased),
  ]);
}

/** Erases people, except those with an open order or problem: their other side still needs them. */
async function purgeAccounts(db: Db, due: Due, limit: number): Promise<void> {
  const found = await db
    .select({
      removalId: removals.id,
      id: users.id,
      name: users.name,
      email: users.email,
      isActor: sql<number>`${or(hasPermission("moderate"), wasModerator(db))}`
        .mapWith(Boolean)
        .as("is_actor"),
    })
    .from(removals)
    .innerJoin(users, and(eq(users.id, removals.targetId), eq(users.removalId, removals.id)))
    .where(
      and(
        due,
        isNull(removals.undoneAt),
        not(hasListings(db)),
        not(hasReservedListing(db, users.id)),
        not(hasOpenOrder(db, users.id)),
        not(isInOpenProblem(db, users.id)),
        not(hasHeldMoney(db, users.id)),
      ),
    )
    .orderBy(removals.id)
    .limit(limit);
  for (const { removalId, isActor, ...person } of found) {
    const isStillRemoved = hasRow(db, users, and(eq(users.id, person.id), eq(users.removalId, removalId)));
    await batchUnless(db, { restored: isStillRemoved }, [
      ...eraseAccount(db, person),
      ...(isActor ? [eraseActor(db, person.id)] : []),
      db.delete(removals).where(eq(removals.id, removalId)),
    ]);
  }
}

/** Condition on `users`: the account has been a moderator's. */
function wasModerator(db: Db) {
  return hasRow(
    db,
    activity,
    and(eq(activity.targetId, users.id), eq(activity.action, "appointed moderator")),
  );
}

/** The log still shows that actions were those of one administrator. */
function eraseActor(db: Db, id: string) {
  return db.update(activity).set({ actorEmail: formerMember }).where(eq(activity.actorId, id));
}

/** Deletes the rows of removals that were undone, or of which nothing is left to purge. */
async function forgetRemovals(db: Db, due: Due, limit: number): Promise<void> {
  const isSettled = and(
    not(hasRow(db, users, and(eq(users.id, removals.targetId), eq(users.removalId, removals.id)))),
    not(hasRow(db, tickets, eq(tickets.removalId, removals.id))),
    not(hasListings(db)),
  );
  const settled = db
    .select({ id: removals.id })
    .from(removals)
    .where(and(due, or(isNotNull(removals.undoneAt), isSettled)))
    .orderBy(removals.id)
    .limit(limit);
  await db.delete(removals).where(inArray(removals.id, settled));
}

/** Condition on `removals`: listings that it has taken are still to be purged. */
function hasListings(db: Db) {
  return hasRow(db, phones, and(eq(phones.hiddenById, removals.id), takesListing(db), isErasable));
}
