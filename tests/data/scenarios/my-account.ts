import assert from "node:assert/strict";
import { and, eq, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { oneTimeTokens, sessions, users } from "#app/db/schema.ts";
import { authenticate, changePassword, checkPassword } from "#app/features/accounts/passwords.server.ts";
import {
  closeOtherSessions,
  closeOwnSession,
  findViewer,
  isHashOf,
  listSessions,
  openSession,
} from "#app/features/accounts/sessions.server.ts";
import { catalogRevision } from "#app/features/catalog/feed.server.ts";
import { findPublishedListing } from "#app/features/listings/listings.server.ts";
import { listOrders } from "#app/features/orders/orders.server.ts";
import { changeName, findProfile } from "#app/features/profile/profile.server.ts";
import { dayMs } from "#app/time.ts";
import { bookWithoutLimits } from "../../harness/bookings.ts";
import { addAccount, addPhone, beginRecovery, password } from "../../harness/fixtures.ts";

const details = { address: "1 Harbour Street", phone: "12345" };
const open = (db: Db, account: Parameters<typeof openSession>[1], device?: string) =>
  openSession(db, account, { seconds: 60, device });

export const renamesAnAccount = async (db: Db) => {
  const [seller, buyer] = [
    await addAccount(db, { name: "Old", userType: "Seller" }),
    await addAccount(db, { name: "Before" }),
  ];
  const phone = await addPhone(db, { sellerId: seller.id });
  await bookWithoutLimits(db, buyer, phone.id, details);
  const before = await catalogRevision(db);
  await changeName(db, seller, "New");
  await changeName(db, buyer, "After");
  assert.equal((await findPublishedListing(db, phone.id))?.sellerName, "New");
  assert.notEqual(await catalogRevision(db), before);
  assert.equal((await listOrders(db, buyer, null)).rows[0]?.buyerName, "Before");
  const gone = await addAccount(db, { name: "Gone", removalId: "some removal" });
  await changeName(db, gone, "Back");
  const [row] = await db.select().from(users).where(eq(users.id, gone.id));
  assert.equal(row?.name, "Gone");
};

export const readsAProfile = async (db: Db) => {
  const one = await addAccount(db);
  const other = await addAccount(db, { passwordHash: null, emailVerifiedAt: new Date() });
  const buyerRecord = { completed: 0, cancelled: 0, notPaid: 0 };
  const both = { shopText: null, returnDays: 0, inProductFeed: true, buyerRecord };
  assert.deepEqual(await findProfile(db, one), { ...both, addressVerified: false, hasPassword: true });
  assert.deepEqual(await findProfile(db, other), { ...both, addressVerified: true, hasPassword: false });
};

export const checksAPassword = async (db: Db) => {
  const account = await addAccount(db);
  const [removed, without] = [
    await addAccount(db, { removalId: "some removal" }),
    await addAccount(db, { passwordHash: null }),
  ];
  assert.equal(await checkPassword(db, account, password), account.passwordHash);
  assert.equal(await checkPassword(db, account, "Secret1"), null);
  assert.equal(await checkPassword(db, removed, password), null);
  assert.equal(await checkPassword(db, without, password), null);
};

export const changesAPasswordAndEndsOtherSessions = async (db: Db) => {
  const account = await addAccount(db);
  const bystander = await addAccount(db);
  const currentHash = account.passwordHash ?? "";
  const [own, other, foreign] = [await open(db, account), await open(db, account), await open(db, bystander)];
  assert.ok(await beginRecovery(db, account.email));
  assert.ok(await beginRecovery(db, bystander.email));
  const before = await db.select().from(sessions).where(eq(sessions.id, own));
  const next = await changePassword(db, account, { sessionId: own, currentHash, password: "another1" });
  assert.ok(next);
  assert.equal(await findViewer(db, own), null);
  assert.equal(await findViewer(db, other), null);
  assert.equal((await findViewer(db, next))?.id, account.id);
  assert.equal((await findViewer(db, foreign))?.id, bystander.id);
  const [after] = await db.select().from(sessions).where(eq(sessions.id, next));
  assert.deepEqual(after, { ...before[0], id: next });
  assert.deepEqual(
    (await db.select().from(oneTimeTokens)).map(({ userId }) => userId),
    [bystander.id],
  );
  assert.deepEqual(await authenticate(db, { email: account.email, password }), { refusal: "wrong" });
  const { viewer } = await authenticate(db, { email: account.email, password: "another1" });
  assert.equal(viewer?.id, account.id);
};

export const changesAPasswordOnceForConcurrentRequests = async (db: Db) => {
  const account = await addAccount(db);
  const ids = [await open(db, account), await open(db, account), await open(db, account)];
  const currentHash = account.passwordHash ?? "";
  const outcomes = await Promise.all(
    ids.map((sessionId, index) =>
      changePassword(db, account, { sessionId, currentHash, password: `another${index}` }),
    ),
  );
  assert.equal(outcomes.filter(Boolean).length, 1);
  const left = await db.select({ id: sessions.id }).from(sessions);
  assert.deepEqual(left, [{ id: outcomes.find(Boolean) }]);
};

export const changesAPasswordInALiveSessionOnly = async (db: Db) => {
  const [account, stranger] = [await addAccount(db), await addAccount(db)];
  const currentHash = account.passwordHash ?? "";
  const own = await open(db, account);
  const foreign = await open(db, stranger);
  for (const sessionId of ["ended", foreign]) {
    assert.equal(await changePassword(db, account, { sessionId, currentHash, password: "another1" }), null);
  }
  const late = { sessionId: own, currentHash: "of another time", password: "another1" };
  assert.equal(await changePassword(db, account, late), null);
  const [row] = await db.select().from(users).where(eq(users.id, account.id));
  assert.equal(row?.passwordHash, currentHash);
  assert.equal((await findViewer(db, own))?.id, account.id);
  assert.equal((await findViewer(db, foreign))?.id, stranger.id);
};

export const listsOpenSessionsWithoutTheirIds = async (db: Db) => {
  const [account, stranger] = [await addAccount(db), await addAccount(db)];
  const current = await open(db, account, "Chrome on Linux");
  const other = await open(db, account, "Safari on iOS");
  const ended = await open(db, account);
  await open(db, stranger);
  const ago = (days: number) => new Date(Date.now() - days * dayMs);
  await db
    .update(sessions)
    .set({ expiresAt: ago(1) })
    .where(eq(sessions.id, ended));
  // Rows from before the column use their creation date.
  await db
    .update(sessions)
    .set({ createdAt: ago(2), lastSeenAt: new Date(0) })
    .where(eq(sessions.id, current));
  const { sessions: listed, count } = await listSessions(db, account, current);
  assert.equal(count, 2);
  assert.deepEqual(
    listed.map(({ device, isCurrent }) => [device, isCurrent]),
    [
      ["Chrome on Linux", true],
      ["Safari on iOS", false],
    ],
  );
  assert.deepEqual(listed[0]?.lastSeen, listed[0]?.since);
  const json = JSON.stringify(listed);
  for (const id of [current, other, ended]) assert.ok(!json.includes(id));
  assert.equal(await isHashOf(listed[0]?.idHash ?? "", current), true);
  assert.equal(await isHashOf(listed[1]?.idHash ?? "", current), false);
};

export const limitsTheListOfSessions = async (db: Db) => {
  const account = await addAccount(db);
  const { id } = account;
  const first = await open(db, account);
  await db.run(sql`insert into sessions (id, user_id, created_at, expires_at, last_seen_at)
    with recursive n (i) as (select 1 union all select i + 1 from n where i < 150)
    select 'session' || i, ${id}, ${Date.now() + 1000}, ${Date.now() + 60_000}, ${Date.now() + 1000} from n`);
  const { sessions: listed, count } = await listSessions(db, { id } as never, first);
  assert.deepEqual([listed.length, count, listed[0]?.isCurrent], [100, 151, true]);
};

export const endsOwnSessionsOnly = async (db: Db) => {
  const [account, stranger] = [await addAccount(db), await addAccount(db)];
  const [own, other, foreign] = [await open(db, account), await open(db, account), await open(db, stranger)];
  const idHashOf = async (id: string, whose: typeof account) => {
    const found = (await listSessions(db, whose, id)).sessions.find(({ isCurrent }) => isCurrent);
    return found?.idHash ?? "";
  };
  assert.equal(await closeOwnSession(db, account, await idHashOf(foreign, stranger)), false);
  // The id itself is not its hash.
  assert.equal(await closeOwnSession(db, account, other), false);
  assert.equal(await closeOwnSession(db, account, ""), false);
  assert.equal((await findViewer(db, foreign))?.id, stranger.id);
  const idHash = await idHashOf(other, account);
  assert.equal(await closeOwnSession(db, account, idHash), true);
  assert.equal(await closeOwnSession(db, account, idHash), false);
  assert.equal(await findViewer(db, other), null);

  await open(db, account);
  await closeOtherSessions(db, account, own);
  assert.equal((await findViewer(db, own))?.id, account.id);
  assert.equal((await findViewer(db, foreign))?.id, stranger.id);
  assert.equal(await db.$count(sessions, and(eq(sessions.userId, account.id))), 1);
};
