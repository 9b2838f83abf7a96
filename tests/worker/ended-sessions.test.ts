import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { orderSteps, orders, phones, sessions, users } from "#app/db/schema.ts";
import { dayMs } from "#app/time.ts";
import { dataPath } from "../harness/data-path.ts";
import { tagsOf, textOf } from "../harness/html.ts";
import { validListing } from "../harness/listing-form.ts";
import {
  addAccount,
  addPhone,
  startServer,
  type TestServer,
  type Visitor,
  visitor,
} from "../harness/server.ts";

/** The fields of the form that submits again what was posted to a path. */
function fieldsToSubmitAgain(html: string, path: string): Record<string, string> {
  const form = html.split(`action="${path}"`)[1]?.split("</form>")[0] ?? "";
  return Object.fromEntries(
    tagsOf(form)
      .filter(({ name }) => name === "input")
      .map(({ attributes }) => [attributes.get("name") ?? "", attributes.get("value") ?? ""]),
  );
}

/** The hidden fields of the page's form for an account. */
function hiddenFields(html: string): Record<string, string> {
  const form = html.split("<form ").find((part) => part.includes('name="account"')) ?? "";
  return Object.fromEntries(
    tagsOf(form.split("</form>")[0] ?? "")
      .filter(({ attributes }) => attributes.get("type") === "hidden")
      .map(({ attributes }) => [attributes.get("name") ?? "", attributes.get("value") ?? ""]),
  );
}

/** Submits a form as a browser without JavaScript does. */
function submit(someone: Visitor, path: string, fields: Record<string, string>) {
  const headers = { Origin: server.url, Accept: "text/html,*/*;q=0.8" };
  return someone.send(path, { method: "POST", body: new URLSearchParams(fields), headers });
}

const most = 20;

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ maxRequests: most });
});
afterAll(() => server?.stop());

/** Ways to end a session between the display and the submission of a form. */
const endings: Record<string, (someone: Visitor, accountId: string) => Promise<unknown>> = {
  "an expired session": (_, id) =>
    server.db
      .update(sessions)
      .set({ expiresAt: new Date(Date.now() - 1) })
      .where(eq(sessions.userId, id)),
  "a session unused for a week": (_, id) =>
    server.db
      .update(sessions)
      .set({ createdAt: new Date(Date.now() - 9 * dayMs), lastSeenAt: new Date(Date.now() - 8 * dayMs) })
      .where(eq(sessions.userId, id)),
  "a session closed in another browser": (_, id) => server.db.delete(sessions).where(eq(sessions.userId, id)),
  "a removed account": (_, id) =>
    server.db.update(users).set({ removalId: "some removal" }).where(eq(users.id, id)),
  "a forged cookie": async (someone) => {
    const cookie = someone.cookies.get("__Host-session") ?? "";
    someone.cookies.set(
      "__Host-session",
      cookie.replace(/^./, (first) => (first === "x" ? "y" : "x")),
    );
  },
};

const forms = ["/products/ID/book", dataPath("/products/ID/book"), "/products/nothing/book"];
const tooLong = { address: "a".repeat(501), phone: "1" };
const fitting = { address: "1 Harbour Street", phone: "5550100" };

/** Everything in a response that a visitor can see. */
async function visibleResponse(response: Response) {
  const { status, headers } = response;
  return {
    status,
    location: headers.get("Location") ?? headers.get("X-Remix-Redirect"),
    authenticate: headers.get("WWW-Authenticate"),
    // The bookmark says how far the database is, and differs with each response.
    cookies: headers.getSetCookie().filter((cookie) => !cookie.startsWith("__Host-bookmark=")),
    body: await response.text(),
  };
}

function postBooking(someone: Visitor, body: unknown) {
  const headers = { "Content-Type": "application/json" };
  return someone.send("/bookings", { method: "POST", headers, body: JSON.stringify(body) });
}

async function written() {
  return Promise.all([
    server.db.select().from(orders),
    server.db.select().from(orderSteps),
    server.db.select().from(phones).where(eq(phones.status, "reserved")),
  ]);
}

describe.each(Object.keys(endings))("with %s", (ending) => {
  let someone: Visitor;
  let id: string;
  let email: string;
  beforeAll(async () => {
    const account = await addAccount(server.db);
    ({ email } = account);
    someone = visitor(server);
    await someone.signIn(email);
    id = (await addPhone(server.db)).id;
    await endings[ending]?.(someone, account.id);
  });

  test("a submitted form is shown with what was typed, to be submitted again after a login", async () => {
    const path = `/products/${id}/book`;
    const cookie = someone.cookies.get("__Host-session") ?? "";
    const response = await submit(someone, path, { ...fitting, account: email });
    someone.cookies.set("__Host-session", cookie);
    expect([response.status, response.headers.get("Cache-Control")]).toEqual([
      401,
      expect.stringContaining("no-store"),
    ]);
    const page = await response.text();
    expect(page).toContain("Your session has ended");
    expect(page).toMatch(/<a href="\/login" target="_blank"/);
    expect(textOf(page)).toContain("Address 1 Harbour Street");
    expect(fieldsToSubmitAgain(page, path)).toEqual({ ...fitting, account: email });
    expect(await written()).toEqual([[], [], []]);
  });

  test.each(forms)(
    "the form of %s books nothing and redirects to login, as without a session",
    async (form) => {
      const path = form.replace("ID", id);
      for (const fields of [fitting, tooLong]) {
        const cookie = someone.cookies.get("__Host-session") ?? "";
        const response = await visibleResponse(await someone.post(path, fields));
        expect(response).toEqual(await visibleResponse(await visitor(server).post(path, fields)));
        const [pathname = ""] = path.split("?");
        expect(response.location).toBe(`/login?redirectTo=${encodeURIComponent(pathname)}`);
        someone.cookies.set("__Host-session", cookie);
      }
      expect(await written()).toEqual([[], [], []]);
    },
  );

  test("the request books nothing and is refused with 401, as without a session", async () => {
    const bodies = [{ phoneId: id }, { phoneId: "nothing" }, { productName: "Nokia" }, 7];
    for (const body of bodies) {
      const response = await visibleResponse(await postBooking(someone, body));
      expect([response.status, response.cookies]).toEqual([401, []]);
      expect(response).toEqual(await visibleResponse(await postBooking(visitor(server), body)));
    }
    const statuses = [];
    for (let time = 0; time <= most; time += 1)
      statuses.push((await postBooking(someone, { phoneId: id })).status);
    expect(statuses.at(0)).toBe(401);
    expect(statuses.at(-1)).toBe(429);
    expect(await written()).toEqual([[], [], []]);
  });
});

describe("without the session cookie", () => {
  let seller: Visitor;
  let own: string;
  let other: string;
  beforeAll(async () => {
    const account = await addAccount(server.db, { userType: "Seller" });
    seller = visitor(server);
    await seller.signIn(account.email);
    own = (await addPhone(server.db, { sellerId: account.id })).id;
    other = (await addPhone(server.db)).id;
  });

  test.each<[string, Record<string, string>]>([
    ["/addphone", validListing],
    ["/manage/mysells/OWN/edit", { ...validListing, model: "Retyped" }],
    ["/manage/messages/new?phone=OTHER", { text: "Is the box included?" }],
    ["/report/listing/OTHER", { reason: "duplicate", details: "Listed twice" }],
    ["/products/OTHER/book", fitting],
  ])("what was typed into the form of %s is kept, and saved after the login", async (form, typed) => {
    const path = form.replace("OWN", own).replace("OTHER", other);
    const hidden = hiddenFields(await (await seller.get(path)).text());
    const session = seller.cookies.get("__Host-session") ?? "";
    seller.cookies.delete("__Host-session");
    const refused = await submit(seller, path, { ...hidden, ...typed });
    expect([refused.status, refused.headers.getSetCookie()]).toEqual([401, []]);
    const again = fieldsToSubmitAgain(await refused.text(), path);
    expect(again).toEqual({ ...hidden, ...typed });
    seller.cookies.set("__Host-session", session);
    expect((await submit(seller, path, again)).status).toBe(303);
  });

  test("an edit of the other account in this browser is not saved", async () => {
    const edit = { ...validListing, account: "someone.else@example.com" };
    expect((await submit(seller, `/manage/mysells/${own}/edit`, edit)).status).toBe(409);
  });
});

test("a button without typed text, and a form that was not made for an account, redirect to the login", async () => {
  const { id, email } = await addAccount(server.db);
  const someone = visitor(server);
  await someone.signIn(email);
  await server.db.delete(sessions).where(eq(sessions.userId, id));
  expect((await submit(someone, "/manage?index", { _id: "x", account: email })).status).toBe(302);
  expect((await submit(visitor(server), "/addphone", validListing)).status).toBe(302);
});

test("a booking updates the session's last use once an hour, a refused one does not", async () => {
  const { id, email } = await addAccount(server.db);
  const someone = visitor(server);
  await someone.signIn(email);
  const rewrite = (values: Partial<typeof sessions.$inferInsert>) =>
    server.db.update(sessions).set(values).where(eq(sessions.userId, id));
  const seen = async () => {
    const [session] = await server.db.select().from(sessions).where(eq(sessions.userId, id));
    return session?.lastSeenAt.getTime() ?? 0;
  };
  const [recently, before] = [Date.now() - dayMs / 48, Date.now() - dayMs / 12];
  await rewrite({ createdAt: new Date(before), lastSeenAt: new Date(recently) });
  expect((await postBooking(someone, { phoneId: (await addPhone(server.db)).id })).status).toBe(200);
  expect(await seen()).toBe(recently);
  await rewrite({ lastSeenAt: new Date(before) });
  expect((await postBooking(someone, { phoneId: (await addPhone(server.db)).id })).status).toBe(200);
  expect(await seen()).toBeGreaterThan(recently);
  // And the day on which the account was last seen.
  const today = Math.floor(Date.now() / dayMs);
  await server.db
    .update(users)
    .set({ lastSeenDay: today - 3 })
    .where(eq(users.id, id));
  const lastDay = async () => (await server.db.select().from(users).where(eq(users.id, id)))[0]?.lastSeenDay;
  expect((await someone.get("/manage")).status).toBe(200);
  expect(await lastDay()).toBe(today - 3);
  await rewrite({ lastSeenAt: new Date(before) });
  expect((await someone.get("/manage")).status).toBe(200);
  expect(await lastDay()).toBe(today);
  await rewrite({ lastSeenAt: new Date(before), expiresAt: new Date(Date.now() - 1) });
  expect((await postBooking(someone, { phoneId: (await addPhone(server.db)).id })).status).toBe(401);
  expect(await seen()).toBe(before);
});
