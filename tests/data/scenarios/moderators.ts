import assert from "node:assert/strict";
import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { decisions, messages, users } from "#app/db/schema.ts";
import { may } from "#app/features/accounts/permissions.ts";
import { changeModerator, removeUser } from "#app/features/administration/user-actions.server.ts";
import { listActivity } from "#app/features/audit/activity.server.ts";
import { sendFirstMessage } from "#app/features/messages/send-message.server.ts";
import { findCase } from "#app/features/moderation/cases.server.ts";
import { decide } from "#app/features/moderation/decisions/decide.server.ts";
import type { NewDecision } from "#app/features/moderation/decisions/decision.schema.ts";
import {
  listContentReports,
  reportContent,
} from "#app/features/moderation/reports/content-reports.server.ts";
import { listNotifications } from "#app/features/notifications/notifications.server.ts";
import { purgeRemovals } from "#app/features/profile/purging.server.ts";
import { undoWithoutLimits } from "../../harness/bookings.ts";
import { addAccount, addPhone } from "../../harness/fixtures.ts";

const accountOf = async (db: Db, id: string) => {
  const [account] = await db.select().from(users).where(eq(users.id, id));
  assert.ok(account);
  return account;
};
const isModerator = async (db: Db, id: string) => may(await accountOf(db, id), "moderate");
const kindsOf = async (db: Db, id: string) =>
  (await listNotifications(db, await accountOf(db, id), null)).rows.map(({ kind }) => kind);
const adminOf = (db: Db) => addAccount(db, { userType: "Admin" });
const moderatorOf = (db: Db) => addAccount(db, { moderatorSince: new Date() });

const spam = { reason: "Duplicate or spam", details: "" } as const;
const warn: NewDecision = { decision: "warn", reason: "Stay polite.", days: "7" };
const suspend = (days: string): NewDecision => ({ decision: "suspend", reason: "Fraud.", days });

export const anAdministratorAppointsAndWithdrawsAModerator = async (db: Db) => {
  const admin = await adminOf(db);
  const { id } = await addAccount(db, { userType: "Seller", email: "mia@example.com" });
  assert.ok(await changeModerator(db, admin, id, "appointment"));
  assert.equal(await changeModerator(db, admin, id, "appointment"), null);
  assert.equal(await isModerator(db, id), true);
  assert.equal((await accountOf(db, id)).userType, "Seller");
  assert.ok(await changeModerator(db, admin, id, "withdrawal"));
  assert.equal(await changeModerator(db, admin, id, "withdrawal"), null);
  assert.equal(await isModerator(db, id), false);
  assert.deepEqual(await kindsOf(db, id), ["withdrawal", "appointment"]);
  assert.deepEqual(
    (await listActivity(db, null)).rows.map(({ action, target }) => `${action}: ${target}`),
    ["withdrew moderator: mia@example.com", "appointed moderator: mia@example.com"],
  );
};

export const onlyAdministratorsAppointAndNotEverybody = async (db: Db) => {
  const [admin, other, moderator] = [await adminOf(db), await adminOf(db), await moderatorOf(db)];
  const buyer = await addAccount(db);
  for (const who of [moderator, buyer]) {
    assert.equal(await changeModerator(db, who, buyer.id, "appointment"), null);
    assert.equal(await changeModerator(db, who, moderator.id, "withdrawal"), null);
  }
  // Administrators may moderate anyway.
  assert.equal(await changeModerator(db, admin, other.id, "appointment"), null);
  assert.equal(await changeModerator(db, admin, "nobody", "appointment"), null);
  await decide(db, admin, "seller", buyer.id, suspend("1"), null);
  assert.equal(await changeModerator(db, admin, buyer.id, "appointment"), null);
  await removeUser(db, admin, other.id);
  assert.equal(await changeModerator(db, other, moderator.id, "withdrawal"), null);
  assert.equal(await isModerator(db, moderator.id), true);
};

export const anAppointmentAndAWithdrawalAreUndone = async (db: Db) => {
  const admin = await adminOf(db);
  const { id } = await addAccount(db);
  const appointment = (await changeModerator(db, admin, id, "appointment")) ?? "";
  const undone = { kind: "appointment", result: "undone" };
  assert.equal((await undoWithoutLimits(db, await adminOf(db), appointment)).result, "too late");
  assert.deepEqual(await undoWithoutLimits(db, admin, appointment), undone);
  assert.deepEqual(await undoWithoutLimits(db, admin, appointment), undone);
  assert.equal(await isModerator(db, id), false);
  assert.deepEqual(await kindsOf(db, id), []);

  const again = (await changeModerator(db, admin, id, "appointment")) ?? "";
  const withdrawal = (await changeModerator(db, admin, id, "withdrawal")) ?? "";
  assert.deepEqual(await undoWithoutLimits(db, admin, withdrawal), { kind: "withdrawal", result: "undone" });
  assert.equal(await isModerator(db, id), true);
  // The role is another one than that of the first appointment.
  await db
    .update(users)
    .set({ moderatorSince: new Date(1) })
    .where(eq(users.id, id));
  assert.equal((await undoWithoutLimits(db, admin, again)).result, "impossible");
  assert.equal(await isModerator(db, id), true);
};

export const aModeratorDecidesAboutBuyersAndSellers = async (db: Db) => {
  const moderator = await moderatorOf(db);
  const phone = await addPhone(db);
  await reportContent(db, await addAccount(db), "listing", phone.id, spam);
  const found = await findCase(db, moderator, "listing", phone.id);
  assert.deepEqual(found?.choices, ["dismiss", "warn", "hide", "remove", "suspend"]);
  const hide: NewDecision = { decision: "hide", reason: "Spam.", days: "7" };
  const { id = "" } = await decide(db, moderator, "listing", phone.id, hide, null);
  const [hidden] = await db.select().from(decisions);
  assert.deepEqual([hidden?.id, hidden?.actorId], [id, moderator.id]);
  assert.equal((await undoWithoutLimits(db, moderator, id)).result, "undone");
  // Who has lost the role undoes nothing any more.
  const second = await decide(db, moderator, "listing", phone.id, { ...hide, lastDecisionId: id }, null);
  const former = { ...moderator, moderatorSince: null };
  assert.equal((await undoWithoutLimits(db, former, second.id ?? "")).result, "impossible");
  await db.update(users).set({ moderatorSince: null }).where(eq(users.id, moderator.id));
  const late = await decide(db, moderator, "seller", phone.sellerId, warn, null);
  assert.equal(late.refusal, "not allowed");
};

export const aModeratorDecidesNothingAboutThemselvesModeratorsAndAdministrators = async (db: Db) => {
  const [admin, moderator, other] = [await adminOf(db), await moderatorOf(db), await moderatorOf(db)];
  const text = "This is for administrators: it’s about a moderator or an administrator.";
  for (const owner of [moderator, other, admin]) {
    const phone = await addPhone(db, { sellerId: owner.id });
    for (const [kind, id] of [["listing", phone.id] as const, ["seller", owner.id] as const]) {
      const found = await findCase(db, moderator, kind, id);
      assert.deepEqual([found?.choices, found?.limit], [[], text]);
      assert.deepEqual(await decide(db, moderator, kind, id, warn, null), {
        refusal: "not allowed",
        message: text,
      });
    }
    assert.equal((await findCase(db, admin, "listing", phone.id))?.limit, null);
  }
  assert.equal(await db.$count(decisions), 0);
  // Administrators decide about moderators, but suspend them only once they have lost the role.
  assert.deepEqual((await findCase(db, admin, "seller", other.id))?.choices, ["warn"]);
  await changeModerator(db, admin, other.id, "withdrawal");
  assert.deepEqual((await findCase(db, admin, "seller", other.id))?.choices, ["warn", "suspend"]);
};

export const aModeratorSuspendsForAMonthAtMost = async (db: Db) => {
  const [admin, moderator] = [await adminOf(db), await moderatorOf(db)];
  const { id } = await addAccount(db);
  for (const days of ["90", "permanent"]) {
    assert.equal((await decide(db, moderator, "seller", id, suspend(days), null)).refusal, "not allowed");
  }
  const { id: month = "" } = await decide(db, moderator, "seller", id, suspend("30"), null);
  assert.ok(month);
  assert.deepEqual((await findCase(db, moderator, "seller", id))?.choices, ["reverse", "warn", "suspend"]);
  // What only administrators can decide, moderators neither end nor shorten.
  const forGood = { ...suspend("permanent"), lastDecisionId: month };
  const { id: permanent = "" } = await decide(db, admin, "seller", id, forGood, null);
  assert.ok(permanent);
  assert.deepEqual((await findCase(db, moderator, "seller", id))?.choices, ["warn"]);
  const end: NewDecision = { decision: "reverse", reason: "", days: "7", lastDecisionId: permanent };
  assert.ok((await decide(db, moderator, "seller", id, end, null)).refusal);
  assert.ok((await accountOf(db, id)).suspensionId);
};

export const aModeratorSeesNoEmailAddresses = async (db: Db) => {
  const [admin, moderator] = [await adminOf(db), await moderatorOf(db)];
  const seller = await addAccount(db, { userType: "Seller", name: "Sol", email: "secret-owner@example.com" });
  const reporter = await addAccount(db, { name: "Rae", email: "secret-reporter@example.com" });
  const phone = await addPhone(db, { sellerId: seller.id });
  await reportContent(db, reporter, "listing", phone.id, spam);
  await sendFirstMessage(db, reporter, { phone: phone.id }, { text: "Hello", formKey: null });
  const [message] = await db.select().from(messages);
  await reportContent(db, seller, "message", message?.id ?? "", spam);
  for (const [kind, id] of [["listing", phone.id] as const, ["message", message?.id ?? ""] as const]) {
    const shown = async (who: typeof admin) => JSON.stringify(await findCase(db, who, kind, id));
    assert.match(await shown(admin), /secret-owner/);
    assert.match(await shown(admin), /secret-reporter/);
    assert.doesNotMatch(await shown(moderator), /secret-|@example/);
  }
  // Nor do they find out by a filter.
  const found = async (q: string, byAddress: boolean) =>
    (await listContentReports(db, null, { filters: { q } }, byAddress)).rows.length;
  assert.deepEqual([await found("secret-r", true), await found("secret-r", false)], [1, 0]);
  assert.equal(await found("rae", false), 1);
};

export const theLogForgetsAFormerModerator = async (db: Db) => {
  const [admin, buyer] = [await adminOf(db), await addAccount(db)];
  const moderator = await addAccount(db, { email: "gone@example.com" });
  await changeModerator(db, admin, moderator.id, "appointment");
  await decide(db, await accountOf(db, moderator.id), "seller", buyer.id, warn, null);
  await changeModerator(db, admin, moderator.id, "withdrawal");
  await removeUser(db, admin, moderator.id);
  await purgeRemovals(db, new Date(Date.now() + 40 * 86_400_000));
  const log = JSON.stringify((await listActivity(db, null)).rows);
  assert.match(log, /warned user/);
  assert.doesNotMatch(log, /gone@example/);
};
