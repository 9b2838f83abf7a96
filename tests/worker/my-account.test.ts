import { eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { orders, passkeys, phones, sessions, tickets, users } from "#app/db/schema.ts";
import { openProblem } from "#app/features/order-problems/open-problem.server.ts";
import { answerProblem } from "#app/features/order-problems/order-problems.server.ts";
import { cancelOrder, handOver } from "#app/features/orders/order-steps.server.ts";
import { orderNumber } from "#app/features/orders/order-texts.ts";
import { problemDays } from "#app/terms.ts";
import { dayLabel, dayMs } from "#app/time.ts";
import { bookWithoutLimits } from "../harness/bookings.ts";
import { dataPath } from "../harness/data-path.ts";
import { waitForEmail } from "../harness/emails.ts";
import { fieldValue, tagsOf, textOf } from "../harness/html.ts";
import {
  addAccount,
  addPhone,
  addReceivedOrder,
  password,
  sharedServer,
  type TestServer,
  visitor,
} from "../harness/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});

const page = "/manage/account";
const [security, addresses, data] = [`${page}/security`, `${page}/addresses`, `${page}/data`];
type Visitor = ReturnType<typeof visitor>;

async function signedIn(account: Parameters<typeof addAccount>[1] = {}) {
  const row = await addAccount(server.db, account);
  const person = visitor(server);
  await person.signIn(row.email);
  const again = async () => {
    const other = visitor(server);
    await other.signIn(row.email);
    return other;
  };
  return { ...row, person, again };
}

/** An account without a password, as with Google. */
async function signedInWithoutPassword() {
  const one = await signedIn();
  await server.db.update(users).set({ passwordHash: null }).where(eq(users.id, one.id));
  return one;
}

const pages: Record<string, string> = {
  ...{ name: page, "email address": page, shop: page, emails: `${page}/emails`, close: `${page}/data` },
  ...{ password: security, "password link": security, "log out": security, "log out others": security },
  ...{
    unblock: security,
    "add address": addresses,
    "change address": addresses,
    "delete address": addresses,
  },
};
const act = (person: Visitor, name: string, fields: Record<string, string> = {}) =>
  person.post(Object.hasOwn(pages, name) ? (pages[name] ?? page) : page, { intent: name, ...fields });
const isIn = async (person: Visitor) => (await person.get(page)).status === 200;
const pageText = async (person: Visitor, path = page) => textOf(await (await person.get(path)).text());
const rowOf = async (id: string) => (await server.db.select().from(users).where(eq(users.id, id)))[0];

/** The hashes of session ids on the page, in order. */
async function idHashesOf(person: Visitor): Promise<string[]> {
  const html = await (await person.get(security)).text();
  return tagsOf(html)
    .filter(({ attributes }) => attributes.get("name") === "session")
    .map(({ attributes }) => attributes.get("value") ?? "");
}

/** The session id in the signed cookie. */
function sessionIdIn(person: Visitor): string {
  const [value = ""] = decodeURIComponent(person.cookies.get("__Host-session") ?? "").split(".");
  return (JSON.parse(atob(value)) as { sessionId: string }).sessionId;
}

describe("the name of an account", () => {
  test("is changed with a confirmation", async () => {
    const { person, id } = await signedIn({ name: "Old Name" });
    expect(fieldValue(await (await person.get(page)).text(), "name")).toBe("Old Name");
    const response = await act(person, "name", { name: "  New Name  " });
    expect([response.status, response.headers.get("Location")]).toEqual([303, page]);
    expect(await pageText(person)).toContain("Name changed");
    expect((await rowOf(id))?.name).toBe("New Name");
  });

  test("has the same rule as at sign-up, and invalid input is kept", async () => {
    const { person, id, name } = await signedIn();
    const empty = await act(person, "name", { name: "   " });
    expect(empty.status).toBe(400);
    expect(textOf(await empty.text())).toContain("Name required");
    const long = await act(person, "name", { name: "x".repeat(101) });
    expect(long.status).toBe(400);
    const html = await long.text();
    expect(textOf(html)).toContain("Name must be 100 characters or shorter");
    expect(fieldValue(html, "name")).toBe("x".repeat(101));
    expect((await rowOf(id))?.name).toBe(name);
  });
});

describe("the email address", () => {
  test("is verified by an email, whose link leads back to the page", async () => {
    const { person, email, id } = await signedIn();
    expect(await pageText(person)).toContain("Not confirmed yet");
    const response = await person.post("/manage/account/verify", { redirectTo: page });
    expect(response.headers.get("Location")).toBe(page);
    expect((await waitForEmail(server, email)).subject).toContain("Confirm your email address");
    await server.db.update(users).set({ emailVerifiedAt: new Date() }).where(eq(users.id, id));
    const after = await pageText(person);
    expect(after).toContain("Confirmed");
    expect(after).not.toContain("Not confirmed yet");
  });
});

describe("a new email address", () => {
  const asks = (person: Visitor, newEmail: string, currentPassword = password) =>
    act(person, "email address", { newEmail, currentPassword });
  const linkIn = async (someone: Visitor, newEmail: string) => {
    const moved = await someone.get((await waitForEmail(server, newEmail)).path);
    expect([moved.status, moved.headers.get("Location")]).toEqual([302, "/verify"]);
    return textOf(await (await someone.get("/verify")).text());
  };
  let changes = 0;
  const another = () => `changed${++changes}@example.org`;

  test("is used once its link is opened, and the former one is told", async () => {
    const { person, email, id, again } = await signedIn({ emailVerifiedAt: new Date() });
    const [newEmail, other] = [another(), await again()];
    const response = await asks(person, newEmail);
    expect([response.status, response.headers.get("Location")]).toEqual([303, page]);
    expect(await pageText(person)).toContain(`Check ${newEmail}: we’ve sent you a link there.`);
    expect(await pageText(person)).toContain(`Open the link we’ve sent to ${newEmail} to make it`);
    expect(await linkIn(person, newEmail)).toContain(`Do you want ${newEmail} as your email address`);
    expect((await rowOf(id))?.email).toBe(email);

    const used = await person.post("/verify", { intent: "confirm" });
    expect([used.status, used.headers.get("Location")]).toEqual([303, page]);
    expect(await pageText(person)).toContain("Email address changed");
    expect((await rowOf(id))?.email).toBe(newEmail);
    expect(await isIn(other)).toBe(false);
    const told = await waitForEmail(server, email);
    expect([told.subject, told.path]).toEqual(["Your Ringback email address was changed", "/report"]);
    expect(told.text).not.toContain(newEmail);
    expect((await person.post("/verify", { intent: "confirm" })).status).toBe(410);
    expect((await visitor(server).post("/login", { email, password })).status).toBe(400);
    expect((await visitor(server).post("/login", { email: newEmail, password })).status).toBe(303);
  });

  test("is asked for with the password, and another one than now", async () => {
    const { person, email } = await signedIn();
    const wrong = await asks(person, another(), "Secret1");
    expect(wrong.status).toBe(400);
    expect(textOf(await wrong.text())).toContain("Wrong password.");
    const same = await asks(person, email.toUpperCase());
    expect(textOf(await same.text())).toContain("That’s already your email address.");
    expect((await asks(person, "no address")).status).toBe(400);
    expect(await pageText(person)).not.toContain("Open the link we’ve sent");
  });

  test("that is taken gets the same response; its owner learns it by email", async () => {
    const [{ person }, owner] = [await signedIn(), await addAccount(server.db)];
    expect((await asks(person, owner.email)).status).toBe(303);
    expect(await pageText(person)).toContain(`Open the link we’ve sent to ${owner.email}`);
    const mail = await waitForEmail(server, owner.email);
    expect([mail.subject, mail.token]).toEqual(["You already have a Ringback account", ""]);
  });

  test("is confirmed in another browser with the password only", async () => {
    const { person, email, id } = await signedIn();
    const newEmail = another();
    await asks(person, newEmail);
    const stranger = visitor(server);
    const shown = await linkIn(stranger, newEmail);
    expect(shown).toContain(`Enter your password to have ${newEmail}`);
    expect(shown).not.toContain(email);
    expect((await stranger.post("/verify", { intent: "confirm" })).status).toBe(409);
    expect((await stranger.post("/verify", { intent: "confirm", password: "Secret1" })).status).toBe(400);
    expect((await stranger.post("/verify", { intent: "disown" })).status).toBe(410);
    expect((await rowOf(id))?.email).toBe(email);
    const used = await stranger.post("/verify", { intent: "confirm", password });
    expect([used.status, used.headers.get("Location")]).toEqual([303, "/login"]);
    expect((await rowOf(id))?.email).toBe(newEmail);
    expect(await isIn(person)).toBe(false);
  });

  test("without a password needs a recent login", async () => {
    const { person, id } = await signedInWithoutPassword();
    const newEmail = another();
    const earlier = new Date(Date.now() - 16 * 60_000);
    await server.db.update(sessions).set({ createdAt: earlier }).where(eq(sessions.userId, id));
    expect(await pageText(person)).toContain("To change your email address, log in again");
    expect((await act(person, "email address", { newEmail })).status).toBe(409);
    await server.db.update(sessions).set({ createdAt: new Date() }).where(eq(sessions.userId, id));
    expect((await act(person, "email address", { newEmail })).status).toBe(303);
    const stranger = visitor(server);
    expect(await linkIn(stranger, newEmail)).toContain(`Log in to make ${newEmail} the address`);
    await person.get((await waitForEmail(server, newEmail)).path);
    expect((await person.post("/verify", { intent: "confirm" })).status).toBe(303);
    expect((await rowOf(id))?.email).toBe(newEmail);
  });

  test("is refused while the account is suspended", async () => {
    const { person, id } = await signedIn();
    await server.db.update(users).set({ suspensionId: "a decision" }).where(eq(users.id, id));
    const response = await asks(person, another());
    expect(response.status).toBe(403);
    expect(textOf(await response.text())).toContain("can’t change your email address while");
  });
});

describe("the password", () => {
  const change = { currentPassword: password, password: "another1" };

  test("is changed, which ends other sessions, renews this one's id and is emailed", async () => {
    const { person, email, again } = await signedIn({ emailVerifiedAt: new Date() });
    const [other, stolen] = [await again(), visitor(server)];
    for (const [name, value] of person.cookies) stolen.cookies.set(name, value);
    const token = (await (await person.send(`/jwt?email=${email}`)).json()) as { accessToken: string };
    await visitor(server).post("/forgot", { email });
    const mail = await waitForEmail(server, email);

    const response = await act(person, "password", change);
    expect([response.status, response.headers.get("Location")]).toEqual([303, security]);
    expect(await pageText(person, security)).toContain("Password changed");
    const told = await waitForEmail(server, email, 2);
    expect([told.subject, told.path]).toEqual(["Your Ringback password was changed", security]);
    expect([await isIn(other), await isIn(stolen)]).toEqual([false, false]);
    const orders = await visitor(server).send(`/bookings?email=${email}`, {
      headers: { Authorization: `Bearer ${token.accessToken}` },
    });
    expect(orders.status).toBe(401);
    // An earlier recovery link is invalid.
    const late = visitor(server);
    await late.get(mail.path);
    expect((await late.get("/reset")).status).toBe(410);

    expect((await visitor(server).post("/login", { email, password })).status).toBe(400);
    expect((await visitor(server).post("/login", { email, password: "another1" })).status).toBe(303);
  });

  test("is not changed without the current one, and is never in a response", async () => {
    const { person, id, passwordHash } = await signedIn();
    const wrong = await act(person, "password", { ...change, currentPassword: "Guess5ed" });
    expect(wrong.status).toBe(400);
    const html = await wrong.text();
    expect(html).toMatch(/id="new-password-currentPassword-error"[^>]*>(<svg.*?<\/svg>)?Wrong password\./s);
    expect(html).not.toMatch(/Guess5ed|another1/);
    // At the field, and at the top of the page.
    expect(textOf(html).match(/Wrong password\./g)).toHaveLength(2);
    const weak = await act(person, "password", { ...change, password: "WEAK" });
    expect(weak.status).toBe(400);
    const text = textOf(await weak.text());
    expect(text).toContain("Password must be 6 Character or Longer");
    const blank = textOf(await (await act(person, "password")).text());
    expect(blank).toContain("Fix 2 fields: Current password New password");
    expect((await rowOf(id))?.passwordHash).toBe(passwordHash);
  });

  test("has the same attempt limit as at login", async () => {
    const { person, email, again } = await signedIn();
    const other = await again();
    // Only a login makes a browser a known one.
    for (const browser of [person, other]) await browser.logIn(email);
    for (let guess = 0; guess < 5; guess += 1) {
      const response = await act(person, "password", { ...change, currentPassword: `guess${guess}` });
      expect(response.status).toBe(400);
    }
    for (const name of ["password", "close"]) {
      const response = await act(person, name, { ...change, ...(name === "close" && { password }) });
      expect(response.status).toBe(429);
      // Less than a minute by the time that the requests took.
      expect(response.headers.get("Retry-After")).toMatch(/^([1-9]|[1-5]\d|60)$/);
      expect(textOf(await response.text())).toContain("Too many attempts. Try again in 1 minute.");
    }
    // The same counter as the login of this browser; other browsers have their own.
    expect((await person.post("/login", { email, password })).status).toBe(429);
    expect((await act(other, "password", change)).status).toBe(303);
  });

  test("is first set by email", async () => {
    const { person, email, id } = await signedInWithoutPassword();
    const html = await (await person.get(security)).text();
    expect(html).toContain("Send me a link to set a password");
    expect(fieldValue(html, "currentPassword")).toBeUndefined();
    expect((await act(person, "password", { currentPassword: "", password: "another1" })).status).toBe(400);
    expect((await act(person, "password", change)).status).toBe(400);
    expect((await rowOf(id))?.passwordHash).toBeNull();
    const response = await act(person, "password link");
    expect([response.status, response.headers.get("Location")]).toEqual([303, security]);
    expect(await pageText(person, security)).toContain(
      "Check your email: we’ve sent you a link to set a password.",
    );
    const mail = await waitForEmail(server, email);
    await act(person, "password link");
    // A request before the email is sent asks for the same one.
    await waitForEmail(server, email, 2);
    await act(person, "password link");
    expect(await pageText(person, security)).toContain("Use the link in the newest one.");
    expect(mail.path).toMatch(/^\/reset\?token=/);
  });
});

describe("the sessions", () => {
  test("are listed without their ids", async () => {
    const { person, again } = await signedIn();
    const other = await again();
    const html = await (await person.get(security)).text();
    const data = await (await person.get(dataPath(security))).text();
    for (const id of [sessionIdIn(person), sessionIdIn(other)]) {
      expect(id).toHaveLength(43);
      expect(html + data).not.toContain(id);
    }
    expect(html.match(/This device/g)).toHaveLength(1);
    expect(await idHashesOf(person)).toHaveLength(2);
  });

  test("are signed out one by one, with their access tokens", async () => {
    const { person, email, again } = await signedIn();
    const other = await again();
    const { accessToken } = (await (await other.send(`/jwt?email=${email}`)).json()) as {
      accessToken: string;
    };
    const requestOrders = () =>
      visitor(server).send(`/bookings?email=${email}`, {
        headers: { Authorization: `Bearer ${accessToken}` },
      });
    expect((await requestOrders()).status).toBe(200);
    const [own, others] = await idHashesOf(person);
    const response = await act(person, "log out", { session: others ?? "" });
    expect([response.status, response.headers.get("Location")]).toEqual([303, security]);
    expect([await isIn(other), await isIn(person)]).toEqual([false, true]);
    expect((await requestOrders()).status).toBe(401);
    expect(await idHashesOf(person)).toEqual([own]);
    expect((await act(person, "log out", { session: others ?? "" })).status).toBe(303);
  });

  test("cannot be signed out by another user, nor by their ids", async () => {
    const victim = await signedIn();
    const stranger = await signedIn();
    for (const session of [...(await idHashesOf(victim.person)), sessionIdIn(victim.person), "", "x"]) {
      await act(stranger.person, "log out", { session });
    }
    expect([await isIn(victim.person), await isIn(stranger.person)]).toEqual([true, true]);
  });

  test("are all signed out but this one", async () => {
    const { person, again } = await signedIn();
    const others = [await again(), await again()];
    const bystander = await signedIn();
    expect((await act(person, "log out others")).status).toBe(303);
    expect(await Promise.all([person, ...others, bystander.person].map(isIn))).toEqual([
      true,
      false,
      false,
      true,
    ]);
    expect(await pageText(person, security)).not.toContain("Log out all others");
  });

  test("include this one, whose sign-out is a logout", async () => {
    const { person, id } = await signedIn();
    const [own = ""] = await idHashesOf(person);
    const response = await act(person, "log out", { session: own });
    expect([response.status, response.headers.get("Location")]).toEqual([303, "/"]);
    expect(person.cookies.has("__Host-session")).toBe(false);
    expect(await server.db.$count(sessions, eq(sessions.userId, id))).toBe(0);
  });
});

describe("the personal data", () => {
  const download = (person: Visitor) => person.post("/manage/account/export");

  test("are a file of the user's own data, without secrets", async () => {
    const seller = await signedIn({
      userType: "Seller",
      emailVerifiedAt: new Date(),
      googleSubject: "google-subject-1",
    });
    const buyer = await signedIn();
    const [own, foreign] = [
      await addPhone(server.db, { sellerId: seller.id, model: "Own" }),
      await addPhone(server.db, { model: "Foreign", sellingCents: 34_950 }),
    ];
    await bookWithoutLimits(server.db, buyer, own.id, { address: "9 Secret Road", phone: "0999 888 777" });
    await bookWithoutLimits(server.db, seller, foreign.id, { address: "1 Harbour Street", phone: "0111" });
    await server.db.insert(tickets).values([
      { name: "S", email: seller.email.toUpperCase(), details: "mine" },
      { name: "B", email: buyer.email, details: "not mine" },
    ]);
    const key = {
      id: "the key's id",
      publicKey: "the public key",
      counter: 0,
      transports: [],
      backedUp: true,
    };
    await server.db.insert(passkeys).values([
      { ...key, userId: seller.id, name: "Phone" },
      { ...key, id: "another", userId: buyer.id, name: "Foreign key" },
    ]);
    const response = await download(seller.person);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "application/json",
      "content-disposition": 'attachment; filename="ringback-my-data.json"',
      "cache-control": "private, no-store",
    });
    const text = await response.text();
    const file = JSON.parse(text);
    expect(Object.keys(file)).toEqual([
      "profile",
      "listings",
      "priceChanges",
      "orders",
      "orderSteps",
      "orderProblems",
      "payments",
      "paymentHistory",
      "offers",
      "savedListings",
      "reviewsWritten",
      "reviewsReceived",
      "contentReports",
      "decisions",
      "notifications",
      "conversations",
      "messagesSent",
      "messagesReceived",
      "reports",
      "reportMessages",
      "emailsSwitchedOff",
      "blockedPeople",
      "listingDrafts",
      "listingImports",
      "savedSearches",
      "deliveryAddresses",
      "payoutAccount",
      "viewsByDay",
      "passkeys",
      "personalAccessTokens",
      "sessions",
      "logins",
    ]);
    expect(file.profile).toEqual({
      name: seller.name,
      email: seller.email,
      emailVerifiedAt: seller.emailVerifiedAt?.toISOString(),
      userType: "Seller",
      moderatorSince: null,
      verifiedSeller: false,
      hasPassword: true,
      signsInWithGoogle: true,
      createdAt: seller.createdAt.toISOString(),
      acceptedTermsFrom: null,
      acceptedPrivacyFrom: null,
      shopText: null,
      inProductFeed: true,
      lastSeenOn: new Date().toISOString().slice(0, 10),
    });
    expect(file.listings).toEqual([
      expect.objectContaining({ id: own.id, model: "Own", sellingPrice: 349.5, status: "reserved" }),
    ]);
    expect(file.orders).toEqual([
      expect.objectContaining({ price: 349.5, buyerAddress: "1 Harbour Street", status: "active" }),
    ]);
    expect(file.reports).toEqual([expect.objectContaining({ details: "mine" })]);
    expect(file.passkeys).toEqual([{ name: "Phone", createdAt: expect.any(String), lastUsedAt: null }]);
    expect(file.sessions).toEqual([expect.objectContaining({ device: "Unknown device" })]);
    const secrets = [seller.passwordHash ?? "", "google-subject-1", sessionIdIn(seller.person)];
    const [idHash = ""] = await idHashesOf(seller.person);
    for (const secret of [
      ...secrets,
      idHash,
      buyer.email,
      buyer.id,
      "9 Secret Road",
      "0999 888 777",
      "not mine",
    ]) {
      expect(text).not.toContain(secret);
    }
  });

  test("have no reports from an unverified address", async () => {
    const { person, email } = await signedIn();
    await server.db.insert(tickets).values({ name: "Owner", email, details: "somebody else's worry" });
    const text = await (await download(person)).text();
    expect(text).not.toContain("somebody else's worry");
    expect(JSON.parse(text).reports).toContain("Confirm your email address");
  });

  test("of a seller with 10,000 listings are complete", { tags: ["slow"] }, async () => {
    const { person, id } = await signedIn({ userType: "Seller" });
    const { id: model } = await addPhone(server.db, { sellerId: id });
    await server.db.run(sql`insert into phones (id, seller_id, brand_name, model, ram, rom, image, camera, processor,
        battery, os, device_type, selling_reason, market_cents, selling_cents, post_date, used_time, status, created_at)
      with recursive n (i) as (select 1 union all select i + 1 from n where i < 9999)
      select 'copy' || i, seller_id, brand_name, model, ram, rom, image, camera, processor, battery, os,
        device_type, selling_reason, market_cents, selling_cents, post_date, used_time, status, created_at
      from phones, n where id = ${model}`);
    const file = JSON.parse(await (await download(person)).text());
    expect(new Set(file.listings.map((listing: { id: string }) => listing.id)).size).toBe(10_000);
    expect((await act(person, "close", { password })).headers.get("Location")).toBe("/");
    expect(await server.db.$count(phones, eq(phones.sellerId, id))).toBe(0);
  });

  test("require a session", async () => {
    const response = await download(visitor(server));
    expect(response.status).toBe(302);
    expect(response.headers.get("Location")).toMatch(/^\/login\?redirectTo=/);
    expect((await visitor(server).get("/manage/account/export")).headers.get("Location")).toBe(data);
  });
});

test("a refused form of the shop keeps what it showed, so a choice of a second tab stays", async () => {
  const { person, email, id } = await signedIn({ userType: "Seller" });
  const fields = ["shopText", "inProductFeed"] as const;
  const opened = await (await person.get(page)).text();
  const shown = (html: string) =>
    Object.fromEntries(
      fields.map((name) => [`shown-${name}`, fieldValue(html, `shown-${name}`) ?? "missing"]),
    );
  expect(shown(opened)).toEqual({ "shown-shopText": "", "shown-inProductFeed": "yes" });
  const form = { intent: "shop", account: email, ...shown(opened), inProductFeed: "yes" };
  await server.db.update(users).set({ inProductFeed: false, shopText: "Tested." }).where(eq(users.id, id));
  const refused = await (await person.post(page, { ...form, shopText: "x".repeat(1001) })).text();
  expect(shown(refused)).toEqual(shown(opened));
  expect((await person.post(page, { ...form, ...shown(refused), shopText: "" })).status).toBe(303);
  const [owner] = await server.db.select().from(users).where(eq(users.id, id));
  expect([owner?.inProductFeed, owner?.shopText]).toEqual([false, "Tested."]);
});

describe("closing an account", () => {
  test("requires the password, signs out and releases the address", async () => {
    const { person, email, id, again } = await signedIn({ userType: "Seller" });
    const other = await again();
    const wrong = await act(person, "close", { password: "Guess5ed" });
    expect(wrong.status).toBe(400);
    const html = await wrong.text();
    expect(html).toMatch(/id="closing-password-error"[^>]*>(<svg.*?<\/svg>)?Wrong password\./s);
    expect(html).not.toContain("Guess5ed");
    expect(textOf(await (await act(person, "close")).text())).toContain("Password is required");
    expect(await isIn(person)).toBe(true);

    const response = await act(person, "close", { password });
    expect([response.status, response.headers.get("Location")]).toEqual([303, "/"]);
    expect(person.cookies.has("__Host-session")).toBe(false);
    expect(await pageText(person, "/")).toContain("Account deleted");
    expect([await isIn(person), await isIn(other)]).toEqual([false, false]);
    expect((await rowOf(id))?.email).toBe("");
    const login = await visitor(server).post("/login", { email, password });
    expect(textOf(await login.text())).toContain("Wrong email address or password.");
    const anew = visitor(server);
    expect((await anew.post("/signup", { name: "Anew", email, password: "another1" })).status).toBe(303);
    expect(await isIn(anew)).toBe(true);
  });

  test("is refused with a reason while an order is open, and the page says so before", async () => {
    const seller = await signedIn({ userType: "Seller" });
    const buyer = await signedIn();
    const sectionOf = async ({ person }: typeof buyer) =>
      textOf((await (await person.get(data)).text()).split("Delete my account</h2>")[1] ?? "");
    expect(await sectionOf(seller)).toContain("You can’t undo this.");
    const sold = await addReceivedOrder(server.db, buyer, seller);
    const until = dayLabel(new Date(Date.now() + problemDays.sale * dayMs).toISOString());
    const kept = `You can’t delete your account until ${until}: for 30 days after getting it, the buyer of the`;
    expect(await sectionOf(seller)).toContain(kept);
    expect(await sectionOf(buyer)).toContain("You can’t undo this.");
    const phone = await addPhone(server.db, { sellerId: seller.id });
    await bookWithoutLimits(server.db, buyer, phone.id, { address: "", phone: "" });
    const section = await sectionOf(seller);
    expect(section).toContain("while one of your devices is reserved");
    expect(section).toContain(kept);
    expect(section).not.toContain("You can’t undo this.");
    expect(await sectionOf(buyer)).toContain("You can’t delete your account while you have an open order.");
    const responses = [
      await act(seller.person, "close", { password }),
      await act(buyer.person, "close", { password }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([409, 409]);
    const texts = await Promise.all(responses.map(async (response) => textOf(await response.text())));
    expect(texts[0]).toContain("while one of your devices is reserved");
    expect(texts[1]).toContain("once it’s been handed over, mark it as received or report a problem");
    expect([await isIn(seller.person), await isIn(buyer.person)]).toEqual([true, true]);
    await server.db.update(orders).set({ status: "cancelled" });
    await server.db.update(phones).set({ status: "available" });
    await server.db.update(orders).set({ status: "cancelled" }).where(eq(orders.id, sold));
    expect((await act(buyer.person, "close", { password })).status).toBe(303);
  });

  test("names the order whose problem has to be settled first, or whose device may have to go back", async () => {
    const seller = await signedIn({ userType: "Seller" });
    const buyer = await signedIn();
    const phone = await addPhone(server.db, { sellerId: seller.id, brandName: "Nokia", model: "G22" });
    const details = { address: "", phone: "" };
    const { orderId = "" } = await bookWithoutLimits(server.db, buyer, phone.id, details);
    const refusalOf = async ({ person }: typeof buyer) => {
      const response = await act(person, "close", { password });
      return response.status === 409 ? textOf(await response.text()) : response.status;
    };
    const order = `the order for the Nokia G22 (${orderNumber(orderId)})`;
    const problem = { kind: "not arrived", text: "Where is it?" } as const;
    expect(await openProblem(server.db, buyer, orderId, problem)).toBe("done");
    expect(await refusalOf(seller)).toContain(`First settle the problem with ${order} under My Sells.`);
    expect(await refusalOf(buyer)).toContain(`First settle the problem with ${order} under My Orders.`);
    await answerProblem(server.db, buyer, orderId, { answer: "close", text: "" });
    await handOver(server.db, seller, orderId);
    const admin = await addAccount(server.db, { userType: "Admin" });
    await cancelOrder(server.db, admin, orderId, { reason: "Both sides asked." });
    // Another test is about the last administrator.
    await server.db.update(users).set({ userType: "Buyer" }).where(eq(users.id, admin.id));
    const until = dayLabel(new Date(Date.now() + problemDays.refund * dayMs).toISOString());
    expect(await refusalOf(buyer)).toContain(
      `Until ${until}, the seller can report that you haven’t given back the device of ${order}.`,
    );
    expect(await refusalOf(seller)).toBe(303);
    // Nobody can report it anymore.
    expect(await refusalOf(buyer)).toBe(303);
  });

  test("is refused to the last administrator", async () => {
    const { person } = await signedIn({ userType: "Admin" });
    const response = await act(person, "close", { password });
    expect(response.status).toBe(409);
    expect(textOf(await response.text())).toContain("You’re the last administrator");
    const second = await signedIn({ userType: "Admin" });
    expect((await act(second.person, "close", { password })).status).toBe(303);
  });

  test("requires the address and a recent login when there is no password", async () => {
    const { person, email, id } = await signedInWithoutPassword();
    const html = await (await person.get(data)).text();
    expect(textOf(html)).toContain("within 10 minutes of logging in");
    const other = await act(person, "close", { email: "other@example.com" });
    expect(other.status).toBe(400);
    const refused = await other.text();
    expect(textOf(refused)).toContain("That’s not your account’s address.");
    expect(fieldValue(refused, "email")).toBe("other@example.com");
    const early = new Date(Date.now() - 11 * 60_000);
    await server.db.update(sessions).set({ createdAt: early }).where(eq(sessions.userId, id));
    const late = await act(person, "close", { email });
    expect(late.status).toBe(409);
    expect(textOf(await late.text())).toContain("Log in again");
    await server.db.update(sessions).set({ createdAt: new Date() }).where(eq(sessions.userId, id));
    expect((await act(person, "close", { email: email.toUpperCase() })).headers.get("Location")).toBe("/");
  });
});

test("a form with an unknown intent is refused", async () => {
  const { person } = await signedIn();
  for (const name of ["", "nothing", "__proto__", "constructor"]) {
    expect((await act(person, name)).status).toBe(400);
  }
});

test("no personal data reaches the log", async () => {
  const { person, email } = await signedIn({ name: "Unmistakable Person" });
  await act(person, "name", { name: "Unmistakable Name" });
  await act(person, "close", { password });
  expect(server.log()).not.toMatch(/Unmistakable/);
  expect(server.log()).not.toContain(email);
  expect(server.log()).not.toContain(password);
});

test("an address is not changed from a form of another account", async () => {
  const person = visitor(server);
  const { email } = await addAccount(server.db);
  await person.signIn(email);
  const fields = { intent: "change address", savedAddress: "any", address: "1 Quay Street", phone: "1" };
  const path = "/manage/account/addresses";
  const refused = await person.post(path, { ...fields, account: "other@example.com" });
  expect(refused.status).toBe(409);
  expect(textOf(await refused.text())).toContain(`You’re now logged in as ${email}.`);
  expect((await person.post(path, { ...fields, account: email })).status).toBe(404);
});
