import { and, eq, isNull, lt, or } from "drizzle-orm";
import type { Db } from "./client.server.ts";
import { firstAnswers } from "./schema.ts";

/** How long a call's repeat is answered like the first. */
const keptHours = 24;

/** A first call that has said nothing for so long has broken off, and a repeat may take its place. */
const patienceSeconds = 60;

/** What is known of a call that names itself. */
export type FirstAnswer =
  | { state: "first" }
  | { state: "at work" }
  | { state: "other body" }
  | { state: "answered"; status: number; answer: string };

/**
 * Claims a call for the first who makes it. Of many at once exactly one is "first", and must end with
 * `keepAnswer` or `forgetCall`.
 *
 * @param call.id of the caller, the path and the name they gave it
 */
export async function claimCall(db: Db, call: { id: string; bodyHash: string }): Promise<FirstAnswer> {
  const before = (seconds: number) => new Date(Date.now() - seconds * 1000);
  const [, claimed, [known]] = await db.batch([
    db
      .delete(firstAnswers)
      .where(
        or(
          lt(firstAnswers.createdAt, before(keptHours * 3600)),
          and(
            eq(firstAnswers.id, call.id),
            isNull(firstAnswers.status),
            lt(firstAnswers.createdAt, before(patienceSeconds)),
          ),
        ),
      ),
    db.insert(firstAnswers).values(call).onConflictDoNothing().returning({ id: firstAnswers.id }),
    db.select().from(firstAnswers).where(eq(firstAnswers.id, call.id)),
  ]);
  if (claimed.length > 0) return { state: "first" };
  if (known?.bodyHash !== call.bodyHash) return { state: "other body" };
  const { status, answer } = known;
  return status === null || answer === null ? { state: "at work" } : { state: "answered", status, answer };
}

/** Keeps what a claimed call was answered. */
export async function keepAnswer(db: Db, id: string, answered: { status: number; answer: string }) {
  await db.update(firstAnswers).set(answered).where(eq(firstAnswers.id, id));
}

/** Gives a claimed call back, as if it had not been made. */
export async function forgetCall(db: Db, id: string) {
  await db.delete(firstAnswers).where(eq(firstAnswers.id, id));
}
