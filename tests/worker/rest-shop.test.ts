import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { listingViews, orders, phones, users } from "#app/db/schema.ts";
import { dayMs, isoDay } from "#app/time.ts";
import { type ApiClient, signedInClient } from "../harness/api-client.ts";
import { addAccount, addPhone, addReceivedOrder, sharedServer, type TestServer } from "../harness/server.ts";

let server: TestServer;
let client: ApiClient;
let seller: typeof users.$inferSelect;

beforeEach(async () => {
  server = await sharedServer();
  seller = await addAccount(server.db, { userType: "Seller", verified: true });
  client = await signedInClient(server, seller);
});

/** Sells a device whose texts a spreadsheet could run. */
async function sell() {
  const buyer = await addAccount(server.db, { name: "=Mia Sund" });
  const orderId = await addReceivedOrder(server.db, buyer, seller);
  const [order] = await server.db
    .update(orders)
    .set({ productName: "@SUM(1)", priceCents: 34_950 })
    .where(eq(orders.id, orderId))
    .returning();
  if (!order) throw new Error("There is no order.");
  await server.db.update(phones).set({ ownNumber: "+SHELF 7" }).where(eq(phones.id, order.phoneId));
  return order;
}

test("sellers write about their shop", async () => {
  const shopText = "We test each phone twice.";
  expect((await client.putJson("/shop", { shopText })).body).toMatchObject({ modifiedCount: 1 });
  expect((await client.get("/shop")).body).toEqual({
    shopText,
    returnDays: 0,
    inProductFeed: true,
    pausedUntil: null,
  });
  expect((await client.putJson("/shop", { shopText, returnDays: 30 })).status).toBe(200);
  expect((await client.putJson("/shop", { shopText })).status).toBe(200);
  expect((await client.get("/shop")).body.returnDays).toBe(30);
  expect((await client.putJson("/shop", { shopText, returnDays: 7 })).status).toBe(422);
  expect(await (await client.visitor.get(`/sellers/${seller.id}`)).text()).toContain(shopText);
  expect((await client.putJson("/shop", { shopText: "x".repeat(1001) })).status).toBe(422);
  await server.db.update(users).set({ suspensionId: "suspended" }).where(eq(users.id, seller.id));
  expect((await client.putJson("/shop", { shopText: "Other" })).status).toBe(403);
});

test("contact details in the text of a shop are asked about, once", async () => {
  await addPhone(server.db, { sellerId: seller.id });
  const shopText = "Write to us at shop@example.com.";
  const text =
    "“shop@example.com” looks like an email address. Buyers can message you here, so you don’t need it.";
  const { status, body } = await client.putJson("/shop", { shopText });
  expect([status, body]).toMatchObject([
    409,
    { modifiedCount: 0, detail: text, errors: [{ pointer: "#/shopText", detail: text }] },
  ]);
  const page = await client.visitor.post("/manage/account", { intent: "shop", shopText });
  expect(page.status).toBe(400);
  const html = await page.text();
  expect(html).toContain("looks like an email address");
  expect(html).toContain(`name="confirmed" value="${body.asked[0]}"`);
  expect((await client.get("/shop")).body.shopText).toBe("");
  expect((await client.putJson("/shop", { shopText, confirmed: body.asked })).status).toBe(200);
  expect((await client.get("/shop")).body.shopText).toBe(shopText);
});

test("who sells nothing has no shop to change", async () => {
  const buyer = await signedInClient(server);
  const noShop = { status: 403, detail: "You have no shop yet. List a device first.", modifiedCount: 0 };
  expect((await buyer.putJson("/shop", { shopText: "Hello" })).body).toMatchObject(noShop);
  const page = await buyer.visitor.post("/manage/account", { intent: "shop", shopText: "Hello" });
  expect(page.status).toBe(403);
  await addPhone(server.db, { sellerId: buyer.account.id });
  expect((await buyer.putJson("/shop", { shopText: "Hello" })).status).toBe(200);
});

test("sellers pause all listings until a day, and go on before it", async () => {
  const { id } = await addPhone(server.db, { sellerId: seller.id });
  const day = (days: number) => isoDay(Math.floor(Date.now() / dayMs) + days);
  const status = async () => (await server.db.select().from(phones).where(eq(phones.id, id)))[0]?.status;
  for (const until of [day(0), day(91), "soon"])
    expect((await client.putJson("/shop/pause", { until })).status).toBe(422);
  expect(await status()).toBe("available");
  expect((await client.putJson("/shop/pause", { until: day(7) })).status).toBe(200);
  expect(await status()).toBe("paused");
  expect((await client.get("/shop")).body.pausedUntil).toBe(`${day(7)}T00:00:00.000Z`);
  expect((await client.delete("/shop/pause")).status).toBe(200);
  expect(await status()).toBe("available");
  expect((await client.get("/shop")).body.pausedUntil).toBeNull();
});

test("sellers read their numbers and what they sold in a period", async () => {
  const order = await sell();
  await server.db.insert(listingViews).values({ phoneId: order.phoneId, views: 12 });
  const { body: numbers } = await client.get("/shop/numbers?days=365");
  expect(numbers).toMatchObject({ days: 365, listings: 1, views: 12 });
  expect(numbers.now).toMatchObject({ bookings: 1, sold: 1, soldFor: 349.5 });
  expect(numbers.before).toMatchObject({ bookings: 0, sold: 0, soldFor: 0, daysToSale: null });
  expect(numbers.models).toEqual([{ name: "@SUM(1)", sold: 1, soldFor: 349.5 }]);
  expect(numbers.months.at(-1)).toMatchObject({
    views: 0,
    saves: 0,
    offers: 0,
    bookings: 1,
    sold: 1,
    soldFor: 349.5,
  });
  expect((await client.get("/shop/numbers")).body).toMatchObject({ days: 30, months: [] });
  expect((await client.get("/shop/numbers?days=8")).status).toBe(422);
  const sold = {
    bookingId: order.id,
    ownNumber: "+SHELF 7",
    productName: "@SUM(1)",
    price: 349.5,
    buyer: "=Mia",
  };
  expect((await client.get("/shop/sold")).body).toMatchObject([sold]);
  const stranger = await signedInClient(server, await addAccount(server.db, { userType: "Seller" }));
  expect((await stranger.get("/shop/sold")).body).toEqual([]);
});

test("the CSV of what was sold has dates, price and the buyer's first name, and no formulas", async () => {
  const order = await sell();
  const response = await client.visitor.get("/manage/mysells/sold.csv");
  expect(response.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
  const [columns, row, ...more] = (await response.text()).split("\r\n");
  expect(columns).toBe("Received,Booked,Order,Own number,Device,RAM,Storage,Price,Refund,Buyer");
  const [received = "", booked, , ...rest] = row?.split(",") ?? [];
  expect(Date.parse(received)).toBeGreaterThanOrEqual(order.createdAt.getTime());
  expect(booked).toBe(order.createdAt.toISOString());
  const expected = [`"'+SHELF 7"`, `"'@SUM(1)"`, "8 GB", "256 GB", "349.50", "0.00", `"'=Mia"`];
  expect(rest).toEqual(expected);
  expect(more).toEqual([""]);
});

test("the file of all listings is read by an import that changes nothing", async () => {
  await addPhone(server.db, { sellerId: seller.id, ownNumber: "A-17" });
  const file = await client.get("/shop/listings");
  expect(file.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
  expect(file.headers.get("Content-Disposition")).toMatch(/^attachment; filename="[\w-]+\.csv"$/);
  const headers = { "Content-Type": "text/csv" };
  const { body } = await client.send("POST", "/imports", { body: file.text, headers });
  expect((await client.get(`/imports/${body.insertedId}`)).body).toMatchObject({ rows: 1, unchanged: 1 });
});
