import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { decisions, type users } from "#app/db/schema.ts";
import { parseSearchQuery } from "#app/features/catalog/search/search-query.rules.ts";
import { sendFirstMessage } from "#app/features/messages/send-message.server.ts";
import { createReport } from "#app/features/problem-reports/reports.server.ts";
import { saveSearch } from "#app/features/saved-searches/saved-searches.server.ts";
import routes from "#app/routes.ts";
import type { LocalServer } from "../../scripts/local-server.ts";
import { bookWithoutLimits } from "../harness/bookings.ts";
import { fieldValue, textOf } from "../harness/html.ts";
import { readContract } from "../harness/openapi.ts";
import {
  addAccount,
  addPhone,
  addProblem,
  addReceivedOrder,
  newAddress,
  password,
  startServer,
  type Visitor,
  visitor,
} from "../harness/server.ts";

// With a limit of one, the second request of an address is refused.
let server: LocalServer;
let admin: Visitor;
let account: typeof users.$inferSelect;
let phoneId: string;
let orderId: string;
let receivedOrderId: string;
let searchId: string;
let conversationId: string;
let otherPhoneId: string;
let warningId: string;
let problemId: string;
let reportId: string;
beforeAll(async () => {
  server = await startServer({ maxRequests: 1 });
  account = await addAccount(server.db, { email: taken, userType: "Admin" });
  admin = visitor(server);
  await admin.signIn(account.email);
  phoneId = (await addPhone(server.db, { sellerId: account.id })).id;
  otherPhoneId = (await addPhone(server.db)).id;
  const [warning] = await server.db
    .insert(decisions)
    .values({
      kind: "warn",
      targetKind: "seller",
      targetId: account.id,
      target: account.name,
      ownerId: account.id,
      reason: "",
    })
    .returning();
  warningId = warning?.id ?? "";
  const details = { address: "", phone: "" };
  const order = await bookWithoutLimits(server.db, account, (await addPhone(server.db)).id, details);
  const seller = await addAccount(server.db, { userType: "Seller" });
  const target = { phone: (await addPhone(server.db)).id };
  const message = { text: "Hello", formKey: null };
  conversationId = (await sendFirstMessage(server.db, account, target, message)).conversationId ?? "";
  receivedOrderId = await addReceivedOrder(server.db, account, seller);
  problemId = (await (await addProblem(server.db, { isAsked: true })).problem()).id;
  reportId = await createReport(server.db, { name: "", email: nobody, details: "" }, null);
  const settings = { name: "Mine", frequency: "daily" } as const;
  const search = {
    category: { key: "ios" },
    query: parseSearchQuery(new URLSearchParams("q=iphone")),
  } as const;
  const saved = await saveSearch(server.db, account, settings, search);
  searchId = typeof saved === "object" ? saved.id : "";
  orderId = ("orderId" in order && order.orderId) || "";
});
afterAll(() => server?.stop());

const tooMany = "Too many attempts. Try again in 1 minute.";

const device = {
  brandName: "Sony",
  model: "Xperia 5",
  ram: "8 GB",
  rom: "256 GB",
  camera: "12 MP",
  processor: "Snapdragon 865",
  os: "Android",
  deviceType: "Smart Phone",
  image: "https://pictures.example/x.jpg",
  battery: "4000 mAh",
  sellingReason: "Too small.",
  marketPrice: "949",
  sellingPrice: "349.5",
  postDate: "2026-11-20",
  usedTime: "14",
};

interface Form {
  /** The path, if it is not the route's own. */
  path?: string;
  /** Passkeys work at host names only. */
  host?: string;
  fields?: Record<string, string>;
  /** What was typed, and is in the refused form. */
  typed?: [name: string, value: string];
  /** "toast": the route has no page, so the browser goes back with the message. "script": it responds with JSON. */
  refusal?: "page" | "toast" | "script";
  /** The page cannot show the message. */
  isSilent?: boolean;
}

/** A sign-up would replace the session. */
const taken = "administrator@example.com";
const nobody = "nobody@example.com";
const id = "no-such-id";

const note = { intent: "note", note: "Called twice" };

/** The forms of each route with an action, by its id in routes.ts; a text says why there is no limit. */
const forms: Record<string, string | Form[]> = {
  login: [{ fields: { email: nobody, password }, typed: ["email", nobody] }],
  signup: [{ fields: { name: "Mia", email: taken, password }, typed: ["name", "Mia"] }],
  sellersignup: [{ fields: { name: "Mia", email: taken, password }, typed: ["name", "Mia"] }],
  addphone: [{ fields: device, typed: ["model", "Xperia 5"] }],
  report: [{ fields: { details: "Broken", name: "Mia" }, typed: ["name", "Mia"] }],
  "report-content": [
    {
      path: "/report/listing/:otherPhoneId",
      fields: { reason: "Duplicate or spam", details: "Twice" },
      // After the first post it is reported.
      isSilent: true,
    },
  ],
  // Without a link the page has no form.
  ticket: [{ fields: { intent: "answer", text: "It still does." }, isSilent: true }],
  // After the first post the phone is reserved, so the page has no form; see rate-limits.test.ts.
  ...Object.fromEntries(
    ["products", "android", "ios", "tablet", "listing"].map((list) => [
      `${list}-book`,
      [{ fields: { address: "1 Quay Street", phone: "1" }, isSilent: true }],
    ]),
  ),
  forgot: [{ fields: { email: nobody }, typed: ["email", nobody] }],
  // Without a link the page has no form.
  reset: [{ fields: { password }, isSilent: true }],
  verify: [{ fields: { intent: "disown" }, isSilent: true }],
  unsubscribe: [{ isSilent: true }],
  logout: "anyone may always log out",
  google: "stores nothing",
  "not-found": "stores nothing",
  "login-passkey": [{ host: "localhost", refusal: "script" }],
  "manage-orders": [{ path: "/manage?index", fields: { _id: id } }],
  "manage-order": [
    { fields: { intent: "delivery", address: "2 Quay Street", phone: "1" } },
    // It is the administrator's own order, so the page has no notes.
    { fields: note, isSilent: true },
    { fields: { intent: "hand over" } },
    { fields: { intent: "cancel" } },
  ],
  "manage-order-problem": [
    {
      path: "/manage/orders/:receivedOrderId/problem",
      // The kind is the seller's, so that the page keeps the form.
      fields: { intent: "open", kind: "not paid", text: "No charger" },
      typed: ["text", "No charger"],
    },
    {
      path: "/manage/orders/:receivedOrderId/problem",
      fields: { intent: "answer", answer: "ask" },
      isSilent: true,
    },
  ],
  "manage-problem-case": [
    {
      path: "/manage/problems/:problemId",
      fields: { decision: "refused", reason: "It works" },
      // The first post has decided, so the page has no form.
      isSilent: true,
    },
  ],
  "manage-order-reviews": [
    {
      path: "/manage/orders/:receivedOrderId/reviews",
      fields: { intent: "review", stars: "5", text: "All good" },
      typed: ["text", "All good"],
    },
    // The buyer's page has no form to reply.
    {
      path: "/manage/orders/:receivedOrderId/reviews",
      fields: { intent: "reply", reply: "Thank you!" },
      isSilent: true,
    },
  ],
  "manage-saved": [{ fields: { _id: id } }],
  seen: [{ fields: { id }, refusal: "script" }],
  "manage-saved-state": [{ fields: { save: id }, refusal: "toast" }],
  "listing-offer": [
    {
      path: "/phones/:otherPhoneId/offer",
      fields: { intent: "offer", amount: "1" },
      typed: ["amount", "1"],
    },
  ],
  "manage-offers": [{ fields: { intent: "accept", offer: id } }],
  "manage-conversation": [
    { fields: { intent: "withdraw", offer: id } },
    { fields: { text: "Is it scratched?" }, typed: ["text", "Is it scratched?"] },
    { fields: { intent: "block" } },
    { fields: { intent: "unblock" } },
  ],
  // The first post starts a conversation, so the page has no form any more.
  "manage-new-message": [
    {
      path: "/manage/messages/new?phone=:phoneId",
      fields: { text: "Is it scratched?" },
      typed: ["text", "Is it scratched?"],
    },
  ],
  "manage-sellings": [{ fields: { _id: id } }],
  "manage-edit": [{ fields: device, typed: ["model", "Xperia 5"] }],
  "manage-photos": [{ fields: { intent: "left", _id: id } }],
  "manage-photo-upload": [{ refusal: "script" }],
  "manage-all-orders": [{ fields: { _id: id } }],
  "manage-all-listings": [{ fields: { _id: id } }],
  "manage-users": [{ fields: { _id: id, intent: "delete" } }],
  "manage-sellers": ["delete", "verify"].map((intent) => ({ fields: { _id: id, intent } })),
  "manage-work": ["take", "give back"].map((intent) => ({ fields: { intent, path: id }, refusal: "toast" })),
  "manage-report": [
    { path: "/manage/reports/:reportId", fields: { intent: "close" } },
    {
      path: "/manage/reports/:reportId",
      fields: { intent: "answer", text: "Try again" },
      typed: ["text", "Try again"],
    },
    { path: "/manage/reports/:reportId", fields: note, typed: ["note", note.note] },
  ],
  "manage-notifications": [{ fields: { intent: "read all" } }],
  "manage-user": [
    ...["delete", "verify", "end sessions", "appoint moderator"].map((intent) => ({
      path: "/manage/users/:accountId",
      fields: { intent },
    })),
    { path: "/manage/users/:accountId", fields: note, typed: ["note", note.note] },
  ],
  "manage-announcements": [
    {
      fields: { intent: "announce", text: "News", audience: "all", from: "2026-01-01", to: "2026-01-02" },
      typed: ["text", "News"],
    },
    {
      path: "/manage/announcements?id=:accountId",
      fields: { intent: "write", text: "Hello" },
      typed: ["text", "Hello"],
    },
    { fields: { intent: "end", _id: id } },
  ],
  "manage-page": [
    {
      path: "/manage/pages/new",
      fields: { intent: "draft", title: "Page", body: "Words" },
      typed: ["body", "Words"],
    },
  ],
  "manage-selected": [
    {
      path: "/manage/selected?action=delete+users&id=:accountId",
      fields: { action: "delete users", id },
    },
    // Without a selection in the query the page is the error page.
    { fields: { action: "delete users", id }, isSilent: true },
  ],
  "manage-account": [
    { fields: { intent: "name", name: "Mia Sund" }, typed: ["name", "Mia Sund"] },
    { fields: { intent: "password", currentPassword: "wrong-1", password } },
    { fields: { intent: "password link" } },
    { fields: { intent: "log out", session: "x" } },
    { fields: { intent: "log out others" } },
    { fields: { intent: "emails", kinds: "message" } },
    { fields: { intent: "unblock", person: id } },
    { fields: { intent: "close", password: "wrong-1" } },
  ],
  "manage-account-verify": [{ refusal: "toast" }],
  "manage-account-data": [{ refusal: "toast" }],
  "manage-account-passkeys": [
    { fields: { _id: id }, refusal: "toast" },
    { fields: { intent: "add" }, refusal: "script" },
  ],
  "manage-account-tokens": [
    { fields: { intent: "create", name: "Nightly", scope: "read", days: "30" }, typed: ["name", "Nightly"] },
    { fields: { intent: "revoke", _id: id } },
  ],
  "manage-moderation-case": [
    { path: "/manage/moderation/listing/:otherPhoneId", fields: note, typed: ["note", note.note] },
    // Without an open report the page has no form.
    { path: "/manage/moderation/listing/:otherPhoneId", fields: { decision: "dismiss" }, isSilent: true },
  ],
  "manage-decision": [{ path: "/manage/decisions/:warningId", fields: { appeal: "No" }, isSilent: true }],
  "manage-searches": [{ fields: { _id: id } }],
  "manage-save-search": [
    {
      path: "/manage/searches/new?q=pixel",
      fields: { name: "Pixels", frequency: "daily" },
      typed: ["name", "Pixels"],
    },
  ],
  "manage-edit-search": [{ fields: { name: "Phones", frequency: "never" }, typed: ["name", "Phones"] }],
  "manage-undo": [{ fields: { _id: id }, refusal: "toast" }],
};

const routesWithAction: { id: string; path: string }[] = [];
(function flatten(entries: typeof routes, parent: string) {
  for (const { id: routeId = "", path = "", file, children } of entries) {
    const own = `${parent}/${path}`.replaceAll(/\/+/g, "/").replace(/(?<=.)\/$/, "");
    const source = readFileSync(`app/${file}`, "utf8");
    const hasAction = /export (const|async function|function) action\b/.test(source);
    if (hasAction && !file.startsWith("routes/api/")) routesWithAction.push({ id: routeId, path: own });
    if (children) flatten(children, own);
  }
})(routes, "");

test("each route with an action has a row, and each row a route", () => {
  expect(Object.keys(forms).toSorted()).toEqual(routesWithAction.map(({ id }) => id).toSorted());
});

const rows = routesWithAction.flatMap(({ id: routeId, path }) => {
  const posted = forms[routeId];
  return Array.isArray(posted) ? posted.map((form) => ({ routeId, path, ...form })) : [];
});

/** Posts as the administrator from another address, and keeps the session. */
async function postFrom(address: string, path: string, fields: Record<string, string>) {
  const cookies = new Map(admin.cookies);
  const headers = {
    Origin: new URL(path, server.url).origin,
    Accept: "text/html",
    "CF-Connecting-IP": address,
  };
  const body = new URLSearchParams(fields);
  const response = await admin.send(path, { method: "POST", body, headers });
  const flash = admin.cookies.get("__Host-flash");
  admin.cookies.clear();
  for (const [name, value] of cookies) admin.cookies.set(name, value);
  return { response, flash };
}

/** A path with the ids of the rows that were added. */
const withIds = (path: string) =>
  path
    .replace(":phoneId", phoneId)
    .replace(":orderId", orderId)
    .replace(":searchId", searchId)
    .replace(":receivedOrderId", receivedOrderId)
    .replace(":accountId", account.id)
    .replace(":conversationId", conversationId)
    .replace(":otherPhoneId", otherPhoneId)
    .replace(":problemId", problemId)
    .replace(":reportId", reportId)
    .replace(":warningId", warningId);

describe("the second post from an address is refused:", () => {
  test.each(rows)(
    "$routeId $fields.intent",
    async ({ path: route, path, host = "127.0.0.1", fields = {}, typed, refusal, isSilent }) => {
      const address = newAddress();
      const target = new URL(withIds(path ?? route), server.url.replace("127.0.0.1", host)).href;
      const first = await postFrom(address, target, fields);
      expect(first.response.status).not.toBe(429);
      expect(first.response.headers.get("Retry-After")).toBeNull();
      const { response, flash } = await postFrom(address, target, fields);
      expect(response.headers.get("Retry-After")).toBe("60");
      if (refusal === "toast") {
        expect(response.status).toBe(303);
        expect(atob(decodeURIComponent(flash ?? "").split(".")[0] ?? "")).toContain(tooMany);
        return;
      }
      expect(response.status).toBe(429);
      const text = await response.text();
      if (refusal === "script") expect(JSON.parse(text).result.error).toEqual({ "": [tooMany] });
      else if (!isSilent) expect(textOf(text)).toContain(tooMany);
      if (typed) expect(fieldValue(text, typed[0])).toBe(typed[1]);
      for (const secret of [password, "wrong-1"]) expect(text).not.toContain(secret);
    },
  );
});

test("the second download of a table from an address is refused", async () => {
  const headers = { "CF-Connecting-IP": newAddress() };
  const [first, second] = [
    await admin.send("/manage/users.csv", { headers }),
    await admin.send("/manage/users.csv", { headers }),
  ];
  expect([first.status, second.status]).toEqual([200, 429]);
  expect(second.headers.get("Retry-After")).toBe("60");
  expect(second.headers.get("Content-Disposition")).toBeNull();
  expect(await second.text()).toBe(`${tooMany}\n`);
});

/** Each write of the API, with a body and the route whose action does the same. */
const writes: Record<string, { path: string; body?: object; page?: string; form?: Record<string, string> }> =
  {
    "POST /phoneInfoCollection": {
      path: "/phoneInfoCollection",
      body: device,
      page: "/addphone",
      form: device,
    },
    "POST /bookings": {
      path: "/bookings",
      body: { phoneId: id },
      page: "/products/no-such-id/book",
      form: { address: "", phone: "" },
    },
    "POST /users": {
      path: "/users",
      body: { name: "M", email: taken, userType: "Buyer", password },
      page: "/signup",
      form: { name: "M", email: taken, password },
    },
    "POST /report": {
      path: "/report",
      body: { details: "Broken" },
      page: "/report",
      form: { details: "Broken" },
    },
    "POST /contentReports": {
      path: "/contentReports",
      body: { kind: "listing", targetId: id, reason: "Duplicate or spam" },
      page: "/report/listing/no-such-id",
      form: { reason: "Duplicate or spam" },
    },
    "PUT /phones/{id}": {
      path: `/phones/${id}`,
      body: { sellingPrice: 299 },
      page: "/manage/mysells/no-such-id/edit",
      form: device,
    },
    "POST /phones/photos/{id}": {
      path: `/phones/photos/${id}`,
      page: "/manage/mysells/no-such-id/photos/upload",
    },
    "PUT /phones/photos/{id}/{photoId}": {
      path: `/phones/photos/${id}/${id}`,
      body: { move: "left" },
      page: "/manage/mysells/:phoneId/photos",
      form: { intent: "left", _id: id },
    },
    "DELETE /phones/photos/{id}/{photoId}": {
      path: `/phones/photos/${id}/${id}`,
      page: "/manage/mysells/:phoneId/photos",
      form: { intent: "remove", _id: id },
    },
    "POST /reports/{id}": {
      path: `/reports/${id}`,
      body: { text: "Try again" },
      page: "/manage/reports/:reportId",
      form: { intent: "answer", text: "Try again" },
    },
    "PUT /reports/{id}": {
      path: `/reports/${id}`,
      body: { state: "closed" },
      page: "/manage/reports/:reportId",
      form: { intent: "close" },
    },
    "DELETE /phones/delete/{id}": {
      path: `/phones/delete/${id}`,
      page: "/manage/mysells",
      form: { _id: id },
    },
    "PUT /bookings/delivery/{id}": {
      path: `/bookings/delivery/${id}`,
      body: { buyerAddress: "2 Quay Street", phone: "1" },
      page: "/manage/orders/no-such-id",
      form: { intent: "delivery", address: "2 Quay Street", phone: "1" },
    },
    "PUT /bookings/steps/{id}": {
      path: `/bookings/steps/${id}`,
      body: { step: "receive" },
      page: "/manage/orders/no-such-id",
      form: { intent: "receive" },
    },
    "POST /bookings/problem/{id}": {
      path: `/bookings/problem/${id}`,
      body: { kind: "defect", text: "No sound" },
      page: "/manage/orders/no-such-id/problem",
      form: { intent: "open", kind: "defect", text: "No sound" },
    },
    "PUT /bookings/problem/{id}": {
      path: `/bookings/problem/${id}`,
      body: { answer: "ask" },
      page: "/manage/orders/no-such-id/problem",
      form: { intent: "answer", answer: "ask" },
    },
    "POST /problems/photos/{id}": {
      path: `/problems/photos/${id}`,
      page: "/manage/orders/no-such-id/problem",
      form: { intent: "answer", answer: "ask" },
    },
    "PUT /problems/{id}": {
      path: `/problems/${id}`,
      body: { decision: "refused", reason: "It works" },
      page: "/manage/problems/no-such-id",
      form: { decision: "refused", reason: "It works" },
    },
    "PUT /bookings/review/{id}": {
      path: `/bookings/review/${id}`,
      body: { stars: 5 },
      page: "/manage/orders/no-such-id/reviews",
      form: { intent: "review", stars: "5" },
    },
    "PUT /bookings/reply/{id}": {
      path: `/bookings/reply/${id}`,
      body: { reply: "Thank you!" },
      page: "/manage/orders/no-such-id/reviews",
      form: { intent: "reply", reply: "Thank you!" },
    },
    "POST /messages": {
      path: "/messages",
      body: { phoneId: id, text: "Hello" },
      page: "/manage/messages/new?phone=no-such-id",
      form: { text: "Hello" },
    },
    "POST /messages/{id}": {
      path: `/messages/${id}`,
      body: { text: "Hello" },
      page: "/manage/messages/no-such-id",
      form: { text: "Hello" },
    },
    // Pages mark as read what they show, so this shares the limit of the other writes.
    "PUT /messages/read/{id}": {
      path: `/messages/read/${id}`,
      body: { lastReadId: id },
      page: "/manage/messages/no-such-id",
      form: { intent: "block" },
    },
    "PUT /messages/block/{id}": {
      path: `/messages/block/${id}`,
      page: "/manage/messages/no-such-id",
      form: { intent: "block" },
    },
    "DELETE /messages/block/{id}": {
      path: `/messages/block/${id}`,
      page: "/manage/messages/no-such-id",
      form: { intent: "unblock" },
    },
    "POST /offers": {
      path: "/offers",
      body: { phoneId: id, amount: 300 },
      page: "/phones/no-such-id/offer",
      form: { intent: "offer", amount: "300" },
    },
    "PUT /offers/{id}": {
      path: `/offers/${id}`,
      body: { answer: "accept" },
      page: "/manage/offers",
      form: { intent: "accept", offer: id },
    },
    "PUT /notifications/read": {
      path: "/notifications/read",
      body: {},
      page: "/manage/notifications",
      form: { intent: "read all" },
    },
    "PUT /saved/{phoneId}": {
      path: `/saved/${id}`,
      page: "/manage/saved/state",
      form: { save: id },
    },
    "DELETE /saved/{phoneId}": { path: `/saved/${id}`, page: "/manage/saved", form: { _id: id } },
    "DELETE /bookings/delete/{id}": {
      path: `/bookings/delete/${id}`,
      page: "/manage?index",
      form: { _id: id },
    },
    "DELETE /users/delete/{id}": {
      path: `/users/delete/${id}`,
      page: "/manage/users",
      form: { _id: id, intent: "delete" },
    },
    "POST /addresses": {
      path: "/addresses",
      body: { address: "1 Quay Street" },
      page: "/manage/account",
      form: { intent: "add address", address: "2 Quay Street" },
    },
    "DELETE /addresses/{id}": {
      path: `/addresses/${id}`,
      page: "/manage/account",
      form: { intent: "delete address", address: id },
    },
    "POST /searches": {
      path: "/searches",
      body: { name: "Pixels", query: "q=pixel", frequency: "daily" },
      page: "/manage/searches/new?q=pixel",
      form: { name: "Pixels", frequency: "daily" },
    },
    "PUT /searches/{id}": {
      path: `/searches/${id}`,
      body: { name: "Phones", frequency: "never" },
      page: "/manage/searches/no-such-id/edit",
      form: { name: "Phones", frequency: "never" },
    },
    "DELETE /searches/{id}": { path: `/searches/${id}`, page: "/manage/searches", form: { _id: id } },
    "PUT /seller/verify/{id}": {
      path: `/seller/verify/${id}`,
      page: "/manage/sellers",
      form: { _id: id, intent: "verify" },
    },
  };

test("each write of the API has a row, and each row a write", async () => {
  const { operations } = await readContract(server);
  const described = operations.filter(({ method }) => method !== "GET");
  expect(Object.keys(writes).toSorted()).toEqual(
    described.map(({ method, template }) => `${method} ${template}`).toSorted(),
  );
});

describe("a page and the API share a limit:", () => {
  test.each(Object.entries(writes))("%s", async (name, { path, body, page = "", form = {} }) => {
    const address = newAddress();
    const first = await postFrom(address, withIds(page), form);
    expect(first.response.status).not.toBe(429);
    const refused = await visitor(server).send(path, {
      method: name.split(" ")[0],
      body: body && JSON.stringify(body),
      headers: {
        Cookie: `__Host-session=${admin.cookies.get("__Host-session")}`,
        "CF-Connecting-IP": address,
        ...(body && { "Content-Type": "application/json" }),
      },
    });
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "60"]);
    expect(await refused.json()).toMatchObject({ detail: tooMany });
  });
});
