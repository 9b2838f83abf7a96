import assert from "node:assert/strict";
import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { activity, orderSteps, orders, phones, users } from "#app/db/schema.ts";
import { type Actor, system, type Viewer } from "#app/features/accounts/viewer.ts";
import { listActivity } from "#app/features/audit/activity.server.ts";
import { changeListing } from "#app/features/listings/listing-edit.server.ts";
import { removeListing } from "#app/features/listings/listing-removal.server.ts";
import { listAllListings, listSellings } from "#app/features/listings/listing-tables.server.ts";
import { listNotifications } from "#app/features/notifications/notifications.server.ts";
import type { Handover } from "#app/features/orders/order.rules.ts";
import { findOrder, handleOrderIntent } from "#app/features/orders/order-details.server.ts";
import { findMailedOrders, orderEmailFacts } from "#app/features/orders/order-email.server.ts";
import { cancelOrder, changeDelivery } from "#app/features/orders/order-steps.server.ts";
import { type OrderIntent, orderNumber } from "#app/features/orders/order-texts.ts";
import { listAllOrders, listOrders } from "#app/features/orders/orders.server.ts";
import { closeAccount } from "#app/features/profile/account-closing.server.ts";
import { exportAccountData } from "#app/features/profile/account-data.server.ts";
import { bookWithoutLimits, undoWithoutLimits } from "../../harness/bookings.ts";
import { addAccount, addPhone, removeUser } from "../../harness/fixtures.ts";
import { browse } from "../../harness/search.ts";

const details = { address: "1 Harbour Street", phone: "+46 70 123 45 67" };

async function ordered(db: Db) {
  const seller = await addAccount(db, { userType: "Seller" });
  const [buyer, stranger] = [await addAccount(db), await addAccount(db, { userType: "Seller" })];
  const admin = await addAccount(db, { userType: "Admin" });
  const phone = await addPhone(db, { sellerId: seller.id, imeiHash: crypto.randomUUID() });
  const { orderId } = (await bookWithoutLimits(db, buyer, phone.id, details)) as { orderId: string };
  return { seller, buyer, stranger, admin, phone, orderId };
}

/** Whether a step succeeded; null if the order is not theirs. */
async function change(db: Db, viewer: Viewer, orderId: string, what: OrderIntent) {
  const { refusal } = await handleOrderIntent(db, viewer, orderId, what);
  return refusal === "not found" ? null : !refusal;
}

async function cancelRefusal(db: Db, actor: Actor, orderId: string) {
  return (await cancelOrder(db, actor, orderId)).refusal;
}

async function standing(db: Db, orderId: string) {
  const [row] = await db
    .select({ status: orders.status, stage: orders.stage, phone: phones.status })
    .from(orders)
    .innerJoin(phones, eq(phones.id, orders.phoneId))
    .where(eq(orders.id, orderId));
  return `${row?.status}, ${row?.stage}, ${row?.phone}`;
}

async function historyOf(db: Db, viewer: Viewer, orderId: string) {
  const order = await findOrder(db, viewer, orderId);
  return order?.steps.map(({ kind, by, byViewer }) => `${kind} by ${byViewer ? "me" : by}`);
}

export const passesAllStates = async (db: Db) => {
  const { seller, buyer, phone, orderId } = await ordered(db);
  assert.deepEqual((await findOrder(db, seller, orderId))?.intents, ["hand over", "cancel"]);
  assert.deepEqual((await findOrder(db, buyer, orderId))?.intents, ["extend", "cancel"]);
  assert.equal(await change(db, seller, orderId, "hand over"), true);
  assert.equal(await standing(db, orderId), "active, handed over, reserved");
  assert.deepEqual((await findOrder(db, buyer, orderId))?.intents, ["receive"]);
  assert.equal(await change(db, buyer, orderId, "receive"), true);
  assert.equal(await standing(db, orderId), "active, received, sold");
  assert.deepEqual(await historyOf(db, seller, orderId), [
    "reserved by buyer",
    "handed over by me",
    "received by buyer",
  ]);
  const order = await findOrder(db, buyer, orderId);
  assert.deepEqual(order?.intents, ["undo receipt"]);
  assert.ok(order.steps.every(({ at }) => at instanceof Date && Date.now() - at.getTime() < 60_000));
  assert.deepEqual((await browse(db, "/android")).phones, []);
  assert.equal((await listOrders(db, buyer, null)).rows[0]?.stage, "received");
  const [selling] = (await listSellings(db, seller, null)).rows;
  assert.deepEqual([selling?.status, selling?.orderId], ["sold", orderId]);
  // The device may be listed again, and a sold phone cannot be booked.
  const [sold] = await db.select().from(phones).where(eq(phones.id, phone.id));
  assert.equal(sold?.imeiHash, null);
  assert.deepEqual(await bookWithoutLimits(db, await addAccount(db), phone.id, details), {
    refusal: { reason: "sold" },
  });
};

export const confirmsARepeatedStep = async (db: Db) => {
  const { seller, buyer, orderId } = await ordered(db);
  const twice = (who: Viewer, what: OrderIntent) =>
    Promise.all([change(db, who, orderId, what), change(db, who, orderId, what)]);
  assert.deepEqual(await twice(seller, "hand over"), [true, true]);
  assert.deepEqual(await twice(buyer, "receive"), [true, true]);
  assert.equal(await change(db, seller, orderId, "hand over"), true);
  assert.equal(await db.$count(orderSteps, eq(orderSteps.orderId, orderId)), 3);

  const other = await ordered(db);
  const cancel = () => change(db, other.seller, other.orderId, "cancel");
  assert.deepEqual(await Promise.all([cancel(), cancel()]), [true, true]);
  assert.equal(await db.$count(orderSteps, eq(orderSteps.orderId, other.orderId)), 2);
};

export const changesDeliveryUntilTheHandover = async (db: Db) => {
  const { seller, buyer, stranger, admin, orderId } = await ordered(db);
  const elsewhere = { address: "2 Quay Street", phone: "" };
  const deliver = (who: Viewer, to = elsewhere) => changeDelivery(db, who, orderId, to);
  for (const who of [seller, stranger, admin]) {
    assert.deepEqual(await deliver(who), { refusal: "not found", modifiedCount: 0 });
  }
  assert.deepEqual(await changeDelivery(db, buyer, "nothing", elsewhere), {
    refusal: "not found",
    modifiedCount: 0,
  });
  assert.deepEqual((await findOrder(db, seller, orderId))?.delivery, { ...details, email: buyer.email });

  assert.deepEqual(await deliver(buyer), { refusal: null, modifiedCount: 1 });
  assert.deepEqual(await deliver(buyer), { refusal: null, modifiedCount: 0 });
  for (const who of [buyer, seller]) {
    assert.deepEqual((await findOrder(db, who, orderId))?.delivery, { ...elsewhere, email: buyer.email });
  }
  // Only the newest change is in the history.
  await Promise.all([
    deliver(buyer, { address: "3", phone: "" }),
    deliver(buyer, { address: "4", phone: "" }),
  ]);
  await deliver(buyer);
  assert.deepEqual(await historyOf(db, seller, orderId), ["reserved by buyer", "delivery changed by buyer"]);
  const canChange = async (who: Viewer) => (await findOrder(db, who, orderId))?.canChangeDelivery;
  assert.deepEqual(
    [await canChange(buyer), await canChange(seller), await canChange(admin)],
    [true, false, false],
  );

  await change(db, seller, orderId, "hand over");
  assert.equal(await canChange(buyer), false);
  assert.deepEqual(await deliver(buyer, details), {
    refusal: "too late to change delivery",
    modifiedCount: 0,
  });
  assert.deepEqual((await findOrder(db, seller, orderId))?.delivery?.address, elsewhere.address);

  const other = await ordered(db);
  await change(db, other.buyer, other.orderId, "cancel");
  assert.deepEqual(await changeDelivery(db, other.buyer, other.orderId, elsewhere), {
    refusal: "cancelled",
    modifiedCount: 0,
  });
  // Another order of the same buyer keeps its details.
  const [order] = await db.select().from(orders).where(eq(orders.id, other.orderId));
  assert.equal(order?.buyerAddress, details.address);
};

export const restrictsEachStepToItsRole = async (db: Db) => {
  const { seller, buyer, stranger, admin, orderId } = await ordered(db);
  const all: OrderIntent[] = ["hand over", "receive", "cancel"];
  for (const what of all) assert.equal(await change(db, stranger, orderId, what), null);
  assert.equal(await findOrder(db, stranger, orderId), null);
  assert.equal(await findOrder(db, buyer, "nothing"), null);
  assert.equal(await change(db, buyer, "nothing", "cancel"), null);
  for (const what of ["hand over", "receive"] as const) {
    assert.equal(await change(db, admin, orderId, what), null);
  }
  assert.equal(await change(db, buyer, orderId, "hand over"), false);
  for (const who of [seller, buyer]) assert.equal(await change(db, who, orderId, "receive"), false);
  assert.equal(await standing(db, orderId), "active, reserved, reserved");
  assert.equal(await change(db, seller, orderId, "hand over"), true);
  assert.equal(await change(db, seller, orderId, "receive"), false);
  assert.equal(await change(db, buyer, orderId, "cancel"), false);
  assert.equal(await cancelRefusal(db, buyer, orderId), "too late to cancel");
  assert.equal(await cancelRefusal(db, stranger, orderId), "not found");
  assert.equal(await standing(db, orderId), "active, handed over, reserved");
  assert.equal(await change(db, buyer, orderId, "receive"), true);
  for (const who of [seller, buyer, admin]) {
    assert.equal(await change(db, who, orderId, "cancel"), false);
    assert.equal(await cancelRefusal(db, who, orderId), who === seller ? "not found" : "received");
  }
  assert.equal(await standing(db, orderId), "active, received, sold");
};

export const releasesThePhoneWhenEitherSideCancels = async (db: Db) => {
  for (const by of ["buyer", "seller", "admin"] as const) {
    const { [by]: who, seller, buyer, orderId } = await ordered(db);
    assert.equal(await change(db, who, orderId, "cancel"), true);
    assert.equal(await standing(db, orderId), "cancelled, reserved, available");
    const role = by === "admin" ? "administrator" : by;
    const looker = by === "buyer" ? seller : buyer;
    assert.deepEqual(await historyOf(db, looker, orderId), [
      `reserved by ${looker === buyer ? "me" : "buyer"}`,
      `cancelled by ${role}`,
    ]);
    assert.equal(await change(db, seller, orderId, "hand over"), false);
    assert.equal(await db.$count(activity, eq(activity.targetId, orderId)), by === "admin" ? 1 : 0);
    // The seller no longer sees the delivery address.
    assert.equal((await findOrder(db, seller, orderId))?.delivery, null);
    assert.equal((await findOrder(db, buyer, orderId))?.delivery?.address, details.address);
  }
};

export const releasesThePhoneWhenTheSystemCancels = async (db: Db) => {
  const { seller, buyer, admin, orderId } = await ordered(db);
  assert.equal(await cancelRefusal(db, system, orderId), "not found");
  await db.update(orders).set({ deadlineAt: new Date() }).where(eq(orders.id, orderId));
  const { removalId } = await cancelOrder(db, system, orderId);
  assert.ok(removalId);
  assert.equal(await standing(db, orderId), "cancelled, reserved, available");
  assert.equal(await cancelRefusal(db, system, orderId), "not found");
  assert.deepEqual(await historyOf(db, buyer, orderId), ["reserved by me", "cancelled by system"]);
  for (const who of [seller, buyer]) {
    assert.match(
      (await listNotifications(db, who, null)).rows[0]?.text ?? "",
      /^Ringback cancelled the order for the /,
    );
  }
  const [logged] = (await listActivity(db, system, null)).rows;
  assert.deepEqual([logged?.actorEmail, logged?.action], ["Ringback", "deleted order"]);
  for (const who of [seller, buyer, admin]) {
    assert.equal((await undoWithoutLimits(db, who, removalId)).result, "too late");
  }
  // A phone that has been handed over is with the buyer.
  const late = await ordered(db);
  assert.equal(await change(db, late.seller, late.orderId, "hand over"), true);
  await db.update(orders).set({ deadlineAt: new Date() }).where(eq(orders.id, late.orderId));
  assert.equal(await cancelRefusal(db, system, late.orderId), "too late to cancel");
};

export const tellsByEmailWhoCancelledAndWhenTheWarrantyEnds = async (db: Db) => {
  const factOf = async (orderId: string, kind: "cancelled" | "received") => {
    const [mailed] = await findMailedOrders(db, [orderId]);
    return mailed && orderEmailFacts(kind, mailed, mailed.buyerId, false)[1];
  };
  for (const who of ["buyer", "seller", "admin"] as const) {
    const { orderId, ...people } = await ordered(db);
    await cancelOrder(db, people[who], orderId, { bySeller: who === "seller" });
    const name = { buyer: "The buyer", seller: "The seller", admin: "Ringback" }[who];
    assert.deepEqual(await factOf(orderId, "cancelled"), ["Cancelled by", name]);
  }
  const { seller, buyer, orderId } = await ordered(db);
  await change(db, seller, orderId, "hand over");
  assert.equal((await findOrder(db, buyer, orderId))?.warrantyUntil, null);
  await change(db, buyer, orderId, "receive");
  await db
    .update(orderSteps)
    .set({ createdAt: new Date("2998-01-01T12:00Z") })
    .where(eq(orderSteps.kind, "received"));
  for (const who of [seller, buyer])
    assert.equal((await findOrder(db, who, orderId))?.warrantyUntil, "2999-01-08T12:00:00.000Z");
  assert.deepEqual(await factOf(orderId, "received"), ["Warranty ends", "Jan 8, 2999"]);
};

export const undoesACancellationAfterTheHandover = async (db: Db) => {
  const { seller, buyer, stranger, admin, phone, orderId } = await ordered(db);
  const book = () => bookWithoutLimits(db, stranger, phone.id, details);
  assert.equal(await change(db, seller, orderId, "hand over"), true);
  assert.equal(await change(db, seller, orderId, "cancel"), false);
  const cancel = () => handleOrderIntent(db, admin, orderId, "cancel", { reason: "Both sides asked." });
  assert.equal(await cancelRefusal(db, admin, orderId), "reason required");
  const outcome = await cancel();
  assert.ok(outcome.removalId);
  assert.equal((await findOrder(db, buyer, orderId))?.steps.at(-1)?.reason, "Both sides asked.");
  // The buyer may have the device.
  assert.ok("refusal" in (await book()));
  assert.equal((await listSellings(db, seller, null)).rows[0]?.returnedFrom, orderId);
  assert.equal(await standing(db, orderId), "cancelled, handed over, available");
  assert.equal((await undoWithoutLimits(db, buyer, outcome.removalId)).result, "too late");
  const undo = () => undoWithoutLimits(db, admin, outcome.removalId ?? "");
  assert.deepEqual(await Promise.all([undo(), undo()]), Array(2).fill({ kind: "order", result: "undone" }));
  assert.equal(await standing(db, orderId), "active, handed over, reserved");
  assert.deepEqual((await historyOf(db, buyer, orderId))?.slice(2), [
    "cancelled by administrator",
    "reinstated by administrator",
  ]);

  const listAgain = () => changeListing(db, seller, phone.id, { listAgain: true }, []);
  const isListed = async () => (await browse(db)).phones.length > 0;
  for (const isDeletedFirst of [false, true]) {
    const { removalId = "" } = await cancel();
    if (isDeletedFirst) {
      const deleted = await removeListing(db, seller, phone.id);
      assert.equal((await undoWithoutLimits(db, seller, deleted.removalId ?? "")).result, "undone");
    }
    assert.equal(await isListed(), false);
    assert.equal(await listAgain(), "saved");
    assert.equal(await isListed(), true);
    if (isDeletedFirst) continue;
    assert.equal((await undoWithoutLimits(db, admin, removalId)).result, "undone");
    assert.equal(await standing(db, orderId), "active, handed over, reserved");
  }
  assert.ok("orderId" in (await book()));
};

export const hidesTheListingOfAnOrderThatAnAdministratorCancelsAfterTheHandover = async (db: Db) => {
  const { seller, admin, orderId } = await ordered(db);
  assert.equal(await change(db, seller, orderId, "hand over"), true);
  assert.equal((await cancelOrder(db, admin, orderId, { reason: "Both sides asked." })).refusal, null);
  assert.equal((await browse(db)).phones.length, 0);
  assert.equal((await listSellings(db, seller, null)).rows[0]?.returnedFrom, orderId);
};

export const letsOneOfTwoConflictingStepsWin = async (db: Db) => {
  for (let round = 0; round < 6; round += 1) {
    const { seller, buyer, orderId } = await ordered(db);
    const cancel = () => change(db, buyer, orderId, "cancel");
    const handOver = () => change(db, seller, orderId, "hand over");
    // The first request usually wins, so the order alternates.
    const outcomes = await Promise.all(round % 2 ? [cancel(), handOver()] : [handOver(), cancel()]);
    assert.deepEqual(outcomes.toSorted(), [false, true]);
    const [first] = outcomes;
    const cancelled = round % 2 ? first : !first;
    assert.equal(
      await standing(db, orderId),
      cancelled ? "cancelled, reserved, available" : "active, handed over, reserved",
    );

    const late = await ordered(db);
    assert.equal(await change(db, late.seller, late.orderId, "hand over"), true);
    const receive = () => change(db, late.buyer, late.orderId, "receive");
    const back = () => change(db, late.seller, late.orderId, "undo handover");
    const ends = await Promise.all(round % 2 ? [receive(), back()] : [back(), receive()]);
    assert.deepEqual(ends.toSorted(), [false, true]);
    const sold = round % 2 ? ends[0] : ends[1];
    assert.equal(
      await standing(db, late.orderId),
      sold ? "active, received, sold" : "active, reserved, reserved",
    );
  }
};

export const showsASellerTheirOwnBuyersOnly = async (db: Db) => {
  const { seller, buyer, stranger, admin, orderId } = await ordered(db);
  const seen = await findOrder(db, seller, orderId);
  assert.deepEqual(
    [seen?.role, seen?.buyerName, seen?.delivery],
    ["seller", buyer.name, { ...details, email: buyer.email }],
  );
  const theirs = await findOrder(db, buyer, orderId);
  assert.deepEqual([theirs?.role, theirs?.sellerName], ["buyer", seller.name]);
  assert.ok(!JSON.stringify(theirs).includes(seller.email));
  assert.equal((await findOrder(db, admin, orderId))?.role, "administrator");
  assert.equal(await findOrder(db, stranger, orderId), null);
  assert.deepEqual((await listSellings(db, stranger, null)).rows, []);
  assert.deepEqual((await listSellings(db, admin, null)).rows, []);
  assert.deepEqual((await listOrders(db, admin, null)).rows, []);
  const own = (await listSellings(db, seller, null)).rows;
  assert.deepEqual(
    (await listAllListings(db, null)).rows,
    own.map((row) => ({ ...row, buyerRecord: null })),
  );
  // By its number, or three digits from the beginning of a group on (with "#" also if they are letters), and its buyer.
  const number = orderNumber(orderId);
  for (const q of [
    number,
    `Order #${number}`,
    `#${number.toLowerCase().slice(0, 3)}`,
    `#${number.slice(5, 9)}`,
    buyer.name,
  ])
    assert.deepEqual(
      [q, (await listAllOrders(db, null, { filters: { q } })).rows.map(({ id }) => id)],
      [q, [orderId]],
    );
  assert.deepEqual((await listAllOrders(db, null, { filters: { q: "nobody" } })).rows, []);
  const [all] = (await listAllOrders(db, null)).rows;
  assert.deepEqual([all?.id, all?.buyerName, all?.sellerName], [orderId, buyer.name, seller.name]);
  const [bought] = (await listOrders(db, buyer, null)).rows;
  // Staff reads a part of what the buyer does.
  const theirRow = { ...bought, sellerId: seller.id, sellerName: seller.name };
  assert.deepEqual({ ...theirRow, ...all }, theirRow);
};

export const isOpenUntilReceived = async (db: Db) => {
  const { seller, buyer, phone, orderId } = await ordered(db);
  const close = (who: typeof buyer) => closeAccount(db, who, { passwordHash: who.passwordHash ?? "" });
  assert.equal(await change(db, seller, orderId, "hand over"), true);
  assert.deepEqual([await close(seller), await close(buyer)], ["phone reserved", "order open"]);
  assert.equal(await change(db, buyer, orderId, "receive"), true);
  assert.deepEqual([await close(seller), await close(buyer)], ["sale recent", "closed"]);
  const [kept] = await db.select().from(orders).where(eq(orders.id, orderId));
  assert.deepEqual(
    [kept?.buyerName, kept?.buyerAddress, kept?.email, kept?.phoneNumber],
    ["Former member", "", "", ""],
  );
  assert.equal(await db.$count(phones, eq(phones.id, phone.id)), 1);
  const names = await db.select({ name: users.name }).from(users).where(eq(users.id, buyer.id));
  assert.deepEqual(names, [{ name: "Former member" }]);
};

export const continuesAfterOneSideIsRemoved = async (db: Db) => {
  const { seller, buyer, admin, orderId } = await ordered(db);
  assert.equal(await change(db, seller, orderId, "hand over"), true);
  assert.ok(await removeUser(db, admin, seller.id));
  assert.equal(await change(db, buyer, orderId, "receive"), true);
  assert.equal(await standing(db, orderId), "active, received, sold");
  const other = await ordered(db);
  assert.ok(await removeUser(db, admin, other.buyer.id));
  assert.equal(await change(db, other.seller, other.orderId, "cancel"), true);
  assert.equal(await standing(db, other.orderId), "cancelled, reserved, available");
};

export const appearInTheExportOfBothSides = async (db: Db) => {
  const { seller, buyer, stranger, orderId } = await ordered(db);
  assert.equal(await change(db, seller, orderId, "hand over"), true);
  const visibleTo = async (who: Viewer) => {
    let text = "";
    for await (const piece of exportAccountData(db, who)) text += piece;
    const { orders, orderSteps: steps } = JSON.parse(text);
    return {
      stages: orders.map(({ stage }: { stage: string }) => stage),
      steps: steps.map(({ kind, byYou }: { kind: string; byYou: boolean }) => [kind, byYou]),
      mentions: text.includes(buyer.email) || text.includes(details.address),
    };
  };
  assert.deepEqual(await visibleTo(buyer), {
    stages: ["handed over"],
    steps: [
      ["handed over", false],
      ["reserved", true],
    ],
    mentions: true,
  });
  assert.deepEqual(await visibleTo(seller), { stages: [], steps: [["handed over", true]], mentions: false });
  assert.deepEqual(await visibleTo(stranger), { stages: [], steps: [], mentions: false });
};

export const anAdministratorWhoBuysHasABuyersRules = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const seller = await addAccount(db, { userType: "Seller" });
  const phone = await addPhone(db, { sellerId: seller.id });
  const { orderId } = (await bookWithoutLimits(db, admin, phone.id, details)) as { orderId: string };
  assert.equal(await change(db, seller, orderId, "hand over"), true);
  assert.equal(await change(db, admin, orderId, "cancel"), false);
  assert.equal(await cancelRefusal(db, admin, orderId), "too late to cancel");
  assert.equal(await standing(db, orderId), "active, handed over, reserved");
  const another = await addAccount(db, { userType: "Admin" });
  assert.equal((await cancelOrder(db, another, orderId, { reason: "Both sides asked." })).refusal, null);
};

export const aCorrectedHandoverKeepsWhatIsNotSent = async (db: Db) => {
  const { seller, buyer, orderId } = await ordered(db);
  const hand = async (handover: Handover, shown?: string) =>
    (await handleOrderIntent(db, seller, orderId, "hand over", { handover, shown })).refusal;
  const parcel = async () => (await findOrder(db, buyer, orderId))?.parcel;
  const shipped = { parcelService: "UPS", trackingNumber: "1Z 999" };
  assert.equal(await hand({ handover: "shipped", ...shipped }, "reserved"), null);
  assert.equal(await hand({}), null);
  assert.deepEqual(await parcel(), shipped);
  assert.equal(await hand({ handover: "shipped" }), null);
  assert.deepEqual(await parcel(), shipped);
  // A page that was opened before the handover.
  assert.equal(await hand({ handover: "in person" }, "reserved"), "handover changed");
  assert.deepEqual(await parcel(), shipped);
  assert.equal(await hand({ trackingNumber: "1Z 111" }, "UPS 1Z 999"), null);
  assert.equal(await hand({ trackingNumber: "" }, "UPS 1Z 999"), "handover changed");
  assert.deepEqual(await parcel(), { ...shipped, trackingNumber: "1Z 111" });
  assert.equal(await hand({ trackingNumber: "" }), null);
  assert.deepEqual(await parcel(), { ...shipped, trackingNumber: null });
  assert.equal(await hand({ handover: "shipped", trackingNumber: "1Z 222" }), null);
  assert.deepEqual(await parcel(), { ...shipped, trackingNumber: "1Z 222" });
  assert.equal(await hand({ handover: "in person" }), null);
  assert.equal(await parcel(), null);
  // Nothing says who delivers it.
  assert.equal(await hand({ handover: "shipped" }), "no parcel service");
  assert.equal(await parcel(), null);
};

export const nothingIsShippedWithoutWhoDeliversIt = async (db: Db) => {
  const { seller, orderId } = await ordered(db);
  const hand = async (handover: Handover) =>
    (await handleOrderIntent(db, seller, orderId, "hand over", { handover })).refusal;
  assert.equal(await hand({ handover: "shipped", trackingNumber: "1Z 999" }), "no parcel service");
  assert.equal((await findOrder(db, seller, orderId))?.stage, "reserved");
};
