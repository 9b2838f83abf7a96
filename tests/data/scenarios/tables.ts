import assert from "node:assert/strict";
import { eq, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import type { Cursor } from "#app/db/cursor.ts";
import { targetKinds } from "#app/db/enums.ts";
import type { NumberedPage } from "#app/db/keyset.server.ts";
import {
  activity,
  contentReports,
  decisions,
  orders,
  phones,
  savedAddresses,
  tickets,
  users,
} from "#app/db/schema.ts";
import { selectiveFilters } from "#app/db/selective-filter.server.ts";
import { isSuspended, system } from "#app/features/accounts/viewer.ts";
import { findRecords } from "#app/features/administration/find-records.server.ts";
import { type UserQuery, userTable } from "#app/features/administration/user-tables.rules.ts";
import { countUsers, listUsers } from "#app/features/administration/users.server.ts";
import { listActivity } from "#app/features/audit/activity.server.ts";
import { type ActivityQuery, activityTable } from "#app/features/audit/activity-table.rules.ts";
import { type ListingQuery, listingTable } from "#app/features/listings/listing-table.rules.ts";
import { listAllListings } from "#app/features/listings/listing-tables.server.ts";
import {
  type ContentReportQuery,
  contentReportTable,
} from "#app/features/moderation/reports/content-report.rules.ts";
import { listContentReports } from "#app/features/moderation/reports/content-reports.server.ts";
import { type OrderQuery, orderTable } from "#app/features/orders/order-table.rules.ts";
import { listAllOrders } from "#app/features/orders/orders.server.ts";
import { type TicketQuery, ticketTable } from "#app/features/support-tickets/ticket-table.rules.ts";
import { listTickets } from "#app/features/support-tickets/tickets.server.ts";
import { bookWithoutLimits } from "../../harness/bookings.ts";
import { addAccount, addPhone } from "../../harness/fixtures.ts";

const rowCount = 70;
const day = (number: number) => `2026-03-${String(1 + (number % 20)).padStart(2, "0")}`;
const timeOf = (number: number) => new Date(`${day(number)}T23:59:59.999Z`);

/** Numbers that look random, the same in each run. */
function randomNumbers(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

/** Reads all pages forwards, then back, and checks that they and their numbers agree. */
async function readPages(read: (cursor: Cursor) => Promise<NumberedPage<{ id: string }>>): Promise<string[]> {
  const pages: string[][] = [];
  let page = await read(null);
  for (;;) {
    assert.equal(page.firstNumber, pages.flat().length + 1);
    pages.push(page.rows.map(({ id }) => id));
    if (page.next === null) break;
    page = await read({ after: page.next });
  }
  for (let index = pages.length - 2; index >= 0; index -= 1) {
    page = await read({ before: page.previous ?? "" });
    assert.deepEqual(
      page.rows.map(({ id }) => id),
      pages[index],
    );
    assert.equal(page.firstNumber, pages.slice(0, index).flat().length + 1);
  }
  return pages.flat();
}

/** The words of a text without letter case and accents, each after a space. */
const wordsOf = (text: string) =>
  (
    text
      .normalize("NFD")
      .replaceAll(/\p{M}/gu, "")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  )
    .map((word) => ` ${word}`)
    .join("");
const hasTyped = (texts: string[], typed = "") => {
  const words = typed.split(" ").map(wordsOf).filter(Boolean);
  const areFound = words.every((word) => texts.some((text) => wordsOf(text).includes(word)));
  return typed === "" || (words.length > 0 && areFound);
};
const begins = (text: string, prefix = "") => text.toLowerCase().startsWith(prefix.toLowerCase());
const isInDays = (time: Date, { from = "", to = "9" }: { from?: string; to?: string }) => {
  const date = time.toISOString().slice(0, 10);
  return date >= from && date <= to;
};

/** Sorts rows by a value, then by id. */
function sorted<Row extends { id: string }>(
  rows: Row[],
  value: (row: Row) => string | number,
  down: boolean,
) {
  const compare = <Value extends string | number>(one: Value, other: Value) =>
    one < other ? -1 : one > other ? 1 : 0;
  const ascending = rows.toSorted(
    (one, other) => compare(value(one), value(other)) || compare(one.id, other.id),
  );
  return (down ? ascending.reverse() : ascending).map(({ id }) => id);
}

const none = () => 0;

/** Picks some of the possible filters and a sort order. */
function pick<Filters extends object, Sort extends string>(
  random: (below: number) => number,
  possible: { [Name in keyof Filters]-?: NonNullable<Filters[Name]>[] },
  sorts: Readonly<Record<Sort, string>>,
): { filters: Filters; sort: Sort } {
  const filters = Object.entries<unknown[]>(possible).flatMap(([name, values]) =>
    random(5) < 2 ? [[name, values[random(values.length)]]] : [],
  );
  const names = Object.keys(sorts) as Sort[];
  return { filters: Object.fromEntries(filters), sort: names[random(names.length)] as Sort };
}

export const filtersAndSortsUsers = async (db: Db) => {
  const random = randomNumbers(1);
  const names = ["Ann Lee", "ann Lee", "Anna", "Bo", "100% O'Hara", "_", "Ärne", "ZOË"];
  const soon = new Date(Date.now() + 60_000);
  const suspensions = [
    {},
    { suspensionId: "decision" },
    { suspensionId: "decision", suspendedUntil: soon },
    { suspensionId: "decision", suspendedUntil: timeOf(1) },
  ];
  const selling = new Set<string>();
  const deliveries = new Map<string, { address: string; phone: string }>();
  for (let index = 0; index < rowCount; index += 1) {
    const { id } = await addAccount(db, {
      ...suspensions[random(4)],
      name: names[random(names.length)],
      email: `${["Ann", "bo", "x_%"][random(3)]}${index}@example.com`,
      userType: (["Buyer", "Seller", "Admin"] as const)[random(3)],
      verified: random(2) === 1,
      emailVerifiedAt: random(2) ? timeOf(index) : null,
      removalId: random(10) ? null : "some removal",
    });
    if (random(4) === 0) {
      const removalId = random(3) ? null : "some removal";
      await addPhone(db, { sellerId: id, hiddenById: removalId });
      if (!removalId) selling.add(id);
    }
    const delivery = [
      undefined,
      { address: "12 Long Lane", phone: "+46 70-123 45 67" },
      { address: "7 Quay 100%", phone: "ask 4670" },
    ][random(3)];
    if (!delivery) continue;
    deliveries.set(id, delivery);
    if (random(2)) await db.insert(savedAddresses).values({ userId: id, ...delivery });
    else {
      const { address: buyerAddress, phone: phoneNumber } = delivery;
      await db.insert(orders).values({
        ...{
          phoneId: id,
          buyerId: id,
          productName: "",
          ram: "",
          rom: "",
          priceCents: 1,
          buyerName: "",
          email: "",
        },
        ...{ buyerAddress, phoneNumber, status: "cancelled" },
      });
    }
  }
  const all = await db.select().from(users);
  const found: Record<string, (delivery: { address: string; phone: string }) => boolean> = {
    "long lane": ({ address }) => address === "12 Long Lane",
    "100%": ({ address }) => address === "7 Quay 100%",
    "(46) 70/1": ({ phone }) => phone.startsWith("+46"),
    "4670": () => true,
    "7 Qua": ({ address }) => address === "7 Quay 100%",
    // Too short.
    "7 Q": () => false,
    "7 ": () => false,
    "%%%%": () => false,
  };
  const isFound = (id: string, contact: string) => {
    const delivery = deliveries.get(id);
    return delivery !== undefined && (found[contact]?.(delivery) ?? false);
  };
  for (let run = 0; run < 60; run += 1) {
    const { filters, sort } = pick<UserQuery["filters"], keyof typeof userTable.sorts>(
      random,
      {
        q: ["ann", "ANN L", "bo", "x_", "%", "_", "100%", "Ä", "zo", "nobody"],
        role: ["Buyer", "Seller", "Admin"],
        verified: ["yes", "no"],
        email: ["yes", "no"],
        account: ["suspended", "open"],
        listings: ["yes", "no"],
        contact: Object.keys(found),
      },
      userTable.sorts,
    );
    const expected = all.filter(
      (user) =>
        user.removalId === null &&
        hasTyped([user.name, user.email], filters.q) &&
        (!filters.role || user.userType === filters.role) &&
        (!filters.verified || user.verified === (filters.verified === "yes")) &&
        (!filters.email || (user.emailVerifiedAt !== null) === (filters.email === "yes")) &&
        (!filters.account || isSuspended(user) === (filters.account === "suspended")) &&
        (!filters.listings || selling.has(user.id) === (filters.listings === "yes")) &&
        (!filters.contact || isFound(user.id, filters.contact)),
    );
    assert.equal(await countUsers(db, { filters }), expected.length);
    const lower = (text: string) => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
    const value = { name: "name", email: "email", oldest: null, newest: null }[sort] as
      | "name"
      | "email"
      | null;
    assert.deepEqual(
      await readPages((cursor) => listUsers(db, cursor, { filters, sort })),
      sorted(expected, (user) => (value ? lower(user[value]) : 0), sort === "newest"),
      JSON.stringify({ filters, sort }),
    );
  }
  // A cursor of another order leads to the first page.
  const { next } = await listUsers(db, null);
  const byName = await listUsers(db, { after: next ?? "" }, { filters: {}, sort: "name" });
  assert.equal(byName.firstNumber, 1);
};

export const findsUsersByTheWordsOfAnAddress = async (db: Db) => {
  const [saver, buyer] = [await addAccount(db), await addAccount(db)];
  const [saved] = await db
    .insert(savedAddresses)
    .values({ userId: saver.id, address: "Müllerstraße 5, MÜNCHEN", phone: "" })
    .returning();
  const { id: phoneId } = await addPhone(db);
  await bookWithoutLimits(db, buyer, phoneId, { address: "12 Örtküla tee, Tallinn", phone: "+372 55 66 77" });
  const found = async (contact: string) =>
    (await listUsers(db, null, { filters: { contact } })).rows.map(({ id }) => id);
  for (const typed of ["münchen", "MUNCHEN", "müllerstr", "5 münchen"])
    assert.deepEqual([typed, await found(typed)], [typed, [saver.id]]);
  for (const typed of ["ortkula", "ÖRTKÜLA tallinn", "556677", "55 66 77"])
    assert.deepEqual([typed, await found(typed)], [typed, [buyer.id]]);
  assert.deepEqual(await found("elsewhere"), []);
  // The search of all records finds nobody by an address.
  assert.deepEqual((await findRecords(db, saver, "tallinn", [])).users, []);
  await db.delete(savedAddresses).where(eq(savedAddresses.id, saved?.id ?? ""));
  assert.deepEqual(await found("münchen"), []);
};

export const filtersAndSortsListings = async (db: Db) => {
  const random = randomNumbers(2);
  const sellers = [
    await addAccount(db, { name: "Ann", email: "ann@example.com" }),
    await addAccount(db, { name: "Bo", email: "zed@example.com" }),
  ];
  const hiding: { id: string; kind: "hide" | "hold" | "suspend" }[] = [];
  for (const { id: ownerId } of sellers) {
    for (const kind of ["hide", "hold", "suspend"] as const) {
      const decision = {
        kind,
        ownerId,
        targetKind: "listing",
        targetId: "",
        target: "",
        reason: "",
      } as const;
      hiding.push(
        ...(await db.insert(decisions).values(decision).returning()).map(({ id }) => ({ id, kind })),
      );
    }
  }
  const removals = [...hiding.map(({ id }) => id), "some removal"];
  for (let index = 0; index < rowCount; index += 1) {
    await addPhone(db, {
      sellerId: sellers[random(2)]?.id,
      brandName: ["Apple", "apple", "Sony", "Sony Ericsson"][random(4)],
      model: ["M", "Son 1"][random(2)],
      sellingCents: [10_000, 10_050, 20_000, 9_999][random(4)],
      status: (["available", "reserved", "sold"] as const)[random(3)],
      hiddenById: removals[random(15)] ?? null,
    });
  }
  const all = await db.select().from(phones);
  for (let run = 0; run < 30; run += 1) {
    const { filters, sort } = pick<ListingQuery["filters"], keyof typeof listingTable.sorts>(
      random,
      {
        q: ["ann", "BO", "zed@", "nobody"],
        status: ["available", "reserved", "sold", "hidden", "held", "suspended"],
        device: ["apple", "son", "Sony E", "Sony son", "x"],
        minPrice: ["100", "100.5", "300"],
        maxPrice: ["100", "200", "99.99"],
      },
      listingTable.sorts,
    );
    const expected = all.filter((phone) => {
      const seller = sellers.find(({ id }) => id === phone.sellerId);
      const hidden = hiding.find(({ id }) => id === phone.hiddenById);
      const status = hidden && { hide: "hidden", hold: "held", suspend: "suspended" }[hidden.kind];
      const statuses = [status, status && phone.status === "available" ? undefined : phone.status];
      return (
        (phone.hiddenById === null || hidden) &&
        hasTyped([seller?.name ?? "", seller?.email ?? ""], filters.q) &&
        (!filters.status || statuses.includes(filters.status)) &&
        (!filters.device ||
          ` ${phone.brandName} ${phone.model}`.toLowerCase().includes(` ${filters.device.toLowerCase()}`)) &&
        phone.sellingCents >= Number(filters.minPrice ?? 0) * 100 &&
        phone.sellingCents <= Number(filters.maxPrice ?? 1000) * 100
      );
    });
    const value = sort.startsWith("price") ? (phone: { sellingCents: number }) => phone.sellingCents : none;
    assert.deepEqual(
      await readPages((cursor) => listAllListings(db, cursor, { filters, sort })),
      sorted(expected, value, sort === "newest" || sort === "price-down"),
      JSON.stringify({ filters, sort }),
    );
  }
};

export const filtersAndSortsOrders = async (db: Db) => {
  const random = randomNumbers(3);
  const buyers = [
    await addAccount(db, { name: "Ann", email: "ann@example.com" }),
    await addAccount(db, { name: "Bo", email: "zed@example.com" }),
  ];
  const offered: Record<string, string> = {};
  for (const { id: sellerId, name } of buyers) {
    for (let number = 0; number < 35; number += 1) {
      offered[(await addPhone(db, { sellerId })).id] = name;
    }
  }
  const order = {
    productName: "P",
    ram: "",
    rom: "",
    buyerName: "",
    buyerAddress: "",
    email: "",
    phoneNumber: "",
  };
  for (let index = 0; index < rowCount; index += 1) {
    await db.insert(orders).values({
      ...order,
      phoneId: Object.keys(offered)[index] ?? "",
      buyerId: buyers[random(2)]?.id ?? "",
      priceCents: [10_000, 10_050, 9_999][random(3)] ?? 0,
      status: random(3) ? "active" : "cancelled",
      stage: (["reserved", "handed over", "received"] as const)[random(3)],
      createdAt: timeOf(index),
    });
  }
  const all = await db.select().from(orders);
  for (let run = 0; run < 30; run += 1) {
    const { filters, sort: by } = pick<OrderQuery["filters"], keyof typeof orderTable.sorts>(
      random,
      {
        q: ["ann", "BO", "zed@", "nobody"],
        stage: ["reserved", "handed over", "received", "cancelled", "all"],
        seller: ["ann", "bo", "nobody"],
        from: [day(3), day(9)],
        to: [day(3), day(12)],
      },
      orderTable.sorts,
    );
    const { stage, q } = filters;
    const expected = all.filter((row) => {
      const buyer = buyers.find(({ id }) => id === row.buyerId);
      const isShown =
        stage === "all" ||
        (stage === "cancelled"
          ? row.status === "cancelled"
          : row.status === "active" && (!stage || row.stage === stage));
      const isNamed = hasTyped([buyer?.name ?? "", buyer?.email ?? ""], q);
      return (
        isShown &&
        isNamed &&
        hasTyped([offered[row.phoneId] ?? ""], filters.seller) &&
        isInDays(row.createdAt, filters)
      );
    });
    const value = by.startsWith("price") ? (row: { priceCents: number }) => row.priceCents : none;
    assert.deepEqual(
      await readPages((cursor) => listAllOrders(db, cursor, { filters, sort: by })),
      sorted(expected, value, by === "newest" || by === "price-down"),
      JSON.stringify({ filters, by }),
    );
  }
};

export const filtersAndSortsReportsAndActivity = async (db: Db) => {
  const random = randomNumbers(4);
  const actions = ["verified seller", "deleted user", "exported table"] as const;
  for (let index = 0; index < rowCount; index += 1) {
    await db.insert(tickets).values({
      name: ["Ann", "bo", ""][random(3)] ?? "",
      email: ["zed@example.com", "ann@example.com", ""][random(3)] ?? "",
      details: ["The button is 100% stuck", "Nothing", ""][random(3)] ?? "",
      createdAt: timeOf(index),
      state: random(2) ? "open" : "closed",
      removalId: random(10) ? null : "some removal",
    });
    await db.insert(activity).values({
      actorId: "a",
      actorEmail: ["Ada@example.com", "adam@example.com", "bo@example.com"][random(3)] ?? "",
      action: actions[random(3)] ?? "verified seller",
      targetId: "t",
      target: "T",
      createdAt: timeOf(index),
    });
  }
  const [allReports, allActivity] = [await db.select().from(tickets), await db.select().from(activity)];
  const days = { from: [day(3), day(9)], to: [day(3), day(12)] };
  for (let run = 0; run < 25; run += 1) {
    const { filters, sort } = pick<TicketQuery["filters"], keyof typeof ticketTable.sorts>(
      random,
      { q: ["ann", "BO", "zed@", "100%", "BUTTON is", "o", "nobody"], state: ["open", "closed"], ...days },
      ticketTable.sorts,
    );
    const { q = "" } = filters;
    const expected = allReports.filter(
      (report) =>
        report.removalId === null &&
        (!filters.state || report.state === filters.state) &&
        hasTyped([report.name, report.email, report.details], q) &&
        isInDays(report.createdAt, filters),
    );
    assert.deepEqual(
      await readPages((cursor) => listTickets(db, cursor, { filters, sort })),
      sorted(expected, none, sort === "newest"),
      JSON.stringify({ filters, sort }),
    );
  }
  for (let run = 0; run < 25; run += 1) {
    const { filters, sort } = pick<ActivityQuery["filters"], keyof typeof activityTable.sorts>(
      random,
      {
        q: ["ada", "adam@", "nobody"],
        action: ["deleted user", "exported table", "deleted report"],
        ...days,
      },
      activityTable.sorts,
    );
    const expected = allActivity.filter(
      (row) =>
        begins(row.actorEmail, filters.q) &&
        (!filters.action || row.action === filters.action) &&
        isInDays(row.createdAt, filters),
    );
    assert.deepEqual(
      await readPages((cursor) => listActivity(db, system, cursor, { filters, sort })),
      sorted(expected, none, sort === "newest"),
      JSON.stringify({ filters, sort }),
    );
  }
};

export const filtersAndSortsContentReports = async (db: Db) => {
  const random = randomNumbers(5);
  const people = [
    await addAccount(db, { name: "Ann", email: "ann@example.com" }),
    await addAccount(db, { name: "Bo", email: "zed@example.com" }),
  ];
  const gone = await addAccount(db, { name: "Gone", removalId: "some removal" });
  const admin = await addAccount(db, { userType: "Admin" });
  const phone = await addPhone(db, { brandName: "Apple", model: "M", sellerId: people[0]?.id });
  const [decision] = await db
    .insert(decisions)
    .values({ kind: "hide", ownerId: "", targetKind: "listing", targetId: "", target: "", reason: "" })
    .returning();
  for (let index = 0; index < rowCount; index += 1) {
    await db
      .insert(contentReports)
      .values({
        targetKind: targetKinds[random(4)] ?? "listing",
        targetId: index === 0 || random(2) ? `target ${index}` : phone.id,
        ownerId: people[random(2)]?.id ?? "",
        reporterId: [...people, gone][random(3)]?.id ?? "",
        reason: "spam",
        details: "",
        createdAt: timeOf(index),
        decisionId: (random(2) && decision?.id) || null,
      })
      .onConflictDoNothing();
  }
  const all = await db.select().from(contentReports);
  for (let run = 0; run < 25; run += 1) {
    const { filters, sort } = pick<ContentReportQuery["filters"], keyof typeof contentReportTable.sorts>(
      random,
      {
        q: ["ann", "BO", "zed@", "nobody"],
        owner: ["ann", "zed@"],
        kind: [...targetKinds],
        state: ["open", "decided"],
        from: [day(3), day(9)],
        to: [day(3), day(12)],
      },
      contentReportTable.sorts,
    );
    const isNamed = (id: string, text?: string) =>
      !text || people.some((person) => person.id === id && hasTyped([person.name, person.email], text));
    const expected = all.filter(
      (report) =>
        isNamed(report.reporterId, filters.q) &&
        isNamed(report.ownerId, filters.owner) &&
        (!filters.kind || report.targetKind === filters.kind) &&
        (!filters.state || (report.decisionId === null) === (filters.state === "open")) &&
        isInDays(report.createdAt, filters),
    );
    assert.deepEqual(
      await readPages((cursor) => listContentReports(db, admin, cursor, { filters, sort })),
      sorted(expected, none, sort === "newest"),
      JSON.stringify({ filters, sort }),
    );
  }
  const shown = (await listContentReports(db, admin, null)).rows;
  assert.ok(shown.some(({ target, kind }) => kind === "listing" && target === "Apple M"));
  assert.ok(
    shown.some(({ reporterId, reporterName }) => reporterId === null && reporterName === "Former member"),
  );
};

export const filtersByTheIndexOfTheFilterOrOfTheOrder = async (db: Db) => {
  await addAccount(db, { userType: "Seller" });
  await db.run(sql`
    with recursive numbers(number) as (select 1 union all select number + 1 from numbers where number < 2000)
    insert into users (id, name, email, user_type, created_at)
    select 'buyer-' || number, 'Buyer', 'buyer' || number || '@example.com', 'Buyer', 1 from numbers`);
  const find = async (userType: "Buyer" | "Seller" | "Admin") => {
    const [filter] = await selectiveFilters(db, users, [undefined, eq(users.userType, userType)]);
    const rows = await db.select({ userType: users.userType }).from(users).where(filter);
    const plan = await db.all<{ detail: string }>(
      sql`explain query plan select id from users where ${filter} order by id`,
    );
    return { found: rows.map((row) => row.userType), plan: plan.map(({ detail }) => detail).join() };
  };
  const [many, few, none] = [await find("Buyer"), await find("Seller"), await find("Admin")];
  assert.equal(many.found.length, 2000);
  assert.doesNotMatch(many.plan, /users_(user_type|verified)/);
  assert.deepEqual(few.found, ["Seller"]);
  assert.match(few.plan, /users_(user_type|verified)/);
  assert.deepEqual(none.found, []);
};

export const findsTheReportsOfAnOwnerByAnIndex = async (db: Db) => {
  const plan = await db.all<{ detail: string }>(
    sql`explain query plan select * from content_reports where owner_id = 'x' group by kind, target_id`,
  );
  assert.match(
    plan.map(({ detail }) => detail).join(),
    /SEARCH content_reports USING INDEX content_reports_owner/,
  );
};
