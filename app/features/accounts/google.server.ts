import { and, eq, inArray, isNotNull, isNull, lt, notExists, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import { passkeys, sessions, usedOauthStates, users } from "#app/db/schema.ts";
import { viewerColumns } from "./accounts.server.ts";
import type { GooglePerson } from "./google.schema.ts";
import type { Viewer } from "./viewer.ts";

/** Why a person whom Google knows is not let in. */
export type GoogleRefusal = "address not verified" | "account removed" | "address of another";

/**
 * Finds the account that a person whom Google has identified may enter: the one entered with the same Google
 * account before, else the one with the same address, which from then on belongs to that Google account, else
 * a new one, of a buyer. Callbacks that race make one account.
 */
export async function accountOfGoogle(
  db: Db,
  person: GooglePerson,
): Promise<{ viewer: Viewer } | { refusal: GoogleRefusal }> {
  // An address that Google does not vouch for proves nothing: it opens no account of that address, and makes
  // none either, which would keep the address from whoever truly has it.
  if (!person.email_verified) return { refusal: "address not verified" };

  const known = await findOrLink(db, person);
  if (known.viewer) return { viewer: known.viewer };
  // Who presses a login button does not ask for a new account in place of the removed one.
  if (known.wasRemoved) return { refusal: "account removed" };

  const [created] = await db
    .insert(users)
    .values({
      name: nameOf(person),
      email: person.email,
      userType: "Buyer",
      googleSubject: person.sub,
      // Google has vouched for it.
      emailVerifiedAt: new Date(),
    })
    .onConflictDoNothing()
    .returning(viewerColumns);
  if (created) return { viewer: created };

  // The address or the person has come to have an account since we looked.
  const { viewer } = await findOrLink(db, person);
  return viewer ? { viewer } : { refusal: "address of another" };
}

/**
 * Notes that a sign-in at another provider has come back.
 *
 * @param seconds how long its cookie is good; older notes are thrown away
 * @returns whether it is the first time
 */
export async function spendState(db: Db, state: string, seconds: number): Promise<boolean> {
  const now = Date.now();
  const [, spent] = await db.batch([
    db.delete(usedOauthStates).where(lt(usedOauthStates.usedAt, new Date(now - seconds * 1000))),
    db
      .insert(usedOauthStates)
      .values({ state, usedAt: new Date(now) })
      .onConflictDoNothing()
      .returning({ state: usedOauthStates.state }),
  ]);
  return spent.length > 0;
}

/**
 * Links the account of the person's address to them unless either is linked already, and finds what is theirs.
 * An account whose address was never verified may be a stranger's who was here first: its password, passkeys and
 * sessions end with the linking, which verifies the address.
 */
async function findOrLink(db: Db, { sub, email }: GooglePerson) {
  const linked = alias(users, "linked");
  const alreadyLinked = db
    .select({ one: sql`1` })
    .from(linked)
    .where(and(eq(linked.googleSubject, sub), isNull(linked.removalId)));
  const hasEmail = sql`lower(${users.email}) = lower(${email})`;
  const toLink = and(
    hasEmail,
    isNull(users.googleSubject),
    isNull(users.removalId),
    notExists(alreadyLinked),
  );
  const strangers = db
    .select({ id: users.id })
    .from(users)
    .where(and(toLink, isNull(users.emailVerifiedAt)));
  const [, , , [viewer], [removed]] = await db.batch([
    db.delete(sessions).where(inArray(sessions.userId, strangers)),
    db.delete(passkeys).where(inArray(passkeys.userId, strangers)),
    db
      .update(users)
      .set({
        googleSubject: sub,
        passwordHash: sql`iif(${users.emailVerifiedAt} is null, null, ${users.passwordHash})`,
        emailVerifiedAt: sql`coalesce(${users.emailVerifiedAt}, ${Date.now()})`,
      })
      .where(toLink),
    db
      .select(viewerColumns)
      .from(users)
      .where(and(eq(users.googleSubject, sub), isNull(users.removalId))),
    db
      .select({ id: users.id })
      .from(users)
      .where(and(or(eq(users.googleSubject, sub), hasEmail), isNotNull(users.removalId)))
      .limit(1),
  ]);
  return { viewer, wasRemoved: removed !== undefined };
}

/** What the person is called, within what a name may be here; Google may not say. */
function nameOf({ name, email }: GooglePerson): string {
  return name?.trim().slice(0, 100) || email.slice(0, email.indexOf("@"));
}
