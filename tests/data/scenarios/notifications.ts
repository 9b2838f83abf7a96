import assert from "node:assert/strict";
import { desc, eq, isNull, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { decisions, emailOptOuts, notifications, sentEmails, users } from "#app/db/schema.ts";
import { makeAccountEmailDue } from "#app/features/accounts/account-mail.server.ts";
import { openSession } from "#app/features/accounts/sessions.server.ts";
import { system } from "#app/features/accounts/viewer.ts";
import { changeModerator, verifySeller } from "#app/features/administration/user-actions.server.ts";
import { findUserDetails } from "#app/features/administration/user-details.server.ts";
import { decide } from "#app/features/moderation/decisions/decide.server.ts";
import { wasReversalEmailSkipped } from "#app/features/moderation/decisions/decision-emails.server.ts";
import { appealDecision } from "#app/features/moderation/decisions/own-decisions.server.ts";
import { sendDueBatch, summarizeEmails } from "#app/features/notifications/due-emails.server.ts";
import { chooseEmailKinds, listEmailKinds } from "#app/features/notifications/email-choices.server.ts";
import {
  countUnreadNotifications,
  deleteOldNotifications,
  findNotificationPath,
  findUnread,
  listNotifications,
  markNotificationsAsRead,
  markPathAsRead,
} from "#app/features/notifications/notifications.server.ts";
import { forgetSentEmails, sendOnce } from "#app/features/notifications/sent-emails.server.ts";
import { cancelOrder, handOver, recordReceipt } from "#app/features/orders/order-steps.server.ts";
import { closeAccount } from "#app/features/profile/account-closing.server.ts";
import type { DueEmail } from "#app/server/mail/due-email.ts";
import { undoMinutes } from "#app/terms.ts";
import { dayMs } from "#app/time.ts";
import { bookWithoutLimits, undoWithoutLimits } from "../../harness/bookings.ts";
import { addAccount, addPhone } from "../../harness/fixtures.ts";

type Account = Awaited<ReturnType<typeof addAccount>>;

const details = { address: "1 Harbour Street", phone: "+46 70 123 45 67" };

const kindsOf = async (db: Db, viewer: Account) =>
  (await listNotifications(db, viewer, null)).rows.map(({ kind }) => kind);

async function booked(db: Db) {
  const seller = await addAccount(db, { userType: "Seller" });
  const buyer = await addAccount(db);
  const phone = await addPhone(db, { sellerId: seller.id, brandName: "Nokia", model: "G22" });
  const { orderId } = (await bookWithoutLimits(db, buyer, phone.id, details)) as { orderId: string };
  return { seller, buyer, phone, orderId };
}

export const bothSidesAreNotifiedOfTheStepsOfAnOrder = async (db: Db) => {
  const { seller, buyer, phone, orderId } = await booked(db);
  // Sent again, and by another buyer.
  await bookWithoutLimits(db, buyer, phone.id, details);
  await bookWithoutLimits(db, await addAccount(db), phone.id, details);
  for (let times = 0; times < 2; times += 1) await handOver(db, seller, orderId);
  for (let times = 0; times < 2; times += 1) await recordReceipt(db, buyer, orderId);
  assert.deepEqual(await kindsOf(db, buyer), ["handed over", "order placed"]);
  assert.deepEqual(await kindsOf(db, seller), ["received", "booked"]);
  const [{ text, path } = { text: "", path: "" }] = (await listNotifications(db, seller, null)).rows;
  assert.deepEqual([text, path], ["The buyer has your Nokia G22.", `/manage/orders/${orderId}`]);
  assert.equal(await db.$count(notifications), 4);
};

export const theOtherSideIsNotifiedOfACancellation = async (db: Db) => {
  const byBuyer = await booked(db);
  const removalId = (await cancelOrder(db, byBuyer.buyer, byBuyer.orderId)).removalId ?? "";
  assert.deepEqual(await kindsOf(db, byBuyer.seller), ["cancelled", "booked"]);
  await undoWithoutLimits(db, byBuyer.buyer, removalId);
  await undoWithoutLimits(db, byBuyer.buyer, removalId);
  await cancelOrder(db, byBuyer.buyer, byBuyer.orderId);
  assert.deepEqual(await kindsOf(db, byBuyer.seller), ["cancelled", "reinstated", "cancelled", "booked"]);
  assert.deepEqual(await kindsOf(db, byBuyer.buyer), ["order placed"]);
  assert.deepEqual(
    (await listNotifications(db, byBuyer.seller, null)).rows.map(({ text }) => text),
    [
      "Order cancelled: Nokia G22.",
      "Back on: your order for the Nokia G22.",
      "Order cancelled: Nokia G22.",
      "Your Nokia G22 is booked.",
    ],
  );

  const bySeller = await booked(db);
  await cancelOrder(db, bySeller.seller, bySeller.orderId, { bySeller: true });
  assert.deepEqual(await kindsOf(db, bySeller.buyer), ["cancelled", "order placed"]);
  assert.deepEqual(await kindsOf(db, bySeller.seller), ["booked"]);
};

export const bothSidesAreNotifiedOfACancellationByAnAdministrator = async (db: Db) => {
  const { buyer, seller, orderId } = await booked(db);
  const admin = await addAccount(db, { userType: "Admin" });
  const removalId = (await cancelOrder(db, admin, orderId)).removalId ?? "";
  await undoWithoutLimits(db, admin, removalId);
  assert.deepEqual(await kindsOf(db, buyer), ["reinstated", "cancelled", "order placed"]);
  assert.deepEqual(await kindsOf(db, seller), ["reinstated", "cancelled", "booked"]);
  assert.deepEqual(await kindsOf(db, admin), []);
};

export const anUndoThatFailsNotifiesNobody = async (db: Db) => {
  const { buyer, seller, phone, orderId } = await booked(db);
  const removalId = (await cancelOrder(db, buyer, orderId)).removalId ?? "";
  await bookWithoutLimits(db, await addAccount(db), phone.id, details);
  assert.equal((await undoWithoutLimits(db, buyer, removalId)).result, "impossible");
  assert.deepEqual(await kindsOf(db, seller), ["booked", "cancelled", "booked"]);
};

export const sellersAreNotifiedThatTheyAreVerified = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const seller = await addAccount(db, { userType: "Seller" });
  const buyer = await addAccount(db);
  for (const { id } of [seller, seller, buyer]) await verifySeller(db, admin, id);
  assert.deepEqual(await kindsOf(db, seller), ["verification"]);
  assert.equal(await db.$count(notifications), 1);
};

export const whatStaffUndoesIsEmailedToNobodyAndSaysSo = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const seller = await addAccount(db, { userType: "Seller" });
  await db.update(users).set({ emailVerifiedAt: new Date() });
  const verify = async () => (await verifySeller(db, admin, seller.id)).removalId ?? "";
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000);
  const told = async () => (await listNotifications(db, seller, null)).rows.map(({ text }) => text);
  const sentence = "You’re now a verified seller.";

  const unread = await verify();
  assert.deepEqual(await dueEmails(db, inMinutes(9)), []);
  await undoWithoutLimits(db, admin, unread);
  const takenBack = `${sentence} We’ve taken this back.`;
  assert.deepEqual(await told(), [takenBack]);

  const read = await verify();
  await markNotificationsAsRead(db, seller);
  await undoWithoutLimits(db, admin, read);
  assert.deepEqual(await told(), [takenBack, takenBack]);
  assert.equal(await countUnreadNotifications(db, seller), 1);
  assert.deepEqual(await dueEmails(db, inMinutes(11)), []);

  await verify();
  assert.deepEqual(await told(), [sentence, takenBack, takenBack]);
  assert.deepEqual(await dueEmails(db, inMinutes(11)), [seller.email]);
};

export const onlyTheirUserOpensAndReadsNotifications = async (db: Db) => {
  const { seller, buyer, orderId } = await booked(db);
  const [{ id } = { id: "" }] = (await listNotifications(db, seller, null)).rows;
  const page = `/manage/orders/${orderId}`;
  assert.equal(await findNotificationPath(db, buyer, id), null);
  assert.equal(await findNotificationPath(db, seller, id), page);
  assert.equal(await markNotificationsAsRead(db, buyer, [id]), 0);
  // The page of the order marks those that lead to it.
  const buyerSession = await openSession(db, buyer, { seconds: 60 });
  assert.equal((await findUnread(db, buyerSession, page)).length, 1);
  assert.deepEqual(await findUnread(db, buyerSession, `${page}/reviews`), []);
  await markPathAsRead(db, seller, `${page}/reviews`);
  assert.equal(await countUnreadNotifications(db, seller), 1);
  await markPathAsRead(db, seller, page);
  assert.equal(await countUnreadNotifications(db, seller), 0);
  assert.equal(await countUnreadNotifications(db, buyer), 1);
  assert.deepEqual(
    [await markNotificationsAsRead(db, buyer), await markNotificationsAsRead(db, buyer)],
    [1, 0],
  );
  assert.deepEqual(await findUnread(db, buyerSession, page), []);
  assert.equal(await findNotificationPath(db, seller, "nothing"), null);
};

const route = { origin: "https://ringback.example", secrets: ["a secret of thirty-two characters"] };

/** Sends the due emails, and returns their recipients. */
async function dueEmails(db: Db, now?: Date) {
  const recipients: string[] = [];
  const send = async ({ write }: DueEmail) => {
    recipients.push((await write()).to);
    return true;
  };
  await sendDueBatch(db, { ...route, send }, { now });
  return recipients.sort();
}

export const noEmailTellsOfWhatIsNotInEffectAnymore = async (db: Db) => {
  const [moderator, colleague] = [
    await addAccount(db, { userType: "Admin" }),
    await addAccount(db, { userType: "Admin" }),
  ];
  const seller = await addAccount(db, { userType: "Seller" });
  await db.update(users).set({ emailVerifiedAt: new Date() });
  const given = { reason: "Not the device in the pictures.", days: "7" };
  const decided = async (kind: "hide" | "reverse" | "remove", phoneId: string, by = moderator) => {
    const ofPhone = eq(decisions.targetId, phoneId);
    const [newest] = await db.select().from(decisions).where(ofPhone).orderBy(desc(decisions.id)).limit(1);
    const choice = { decision: kind, ...given, lastDecisionId: newest?.id };
    const { id } = await decide(db, by, "listing", phoneId, choice, null);
    assert.ok(id);
    return id;
  };
  const hide = async () => {
    const { id } = await addPhone(db, { sellerId: seller.id });
    await decided("hide", id);
    return id;
  };
  const emails = async () => (await dueEmails(db, new Date(Date.now() + 11 * 60_000))).length;

  // The owner was never emailed.
  const phoneId = await hide();
  const reversal = await decided("reverse", phoneId, colleague);
  assert.equal(await wasReversalEmailSkipped(db, reversal), true);
  assert.equal(await emails(), 0);
  // The first decision stands again.
  assert.equal((await undoWithoutLimits(db, colleague, reversal)).result, "undone");
  assert.equal(await emails(), 1);

  // The owner was emailed before.
  await decided("reverse", phoneId, colleague);
  assert.equal(await emails(), 1);

  // An appeal is answered.
  const { id: appealed } = await addPhone(db, { sellerId: seller.id });
  assert.ok(await appealDecision(db, seller, await decided("hide", appealed), "It is the device."));
  const answer = await decided("reverse", appealed, colleague);
  assert.equal(await wasReversalEmailSkipped(db, answer), false);
  assert.equal(await emails(), 1);

  // The new decision alone.
  await decided("remove", await hide());
  assert.equal(await emails(), 1);

  // Buyers, who were never emailed that their seller was suspended, nor the seller; until the suspension stands again.
  const sold = await addPhone(db, { sellerId: seller.id });
  const buyer = await addAccount(db);
  await db.update(users).set({ emailVerifiedAt: new Date() });
  await bookWithoutLimits(db, buyer, sold.id, { address: "", phone: "" });
  await emails();
  const onSeller = async (kind: "suspend" | "reverse", last?: string) => {
    const decision = { decision: kind, ...given, ...(last && { lastDecisionId: last }) };
    const { id } = await decide(db, last ? colleague : moderator, "seller", seller.id, decision, null);
    return id ?? assert.fail(kind);
  };
  const toBuyer = async () => {
    const told = await dueEmails(db, new Date(Date.now() + 11 * 60_000));
    return told.filter((email) => email === buyer.email).length;
  };
  const suspension = await onSeller("suspend");
  const release = await onSeller("reverse", suspension);
  assert.equal(await toBuyer(), 0);
  assert.equal((await undoWithoutLimits(db, colleague, release)).result, "undone");
  assert.equal(await toBuyer(), 1);
  // Emailed before, so that its end is, too, unless the next suspension ends that.
  const second = await onSeller("reverse", release);
  const third = await onSeller("suspend", second);
  assert.equal(await toBuyer(), 1);
  await onSeller("reverse", third);
  assert.equal(await toBuyer(), 1);

  // The role of a moderator.
  const [appointed] = [await addAccount(db)];
  await db.update(users).set({ emailVerifiedAt: new Date() });
  assert.ok((await changeModerator(db, moderator, appointed.id, "appointment")).removalId);
  const { removalId: withdrawal } = await changeModerator(db, colleague, appointed.id, "withdrawal");
  assert.equal(await emails(), 0);
  assert.equal((await undoWithoutLimits(db, colleague, withdrawal ?? "")).result, "undone");
  assert.equal(await emails(), 1);
  await changeModerator(db, colleague, appointed.id, "withdrawal");
  assert.equal(await emails(), 1);
};

const later = () => new Date(Date.now() + 11 * 60_000);

/** What is done about a listing or its seller, and what the owner is emailed, once what can be undone is over. */
const walks: [steps: string, emails: string[]][] = [
  ["hide, undo, hide", ["hid"]],
  ["hide, reverse", []],
  ["hide, reverse, undo", ["hid"]],
  ["hide, reverse, undo, reverse", []],
  ["hide, reverse, undo, reverse, undo", ["hid"]],
  ["hide, reverse, hide, reverse", []],
  ["hide, email, reverse, undo", ["hid"]],
  ["hide, email, reverse, undo, reverse", ["hid", "back"]],
  ["hide, email, reverse, hide, reverse", ["hid", "back"]],
  ["hide, appeal, reverse", ["back"]],
  ["hide, appeal, reverse, undo", ["hid"]],
  ["hide, appeal, uphold, undo", ["hid"]],
  ["hide, appeal, uphold, undo, uphold", ["hid", "upheld"]],
  ["hide, appeal, uphold, undo, reverse", ["back"]],
  ["hide, email, appeal, uphold, undo", ["hid"]],
  ["hide, email, appeal, uphold, undo, reverse", ["hid", "back"]],
  ["hide, email, appeal, reverse, undo", ["hid"]],
  ["hide, remove", ["removed"]],
  ["hide, remove, undo", ["hid"]],
  ["hide, remove, reverse", []],
  ["hide, remove, reverse, undo", ["removed"]],
  ["hide, email, remove, reverse", ["hid", "back"]],
  ["hide, email, remove, reverse, undo", ["hid", "removed"]],
  ["hide, email, remove, undo, reverse", ["hid", "back"]],
  ["hide, appeal, remove, reverse", ["back"]],
  ["hide, appeal, remove, undo", ["hid"]],
  ["suspend, undo, suspend", ["suspended"]],
  ["suspend, reverse, undo, reverse", []],
  ["suspend, suspend, reverse", []],
  ["suspend, email, suspend, reverse", ["suspended", "back"]],
  ["suspend, email, suspend, suspend, reverse", ["suspended", "back"]],
  ["suspend, email, reverse, suspend, reverse", ["suspended", "back"]],
];

export const noEmailSpeaksOfADecisionThatItsOwnerHasNotReadOf = async (db: Db) => {
  for (const [steps, expected] of walks) {
    const people = [await addAccount(db, { userType: "Admin" }), await addAccount(db, { userType: "Admin" })];
    const owner = await addAccount(db, { userType: "Seller", emailVerifiedAt: new Date() });
    const phone = await addPhone(db, { sellerId: owner.id });
    const [kind, id] = steps.startsWith("suspend")
      ? (["seller", owner.id] as const)
      : (["listing", phone.id] as const);
    const subjects: string[] = [];
    const send = async ({ write }: DueEmail) => {
      const { to, subject } = await write();
      if (to === owner.email) subjects.push(subject);
      return true;
    };
    const made: { id: string; by: (typeof people)[number] }[] = [];
    for (const step of [...steps.split(", "), "email"]) {
      const [newest] = await db
        .select()
        .from(decisions)
        .where(eq(decisions.targetId, id))
        .orderBy(desc(decisions.id))
        .limit(1);
      if (step === "email") await sendDueBatch(db, { ...route, send }, { now: later() });
      else if (step === "appeal")
        assert.ok(await appealDecision(db, owner, newest?.id ?? "", "It is the device."), steps);
      else if (step === "undo") {
        const last = made.pop();
        assert.ok(last);
        assert.equal((await undoWithoutLimits(db, last.by, last.id)).result, "undone", steps);
      } else {
        // Of an appealed decision, a colleague decides.
        const by = people[made.length % 2] ?? assert.fail();
        const choice = {
          decision: step as "hide",
          reason: "A box only.",
          days: "7",
          lastDecisionId: newest?.id,
        } as const;
        const decided = await decide(db, by, kind, id, choice, null);
        assert.ok(decided.id, `${step} of ${steps}`);
        made.push({ id: decided.id, by });
      }
    }
    const words = {
      hid: /hid this/,
      removed: /removed/,
      suspended: /is suspended/,
      back: /is back/,
      upheld: /upheld/,
    };
    const told = subjects.map(
      (subject) => Object.entries(words).find(([, word]) => word.test(subject))?.[0] ?? subject,
    );
    assert.deepEqual([steps, told], [steps, expected]);
  }
};

export const dueEmailsAreSentOnce = async (db: Db) => {
  const { buyer } = await booked(db);
  await db.update(users).set({ emailVerifiedAt: new Date() });
  const failing = {
    ...route,
    send: async () => Promise.reject(new Error("The mail service is unreachable.")),
  };
  await assert.rejects(sendDueBatch(db, failing), /unreachable/);
  assert.equal(await db.$count(notifications, isNull(notifications.emailDoneAt)), 2);
  // Those that are not sent stay due alone.
  await sendDueBatch(db, {
    ...route,
    send: async ({ write }) => (await write()).to !== buyer.email,
  });
  assert.deepEqual(await dueEmails(db), [buyer.email]);
  assert.deepEqual(await dueEmails(db), []);
};

export const anEmailThatIsNotSentHoldsBackTheLaterOnesToItsReader = async (db: Db) => {
  const { buyer, seller, orderId } = await booked(db);
  // More than a batch of them.
  for (let times = 0; times < 15; times += 1) {
    await undoWithoutLimits(db, buyer, (await cancelOrder(db, buyer, orderId)).removalId ?? "");
  }
  await cancelOrder(db, buyer, orderId);
  const sent: string[] = [];
  let isFailing = true;
  const send = async ({ write }: DueEmail) => {
    const { to, subject } = await write();
    const isSent = !(isFailing && sent.length === 3);
    if (isSent && to === seller.email) sent.push(subject);
    return isSent;
  };
  const run = async () => {
    let after: string | null = null;
    do after = await sendDueBatch(db, { ...route, send }, { after });
    while (after !== null);
  };
  await run();
  assert.equal(sent.length, 3);
  isFailing = false;
  await run();
  const all = (await db.select().from(notifications).where(eq(notifications.userId, seller.id))).length;
  assert.deepEqual([sent.length, sent.at(-1)], [all, "Order cancelled: Nokia G22"]);
};

/** What became of the emails of an account's notifications, newest first. */
async function outcomesOf(db: Db, { id }: { id: string }) {
  const rows = await db
    .select({ kind: notifications.kind, outcome: notifications.emailOutcome })
    .from(notifications)
    .where(eq(notifications.userId, id))
    .orderBy(desc(notifications.id));
  return rows.map(({ kind, outcome }) => `${kind}: ${outcome}`);
}

/** The kinds of notifications that someone wants by email. */
const wantedKinds = async (db: Db, viewer: Account) =>
  (await listEmailKinds(db, viewer)).filter(({ isOn }) => isOn).map(({ kind }) => kind);

export const onlyThoseWhoWantAnEmailGetOne = async (db: Db) => {
  const { buyer, seller } = await booked(db);
  const removed = await booked(db);
  const unverified = await booked(db);
  await db.update(users).set({ emailVerifiedAt: new Date() });
  for (const { id } of [removed.buyer, removed.seller]) {
    await db.update(users).set({ removalId: "x" }).where(eq(users.id, id));
  }
  for (const { id } of [unverified.buyer, unverified.seller]) {
    await db.update(users).set({ emailVerifiedAt: null }).where(eq(users.id, id));
  }
  await chooseEmailKinds(db, buyer, ["cancelled", "message"]);
  await chooseEmailKinds(db, buyer, ["cancelled", "message"]);
  assert.deepEqual((await wantedKinds(db, buyer)).toSorted(), ["cancelled", "message"]);
  // A whole group, whatever is chosen of it.
  await chooseEmailKinds(db, seller, [...(await wantedKinds(db, seller))], { none: "Offers" });
  const withoutOffers = await wantedKinds(db, seller);
  assert.deepEqual([withoutOffers.includes("offer made"), withoutOffers.includes("message")], [false, true]);
  await chooseEmailKinds(db, seller, withoutOffers, { all: "Offers" });
  assert.equal((await wantedKinds(db, seller)).includes("offer made"), true);
  // A form that did not show the kinds of sellers yet changes nothing about them.
  await chooseEmailKinds(db, seller, ["message"], { shown: ["message", "cancelled"] });
  const kept = await wantedKinds(db, seller);
  assert.deepEqual([kept.includes("booked"), kept.includes("cancelled")], [true, false]);
  await chooseEmailKinds(db, seller, ["message", "cancelled"], { shown: ["message", "cancelled"] });
  // Nobody but moderators loses that role.
  assert.equal((await wantedKinds(db, seller)).includes("withdrawal"), false);
  // Nor does anybody book devices of who sells nothing.
  const isOffered = async (viewer: Account) =>
    (await listEmailKinds(db, viewer)).some(({ kind }) => kind === "booked");
  assert.deepEqual([await isOffered(seller), await isOffered(buyer)], [true, false]);
  // An address that is not confirmed gets emails about orders only.
  await verifySeller(db, await addAccount(db, { userType: "Admin" }), unverified.seller.id);
  const { buyer: hers, seller: his } = unverified;
  // Undo of the verification is over.
  const now = new Date(Date.now() + (undoMinutes + 1) * 60_000);
  assert.deepEqual(await dueEmails(db, now), [seller.email, hers.email, his.email].sort());
  assert.equal(await db.$count(notifications, isNull(notifications.emailDoneAt)), 0);
  assert.deepEqual(await outcomesOf(db, buyer), ["order placed: switched off"]);
  assert.deepEqual(await outcomesOf(db, seller), ["booked: sent"]);
  assert.deepEqual(await outcomesOf(db, removed.buyer), ["order placed: account deleted"]);
  assert.deepEqual(await outcomesOf(db, his), ["verification: address not confirmed", "booked: sent"]);

  await chooseEmailKinds(db, buyer, [...(await wantedKinds(db, seller))]);
  assert.equal(await db.$count(emailOptOuts), 0);
};

export const administratorsSeeWhatBecameOfEmails = async (db: Db) => {
  const { buyer, seller } = await booked(db);
  await chooseEmailKinds(db, buyer, []);
  const nothing = { outcomes: [], newestOf: null, hasTooLate: false, waiting: 0, isLate: false };
  assert.deepEqual(await summarizeEmails(db), { ...nothing, waiting: 2 });
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000);
  assert.equal((await summarizeEmails(db, inMinutes(31))).isLate, true);
  await dueEmails(db);
  const outcomes = [
    { outcome: "sent", number: 1 },
    { outcome: "switched off", number: 1 },
  ];
  assert.deepEqual(await summarizeEmails(db), { ...nothing, outcomes });
  assert.deepEqual((await summarizeEmails(db, new Date(Date.now() + dayMs + 60_000))).outcomes, []);
  assert.equal(await makeAccountEmailDue(db, "recovery", buyer.email), true);
  assert.deepEqual((await summarizeEmails(db)).waiting, 1);

  for (const [account, kind, outcome] of [
    [buyer, "order placed", "switched off"],
    [seller, "booked", "sent"],
  ] as const) {
    const details = await findUserDetails(db, system, account.id);
    assert.deepEqual(
      details?.emails.rows.map((row) => [row.kind, row.outcome, row.isDue]),
      [[kind, outcome, false]],
    );
  }
};

export const oldNotificationsGetNoEmail = async (db: Db) => {
  const { buyer, seller } = await booked(db);
  await db.update(users).set({ emailVerifiedAt: new Date() });
  const tomorrow = new Date(Date.now() + 86_400_001);
  assert.deepEqual(await dueEmails(db, tomorrow), []);
  assert.deepEqual(
    [await outcomesOf(db, buyer), await outcomesOf(db, seller)],
    [["order placed: too late"], ["booked: too late"]],
  );
};

const unexpected = (error: unknown) => assert.fail(`${error}`);

export const anEmailIsSentOnceUnlessItFails = async (db: Db) => {
  let sent = 0;
  const send = async () => {
    sent += 1;
  };
  const fail = () => Promise.reject(new Error("No mail today."));
  await assert.rejects(sendOnce(db, "one", fail, unexpected), /No mail/);
  await Promise.all([sendOnce(db, "one", send, unexpected), sendOnce(db, "one", send, unexpected)]);
  assert.equal(await sendOnce(db, "one", send, unexpected), "sent");
  await sendOnce(db, "two", send, unexpected);
  assert.equal(sent, 2);
};

export const anInterruptedEmailIsSentLater = async (db: Db) => {
  const outcomes: string[] = [];
  const attempt = async (minutes: number) => {
    const send = async () => void outcomes.push(`sent after ${minutes} minutes`);
    const now = new Date(Date.now() + minutes * 60_000);
    outcomes.push(await sendOnce(db, "one", send, unexpected, now));
  };
  // As a crash leaves it, or a response that is lost: recorded, and not sent.
  await db.insert(sentEmails).values({ id: "one" });
  for (const minutes of [1, 3, 4, 600]) await attempt(minutes);
  assert.deepEqual(outcomes, ["being sent", "sent after 3 minutes", "sent", "sent", "sent"]);
};

export const whatIsOldIsDeletedInBatches = async (db: Db) => {
  const { buyer, seller } = await booked(db);
  const inDays = (days: number) => new Date(Date.now() + days * dayMs);
  await markNotificationsAsRead(db, buyer);
  await deleteOldNotifications(db, 10, inDays(179));
  assert.equal(await db.$count(notifications), 2);
  await deleteOldNotifications(db, 10, inDays(181));
  assert.deepEqual([await kindsOf(db, buyer), await kindsOf(db, seller)], [[], ["booked"]]);

  for (const id of ["a", "b", "c"]) await db.insert(sentEmails).values({ id });
  await forgetSentEmails(db, 2, inDays(59));
  assert.equal(await db.$count(sentEmails), 3);
  await forgetSentEmails(db, 2, inDays(61));
  assert.equal(await db.$count(sentEmails), 1);
};

export const aClosedAccountKeepsNoNotifications = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const [seller, other] = [
    await addAccount(db, { userType: "Seller" }),
    await addAccount(db, { userType: "Seller" }),
  ];
  for (const account of [seller, other]) {
    await verifySeller(db, admin, account.id);
    await chooseEmailKinds(db, account, []);
  }
  assert.equal(await closeAccount(db, seller, { passwordHash: seller.passwordHash ?? "" }), "closed");
  assert.deepEqual([await kindsOf(db, seller), await kindsOf(db, other)], [[], ["verification"]]);
  assert.equal(await db.$count(emailOptOuts, eq(emailOptOuts.userId, seller.id)), 0);
  assert.notEqual(await db.$count(emailOptOuts, eq(emailOptOuts.userId, other.id)), 0);
};

export const notificationsOfAnEarlierVersionReadAsBefore = async (db: Db) => {
  const { id: userId, ...buyer } = await addAccount(db);
  const row = { userId, path: "/", createdAt: new Date() };
  await db.insert(notifications).values([
    { ...row, kind: "price drop", subject: "Now $279, was $299: Nokia G22", event: "1" },
    { ...row, kind: "shipped", subject: "UPS 1Z9: Nokia G22", event: "2" },
  ]);
  const { rows } = await listNotifications(db, { ...buyer, id: userId }, null);
  assert.deepEqual(
    rows.map(({ text }) => text),
    ["On its way with UPS 1Z9: Nokia G22.", "Now $279, was $299: Nokia G22"],
  );
};

export const tenThousandNotificationsAreReadByPages = async (db: Db) => {
  const { buyer } = await booked(db);
  await db.run(sql`with recursive n(i) as (select 0 union all select i + 1 from n where i < 9998)
    insert into notifications (id, user_id, kind, subject, path, event, created_at)
    select printf('00000000-0000-7000-8000-%012d', i), ${buyer.id}, 'message', 'Nokia G22', '/', 'e' || i, i from n`);
  assert.equal(await countUnreadNotifications(db, buyer), 100);
  const first = await listNotifications(db, buyer, null);
  assert.deepEqual([first.rows.length, first.rows[0]?.kind], [25, "order placed"]);
  const last = await listNotifications(db, buyer, { after: "00000000-0000-7000-8000-000000000003" });
  assert.deepEqual(
    last.rows.map(({ id }) => id.at(-1)),
    ["2", "1", "0"],
  );
  assert.equal(last.next, null);
  assert.equal(await markNotificationsAsRead(db, buyer), 10_000);
  assert.equal(await countUnreadNotifications(db, buyer), 0);
};
