import { and, eq, inArray, isNotNull, isNull, lt, not, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { v7 as timeOrderedId } from "uuid";
import { z } from "zod";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import { passkeys, personalAccessTokens, sessions, usedOauthStates, users } from "#app/db/schema.ts";
import { singleLine } from "#app/server/forms/sanitize-text.ts";
import { emailSchema } from "./account.schema.ts";
import { viewerColumns } from "./accounts.server.ts";
import { emailEquals } from "./email.server.ts";
import { isReservedName } from "./reserved-names.rules.ts";
import { type AcceptedVersions, acceptedVersions, recordingSignUpAddress } from "./sign-up.server.ts";
import type { Viewer } from "./viewer.ts";

/** Why a sign-in with Google failed. */
type GoogleRefusal = "address not verified" | "account removed" | "address of another";

/**
 * Finds the account for a Google profile: the one linked to it, else the one with the same email address, which is
 * then linked, else a new buyer's account. Concurrent callbacks create one account.
 *
 * @returns also whether it has linked an account that was there before
 */
export async function findOrCreateGoogleAccount(
  db: Db,
  profile: GoogleProfile,
  { agreement, addressHash }: { agreement?: AcceptedVersions; addressHash?: string | null } = {},
): Promise<{ viewer: Viewer; isLinked: boolean } | { refusal: GoogleRefusal }> {
  // Without verification by Google, anyone could claim the address of another.
  if (!profile.email_verified) return { refusal: "address not verified" };

  const known = await findOrLinkAccount(db, profile);
  if (known.viewer) return { viewer: known.viewer, isLinked: known.isLinked };
  // A login must not replace a removed account by a new one.
  if (known.wasRemoved) return { refusal: "account removed" };

  const id = timeOrderedId();
  const [[created]] = await db.batch([
    db
      .insert(users)
      .values({
        id,
        name: accountName(profile),
        email: profile.email,
        userType: "Buyer",
        googleSubject: profile.sub,
        emailVerifiedAt: new Date(),
        ...(agreement && acceptedVersions(agreement)),
      })
      .onConflictDoNothing()
      .returning(viewerColumns),
    ...(addressHash ? recordingSignUpAddress(db, id, addressHash) : []),
  ]);
  if (created) return { viewer: created, isLinked: false };

  // A concurrent request has created an account.
  const { viewer, isLinked } = await findOrLinkAccount(db, profile);
  return viewer ? { viewer, isLinked } : { refusal: "address of another" };
}

/** Marks an OAuth `state` as used; false if it was used before. Also deletes states older than `seconds`. */
export async function consumeOauthState(db: Db, state: string, seconds: number): Promise<boolean> {
  const now = Date.now();
  const [, inserted] = await db.batch([
    db.delete(usedOauthStates).where(lt(usedOauthStates.usedAt, new Date(now - seconds * 1000))),
    db
      .insert(usedOauthStates)
      .values({ state, usedAt: new Date(now) })
      .onConflictDoNothing()
      .returning({ state: usedOauthStates.state }),
  ]);
  return inserted.length > 0;
}

/**
 * Links the account with the profile's email address, unless one of them is linked already, and reads it. An address
 * that was never verified may have been used by someone else, so the password, passkeys, personal access tokens and
 * sessions are deleted.
 */
async function findOrLinkAccount(db: Db, { sub, email }: GoogleProfile) {
  const linked = alias(users, "linked");
  const isLinked = hasRow(db, linked, and(eq(linked.googleSubject, sub), isNull(linked.removalId)));
  const hasSameEmail = emailEquals(users.email, email);
  const linkableAccount = and(
    hasSameEmail,
    isNull(users.googleSubject),
    isNull(users.removalId),
    not(isLinked),
  );
  const unverified = db
    .select({ id: users.id })
    .from(users)
    .where(and(linkableAccount, isNull(users.emailVerifiedAt)));
  const [, , , linkedRows, [viewer], [removed]] = await db.batch([
    db.delete(sessions).where(inArray(sessions.userId, unverified)),
    db.delete(passkeys).where(inArray(passkeys.userId, unverified)),
    db.delete(personalAccessTokens).where(inArray(personalAccessTokens.userId, unverified)),
    db
      .update(users)
      .set({
        googleSubject: sub,
        passwordHash: sql`iif(${users.emailVerifiedAt} is null, null, ${users.passwordHash})`,
        emailVerifiedAt: sql`coalesce(${users.emailVerifiedAt}, ${Date.now()})`,
        sessionVersion: sql`${users.sessionVersion} + (${users.emailVerifiedAt} is null)`,
      })
      .where(linkableAccount)
      .returning({ id: users.id }),
    db
      .select(viewerColumns)
      .from(users)
      .where(and(eq(users.googleSubject, sub), isNull(users.removalId))),
    db
      .select({ id: users.id })
      .from(users)
      .where(and(or(eq(users.googleSubject, sub), hasSameEmail), isNotNull(users.removalId)))
      .limit(1),
  ]);
  return { viewer, isLinked: linkedRows.length > 0, wasRemoved: removed !== undefined };
}

/** The name for a new account; profiles may have none. */
function accountName({ name, email }: GoogleProfile): string {
  const names = [name ?? "", email.slice(0, email.indexOf("@"))].map((each) =>
    singleLine(each).slice(0, 100),
  );
  return names.find((each) => each !== "" && !isReservedName(each)) ?? "New member";
}

/** @see https://developers.google.com/identity/openid-connect/openid-connect#obtaininguserprofileinformation */
export const googleProfileSchema = z.object({
  /** Google's permanent id of the user. */
  sub: z.string().min(1).max(255),
  email: emailSchema,
  email_verified: z.boolean(),
  name: z.string().optional(),
});

export type GoogleProfile = z.infer<typeof googleProfileSchema>;
