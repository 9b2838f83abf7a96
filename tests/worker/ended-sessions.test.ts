import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bookings, orderSteps, phones, sessions, users } from "#app/db/schema.ts";
import { dataPath } from "../harness/data-path.ts";
import {
  addAccount,
  addPhone,
  startServer,
  type TestServer,
  type Visitor,
  visitor,
} from "../harness/server.ts";

const most = 20;
const day = 24 * 60 * 60 * 1000;

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ maxPerMinute: most });
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
      .set({ createdAt: new Date(Date.now() - 9 * day), lastSeenAt: new Date(Date.now() - 8 * day) })
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
    cookies: headers.getSetCookie(),
    body: await response.text(),
  };
}

function postBooking(someone: Visitor, body: unknown) {
  const headers = { "Content-Type": "application/json" };
  return someone.send("/bookings", { method: "POST", headers, body: JSON.stringify(body) });
}

async function written() {
  const [orders, steps, reserved] = await Promise.all([
    server.db.select().from(bookings),
    server.db.select().from(orderSteps),
    server.db.select().from(phones).where(eq(phones.status, "reserved")),
  ]);
  return [orders, steps, reserved];
}

describe.each(Object.keys(endings))("with %s", (ending) => {
  let someone: Visitor;
  let id: string;
  beforeAll(async () => {
    const account = await addAccount(server.db);
    someone = visitor(server);
    await someone.logIn(account.email);
    id = (await addPhone(server.db)).id;
    await endings[ending]?.(someone, account.id);
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
    expect(new Set(statuses)).toEqual(new Set([401]));
    expect(await written()).toEqual([[], [], []]);
  });
});

test("a booking updates the session's last use once an hour, a refused one does not", async () => {
  const { id, email } = await addAccount(server.db);
  const someone = visitor(server);
  await someone.logIn(email);
  const rewrite = (values: Partial<typeof sessions.$inferInsert>) =>
    server.db.update(sessions).set(values).where(eq(sessions.userId, id));
  const seen = async () => {
    const [session] = await server.db.select().from(sessions).where(eq(sessions.userId, id));
    return session?.lastSeenAt.getTime() ?? 0;
  };
  const [recently, before] = [Date.now() - day / 48, Date.now() - day / 12];
  await rewrite({ createdAt: new Date(before), lastSeenAt: new Date(recently) });
  expect((await postBooking(someone, { phoneId: (await addPhone(server.db)).id })).status).toBe(200);
  expect(await seen()).toBe(recently);
  await rewrite({ lastSeenAt: new Date(before) });
  expect((await postBooking(someone, { phoneId: (await addPhone(server.db)).id })).status).toBe(200);
  expect(await seen()).toBeGreaterThan(recently);
  await rewrite({ lastSeenAt: new Date(before), expiresAt: new Date(Date.now() - 1) });
  expect((await postBooking(someone, { phoneId: (await addPhone(server.db)).id })).status).toBe(401);
  expect(await seen()).toBe(before);
});
