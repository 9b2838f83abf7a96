import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { eq } from "drizzle-orm";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { orders, phones, tickets, users } from "#app/db/schema.ts";
import type { LocalServer } from "../../scripts/local-server.ts";
import { accessTokenOf, signedInClient } from "../harness/api-client.ts";
import { closePages, openPage, sharedBrowser, storageStateOf } from "../harness/browser.ts";
import { addAccount, addPhone, startServer } from "../harness/server.ts";

let browser: Browser;
let server: LocalServer;
let listed: Awaited<ReturnType<typeof serveBlankPage>>;
let unlisted: Awaited<ReturnType<typeof serveBlankPage>>;
beforeAll(async () => {
  listed = await serveBlankPage();
  unlisted = await serveBlankPage();
  server = await startServer({ bindings: { CORS_ORIGINS: listed.origin } });
  browser = await sharedBrowser();
});
afterAll(async () => {
  await closePages();
  await server?.stop();
  for (const site of [listed, unlisted]) site?.httpServer.close();
});

/** A site on another origin. */
async function serveBlankPage(): Promise<{ origin: string; httpServer: Server }> {
  const httpServer = createServer((_, response) => {
    response.setHeader("Content-Type", "text/html");
    response.end("<!doctype html><title>Another site</title>");
  }).listen(0, "127.0.0.1");
  await once(httpServer, "listening");
  const address = httpServer.address();
  if (!address || typeof address === "string") throw new Error("The other site has no port.");
  return { origin: `http://localhost:${address.port}`, httpServer };
}

interface RequestSpec {
  path: string;
  init?: RequestInit;
}

/** Sends a request by `fetch` from a page; null when the browser hides the response. */
function fetchFrom(page: Page, spec: RequestSpec) {
  const url = new URL(spec.path, server.url.replace("127.0.0.1", "localhost")).href;
  return page.evaluate(
    async ({ url, init }) => {
      try {
        const response = await fetch(url, init);
        const text = await response.text();
        return {
          status: response.status,
          etag: response.headers.get("ETag"),
          body: text ? JSON.parse(text) : null,
        };
      } catch {
        return null;
      }
    },
    { url, init: spec.init },
  );
}

const json = (body: unknown, more: RequestInit = {}): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
  ...more,
});

describe("from a page of an allowed origin", { tags: ["slow"] }, () => {
  test("requests succeed, with a token or with the browser's session", async () => {
    const seller = await signedInClient(server, { userType: "Seller" });
    const token = await accessTokenOf(seller);
    const phone = await addPhone(server.db, { sellerId: seller.account.id });
    const { page } = await openPage(browser, server, {
      storageState: await storageStateOf(server, seller.account.email),
      // Same-origin requests need no CORS headers.
      extraHTTPHeaders: {},
    });
    await page.goto(listed.origin);

    const list = await fetchFrom(page, { path: "/phoneInfoCollection" });
    expect(list?.body).toMatchObject([{ _id: phone.id }]);
    expect(list?.etag).toMatch(/^W\/"/);
    expect((await fetchFrom(page, { path: "/bookings" }))?.status).toBe(401);
    expect(
      (await fetchFrom(page, { path: "/allPhoneInfo", init: { credentials: "include" } }))?.body,
    ).toMatchObject([{ _id: phone.id }]);
    const headers = { authorization: `Bearer ${token}`, "Idempotency-Key": "one" };
    const report = await fetchFrom(page, {
      path: "/report",
      init: json(
        { details: "From elsewhere" },
        { headers: { ...headers, "content-type": "application/json" } },
      ),
    });
    expect(report?.body.acknowledged).toBe(true);
    const deleted = await fetchFrom(page, {
      path: `/phones/delete/${phone.id}`,
      init: { method: "DELETE", headers: { authorization: headers.authorization } },
    });
    expect(deleted?.body).toEqual({ acknowledged: true, deletedCount: 1 });
  });
});

describe("from a page of an origin that is not allowed", { tags: ["slow"] }, () => {
  test("nothing can be read or changed, even when signed in", async () => {
    const seller = await signedInClient(server, { userType: "Seller" });
    const phone = await addPhone(server.db, { sellerId: seller.account.id });
    const before = await server.db.$count(tickets);
    const { page } = await openPage(browser, server, {
      storageState: await storageStateOf(server, seller.account.email),
    });
    await page.goto(unlisted.origin);

    const credentials = "include" as const;
    const attempts: RequestSpec[] = [
      { path: "/phoneInfoCollection" },
      { path: "/allPhoneInfo", init: { credentials } },
      { path: `/phones/delete/${phone.id}`, init: { method: "DELETE", credentials } },
      { path: "/report", init: json({ details: "x" }, { credentials }) },
      // Requests that browsers send without a preflight.
      { path: "/report", init: { method: "POST", body: '{"details":"x"}', credentials } },
      { path: "/bookings", init: { method: "POST", body: `{"phoneId":"${phone.id}"}`, credentials } },
    ];
    for (const spec of attempts) expect([spec.path, await fetchFrom(page, spec)]).toEqual([spec.path, null]);
    const [row] = await server.db.select().from(phones).where(eq(phones.id, phone.id));
    expect([row?.hiddenById, row?.status, await server.db.$count(tickets)]).toEqual([
      null,
      "available",
      before,
    ]);
  });
});

test("the original client's requests work from a page of the same origin", async () => {
  const { page, observed } = await openPage(browser, server);
  await page.goto("/");
  const request = (path: string, init?: RequestInit) => fetchFrom(page, { path, init });
  const email = "original.client@example.com";

  // Signs up as a seller, then requests the token, which the client stores in local storage.
  const user = { name: "Mia Sund", email, userType: "Seller", password: "secret1" };
  expect((await request("/users", json(user)))?.status).toBe(200);
  const signedUp = await request(`/jwt?email=${email}`);
  await page.evaluate((token) => localStorage.setItem("accessToken", token), signedUp?.body.accessToken);
  const stored = await page.evaluate(() => localStorage.getItem("accessToken"));
  const authorization = `bearer ${stored}`;
  const tokenClient = (method: string): RequestInit => ({ method, headers: { authorization } });
  expect((await request(`/users/seller/${email}`))?.body).toEqual({ isSeller: true });
  expect((await request(`/users/admin/${email}`))?.body).toEqual({ isAdmin: false });

  const device = {
    ...{ brandName: "Nokia", model: "XR20", ram: "6 GB", rom: "128 GB", camera: "48 MP", os: "Android" },
    ...{ processor: "Snapdragon 480", deviceType: "Smart Phone", battery: "4630 mAh", usedTime: "14" },
    ...{ image: "https://pictures.example/xr20.jpg", sellerName: user.name, sellerEmail: email },
    ...{ sellingReason: "Two.", marketPrice: "549", sellingPrice: "199", postDate: "2026-11-20" },
  };
  expect((await request("/phoneInfoCollection", json(device)))?.body.acknowledged).toBe(true);
  const own = await request(`/allPhoneInfo?email=${email}`, tokenClient("GET"));
  expect(own?.body).toMatchObject([{ model: "XR20", sellingPrice: 199 }]);

  const other = await addPhone(server.db, { deviceType: "Tablet", os: "Ios" });
  const tablets = await request("/phoneInfoCollection/Tablet");
  const [tablet] = tablets?.body ?? [];
  const booking = {
    productName: `${tablet.brandName} ${tablet.model}`,
    ...{ ram: tablet.ram, rom: tablet.rom, buyerName: user.name, buyerAddress: "Here", email },
    ...{ price: tablet.sellingPrice, phone: "0701234567" },
  };
  expect((await request("/bookings", json(booking)))?.body.acknowledged).toBe(true);
  const listed = await request(`/bookings?email=${email}`, tokenClient("GET"));
  expect(listed?.body).toMatchObject([{ phoneId: other.id, buyerName: user.name, email }]);
  const cancelled = await request(`/bookings/delete/${listed?.body[0]._id}`, tokenClient("DELETE"));
  expect(cancelled?.body.deletedCount).toBe(1);
  expect(await server.db.$count(orders, eq(orders.status, "active"))).toBe(0);
  const deleted = await request(`/phones/delete/${own?.body[0]._id}`, tokenClient("DELETE"));
  expect(deleted?.body.deletedCount).toBe(1);
  expect(
    (await request("/report", json({ name: user.name, email, details: "Hello" })))?.body.acknowledged,
  ).toBe(true);

  // Administrators' requests have a session cookie instead of an Authorization header.
  const seller = await addAccount(server.db, { userType: "Seller" });
  await server.db.update(users).set({ userType: "Admin" }).where(eq(users.email, email));
  expect((await request("/users"))?.body).toContainEqual(expect.objectContaining({ _id: seller.id }));
  expect((await request("/sellers"))?.body[0]).toMatchObject({ _id: seller.id });
  expect((await request("/report"))?.body[0]).toMatchObject({ details: "Hello" });
  expect((await request(`/seller/verify/${seller.id}`, tokenClient("PUT")))?.body.modifiedCount).toBe(1);
  expect((await request(`/users/delete/${seller.id}`, tokenClient("DELETE")))?.body.deletedCount).toBe(1);
  expect(observed).toEqual({ problems: [], externalRequests: [] });
});
