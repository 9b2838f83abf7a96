import { and, isNotNull, isNull } from "drizzle-orm";
import { createDb, type DatabaseEnvironment, type Db } from "#app/db/client.server.ts";
import { valueFor } from "#app/db/conditions.server.ts";
import type { AccountEmailKind } from "#app/db/enums.ts";
import { accountEmails, dataRevisions, users } from "#app/db/schema.ts";
import { randomToken } from "#app/server/config/crypto.server.ts";
import { hasEmail } from "./accounts.server.ts";
import { isWithinTokenLimit } from "./one-time-tokens.server.ts";

/**
 * Makes an email about an account due. What sends the emails of notifications sends it too.
 *
 * @returns false if there is none: the account does not exist, is over the limit of links, has confirmed the address
 * already, or has not confirmed it and so gets no news
 */
export async function makeAccountEmailDue(db: Db, kind: KindByAddress, address: string): Promise<boolean> {
  return (await insertDueEmail(db, kind, address)).length > 0;
}

/**
 * Makes an email with a password link due if the account exists. Its response must not reveal which: it writes in any case,
 * and by a connection of its own, since a bookmark counts writes.
 */
export async function makeRecoveryDue(environment: DatabaseEnvironment, address: string): Promise<void> {
  const db = await createDb(environment);
  const revision = randomToken();
  await db.batch([
    db
      .insert(dataRevisions)
      .values({ name: "recovery", revision })
      .onConflictDoUpdate({ target: dataRevisions.name, set: { revision } }),
    insertDueEmail(db, "recovery", address),
  ]);
}

function insertDueEmail(db: Db, kind: KindByAddress, address: string) {
  const isWanted = {
    recovery: isWithinTokenLimit(db, "recovery"),
    verification: and(isNull(users.emailVerifiedAt), isWithinTokenLimit(db, "verification")),
    news: isNotNull(users.emailVerifiedAt),
  };
  const createdAt = new Date();
  return db
    .insert(accountEmails)
    .select(
      db
        .select({
          userId: users.id,
          kind: valueFor(accountEmails.kind, kind),
          createdAt: valueFor(accountEmails.createdAt, createdAt),
          emailOutcome: valueFor(accountEmails.emailOutcome, null),
        })
        .from(users)
        .where(and(hasEmail(address), isWanted[isLink(kind) ? kind : "news"])),
    )
    .onConflictDoUpdate({
      target: [accountEmails.userId, accountEmails.kind],
      set: { createdAt, emailOutcome: null },
    })
    .returning({ userId: accountEmails.userId });
}

/** The others become due with the change of an address, see `changeEmailAddress`. */
type KindByAddress = Exclude<AccountEmailKind, "address change" | "address changed">;

export const isLink = (kind: AccountEmailKind): kind is "recovery" | "verification" =>
  kind === "recovery" || kind === "verification";

/** What has changed about how an account is logged in to. */
export type CredentialChange = Exclude<KindByAddress, "recovery" | "verification">;
