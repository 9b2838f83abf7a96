import { eq, isNull } from "drizzle-orm";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { emailOptOuts, notifications, sentEmails, users } from "#app/db/schema.ts";
import type { QueuedEmail } from "#app/server/mail/queued-email.ts";
import { allEmails, emailsTo, waitForEmail } from "../harness/emails.ts";
import { textOf } from "../harness/html.ts";
import { startLibsql } from "../harness/libsql.ts";
import { addAccount, addPhone, startServer, type TestServer, visitor } from "../harness/server.ts";

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

test("both sides of a booking get an email, with no more than needed", async () => {
  const { buyer, seller, phone } = await book();
  const toSeller = await waitForEmail(server, seller.email);
  expect(toSeller.subject).toBe("Your Nokia G22 is booked");
  const [booked] = await server.db.select().from(notifications).where(eq(notifications.userId, seller.id));
  expect(toSeller.path).toBe(booked?.path);
  expect((await waitForEmail(server, buyer.email)).subject).toBe("You booked the Nokia G22");
  const toBuyer = await waitForEmail(server, buyer.email);
  for (const text of [toBuyer.text, textOf(toBuyer.html)]) {
    for (const fact of [/Order number: [0-9A-F-]{14}/, "Price: $123.45", `Seller: ${seller.name}`])
      expect(text).toMatch(fact);
    expect(text).toMatch(/Handover by: \w{3} \d+, \d{4}/);
  }
  expect(toSeller.text).not.toContain("123.45");
  for (const { text, html } of await allEmails(server)) {
    expect(textOf(html)).toContain("Nokia G22");
    for (const secret of ["Harbour", "+46", buyer.email, seller.email, buyer.name, phone.id]) {
      expect(`${text}${html}`).not.toContain(secret);
    }
  }
});

test("a device's name cannot add a header to an email, or make it long", async () => {
  const { seller } = await book({ model: `G22\r\nBcc: all@example.com ${"x".repeat(200)}` });
  const { subject, text } = await waitForEmail(server, seller.email);
  expect(subject).toMatch(/^Your Nokia G22 Bcc: all@example\.com x+… is booked$/);
  expect(subject.length).toBeLessThan(90);
  expect(text).not.toContain("x".repeat(60));
});

test("a link without a login ends the emails of one kind, and looking at it does not", async () => {
  const { buyer, client } = await book();
  const { unsubscribe, text } = await waitForEmail(server, buyer.email);
  expect(text).toContain(unsubscribe);
  const page = await visitor(server).get(unsubscribe);
  expect(textOf(await page.text())).toContain("I have booked a device");
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

const email: QueuedEmail = {
  id: "notification 1",
  to: "once@example.com",
  subject: "Once",
  text: "https://ringback.example/\n",
  html: "<p>Once</p>",
};

const deliver = async (sent: QueuedEmail, attempts: number) => (await server.deliver([sent], attempts))[0];

test("an email that the mail service refuses twice is sent with the third attempt, once", async () => {
  failures = 2;
  expect(await deliver(email, 1)).toBe(60);
  expect(await deliver(email, 2)).toBe(120);
  expect(await emailsTo(server, email.to)).toEqual([]);
  expect(await deliver(email, 3)).toBeNull();
  // Delivered again, late, and twice at once.
  await Promise.all([deliver(email, 1), deliver(email, 1)]);
  expect(await emailsTo(server, email.to)).toHaveLength(1);
  failures = 1;
  expect(await deliver({ ...email, id: "notification 2" }, 8)).toBe(3600);
  expect(await server.db.$count(sentEmails, eq(sentEmails.id, "notification 2"))).toBe(0);
});

test("an email whose delivery was interrupted is sent by a later one", async () => {
  const interrupted = { ...email, id: "notification 3", to: "later@example.com" };
  await server.db.insert(sentEmails).values({ id: interrupted.id });
  expect(await deliver(interrupted, 1)).toBe(60);
  expect(await emailsTo(server, interrupted.to)).toEqual([]);
  const earlier = new Date(Date.now() - 3 * 60_000);
  await server.db.update(sentEmails).set({ createdAt: earlier }).where(eq(sentEmails.id, interrupted.id));
  expect(await deliver(interrupted, 2)).toBeNull();
  expect(await deliver(interrupted, 3)).toBeNull();
  expect(await emailsTo(server, interrupted.to)).toHaveLength(1);
});

test("an email whose link has expired is not sent", async () => {
  const expired = { ...email, id: "account 1", to: "late@example.com", expiresAt: Date.now() - 1 };
  expect(await deliver(expired, 2)).toBeNull();
  expect(await emailsTo(server, expired.to)).toEqual([]);
});

test("without the queue a booking succeeds, its emails stay due, and links to accounts are sent at once", async () => {
  const alone = await startServer({ emailQueue: "unreachable" });
  try {
    const { buyer, response } = await book({ on: alone });
    expect(response.status).toBe(303);
    expect(await alone.db.$count(notifications, isNull(notifications.emailDoneAt))).toBe(2);
    await vi.waitFor(() => expect(alone.log()).toContain("The queue is unreachable."), 20_000);
    await visitor(alone).post("/forgot", { email: buyer.email });
    expect((await waitForEmail(alone, buyer.email)).subject).toBe("Set a new password for Ringback");
    expect(await alone.db.$count(notifications, isNull(notifications.emailDoneAt))).toBe(2);
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
const unsent = (on: TestServer) => on.log().match(/\d+ emails were not sent/g) ?? [];

test("without a mail service emails stay due, one log line says so, and they are sent once there is one", async () => {
  const libsql = await startLibsql(inject("libsqlFolder"));
  const settings = { LIBSQL_URL: libsql.url, PUBLIC_ORIGIN: "https://ringback.example" };
  const mute = await startServer({ bindings: { ...settings, MAIL_FROM: undefined } });
  const equipped = await startServer({ bindings: settings });
  try {
    const { buyer, seller } = await book({ on: mute });
    await vi.waitFor(() => expect(unsent(mute)).toEqual(["2 emails were not sent"]), 20_000);
    await mute.tick();
    await vi.waitFor(() => expect(unsent(mute)).toHaveLength(2), 20_000);
    expect(mute.log()).toContain("Email is not configured: bind MAIL and set MAIL_FROM.");
    expect(await due(mute)).toBe(2);

    await equipped.tick();
    for (const { email: address } of [buyer, seller]) await waitForEmail(equipped, address);
    await expect.poll(() => due(equipped)).toBe(0);
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
    await vi.waitFor(() => expect(unsent(alone)).toEqual(["2 emails were not sent"]), 20_000);
    expect(await due(alone)).toBe(2);
    refuses = false;
    await alone.tick();
    for (const { email: address } of [buyer, seller]) await waitForEmail(alone, address);
    await expect.poll(() => due(alone)).toBe(0);
  } finally {
    await alone.stop();
  }
});
