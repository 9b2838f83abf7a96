import assert from "node:assert/strict";
import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { decisions, messages, phones, signals, users } from "#app/db/schema.ts";
import { may } from "#app/features/accounts/permissions.ts";
import { system, type Viewer } from "#app/features/accounts/viewer.ts";
import { findRecords } from "#app/features/administration/find-records.server.ts";
import { exportTable } from "#app/features/administration/table-exports.server.ts";
import { listTimeline } from "#app/features/administration/timeline.server.ts";
import { changeModerator } from "#app/features/administration/user-actions.server.ts";
import { findUserDetails } from "#app/features/administration/user-details.server.ts";
import {
  countWork,
  findClaim,
  listWork,
  notifyOfWork,
  takeCase,
} from "#app/features/administration/work.server.ts";
import { listActivity } from "#app/features/audit/activity.server.ts";
import { sendFirstMessage } from "#app/features/messages/send-message.server.ts";
import { findCase } from "#app/features/moderation/cases.server.ts";
import { decide, hideListing } from "#app/features/moderation/decisions/decide.server.ts";
import type { NewDecision } from "#app/features/moderation/decisions/decision.schema.ts";
import { endSuspensions } from "#app/features/moderation/decisions/decision-effects.server.ts";
import { appealDecision, findOwnDecision } from "#app/features/moderation/decisions/own-decisions.server.ts";
import {
  listAppealed,
  listDecided,
  listHeld,
  listReported,
  listSignals,
} from "#app/features/moderation/moderation-queue.server.ts";
import {
  listContentReports,
  reportContent,
} from "#app/features/moderation/reports/content-reports.server.ts";
import { alertModerators } from "#app/features/moderation/urgent-cases.server.ts";
import { listNotifications } from "#app/features/notifications/notifications.server.ts";
import { purgeRemovals } from "#app/features/profile/purging.server.ts";
import { dayMs } from "#app/time.ts";
import { undoWithoutLimits } from "../../harness/bookings.ts";
import { addAccount, addPhone, removeUser } from "../../harness/fixtures.ts";

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

const spam = { reason: "duplicate", details: "" } as const;
const warn: NewDecision = { decision: "warn", reason: "Stay polite.", days: "7" };
const suspend = (days: string): NewDecision => ({ decision: "suspend", reason: "Fraud.", days });

export const anAdministratorAppointsAndWithdrawsAModerator = async (db: Db) => {
  const admin = await adminOf(db);
  const { id } = await addAccount(db, { userType: "Seller", email: "mia@example.com" });
  assert.ok((await changeModerator(db, admin, id, "appointment")).removalId);
  assert.equal((await changeModerator(db, admin, id, "appointment")).refusal, "not possible");
  assert.equal(await isModerator(db, id), true);
  assert.equal((await accountOf(db, id)).userType, "Seller");
  assert.ok((await changeModerator(db, admin, id, "withdrawal")).removalId);
  assert.equal((await changeModerator(db, admin, id, "withdrawal")).refusal, "not possible");
  assert.equal(await isModerator(db, id), false);
  assert.deepEqual(await kindsOf(db, id), ["withdrawal", "appointment"]);
  assert.deepEqual(
    (await listActivity(db, system, null)).rows.map(({ action, target }) => `${action}: ${target}`),
    ["withdrew moderator: mia@example.com", "appointed moderator: mia@example.com"],
  );
};

export const onlyAdministratorsAppointAndNotEverybody = async (db: Db) => {
  const [admin, other, moderator] = [await adminOf(db), await adminOf(db), await moderatorOf(db)];
  const buyer = await addAccount(db);
  for (const who of [moderator, buyer]) {
    assert.equal((await changeModerator(db, who, buyer.id, "appointment")).refusal, "not possible");
    assert.equal((await changeModerator(db, who, moderator.id, "withdrawal")).refusal, "not possible");
  }
  // Administrators may moderate anyway.
  assert.equal((await changeModerator(db, admin, other.id, "appointment")).refusal, "not possible");
  assert.equal((await changeModerator(db, admin, "nobody", "appointment")).refusal, "not possible");
  await decide(db, admin, "seller", buyer.id, suspend("1"), null);
  assert.equal((await changeModerator(db, admin, buyer.id, "appointment")).refusal, "not possible");
  await removeUser(db, admin, other.id);
  assert.equal((await changeModerator(db, other, moderator.id, "withdrawal")).refusal, "not possible");
  assert.equal(await isModerator(db, moderator.id), true);
};

export const anAppointmentAndAWithdrawalAreUndone = async (db: Db) => {
  const admin = await adminOf(db);
  const { id } = await addAccount(db);
  const appointment = (await changeModerator(db, admin, id, "appointment")).removalId ?? "";
  const undone = { kind: "appointment", result: "undone" };
  assert.equal((await undoWithoutLimits(db, await adminOf(db), appointment)).result, "too late");
  assert.deepEqual(await undoWithoutLimits(db, admin, appointment), undone);
  assert.deepEqual(await undoWithoutLimits(db, admin, appointment), undone);
  assert.equal(await isModerator(db, id), false);
  assert.deepEqual(await kindsOf(db, id), ["appointment"]);

  const again = (await changeModerator(db, admin, id, "appointment")).removalId ?? "";
  const withdrawal = (await changeModerator(db, admin, id, "withdrawal")).removalId ?? "";
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

export const aModeratorDecidesNothingAboutModeratorsAndAdministrators = async (db: Db) => {
  const [admin, moderator, other] = [await adminOf(db), await moderatorOf(db), await moderatorOf(db)];
  const boss = await adminOf(db);
  const text = "This is for administrators: it’s about a moderator or an administrator.";
  for (const owner of [other, admin]) {
    const phone = await addPhone(db, { sellerId: owner.id });
    for (const [kind, id] of [["listing", phone.id] as const, ["seller", owner.id] as const]) {
      const found = await findCase(db, moderator, kind, id);
      assert.deepEqual([found?.choices, found?.limit], [[], text]);
      assert.deepEqual(await decide(db, moderator, kind, id, warn, null), {
        refusal: "not allowed",
        message: text,
      });
    }
    assert.equal((await findCase(db, boss, "listing", phone.id))?.limit, null);
  }
  assert.equal(await db.$count(decisions), 0);
  // Administrators decide about moderators, but suspend them only once they have lost the role.
  assert.deepEqual((await findCase(db, admin, "seller", other.id))?.choices, ["warn"]);
  await changeModerator(db, admin, other.id, "withdrawal");
  assert.deepEqual((await findCase(db, admin, "seller", other.id))?.choices, ["warn", "suspend"]);
};

/** All that staff reads about reports, decisions and signals, as one text. */
async function readAll(db: Db, viewer: Awaited<ReturnType<typeof addAccount>>, reporterId: string) {
  const [queues, work, tables, people] = await Promise.all([
    Promise.all(
      [listReported, listHeld, listAppealed, listSignals, listDecided].map((list) => list(db, viewer, null)),
    ),
    Promise.all([listWork(db, viewer), countWork(db, viewer)]),
    Promise.all([listContentReports(db, viewer, null), findRecords(db, viewer, "zebra", [])]),
    Promise.all(
      [viewer.id, reporterId].flatMap((id) => [
        findUserDetails(db, viewer, id),
        listTimeline(db, viewer, id),
      ]),
    ),
  ]);
  const csv: string[] = [];
  for await (const lines of exportTable(db, viewer, "content-reports", new URLSearchParams()))
    csv.push(lines);
  return JSON.stringify([queues, work, tables, people, csv]);
}

export const staffSeesNothingOfItsOwnCases = async (db: Db) => {
  const [admin, owner] = [await adminOf(db), await adminOf(db)];
  const reporter = await addAccount(db);
  const phone = await addPhone(db, { sellerId: owner.id });
  const fraud = { reason: "stolen", details: "A zebra told me." } as const;
  await db.insert(signals).values({
    targetKind: "listing",
    targetId: phone.id,
    ownerId: owner.id,
    found: [{ kind: "low price", figure: 60 }],
  });
  for (const [kind, id] of [["listing", phone.id] as const, ["seller", owner.id] as const]) {
    await reportContent(db, reporter, kind, id, fraud);
    const path = `/manage/moderation/${kind}/${id}`;
    assert.equal(await findCase(db, owner, kind, id), null);
    assert.equal(
      (await decide(db, owner, kind, id, { ...warn, decision: "dismiss" }, null)).refusal,
      "not found",
    );
    assert.deepEqual([await findClaim(db, owner, path), await takeCase(db, owner, path)], [null, "not open"]);
    assert.equal((await findCase(db, admin, kind, id))?.reports[0]?.details, fraud.details);
  }
  assert.match(await readAll(db, admin, reporter.id), /zebra/);
  assert.doesNotMatch(await readAll(db, owner, reporter.id), /zebra|counterfeit/);
  assert.deepEqual([(await countWork(db, owner)).reports, (await countWork(db, admin)).reports], [0, 2]);

  await alertModerators(db);
  await notifyOfWork(db);
  assert.deepEqual(await kindsOf(db, owner.id), []);
  assert.deepEqual(await kindsOf(db, admin.id), ["cases waiting", "urgent case", "urgent case"]);

  await hideListing(db, owner, phone.id, "Spam.", "key");
  assert.equal(await db.$count(decisions), 0);
  // The report stays out of sight once it has been decided and the listing is gone.
  await decide(db, admin, "listing", phone.id, { ...warn, decision: "hide" }, null);
  await db.delete(phones).where(eq(phones.id, phone.id));
  assert.match(await readAll(db, admin, reporter.id), /Stay polite.*zebra/);
  assert.equal(await findCase(db, owner, "listing", phone.id), null);
  assert.doesNotMatch(await readAll(db, owner, reporter.id), /zebra|Stay polite/);
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

export const aNewDecisionAnswersTheAppealAgainstTheOneItReplaces = async (db: Db) => {
  const [moderator, colleague] = [await moderatorOf(db), await moderatorOf(db)];
  const seller = await addAccount(db, { userType: "Seller" });
  const { id: first = "" } = await decide(db, moderator, "seller", seller.id, suspend("7"), null);
  assert.equal(await appealDecision(db, seller, first, "It wasn’t me."), true);
  const appealsOf = async (who: Viewer) => (await listAppealed(db, who, null)).rows.length;
  assert.deepEqual([await appealsOf(moderator), await appealsOf(colleague)], [0, 1]);

  // Who decided neither upholds nor replaces it, but can reverse it.
  const longer = { ...suspend("30"), lastDecisionId: first };
  const own = await decide(db, moderator, "seller", seller.id, longer, null);
  assert.match(own.refusal === "not allowed" ? own.message : "", /A colleague answers this appeal/);
  assert.deepEqual((await findCase(db, moderator, "seller", seller.id))?.choices, ["reverse", "warn"]);

  const { id: second = "" } = await decide(db, colleague, "seller", seller.id, longer, null);
  assert.equal(await appealsOf(colleague), 0);
  assert.deepEqual((await findCase(db, moderator, "seller", seller.id))?.choices, [
    "reverse",
    "warn",
    "suspend",
  ]);
  const ruling = async () => (await findOwnDecision(db, seller, first))?.ruling;
  assert.deepEqual([(await ruling())?.kind, (await ruling())?.id], ["suspend", second]);
  const [told] = (await listNotifications(db, seller, null)).rows;
  assert.equal(told?.text, "Your account is suspended for 30 days. That’s our answer to your appeal.");

  // An Undo opens the appeal again. That the new one is over, or replaced, does not.
  assert.equal((await undoWithoutLimits(db, colleague, second)).result, "undone");
  assert.deepEqual([await appealsOf(colleague), await ruling()], [1, null]);
  const again = await decide(
    db,
    colleague,
    "seller",
    seller.id,
    { ...suspend("14"), lastDecisionId: second },
    null,
  );
  await endSuspensions(db, new Date(Date.now() + 15 * dayMs));
  assert.deepEqual([await appealsOf(colleague), (await ruling())?.id], [0, again.id]);
};

export const anAppealGoesToWhoCanReverseTheDecision = async (db: Db) => {
  const [admin, moderator] = [await adminOf(db), await moderatorOf(db)];
  const seller = await addAccount(db, { userType: "Seller" });
  const { id = "" } = await decide(db, admin, "seller", seller.id, suspend("permanent"), null);
  assert.equal(await appealDecision(db, seller, id, "It wasn’t me."), true);
  const appealsOf = async (who: Viewer) => (await listAppealed(db, who, null)).rows.length;
  const workOf = async (who: Viewer) => (await countWork(db, who)).appeals;
  const uphold = (by: Viewer) =>
    decide(db, by, "seller", seller.id, { ...suspend("7"), decision: "uphold" }, null);
  assert.deepEqual([await appealsOf(admin), await appealsOf(moderator)], [1, 0]);
  assert.deepEqual([await workOf(admin), await workOf(moderator)], [1, 0]);
  assert.equal((await uphold(moderator)).refusal, "not allowed");
  assert.deepEqual((await findCase(db, moderator, "seller", seller.id))?.choices, ["warn"]);
  // With a second administrator, it is for that one.
  const other = await adminOf(db);
  assert.deepEqual([await appealsOf(admin), await appealsOf(other)], [0, 1]);
  await removeUser(db, admin, other.id);
  assert.ok((await uphold(admin)).id);
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
  const found = async (q: string, who: typeof admin) =>
    (await listContentReports(db, who, null, { filters: { q } })).rows.length;
  assert.deepEqual([await found("secret-r", admin), await found("secret-r", moderator)], [1, 0]);
  assert.equal(await found("rae", moderator), 1);
};

export const theLogForgetsAFormerModerator = async (db: Db) => {
  const [admin, buyer] = [await adminOf(db), await addAccount(db)];
  const moderator = await addAccount(db, { email: "gone@example.com" });
  await changeModerator(db, admin, moderator.id, "appointment");
  await decide(db, await accountOf(db, moderator.id), "seller", buyer.id, warn, null);
  await changeModerator(db, admin, moderator.id, "withdrawal");
  await removeUser(db, admin, moderator.id);
  await purgeRemovals(db, new Date(Date.now() + 40 * 86_400_000));
  const log = JSON.stringify((await listActivity(db, system, null)).rows);
  assert.match(log, /warned user/);
  assert.doesNotMatch(log, /gone@example/);
};
