import { and, eq, isNull, lt } from "drizzle-orm";
import type { Db } from "./client.server.ts";
import { idempotencyKeys } from "./schema.ts";

const storedHours = 24;

/** After this time an unfinished request counts as failed, and a retry takes over. */
const timeoutSeconds = 60;

type KeyState =
  | { state: "first"; name: string }
  | { state: "in progress" }
  | { state: "other body" }
  | { state: "completed"; status: number; response: string };

/**
 * Claims a key for one request. Of concurrent requests exactly one is "first". It must end with `storeIdempotentResponse`,
 * `releaseKey` or `letRetryTakeOver`. A retry after a failure is "first" again, with the same name.
 *
 * @param key.id identifies client, path and key
 */
export async function claimIdempotencyKey(db: Db, key: { id: string; bodyHash: string }): Promise<KeyState> {
  const [, [claimed], [known]] = await db.batch([
    db.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, secondsAgo(storedHours * 3600))),
    db
      .insert(idempotencyKeys)
      .values({ ...key, name: crypto.randomUUID() })
      .onConflictDoUpdate({
        target: idempotencyKeys.id,
        set: { createdAt: new Date() },
        setWhere: and(
          eq(idempotencyKeys.bodyHash, key.bodyHash),
          isNull(idempotencyKeys.status),
          lt(idempotencyKeys.createdAt, secondsAgo(timeoutSeconds)),
        ),
      })
      .returning({ name: idempotencyKeys.name }),
    db.select().from(idempotencyKeys).where(eq(idempotencyKeys.id, key.id)),
  ]);
  if (claimed) return { state: "first", name: claimed.name };
  if (known?.bodyHash !== key.bodyHash) return { state: "other body" };
  const { status, response } = known;
  return status === null || response === null
    ? { state: "in progress" }
    : { state: "completed", status, response };
}

/** Deletes the keys that a retry can no longer use. */
export async function deleteExpiredKeys(db: Db, now = new Date()): Promise<void> {
  await db
    .delete(idempotencyKeys)
    .where(lt(idempotencyKeys.createdAt, new Date(now.getTime() - storedHours * 3_600_000)));
}

export async function storeIdempotentResponse(
  db: Db,
  id: string,
  stored: { status: number; response: string },
) {
  await db.update(idempotencyKeys).set(stored).where(eq(idempotencyKeys.id, id));
}

/** Deletes a key whose request changed nothing. */
export async function releaseKey(db: Db, id: string) {
  await db.delete(idempotencyKeys).where(eq(idempotencyKeys.id, id));
}

/** Lets a retry take over at once, with the same name, from a request that may have changed something. */
export async function letRetryTakeOver(db: Db, id: string) {
  const createdAt = secondsAgo(timeoutSeconds + 1);
  await db.update(idempotencyKeys).set({ createdAt }).where(eq(idempotencyKeys.id, id));
}

function secondsAgo(seconds: number): Date {
  return new Date(Date.now() - seconds * 1000);
}
