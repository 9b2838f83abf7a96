import { and, count, eq, gt, inArray, isNull, lt, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import type { OneTimeTokenPurpose } from "#app/db/enums.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import { oneTimeTokens, users } from "#app/db/schema.ts";
import { randomToken, sha256Hex } from "#app/server/config/crypto.server.ts";
import { emailEquals } from "./email.server.ts";

/**
 * Lifetime of a token and maximum per account, in minutes. No period is longer than the lifetime: an account at its
 * limit always has a valid token, so nobody can lock it out by requesting many.
 */
const limits: Record<AccountPurpose, { lifetime: number; max: number; within: number }> = {
  recovery: { lifetime: 30, max: 2, within: 30 },
  verification: { lifetime: 24 * 60, max: 3, within: 60 },
  "address change": { lifetime: 24 * 60, max: 3, within: 60 },
  "passkey registration": { lifetime: 5, max: 20, within: 5 },
};

/** For tokens that belong to no account. */
type AnonymousPurpose = "passkey login";
type AccountPurpose = Exclude<OneTimeTokenPurpose, AnonymousPurpose>;

const anonymousLifetime = 5;

/** Expired rows are stored for the longest period, since they count towards the limit. */
const retentionMinutes = 60;

/** Condition on `users`: the account is not over its limit of tokens. */
export function isWithinTokenLimit(db: Db, purpose: AccountPurpose) {
  const { max, within } = limits[purpose];
  const recent = db
    .select({ count: count() })
    .from(oneTimeTokens)
    .where(
      and(
        eq(oneTimeTokens.userId, users.id),
        eq(oneTimeTokens.purpose, purpose),
        gt(oneTimeTokens.createdAt, minutesFromNow(-within)),
      ),
    );
  return sql`${recent} < ${max}`;
}

const minutesFromNow = (minutes: number) => new Date(Date.now() + minutes * 60_000);

/**
 * Issues a token for an account and its current email address, and expires older ones for the same purpose. Only the
 * hash is stored. Returns null if there is no such account or it is over the limit.
 */
export async function issueOneTimeToken(
  db: Db,
  purpose: AccountPurpose,
  userId: string,
): Promise<string | null> {
  const token = randomToken();
  const account = and(eq(users.id, userId), isNull(users.removalId));
  const email = db.select({ email: users.email }).from(users).where(account);
  const refusal = await batchUnless(
    db,
    { refused: hasRow(db, users, and(account, isWithinTokenLimit(db, purpose))) },
    issuing(db, purpose, { id: await oneTimeTokenId(token), userId, email: sql`${email}` }),
  );
  return refusal ? null : token;
}

/** The statements that issue a token for an account, and expire older ones for the same purpose. */
export function issuing(
  db: Db,
  purpose: AccountPurpose,
  { id, userId, email }: { id: string; userId: string; email: string | SQL },
) {
  const createdAt = new Date();
  const expiresAt = minutesFromNow(limits[purpose].lifetime);
  return [
    db
      .update(oneTimeTokens)
      .set({ expiresAt: createdAt })
      .where(
        and(
          eq(oneTimeTokens.userId, userId),
          eq(oneTimeTokens.purpose, purpose),
          gt(oneTimeTokens.expiresAt, createdAt),
        ),
      ),
    db.insert(oneTimeTokens).values({ id, purpose, userId, email, createdAt, expiresAt }),
    db.delete(oneTimeTokens).where(lt(oneTimeTokens.expiresAt, minutesFromNow(-retentionMinutes))),
  ];
}

/** Issues a token that belongs to no account, and deletes expired ones. Only the hash is stored. */
export async function issueAnonymousOneTimeToken(db: Db, purpose: AnonymousPurpose): Promise<string> {
  const token = randomToken();
  const row = { id: await oneTimeTokenId(token), purpose, expiresAt: minutesFromNow(anonymousLifetime) };
  await db.batch([
    db
      .delete(oneTimeTokens)
      .where(and(isNull(oneTimeTokens.userId), lt(oneTimeTokens.expiresAt, new Date()))),
    db.insert(oneTimeTokens).values(row),
  ]);
  return token;
}

/** Uses up a token; false if it is invalid. `userId` is null for a token that belongs to no account. */
export async function consumeOneTimeToken(
  db: Db,
  purpose: OneTimeTokenPurpose,
  token: string,
  userId: string | null,
): Promise<boolean> {
  const id = await oneTimeTokenId(token);
  const belongsToUser =
    userId === null
      ? isNull(oneTimeTokens.userId)
      : and(
          eq(oneTimeTokens.userId, userId),
          inArray(oneTimeTokens.userId, oneTimeTokenOwner(db, purpose, id)),
        );
  const deleted = await db
    .delete(oneTimeTokens)
    .where(
      and(
        eq(oneTimeTokens.id, id),
        eq(oneTimeTokens.purpose, purpose),
        gt(oneTimeTokens.expiresAt, new Date()),
        belongsToUser,
      ),
    )
    .returning({ id: oneTimeTokens.id });
  return deleted.length > 0;
}

/** Finds the account of a token without using it up; null if it is not valid for this purpose. */
export async function findOneTimeToken(
  db: Db,
  purpose: OneTimeTokenPurpose,
  token: string,
): Promise<{ userId: string } | null> {
  const [owner] = await oneTimeTokenOwner(db, purpose, await oneTimeTokenId(token));
  return owner ?? null;
}

/**
 * Selects the account of a valid token, for the statements of a batch. The last statement must delete the token; its
 * result shows whether the token was valid. Of concurrent batches only one finds the token.
 */
export function oneTimeTokenOwner(db: Db, purpose: OneTimeTokenPurpose, id: string) {
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
        emailEquals(users.email, oneTimeTokens.email),
      ),
    );
}

/** The address that an account is about to have, once the link in the email to it is opened; null if none. */
export async function findRequestedAddress(db: Db, { id }: { id: string }): Promise<string | null> {
  const [requested] = await db
    .select({ email: oneTimeTokens.email })
    .from(oneTimeTokens)
    .where(isAddressChangeOf(id));
  return requested?.email ?? null;
}

/** Condition on `one_time_tokens`: the requested change of an account. */
export function isAddressChangeOf(userId: string) {
  return and(
    eq(oneTimeTokens.userId, userId),
    eq(oneTimeTokens.purpose, "address change"),
    gt(oneTimeTokens.expiresAt, new Date()),
  );
}

/** The primary key of a one-time token: its SHA-256 in hex. */
export function oneTimeTokenId(token: string): Promise<string> {
  return sha256Hex(token);
}
