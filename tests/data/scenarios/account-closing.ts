import assert from "node:assert/strict";
import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import {
  oneTimeTokens,
  orderSteps,
  orders,
  passkeys,
  phones,
  sessions,
  tickets,
  users,
} from "#app/db/schema.ts";
import { findAccount } from "#app/features/accounts/accounts.server.ts";
import { findOrCreateGoogleAccount } from "#app/features/accounts/google.server.ts";
import { authenticate } from "#app/features/accounts/passwords.server.ts";
import { findViewer, openSession } from "#app/features/accounts/sessions.server.ts";
import { createAccount } from "#app/features/accounts/sign-up.server.ts";
import { listUsers } from "#app/features/administration/users.server.ts";
import { removeListing } from "#app/features/listings/listing-removal.server.ts";
import { findPublishedListing } from "#app/features/listings/listings.server.ts";
import { findRecentSale } from "#app/features/order-problems/order-problems.server.ts";
import { cancelOrder } from "#app/features/orders/order-steps.server.ts";
import { closeAccount, disownAccount, isClosed } from "#app/features/profile/account-closing.server.ts";
import { dayMs } from "#app/time.ts";
import { bookWithoutLimits, undoWithoutLimits } from "../../harness/bookings.ts";
import {
  addAccount,
  addPhone,
  addReceivedOrder,
  beginRecovery,
  beginVerification,
  password,
  removeUser,
} from "../../harness/fixtures.ts";
import { publish } from "../../harness/publish.ts";

const details = { address: "1 Harbour Street", phone: "12345" };
type Account = Awaited<ReturnType<typeof addAccount>>;
const close = (db: Db, account: Account) =>
  closeAccount(db, account, { passwordHash: account.passwordHash ?? "" });
const orderOf = async (db: Db, outcome: Awaited<ReturnType<typeof bookWithoutLimits>>) => {
  assert.ok("orderId" in outcome && outcome.orderId);
  const [order] = await db.select().from(orders).where(eq(orders.id, outcome.orderId));
  assert.ok(order);
  return order;
};

export const deletesAllPersonalData = async (db: Db) => {
  const account = await addAccount(db, {
    name: "Nils Holm",
    email: "Nils@Example.com",
    userType: "Seller",
    verified: true,
    googleSubject: "100",
    emailVerifiedAt: new Date(),
  });
  const buyer = await addAccount(db);
  const session = await openSession(db, account, { seconds: 60 });
  const key = { publicKey: "key", counter: 0, transports: [], backedUp: true, name: "Phone" };
  await db.insert(passkeys).values([
    { ...key, id: "one", userId: account.id },
    { ...key, id: "other", userId: buyer.id },
  ]);
  await beginRecovery(db, account.email);
  await db.insert(tickets).values([
    { name: "Nils", email: "nils@example.com", details: "first" },
    { name: "Other", email: "other@example.com", details: "second" },
  ]);
  const [free, deleted, sold] = [
    await addPhone(db, { sellerId: account.id }),
    await addPhone(db, { sellerId: account.id }),
    await addPhone(db, { sellerId: account.id, status: "sold" }),
  ];
  assert.ok((await removeListing(db, account, deleted.id)).removalId);
  const foreign = await addPhone(db);
  const order = await orderOf(db, await bookWithoutLimits(db, account, foreign.id, details));
  const cancellation = (await cancelOrder(db, account, order.id)).removalId;
  const lost = await orderOf(db, await bookWithoutLimits(db, buyer, free.id, details));
  const undone = (await cancelOrder(db, buyer, lost.id)).removalId;

  assert.equal(await close(db, account), "closed");
  const [row] = await db.select().from(users).where(eq(users.id, account.id));
  assert.ok(row?.removalId);
  assert.deepEqual(row, {
    id: account.id,
    name: "Former member",
    email: "",
    passwordHash: null,
    googleSubject: null,
    userType: "Seller",
    verified: false,
    emailVerifiedAt: account.emailVerifiedAt,
    createdAt: account.createdAt,
    removalId: row.removalId,
    suspendedUntil: null,
    returnDays: 0,
    inProductFeed: true,
    moderatorSince: null,
    sessionVersion: 0,
    lastSeenDay: null,
    termsVersionId: null,
    privacyVersionId: null,
    shopText: null,
    suspensionId: null,
  });
  assert.equal(await findViewer(db, session), null);
  assert.equal(await db.$count(sessions), 0);
  assert.deepEqual(
    (await db.select().from(passkeys)).map(({ userId }) => userId),
    [buyer.id],
  );
  assert.equal(await db.$count(oneTimeTokens), 0);
  assert.deepEqual(
    (await db.select().from(phones)).map(({ id }) => id).toSorted(),
    [sold.id, foreign.id].toSorted(),
  );
  assert.deepEqual(
    (await db.select().from(tickets)).map(({ name, email, details: said }) => [name, email, said]),
    [
      ["Former member", "", "first"],
      ["Other", "other@example.com", "second"],
    ],
  );
  const [kept] = await db.select().from(orders).where(eq(orders.id, order.id));
  assert.deepEqual(
    [kept?.buyerName, kept?.buyerAddress, kept?.email, kept?.phoneNumber],
    ["Former member", "", "", ""],
  );
  assert.equal((await undoWithoutLimits(db, account, cancellation ?? "")).result, "impossible");
  assert.equal((await undoWithoutLimits(db, buyer, undone ?? "")).result, "impossible");
  assert.equal((await undoWithoutLimits(db, account, row.removalId)).result, "too late");
  // The same form submitted twice at once gets the same response.
  assert.deepEqual([await isClosed(db, account), await isClosed(db, buyer)], [true, false]);
  assert.equal(await close(db, account), "not proven");
  assert.ok(!(await listUsers(db, null)).rows.some(({ id }) => id === account.id));
};

export const releasesTheEmailAtOnce = async (db: Db) => {
  const mia = { sub: "100", email: "mia@example.com", email_verified: true, name: "Mia" };
  const account = await addAccount(db, { email: mia.email, googleSubject: mia.sub });
  const again = { name: "Mia", email: "MIA@example.com", password: "another1", userType: "Seller" as const };
  assert.equal(await createAccount(db, again), null);
  assert.equal(await close(db, account), "closed");
  // The account is unknown, not disabled, both here and with Google.
  assert.deepEqual(await authenticate(db, { email: mia.email, password }), { refusal: "wrong" });
  const entered = await findOrCreateGoogleAccount(db, mia);
  assert.ok("viewer" in entered && entered.viewer.id !== account.id);
  assert.equal(await close(db, await rowOf(db, mia.email)), "not proven");

  const [other] = [await addAccount(db, { email: "other@example.com" })];
  assert.equal(await close(db, other), "closed");
  assert.ok(await createAccount(db, { ...again, email: "OTHER@example.com" }));
};

async function rowOf(db: Db, email: string): Promise<Account> {
  const [row] = await db.select().from(users).where(eq(users.email, email));
  assert.ok(row);
  return row;
}

export const refusesWithAReason = async (db: Db) => {
  const [seller, buyer] = [await addAccount(db, { userType: "Seller" }), await addAccount(db)];
  const session = await openSession(db, seller, { seconds: 60 });
  const phone = await addPhone(db, { sellerId: seller.id });
  const order = await orderOf(db, await bookWithoutLimits(db, buyer, phone.id, details));
  await db.insert(tickets).values({ name: "S", email: seller.email, details: "d" });
  await db.update(users).set({ emailVerifiedAt: new Date() });
  assert.equal(await close(db, seller), "phone reserved");
  assert.equal(await close(db, buyer), "order open");
  const wrong = { ...seller, passwordHash: "of another time" };
  await cancelOrder(db, buyer, order.id);
  assert.equal(await close(db, wrong), "not proven");
  assert.equal((await findAccount(db, seller.email))?.name, seller.name);
  assert.equal((await findViewer(db, session))?.id, seller.id);
  assert.ok(await findPublishedListing(db, phone.id));
  assert.equal((await db.select().from(tickets))[0]?.email, seller.email);
  assert.equal(await close(db, seller), "closed");
  assert.equal(await close(db, buyer), "closed");
};

export const sellersStayForThirtyDaysAfterTheirLastSale = async (db: Db) => {
  const [seller, buyer] = [await addAccount(db, { userType: "Seller" }), await addAccount(db)];
  const orderId = await addReceivedOrder(db, buyer, seller);
  const receivedAgo = (days: number) =>
    db.update(orderSteps).set({ createdAt: new Date(Date.now() - days * dayMs) });
  await receivedAgo(29.9);
  assert.equal(await close(db, seller), "sale recent");
  const sale = await findRecentSale(db, seller);
  assert.equal(sale?.id, orderId);
  assert.equal(Math.round((((sale?.until.getTime() ?? 0) - Date.now()) / dayMs) * 10), 1);
  await receivedAgo(30.1);
  assert.equal(await findRecentSale(db, seller), undefined);
  assert.equal(await close(db, seller), "closed");
};

export const keepsReportsOfAnUnverifiedEmail = async (db: Db) => {
  const account = await addAccount(db);
  await db.insert(tickets).values({ name: "Somebody", email: account.email, details: "d" });
  assert.equal(await close(db, account), "closed");
  assert.equal((await db.select().from(tickets))[0]?.name, "Somebody");
};

export const requiresARecentLoginWithoutPassword = async (db: Db) => {
  const account = await addAccount(db, { passwordHash: null });
  const [withPassword, stranger] = [await addAccount(db), await addAccount(db)];
  const [old, fresh, foreign, own] = [
    await openSession(db, account, { seconds: 60 }),
    await openSession(db, account, { seconds: 60 }),
    await openSession(db, stranger, { seconds: 60 }),
    await openSession(db, withPassword, { seconds: 60 }),
  ];
  const elevenMinutesAgo = new Date(Date.now() - 11 * 60_000);
  await db.update(sessions).set({ createdAt: elevenMinutesAgo }).where(eq(sessions.id, old));
  assert.equal(await closeAccount(db, account, { sessionId: old }), "not proven");
  assert.equal(await closeAccount(db, account, { sessionId: foreign }), "not proven");
  assert.equal(await closeAccount(db, withPassword, { sessionId: own }), "not proven");
  assert.equal(await closeAccount(db, account, { sessionId: fresh }), "closed");
};

export const refusesToCloseTheLastAdministrator = async (db: Db) => {
  const [one, other] = [
    await addAccount(db, { userType: "Admin" }),
    await addAccount(db, { userType: "Admin" }),
  ];
  const outcomes = await Promise.all([close(db, one), close(db, other)]);
  assert.deepEqual(outcomes.toSorted(), ["closed", "last administrator"]);
  const [third, left] = [await addAccount(db, { userType: "Admin" }), outcomes[0] === "closed" ? other : one];
  // Nor when they remove and close each other at once.
  const [removal, outcome] = await Promise.all([removeUser(db, left, third.id), close(db, left)]);
  assert.ok((removal === null) !== (outcome !== "closed"));
  const admins = (await listUsers(db, null)).rows.filter(({ userType }) => userType === "Admin");
  assert.equal(admins.length, 1);
};

export const letsEitherClosingOrBookingWin = async (db: Db) => {
  for (let round = 0; round < 6; round += 1) {
    const [seller, buyer] = [await addAccount(db, { userType: "Seller" }), await addAccount(db)];
    const phone = await addPhone(db, { sellerId: seller.id });
    const book = () => bookWithoutLimits(db, buyer, phone.id, details);
    const leave = () => close(db, round % 2 ? seller : buyer);
    // The first request usually wins, so the order alternates.
    const [booked, closed] =
      round < 3 ? await Promise.all([book(), leave()]) : (await Promise.all([leave(), book()])).toReversed();
    const isBooked = typeof booked === "object" && "orderId" in booked;
    assert.equal(isBooked, closed !== "closed", JSON.stringify([booked, closed]));
    assert.equal(await db.$count(orders, eq(orders.phoneId, phone.id)), isBooked ? 1 : 0);
  }
};

export const ignoresRequestsOfAClosedAccount = async (db: Db) => {
  // Requests that passed the guard before the account was closed.
  const [buyer, seller] = [await addAccount(db), await addAccount(db, { userType: "Seller" })];
  const phone = await addPhone(db);
  assert.equal(await close(db, buyer), "closed");
  assert.ok(!("orderId" in (await bookWithoutLimits(db, buyer, phone.id, details))));
  assert.equal(await db.$count(orders), 0);
  assert.equal((await findPublishedListing(db, phone.id))?.status, "available");
  assert.equal(await close(db, seller), "closed");
  const { id, sellerId, marketCents, sellingCents, ...facts } = phone;
  const form = { ...facts, marketPrice: marketCents, sellingPrice: sellingCents } as never;
  assert.equal(await findPublishedListing(db, await publish(db, seller, form, null)), null);
  assert.equal(await findPublishedListing(db, await publish(db, seller, form, crypto.randomUUID())), null);
};

export const removesAnUnverifiedAccountThatTheAddressDenies = async (db: Db) => {
  const stranger = await addAccount(db, { userType: "Seller" });
  const sessionId = await openSession(db, stranger, { seconds: 60 });
  const started = await beginVerification(db, stranger);
  assert.ok(started);
  assert.equal(await disownAccount(db, "another token"), "invalid");
  const outcomes = await Promise.all([1, 2].map(() => disownAccount(db, started.token)));
  assert.deepEqual(outcomes.toSorted(), ["closed", "invalid"]);
  assert.equal(await findViewer(db, sessionId), null);
  assert.equal(await findAccount(db, stranger.email), null);
};

export const locksADeniedAccountWithAnOpenOrder = async (db: Db) => {
  const stranger = await addAccount(db);
  const sessionId = await openSession(db, stranger, { seconds: 60 });
  const phone = await addPhone(db);
  await orderOf(db, await bookWithoutLimits(db, stranger, phone.id, details));
  const started = await beginVerification(db, stranger);
  assert.ok(started);
  assert.equal(await disownAccount(db, started.token), "locked");
  assert.equal(await findViewer(db, sessionId), null);
  assert.deepEqual(await authenticate(db, { email: stranger.email, password }), { refusal: "wrong" });
  assert.equal((await findAccount(db, stranger.email))?.id, stranger.id);
  assert.equal(await disownAccount(db, started.token), "invalid");
};

export const leavesAVerifiedAccountAsItIs = async (db: Db) => {
  const owner = await addAccount(db);
  const started = await beginVerification(db, owner);
  assert.ok(started);
  await db.update(users).set({ emailVerifiedAt: new Date() }).where(eq(users.id, owner.id));
  assert.equal(await disownAccount(db, started.token), "invalid");
  assert.equal((await findAccount(db, owner.email))?.id, owner.id);
};

export const suspendedAccountsStayAndKeepTheirAddress = async (db: Db) => {
  const hour = 3_600_000;
  for (const suspendedUntil of [null, new Date(Date.now() + hour)]) {
    const account = await addAccount(db);
    const suspend = (until: Date | null) =>
      db.update(users).set({ suspensionId: "one", suspendedUntil: until }).where(eq(users.id, account.id));
    const signUp = () =>
      createAccount(db, { name: "Nils", email: account.email.toUpperCase(), password, userType: "Buyer" });
    await suspend(suspendedUntil);
    assert.equal(await close(db, account), "suspended");
    const started = await beginVerification(db, account);
    assert.ok(started);
    assert.equal(await disownAccount(db, started.token), "locked");
    // An administrator can delete it, which does not free the address either.
    assert.ok(await removeUser(db, await addAccount(db, { userType: "Admin" }), account.id));
    assert.equal(await signUp(), null);
    await suspend(new Date(Date.now() - hour));
    assert.ok(await signUp());
  }
  const account = await addAccount(db);
  const over = { suspensionId: "two", suspendedUntil: new Date(Date.now() - hour) };
  await db.update(users).set(over).where(eq(users.id, account.id));
  assert.equal(await close(db, account), "closed");
};
