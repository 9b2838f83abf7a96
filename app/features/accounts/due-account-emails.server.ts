import { and, desc, eq, gt, isNotNull, isNull, lt, ne, or, type SQL, sql } from "drizzle-orm";
import { brand } from "#app/brand.ts";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import type { AccountEmailKind } from "#app/db/enums.ts";
import { accountEmails, activity, oneTimeTokens, users } from "#app/db/schema.ts";
import type { DueEmail } from "#app/server/mail/due-email.ts";
import { MailError } from "#app/server/mail/mail.server.ts";
import { type EmailContent, renderEmail } from "#app/server/mail/render-email.server.tsx";
import { dayMs } from "#app/time.ts";
import { type CredentialChange, isLink } from "./account-mail.server.ts";
import { issueAddressToken } from "./address-change.server.ts";
import { issueOneTimeToken } from "./one-time-tokens.server.ts";

/** Of one run. The newest come first, so that those that fail again and again do not keep others waiting. */
const maxAccountEmails = 50;

/** How long it is kept that an email could not be sent. */
const keptDays = 60;

/**
 * Sends the emails about accounts that are due, for a day; those that could not be sent are kept with that outcome. A link's
 * token is issued at that moment.
 *
 * @param send returns whether it sent the email, now or before
 */
export async function sendDueAccountEmails(
  db: Db,
  origin: string,
  send: (email: DueEmail) => Promise<boolean>,
): Promise<void> {
  const to = recipientColumn(db, gt(oneTimeTokens.expiresAt, new Date()));
  const isWantedBy = (recipient: SQL) =>
    and(
      isNull(users.removalId),
      isNotNull(recipient),
      or(ne(accountEmails.kind, "verification"), isNull(users.emailVerifiedAt)),
    );
  // By then, the link to a new address has expired.
  const wasWanted = hasRow(
    db,
    users,
    and(eq(users.id, accountEmails.userId), isWantedBy(recipientColumn(db))),
  );
  const before = (days: number) => lt(accountEmails.createdAt, new Date(Date.now() - days * dayMs));
  const isDue = isNull(accountEmails.emailOutcome);
  const [, , due] = await db.batch([
    db
      .update(accountEmails)
      .set({ emailOutcome: "too late" })
      .where(and(before(1), isDue, wasWanted)),
    db.delete(accountEmails).where(or(and(before(1), isDue), before(keptDays))),
    db
      .select({
        userId: accountEmails.userId,
        kind: accountEmails.kind,
        createdAt: accountEmails.createdAt,
        email: to.as("recipient"),
      })
      .from(accountEmails)
      .innerJoin(users, eq(users.id, accountEmails.userId))
      .where(and(isDue, isWantedBy(to)))
      .orderBy(desc(accountEmails.createdAt))
      .limit(maxAccountEmails),
  ]);
  await Promise.all(
    due.map(async ({ userId, kind, createdAt, email }) => {
      const id = `account ${userId} ${kind} ${createdAt.getTime()}`;
      const write = async () => ({
        to: email,
        ...(await writeAccountEmail(db, origin, { userId, kind, email })),
      });
      if (!(await send({ id, write }))) return;
      // Unless it has been asked for again.
      await db
        .delete(accountEmails)
        .where(
          and(
            eq(accountEmails.userId, userId),
            eq(accountEmails.kind, kind),
            eq(accountEmails.createdAt, createdAt),
          ),
        );
    }),
  );
}

/**
 * A column: who an email is for. Null if the link to a new address has been used, or the former one is unknown.
 *
 * @param isValid condition on that link’s token
 */
function recipientColumn(db: Db, isValid?: SQL) {
  const requested = db
    .select({ email: oneTimeTokens.email })
    .from(oneTimeTokens)
    .where(
      and(
        eq(oneTimeTokens.userId, accountEmails.userId),
        eq(oneTimeTokens.purpose, "address change"),
        isValid,
      ),
    );
  const former = db
    .select({ email: activity.target })
    .from(activity)
    .where(and(eq(activity.targetId, accountEmails.userId), eq(activity.action, "changed address")))
    .orderBy(desc(activity.id))
    .limit(1);
  return sql<string>`case ${accountEmails.kind}
    when 'address change' then ${requested} when 'address changed' then ${former} else ${users.email} end`;
}

/** @throws MailError if the account has been sent too many links; it stays due */
async function writeAccountEmail(
  db: Db,
  origin: string,
  { userId, kind, email }: { userId: string; kind: AccountEmailKind; email: string },
): Promise<EmailContent> {
  if (kind === "address changed") return addressChangedEmail(email, new URL("/report", origin).href);
  if (kind === "address change") {
    const change = await issueAddressToken(db, userId);
    if (!change) throw new MailError("No change of the address is asked for any more.");
    if (change.isTaken) return addressTakenEmail(change.email, new URL("/login", origin).href);
    const query = new URLSearchParams({ token: change.token });
    return newAddressEmail(change.email, new URL(`/verify?${query}`, origin).href);
  }
  if (!isLink(kind)) return credentialEmail(kind, email, new URL("/manage/account/security", origin).href);
  const token = await issueOneTimeToken(db, kind, userId);
  if (!token) throw new MailError("The account was sent several links lately.");
  const { path, write } = links[kind];
  return write(email, new URL(`${path}?${new URLSearchParams({ token })}`, origin).href);
}

// No user input but the recipient's address, so that nobody can send text of their own to strangers.

function recoveryEmail(email: string, link: string): EmailContent {
  return renderEmail({
    subject: `Set a new password for ${brand.name}`,
    message: `Forgot your ${brand.name} password? Set a new one for ${email} here:`,
    linkLabel: "Set a new password",
    link,
    notes: [
      "The link works once, within 30 minutes.",
      "Didn’t ask for this? Ignore this email, and your password stays the same.",
    ],
  });
}

function verificationEmail(email: string, link: string): EmailContent {
  return renderEmail({
    subject: `Confirm your email address for ${brand.name}`,
    message: `Confirm that ${email} is your email address:`,
    linkLabel: "Confirm this address",
    link,
    notes: [
      "The link works once, within 24 hours. You can buy and sell before you confirm.",
      "Didn’t sign up? Open the link and choose “This wasn’t me”. After that, nobody can log in to the account.",
    ],
  });
}

function newAddressEmail(email: string, link: string): EmailContent {
  return renderEmail({
    subject: `Confirm your new email address for ${brand.name}`,
    message: `Confirm that you want ${email} for your ${brand.name} account:`,
    linkLabel: "Use this address",
    link,
    notes: [
      "The link works once, within 24 hours. Until then, your account keeps its address.",
      "Didn’t ask for this? Ignore this email, and nothing changes.",
    ],
  });
}

/** In place of the link, so that nobody but the owner of an address learns whether it has an account. */
function addressTakenEmail(email: string, link: string): EmailContent {
  return renderEmail({
    subject: `You already have a ${brand.name} account`,
    message: `Someone asked to use ${email} for another ${brand.name} account. It already has one, so nothing has changed.`,
    linkLabel: "Log in",
    link,
    notes: [
      "Was that you? Log in with this address, or choose “Forgot password?”. To use it for the other account, first give this one another address, or delete it.",
      "If it wasn’t you, ignore this email.",
    ],
  });
}

function addressChangedEmail(email: string, link: string): EmailContent {
  return renderEmail({
    subject: `Your ${brand.name} email address was changed`,
    message: `Your ${brand.name} account doesn’t use ${email} anymore. From now on, you log in with your new address, and we write to you there. We logged out all other devices.`,
    linkLabel: "Get help",
    link,
    notes: [
      "Was that you? Then you’re all set.",
      `If not, someone else has your account. Tell us right away on the Report page, with ${email} as your address, and we’ll look into it at once.`,
    ],
  });
}

const changes: Record<CredentialChange, { subject: string; message: (email: string) => string }> = {
  "password changed": {
    subject: `Your ${brand.name} password was changed`,
    message: (email) => `The password for ${email} was changed. We logged out all other devices.`,
  },
  "password reset": {
    subject: `Your ${brand.name} password was changed`,
    message: (email) =>
      `A new password for ${email} was set with a link from an email. We logged out all devices.`,
  },
  "passkey added": {
    subject: `A passkey was added to your ${brand.name} account`,
    message: (email) => `There’s a new passkey for ${email}. It logs in without your password.`,
  },
  "passkey removed": {
    subject: `A passkey was removed from your ${brand.name} account`,
    message: (email) => `A passkey for ${email} was removed. It can’t log in anymore.`,
  },
  "Google linked": {
    subject: `Google was linked to your ${brand.name} account`,
    message: (email) => `${email} can log in with Google now. You don’t need a password for that.`,
  },
  "token created": {
    subject: `A personal access token was created for your ${brand.name} account`,
    message: (email) =>
      `There’s a new personal access token for ${email}. A script that has it can use the API as you.`,
  },
};

/** Tells the owner of an account that its credentials have changed. */
function credentialEmail(change: CredentialChange, email: string, link: string): EmailContent {
  const { subject, message } = changes[change];
  return renderEmail({
    subject,
    message: message(email),
    linkLabel: "Check your account",
    link,
    notes: [
      "Was that you? Then you’re all set.",
      "If not, choose “Forgot password?” on the login page and set a new one. Then remove any passkeys and tokens you don’t recognize under My account, Security.",
    ],
  });
}

const links = {
  recovery: { path: "/reset", write: recoveryEmail },
  verification: { path: "/verify", write: verificationEmail },
};
