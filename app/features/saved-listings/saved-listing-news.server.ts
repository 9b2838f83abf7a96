import {
  and,
  eq,
  exists,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lte,
  ne,
  not,
  notExists,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { firstIdAt, hasRow, newId } from "#app/db/conditions.server.ts";
import type { NotificationKind, savedListingNews } from "#app/db/enums.ts";
import {
  notifications,
  orders,
  phones,
  removals,
  savedListingChanges,
  savedListings,
  users,
} from "#app/db/schema.ts";
import { notificationValues } from "../audit/notify.server.ts";
import { undoableSince } from "../audit/removals.server.ts";

/** Of one transaction, which holds up other writes. */
const maxNotifications = 1000;
/** Of one run of the job; the next run continues. */
const maxTransactions = 20;

type News = (typeof savedListingNews)[number];

/** Condition on `phones`: a user can book it. */
type BookableBy = (db: Db, userId: SQLWrapper) => SQL | undefined;

/**
 * Notifies savers of a listing that it is cheaper than ever since, cannot be bought any more, or can be again; each of
 * them once for each change that triggers have recorded. Does not notify its buyer, nor who cannot book it now of what
 * they could book; who could again some days later is not told then, since by then it is old news. What hides a listing is
 * told once it can no longer be undone.
 */
export async function notifySavers(db: Db, isBookableBy: BookableBy, now = new Date()): Promise<void> {
  const isUndoable = hasRow(
    db,
    phones,
    and(eq(phones.id, savedListingChanges.phoneId), gte(phones.hiddenById, firstIdAt(undoableSince(now)))),
  );
  const isNew = and(isNull(savedListingChanges.kind), not(isUndoable));
  for (let count = 0; count < maxTransactions; count += 1) {
    const changes = savedListingChanges;
    const isFinished = and(isNotNull(changes.kind), not(hasSaversToNotify(db, isBookableBy)));
    const [, , , , , , waiting] = await db.batch([
      db.delete(changes).where(and(isNew, sql`${news} is null`)),
      db.update(changes).set({ kind: news }).where(isNew),
      db
        .insert(notifications)
        .select(newNotifications(db, isBookableBy).limit(maxNotifications))
        .onConflictDoNothing(),
      db
        .update(savedListings)
        .set({ notifiedCents: currentCents(savedListings.phoneId) })
        .where(exists(notifiedDrops(db))),
      db.delete(savedListings).where(
        inArray(
          savedListings.phoneId,
          db
            .select({ phoneId: changes.phoneId })
            .from(changes)
            // Nobody is invited to what is gone.
            .where(
              and(not(hasListing(db)), isNotNull(changes.kind), not(hasSaversToNotify(db, () => undefined))),
            ),
        ),
      ),
      db.delete(changes).where(isFinished),
      db.select({ id: changes.id }).from(changes).where(isNotNull(changes.kind)).limit(1),
    ]);
    if (waiting.length === 0) return;
  }
}

const isAvailable = sql`coalesce((
  select ${phones.status} = 'available' and ${phones.hiddenById} is null from ${phones}
  where ${phones.id} = ${savedListingChanges.phoneId}), false)`;

const currentCents = (phoneId: SQLWrapper) =>
  sql`(select ${phones.sellingCents} from ${phones} where ${phones.id} = ${phoneId})`;

const isCheaper = sql`${currentCents(savedListingChanges.phoneId)} < ${savedListingChanges.oldCents}`;

/** The news about a change, by the listing as it is now; null if it is as before. */
const news = sql<News>`case
  when ${savedListingChanges.wasAvailable} and not ${isAvailable} then 'saved listing gone'
  when not ${savedListingChanges.wasAvailable} and ${isAvailable} then 'saved listing back'
  when ${isAvailable} and ${isCheaper} then 'price drop' end`;

/** A removed listing has no page. */
const path = sql`iif(
  exists (select 1 from ${phones} where ${phones.id} = ${savedListingChanges.phoneId} and ${phones.hiddenById} is null),
  '/phones/' || ${savedListingChanges.phoneId}, '/manage/saved')`;

const event = sql`'saved ' || ${savedListingChanges.id}`;

/** The price when it was saved, or that of the last notification. */
const knownCents = sql`coalesce(${savedListings.notifiedCents}, ${savedListings.priceCents})`;

const priceDrop = sql`json_object('cents', ${currentCents(savedListings.phoneId)}, 'oldCents', ${knownCents})`;

function newNotifications(db: Db, isBookableBy: BookableBy) {
  return db
    .select({
      ...notificationValues("price drop", {
        userId: savedListings.userId,
        subject: savedListingChanges.device,
        details: sql`iif(${savedListingChanges.kind} = 'price drop', ${priceDrop}, null)`,
        path,
        event,
      }),
      id: newId().as("id"),
      kind: sql<NotificationKind>`${savedListingChanges.kind}`.as("kind"),
    })
    .from(savedListingChanges)
    .innerJoin(savedListings, eq(savedListings.phoneId, savedListingChanges.phoneId))
    .where(isNotNotified(db, isBookableBy))
    .orderBy(savedListingChanges.createdAt);
}

/** Condition on `savedListingChanges`: savers are still to be notified of it. */
function hasSaversToNotify(db: Db, isBookableBy: BookableBy) {
  return hasRow(
    db,
    savedListings,
    and(eq(savedListings.phoneId, savedListingChanges.phoneId), isNotNotified(db, isBookableBy)),
  );
}

function isNotNotified(db: Db, isBookableBy: BookableBy) {
  const kind = savedListingChanges.kind;
  const isBookable = and(eq(phones.id, savedListings.phoneId), isBookableBy(db, savedListings.userId));
  return and(
    isNotNull(kind),
    // Otherwise a seller who raises and lowers the price could notify them again and again.
    or(ne(kind, "price drop"), sql`${currentCents(savedListings.phoneId)} < ${knownCents}`),
    lte(savedListings.createdAt, savedListingChanges.createdAt),
    hasRow(db, users, and(eq(users.id, savedListings.userId), isNull(users.removalId))),
    not(hasActiveOrder(db)),
    or(ne(kind, "saved listing back"), notExists(ownCancellation(db))),
    not(
      hasRow(
        db,
        notifications,
        and(eq(notifications.userId, savedListings.userId), sql`${notifications.event} = ${event}`),
      ),
    ),
    // Last, since SQLite limits how deep an expression is nested.
    or(eq(kind, "saved listing gone"), hasRow(db, phones, isBookable)),
  );
}

/** The buyer knows. */
function hasActiveOrder(db: Db) {
  const { buyerId, phoneId, status } = orders;
  return hasRow(
    db,
    orders,
    and(eq(buyerId, savedListings.userId), eq(phoneId, savedListings.phoneId), eq(status, "active")),
  );
}

/** Clocks of the Worker and of the database may differ, and other changes may follow before the job runs. */
const cancellationMs = 3_600_000;

/** The cancellation that made the listing available, if the user made it: the last order of the listing is theirs. */
function ownCancellation(db: Db) {
  const newest = sql`(
    select max(newest.id) from ${orders} as newest where newest.phone_id = ${savedListings.phoneId})`;
  return db
    .select({ id: orders.id })
    .from(orders)
    .innerJoin(removals, eq(removals.id, orders.removalId))
    .where(
      and(
        sql`${orders.id} = ${newest}`,
        eq(orders.buyerId, savedListings.userId),
        eq(removals.actorId, savedListings.userId),
        gt(removals.createdAt, sql`${savedListingChanges.createdAt} - ${cancellationMs}`),
      ),
    );
}

/** The price drops that a user was notified of, for a condition on `savedListings`. */
function notifiedDrops(db: Db) {
  return db
    .select({ id: savedListingChanges.id })
    .from(savedListingChanges)
    .innerJoin(notifications, sql`${notifications.event} = ${event}`)
    .where(
      and(
        eq(savedListingChanges.phoneId, savedListings.phoneId),
        eq(savedListingChanges.kind, "price drop"),
        eq(notifications.userId, savedListings.userId),
      ),
    );
}

function hasListing(db: Db) {
  return hasRow(db, phones, eq(phones.id, savedListingChanges.phoneId));
}
