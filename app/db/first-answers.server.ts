import { and, eq, isNull, lt } from "drizzle-orm";
import type { Db } from "./client.server.ts";
import { firstAnswers } from "./schema.ts";

/** How long a call's repeat is answered like the first. */
const keptHours = 24;

/** A first call without an answer for so long has broken off, and a repeat may take its place. */
const abandonedAfterSeconds = 60;

/** What is known of a call that names itself. */
export type FirstAnswer =
  | { state: "first"; name: string }
  | { state: "at work" }
  | { state: "other body" }
  | { state: "answered"; status: number; answer: string };

/**
 * Claims a call for the first who makes it. Of many at once exactly one is "first", and must end with
 * `keepAnswer`, `forgetCall` or `breakOff`. One that has broken off goes on under the same name.
 *
 * @param call.id of the caller, the path and the key they gave it
 */
export async function claimCall(db: Db, call: { id: string; bodyHash: string }): Promise<FirstAnswer> {
  const [, [claimed], [known]] = await db.batch([
    db.delete(firstAnswers).where(lt(firstAnswers.createdAt, secondsAgo(keptHours * 3600))),
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

/** Keeps what a claimed call was answered. */
export async function keepAnswer(db: Db, id: string, answered: { status: number; answer: string }) {
  await db.update(firstAnswers).set(answered).where(eq(firstAnswers.id, id));
}

/** Gives a claimed call back that has done nothing, as if it had not been made. */
export async function forgetCall(db: Db, id: string) {
  await db.delete(firstAnswers).where(eq(firstAnswers.id, id));
}

/** Gives a claimed call back that may have done something: its repeat goes on at once, under the same name. */
export async function breakOff(db: Db, id: string) {
  const createdAt = secondsAgo(abandonedAfterSeconds + 1);
  await db.update(firstAnswers).set({ createdAt }).where(eq(firstAnswers.id, id));
}

function secondsAgo(seconds: number): Date {
  return new Date(Date.now() - seconds * 1000);
}
