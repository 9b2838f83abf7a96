import assert from "node:assert/strict";
import { and, eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { firstIdAt } from "#app/db/conditions.server.ts";
import {
  decisions,
  notifications,
  orderSteps,
  orders,
  phones,
  removals,
  signals,
  signUpAddresses,
  users,
} from "#app/db/schema.ts";
import { recordingSignUpAddress } from "#app/features/accounts/sign-up.server.ts";
import type { Viewer } from "#app/features/accounts/viewer.ts";
import { findSeller } from "#app/features/catalog/seller.server.ts";
import { decide } from "#app/features/moderation/decisions/decide.server.ts";
import { endSuspensions } from "#app/features/moderation/decisions/decision-effects.server.ts";
import { searchSignals } from "#app/features/moderation/signals/signal-search.server.ts";
import { listNotifications } from "#app/features/notifications/notifications.server.ts";
import { openProblem } from "#app/features/order-problems/open-problem.server.ts";
import { findBookingTerms } from "#app/features/orders/booking.server.ts";
import { bookingRefusalText } from "#app/features/orders/booking-refusal.ts";
import { endOverdueOrders } from "#app/features/orders/order-deadlines.server.ts";
import { findOrder, handleOrderIntent } from "#app/features/orders/order-details.server.ts";
import { cancelOrder, handOver } from "#app/features/orders/order-steps.server.ts";
import { nextStepText, orderStatusText } from "#app/features/orders/order-texts.ts";
import { listOrders } from "#app/features/orders/orders.server.ts";
import { undoMs } from "#app/terms.ts";
import { dayMs } from "#app/time.ts";
import { bookWithoutLimits, noLimits, undoWithoutLimits } from "../../harness/bookings.ts";
import { addAccount, addPhone, editPhone } from "../../harness/fixtures.ts";

const details = { address: "1 Harbour Street", phone: "+46 70 123 45 67" };

const findBookingRefusal = async (db: Db, buyer: Viewer, phoneId: string, limits = noLimits) =>
  (await findBookingTerms(db, buyer, phoneId, limits)).refusal;

const ordersOf = async (db: Db, buyer: Viewer) => (await listOrders(db, buyer, null)).rows;

export const booksAPhoneOnce = async (db: Db) => {
  const buyer = await addAccount(db);
  const phone = await addPhone(db);
  const untouched = await addPhone(db);
  assert.ok("orderId" in (await bookWithoutLimits(db, buyer, phone.id, details)));
  assert.equal((await allBookings(db)).length, 1);
  assert.equal(await statusOf(db, phone.id), "reserved");
  assert.equal(await statusOf(db, untouched.id), "available");
};

export const readsEverythingButAddressAndPhoneFromTheDatabase = async (db: Db) => {
  const buyer = await addAccount(db, { name: "Ida Berg", email: "ida@example.com" });
  const phone = await addPhone(db, {
    brandName: "Nokia",
    model: "G22",
    ram: "4 GB",
    rom: "128 GB",
    sellingCents: 12_345,
  });
  await bookWithoutLimits(db, buyer, phone.id, details);
  const [booking] = await allBookings(db);
  assert.ok(booking);
  const { id: _, createdAt, deadlineAt, reminderAt, ...said } = booking;
  assert.deepEqual(said, {
    phoneId: phone.id,
    buyerId: buyer.id,
    productName: "Nokia G22",
    ram: "4 GB",
    rom: "128 GB",
    buyerName: "Ida Berg",
    buyerAddress: "1 Harbour Street",
    email: "ida@example.com",
    phoneNumber: "+46 70 123 45 67",
    priceCents: 12_345,
    status: "active",
    removalId: null,
    formKey: null,
    previousDeadlineAt: null,
    heldSince: null,
    soldById: phone.sellerId,
    parcelService: null,
    trackingNumber: null,
    stage: "reserved",
  });
  assert.ok(createdAt >= phone.createdAt && createdAt <= new Date());
  assert.ok(reminderAt && deadlineAt && reminderAt < deadlineAt);
};

export const booksOnceForRepeatedRequests = async (db: Db) => {
  const buyer = await addAccount(db);
  const phone = await addPhone(db);
  const outcomes = await Promise.all([
    bookWithoutLimits(db, buyer, phone.id, details),
    bookWithoutLimits(db, buyer, phone.id, details),
  ]);
  const [order, ...others] = await allBookings(db);
  assert.deepEqual(others, []);
  const confirmed = { orderId: order?.id };
  assert.deepEqual(
    [...outcomes, await bookWithoutLimits(db, buyer, phone.id, details)],
    Array(3).fill(confirmed),
  );
};

export const keepsTheFirstDetails = async (db: Db) => {
  const buyer = await addAccount(db);
  const phone = await addPhone(db);
  const booked = await bookWithoutLimits(db, buyer, phone.id, details);
  const elsewhere = { ...details, address: "2 Hill Road" };
  assert.deepEqual(await bookWithoutLimits(db, buyer, phone.id, elsewhere), {
    refusal: { reason: "already yours", ...booked },
  });
  const rows = await allBookings(db);
  assert.deepEqual(
    rows.map(({ buyerAddress }) => buyerAddress),
    [details.address],
  );
};

export const refusesASellersOwnPhone = async (db: Db) => {
  const seller = await addAccount(db, { userType: "Seller" });
  const phone = await addPhone(db, { sellerId: seller.id });
  assert.deepEqual(await bookWithoutLimits(db, seller, phone.id, details), {
    refusal: { reason: "own phone" },
  });
  assert.deepEqual(await allBookings(db), []);
  assert.equal(await statusOf(db, phone.id), "available");
};

export const refusesAnUnknownPhone = async (db: Db) => {
  const buyer = await addAccount(db);
  await addPhone(db);
  assert.deepEqual(await bookWithoutLimits(db, buyer, "nothing", details), {
    refusal: { reason: "unknown phone" },
  });
  assert.deepEqual(await allBookings(db), []);
};

export const refusesASoldPhone = async (db: Db) => {
  const buyer = await addAccount(db);
  const phone = await addPhone(db, { status: "sold" });
  assert.deepEqual(await bookWithoutLimits(db, buyer, phone.id, details), { refusal: { reason: "sold" } });
  assert.deepEqual(await allBookings(db), []);
  assert.equal(await statusOf(db, phone.id), "sold");
};

export const givesAPhoneToOneOfConcurrentBuyers = async (db: Db) => {
  const phone = await addPhone(db);
  const buyers = [];
  for (let added = 0; added < 20; added += 1) buyers.push(await addAccount(db));
  const outcomes = await Promise.all(buyers.map((buyer) => bookWithoutLimits(db, buyer, phone.id, details)));
  const refused = outcomes.filter(({ refusal }) => refusal?.reason === "just reserved");
  assert.equal(refused.length, 19);
  const rows = await allBookings(db);
  assert.deepEqual(
    rows.map(({ buyerId }) => buyerId),
    [buyers[outcomes.findIndex(({ refusal }) => !refusal)]?.id],
  );
  assert.equal(await statusOf(db, phone.id), "reserved");
};

export const uniqueIndexRefusesASecondOrder = async (db: Db) => {
  const buyer = await addAccount(db);
  const phone = await addPhone(db);
  await bookWithoutLimits(db, buyer, phone.id, details);
  const [first] = await allBookings(db);
  assert.ok(first);
  await assert.rejects(
    async () => db.insert(orders).values({ ...first, id: "second" }),
    (fault: Error) => /UNIQUE constraint failed/.test(`${fault.message} ${fault.cause}`),
  );
  await db.insert(orders).values({ ...first, id: "third", status: "cancelled" });
  assert.equal((await allBookings(db)).length, 2);
};

export const keepsAPhoneForItsOrderEvenIfTheListingSaysAvailable = async (db: Db) => {
  const phone = await addPhone(db);
  assert.ok("orderId" in (await bookWithoutLimits(db, await addAccount(db), phone.id, details)));
  await db.update(phones).set({ status: "available" }).where(eq(phones.id, phone.id));
  assert.deepEqual(await bookWithoutLimits(db, await addAccount(db), phone.id, details), {
    refusal: { reason: "just reserved" },
  });
  assert.equal((await allBookings(db)).length, 1);
};

export const releasesThePhoneOfACancelledOrder = async (db: Db) => {
  const [buyer, next] = [await addAccount(db), await addAccount(db)];
  const phone = await addPhone(db);
  await bookWithoutLimits(db, buyer, phone.id, details);
  const [order] = await ordersOf(db, buyer);
  assert.ok(order);
  assert.ok((await cancelOrder(db, buyer, order.id)).removalId);
  assert.equal(await statusOf(db, phone.id), "available");
  assert.deepEqual(await ordersOf(db, buyer), []);
  assert.ok("orderId" in (await bookWithoutLimits(db, next, phone.id, details)));

  // Cancelling it again must not release the phone of the next buyer.
  assert.equal((await cancelOrder(db, buyer, order.id)).refusal, "done before");
  assert.equal(await statusOf(db, phone.id), "reserved");
  assert.equal((await ordersOf(db, next)).length, 1);
};

export const refusesToCancelAnotherUsersOrder = async (db: Db) => {
  const buyer = await addAccount(db);
  const seller = await addAccount(db, { userType: "Seller" });
  const phone = await addPhone(db, { sellerId: seller.id });
  await bookWithoutLimits(db, buyer, phone.id, details);
  const [order] = await ordersOf(db, buyer);
  assert.ok(order);
  for (const stranger of [await addAccount(db), seller]) {
    assert.equal((await cancelOrder(db, stranger, order.id)).refusal, "not found");
  }
  assert.equal((await cancelOrder(db, buyer, "nothing")).refusal, "not found");
  assert.equal(await statusOf(db, phone.id), "reserved");
  assert.deepEqual(await ordersOf(db, buyer), [order]);
};

export const letsAnAdministratorCancel = async (db: Db) => {
  const buyer = await addAccount(db);
  const phone = await addPhone(db);
  const other = await addPhone(db);
  await bookWithoutLimits(db, buyer, phone.id, details);
  await bookWithoutLimits(db, buyer, other.id, details);
  const order = (await ordersOf(db, buyer)).at(-1);
  assert.ok(order);
  assert.ok((await cancelOrder(db, await addAccount(db, { userType: "Admin" }), order.id)).removalId);
  assert.equal(await statusOf(db, phone.id), "available");
  assert.equal(await statusOf(db, other.id), "reserved");
};

export const keepsASoldPhoneSoldWhenItsOrderIsCancelled = async (db: Db) => {
  const buyer = await addAccount(db);
  const phone = await addPhone(db);
  await bookWithoutLimits(db, buyer, phone.id, details);
  await db.update(phones).set({ status: "sold" }).where(eq(phones.id, phone.id));
  const [order] = await ordersOf(db, buyer);
  assert.ok((await cancelOrder(db, buyer, order?.id ?? "")).removalId);
  assert.equal(await statusOf(db, phone.id), "sold");
};

export const listsABuyersOwnActiveOrdersNewestFirst = async (db: Db) => {
  const [buyer, other] = [await addAccount(db, { name: "Ida Berg" }), await addAccount(db)];
  const first = await addPhone(db, { brandName: "Nokia", model: "G22", sellingCents: 9_950 });
  const second = await addPhone(db, { brandName: "Sony", model: "Xperia 5" });
  const theirs = await addPhone(db);
  await bookWithoutLimits(db, buyer, first.id, details);
  await bookWithoutLimits(db, other, theirs.id, details);
  await bookWithoutLimits(db, buyer, second.id, details);
  const orders = await ordersOf(db, buyer);
  assert.deepEqual(
    orders.map(({ buyerName, productName, priceCents, ram, rom, stage, status }) => ({
      buyerName,
      productName,
      priceCents,
      ram,
      rom,
      stage,
      status,
    })),
    [
      { productName: "Sony Xperia 5", priceCents: 34_950 },
      { productName: "Nokia G22", priceCents: 9_950 },
    ].map((said) => ({
      buyerName: "Ida Berg",
      ram: "8 GB",
      rom: "256 GB",
      stage: "reserved",
      status: "active",
      ...said,
    })),
  );
};

export const predictsARefusal = async (db: Db) => {
  const [buyer, other] = [await addAccount(db), await addAccount(db)];
  const free = await addPhone(db);
  assert.equal(await findBookingRefusal(db, buyer, free.id), null);
  const seller = { ...buyer, id: free.sellerId };
  assert.deepEqual(await findBookingRefusal(db, seller, free.id), { reason: "own phone" });
  const booked = await bookWithoutLimits(db, buyer, free.id, details);
  const [taken] = await db.select().from(phones).where(eq(phones.id, free.id));
  assert.ok(taken);
  assert.deepEqual(await findBookingRefusal(db, buyer, taken.id), { reason: "already yours", ...booked });
  assert.deepEqual(await findBookingRefusal(db, other, taken.id), { reason: "reserved" });
};

const allBookings = (db: Db) => db.select().from(orders);

async function statusOf(db: Db, id: string) {
  const [phone] = await db.select({ status: phones.status }).from(phones).where(eq(phones.id, id));
  return phone?.status;
}

export const picksTheOldestMatchingListing = async (db: Db) => {
  const alike = { brandName: "Nokia", model: "XR20", ram: "6 GB", rom: "64 GB", sellingCents: 19_950 };
  const wanted = { productName: "Nokia XR20", ram: "6 GB", rom: "64 GB", priceCents: 19_950 };
  const buyer = await addAccount(db);
  await addPhone(db, { ...alike, status: "sold" });
  await addPhone(db, { ...alike, hiddenById: "some removal" });
  await addPhone(db, { ...alike, sellerId: buyer.id });
  for (const other of [{ model: "XR21" }, { ram: "4 GB" }, { rom: "32 GB" }, { sellingCents: 19_951 }]) {
    await addPhone(db, { ...alike, ...other });
  }
  const fitting = [await addPhone(db, alike), await addPhone(db, alike), await addPhone(db, alike)];
  for (const { id } of fitting) {
    const { orderId } = (await bookWithoutLimits(db, buyer, wanted, details)) as { orderId: string };
    const order = (await allBookings(db)).find((row) => row.id === orderId);
    assert.equal(order?.phoneId, id);
    assert.equal(await statusOf(db, id), "reserved");
  }
  assert.deepEqual(await bookWithoutLimits(db, buyer, wanted, details), {
    refusal: { reason: "none available" },
  });
  assert.equal((await allBookings(db)).length, 3);
};

export const createsOneOrderForARepeatedRequest = async (db: Db) => {
  const alike = { brandName: "Nokia", model: "XR20" };
  const phone = await addPhone(db, alike);
  for (let added = 0; added < 3; added += 1) await addPhone(db, alike);
  const { ram, rom, sellingCents: priceCents } = phone;
  const wanted = { productName: "Nokia XR20", ram, rom, priceCents };
  const [buyer, other] = [await addAccount(db), await addAccount(db)];
  const book = () => bookWithoutLimits(db, buyer, wanted, details, { formKey: "request 1" });
  const outcomes = await Promise.all([book(), book(), book()]);
  const [order, ...others] = await allBookings(db);
  assert.deepEqual(others, []);
  assert.deepEqual(outcomes, Array(3).fill({ orderId: order?.id }));
  // A key belongs to one account, and requests without a key are independent.
  assert.ok("orderId" in (await bookWithoutLimits(db, other, wanted, details, { formKey: "request 1" })));
  assert.ok("orderId" in (await bookWithoutLimits(db, buyer, wanted, details)));
  assert.ok("orderId" in (await bookWithoutLimits(db, buyer, wanted, details)));
  assert.equal((await allBookings(db)).length, 4);
};

export const distributesEqualPhonesAmongConcurrentBuyers = async (db: Db) => {
  const alike = { brandName: "Nokia", model: "XR20" };
  const phone = await addPhone(db, alike);
  await addPhone(db, alike);
  const { ram, rom, sellingCents: priceCents } = phone;
  const wanted = { productName: "Nokia XR20", ram, rom, priceCents };
  const buyers = [];
  for (let added = 0; added < 10; added += 1) buyers.push(await addAccount(db));
  const outcomes = await Promise.all(buyers.map((buyer) => bookWithoutLimits(db, buyer, wanted, details)));
  assert.equal(outcomes.filter(({ refusal }) => refusal?.reason === "none available").length, 8);
  assert.equal(new Set((await allBookings(db)).map(({ phoneId }) => phoneId)).size, 2);
};

export const booksWithTheAccountsNameAndEmail = async (db: Db) => {
  const buyer = await addAccount(db, { name: "Ida Berg" });
  const { id, brandName, model, ram, rom, sellingCents: priceCents } = await addPhone(db);
  await addPhone(db, { brandName, model });
  for (const wanted of [id, { productName: `${brandName} ${model}`, ram, rom, priceCents }]) {
    assert.ok(
      "orderId" in (await bookWithoutLimits(db, { ...buyer, name: "x", email: "x" }, wanted, details)),
    );
  }
  for (const order of await allBookings(db)) {
    const { buyerId, buyerName, email } = order;
    assert.deepEqual(
      { buyerId, buyerName, email },
      { buyerId: buyer.id, buyerName: "Ida Berg", email: buyer.email },
    );
    const [step] = await db.select().from(orderSteps).where(eq(orderSteps.orderId, order.id));
    assert.deepEqual([step?.kind, step?.actorId], ["reserved", buyer.id]);
  }
  const other = await bookWithoutLimits(db, buyer, id, { ...details, phone: "1" });
  assert.equal(other.refusal?.reason, "already yours");
  assert.equal((await allBookings(db)).length, 2);
};

export const booksNothingForARemovedAccount = async (db: Db) => {
  const buyer = await addAccount(db);
  const phone = await addPhone(db);
  await db.update(users).set({ removalId: "some removal" }).where(eq(users.id, buyer.id));
  assert.ok((await bookWithoutLimits(db, buyer, phone.id, details)).refusal);
  assert.deepEqual([await allBookings(db), await statusOf(db, phone.id)], [[], "available"]);
};

const limits = { ...noLimits, MAX_RESERVATIONS: 5, MAX_RESERVATIONS_UNCONFIRMED: 2 };

/** Listings that are equal but for their ids. */
async function addEqualPhones(db: Db, count: number) {
  const like = { brandName: "Nokia", model: "XR20" };
  const phones = [];
  for (let added = 0; added < count; added += 1) phones.push(await addPhone(db, like));
  return phones;
}

export const limitsTheOpenReservationsOfABuyer = async (db: Db) => {
  for (const [account, limit, isConfirmed] of [
    [await addAccount(db), 2, false],
    [await addAccount(db, { emailVerifiedAt: new Date() }), 5, true],
  ] as const) {
    const phones = await addEqualPhones(db, 9);
    const [first] = phones;
    assert.ok(first);
    const { ram, rom, sellingCents: priceCents } = first;
    const refusal = { reason: "too many reservations", limit, isConfirmed };
    const outcomes = await Promise.all(
      phones.map(({ id }) => bookWithoutLimits(db, account, id, details, { limits })),
    );
    assert.deepEqual(
      outcomes.filter((outcome) => outcome.refusal).map((outcome) => outcome.refusal),
      Array(9 - limit).fill(refusal),
    );
    const mine = (await allBookings(db)).filter(({ buyerId }) => buyerId === account.id);
    assert.equal(mine.length, limit);

    const free = phones[outcomes.findIndex((outcome) => outcome.refusal)]?.id ?? "";
    const booked = phones[outcomes.findIndex((outcome) => outcome.orderId)]?.id ?? "";
    assert.equal(await statusOf(db, free), "available");
    assert.deepEqual(await findBookingRefusal(db, account, free, limits), refusal);
    const description = { productName: "Nokia XR20", ram, rom, priceCents };
    assert.deepEqual(await bookWithoutLimits(db, account, description, details, { limits }), { refusal });
    // Repeating a booking that succeeded is no new one.
    assert.ok((await bookWithoutLimits(db, account, booked, details, { limits })).orderId);

    // A reservation that ended leaves room for another.
    const order = mine.find(({ phoneId }) => phoneId === booked);
    assert.ok((await cancelOrder(db, account, order?.id ?? "")).removalId);
    assert.equal(await findBookingRefusal(db, account, free, limits), null);
    assert.ok((await bookWithoutLimits(db, account, free, details, { limits })).orderId);
  }
};

export const newAccountsOfOneAddressShareALimit = async (db: Db) => {
  const shared = { ...noLimits, MAX_RESERVATIONS_NEW_ACCOUNTS: 3 };
  const signUp = async (address: string, at = new Date()) => {
    const account = await addAccount(db);
    await db.batch(recordingSignUpAddress(db, account.id, address, at));
    return account;
  };
  const [first, second, idle, elsewhere] = await Promise.all([
    signUp("a"),
    signUp("a"),
    signUp("a"),
    signUp("b"),
  ]);
  const older = await signUp("a", new Date(Date.now() - dayMs - 1000));
  const phones = await addEqualPhones(db, 9);
  const book = async (who: Viewer, index: number) =>
    (await bookWithoutLimits(db, who, phones[index]?.id ?? "", details, { limits: shared })).refusal ?? null;
  const signalled = async () => {
    const rows = await db.select({ id: signals.targetId, found: signals.found }).from(signals);
    return rows
      .filter(({ found }) => found.some(({ kind, figure }) => kind === "many reservations" && figure === 3))
      .map(({ id }) => id)
      .toSorted();
  };
  assert.deepEqual([await book(first, 0), await book(first, 1)], [null, null]);
  assert.equal(await db.$count(signals), 0);
  // The booking that reaches the limit is a signal at once, also if the job runs at the same moment and after.
  let batches = 0;
  await searchSignals(
    beforeEachBatch(db, async () => {
      batches += 1;
      if (batches === 2) assert.equal(await book(second, 2), null);
    }),
  );
  assert.equal(batches, 2);
  const holders = [first.id, second.id].toSorted();
  assert.deepEqual(await signalled(), holders);
  const refusal = { reason: "too many new accounts", limit: 3 };
  assert.deepEqual(await findBookingRefusal(db, second, phones[3]?.id ?? "", shared), refusal);
  for (const who of [first, second]) assert.deepEqual(await book(who, 3), refusal);
  assert.match(bookingRefusalText({ reason: "too many new accounts", limit: 3 }), /^New accounts .* 3 open/);
  assert.deepEqual([await book(older, 4), await book(elsewhere, 5)], [null, null]);
  await searchSignals(db);
  assert.deepEqual(await signalled(), holders);
  assert.equal(await db.$count(signals, eq(signals.targetId, first.id)), 1);
  // Who wants more is looked at, too.
  assert.deepEqual(await book(idle, 3), refusal);
  assert.deepEqual(await signalled(), [...holders, idle.id].toSorted());
  // A day later, each has its own limit.
  await db.update(signUpAddresses).set({ createdAt: new Date(Date.now() - dayMs - 1000) });
  assert.equal(await book(first, 3), null);
};

/** A database that does something before each batch, as if another request came between. */
function beforeEachBatch(db: Db, act: () => Promise<void>): Db {
  return new Proxy(db, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name !== "batch") return typeof value === "function" ? value.bind(target) : value;
      return async (...args: Parameters<Db["batch"]>) => {
        await act();
        return target.batch(...args);
      };
    },
  });
}

export const aSuspensionEndsTheReservationsOfABuyer = async (db: Db) => {
  const moderator = await addAccount(db, { userType: "Admin" });
  const buyer = await addAccount(db, { name: "Bea Lind" });
  const seller = await addAccount(db, { userType: "Seller" });
  const book = async () => {
    const { id } = await addPhone(db, { sellerId: seller.id });
    const { orderId = "" } = await bookWithoutLimits(db, buyer, id, details);
    return { id, orderId };
  };
  const [reserved, handedOver, inProblem, cancelled] = [
    await book(),
    await book(),
    await book(),
    await book(),
  ];
  await handOver(db, seller, handedOver.orderId);
  await db.update(orders).set({ deadlineAt: new Date() }).where(eq(orders.id, reserved.orderId));
  await openProblem(db, buyer, inProblem.orderId, { kind: "not arrived", text: "Nothing came." });
  const { removalId = "" } = await cancelOrder(db, buyer, cancelled.orderId);
  const decision = { decision: "suspend", reason: "Fake bookings.", days: "7" } as const;
  const { id = "" } = await decide(db, moderator, "seller", buyer.id, decision, null);
  assert.ok(id);
  const statuses = () =>
    Promise.all([reserved, handedOver, inProblem].map((booked) => statusOf(db, booked.id)));
  // Until it can no longer be undone, the order waits: nobody is told, nothing is handed over, and no deadline passes.
  await endOverdueOrders(db);
  assert.deepEqual(await statuses(), ["reserved", "reserved", "reserved"]);
  const waiting = await findOrder(db, seller, reserved.orderId);
  assert.ok(waiting);
  assert.equal(waiting.intents.includes("hand over"), false);
  assert.match(nextStepText("seller", waiting, waiting.deadline) ?? "", /don’t hand it over/);
  assert.match(nextStepText("buyer", waiting, waiting.deadline) ?? "", /we’ll cancel this order soon/);
  for (const { orderId } of [reserved, inProblem])
    assert.equal((await handOver(db, seller, orderId)).refusal, "on hold");
  const toldSeller = (await listNotifications(db, seller, null)).rows.map(({ kind }) => kind);
  assert.equal(toldSeller.filter((kind) => kind.startsWith("cancelled")).length, 1);
  assert.equal((await undoWithoutLimits(db, moderator, id)).result, "undone");
  const freed = await findOrder(db, seller, reserved.orderId);
  assert.ok(freed?.intents.includes("hand over"));
  assert.ok(freed?.deadline && Date.parse(freed.deadline) > Date.now() + 0.9 * dayMs);
  await endOverdueOrders(db);
  assert.deepEqual(await statuses(), ["reserved", "reserved", "reserved"]);

  const again = await decide(db, moderator, "seller", buyer.id, { ...decision, lastDecisionId: id }, null);
  const old = firstIdAt(new Date(Date.now() - undoMs - 1000));
  await db.update(users).set({ suspensionId: old }).where(eq(users.id, buyer.id));
  await db
    .update(decisions)
    .set({ id: old })
    .where(eq(decisions.id, again.id ?? ""));
  await endOverdueOrders(db);
  assert.deepEqual(await statuses(), ["available", "reserved", "reserved"]);
  const order = await findOrder(db, seller, reserved.orderId);
  assert.ok(order);
  assert.deepEqual([order.status, order.steps.at(-1)?.by], ["cancelled", "system"]);
  assert.match(orderStatusText("seller", order), /your record doesn’t show it/);
  assert.equal((await findSeller(db, seller.id, null))?.seller.record.orders.missed, 0);
  const [news] = (await listNotifications(db, seller, null)).rows;
  assert.equal(news?.kind, "cancelled");
  // A booking or an Undo that comes later does not hold a device either.
  const late = await addPhone(db);
  assert.ok((await bookWithoutLimits(db, buyer, late.id, details)).refusal);
  await undoWithoutLimits(db, buyer, removalId);
  await endOverdueOrders(db);
  assert.equal(await statusOf(db, cancelled.id), "available");
  // The end of the suspension brings nothing back.
  await db
    .update(decisions)
    .set({ until: new Date(0) })
    .where(eq(decisions.id, old));
  await endSuspensions(db);
  assert.equal(await statusOf(db, reserved.id), "available");
};

export const anUnconfirmedAddressBooksOnlyIfItMay = async (db: Db) => {
  const { id } = await addPhone(db);
  const none = { ...noLimits, MAX_RESERVATIONS_UNCONFIRMED: 0 };
  const { refusal } = await bookWithoutLimits(db, await addAccount(db), id, details, { limits: none });
  assert.ok(refusal);
  assert.equal(
    bookingRefusalText(refusal),
    "Confirm your email address first. Then you can book this device.",
  );
  const confirmed = await addAccount(db, { emailVerifiedAt: new Date() });
  assert.ok((await bookWithoutLimits(db, confirmed, id, details, { limits: none })).orderId);
};

export const limitsReservationsThatAnUndoBringsBack = async (db: Db) => {
  const buyer = await addAccount(db);
  const phones = await addEqualPhones(db, 3);
  const book = async (index: number) =>
    (await bookWithoutLimits(db, buyer, phones[index]?.id ?? "", details, { limits })).orderId ?? "";
  const cancelled: string[] = [];
  for (const index of [0, 1])
    cancelled.push((await cancelOrder(db, buyer, await book(index))).removalId ?? "");
  const other = await book(2);
  const undo = async (index: number) =>
    (await undoWithoutLimits(db, buyer, cancelled[index] ?? "", limits)).result;
  assert.equal(await undo(0), "undone");
  assert.equal(await undo(1), "impossible");
  assert.equal(await statusOf(db, phones[1]?.id ?? ""), "available");
  assert.ok((await cancelOrder(db, buyer, other)).removalId);
  assert.equal(await undo(1), "undone");
};

export const booksAtThePriceThatTheBuyerSaw = async (db: Db) => {
  const buyer = await addAccount(db);
  const { id } = await addPhone(db, { sellingCents: 27_900 });
  assert.deepEqual(await bookWithoutLimits(db, buyer, id, details, { shownCents: 29_900 }), {
    refusal: { reason: "price changed", priceCents: 27_900, shownCents: 29_900, wasOffer: false },
  });
  assert.deepEqual([await allBookings(db), await statusOf(db, id)], [[], "available"]);
  assert.ok((await bookWithoutLimits(db, buyer, id, details, { shownCents: 27_900 })).orderId);
  const [order] = await allBookings(db);
  assert.equal(order?.priceCents, 27_900);
};

export const letsABuyerBookACancelledPhoneAgainAfterADay = async (db: Db) => {
  const buyer = await addAccount(db);
  const admin = await addAccount(db, { userType: "Admin" });
  const { id } = await addPhone(db);
  const book = async () => (await bookWithoutLimits(db, buyer, id, details)).orderId ?? "";

  // Neither a cancellation by another person counts, nor one that was undone.
  assert.ok((await cancelOrder(db, admin, await book())).removalId);
  const order = await book();
  const undone = (await cancelOrder(db, buyer, order)).removalId ?? "";
  assert.equal((await undoWithoutLimits(db, buyer, undone)).result, "undone");
  assert.ok((await cancelOrder(db, admin, order)).removalId);

  const removalId = (await cancelOrder(db, buyer, await book())).removalId ?? "";
  const cancelled = eq(removals.id, removalId);
  const [removal] = await db.select().from(removals).where(cancelled);
  assert.ok(removal);
  const bookableAfter = new Date(removal.createdAt.getTime() + dayMs).toISOString();
  const refusal = { reason: "cancelled recently", bookableAfter };
  assert.deepEqual(await bookWithoutLimits(db, buyer, id, details), { refusal });
  assert.deepEqual(await findBookingRefusal(db, buyer, id), refusal);
  assert.equal(await statusOf(db, id), "available");

  await db
    .update(removals)
    .set({ createdAt: new Date(Date.now() - dayMs - 1000) })
    .where(cancelled);
  assert.equal(await findBookingRefusal(db, buyer, id), null);
  assert.ok(await book());
};

export const aSellerLetsABuyerBookACancelledPhoneAgain = async (db: Db) => {
  const [buyer, stranger] = [await addAccount(db), await addAccount(db)];
  const seller = await addAccount(db, { userType: "Seller" });
  const { id } = await addPhone(db, { sellerId: seller.id });
  const book = async () => (await bookWithoutLimits(db, buyer, id, details)).orderId ?? "";
  const allow = async (viewer: Viewer, order: string) =>
    (await handleOrderIntent(db, viewer, order, "allow rebooking")).refusal ?? "done";
  const intents = async (viewer: Viewer, order: string) => (await findOrder(db, viewer, order))?.intents;

  const order = await book();
  assert.equal(await allow(seller, order), "nothing to allow");
  await cancelOrder(db, buyer, order);
  assert.deepEqual(await intents(seller, order), ["allow rebooking"]);
  assert.deepEqual(await intents(buyer, order), []);
  assert.equal(await allow(buyer, order), "not yours");
  assert.equal(await allow(stranger, order), "not found");
  assert.equal((await findBookingRefusal(db, buyer, id))?.reason, "cancelled recently");

  // A repeated request allows it once.
  assert.equal(await allow(seller, order), "done");
  assert.equal(await allow(seller, order), "done");
  assert.deepEqual(await intents(seller, order), []);
  const told = and(eq(notifications.userId, buyer.id), eq(notifications.kind, "rebooking allowed"));
  assert.equal(await db.$count(notifications, told), 1);
  assert.equal(await findBookingRefusal(db, buyer, id), null);

  // It holds for one cancellation.
  const next = await book();
  assert.equal(await allow(seller, order), "nothing to allow");
  await cancelOrder(db, buyer, next);
  assert.equal((await findBookingRefusal(db, buyer, id))?.reason, "cancelled recently");
  assert.deepEqual(await intents(seller, next), ["allow rebooking"]);
  // Nobody can book a removed phone, and a buyer without an account none.
  const hideListing = (hiddenById: string | null) => editPhone(db, id, { hiddenById });
  const hideBuyer = (removalId: string | null) =>
    db.update(users).set({ removalId }).where(eq(users.id, buyer.id));
  const suspend = (of: Viewer) => (suspensionId: string | null) =>
    db.update(users).set({ suspensionId }).where(eq(users.id, of.id));
  for (const hide of [hideListing, hideBuyer, suspend(buyer), suspend(seller)]) {
    await hide("gone");
    assert.deepEqual(await intents(seller, next), []);
    assert.equal(await allow(seller, next), "nothing to allow");
    await hide(null);
  }
  await suspend(buyer)("gone");
  assert.deepEqual(await findBookingRefusal(db, buyer, id), { reason: "suspended" });
  assert.deepEqual(await bookWithoutLimits(db, buyer, id, details), { refusal: { reason: "suspended" } });
  await suspend(buyer)(null);
  assert.deepEqual(await intents(seller, next), ["allow rebooking"]);
};

export const countsNoDeviceThatWasHandedOver = async (db: Db) => {
  const buyer = await addAccount(db);
  const seller = await addAccount(db, { userType: "Seller" });
  for (let bought = 0; bought < 3; bought += 1) {
    const { id } = await addPhone(db, { sellerId: seller.id });
    const { orderId } = await bookWithoutLimits(db, buyer, id, details, { limits });
    assert.ok(orderId);
    await handOver(db, seller, orderId);
  }
};
