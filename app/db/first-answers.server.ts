import { and, eq, isNull, lt } from "drizzle-orm";
import type { Db } from "./client.server.ts";
import { firstAnswers } from "./schema.ts";

/** How long the response to an idempotency key is stored. */
const storedHours = 24;

/** A first call without a response for so long is abandoned; a repeat may take over. */
const abandonedAfterSeconds = 60;

/** The state of a call with an idempotency key. */
export type FirstAnswer =
  | { state: "first"; name: string }
  | { state: "at work" }
  | { state: "other body" }
  | { state: "answered"; status: number; answer: string };

/**
 * Claims an idempotency key. Of several concurrent calls exactly one is "first"; it must end with `keepAnswer`,
 * `forgetCall` or `breakOff`. A repeat of an abandoned call continues under the same name.
 *
 * @param call.id identifies the caller, the path and the key
 */
export async function claimCall(db: Db, call: { id: string; bodyHash: string }): Promise<FirstAnswer> {
  const [, [claimed], [known]] = await db.batch([
    db.delete(firstAnswers).where(lt(firstAnswers.createdAt, secondsAgo(storedHours * 3600))),
    db
      .insert(firstAnswers)
      .values({ ...call, name: crypto.randomUUID() })
      .onConflictDoUpdate({
        target: firstAnswers.id,
        set: { createdAt: new Date() },
        setWhere: and(
          eq(firstAnswers.bodyHash, call.bodyHash),
          isNull(firstAnswers.status),
          lt(firstAnswers.createdAt, secondsAgo(abandonedAfterSeconds)),
        ),
      })
      .returning({ name: firstAnswers.name }),
    db.select().from(firstAnswers).where(eq(firstAnswers.id, call.id)),
  ]);
  if (claimed) return { state: "first", name: claimed.name };
  if (known?.bodyHash !== call.bodyHash) return { state: "other body" };
  const { status, answer } = known;
  return status === null || answer === null ? { state: "at work" } : { state: "answered", status, answer };
}

/** Stores the response to a claimed call. */
export async function keepAnswer(db: Db, id: string, answered: { status: number; answer: string }) {
  await db.update(firstAnswers).set(answered).where(eq(firstAnswers.id, id));
}

/** Releases the key of a call that has changed nothing. */
export async function forgetCall(db: Db, id: string) {
  await db.delete(firstAnswers).where(eq(firstAnswers.id, id));
}

/** Releases the key of a call that may have changed something: a repeat continues at once, under the same name. */
export async function breakOff(db: Db, id: string) {
  const createdAt = secondsAgo(abandonedAfterSeconds + 1);
  await db.update(firstAnswers).set({ createdAt }).where(eq(firstAnswers.id, id));
}

function secondsAgo(seconds: number): Date {
  return new Date(Date.now() - seconds * 1000);
}
