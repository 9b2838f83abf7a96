import { and, count, desc, eq, gt, isNull, lt, ne, not, or, sql } from "drizzle-orm";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import type { TokenScope } from "#app/db/enums.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import { personalAccessTokens, users } from "#app/db/schema.ts";
import { randomToken, sha256Hex } from "#app/server/config/crypto.server.ts";
import { maxPersonalAccessTokens, type NewPersonalAccessToken } from "./account.schema.ts";
import { isOpenAccount, viewerColumns } from "./accounts.server.ts";
import type { Viewer } from "./viewer.ts";

const hour = 60 * 60 * 1000;
const day = 24 * hour;

/** Lets secret scanners find a token that was published by mistake. */
const prefix = "rb_";

const tokenPattern = new RegExp(`^${prefix}[\\w-]{43}$`);

/** Whether a bearer token is a personal access token; it may have ended. */
export function isPersonalAccessToken(token: string): boolean {
  return tokenPattern.test(token);
}

/**
 * Creates a token and returns its text, which is not stored. The same form submitted again replaces the text of its
 * token as long as that is unused, so that the text shown last works.
 */
export async function createPersonalAccessToken(
  db: Db,
  viewer: Viewer,
  { name, scope, days }: NewPersonalAccessToken,
  formKey: string,
): Promise<{ token: string } | { refusal: "limit reached" | "form used" }> {
  const token = `${prefix}${randomToken()}`;
  const tokenHash = await sha256Hex(token);
  const now = new Date();
  const expiresAt = new Date(now.getTime() + Number(days) * day);
  const tokens = personalAccessTokens;
  const own = eq(tokens.userId, viewer.id);
  const others = db
    .select({ count: count() })
    .from(tokens)
    .where(and(own, ne(tokens.formKey, formKey)));
  const isSame = and(
    isNull(tokens.lastUsedAt),
    eq(tokens.name, name),
    eq(tokens.scope, scope),
    eq(sql`${tokens.expiresAt} - ${tokens.createdAt}`, expiresAt.getTime() - now.getTime()),
  );
  const usedForm = and(own, eq(tokens.formKey, formKey), not(sql`(${isSame})`));
  const row = { id: timeOrderedId(), userId: viewer.id, name, scope, tokenHash, formKey };
  const refusal = await batchUnless(
    db,
    {
      "limit reached": and(isOpenAccount(db, viewer), lt(others, maxPersonalAccessTokens)),
      "form used": not(hasRow(db, tokens, usedForm)),
    },
    [
      db
        .insert(tokens)
        .values({ ...row, createdAt: now, expiresAt })
        .onConflictDoUpdate({ target: [tokens.userId, tokens.formKey], set: { tokenHash } }),
    ],
  );
  return refusal ? { refusal } : { token };
}

/** Finds the account and the scope of a token that has not ended, and updates the time of last use once an hour. */
export async function findTokenOwner(
  db: Db,
  token: string,
): Promise<{ viewer: Viewer; tokenScope: TokenScope } | null> {
  const now = new Date();
  const { id, scope, expiresAt, lastUsedAt, tokenHash, userId } = personalAccessTokens;
  const [found] = await db
    .select({ viewer: viewerColumns, id, tokenScope: scope, lastUsedAt })
    .from(personalAccessTokens)
    .innerJoin(users, eq(users.id, userId))
    .where(and(eq(tokenHash, await sha256Hex(token)), gt(expiresAt, now), isNull(users.removalId)));
  if (!found) return null;
  const hourAgo = new Date(now.getTime() - hour);
  if (!found.lastUsedAt || found.lastUsedAt < hourAgo) {
    await db
      .update(personalAccessTokens)
      .set({ lastUsedAt: now })
      .where(and(eq(id, found.id), or(isNull(lastUsedAt), lt(lastUsedAt, hourAgo))));
  }
  return { viewer: { ...found.viewer, byToken: true }, tokenScope: found.tokenScope };
}

/** The viewer's tokens without their texts, newest first. */
export async function listPersonalAccessTokens(db: Db, viewer: Viewer) {
  const { id, name, scope, createdAt, expiresAt, lastUsedAt, userId } = personalAccessTokens;
  const rows = await db
    .select({ id, name, scope, createdAt, expiresAt, lastUsedAt })
    .from(personalAccessTokens)
    .where(eq(userId, viewer.id))
    .orderBy(desc(id));
  const now = new Date();
  return rows.map((row) => ({ ...row, hasExpired: row.expiresAt <= now }));
}

/** Counts the viewer's tokens, expired ones included. */
export function countPersonalAccessTokens(db: Db, viewer: Viewer): Promise<number> {
  return db.$count(personalAccessTokens, eq(personalAccessTokens.userId, viewer.id));
}

export type ListedToken = Awaited<ReturnType<typeof listPersonalAccessTokens>>[number];

/** Ends a token of the viewer; false if there is no such token. */
export async function revokePersonalAccessToken(db: Db, viewer: Viewer, id: string): Promise<boolean> {
  const revoked = await db
    .delete(personalAccessTokens)
    .where(and(eq(personalAccessTokens.id, id), eq(personalAccessTokens.userId, viewer.id)))
    .returning({ id: personalAccessTokens.id });
  return revoked.length > 0;
}
