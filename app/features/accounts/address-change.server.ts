import { and, eq, gt, inArray, isNotNull, isNull, ne, not, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { hasRow, valueFor } from "#app/db/conditions.server.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import { accountEmails, activity, oneTimeTokens, orders, sessions, tickets, users } from "#app/db/schema.ts";
import { randomToken } from "#app/server/config/crypto.server.ts";
import { isSuspendedNow, nextSessionVersion, viewerColumns } from "./accounts.server.ts";
import { emailEquals } from "./email.server.ts";
import { isAddressChangeOf, issuing, isWithinTokenLimit, oneTimeTokenId } from "./one-time-tokens.server.ts";
import { isAddressTaken } from "./sign-up.server.ts";
import { system, type Viewer } from "./viewer.ts";

/**
 * Asks to change an account's email address: an email to the new one is then due. Whether the address is taken is found
 * out when the email is written, so that only who reads it learns that.
 *
 * @returns false if the account is suspended, removed or over the limit of links
 */
export async function requestAddressChange(
  db: Db,
  { id: userId }: Pick<Viewer, "id">,
  email: string,
): Promise<boolean> {
  const account = and(eq(users.id, userId), isNull(users.removalId), not(isSuspendedNow()));
  const createdAt = new Date();
  const refusal = await batchUnless(
    db,
    { refused: hasRow(db, users, and(account, isWithinTokenLimit(db, "address change"))) },
    [
      // Of a token that nobody knows, until the email is written.
      ...issuing(db, "address change", { id: await oneTimeTokenId(randomToken()), userId, email }),
      db
        .insert(accountEmails)
        .values({ userId, kind: "address change", createdAt })
        .onConflictDoUpdate({
          target: [accountEmails.userId, accountEmails.kind],
          set: { createdAt, emailOutcome: null },
        }),
    ],
  );
  return refusal === null;
}

/**
 * Gives the requested change of an account a new token, for the link in the email.
 *
 * @returns also whether the new address has an account by now; null if no change is requested any more
 */
export async function issueAddressToken(
  db: Db,
  userId: string,
): Promise<{ token: string; email: string; isTaken: boolean } | null> {
  const token = randomToken();
  const [change] = await db
    .update(oneTimeTokens)
    .set({ id: await oneTimeTokenId(token) })
    .where(isAddressChangeOf(userId))
    .returning({ email: oneTimeTokens.email });
  const email = change?.email;
  if (!email) return null;
  const [taken] = await db.select({ isTaken: isAddressTaken(db, email).mapWith(Boolean) }).from(one);
  return { token, email, isTaken: taken?.isTaken ?? false };
}

const one = sql`(select 1)`;

export interface AddressChange {
  account: Viewer;
  newEmail: string;
  hasPassword: boolean;
}

/** Finds the change of a link without carrying it out; null if the token is invalid. */
export async function findAddressChange(db: Db, token: string): Promise<AddressChange | null> {
  const [found] = await db
    .select({
      account: viewerColumns,
      newEmail: oneTimeTokens.email,
      hasPassword: isNotNull(users.passwordHash).mapWith(Boolean),
    })
    .from(oneTimeTokens)
    .innerJoin(users, and(eq(users.id, oneTimeTokens.userId), isNull(users.removalId)))
    .where(isToken(await oneTimeTokenId(token)));
  const { newEmail, ...change } = found ?? {};
  return newEmail ? ({ ...change, newEmail } as AddressChange) : null;
}

function isToken(id: string) {
  return and(
    eq(oneTimeTokens.id, id),
    eq(oneTimeTokens.purpose, "address change"),
    gt(oneTimeTokens.expiresAt, new Date()),
  );
}

/**
 * Changes an account's email address by the token that was sent to the new one, which is confirmed by that. Ends its
 * other sessions and one-time tokens; the former address, if it was confirmed, is told. Open orders and support tickets
 * get the new address, so that answers arrive.
 *
 * @param sessionId of the account, if it is signed in
 * @returns the new id of this session; null if there is none
 */
export async function changeEmailAddress(
  db: Db,
  token: string,
  { account, newEmail }: AddressChange,
  sessionId: string | null,
): Promise<
  { refusal: "invalid" | "suspended" | "taken"; nextId?: never } | { refusal?: never; nextId: string | null }
> {
  const { id: userId, email } = account;
  const tokenId = await oneTimeTokenId(token);
  const nextId = randomToken();
  const createdAt = new Date();
  const own = and(eq(users.id, userId), isNull(users.removalId), emailEquals(users.email, email));
  const isConfirmed = and(own, isNotNull(users.emailVerifiedAt));
  const current = sessionId === null ? undefined : eq(sessions.id, sessionId);
  const refusal = await batchUnless<"invalid" | "suspended" | "taken">(
    db,
    {
      invalid: and(hasRow(db, oneTimeTokens, isToken(tokenId)), hasRow(db, users, own)),
      suspended: not(hasRow(db, users, and(own, isSuspendedNow()))),
      taken: not(isAddressTaken(db, newEmail)),
    },
    [
      // Anyone can send a report with the address of another.
      db
        .update(tickets)
        .set({ email: newEmail })
        .where(and(emailEquals(tickets.email, email), hasRow(db, users, isConfirmed))),
      db
        .update(orders)
        .set({ email: newEmail })
        .where(and(eq(orders.buyerId, userId), eq(orders.status, "active"), ne(orders.stage, "received"))),
      // Before the address is changed: who it was is told by this row alone.
      db.insert(activity).values({
        actorId: system.id,
        actorEmail: system.email,
        action: "changed address",
        targetId: userId,
        target: email,
      }),
      db
        .delete(accountEmails)
        .where(
          and(
            eq(accountEmails.userId, userId),
            inArray(accountEmails.kind, ["recovery", "verification", "address change"]),
          ),
        ),
      db
        .insert(accountEmails)
        .select(
          db
            .select({
              userId: users.id,
              kind: valueFor(accountEmails.kind, "address changed"),
              createdAt: valueFor(accountEmails.createdAt, createdAt),
              emailOutcome: valueFor(accountEmails.emailOutcome, null),
            })
            .from(users)
            .where(isConfirmed),
        )
        .onConflictDoUpdate({
          target: [accountEmails.userId, accountEmails.kind],
          set: { createdAt, emailOutcome: null },
        }),
      db
        .update(users)
        .set({ email: newEmail, emailVerifiedAt: createdAt, ...nextSessionVersion })
        .where(eq(users.id, userId)),
      db.delete(oneTimeTokens).where(eq(oneTimeTokens.userId, userId)),
      db.delete(sessions).where(and(eq(sessions.userId, userId), current && not(current))),
      ...(current
        ? [
            db
              .update(sessions)
              .set({ id: nextId })
              .where(and(eq(sessions.userId, userId), current)),
          ]
        : []),
    ],
  );
  return refusal ? { refusal } : { nextId: current ? nextId : null };
}
