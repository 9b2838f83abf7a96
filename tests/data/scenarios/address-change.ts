import assert from "node:assert/strict";
import { and, eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { accountEmails, activity, oneTimeTokens, orders, tickets, users } from "#app/db/schema.ts";
import { makeAccountEmailDue } from "#app/features/accounts/account-mail.server.ts";
import {
  changeEmailAddress,
  findAddressChange,
  requestAddressChange,
} from "#app/features/accounts/address-change.server.ts";
import { sendDueAccountEmails } from "#app/features/accounts/due-account-emails.server.ts";
import { findRequestedAddress } from "#app/features/accounts/one-time-tokens.server.ts";
import { changePassword, resetPassword } from "#app/features/accounts/passwords.server.ts";
import { findViewer, openSession } from "#app/features/accounts/sessions.server.ts";
import { summarizeEmails } from "#app/features/notifications/due-emails.server.ts";
import { createTicket } from "#app/features/support-tickets/tickets.server.ts";
import { bookWithoutLimits, undoWithoutLimits } from "../../harness/bookings.ts";
import { addAccount, addPhone, beginRecovery, removeUser } from "../../harness/fixtures.ts";

type Account = Awaited<ReturnType<typeof addAccount>>;

/** Sends what is due. @returns the subjects, and the token of each link, by recipient */
async function mailed(db: Db) {
  const sent: { to: string; subject: string; token: string }[] = [];
  await sendDueAccountEmails(db, "https://ringback.test", async ({ write }) => {
    const { to, subject, text } = await write();
    sent.push({ to, subject, token: /token=([\w-]+)/.exec(text)?.[1] ?? "" });
    return true;
  });
  return sent;
}

const confirmed = { emailVerifiedAt: new Date(0) };
const emailOf = async (db: Db, { id }: Account) =>
  (await db.select().from(users).where(eq(users.id, id)))[0]?.email;

/** Asks for the change of an address, and reads the link's token in the email to the new one. */
async function requested(db: Db, account: Account, email: string) {
  assert.ok(await requestAddressChange(db, account, email));
  const mail = (await mailed(db)).find(({ to }) => to === email);
  assert.ok(mail?.token, "no link");
  return mail.token;
}

async function follow(db: Db, token: string, sessionId: string | null = null) {
  const change = await findAddressChange(db, token);
  return change ? await changeEmailAddress(db, token, change, sessionId) : ({ refusal: "invalid" } as const);
}

export const changesAnAddressByTheLinkOnly = async (db: Db) => {
  const account = await addAccount(db, confirmed);
  const bystander = await addAccount(db, confirmed);
  const [own, other] = [
    await openSession(db, account, { seconds: 60 }),
    await openSession(db, account, { seconds: 60 }),
  ];
  const foreign = await openSession(db, bystander, { seconds: 60 });
  const token = await requested(db, account, "New@Example.com");
  assert.equal(await emailOf(db, account), account.email);
  assert.equal(await findRequestedAddress(db, account), "New@Example.com");
  const recovery = await beginRecovery(db, account.email);
  assert.ok(await beginRecovery(db, bystander.email));

  const outcome = await follow(db, token, own);
  assert.equal(outcome.refusal, undefined);
  const [row] = await db.select().from(users).where(eq(users.id, account.id));
  assert.equal(row?.email, "New@Example.com");
  assert.ok((row?.emailVerifiedAt?.getTime() ?? 0) > 0);
  const nextId = outcome.refusal === undefined ? outcome.nextId : null;
  assert.equal((await findViewer(db, nextId ?? ""))?.email, "New@Example.com");
  assert.deepEqual([await findViewer(db, own), await findViewer(db, other)], [null, null]);
  assert.equal((await findViewer(db, foreign))?.id, bystander.id);
  assert.equal(await resetPassword(db, recovery?.token ?? "", "another1"), null);
  assert.deepEqual(
    (await db.select().from(oneTimeTokens)).map(({ userId }) => userId),
    [bystander.id],
  );
  assert.equal(await findRequestedAddress(db, account), null);
  // The second time.
  assert.deepEqual(await follow(db, token, nextId), { refusal: "invalid" });
  const told = await mailed(db);
  assert.deepEqual(
    told.map(({ to, subject }) => [to, subject]),
    [[account.email, "Your Ringback email address was changed"]],
  );
  assert.deepEqual(await mailed(db), []);
  const [log] = await db.select().from(activity).where(eq(activity.targetId, account.id));
  assert.deepEqual([log?.action, log?.target, log?.actorId], ["changed address", account.email, ""]);
};

export const storesOnlyTheHashOfTheTokenForANewAddress = async (db: Db) => {
  const account = await addAccount(db, confirmed);
  const token = await requested(db, account, "new@example.com");
  const rows = await db.select().from(oneTimeTokens);
  assert.equal(rows.length, 1);
  assert.ok(!JSON.stringify(rows).includes(token));
};

export const theNewestRequestedAddressCounts = async (db: Db) => {
  const account = await addAccount(db, confirmed);
  const first = await requested(db, account, "first@example.com");
  const second = await requested(db, account, "second@example.com");
  assert.deepEqual(await follow(db, first), { refusal: "invalid" });
  assert.equal((await follow(db, second)).refusal, undefined);
  assert.equal(await emailOf(db, account), "second@example.com");
};

export const limitsLinksToNewAddresses = async (db: Db) => {
  const account = await addAccount(db, confirmed);
  const ask = () => requestAddressChange(db, account, "new@example.com");
  assert.deepEqual([await ask(), await ask(), await ask(), await ask()], [true, true, true, false]);
};

/** The owner of a taken address learns it by email, and nobody else. */
export const tellsOnlyTheMailboxThatAnAddressIsTaken = async (db: Db) => {
  const [account, owner] = [
    await addAccount(db, confirmed),
    await addAccount(db, { email: "Mia@example.com" }),
  ];
  assert.equal(await requestAddressChange(db, account, "mia@EXAMPLE.com"), true);
  assert.equal(await findRequestedAddress(db, account), "mia@EXAMPLE.com");
  const [mail, ...others] = await mailed(db);
  assert.deepEqual(others, []);
  assert.deepEqual(mail, {
    to: "mia@EXAMPLE.com",
    subject: "You already have a Ringback account",
    token: "",
  });
  assert.equal(await emailOf(db, owner), "Mia@example.com");
};

export const anAddressTakenMeanwhileStaysWithItsAccount = async (db: Db) => {
  const account = await addAccount(db, confirmed);
  const token = await requested(db, account, "mia@example.com");
  const owner = await addAccount(db, { email: "Mia@example.com" });
  assert.deepEqual(await follow(db, token), { refusal: "taken" });
  assert.deepEqual(
    [await emailOf(db, account), await emailOf(db, owner)],
    [account.email, "Mia@example.com"],
  );
  assert.deepEqual(await mailed(db), []);
};

export const aSuspendedAccountKeepsItsAddress = async (db: Db) => {
  const account = await addAccount(db, confirmed);
  const token = await requested(db, account, "new@example.com");
  await db.update(users).set({ suspensionId: "a decision" }).where(eq(users.id, account.id));
  assert.deepEqual(await follow(db, token), { refusal: "suspended" });
  assert.equal(await requestAddressChange(db, account, "other@example.com"), false);
  const banned = { email: "banned@example.com", removalId: "some removal", suspensionId: "a decision" };
  await addAccount(db, banned);
  const honest = await addAccount(db, confirmed);
  assert.ok(await requestAddressChange(db, honest, "banned@example.com"));
  assert.deepEqual(
    (await mailed(db)).map(({ token }) => token),
    [""],
  );
};

export const noAddressChangesOnceAnAccountIsDeleted = async (db: Db) => {
  const [admin, account] = [await addAccount(db, { userType: "Admin" }), await addAccount(db, confirmed)];
  const token = await requested(db, account, "new@example.com");
  const removalId = await removeUser(db, admin, account.id);
  assert.equal(await findAddressChange(db, token), null);
  assert.equal(await requestAddressChange(db, account, "new@example.com"), false);
  await undoWithoutLimits(db, admin, removalId ?? "");
  assert.deepEqual(await follow(db, token), { refusal: "invalid" });
  assert.equal(await emailOf(db, account), account.email);
};

export const aNewPasswordEndsTheChangeOfAnAddress = async (db: Db) => {
  const account = await addAccount(db, confirmed);
  const sessionId = await openSession(db, account, { seconds: 60 });
  const token = await requested(db, account, "new@example.com");
  const currentHash = account.passwordHash ?? "";
  assert.ok(await changePassword(db, account, { sessionId, currentHash, password: "another1" }));
  assert.deepEqual(await follow(db, token), { refusal: "invalid" });
};

export const anUnconfirmedAddressIsReplacedWithoutAWord = async (db: Db) => {
  const account = await addAccount(db);
  const token = await requested(db, account, "new@example.com");
  assert.ok(await makeAccountEmailDue(db, "verification", account.email));
  assert.equal((await follow(db, token)).refusal, undefined);
  assert.deepEqual(await mailed(db), []);
  const [row] = await db.select().from(users).where(eq(users.id, account.id));
  assert.ok(row?.emailVerifiedAt);
};

export const openOrdersAndReportsFollowTheAddress = async (db: Db) => {
  const [buyer, stranger] = [await addAccount(db, confirmed), await addAccount(db)];
  const book = async () => {
    const phone = await addPhone(db);
    await bookWithoutLimits(db, buyer, phone.id, { address: "1 Quay Street", phone: "1" });
    return eq(orders.phoneId, phone.id);
  };
  const [open, received] = [await book(), await book()];
  await db.update(orders).set({ stage: "received" }).where(received);
  for (const { name, email } of [buyer, stranger]) {
    await createTicket(db, { name, email, details: "A question" }, crypto.randomUUID());
  }
  for (const [account, email] of [
    [buyer, "new@example.com"],
    [stranger, "other@example.com"],
  ] as const) {
    await follow(db, await requested(db, account, email));
  }
  const emailOfOrder = async (order: typeof open) => (await db.select().from(orders).where(order))[0]?.email;
  assert.deepEqual(
    [await emailOfOrder(open), await emailOfOrder(received)],
    ["new@example.com", buyer.email],
  );
  const reports = await db.select({ email: tickets.email }).from(tickets);
  // Not those of an address that was never confirmed.
  assert.deepEqual(reports.map(({ email }) => email).sort(), ["new@example.com", stranger.email].sort());
};

export const theFormerAddressIsToldWhateverFollows = async (db: Db) => {
  const account = await addAccount(db, confirmed);
  await follow(db, await requested(db, account, "new@example.com"));
  const changed = and(eq(accountEmails.userId, account.id), eq(accountEmails.kind, "address changed"));
  const sessionId = await openSession(db, { ...account, sessionVersion: 1 }, { seconds: 60 });
  const currentHash = account.passwordHash ?? "";
  assert.ok(await changePassword(db, account, { sessionId, currentHash, password: "another1" }));
  assert.equal(await db.$count(accountEmails, changed), 1);
  assert.deepEqual(
    (await mailed(db)).map(({ to }) => to),
    [account.email],
  );
};

export const anEmailAboutAnAccountThatCouldNotBeSentIsKept = async (db: Db) => {
  const account = await addAccount(db, confirmed);
  const send = (isSent: boolean) => sendDueAccountEmails(db, "https://ringback.test", async () => isSent);
  const outcomes = async () =>
    (await db.select().from(accountEmails)).map(({ kind, emailOutcome }) => [kind, emailOutcome]);
  const setBack = (days: number) =>
    db.update(accountEmails).set({ createdAt: new Date(Date.now() - days * 86_400_000 - 60_000) });
  await makeAccountEmailDue(db, "token created", account.email);
  await setBack(1);
  await send(true);
  assert.deepEqual(await outcomes(), [["token created", "too late"]]);
  const { hasTooLate, waiting } = await summarizeEmails(db);
  assert.deepEqual([hasTooLate, waiting], [true, 0]);
  // Asked for again, it is due again.
  await makeAccountEmailDue(db, "token created", account.email);
  assert.deepEqual(await outcomes(), [["token created", null]]);
  await send(true);
  assert.deepEqual(await outcomes(), []);
  // What nobody wants any more leaves no trace, nor does what is long past.
  await makeAccountEmailDue(db, "token created", account.email);
  await db.insert(accountEmails).values({ userId: account.id, kind: "verification" });
  await setBack(1);
  await send(true);
  assert.deepEqual(await outcomes(), [["token created", "too late"]]);
  await setBack(60);
  await send(true);
  assert.deepEqual(await outcomes(), []);
  // The link to a new address expires at the same time.
  assert.ok(await requestAddressChange(db, account, "new@example.com"));
  await setBack(1);
  await db.update(oneTimeTokens).set({ expiresAt: new Date(Date.now() - 60_000) });
  await send(true);
  assert.deepEqual(await outcomes(), [["address change", "too late"]]);
};
