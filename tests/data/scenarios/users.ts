import assert from "node:assert/strict";
import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import type { Cursor } from "#app/db/cursor.ts";
import { latinLetters } from "#app/db/fold-text.ts";
import { activity, notifications, orders, savedAddresses, tickets, users } from "#app/db/schema.ts";
import { allRoles } from "#app/features/accounts/permissions.ts";
import {
  addAnnouncement,
  endAnnouncement,
  notifyOfAnnouncements,
  writeToUser,
} from "#app/features/administration/announcements.server.ts";
import { findRecords } from "#app/features/administration/find-records.server.ts";
import { findAnnouncements } from "#app/features/administration/shown-announcements.server.ts";
import { verifySeller } from "#app/features/administration/user-actions.server.ts";
import { countUsers, listUsers } from "#app/features/administration/users.server.ts";
import { imeiHashesOf } from "#app/features/listings/listing-edit.server.ts";
import { listAllListings } from "#app/features/listings/listing-tables.server.ts";
import { ticketNumber } from "#app/features/support-tickets/ticket-table.rules.ts";
import { createTicket, listTickets } from "#app/features/support-tickets/tickets.server.ts";
import { dayMs } from "#app/time.ts";
import { bookWithoutLimits } from "../../harness/bookings.ts";
import { addAccount, addPhone, removeUser } from "../../harness/fixtures.ts";

export const verifiesExistingSellersOnly = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const buyer = await addAccount(db);
  const gone = await addAccount(db, { userType: "Seller", removalId: "some removal" });
  for (const id of [buyer.id, gone.id, admin.id, "nobody"]) {
    assert.deepEqual(await verifySeller(db, admin, id), { refusal: "not found" });
  }
  assert.deepEqual(await db.select().from(users).where(eq(users.verified, true)), []);
  assert.deepEqual(await db.select().from(activity), []);
};

export const numbersTheRowsOfEachPageOfATable = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const ids: string[] = [admin.id];
  for (let count = 0; count < 59; count += 1) ids.push((await addAccount(db)).id);
  const numbered = async (cursor: Cursor) => {
    const { firstNumber: first, rows, previous, next } = await listUsers(db, cursor);
    const numbers = rows.map(({ id }, index) => [first + index, ids.indexOf(id) + 1]);
    assert.ok(numbers.every(([shown, actual]) => shown === actual));
    return { first, last: numbers.at(-1)?.[0], previous, next };
  };
  const { next = "" } = await numbered(null);
  const second = await numbered({ after: next ?? "" });
  const third = await numbered({ after: second.next ?? "" });
  const [isSecond, isThird] = [
    { ...second, first: 26, last: 50 },
    { ...third, first: 51, last: 60, next: null },
  ];
  assert.deepEqual([second, third], [isSecond, isThird]);
  assert.deepEqual(await numbered({ before: third.previous ?? "" }), isSecond);

  // The cursor of a removed row still works, and the rows behind it move up by one.
  const [removed = ""] = ids.splice(24, 1);
  assert.equal(removed, next);
  assert.ok(await removeUser(db, admin, removed));
  assert.deepEqual(await numbered({ after: removed }), { ...second, first: 25, last: 49 });
  const [first] = ids.splice(25, 1);
  assert.ok(first && (await removeUser(db, admin, first)));
  const before = await numbered({ before: first });
  assert.deepEqual([before.first, before.last, before.next], [1, 25, ids[24]]);

  // Nothing is before the first row or after the last one.
  const [empty, beyond] = [
    await listUsers(db, { before: ids[0] ?? "" }),
    await listUsers(db, { after: ids.at(-1) ?? "" }),
  ];
  assert.deepEqual([empty.rows, empty.firstNumber, empty.isFirstPage], [[], 1, false]);
  assert.deepEqual([beyond.rows, beyond.firstNumber, beyond.isFirstPage], [[], 59, false]);
};

export const listsUsersInSignUpOrder = async (db: Db) => {
  const ids: string[] = [];
  for (let count = 0; count < 30; count += 1) {
    ids.push((await addAccount(db, { userType: count % 2 ? "Seller" : "Buyer" })).id);
  }
  await addAccount(db, { removalId: "some removal" });
  const first = await listUsers(db, null);
  const second = await listUsers(db, { after: first.next ?? "" });
  assert.deepEqual(
    [...first.rows, ...second.rows].map(({ id }) => id),
    ids,
  );
  assert.deepEqual([first.firstNumber, second.firstNumber], [1, 26]);
  assert.deepEqual([first.previous, second.next], [null, null]);
  const back = await listUsers(db, { before: second.previous ?? "" });
  assert.deepEqual(back, { ...first, isFirstPage: false });
  const sellers = (await listUsers(db, null, { filters: { role: "Seller" } })).rows;
  assert.equal(sellers.length, 15);
  assert.ok(sellers.every(({ userType }) => userType === "Seller"));
  assert.ok(sellers.every((seller) => !("passwordHash" in seller)));
};

export const anAnnouncementNotifiesItsReadersInPortions = async (db: Db) => {
  const admin = await addAccount(db, { userType: "Admin" });
  const sellers = [
    await addAccount(db, { userType: "Seller" }),
    await addAccount(db, { userType: "Seller" }),
  ];
  const publishing = await addAccount(db);
  await addPhone(db, { sellerId: publishing.id });
  await addAccount(db);
  await addAccount(db, { userType: "Seller", removalId: "some removal" });
  const readers = [admin, ...sellers, publishing].map(({ id }) => id).sort();
  const day = (days: number) => new Date(Date.now() + days * dayMs);
  const iso = (days: number) => day(days).toISOString().slice(0, 10);
  const values = { text: "News", audience: "sellers", from: iso(1), to: iso(2), notifies: true } as const;
  for (let times = 0; times < 2; times += 1) await addAnnouncement(db, admin, values, "one");
  const notified = async () => (await db.select().from(notifications)).map(({ userId }) => userId).sort();
  await notifyOfAnnouncements(db, day(0), 3);
  assert.deepEqual(await notified(), []);
  await notifyOfAnnouncements(db, day(1), 3);
  assert.equal((await notified()).length, 3);
  for (let runs = 0; runs < 3; runs += 1) await notifyOfAnnouncements(db, day(1), 3);
  assert.deepEqual(await notified(), readers);
  const read = async (viewer: typeof admin, days: number) =>
    (await findAnnouncements(db, viewer, day(days))).map(({ text }) => text);
  assert.deepEqual(
    [await read(admin, 0), await read(admin, 1), await read(publishing, 2), await read(admin, 3)],
    [[], ["News"], ["News"], []],
  );
  assert.deepEqual(await read(await addAccount(db), 1), []);

  // One that ends notifies nobody more.
  await addAnnouncement(db, admin, { ...values, audience: "all", from: iso(0) }, "two");
  assert.deepEqual(
    [(await endAnnouncement(db, admin, "two")).refusal, (await endAnnouncement(db, admin, "two")).refusal],
    [undefined, "not found"],
  );
  await notifyOfAnnouncements(db);
  assert.deepEqual(await notified(), readers);
  assert.equal(await writeToUser(db, admin, "nobody", "Hello", "key"), false);
};

export const theTableOfUsersFiltersByEachRole = async (db: Db) => {
  const named = (name: string, row: Parameters<typeof addAccount>[1] = {}) =>
    addAccount(db, { name, ...row });
  await named("Bo");
  await named("Mo", { moderatorSince: new Date() });
  await named("Sal", { userType: "Seller", moderatorSince: new Date() });
  await named("Ada", { userType: "Admin" });
  const names = async (role: (typeof allRoles)[number]) =>
    (await listUsers(db, null, { filters: { role } })).rows.map(({ name }) => name).join(" ");
  const found = await Promise.all(allRoles.map(async (role) => [role, await names(role)]));
  assert.deepEqual(Object.fromEntries(found), {
    Buyer: "Bo Mo",
    Seller: "Sal",
    Moderator: "Mo Sal",
    Admin: "Ada",
  });
  assert.equal(await countUsers(db, { filters: { role: "Moderator" } }), 2);
};

export const findsPeopleAndReportsWhateverLetterCaseAndAccents = async (db: Db) => {
  const viewer = await addAccount(db, { userType: "Admin", name: "Nobody" });
  const named = async (name: string) => (await addAccount(db, { name })).id;
  const [ozgur, anna, muller, sean] = [
    await named("ÖZGÜR YILMAZ"),
    await named("Анна Petrowa"),
    await named("Anna Müller"),
    await named("Seán O’Brien"),
  ];
  const found = async (q: string) => {
    const [listed, records] = [
      await listUsers(db, null, { filters: { q } }),
      await findRecords(db, viewer, q, []),
    ];
    const ids = listed.rows.map(({ id }) => id).sort();
    assert.deepEqual(records.users.map(({ id }) => id).sort(), ids);
    return ids;
  };
  assert.deepEqual(await found("özgür"), [ozgur]);
  assert.deepEqual(await found("ozgur yil"), [ozgur]);
  assert.deepEqual(await found("анна"), [anna]);
  assert.deepEqual(await found("müller".normalize("NFD")), [muller]);
  assert.deepEqual(await found("MULLER anna"), [muller]);
  assert.deepEqual(await found("sean"), [sean]);
  assert.deepEqual(await found("o’brien"), [sean]);
  assert.deepEqual(await found('"* OR mul {name} : ('), []);
  assert.deepEqual(await found("--"), []);

  await db.update(users).set({ name: "Jürgen Weiß", email: "jw@mail.example" }).where(eq(users.id, sean));
  assert.deepEqual(await found("sean"), []);
  assert.deepEqual(await found("jurgen"), [sean]);
  assert.deepEqual(await found("jw@mail.ex"), [sean]);
  await db.delete(users).where(eq(users.id, sean));
  assert.deepEqual(await found("jurgen"), []);

  for (const [name, typed] of [
    ["Łukasz ŻÓŁĆ", "lukasz zolc"],
    ["Søren ÆRØ", "soren aero"],
    ["Gerda WEIẞ", "weiss"],
    ["Aude Bœuf", "BŒUF"],
    ["Đorđe Hoxha", "dorde"],
    ["Işıl Demir", "ısil"],
    ["Þór Ðarri", "thor darri"],
    ["ΓΙΏΡΓΟΣ Παπαδόπουλος", "γιωργος παπαδοπουλος"],
    ["Μαρία Ελευθερίου", "ΜΑΡΊΑ"],
    ["アンナ", "ｱﾝﾅ"],
  ] as const) {
    const id = await named(name);
    assert.deepEqual([typed, await found(typed)], [typed, [id]]);
  }
  for (const [at, [letter, plain]] of Object.entries(latinLetters).entries()) {
    const ids = [await named(`${at}q${letter}`), await named(`${at}Q${letter.toUpperCase()}`)].sort();
    assert.deepEqual([letter, await found(`${at}q${plain}`)], [letter, ids]);
  }

  const report = await createTicket(db, { name: "Łukasz", email: "", details: "ДОСТАВКА прервана" }, null);
  const ofReports = async (q: string) =>
    (await listTickets(db, null, { filters: { q } })).rows.map(({ id }) => id);
  assert.deepEqual(await ofReports("доставка"), [report]);
  assert.deepEqual(await ofReports("nothing"), []);
  assert.deepEqual(
    (await findRecords(db, viewer, "прервана", [])).reports.map(({ id }) => id),
    [report],
  );
  // By its number, and from three characters on by each of its groups. Letters alone are a name, but with "#".
  const reportsFound = async (typed: string) => [
    await ofReports(typed),
    (await findRecords(db, viewer, typed, [])).reports.map(({ id }) => id),
  ];
  const numbered = `${report.slice(0, -12)}12345678abcd`;
  await db.update(tickets).set({ id: numbered }).where(eq(tickets.id, report));
  for (const typed of [ticketNumber(numbered), "1234-5678-abcd", "123", "5678ABCD", "#abc"])
    assert.deepEqual([typed, await reportsFound(typed)], [typed, [[numbered], [numbered]]]);
  assert.deepEqual(await reportsFound("abc"), [[], []]);
};

export const findsAListingAndItsOrderByTheWholeImei = async (db: Db) => {
  const viewer = await addAccount(db, { userType: "Admin" });
  const [secrets, imei] = [["new secret", "old secret"], "490154203237518"];
  const [, imeiHash] = await imeiHashesOf(secrets, imei);
  const { id } = await addPhone(db, { imeiHash: imeiHash ?? "" });
  const buyer = await addAccount(db);
  const { orderId } = await bookWithoutLimits(db, buyer, id, { address: "", phone: "" });
  const found = async (typed: string) => {
    const { listings, orders } = await findRecords(db, viewer, typed, secrets);
    return [...listings, ...orders].map((record) => record.id);
  };
  for (const typed of [imei, "49-015420-323751-8"]) assert.deepEqual(await found(typed), [id, orderId]);
  for (const typed of ["49015420323751", "356938035643809"]) assert.deepEqual(await found(typed), []);
};

export const findsListingsAndOrdersWhateverLetterCaseAndAccents = async (db: Db) => {
  const viewer = await addAccount(db, { userType: "Admin" });
  const phone = await addPhone(db, { brandName: "ÖKO", model: "Łuna Fön 12" });
  const other = await addPhone(db, { brandName: "Nokia", model: "Fon" });
  const filtered = async (device: string) =>
    (await listAllListings(db, null, { filters: { device } })).rows.map(({ id }) => id);
  for (const device of ["öko", "oko luna", "Łuna", "luna FON", "luna  fön", "fön 1"])
    assert.deepEqual([device, await filtered(device)], [device, [phone.id]]);
  assert.deepEqual(await filtered("fon"), [other.id, phone.id]);
  assert.deepEqual([await filtered("una"), await filtered("--")], [[], []]);
  const buyer = await addAccount(db, { name: "Bo" });
  await bookWithoutLimits(db, buyer, phone.id, { address: "1 Harbour Street", phone: "12345" });
  const orders = async (typed: string) =>
    (await findRecords(db, viewer, typed, [])).orders.map(({ name }) => name);
  for (const typed of ["oko", "ÖKO Luna", "luna fon"])
    assert.deepEqual([typed, await orders(typed)], [typed, ["ÖKO Łuna Fön 12"]]);
  assert.deepEqual(await orders("nokia"), []);
};

export const aSearchIsNotedIfItShowsWhatContactDataAloneFinds = async (db: Db) => {
  const viewer = await addAccount(db, { userType: "Admin" });
  const buyer = await addAccount(db, { name: "Lane Cole" });
  const { id } = await addPhone(db);
  const { orderId = "" } = await bookWithoutLimits(db, buyer, id, { address: "", phone: "555 777" });
  await db
    .update(orders)
    .set({ buyerAddress: `${orderId.slice(-12)} Lane` })
    .where(eq(orders.id, orderId));
  const found = async (typed: string) => {
    const { usersByContact, ordersByContact, ...named } = await findRecords(db, viewer, typed, []);
    const ids = [named.users, usersByContact, named.orders, ordersByContact];
    return [...ids.map((rows) => rows.map((row) => row.id)), await db.$count(activity)];
  };
  assert.deepEqual(await found("lane"), [[buyer.id], [], [orderId], [], 0]);
  assert.deepEqual(await found(orderId.slice(-12)), [[], [buyer.id], [orderId], [], 1]);
  const other = await addAccount(db, { name: "Cy" });
  await db.insert(savedAddresses).values({ userId: other.id, address: "7 Harbour Lane", phone: "" });
  assert.deepEqual(await found("lane"), [[buyer.id], [other.id], [orderId], [], 2]);
  assert.deepEqual(await found("555777"), [[], [buyer.id], [], [orderId], 3]);
};

export const findsOrdersAndUsersByAddressAndPhoneNumber = async (db: Db) => {
  const viewer = await addAccount(db, { userType: "Admin" });
  const phone = await addPhone(db, { brandName: "Nokia", model: "8" });
  const [buyer, other] = [await addAccount(db, { name: "Bo" }), await addAccount(db, { name: "Cy" })];
  const written = { address: "12 Łódź Street\nSpringfield", phone: "+1 (415) 555-0123" };
  const { orderId = "" } = await bookWithoutLimits(db, buyer, phone.id, written);
  await db
    .insert(savedAddresses)
    .values({ userId: other.id, address: "7 Harbour Lane", phone: "0049/30.901820" });
  const found = async (typed: string) => {
    const records = await findRecords(db, viewer, typed, []);
    const byContact = records.usersByContact.map(({ name }) => name);
    const listed = (await listUsers(db, null, { filters: { contact: typed } })).rows;
    assert.deepEqual([typed, listed.map(({ name }) => name)], [typed, byContact]);
    return [...byContact, ...records.ordersByContact.map(({ id }) => id)];
  };
  for (const typed of [
    "12 lodz",
    "street",
    "springf",
    "4155550123",
    "(415) 5550",
    "5550123",
    "0123",
    "155",
    "１５５",
  ])
    assert.deepEqual([typed, await found(typed)], [typed, ["Bo", orderId]]);
  for (const typed of ["harb", "Lane 7", "30901820", "30 90 18", "0049-30", "820"])
    assert.deepEqual([typed, await found(typed)], [typed, ["Cy"]]);
  // Too little, another word or number, and parts of words.
  for (const typed of ["01", "st", "1 s", "7", "415 lodz", "0123 4", "55 street", "ringfield", "--"])
    assert.deepEqual([typed, await found(typed)], [typed, []]);

  // Reports have these words, too, and addresses are none of theirs.
  const report = await createTicket(
    db,
    { name: "", email: "", details: "My street is flooded, call 4155550123." },
    null,
  );
  assert.deepEqual(
    (await findRecords(db, viewer, "street", [])).reports.map(({ id }) => id),
    [report],
  );
  assert.deepEqual(await found("flooded"), []);

  await db
    .update(orders)
    .set({ buyerAddress: "3 Elm Court", phoneNumber: "555 777" })
    .where(eq(orders.id, orderId));
  assert.deepEqual(await Promise.all(["lodz", "0123", "elm", "5777"].map(found)), [
    [],
    [],
    ["Bo", orderId],
    ["Bo", orderId],
  ]);
  // What is erased is not found.
  await db.update(orders).set({ buyerAddress: "", phoneNumber: "" }).where(eq(orders.id, orderId));
  await db.delete(savedAddresses).where(eq(savedAddresses.userId, other.id));
  assert.deepEqual(await Promise.all(["elm", "5777", "harb", "820"].map(found)), [[], [], [], []]);
};
