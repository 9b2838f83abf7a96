/** @module-tag slow */
import { readFile } from "node:fs/promises";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { phones, users } from "#app/db/schema.ts";
import { modelSlug } from "#app/features/listings/device-variant.rules.ts";
import { refreshUsualPrices } from "#app/features/listings/fair-price.server.ts";
import { fillWithListings } from "../../bench/million-listings.ts";
import { textOf } from "../harness/html.ts";
import {
  addAccount,
  addProblem,
  password,
  startServer,
  type TestServer,
  visitor,
} from "../harness/server.ts";

// D1 bills rows read and written. docs/performance.md says how many the commonest requests take.

const header = "X-Rows";

/** A Worker in front of the product that counts the rows of a request, with those of its work after the response. */
const countingWorker = `
  import worker from "./index.js";

  function counting(database, rows) {
    return {
      withSession(constraint) {
        const session = database.withSession(constraint);
        async function batch(statements) {
          const results = await session.batch(statements.map(({ statement }) => statement));
          for (const { meta } of results) {
            rows.read += meta.rows_read;
            rows.written += meta.rows_written;
          }
          return results;
        }
        const counted = (statement, isRead) => ({
          statement,
          bind: (...values) => counted(statement.bind(...values), isRead),
          all: async () => (await batch([{ statement }]))[0],
          run: async () => (await batch([{ statement }]))[0],
          // Has no meta figures, so a read is repeated. Columns of the same name would be one in an object.
          async raw() {
            const [{ results }] = await batch([{ statement }]);
            return isRead ? statement.raw() : results.map(Object.values);
          },
        });
        const prepare = (text) => counted(session.prepare(text), /^\\s*(select|with)/i.test(text));
        return { batch, prepare, getBookmark: () => session.getBookmark() };
      },
    };
  }

  export default {
    ...worker,
    async fetch(request, bindings, execution) {
      const rows = { read: 0, written: 0 };
      const background = [];
      const waitUntil = (promise) => void background.push(promise);
      const DB = counting(bindings.DB, rows);
      const response = await worker.fetch(request, { ...bindings, DB }, { waitUntil });
      for (const promise of background) await promise.catch(() => {});
      const answer = new Response(response.body, response);
      answer.headers.set("${header}", [rows.read, rows.written].join());
      return answer;
    },
  };
`;

/** The figures that `countingWorker` adds to a response. */
function rowsOf(response: Response): [read: number, written: number] {
  const [read = Number.NaN, written = Number.NaN] = (response.headers.get(header) ?? "")
    .split(",")
    .map(Number);
  return [read, written];
}

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ wrapper: countingWorker });
  await fillWithListings(server.db, 20_000, "catalog");
  // A sale for each listing, since cards show usual prices.
  await server.db.run(sql`insert into users (id, name, email, user_type, email_verified_at, created_at)
    select 'buyer ' || number, '', 'buyer ' || number, 'Buyer', 0, 0 from phones where number <= 1000`);
  await server.db.update(users).set({ emailVerifiedAt: new Date(0) });
  await server.db.run(sql`insert into orders
    (id, phone_id, buyer_id, product_name, ram, rom, buyer_name, buyer_address, email, phone, price_cents, stage, status, created_at)
    select 'sale ' || number, id, 'buyer ' || (number % 1000 + 1), brand_name || ' ' || model, ram, rom, '', '', '', '',
      selling_cents, 'received', 'cancelled', 0
    from phones`);
  await refreshUsualPrices(server.db, Number.MAX_SAFE_INTEGER);
});
afterAll(() => server?.stop());

/** The rows of the table: the request, with the most rows that it may read and write. */
async function documented(): Promise<[request: string, read: number, written: number][]> {
  const page = await readFile("docs/performance.md", "utf8");
  const rows = page.matchAll(/^\| `((?:GET|POST) [^`]+)`[^|]* \| ([\d,]+) \| ([\d,]+) \|$/gm);
  const numberOf = (text = "") => Number(text.replaceAll(",", ""));
  return [...rows].map(([, request = "", read, written]) => [request, numberOf(read), numberOf(written)]);
}

test("the commonest requests read and write no more rows than docs/performance.md says", async () => {
  const [phone] = await server.db.select().from(phones).where(sql`listed and status = 'available'`).limit(1);
  if (!phone) throw new Error("There is no listing.");
  const stranger = visitor(server);
  const buyer = visitor(server);
  const { email } = await addAccount(server.db);
  await buyer.signIn(email);
  const places = { ":phone": phone.id, ":model": modelSlug(phone), ":seller": phone.sellerId };
  const fields: Record<string, Record<string, string>> = {
    "/login": { email, password },
    "/phones/:phone/book": { address: "1 Street", phone: "5550100" },
  };
  const limits = await documented();
  expect(limits).toHaveLength(12);
  for (const [request, mostRead, mostWritten] of limits) {
    const [method, path = ""] = request.split(" ");
    const address = path.replace(/:\w+/g, (place) => places[place as keyof typeof places]);
    const who = path.startsWith("/manage") || path.endsWith("/book") ? buyer : stranger;
    const response = method === "POST" ? await who.post(address, fields[path]) : await who.get(address);
    const [read, written] = rowsOf(response);
    expect.soft(response.status, request).toBe(method === "POST" ? 303 : 200);
    expect.soft(read, `${request} reads`).toBeLessThanOrEqual(mostRead);
    expect.soft(written, `${request} writes`).toBeLessThanOrEqual(mostWritten);
  }
});

test("pages of a seller with 5,000 listings read at most 300 rows, and changes of one listing at most 100", async () => {
  const seller = await addAccount(server.db, { userType: "Seller" });
  await addShop(seller.id);
  const visit = visitor(server);
  await visit.signIn(seller.email);
  const mySells = "/manage/mysells";
  const tabs = ["for sale", "to hand over", "handed over", "sold", "not listed", "drafts"];
  const pages = [
    mySells,
    `${mySells}?sort=oldest`,
    ...tabs.map((tab) => `${mySells}?${new URLSearchParams({ tab })}`),
    ...["oldest", "price-up", "price-down", "views"].map((sort) => `${mySells}?tab=for+sale&sort=${sort}`),
    `${mySells}?tab=for+sale&photo=without`,
    ...["price-down", "views"].map((sort) => `${mySells}?sort=${sort}`),
    // In To hand over, the orders before those that match are read, too; see below.
    ...["apple", "shop-41", "412"].flatMap((q) =>
      ["", "for sale", "handed over", "not listed"].flatMap((tab) =>
        ["oldest", "views"].map((sort) => `${mySells}?${new URLSearchParams({ q, tab, sort })}`),
      ),
    ),
    `${mySells}?tab=to+hand+over&q=apple`,
    `${mySells}?tab=to+hand+over&q=412`,
    `${mySells}/prices?tab=for+sale`,
    `${mySells}/prices?tab=for+sale&q=apple&sort=price-up`,
    `${mySells}/prices?tab=for+sale&sort=views`,
  ];
  for (const first of pages) {
    // Each of the 314 orders to hand over may have to be looked at.
    const most = first.includes("over&q=") ? 650 : 300;
    let path: string | undefined = first;
    // The pages after it, which say how many rows come before, and back.
    for (const [page, next] of ["Next", "Next", "Previous", ""].entries()) {
      const response = await visit.get(path);
      expect.soft(response.status, path).toBe(200);
      expect.soft(rowsOf(response)[0], `page ${page + 1} of ${first}`).toBeLessThanOrEqual(most);
      const html = await response.text();
      path = html.match(new RegExp(`rel="${next === "Next" ? "next" : "prev"}"[^>]*href="([^"]+)"`))?.[1];
      if (!path) break;
      path = path.replaceAll("&amp;", "&");
    }
  }
  const [listing] = await server.db
    .select({ id: phones.id, cents: phones.sellingCents })
    .from(phones)
    .where(sql`seller_id = ${seller.id} and tab = 'for sale'`)
    .limit(1);
  if (!listing) throw new Error("There is no listing.");
  const { id, cents } = listing;
  const changes: [path: string, fields: Record<string, string>][] = [
    ["/manage/mysells/prices", { [`shown-${id}`]: String(cents), [`price-${id}`]: String(cents / 100 + 1) }],
    ["/manage/mysells", { intent: "pause", id }],
    ["/manage/mysells", { intent: "sell similar", _id: id }],
  ];
  for (const [path, fields] of changes) {
    const response = await visit.post(path, fields);
    expect.soft(response.status, Object.keys(fields).join()).toBe(303);
    expect.soft(rowsOf(response)[0], Object.keys(fields).join()).toBeLessThanOrEqual(100);
  }
});

/** Gives a seller 5,000 of the listings, of which 314 are to be handed over to new buyers, and 63 are on their way. */
async function addShop(sellerId: string) {
  const { db } = server;
  const own = sql`seller_id = ${sellerId}`;
  await db.run(sql`update phones set seller_id = ${sellerId}, hidden_by_id = null, status = 'available', tab = 'for sale',
    own_number = 'shop-' || number where number <= 5000`);
  await db.run(sql`update phones set status = case when number % 80 < 6 then 'reserved' when number % 5 = 2 then 'sold'
    when number % 10 = 3 then 'paused' else 'available' end where ${own}`);
  await db.run(sql`insert into users (id, name, email, user_type, email_verified_at, created_at)
    select 'new buyer ' || number, '', 'new buyer ' || number, 'Buyer', 0, 0 from phones where ${own} and status = 'reserved'`);
  await db.run(sql`insert into orders
    (id, phone_id, buyer_id, product_name, ram, rom, buyer_name, buyer_address, email, phone, price_cents, stage, status,
      created_at, deadline_at, sold_by_id)
    select printf('01990000-0000-7000-9000-%012d', number), id, 'new buyer ' || number, brand_name || ' ' || model, ram, rom,
      '', '', '', '', selling_cents, iif(number % 80 < 5, 'reserved', 'handed over'), 'active', 0, number, seller_id
    from phones where ${own} and status = 'reserved'`);
  await db.run(
    sql`insert into listing_views (phone_id, views) select id, number % 500 from phones where ${own}`,
  );
}

test("the payouts of a seller with 5,000 orders read at most 300 rows, and those of staff at most 500", async () => {
  const bindings = {
    ENVIRONMENT: "local",
    STRIPE_SECRET_KEY: "sk_test_demo",
    STRIPE_WEBHOOK_SECRET: "whsec_demo",
  };
  const market = await startServer({ wrapper: countingWorker, bindings });
  try {
    const seller = await addAccount(market.db, { userType: "Seller" });
    await addPayouts(market, seller.id);
    const visit = visitor(market);
    await visit.signIn(seller.email);
    for (const search of ["", "?state=on+its+way", "?state=held", "?state=paid"]) {
      const response = await visit.get(`/manage/payouts${search}`);
      expect.soft(response.status, search).toBe(200);
      expect.soft(rowsOf(response)[0], search).toBeLessThanOrEqual(300);
      if (search === "") expect(textOf(await response.text())).toMatch(/Paid ?\$499,500 ?4,995 orders/);
    }
    const admin = visitor(market);
    await admin.signIn((await addAccount(market.db, { userType: "Admin" })).email);
    const payments = await admin.get("/manage/payments");
    expect.soft(payments.status).toBe(200);
    expect.soft(rowsOf(payments)[0], "/manage/payments").toBeLessThanOrEqual(500);
    // The money of 300 orders is held, none of them by a user who is selected.
    await market.db.run(sql`update payments set settled_at = null
      where order_id in (select order_id from payments limit 300)`);
    const selected = await Promise.all([1, 2, 3].map(() => addAccount(market.db)));
    const page = `/manage/selected?${new URLSearchParams([["action", "delete users"], ...selected.map(({ id }) => ["id", id])])}`;
    const asked = await admin.get(page);
    expect.soft(rowsOf(asked)[0], page).toBeLessThanOrEqual(500);
    expect.soft(textOf(await asked.text())).toContain(selected[0]?.email);
  } finally {
    await market.stop();
  }
});

/** 5,000 orders of $100 that are paid out, but for the newest 5, which are on their way. */
async function addPayouts({ db }: TestServer, sellerId: string) {
  const many = sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000)`;
  const id = sql`printf('01990000-0000-7000-9000-%012d', i)`;
  const settled = sql`iif(i <= 4995, 0, null)`;
  await db.run(sql`insert into payout_accounts (user_id, account_id, state, updated_at)
    values (${sellerId}, 'acct_1', 'ready', 0)`);
  await db.run(sql`insert into orders
    (id, phone_id, buyer_id, product_name, ram, rom, buyer_name, buyer_address, email, phone, price_cents, stage, status, created_at)
    ${many} select ${id}, 'phone ' || i, 'buyer', 'Pixel 7', '', '', '', '', '', '', 10000, 'received', 'active', 0 from n`);
  await db.run(sql`insert into payments
    (order_id, seller_id, amount_cents, fee_cents, created_at, pay_by, charge_id, paid_at, settled_at)
    ${many} select ${id}, ${sellerId}, 10000, 0, 0, 0, 'ch_' || i, 0, ${settled} from n`);
  for (const kind of ["charged", "released"])
    await db.run(sql`insert into ledger_entries (id, order_id, kind, amount_cents, provider_id, created_at)
      ${many} select ${kind} || i, ${id}, ${kind}, 10000, ${kind} || i, 0 from n where i <= 4995 or ${kind} = 'charged'`);
}

// Without Numbers, which sums a row for each model and day, and searches for a device, which look through its listings.
test("each page of staff reads at most 500 rows with 10,000 users and 20,000 listings and orders", async () => {
  const ids = await addStaffWork(server);
  const admin = visitor(server);
  await admin.signIn((await addAccount(server.db, { userType: "Admin" })).email);
  const queues = ["reported", "signals", "held", "appealed", "problems", "decided"];
  const pages = [
    "/manage/work",
    "/manage/users",
    "/manage/users?sort=oldest",
    "/manage/users?q=person+500",
    "/manage/users?role=Moderator",
    "/manage/users?account=suspended",
    `/manage/users/${ids.buyer}`,
    `/manage/users/${ids.seller}`,
    "/manage/sellers",
    "/manage/reports",
    "/manage/reports?state=open",
    `/manage/reports/${ids.ticket}`,
    "/manage/orders",
    "/manage/orders?q=pixel",
    "/manage/orders?q=9999",
    `/manage/orders/${ids.order}`,
    "/manage/listings",
    "/manage/listings?q=pixel",
    ...queues.map((show) => `/manage/moderation?show=${show}`),
    `/manage/moderation/listing/${ids.listing}`,
    `/manage/moderation/seller/${ids.seller}`,
    "/manage/content-reports",
    `/manage/problems/${ids.problem}`,
    "/manage/announcements",
    "/manage/replies",
    "/manage/pages",
    "/manage/activity",
    "/manage/activity?action=verified+seller",
    "/manage/system",
    "/manage/search?q=person+500",
    "/manage/search?q=9999",
    "/manage/search?q=harbour",
    "/manage/search?q=55501",
    "/manage/users?contact=5550123",
    "/manage/notifications",
    `/manage/selected?action=delete+users&id=${ids.buyer}`,
  ];
  for (const page of pages) {
    const response = await admin.get(page);
    expect.soft(response.status, page).toBe(200);
    expect.soft(rowsOf(response)[0], `${page} reads`).toBeLessThanOrEqual(500);
  }
});

/** Adds users, reports, tickets, signals, problems, decisions and activity, as a busy market has them. */
async function addStaffWork({ db }: TestServer) {
  const many = (count: number) =>
    sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.raw(String(count))})`;
  const id = (kind: number) => sql`printf('01990000-0000-7000-${sql.raw(String(kind))}-%012d', i)`;
  const ofPhone = sql`'listing', id, seller_id`;
  const fromPhones = (count: number) =>
    sql`from phones inner join (${many(count)} select i from n) on number = i`;
  await db.run(sql`insert into users (id, name, email, user_type, created_at)
    ${many(8000)} select ${id(8001)}, 'Person ' || i, 'person' || i || '@mail.example', 'Buyer', 0 from n`);
  await db.run(sql`insert into reports (id, name, email, details, created_at)
    ${many(40)} select ${id(8002)}, 'Person ' || i, 'person' || i || '@mail.example', 'It fails.', 0 from n`);
  await db.run(sql`insert into content_reports (id, kind, target_id, owner_id, reporter_id, reason, details, created_at)
    select ${id(8003)}, ${ofPhone}, 'buyer 1', 'duplicate', '', 0 ${fromPhones(60)}`);
  await db.run(sql`insert into signals (id, kind, target_id, owner_id, found, created_at)
    select ${id(8004)}, ${ofPhone}, '[{"kind":"low price","figure":20}]', 0 ${fromPhones(30)}`);
  await db.run(sql`insert into activity (id, actor_id, actor_email, action, target_id, target, created_at)
    ${many(5000)} select ${id(8005)}, 'a', 'a@mail.example', 'verified seller', 'seller-1', 's@mail.example', 0 from n`);
  await db.run(sql`insert into decisions (id, kind, target_kind, target_id, owner_id, target, actor_id, reason, created_at)
    select ${id(8006)}, 'warn', ${ofPhone}, 'Phone', 'a', 'So.', 0 ${fromPhones(2000)}`);
  // The sales that the other tests begin with are cancelled.
  await db.run(sql`update or ignore orders set status = 'active' where id like 'sale %' and rowid % 10 > 0`);
  await db.run(sql`update orders set buyer_address = rowid || ' Harbour Lane', phone = '(415) 555-0' || rowid
    where id like 'sale %' and rowid <= 3000`);
  let problemId = "";
  for (let number = 0; number < 14; number += 1)
    problemId = (await (await addProblem(db, { isAsked: true })).problem()).id;
  // Not of the shop of the other tests: the page of an account with 5,000 listings reads more, and so do its cases.
  const [listing] = await db.select().from(phones).where(sql`number = 7000`);
  const [order] = await db.all<{ id: string }>(sql`select id from orders order by id desc limit 1`);
  if (!listing || !order) throw new Error("Something is missing.");
  return {
    buyer: "buyer 1",
    seller: listing.sellerId,
    listing: listing.id,
    order: order.id,
    problem: problemId,
    ticket: "01990000-0000-7000-8002-000000000001",
  };
}
