import { desc, eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import {
  activity,
  contentReports,
  dailyDemand,
  dailyNumbers,
  decisions,
  notifications,
  orders,
  phones,
  savedAddresses,
  sessions,
  signals,
  tickets,
  users,
} from "#app/db/schema.ts";
import { openSession } from "#app/features/accounts/sessions.server.ts";
import { orderNumber } from "#app/features/orders/order-texts.ts";
import { dayMs } from "#app/time.ts";
import { bookWithoutLimits } from "../harness/bookings.ts";
import { waitForEmail } from "../harness/emails.ts";
import { addCopies } from "../harness/fixtures.ts";
import { fieldValue, textOf } from "../harness/html.ts";
import {
  addAccount,
  addPhone,
  sharedServer,
  type TestServer,
  type Visitor,
  visitor,
} from "../harness/server.ts";

let server: TestServer;
let admin: Visitor;
let account: typeof users.$inferSelect;

beforeAll(async () => {
  server = await sharedServer();
  account = await addAccount(server.db, { userType: "Admin", name: "Ada Min", email: "ada@example.com" });
  admin = visitor(server);
  await admin.signIn(account.email);
});

const pageText = async (path: string) => textOf(await (await admin.get(path)).text());

/** Follows the redirect of a form, and returns the page with its toast. */
async function after(response: Response): Promise<string> {
  expect(response.status).toBe(303);
  return (await admin.get(response.headers.get("Location") ?? "")).text();
}

const undoOf = (page: string) =>
  /action="\/manage\/undo".*?name="_id" value="([^"]+)"/s.exec(page)?.[1] ?? "";

test("a table has the filters of its URL in its form, its pager and its download", async () => {
  for (let number = 1; number <= 26; number += 1) {
    await addAccount(server.db, { name: `Filtered ${number}`, userType: "Seller" });
  }
  await addAccount(server.db, { name: "Another", userType: "Seller" });
  const page = await (await admin.get("/manage/users?q=filtered&role=Seller&sort=name&after=x")).text();
  expect(textOf(page)).toContain("Filtered 1 ");
  expect(textOf(page)).not.toContain("Another");
  expect(page).toContain('value="filtered"');
  expect(page).toContain('href="/manage/users.csv?q=filtered&amp;role=Seller&amp;sort=name"');
  const next = /rel="next"[^>]*href="([^"]+)"|href="([^"]+)"[^>]*rel="next"/.exec(page);
  const second = await pageText((next?.[1] ?? next?.[2] ?? "").replaceAll("&amp;", "&"));
  expect(second).toContain("26 Name Filtered 9");

  const [blank] = await server.db.insert(tickets).values({ name: "", email: "", details: "" }).returning();
  expect(await (await admin.get("/manage/reports")).text()).toContain(
    `href="/manage/reports/${blank?.id}">No text</a>`,
  );
  const none = await (await admin.get("/manage/reports?q=nobody")).text();
  expect(textOf(none)).toContain("No matches");
  expect(none).toMatch(/<a [^>]*href="\/manage\/reports"[^>]*>Clear filters/);
});

test("a table is downloaded as filtered, safely for spreadsheets, and the activity log says so", async () => {
  const details = '=HYPERLINK("https://evil.example","Click")\nSecond line, with a comma;=1+1\n@sum';
  await server.db.insert(tickets).values([
    { name: "+1 555", email: "@sum", details, createdAt: new Date("2026-03-01T12:00:00Z") },
    { name: " -2", email: "\tx", details: "＝1", createdAt: new Date("2026-03-01T13:00:00Z") },
    { name: "Later", email: "", details: "", createdAt: new Date("2026-03-02T00:00:00Z") },
  ]);
  const response = await admin.get("/manage/reports.csv?from=2026-03-01&to=2026-03-01&sort=oldest");
  expect(response.status).toBe(200);
  expect(response.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
  expect(response.headers.get("Cache-Control")).toBe("private, no-store");
  const date = new Date().toISOString().slice(0, 10);
  expect(response.headers.get("Content-Disposition")).toBe(
    `attachment; filename="ringback-reports-${date}.csv"`,
  );
  const bytes = new Uint8Array(await response.arrayBuffer());
  expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  const [first, second] = await server.db.select().from(tickets).orderBy(tickets.createdAt);
  expect(new TextDecoder().decode(bytes)).toBe(
    [
      "Id,Name,Email,Details,Sent,State",
      `${first?.id},"'+1 555","'@sum","'=HYPERLINK(""https://evil.example"",""Click"")\nSecond line, with a comma;'=1+1\n'@sum",2026-03-01T12:00:00.000Z,open`,
      `${second?.id},"' -2","'\tx","'＝1",2026-03-01T13:00:00.000Z,open`,
      "",
    ].join("\r\n"),
  );
  const [logged] = await server.db.select().from(activity).orderBy(desc(activity.id)).limit(1);
  expect(logged).toMatchObject({
    actorEmail: account.email,
    action: "exported table",
    target: "reports.csv?from=2026-03-01&to=2026-03-01&sort=oldest",
  });
});

test("users are found by phone number and address, which the activity log notes without them", async () => {
  const { id } = await addAccount(server.db, {
    name: "Found Buyer",
    createdAt: new Date("2026-03-01T12:00:00Z"),
  });
  await server.db
    .insert(savedAddresses)
    .values({ userId: id, address: "9 Hidden Lane", phone: "+1 (555) 010-99" });
  const found = await pageText("/manage/users?contact=15550109");
  expect(found).toContain("1 user ");
  expect(found).toContain("Found Buyer Joined Mar 1, 2026 Device Name");
  expect(await pageText("/manage/users?contact=Elsewhere+Lane")).toContain("No matches");
  await admin.get("/manage/users.csv?contact=hidden+lane");
  expect(await pageText("/manage/search?q=hidden")).toMatch(
    /Users with this address or phone number ?Found Buyer .*Show in the table/,
  );
  // Nobody’s address: nothing was found by one.
  expect(await pageText("/manage/search?q=Elsewhere+Lane")).toContain("Nothing for “Elsewhere Lane”.");
  const logged = await server.db.select().from(activity).orderBy(desc(activity.id)).limit(4);
  expect(logged.map(({ action, target, actorEmail }) => [action, target, actorEmail])).toEqual([
    ["searched contact data", "hid…", account.email],
    ["exported table", "users.csv?contact=hid…", account.email],
    ["searched contact data", "Els…", account.email],
    ["searched contact data", "155…", account.email],
  ]);
  expect(await pageText("/manage/users?q=ada@")).toMatch(
    /Ada Min Joined \w+ \d+, \d+ Last seen \w+ \d+, \d+/,
  );
});

test("each table has a download with all its rows", async () => {
  const phone = await addPhone(server.db, { brandName: "Exported" });
  await bookWithoutLimits(server.db, account, phone.id, { address: "", phone: "" });
  const rows = Array.from({ length: 1100 }, (_, number) => `r${number}@example.com`);
  for (let start = 0; start < rows.length; start += 15) {
    const batch = rows.slice(start, start + 15);
    await server.db.insert(tickets).values(batch.map((email) => ({ name: "", email, details: "many" })));
  }
  const lines = async (table: string) =>
    (await (await admin.get(`/manage/${table}`)).text()).trimEnd().split("\r\n");
  const many = await lines("reports.csv?q=many");
  expect(many).toHaveLength(1101);
  expect(new Set(many).size).toBe(1101);
  expect((await lines("orders.csv?q=ada@"))[1]).toMatch(
    /,Ada Min,ada@example\.com,Person \d+,person\d+@example\.com,Exported Model \d+,8 GB,256 GB,349\.50,reserved,/,
  );
  expect((await lines("listings.csv?device=exported"))[1]).toMatch(
    /,Exported,Model \d+,.*,349\.50,699\.00,reserved,,2/,
  );
  expect((await lines("users.csv?role=Admin"))[1]).toMatch(
    new RegExp(`,Ada Min,ada@example\\.com,Admin,,no,,2.*,${new Date().toISOString().slice(0, 10)}$`),
  );
  expect(await lines("sellers.csv?verified=yes")).toHaveLength(1);
  expect((await lines("activity.csv"))[2]).toContain(
    ",ada@example.com,exported table,sellers.csv?verified=yes,",
  );
});

test("chosen rows are named before they are deleted, and come back together", async () => {
  const [one, other] = [
    await addAccount(server.db, { name: "Chosen One" }),
    await addAccount(server.db, { name: "Chosen Other" }),
  ];
  const selection = new URLSearchParams({ action: "delete users", back: "/manage/users?q=chosen" });
  for (const id of [other.id, one.id, "nobody", account.id]) selection.append("id", id);
  const path = `/manage/selected?${selection}`;
  const question = await pageText(path);
  expect(question).toContain("Delete 2 users?");
  expect(question).toContain(`Chosen Other (${other.email}) Chosen One (${one.email})`);
  expect(question).toContain("1 user was not found.");
  expect(question).toContain("Left out");
  expect(question).toContain("is your own account");

  const formKey = fieldValue(await (await admin.get(path)).text(), "formKey") ?? "";
  const form: [string, string][] = [...selection, ["formKey", formKey]];
  const page = await after(await admin.post(path, form));
  expect(textOf(page)).toContain(
    "2 users deleted. 2 couldn’t be deleted: 1 was not found, 1 is your own account.",
  );
  expect(textOf(page)).toContain("No matches");
  // A second click gets the same answer, and can undo both.
  const repeated = await after(await admin.post(path, form));
  expect(textOf(repeated)).toContain("2 users deleted.");
  const undone = await after(
    await admin.post("/manage/undo", { _id: undoOf(repeated), redirectTo: "/manage/users?q=chosen" }),
  );
  expect(textOf(undone)).toContain("2 users restored");
  expect(textOf(undone)).toContain("Chosen Other");

  const nothing = await admin.get("/manage/selected?action=delete+users&back=/manage/users");
  expect(nothing.headers.get("Location")).toBe("/manage/users");
  expect(await pageText("/manage/users")).toContain("Select at least one row first.");
  expect((await admin.get(`/manage/selected?action=x&id=${one.id}`)).status).toBe(400);
});

test("a price that cannot be read is said beside its filter, and exports nothing", async () => {
  expect(await pageText("/manage/listings?minPrice=1.000")).toContain(
    "Price from must be a number of dollars, like 349 or 349.50",
  );
  const count = () => server.db.$count(activity);
  const before = await count();
  const refused = await admin.get("/manage/listings.csv?minPrice=500%E2%82%AC&maxPrice=abc");
  expect(refused.status).toBe(400);
  expect(await refused.text()).toBe(
    "Prices are in US dollars. Price from must be a number of dollars, like 349 or 349.50. Price to must be a number of dollars, like 349 or 349.50.\n",
  );
  expect(await count()).toBe(before);
  expect(
    (await admin.get("/manage/listings.csv?minPrice=us%24500&maxPrice=%EF%BC%95%EF%BC%90%EF%BC%90")).status,
  ).toBe(200);
});

test("two spellings of a brand are merged once the administrator has confirmed it", async () => {
  await addPhone(server.db, { brandName: "Motorola", model: "Edge 40" });
  await addPhone(server.db, { brandName: "Moto", model: "Edge 50" });
  const merge = (fields: Record<string, string>) =>
    admin.post("/manage/listings?sort=oldest", { intent: "merge", ...fields });
  const refusal = async (fields: Record<string, string>) => {
    const response = await merge(fields);
    expect(response.status).toBe(400);
    return response.text();
  };
  expect(textOf(await refusal({ brand: "", spelling: "" }))).toContain("Brand is required");
  expect(textOf(await refusal({ brand: "Nobody", spelling: "Motorola" }))).toContain(
    "No listing has this brand",
  );
  expect(textOf(await refusal({ brand: "MOTOROLA", spelling: "Motorola" }))).toContain(
    "spelled like this already",
  );
  const asked = await refusal({ brand: "moto", spelling: "motorola" });
  expect(textOf(asked)).toContain("This lists 1 device of Moto as Motorola, and there’s no undo.");
  const confirmed = fieldValue(asked, "confirmed") ?? "";
  // What was confirmed is this merging, and no other.
  await refusal({ brand: "moto", spelling: "Sony", confirmed });
  const page = textOf(await after(await merge({ brand: "moto", spelling: "motorola", confirmed })));
  expect(page).toContain("Moto is now Motorola");
  expect(page).toContain("Motorola Edge 50");
  expect(await pageText("/manage/activity")).toContain("merged brands Target Moto into Motorola");
  const list = await pageText("/products?brand=moto");
  for (const model of ["Edge 40", "Edge 50"]) expect(list).toContain(`Motorola ${model}`);
});

test("chosen listings are hidden for a reason that their sellers read, and shown again together", async () => {
  const phones = [
    await addPhone(server.db, { model: "Spam 1" }),
    await addPhone(server.db, { model: "Spam 2" }),
  ];
  const back = "/manage/listings";
  const selection: [string, string][] = [
    ["action", "hide listings"],
    ["back", back],
  ];
  for (const { id } of phones) selection.push(["id", id]);
  const path = `/manage/selected?${new URLSearchParams(selection)}`;
  const question = await pageText(path);
  expect(question).toContain("Hide 2 listings?");
  expect(question).toContain("Fairphone Spam 1, $349.50, by ");
  // Without a table to go back to, Cancel leads to that of the action.
  const direct = await admin.get(`/manage/selected?action=hide+listings&id=${phones[0]?.id}`);
  expect(await direct.text()).toMatch(/href="\/manage\/listings"[^>]*>Cancel/);
  const refused = await admin.post(path, [...selection, ["reason", "something else"]]);
  expect(refused.status).toBe(400);
  expect(textOf(await refused.text())).toContain("Tell the sellers why");

  const hidden = await after(
    await admin.post(path, [...selection, ["reason", "duplicate"], ["details", "Twice."]]),
  );
  expect(textOf(hidden)).toContain("2 listings hidden");
  const [decision] = await server.db
    .select()
    .from(decisions)
    .where(eq(decisions.targetId, phones[0]?.id ?? ""));
  expect(decision?.reason).toBe("Duplicate or spam\n\nTwice.");
  const undone = await after(await admin.post("/manage/undo", { _id: undoOf(hidden), redirectTo: back }));
  expect(textOf(undone)).toContain("2 decisions undone");

  const many = Array.from({ length: 101 }, (_, number): [string, string] => ["id", `${number}`]);
  const fields = [...selection, ["reason", "duplicate"], ...many] as [string, string][];
  expect(textOf(await after(await admin.post(path, fields)))).toContain("Select at most 25 rows at once.");
  const none = await admin.post(path, [
    ["action", "hide listings"],
    ["back", back],
    ["reason", "duplicate"],
  ]);
  expect(textOf(await after(none))).toContain("Select at least one row first.");
});

test("administrators are asked before they cancel an order or delete a listing", async () => {
  const phone = await addPhone(server.db, { brandName: "Asked", model: "first" });
  const booking = await bookWithoutLimits(server.db, await addAccount(server.db), phone.id, {
    address: "",
    phone: "",
  });
  const order = await (await admin.get(`/manage/orders/${booking.orderId}`)).text();
  expect(order).toMatch(
    /popovertarget="cancel-order"[^>]*>Cancel order<.*Cancel this order\?.*name="intent" value="cancel"/s,
  );
  expect(order).toMatch(/<button[^>]*>Cancel order<.*<div id="cancel-order" popover="auto".*<form/s);
  const free = await addPhone(server.db, { brandName: "Asked", model: "second" });
  const listings = await (await admin.get("/manage/listings?sort=newest")).text();
  const question = listings.slice(listings.indexOf(`<div id="delete-${free.id}" popover="auto"`));
  expect(textOf(question.slice(0, question.indexOf("</form>")))).toMatch(
    /^ ?Delete Asked second\? .* Delete listing $/,
  );
  expect(listings).not.toContain(`delete-${phone.id}`);
});

test("a user's page shows what belongs to the account, and ends its sessions", async () => {
  const user = await addAccount(server.db, {
    name: "Paige User",
    userType: "Seller",
    email: "paige@example.com",
  });
  const phone = await addPhone(server.db, { sellerId: user.id, model: "Own listing" });
  const buyer = await addAccount(server.db);
  await bookWithoutLimits(server.db, buyer, phone.id, { address: "", phone: "" });
  await bookWithoutLimits(server.db, user, (await addPhone(server.db, { model: "Bought one" })).id, {
    address: "",
    phone: "",
  });
  await server.db.insert(tickets).values({ name: "", email: "PAIGE@example.com", details: "My own words" });
  await server.db.insert(contentReports).values({
    targetKind: "seller",
    targetId: buyer.id,
    ownerId: buyer.id,
    reporterId: user.id,
    reason: "offensive behavior",
    details: "",
  });
  await openSession(server.db, user, { seconds: 3600, device: "Firefox on Linux" });
  const path = `/manage/users/${user.id}`;
  const text = await pageText(path);
  for (const shown of [
    "Paige User",
    "Own listing",
    "Bought one",
    "My own words",
    `Content reports sent 1 ${buyer.name} Offensive behavior Open`,
    "Firefox on Linux",
    "Not verified",
  ]) {
    expect(text).toContain(shown);
  }
  expect(text).toContain("On listings and orders, notes and staff actions are shown for the newest 50 only.");
  expect(text).toContain("Signed up as a ");
  expect(text).not.toContain("Suspended");
  expect(await (await admin.get(path)).text()).toContain(`href="/manage/moderation/seller/${user.id}"`);
  expect(await (await admin.get("/manage/listings")).text()).toContain(
    `href="/manage/moderation/listing/${phone.id}"`,
  );
  expect(await pageText("/manage/users?q=paige")).toContain("Paige User");

  // It asks first.
  expect(text).toMatch(
    /End all sessions of Paige User\? They have to log in again on each device\. You can’t undo this\./,
  );
  expect(textOf(await after(await admin.post(path, { intent: "end sessions" })))).toContain(
    "All sessions ended",
  );
  expect(await server.db.$count(sessions, eq(sessions.userId, user.id))).toBe(0);
  expect(textOf(await after(await admin.post(path, { intent: "verify" })))).toContain("User verified");
  const decisions = await pageText(path);
  expect(decisions).toContain("ended sessions by ada@example.com");
  // What can be undone has an Undo here, too, and Delete asks first.
  expect(decisions).toMatch(/verified seller Undo.{0,60} by ada@example\.com/);
  expect(decisions).toContain("Verified seller by ada@example.com");
  expect(decisions).toMatch(
    /Delete Paige User\? They can’t log in anymore.*You can undo this for 10 minutes\./,
  );
  expect(await pageText("/manage/activity")).toMatch(/verified seller Undo/);
  const deleted = await after(await admin.post(path, { intent: "delete" }));
  expect(textOf(deleted)).toContain("User Deleted");
  expect(await pageText(path)).toContain("deleted this user on");
  await after(await admin.post("/manage/undo", { _id: undoOf(deleted), redirectTo: path }));
  expect((await admin.get(path)).status).toBe(200);
  // One's own sessions stay.
  const own = `/manage/users/${account.id}`;
  await admin.post(own, { intent: "end sessions" });
  const ofAdmin = await pageText(own);
  expect(ofAdmin).toContain("This is your own account.");
  expect(ofAdmin).toContain("Signed up");
  expect(ofAdmin).not.toContain("Signed up as");
});

test("one search finds users, orders, listings and reports", async () => {
  const seller = await addAccount(server.db, {
    name: "Zelda Seller",
    userType: "Seller",
    email: "zelda@example.com",
  });
  const phone = await addPhone(server.db, { sellerId: seller.id, brandName: "Zebra", model: "TC 57" });
  const ordered = await addPhone(server.db, { brandName: "Zebra", model: "MC 33" });
  const buyer = await addAccount(server.db, { name: "Zoran Buyer" });
  await bookWithoutLimits(server.db, buyer, ordered.id, { address: "", phone: "" });
  const [order] = await server.db.select().from(orders).where(eq(orders.phoneId, ordered.id));
  await server.db.insert(tickets).values({ name: "", email: "", details: "The zebra crossing" });
  await server.db.insert(contentReports).values({
    targetKind: "listing",
    targetId: phone.id,
    ownerId: seller.id,
    reporterId: buyer.id,
    reason: "spam",
    details: "No such Okapi",
  });
  const find = (words: string) => pageText(`/manage/search?${new URLSearchParams({ q: words })}`);
  const number = orderNumber(order?.id ?? "");

  expect(await find("zelda@")).toContain("Users Zelda Seller zelda@example.com");
  const zebra = await find("zebra");
  for (const shown of ["Orders Zebra MC 33", "Zebra TC 57", "The zebra crossing"])
    expect(zebra).toContain(shown);
  for (const typed of [
    number,
    number.toLowerCase().replaceAll("-", ""),
    number.slice(0, 9),
    order?.id ?? "",
  ]) {
    expect(await find(typed)).toContain(`Zebra MC 33 ${number}`);
  }
  expect(await find("zoran")).toContain(`Zebra MC 33 ${number}`);
  for (const words of ["zoran", "okapi"]) {
    expect(await find(words)).toContain("Content reports Zebra TC 57 Spam by Zoran Buyer Open No such Okapi");
  }
  expect(await find("57 zebra")).toContain("Zebra TC 57");
  expect(await find(phone.id)).toContain("Zebra TC 57");
  expect(await find("no such thing")).toContain("Nothing found");
  expect(await pageText("/manage/search")).toContain("Users, orders, listings and reports in one place");
  // A deleted listing is not found.
  await server.db.update(phones).set({ hiddenById: "some removal" }).where(eq(phones.id, phone.id));
  expect(await find("57 zebra")).not.toContain("Zebra TC 57");
});

test("without data the numbers say so; with data each chart is summed up in words", async () => {
  const empty = await pageText("/manage/numbers");
  expect(empty).toContain("Nothing happened in the last 30 days");
  expect(empty).toContain("Median time to sale – From publication to receipt; – in the 30 days before");
  expect(empty).not.toContain("Most wanted models");
  const day = Math.floor(Date.now() / dayMs);
  const none = { listings: 0, bookings: 0, cancelled: 0, sales: 0, salesCents: 0, daysToSale: {} };
  await server.db.insert(dailyNumbers).values([
    { ...none, day: day - 1, signUps: 1200, views: 400, bookings: 10, salesCents: 123_450 },
    { ...none, day: day - 2, signUps: 34 },
    { ...none, day: day - 31, signUps: 17, views: 100, bookings: 1 },
  ]);
  const text = await pageText("/manage/numbers");
  expect(text).toContain(" Sign-ups 1,234 17 in the 30 days before ");
  expect(text).toMatch(/ Sign-ups by day: 1,234 in 30 days\. Highest day: \w{3} \d+, \d{4}, with 1,200\. /);
  expect(text).toContain(" Sales by day: 0 in 30 days. ");
  expect(text).toContain(" Views of listings 400 100 in the 30 days before ");
  expect(text).toContain("Bookings per view 2.5% 1% in the 30 days before");
  const csv = await admin.get("/manage/numbers.csv?days=7");
  expect(csv.headers.get("Content-Disposition")).toMatch(/numbers-.*\.csv/);
  const lines = (await csv.text()).split("\r\n");
  expect([lines.length, lines[0]]).toEqual([
    11,
    "Row,From,Through,Sign-ups,New listings,Views of listings,Bookings,Cancelled bookings,Sales,Value of sales," +
      "Bookings per view (%),Sales per booking (%)",
  ]);
  expect(lines[6]).toMatch(/^Day,(\d{4}-\d\d-\d\d),\1,1200,0,400,10,0,0,1234\.5,2\.5,0$/);
  const [period, before] = lines.slice(8).map((line) => line.split(","));
  expect([period?.[0], before?.[0]]).toEqual(["Period", "Period before"]);
  expect([period?.[2], before?.[1], before?.[2]]).toEqual(
    [0, 13, 7].map((days) => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10)),
  );
  // The bars of two weeks are no wider than those of seven days.
  const weeks = await (await admin.get("/manage/numbers?days=7&by=week")).text();
  expect(Number(/<rect x="[^"]*" y="[^"]*" width="([\d.]+)"/.exec(weeks)?.[1])).toBeLessThanOrEqual(50);
  expect(text).toContain(" 2 open reports ");
});

test("wanted models lead to their page, unless they have none", async () => {
  const day = Math.floor(Date.now() / dayMs);
  const listed = await addPhone(server.db, { brandName: "Wanted", model: "One" });
  await addPhone(server.db, { brandName: "Wanted", model: "Gone", hiddenById: "some removal" });
  const sold = await addPhone(server.db, { brandName: "Wanted", model: "Sold", status: "sold" });
  await server.db.insert(orders).values({
    ...{ phoneId: sold.id, buyerId: account.id, productName: "Wanted Sold", ram: "", rom: "", priceCents: 1 },
    ...{ buyerName: "", buyerAddress: "", email: "", phoneNumber: "", stage: "received" },
  });
  const models = ["Wanted One", "Wanted Gone", "Wanted Sold"];
  await server.db
    .insert(dailyDemand)
    .values(models.map((model) => ({ day, model, bookings: 1000, saves: 0 })));
  const page = await (await admin.get("/manage/numbers")).text();
  for (const model of models) expect(textOf(page)).toContain(`${model} 1,000 0`);
  const links = [...page.matchAll(/href="(\/models\/wanted-[^"]*)"/g)].map(([, path]) => path);
  expect(links.toSorted()).toEqual(["/models/wanted-one", "/models/wanted-sold"]);
  for (const path of links) expect((await admin.get(path ?? "")).status).toBe(200);
  expect((await visitor(server).get(`/phones/${listed.id}`)).status).toBe(200);
});

test("the numbers show what people search for and nobody sells, without who they are", async () => {
  const missed = async () => /Searches without results.*/.exec(await pageText("/manage/numbers"))?.[0] ?? "";
  expect(await missed()).toContain("None counted in this period");
  const searches = ["Zeppelin Phone", "zeppelin phone", "zeppelin phone", "mia@example.com"];
  for (const q of [...searches, "rare zeppelin"]) {
    await visitor(server).get(`/products?${new URLSearchParams({ q })}`);
  }
  // Something else may find nothing here.
  for (const path of ["/products?q=Bulk&from=9999", "/products?brand=Absent"])
    await visitor(server).get(path);
  await expect.poll(missed).toContain("zeppelin phone 3 ");
  expect(await missed()).not.toMatch(/example|rare|Bulk|Absent/i);
});

test("administrators write to chosen users, once to each, and to at most 25 at once", async () => {
  const chosen = await Promise.all(
    ["Ada First", "Ben Second"].map((name) => addAccount(server.db, { name, passwordHash: null })),
  );
  const gone = await addAccount(server.db, { removalId: "removed" });
  const ids = [...chosen, gone].map(({ id }) => id);
  const back = "/manage/users?q=example";
  const selection = (of: string[]) =>
    `/manage/announcements?${new URLSearchParams([["back", back], ...of.map((id) => ["id", id])])}`;
  const table = await (await admin.get("/manage/users")).text();
  expect(table).toMatch(/<button[^>]*formaction="\/manage\/announcements"[^>]*>Write to selected/);
  expect(textOf(await (await admin.get(selection(ids))).text())).toMatch(
    /Write to 2 users Ada First \(\S+\) Ben Second \(\S+\) Message/,
  );
  const form = { intent: "write", text: "We move on Friday", formKey: crypto.randomUUID() };
  for (let times = 0; times < 2; times += 1) {
    const sent = await admin.post(selection(ids), form);
    expect(sent.headers.get("Location")).toBe(back);
    expect(await after(sent)).toContain("Message sent to 2 users");
  }
  const told = await server.db.select().from(notifications).where(eq(notifications.subject, form.text));
  expect(told.map(({ userId }) => userId).toSorted()).toEqual(chosen.map(({ id }) => id).toSorted());
  const logged = await server.db.select().from(activity).orderBy(desc(activity.id)).limit(2);
  expect(logged.map(({ action }) => action)).toEqual(["wrote to user", "wrote to user"]);
  const many = Array.from({ length: 26 }, (_, index) => `${index}`);
  expect(await after(await admin.get(selection([])))).toContain("Select at least one row first.");
  expect(await after(await admin.get(selection(many)))).toContain("Select at most 25 rows at once.");
  expect((await admin.get(selection([gone.id]))).status).toBe(404);
});

test("administrators write to a user, and announce to sellers, in the market's name", async () => {
  const { id, email } = await addAccount(server.db, { emailVerifiedAt: new Date() });
  const lines = ["Your parcel is found", "x".repeat(80)];
  const text = lines.join("\n");
  const form = { intent: "write", text, formKey: crypto.randomUUID() };
  const write = () => admin.post(`/manage/announcements?id=${id}`, form);
  expect(await after(await write())).toContain("Message sent");
  await write();
  const mail = await waitForEmail(server, email);
  expect(mail.subject).toBe("A message from Ringback");
  expect(mail.text).toContain(text);
  expect(mail.text + mail.html).not.toContain(account.email);
  const buyer = visitor(server);
  await buyer.signIn(email);
  const pageOf = async (who: Visitor, path: string) => textOf(await (await who.get(path)).text());
  expect(await pageOf(buyer, "/manage/notifications")).toContain(`From Ringback: ${lines.join(" ")} New`);

  const seller = visitor(server);
  await seller.signIn((await addAccount(server.db, { userType: "Seller" })).email);
  const day = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
  const announcement = { intent: "announce", text: "Fees stay at zero", audience: "sellers" };
  const invalid = await admin.post("/manage/announcements", { ...announcement, from: day(1), to: day(0) });
  const page = textOf(await invalid.text());
  expect(invalid.status).toBe(400);
  expect(page).toMatch(/Fees stay at zero.*The last day is before the first/);
  await admin.post("/manage/announcements", { ...announcement, from: day(0), to: day(1) });
  expect(await pageOf(seller, "/manage")).toContain("From Ringback: Fees stay at zero");
  expect(await pageOf(buyer, "/manage")).not.toContain("Fees stay");
  // Each reader can close it, for that browser.
  const open = await (await seller.get("/manage/saved?sort=price")).text();
  const id_ = /name="_id" value="([^"]+)"/.exec(open.slice(open.indexOf("Fees stay")))?.[1] ?? "";
  const closing = { intent: "close announcement", _id: id_, redirectTo: "/manage/saved?sort=price" };
  const closed = await seller.post("/manage/notifications", closing);
  expect([closed.status, closed.headers.get("Location")]).toEqual([303, closing.redirectTo]);
  expect(await pageOf(seller, "/manage")).not.toContain("Fees stay");
  seller.cookies.delete("__Host-announcements");
  expect(await pageOf(seller, "/manage")).toContain("Fees stay");
  const listed = await (await admin.get("/manage/announcements")).text();
  expect(textOf(listed)).toMatch(/Fees stay at zero Sellers, showing until .* End now/);
  expect(["from", "to"].map((name) => fieldValue(listed, name))).toEqual([day(0), day(6)]);
  const _id = /name="_id" value="([^"]+)"/.exec(listed)?.[1] ?? "";
  expect(await after(await admin.post("/manage/announcements", { intent: "end", _id }))).toContain("ended");
  expect(await pageOf(seller, "/manage")).not.toContain("Fees stay");
  const [ended] = await server.db.select().from(activity).orderBy(desc(activity.id)).limit(1);
  expect(await pageOf(admin, "/manage/announcements")).toContain("ended early");
  await admin.post("/manage/undo", { _id: ended?.id ?? "", redirectTo: "/manage/activity" });
  expect(await pageOf(admin, "/manage/activity")).toContain("The announcement goes on.");
  expect(await pageOf(seller, "/manage")).toContain("Fees stay");
  await admin.post("/manage/announcements", { intent: "end", _id });
  const logged = await server.db.select().from(activity).orderBy(desc(activity.id)).limit(3);
  expect(logged.map(({ action, target }) => [action, target])).toEqual([
    ["ended announcement", "Fees stay at zero"],
    ["undid deletion", "Fees stay at zero"],
    ["ended announcement", "Fees stay at zero"],
  ]);
});

test("the pages of a deleted report and a deleted listing say who did it, and offer Undo", async () => {
  const [report] = await server.db
    .insert(tickets)
    .values({ name: "", email: "gone@example.com", details: "Deleted by mistake" })
    .returning();
  const listing = await addPhone(server.db, { brandName: "Gone", model: "one" });
  const colleague = visitor(server);
  await colleague.signIn((await addAccount(server.db, { userType: "Admin" })).email);
  const bulk = { action: "delete tickets", id: report?.id ?? "", back: "/manage/reports" };
  const kinds = [
    {
      page: `/manage/reports/${report?.id}`,
      remove: () => admin.post("/manage/selected", bulk),
      again: "Deleted by mistake",
    },
    {
      page: `/manage/moderation/listing/${listing.id}`,
      remove: () => admin.post("/manage/listings", { _id: listing.id }),
      again: "On sale",
    },
  ];
  for (const { page, remove, again } of kinds) {
    expect((await remove()).status).toBe(303);
    await admin.get("/manage");
    const shown = await (await admin.get(page)).text();
    expect(textOf(shown)).toMatch(
      /Ada Min deleted this (report|listing) on .* You can undo it for 10 minutes/,
    );
    expect(await pageText("/manage/activity")).toMatch(/deleted (report|listing) Undo/);
    const others = await (await colleague.get(page)).text();
    expect(textOf(others)).toContain("or it’s for the person who did it.");
    expect(undoOf(others)).toBe("");
    await admin.post("/manage/undo", { _id: undoOf(shown), redirectTo: page });
    expect(await pageText(page)).toContain(again);
    expect(await pageText(page)).not.toContain("Ada Min deleted");
  }
});

test("the page of a deleted user says who deleted them, and offers Undo to that one", async () => {
  const { id, name } = await addAccount(server.db, { name: "Dina Deleted" });
  const colleague = visitor(server);
  await colleague.signIn((await addAccount(server.db, { userType: "Admin" })).email);
  const page = `/manage/users/${id}`;
  await admin.post(page, { intent: "delete" });
  const shown = await (await admin.get(page)).text();
  expect(textOf(shown)).toMatch(new RegExp(`${name} .*deleted this user on .* You can undo it`));
  const others = textOf(await (await colleague.get(page)).text());
  expect(others).toContain("It’s too late to undo that, or it’s for the person who did it.");
  const _id = /name="_id" value="([^"]+)"/.exec(shown.slice(shown.indexOf("You can undo it")))?.[1] ?? "";
  await admin.post("/manage/undo", { _id, redirectTo: page });
  expect(textOf(await (await admin.get(page)).text())).toMatch(/User Restored.*Timeline/s);
});

test("My Sellings says what an unverified seller can do now", async () => {
  const seller = visitor(server);
  const { id: sellerId, email } = await addAccount(server.db, { userType: "Seller" });
  await seller.signIn(email);
  const page = async (query = "") => textOf(await (await seller.get(`/manage/mysells${query}`)).text());
  expect(await page()).toContain("You can publish in the meantime");
  const made = { target: "", ownerId: sellerId, reason: "" };
  const addHeld = async () => {
    const { id: targetId } = await addPhone(server.db, { sellerId });
    const hold = { ...made, targetId, kind: "hold", targetKind: "listing" } as const;
    const [added] = await server.db.insert(decisions).values(hold).returning();
    await server.db.update(phones).set({ hiddenById: added?.id }).where(eq(phones.id, targetId));
  };
  await addHeld();
  // Whether the table shows it or not.
  for (const query of ["", "?tab=for+sale", "?tab=drafts", "?q=nothing"]) {
    const held = await page(query);
    expect([query, held]).toEqual([query, expect.stringContaining("Your first listing goes on sale once")]);
    expect(held).not.toContain("You can publish");
  }
  await addHeld();
  expect(await page("?tab=for+sale")).toContain("Your first listings go on sale once we’ve approved them");
  const [suspension] = await server.db
    .insert(decisions)
    .values({ ...made, targetId: "", kind: "suspend", targetKind: "seller" })
    .returning();
  await server.db.update(users).set({ suspensionId: suspension?.id }).where(eq(users.id, sellerId));
  const suspended = await page();
  expect(suspended).not.toMatch(/You’re not verified yet|Add a phone/);
  expect(await pageText(`/manage/users/${sellerId}`)).toContain("Suspended permanently");
});

test("a name cannot turn the text around it", async () => {
  const { id } = await addAccount(server.db, { userType: "Seller", name: "Bulk Seller \u202e evil" });
  const phone = await addPhone(server.db, { sellerId: id });
  const found = [{ kind: "low price", figure: 20 } as const];
  await server.db.insert(signals).values({ targetKind: "listing", targetId: phone.id, ownerId: id, found });
  const isolated = "<bdi>Bulk Seller \u202e evil</bdi>";
  expect(await (await admin.get("/manage/moderation?show=signals")).text()).toContain(isolated);
});

test("the pages of listing statistics keep their period", async () => {
  const seller = visitor(server);
  const { id: sellerId, email } = await addAccount(server.db, { userType: "Seller" });
  await seller.signIn(email);
  const phone = await addPhone(server.db, { sellerId });
  await addCopies(
    server.db,
    phone,
    Array.from({ length: 25 }, () => ({ id: crypto.randomUUID() })),
  );
  const page = await (await seller.get("/manage/mysells/numbers?days=365")).text();
  expect(page).toMatch(/href="\/manage\/mysells\/numbers\?days=365&amp;after=/);
});

test("the listing statistics of a new seller say what will be there, then name each row by its device", async () => {
  const seller = visitor(server);
  const { id: sellerId, email } = await addAccount(server.db, { userType: "Seller" });
  await seller.signIn(email);
  const page = async () => (await seller.get("/manage/mysells/numbers")).text();
  const empty = textOf(await page());
  expect(empty).toContain("No listings yet");
  expect(empty).not.toContain("Sold for");
  await addPhone(server.db, { sellerId, model: "5 Plus" });
  expect(textOf(/<th scope="row".*?<\/th>/s.exec(await page())?.[0] ?? "")).toContain("Fairphone 5 Plus");
});

test("an unknown intent for a user is refused and changes nothing", async () => {
  const { id } = await addAccount(server.db, { userType: "Seller" });
  for (const path of ["/manage/users", "/manage/sellers", `/manage/users/${id}`]) {
    for (const fields of [{ _id: id, intent: "promote" }, { _id: id }] as Record<string, string>[]) {
      expect((await admin.post(path, fields)).status).toBe(400);
    }
  }
  const [user] = await server.db.select().from(users).where(eq(users.id, id));
  expect(user).toMatchObject({ removalId: null, verified: false });
});
