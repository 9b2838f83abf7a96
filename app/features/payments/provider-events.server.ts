import { and, asc, eq, inArray, isNull, lte, type SQL } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { providerEvents } from "#app/db/schema.ts";
import { dayMs } from "#app/time.ts";
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

/**
 * Processes an event that has just come, so that of many at once each is looked up once. If that fails, it waits for the
 * next run of `processEvents`, unless that would not help.
 *
 * @returns the codes of the failures
 */
export function processEvent(db: Db, provider: PaymentProvider, handlers: EventHandlers, id: string) {
  return processWaiting(db, provider, handlers, eq(providerEvents.id, id));
}

/** Processes the events that wait, in the order of their receipt. @returns the codes of the failures */
export function processEvents(db: Db, provider: PaymentProvider, handlers: EventHandlers) {
  return processWaiting(db, provider, handlers, undefined);
}

async function processWaiting(
  db: Db,
  provider: PaymentProvider,
  handlers: EventHandlers,
  condition: SQL | undefined,
): Promise<string[]> {
  const waiting = await db
    .select()
    .from(providerEvents)
    .where(and(condition, isNull(providerEvents.processedAt)))
    .orderBy(asc(providerEvents.receivedAt))
    .limit(maxEvents);
  const done: string[] = [];
  const failures: string[] = [];
  for (const { id, type, objectId } of waiting) {
    try {
      await handlers[type]?.(db, provider, objectId);
      done.push(id);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      failures.push(error.code);
      if (!error.isRetryable) done.push(id);
    }
  }
  if (done.length > 0)
    await db
      .update(providerEvents)
      .set({ processedAt: new Date() })
      .where(and(inArray(providerEvents.id, done), isNull(providerEvents.processedAt)));
  return failures;
}

/** Deletes old events that were processed. */
export async function forgetEvents(db: Db, limit: number, now = new Date()): Promise<void> {
  const old = db
    .select({ id: providerEvents.id })
    .from(providerEvents)
    .where(lte(providerEvents.processedAt, new Date(now.getTime() - keptDays * dayMs)))
    .limit(limit);
  await db.delete(providerEvents).where(inArray(providerEvents.id, old));
}
