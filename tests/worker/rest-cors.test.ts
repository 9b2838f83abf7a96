import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { phones, tickets } from "#app/db/schema.ts";
import type { LocalServer } from "../../scripts/local-server.ts";
import { type ApiClient, apiClient, rawRequest, tokenClient } from "../harness/api-client.ts";
import { addPhone, sharedServer, startServer } from "../harness/server.ts";

const listed = "https://shop.example";
const alsoListed = "http://localhost:3000";
const unlisted = [
  "https://other.example",
  "http://shop.example",
  "https://shop.example:8443",
  "https://shop.example.evil.example",
  "https://sub.shop.example",
  "https://SHOP.example",
  "null",
  "",
  "*",
];

let open: LocalServer;
let closed: LocalServer;
beforeAll(async () => {
  closed = await sharedServer();
  open = await startServer({ bindings: { CORS_ORIGINS: `${listed}, ${alsoListed}` } });
});
afterAll(async () => {
  await open?.stop();
});

const grants = (headers: Headers) => [...headers.keys()].filter((name) => name.startsWith("access-control-"));

const preflight = (origin: string) => ({
  Origin: origin,
  "Access-Control-Request-Method": "DELETE",
  "Access-Control-Request-Headers": "authorization, content-type, idempotency-key",
});

/** Requests as a browser sends them from a page of that origin. */
const from = (server: LocalServer, origin: string, more: Record<string, string> = {}): ApiClient =>
  apiClient(server, { Origin: origin, "Sec-Fetch-Site": "cross-site", ...more });

describe("without allowed origins", () => {
  test.each([listed, "null", "https://other.example"])("%s gets no CORS headers", async (origin) => {
    const one = from(closed, origin);
    for (const response of [
      await one.get("/phoneInfoCollection"),
      await one.get("/users"),
      await one.send("OPTIONS", "/users", { headers: preflight(origin) }),
      await one.post("/report", {}),
    ]) {
      expect(grants(response.headers)).toEqual([]);
      expect(response.headers.get("Vary")).toContain("Origin");
    }
  });
});

describe("with allowed origins", () => {
  test.each([listed, alsoListed])("%s gets the allowed methods and headers", async (origin) => {
    const one = from(open, origin);
    const preflightResponse = await one.send("OPTIONS", "/phones/delete/x", { headers: preflight(origin) });
    expect(preflightResponse.status).toBe(204);
    expect(preflightResponse.headers.get("Access-Control-Allow-Origin")).toBe(origin);
    expect(preflightResponse.headers.get("Access-Control-Allow-Credentials")).toBe("true");
    expect(preflightResponse.headers.get("Access-Control-Allow-Methods")?.split(", ")).toContain("DELETE");
    const sendable = preflightResponse.headers.get("Access-Control-Allow-Headers")?.toLowerCase().split(", ");
    expect(sendable).toEqual(expect.arrayContaining(["authorization", "content-type", "idempotency-key"]));
    expect(Number(preflightResponse.headers.get("Access-Control-Max-Age"))).toBeGreaterThan(0);

    // Errors too, so that the page can read them.
    for (const path of ["/phoneInfoCollection", "/users", "/phoneInfoCollection/none", "/bookings?limit=0"]) {
      const { headers } = await one.get(path);
      expect([path, headers.get("Access-Control-Allow-Origin")]).toEqual([path, origin]);
      expect(headers.get("Access-Control-Allow-Credentials")).toBe("true");
      expect(headers.get("Vary")).toContain("Origin");
      const readable = headers.get("Access-Control-Expose-Headers")?.split(", ");
      expect(readable).toEqual(expect.arrayContaining(["ETag", "Link", "Retry-After"]));
    }
    const list = await one.get("/phoneInfoCollection");
    const kept = await one.get("/phoneInfoCollection", { "If-None-Match": list.headers.get("ETag") ?? "" });
    expect([kept.status, kept.headers.get("Access-Control-Allow-Origin")]).toEqual([304, origin]);
    const odd = await rawRequest(open, "PATCH", "/users", { headers: { Origin: origin } });
    expect([odd.status, odd.headers.get("Access-Control-Allow-Origin")]).toEqual([405, origin]);
  });

  test.each(unlisted)("%j gets no CORS headers", async (origin) => {
    const one = from(open, origin);
    for (const response of [
      await one.get("/phoneInfoCollection"),
      await one.send("OPTIONS", "/users", { headers: preflight(origin) }),
    ]) {
      expect([origin, grants(response.headers)]).toEqual([origin, []]);
      expect(response.headers.get("Vary")).toContain("Origin");
    }
  });

  test.each(unlisted)("a write from %j is refused for any user, and stores nothing", async (origin) => {
    const seller = await tokenClient(open, { userType: "Seller" });
    const phone = await addPhone(open.db, { sellerId: seller.account.id });
    const before = await open.db.$count(tickets);
    const one = from(open, origin, { Authorization: `Bearer ${seller.token}` });
    expect((await one.delete(`/phones/delete/${phone.id}`)).status).toBe(403);
    expect((await one.post("/report", {})).status).toBe(403);
    expect((await one.post("/bookings", { phoneId: phone.id })).status).toBe(403);
    const [row] = await open.db.select().from(phones).where(eq(phones.id, phone.id));
    expect([row?.hiddenById, row?.status, await open.db.$count(tickets)]).toEqual([
      null,
      "available",
      before,
    ]);
  });

  test("a write from an allowed origin works with a token", async () => {
    const seller = await tokenClient(open, { userType: "Seller" });
    const phone = await addPhone(open.db, { sellerId: seller.account.id });
    const one = from(open, listed, { Authorization: `Bearer ${seller.token}` });
    const response = await one.delete(`/phones/delete/${phone.id}`);
    expect([response.status, response.headers.get("Access-Control-Allow-Origin")]).toEqual([200, listed]);
    expect((await one.post("/report", {})).status).toBe(200);
  });

  test("an allowed origin applies to the API only, not to pages and forms", async () => {
    for (const [method, path] of [
      ["GET", "/login"],
      ["GET", "/manage"],
      ["OPTIONS", "/login"],
    ] as const) {
      const { headers } = await rawRequest(open, method, path, { headers: { Origin: listed } });
      expect([path, grants(headers)]).toEqual([path, []]);
    }
    for (const path of ["/login", "/signup", "/logout", "/report"]) {
      const { status } = await rawRequest(open, "POST", path, {
        headers: { Origin: listed, "Content-Type": "application/x-www-form-urlencoded" },
        body: "name=x",
      });
      expect([path, status]).toEqual([path, 403]);
    }
  });
});
