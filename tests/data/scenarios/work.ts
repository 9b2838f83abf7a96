import assert from "node:assert/strict";
import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import {
  activity,
  contentReports,
  decisions,
  notifications,
  orders,
  phones,
  signals,
  tickets,
  users,
  workClaims,
} from "#app/db/schema.ts";
import { activityTargetText } from "#app/features/administration/activity-texts.ts";
import { changeModerator, verifySeller } from "#app/features/administration/user-actions.server.ts";
import {
  countWork,
  findClaim,
  giveBackCase,
  listWork,
  notifyOfWork,
  takeCase,
} from "#app/features/administration/work.server.ts";
import { decide } from "#app/features/moderation/decisions/decide.server.ts";
import { appealDecision } from "#app/features/moderation/decisions/own-decisions.server.ts";
import { reportContent } from "#app/features/moderation/reports/content-reports.server.ts";
import { subjectText } from "#app/features/notifications/notification-subjects.server.ts";
import { closeAccount } from "#app/features/profile/account-closing.server.ts";
import { changeTicketState, createTicket } from "#app/features/support-tickets/tickets.server.ts";
import { dayMs } from "#app/time.ts";
import { addAccount, addPhone, addProblem } from "../../harness/fixtures.ts";

type Account = Awaited<ReturnType<typeof addAccount>>;

const admin = (db: Db) => addAccount(db, { userType: "Admin" });
const moderator = (db: Db, name = "Dana Wirth") => addAccount(db, { name, moderatorSince: new Date() });
const spam = { reason: "duplicate", details: "" } as const;

/** A listing of a verified seller that somebody has reported. */
async function reportedListing(db: Db) {
  const owner = await addAccount(db, { userType: "Seller", verified: true });
  const phone = await addPhone(db, { sellerId: owner.id, brandName: "Nokia", model: "G22" });
  await reportContent(db, await addAccount(db), "listing", phone.id, spam);
  return { owner, phone, path: `/manage/moderation/listing/${phone.id}` };
}

const pathsFor = async (db: Db, viewer: Account) => (await listWork(db, viewer)).rows.map(({ path }) => path);

export const onlyThePathOfSomethingOpenIsTaken = async (db: Db) => {
  const dana = await moderator(db);
  const { path, phone } = await reportedListing(db);
  const others = ["x", "", "listing", "listing/", `listing/${phone.id}/x`, `seller/${phone.id}`];
  for (const other of others)
    assert.equal(await takeCase(db, dana, `/manage/moderation/${other}`), "not open", other);
  assert.equal(await db.$count(workClaims), 0);
  assert.equal(await takeCase(db, dana, path), "done");
};

export const workListsWhatIsOpenTheOldestFirst = async (db: Db) => {
  const [boss, dana] = [await admin(db), await moderator(db)];
  assert.deepEqual(
    [await countWork(db, boss), (await listWork(db, dana)).rows.length],
    [
      {
        reports: 0,
        appeals: 0,
        "first-listings": 0,
        signals: 0,
        "order-problems": 0,
        payments: 0,
        disputes: 0,
        differences: 0,
        tickets: 0,
        sellers: 0,
      },
      0,
    ],
  );
  const { phone, path, owner } = await reportedListing(db);
  await reportContent(db, await addAccount(db), "listing", phone.id, spam);
  const { problem } = await addProblem(db, {
    seller: await addAccount(db, { userType: "Seller", verified: true }),
    isAsked: true,
  });
  const warning = await decide(
    db,
    await admin(db),
    "seller",
    owner.id,
    { decision: "warn", reason: "Be kind.", days: "7" },
    null,
  );
  await appealDecision(db, owner, warning.id ?? "", "I was.");
  const seller = await addAccount(db, { userType: "Seller", name: "Mia Sund" });
  await addPhone(db, { sellerId: seller.id });
  // Sells nothing.
  await addAccount(db, { userType: "Seller" });
  const report = await createTicket(db, { name: "", email: "", details: "It broke." }, null);
  const held = await addPhone(db, { brandName: "Sony", model: "Xperia", sellerId: owner.id });
  const [hold] = await db
    .insert(decisions)
    .values({
      kind: "hold",
      targetKind: "listing",
      targetId: held.id,
      target: "Sony Xperia",
      ownerId: owner.id,
      reason: "",
    })
    .returning();
  await db
    .update(phones)
    .set({ hiddenById: hold?.id ?? "" })
    .where(eq(phones.id, held.id));
  const found = [{ kind: "same text", figure: 3 } as const];
  const doubted = await addPhone(db, { brandName: "Motorola", model: "G54", sellerId: owner.id });
  // The reported listing is in the reports already.
  for (const { id: targetId } of [doubted, phone])
    await db.insert(signals).values({ targetKind: "listing", targetId, ownerId: owner.id, found });
  const { id: problemId, orderId } = await problem();
  const [order] = await db.select().from(orders).where(eq(orders.id, orderId));
  const shown = (await listWork(db, boss)).rows;
  assert.deepEqual(
    shown.map(({ path, kindName, subject }) => `${path} ${kindName}: ${subject}`).toSorted(),
    [
      `${path} content report: Nokia G22`,
      `/manage/moderation/listing/${held.id} first listing: Sony Xperia`,
      `/manage/moderation/listing/${doubted.id} signal: Motorola G54`,
      `/manage/moderation/seller/${owner.id} appeal: ${owner.name}`,
      `/manage/problems/${problemId} order problem: ${order?.productName}`,
      `/manage/reports/${report} report: It broke.`,
      `/manage/users/${seller.id} seller to verify: Mia Sund`,
    ].toSorted(),
  );
  const times = shown.map(({ since }) => since.getTime());
  assert.deepEqual(times, times.toSorted());
  const moderators = { reports: 1, appeals: 1, "first-listings": 1, signals: 1, "order-problems": 1 };
  assert.deepEqual(await countWork(db, dana), moderators);
  assert.deepEqual(await countWork(db, boss), {
    ...moderators,
    payments: 0,
    disputes: 0,
    differences: 0,
    tickets: 1,
    sellers: 1,
  });
  assert.equal((await pathsFor(db, dana)).length, 5);
  assert.deepEqual(
    (await listWork(db, boss, { only: "sellers" })).rows.map(({ subject }) => subject),
    ["Mia Sund"],
  );
  assert.deepEqual((await listWork(db, dana, { only: "sellers" })).rows, []);
  assert.deepEqual(await countWork(db, owner), {});

  await decide(db, dana, "listing", phone.id, { decision: "dismiss", reason: "", days: "7" }, null);
  await changeTicketState(db, boss, report, "closed");
  await verifySeller(db, boss, seller.id);
  assert.equal((await pathsFor(db, boss)).length, 4);
};

export const whatIsUrgentOrOverdueComesFirst = async (db: Db) => {
  const boss = await admin(db);
  const { path: old } = await reportedListing(db);
  const { problem } = await addProblem(db, {
    seller: await addAccount(db, { userType: "Seller", verified: true }),
    isAsked: true,
  });
  const { owner, phone, path: urgent } = await reportedListing(db);
  await reportContent(db, await addAccount(db), "listing", phone.id, {
    reason: "stolen",
    details: "",
  });
  // One of them is about several accounts.
  const ofAccounts = await addAccount(db, { userType: "Seller", verified: true });
  await db.insert(signals).values({
    targetKind: "seller",
    targetId: ofAccounts.id,
    ownerId: ofAccounts.id,
    found: [
      { kind: "same message", figure: 3 },
      { kind: "many accounts", figure: 4 },
    ],
  });
  const signalled = `/manage/moderation/seller/${ofAccounts.id}`;
  const suspension = { decision: "suspend", reason: "Spam.", days: "7" } as const;
  const { id: decisionId = "" } = await decide(db, await admin(db), "seller", owner.id, suspension, null);
  await appealDecision(db, owner, decisionId, "I was hacked.");
  const [decision] = await db.select().from(decisions).where(eq(decisions.id, decisionId));
  const { id: problemId, deadlineAt } = await problem();
  const disputed = `/manage/problems/${problemId}`;
  const appealed = `/manage/moderation/seller/${owner.id}`;
  const workAt = async (now: Date) => {
    const { rows } = await listWork(db, boss, {}, now);
    return rows.map(({ path, isUrgent, urgency, due }) => [path, isUrgent && (urgency ?? true), due]);
  };
  assert.deepEqual(await workAt(new Date()), [
    [urgent, "Stolen or counterfeit", null],
    [signalled, "Several accounts", null],
    [old, false, null],
    [disputed, false, deadlineAt],
    [appealed, false, decision?.until],
  ]);
  // The order problem is overdue.
  assert.deepEqual(await workAt(deadlineAt ?? new Date()), [
    [disputed, true, deadlineAt],
    [urgent, "Stolen or counterfeit", null],
    [signalled, "Several accounts", null],
    [old, false, null],
    [appealed, false, decision?.until],
  ]);
};

export const workIsPagedBothWays = async (db: Db) => {
  const boss = await admin(db);
  // Several of one time.
  for (let index = 0; index < 60; index += 1) {
    await db
      .insert(tickets)
      .values({ name: "", email: "", details: `${index}`, createdAt: new Date(Math.floor(index / 7)) });
  }
  const seen: string[] = [];
  let cursor: { after: string } | null = null;
  let last = await listWork(db, boss);
  for (let page = last; ; page = await listWork(db, boss, { cursor })) {
    seen.push(...page.rows.map(({ path }) => path));
    last = page;
    if (!page.next) break;
    cursor = { after: page.next };
  }
  assert.deepEqual([seen.length, new Set(seen).size], [60, 60]);
  const before = await listWork(db, boss, { cursor: { before: last.previous ?? "" } });
  assert.deepEqual(
    before.rows.map(({ path }) => path),
    seen.slice(25, 50),
  );
  assert.equal((await countWork(db, boss, 50)).tickets, 50);
};

export const aCaseIsTakenByOneAtATime = async (db: Db) => {
  const [dana, eva] = [await moderator(db), await moderator(db, "Eva Kern")];
  const { phone, path } = await reportedListing(db);
  assert.deepEqual(await findClaim(db, dana, path), { path, claim: null });
  const outcomes = await Promise.all([takeCase(db, dana, path), takeCase(db, eva, path)]);
  assert.deepEqual(outcomes.toSorted(), ["done", "taken"]);
  const [taker, other] = outcomes[0] === "done" ? [dana, eva] : [eva, dana];
  assert.equal(await takeCase(db, taker, path), "done");
  const claim = { name: taker.name, ago: "less than a minute" };
  assert.deepEqual((await findClaim(db, taker, path))?.claim, { ...claim, isOwn: true });
  assert.deepEqual((await findClaim(db, other, path))?.claim, { ...claim, isOwn: false });
  const inAnHour = new Date(Date.now() + 3_600_000);
  assert.equal((await findClaim(db, other, path, inAnHour))?.claim?.ago, "1 hour");
  assert.equal((await listWork(db, other)).rows[0]?.claim?.name, taker.name);

  // Others cannot give it back, but decide.
  assert.equal(await giveBackCase(db, other, path), false);
  assert.equal(await giveBackCase(db, taker, path), true);
  assert.equal(await takeCase(db, other, path), "done");
  await decide(db, taker, "listing", phone.id, { decision: "dismiss", reason: "", days: "7" }, null);
  assert.equal(await findClaim(db, taker, path), null);
  assert.equal(await takeCase(db, taker, path), "not open");
  // What is reported later is new work.
  await reportContent(db, await addAccount(db), "listing", phone.id, spam);
  await db.update(contentReports).set({ createdAt: inAnHour }).where(eq(contentReports.reason, spam.reason));
  assert.equal((await findClaim(db, taker, path))?.claim, null);
  const log = await db.select().from(activity);
  assert.deepEqual(
    log
      .filter(({ action }) => action.endsWith("case"))
      .map((row) => `${row.action}: ${activityTargetText(row)}`),
    ["took case: content report", "gave back case: content report", "took case: content report"],
  );
};

export const aClaimEndsWithTheRole = async (db: Db) => {
  const [boss, dana, eva] = [await admin(db), await moderator(db), await moderator(db, "Eva Kern")];
  const { path } = await reportedListing(db);
  // Moderators don't answer support tickets.
  const report = `/manage/reports/${await createTicket(db, { name: "", email: "", details: "" }, null)}`;
  assert.deepEqual(
    [await takeCase(db, dana, report), await takeCase(db, boss, report)],
    ["not open", "done"],
  );
  assert.equal(await takeCase(db, dana, path), "done");
  assert.ok((await changeModerator(db, boss, dana.id, "withdrawal")).removalId);
  for (const viewer of [boss, eva]) assert.equal((await findClaim(db, viewer, path))?.claim, null);
  assert.deepEqual(
    (await listWork(db, eva)).rows.map(({ claim }) => claim),
    [null],
  );
  assert.equal(await takeCase(db, eva, path), "done");
  assert.equal(await closeAccount(db, eva, { passwordHash: eva.passwordHash ?? "" }), "closed");
  assert.deepEqual(
    (await db.select().from(workClaims)).map(({ userId }) => userId),
    [boss.id],
  );
  await notifyOfWork(db, new Date(Date.now() + 31 * dayMs));
  assert.equal(await db.$count(workClaims), 0);
};

export const everyoneIsToldOfTheirWorkOnceADay = async (db: Db) => {
  await admin(db);
  const dana = await moderator(db);
  await addAccount(db, { userType: "Admin", removalId: "removed" });
  await addAccount(db, { userType: "Seller" });
  const told = async () =>
    (
      await db
        .select({
          name: users.userType,
          subject: notifications.subject,
          details: notifications.details,
          path: notifications.path,
        })
        .from(notifications)
        .innerJoin(users, eq(users.id, notifications.userId))
        .where(eq(notifications.kind, "cases waiting"))
    )
      .map(({ name, subject, details, path }) => `${name}: ${subjectText(subject, details)} at ${path}`)
      .toSorted();
  await notifyOfWork(db);
  assert.deepEqual(await told(), []);
  const { phone } = await reportedListing(db);
  for (let count = 0; count < 2; count += 1) {
    await createTicket(db, { name: "", email: "", details: "It broke." }, null);
  }
  for (let times = 0; times < 2; times += 1) await notifyOfWork(db);
  const today = [
    "Admin: 1 content report, 2 reports at /manage/work",
    "Buyer: 1 content report at /manage/work",
  ];
  assert.deepEqual(await told(), today);
  await decide(db, dana, "listing", phone.id, { decision: "dismiss", reason: "", days: "7" }, null);
  await notifyOfWork(db, new Date(Date.now() + dayMs));
  assert.deepEqual(await told(), [
    "Admin: 1 content report, 2 reports at /manage/work",
    "Admin: 2 reports at /manage/work",
    "Buyer: 1 content report at /manage/work",
  ]);
};
