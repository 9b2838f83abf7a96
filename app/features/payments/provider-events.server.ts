import { and, asc, eq, inArray, isNull, lte, type SQL } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { providerEvents } from "#app/db/schema.ts";
import { dayMs } from "#app/time.ts";
import { forEachUntilProviderDown } from "./payment-tasks.server.ts";
import { type PaymentProvider, ProviderError } from "./provider.ts";

/** Events of one run; the next run continues. */
const maxEvents = 50;

/** After this many days an event that was sent again would be stored again, which changes nothing. */
const keptDays = 30;

type Handler = (db: Db, provider: PaymentProvider, objectId: string) => Promise<unknown>;

/**
 * By the type of an event, what is looked up at the provider before it counts: what the event says may be old or out of
 * order.
 */
export type EventHandlers = Record<string, Handler>;

/** Stores an event of the provider, once. @returns its id; null if it is forged */
export async function receiveEvent(
  db: Db,
  provider: PaymentProvider,
  handlers: EventHandlers,
  { body, signature }: { body: string; signature: string | null },
): Promise<string | null> {
  const event = await provider.readEvent(body, signature);
  if (!event) return null;
  await db
    .insert(providerEvents)
    .values({ ...event, receivedAt: new Date(), processedAt: handlers[event.type] ? null : new Date() })
    .onConflictDoNothing();
  return event.id;
}

/** What an event that was processed takes with it of those that wait, and for how long these have waited at least. */
const carried = { events: 10, afterMs: 60_000 };

/**
 * Processes an event that has just come, so that of many at once each is looked up once. If that fails, it waits for the
 * next run of `processEvents`, unless that would not help. If not, the provider answers, so some of those that wait go with
 * it: what has piled up while it was down is worked off as fast as new ones come.
 *
 * @returns the codes of the failures
 */
export async function processEvent(
  db: Db,
  provider: PaymentProvider,
  handlers: EventHandlers,
  id: string,
): Promise<string[]> {
  const failures = await processWaiting(db, provider, handlers, {
    where: eq(providerEvents.id, id),
    limit: 1,
  });
  if (failures.length > 0) return failures;
  const where = lte(providerEvents.receivedAt, new Date(Date.now() - carried.afterMs));
  return processWaiting(db, provider, handlers, { where, limit: carried.events });
}

/** Processes the events that wait, in the order of their receipt. @returns the codes of the failures */
export function processEvents(db: Db, provider: PaymentProvider, handlers: EventHandlers) {
  return processWaiting(db, provider, handlers, { where: undefined, limit: maxEvents });
}

async function processWaiting(
  db: Db,
  provider: PaymentProvider,
  handlers: EventHandlers,
  { where, limit }: { where: SQL | undefined; limit: number },
): Promise<string[]> {
  const waiting = await db
    .select()
    .from(providerEvents)
    .where(and(where, isNull(providerEvents.processedAt)))
    .orderBy(asc(providerEvents.receivedAt))
    .limit(limit);
  const done: string[] = [];
  const failed: string[] = [];
  const isWaiting = (ids: string[]) =>
    and(inArray(providerEvents.id, ids), isNull(providerEvents.processedAt));
  try {
    return await forEachUntilProviderDown(waiting, async ({ id, type, objectId }) => {
      try {
        await handlers[type]?.(db, provider, objectId);
        done.push(id);
      } catch (error) {
        (error instanceof ProviderError && !error.isRetryable ? done : failed).push(id);
        throw error;
      }
    });
  } finally {
    if (done.length > 0)
      await db.update(providerEvents).set({ processedAt: new Date() }).where(isWaiting(done));
    // To the end of the line, so that none keeps the others from being tried.
    if (failed.length > 0)
      await db.update(providerEvents).set({ receivedAt: new Date() }).where(isWaiting(failed));
  }
}

/** Deletes old events that were processed. */
export async function forgetEvents(db: Db, limit: number): Promise<void> {
  const old = db
    .select({ id: providerEvents.id })
    .from(providerEvents)
    .where(lte(providerEvents.processedAt, new Date(Date.now() - keptDays * dayMs)))
    .limit(limit);
  await db.delete(providerEvents).where(inArray(providerEvents.id, old));
}
