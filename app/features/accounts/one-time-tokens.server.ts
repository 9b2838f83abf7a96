import { and, eq, exists, gt, inArray, isNull, lt, ne, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { oneTimeTokens, users } from "#app/db/schema.ts";
import type { OneTimeTokenPurpose } from "#app/db/values.ts";
import { randomToken, sha256Hex } from "#app/server/config/crypto.server.ts";

/**
 * For how many minutes a one-time token of each kind can be used, and how many one account gets in how many minutes.
 * None is ever refused to an account whose newest one has run out: nobody can keep another out by asking often.
 */
const terms: Record<OwnPurpose, { minutes: number; most: number; within: number }> = {
  recovery: { minutes: 30, most: 2, within: 30 },
  verification: { minutes: 24 * 60, most: 3, within: 60 },
  "passkey registration": { minutes: 5, most: 20, within: 5 },
};

/** Begun before anybody is known: these tokens belong to no account. */
type AnonymousPurpose = "passkey login";
type OwnPurpose = Exclude<OneTimeTokenPurpose, AnonymousPurpose>;

/** For how many minutes a token that belongs to no account can be used. */
const anonymousMinutes = 5;

/** Rows are counted, so they outlive their tokens by the longest time that is counted over. */
const keptMinutes = 60;

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000);

/**
 * Makes a one-time token for an account, bound to the address the account has now. An older one for the same
 * purpose ends.
 *
 * @returns the token, of which only the hash is kept; null when there is no such account, or it has had enough for now
 */
export async function issueOneTimeToken(db: Db, purpose: OwnPurpose, userId: string): Promise<string | null> {
  const { minutes, most, within } = terms[purpose];
  const token = randomToken();
  const id = await oneTimeTokenId(token);
  const own = and(eq(oneTimeTokens.userId, userId), eq(oneTimeTokens.purpose, purpose));
  const recent = db
    .select({ count: sql`count(*)` })
    .from(oneTimeTokens)
    .where(and(own, gt(oneTimeTokens.createdAt, inMinutes(-within))));
  const row = {
    id: sql<string>`${id}`.as("id"),
    purpose: sql<OneTimeTokenPurpose>`${purpose}`.as("purpose"),
    userId: users.id,
    email: users.email,
    createdAt: sql<Date>`${Date.now()}`.as("created_at"),
    expiresAt: sql<Date>`${inMinutes(minutes).getTime()}`.as("expires_at"),
  };
  const [issued] = await db.batch([
    db
      .insert(oneTimeTokens)
      .select(
        db
          .select(row)
          .from(users)
          .where(and(eq(users.id, userId), isNull(users.removalId), sql`${recent} < ${most}`)),
      )
      .returning({ id: oneTimeTokens.id }),
    db
      .update(oneTimeTokens)
      .set({ expiresAt: new Date() })
      .where(
        and(
          own,
          ne(oneTimeTokens.id, id),
          gt(oneTimeTokens.expiresAt, new Date()),
          oneTimeTokenExists(db, id),
        ),
      ),
    db.delete(oneTimeTokens).where(lt(oneTimeTokens.expiresAt, inMinutes(-keptMinutes))),
  ]);
  return issued.length > 0 ? token : null;
}

/**
 * Makes a one-time token that belongs to no account, and deletes those that have run out.
 *
 * @returns the token, of which only the hash is kept
 */
export async function issueAnonymousOneTimeToken(db: Db, purpose: AnonymousPurpose): Promise<string> {
  const token = randomToken();
  const row = { id: await oneTimeTokenId(token), purpose, expiresAt: inMinutes(anonymousMinutes) };
  await db.batch([
    db
      .delete(oneTimeTokens)
      .where(and(isNull(oneTimeTokens.userId), lt(oneTimeTokens.expiresAt, new Date()))),
    db.insert(oneTimeTokens).values(row),
  ]);
  return token;
}

/**
 * Spends a one-time token that allows its holder to try something, whatever comes of it.
 *
 * @param userId whose it must be; null for one that belongs to no account
 * @returns whether it could be used; of several at once, one is told so
 */
export async function spendOneTimeToken(
  db: Db,
  purpose: OneTimeTokenPurpose,
  token: string,
  userId: string | null,
): Promise<boolean> {
  const id = await oneTimeTokenId(token);
  const whose =
    userId === null
      ? isNull(oneTimeTokens.userId)
      : and(
          eq(oneTimeTokens.userId, userId),
          inArray(oneTimeTokens.userId, oneTimeTokenHolder(db, purpose, id)),
        );
  const spent = await db
    .delete(oneTimeTokens)
    .where(
      and(
        eq(oneTimeTokens.id, id),
        eq(oneTimeTokens.purpose, purpose),
        gt(oneTimeTokens.expiresAt, new Date()),
        whose,
      ),
    )
    .returning({ id: oneTimeTokens.id });
  return spent.length > 0;
}

/**
 * Looks at a one-time token without spending it.
 *
 * @returns whose it is; null for one that is used, late, replaced or of another purpose, whose account is gone
 * or has another address by now, or that never was
 */
export async function findOneTimeToken(
  db: Db,
  purpose: OneTimeTokenPurpose,
  token: string,
): Promise<{ userId: string } | null> {
  const [holder] = await oneTimeTokenHolder(db, purpose, await oneTimeTokenId(token));
  return holder ?? null;
}

/**
 * Chooses the account that a one-time token is for, while it can be used. For the statements of one batch: those that
 * do what the token allows, and the last, which deletes it and tells by what it returns whether all this
 * came about. Of several such batches at once, the database lets one find the token.
 */
export function oneTimeTokenHolder(db: Db, purpose: OneTimeTokenPurpose, id: string) {
  return db
    .select({ userId: users.id })
    .from(oneTimeTokens)
    .innerJoin(users, eq(users.id, oneTimeTokens.userId))
    .where(
      and(
        eq(oneTimeTokens.id, id),
        eq(oneTimeTokens.purpose, purpose),
        gt(oneTimeTokens.expiresAt, new Date()),
        isNull(users.removalId),
        sql`lower(${users.email}) = lower(${oneTimeTokens.email})`,
      ),
    );
}

/** The key that a one-time token is kept under: its SHA-256 in hex. */
export function oneTimeTokenId(token: string): Promise<string> {
  return sha256Hex(token);
}

function oneTimeTokenExists(db: Db, id: string) {
  return exists(db.select({ one: sql`1` }).from(oneTimeTokens).where(eq(oneTimeTokens.id, id)));
}
