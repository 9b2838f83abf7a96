import { eq, isNull } from "drizzle-orm";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import {
  accountEmails,
  emailOptOuts,
  notifications,
  offers,
  oneTimeTokens,
  orders,
  sentEmails,
  users,
} from "#app/db/schema.ts";
import { cancelOrder } from "#app/features/orders/order-steps.server.ts";
import { bookWithoutLimits } from "../harness/bookings.ts";
import { allEmails, emailsTo, waitForEmail, waitForEmailTo } from "../harness/emails.ts";
import { textOf } from "../harness/html.ts";
import { startLibsql } from "../harness/libsql.ts";
import { addAccount, addPhone, password, startServer, type TestServer, visitor } from "../harness/server.ts";

let server: TestServer;
let failures = 0;
beforeAll(async () => {
  server = await startServer({
    refusesMail() {
      failures -= 1;
      return failures >= 0;
    },
  });
});
afterAll(() => server?.stop());

const verified = (person: Partial<typeof users.$inferInsert> = {}, { db } = server) =>
  addAccount(db, { emailVerifiedAt: new Date(), ...person });

/** A verified buyer books a phone of a verified seller. */
async function book({ model = "G22", on = server }: { model?: string; on?: TestServer } = {}) {
  const [buyer, seller] = [await verified({}, on), await verified({ userType: "Seller" }, on)];
  const phone = await addPhone(on.db, {
    sellerId: seller.id,
    brandName: "Nokia",
    model,
    sellingCents: 12_345,
  });
  const client = visitor(on);
  await client.signIn(buyer.email);
  const details = { address: "1 Harbour Street", phone: "+46 70 123" };
  const response = await client.post(`/products/${phone.id}/book`, details);
  return { buyer, seller, phone, client, response };
}

test("the emails of offers say until when", async () => {
  const [buyer, seller] = [await verified(), await verified({ userType: "Seller" })];
  const phone = await addPhone(server.db, {
    sellerId: seller.id,
    brandName: "Nokia",
    model: "G22",
    sellingCents: 40_000,
  });
  const [clientOfBuyer, clientOfSeller] = [visitor(server), visitor(server)];
  await clientOfBuyer.signIn(buyer.email);
  await clientOfBuyer.post(`/phones/${phone.id}/offer`, { intent: "offer", amount: "300", text: "" });
  const time = /\w{3} \d+, \d{4}, \d+:\d\d [AP]M UTC/.source;
  expect((await waitForEmail(server, seller.email)).text).toMatch(new RegExp(`Answer by: ${time}`));
  const [offer] = await server.db.select().from(offers).where(eq(offers.phoneId, phone.id));
  await clientOfSeller.signIn(seller.email);
  await clientOfSeller.post("/manage/offers", { intent: "accept", offer: offer?.id ?? "" });
  expect((await waitForEmail(server, buyer.email)).text).toMatch(
    new RegExp(`The price holds until: ${time}`),
  );

  // The buyer waits after cancelling.
  const { orderId = "" } = await bookWithoutLimits(server.db, buyer, phone.id, { address: "", phone: "" });
  await cancelOrder(server.db, buyer, orderId);
  await server.db.update(offers).set({ usableUntil: new Date() });
  await clientOfBuyer.post(`/phones/${phone.id}/offer`, { intent: "offer", amount: "310", text: "" });
  const [second] = await server.db.select().from(offers).where(eq(offers.amountCents, 31_000));
  const counter = { intent: "counter", offer: second?.id ?? "", amount: "350", text: "" };
  await clientOfSeller.post("/manage/offers", counter);
  const [countered] = await server.db.select().from(offers).where(eq(offers.amountCents, 35_000));
  await clientOfBuyer.post("/manage/offers", { intent: "accept", offer: countered?.id ?? "" });
  const accepted = await vi.waitFor(async () => {
    const mail = (await emailsTo(server, seller.email)).find(({ subject }) => /counteroffer/.test(subject));
    expect(mail).toBeDefined();
    return mail?.text;
  }, 20_000);
  // Whether it can be booked after the wait is a matter of a minute.
  expect(accepted).toMatch(/Booking: The buyer cancelled this device, so .+ you let them/);
});

test("both sides of a booking get an email, with no more than needed", async () => {
  const { buyer, seller, phone } = await book();
  const toSeller = await waitForEmail(server, seller.email);
  expect(toSeller.subject).toBe("Your Nokia G22 is booked");
  const [booked] = await server.db.select().from(notifications).where(eq(notifications.userId, seller.id));
  expect(toSeller.path).toBe(booked?.path);
  expect((await waitForEmail(server, buyer.email)).subject).toBe("You booked the Nokia G22");
  const toBuyer = await waitForEmail(server, buyer.email);
  for (const { text, html } of [toBuyer, toSeller]) {
    for (const fact of [
      /Order number: [0-9A-F-]{14}/,
      "Device: Nokia G22",
      "Price: $123.45",
      /Handover by: \w{3} \d+, \d{4}/,
    ])
      for (const shown of [text, textOf(html)]) expect(shown).toMatch(fact);
  }
  expect(toBuyer.text).toContain(`Seller: ${seller.name}`);
  expect(toSeller.text).not.toContain("Seller:");
  for (const { text, html } of await allEmails(server)) {
    expect(textOf(html)).toContain("Nokia G22");
    for (const secret of ["Harbour", "+46", buyer.email, seller.email, buyer.name, phone.id]) {
      expect(`${text}${html}`).not.toContain(secret);
    }
  }
});

test("the email of a handover during a problem says what the problem's page says", async () => {
  const { buyer, seller, client } = await book();
  const path = (await waitForEmail(server, buyer.email)).path;
  await client.post(`${path}/problem`, { intent: "open", kind: "not arrived", text: "No answer." });
  const clientOfSeller = visitor(server);
  await clientOfSeller.signIn(seller.email);
  await clientOfSeller.post(path, { intent: "hand over" });
  const email = await waitForEmail(server, buyer.email, 2);
  expect(email.path).toBe(`${path}/problem`);
  for (const said of [
    "The seller says they handed it over in person. Once you have it, mark this as solved.",
    "Your order is on hold until the problem is settled.",
  ])
    expect(email.text).toContain(said);
  expect(email.text).not.toContain("mark it as received");
});

test("a device's name cannot add a header to an email, or make it long", async () => {
  const { seller } = await book({ model: `G22\r\nBcc: all@example.com ${"x".repeat(200)}` });
  const { subject, text } = await waitForEmail(server, seller.email);
  expect(subject).toMatch(/^Your Nokia G22 Bcc: all@example\.com x+… is booked$/);
  expect(subject.length).toBeLessThan(90);
  expect(text).not.toContain("x".repeat(160));
});

test("an email about a problem says what has happened, and its subject only of what", async () => {
  const { buyer, seller, client } = await book({ model: "G22 (2nd generation, refurbished)" });
  const [order] = await server.db.select().from(orders).where(eq(orders.buyerId, buyer.id));
  const page = `/manage/orders/${order?.id}/problem`;
  await client.post(page, { intent: "open", kind: "other terms", text: "Cash only." });
  const { subject, text } = await waitForEmailTo(server, seller.email, page);
  expect(subject).toBe("Problem with the Nokia G22 (2nd generation, refurbished)");
  expect(text).toContain(
    "Problem with the Nokia G22 (2nd generation, refurbished): asked for other terms, says the buyer.",
  );
});

test("a link without a login ends the emails of one kind, and looking at it does not", async () => {
  const { buyer, client } = await book();
  const { unsubscribe, text } = await waitForEmail(server, buyer.email);
  expect(text).toContain(unsubscribe);
  const page = await visitor(server).get(unsubscribe);
  expect(textOf(await page.text())).toContain("Your bookings");
  expect(await server.db.$count(emailOptOuts)).toBe(0);
  // As mail services do: without cookies and Origin.
  const oneClick = { method: "POST", body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }) };
  expect((await visitor(server).send(unsubscribe, oneClick)).status).toBe(200);
  const stored = await server.db.select().from(emailOptOuts);
  expect(stored.map(({ userId, kind }) => [userId, kind])).toEqual([[buyer.id, "order placed"]]);

  const phone = await addPhone(server.db, { sellerId: (await verified({ userType: "Seller" })).id });
  await client.post(`/products/${phone.id}/book`, { address: "", phone: "" });
  const [seller] = await server.db.select().from(users).where(eq(users.id, phone.sellerId));
  await waitForEmail(server, seller?.email ?? "");
  expect(await emailsTo(server, buyer.email)).toHaveLength(1);
});

test("a forged link ends no emails", async () => {
  const { buyer } = await book();
  const { unsubscribe } = await waitForEmail(server, buyer.email);
  const forged = unsubscribe.replace(/.{3}$/, "AAA");
  expect((await visitor(server).get(forged)).status).toBe(410);
  expect((await visitor(server).post(forged)).status).toBe(410);
  expect(await server.db.$count(emailOptOuts, eq(emailOptOuts.userId, buyer.id))).toBe(0);
  // For an account that is gone, the answer is the same as for others.
  await server.db.delete(users).where(eq(users.id, buyer.id));
  expect((await visitor(server).post(unsubscribe)).status).toBe(200);
});

/** Delivers the message that emails are due. */
const deliver = () => server.deliver({ origin: "https://ringback.example", after: null });

/** An email is due to somebody. @returns the address, and the email's id */
async function makeDue() {
  const { id: userId, email: address } = await verified();
  const row = { userId, kind: "from us", subject: "Hello", path: "/manage", event: "due" } as const;
  const [due] = await server.db.insert(notifications).values(row).returning();
  return { address, id: `notification ${due?.id}` };
}

test("an email that the mail service refuses twice is sent with the third attempt, once", async () => {
  const { address, id } = await makeDue();
  failures = 2;
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    expect(await deliver()).toBe(false);
    expect(await server.db.$count(sentEmails, eq(sentEmails.id, id))).toBe(0);
  }
  expect(await emailsTo(server, address)).toEqual([]);
  // Delivered again, late, and twice at once.
  await Promise.all([deliver(), deliver()]);
  await deliver();
  expect(await emailsTo(server, address)).toHaveLength(1);
  expect(await due(server)).toBe(0);
});

test("an email whose delivery was interrupted is sent by a later one", async () => {
  const { address, id } = await makeDue();
  await server.db.insert(sentEmails).values({ id });
  await deliver();
  expect(await emailsTo(server, address)).toEqual([]);
  const earlier = new Date(Date.now() - 3 * 60_000);
  await server.db.update(sentEmails).set({ createdAt: earlier }).where(eq(sentEmails.id, id));
  for (let attempt = 1; attempt <= 2; attempt += 1) await deliver();
  expect(await emailsTo(server, address)).toHaveLength(1);
});

test("without the queue requests succeed, and their emails stay due", async () => {
  const alone = await startServer({ emailQueue: "unreachable" });
  try {
    const { buyer, response } = await book({ on: alone });
    expect(response.status).toBe(303);
    expect((await visitor(alone).post("/forgot", { email: buyer.email })).status).toBe(303);
    await vi.waitFor(() => expect(alone.log().split("The queue is unreachable.").length).toBe(3), 20_000);
    expect([await due(alone), await alone.db.$count(accountEmails)]).toEqual([2, 1]);
  } finally {
    await alone.stop();
  }
});

test("a market without a queue sends the emails itself", async () => {
  const alone = await startServer({ emailQueue: "none" });
  try {
    const { buyer, seller } = await book({ on: alone });
    for (const { email: address } of [buyer, seller]) await waitForEmail(alone, address);
    await expect.poll(() => alone.db.$count(notifications, isNull(notifications.emailDoneAt))).toBe(0);
  } finally {
    await alone.stop();
  }
});

const due = ({ db }: TestServer) => db.$count(notifications, isNull(notifications.emailDoneAt));
const unsent = (on: TestServer) => on.log().match(/Emails not sent: \d+/g) ?? [];

test("without a mail service emails stay due, one log line says so, and they are sent once there is one", async () => {
  const libsql = await startLibsql(inject("libsqlFolder"));
  const settings = { LIBSQL_URL: libsql.url, PUBLIC_ORIGIN: "https://ringback.example" };
  const mute = await startServer({ bindings: { ...settings, MAIL_FROM: undefined } });
  const equipped = await startServer({ bindings: settings });
  try {
    const { buyer, seller } = await book({ on: mute });
    await vi.waitFor(() => expect(unsent(mute)).toEqual(["Emails not sent: 2"]), 20_000);
    await mute.tick();
    await vi.waitFor(() => expect(unsent(mute)).toHaveLength(2), 20_000);
    expect(mute.log()).toContain("Email is not configured: bind MAIL and set MAIL_FROM.");
    expect(await due(mute)).toBe(2);

    // A link for a new password, one that confirms an address, and news of a new passkey, token or password.
    const owner = await verified({}, mute);
    expect((await visitor(mute).post("/forgot", { email: owner.email })).status).toBe(303);
    const newcomer = "newcomer@example.com";
    await visitor(mute).post("/signup", { name: "Mia", email: newcomer, password });
    const token = { name: "Mine", scope: "read", days: "30", formKey: crypto.randomUUID() };
    const client = visitor(mute);
    await client.signIn(seller.email);
    expect((await client.post("/manage/account/tokens", token)).status).toBeLessThan(400);
    await expect.poll(() => mute.db.$count(accountEmails)).toBe(3);
    expect(await mute.db.$count(oneTimeTokens)).toBe(0);

    await equipped.tick();
    await waitForEmail(equipped, buyer.email);
    await expect.poll(() => due(equipped)).toBe(0);
    await expect.poll(() => equipped.db.$count(accountEmails)).toBe(0);
    expect((await emailsTo(equipped, seller.email)).map(({ subject }) => subject).toSorted()).toEqual([
      "A personal access token was created for your Ringback account",
      "Your Nokia G22 is booked",
    ]);
    const [recovery, confirmation] = [
      await waitForEmail(equipped, owner.email),
      await waitForEmail(equipped, newcomer),
    ];
    expect(recovery.path).toMatch(/^\/reset\?token=/);
    const link = await visitor(equipped).get(confirmation.path);
    const reset = await visitor(equipped).get(recovery.path);
    expect([link.status, reset.status]).toEqual([302, 302]);
  } finally {
    await Promise.all([mute.stop(), equipped.stop()]);
    await libsql.stop();
  }
});

test("an email that a market without a queue could not send is sent by the next run of the job", async () => {
  let refuses = true;
  const alone = await startServer({
    emailQueue: "none",
    refusesMail: () => refuses,
    bindings: { PUBLIC_ORIGIN: "https://ringback.example" },
  });
  try {
    const { buyer, seller } = await book({ on: alone });
    await vi.waitFor(() => expect(unsent(alone)).toEqual(["Emails not sent: 2"]), 20_000);
    expect(await due(alone)).toBe(2);
    refuses = false;
    await alone.tick();
    for (const { email: address } of [buyer, seller]) await waitForEmail(alone, address);
    await expect.poll(() => due(alone)).toBe(0);
  } finally {
    await alone.stop();
  }
});
