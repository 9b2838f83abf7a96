import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { jobRuns, ledgerEntries, payoutAccounts, providerEvents } from "#app/db/schema.ts";
import { paymentProvider } from "#app/features/payments/provider.server.ts";
import { reconcile } from "#app/features/payments/reconciliation.server.ts";
import { textOf } from "../harness/html.ts";
import { choose, type ServerWithPayments, startServerWithPayments } from "../harness/payments.ts";
import { addAccount, sharedServer, visitor } from "../harness/server.ts";

let server: ServerWithPayments;
beforeAll(async () => {
  server = await startServerWithPayments();
});
afterAll(() => server?.stop());
beforeEach(async () => {
  Object.assign(server.provider.faults, { isDown: false, lostAnswers: 0, holdsEvents: false });
  await server.db.delete(providerEvents);
});

async function seller() {
  const account = await addAccount(server.db, { userType: "Seller" });
  const person = visitor(server);
  await person.signIn(account.email);
  const page = async () => textOf(await (await person.get("/manage/payouts")).text());
  const row = async () =>
    (await server.db.select().from(payoutAccounts).where(eq(payoutAccounts.userId, account.id)))[0];
  return { ...person, account, page, row };
}

const events = () => server.db.select().from(providerEvents).orderBy(providerEvents.receivedAt);
const unprocessed = async () => (await events()).filter(({ processedAt }) => !processedAt);

test.each([
  ["leave", "to do", "You’re not set up yet"],
  ["waiting", "waiting", "Stripe is checking your details"],
  ["refused", "refused", "Stripe can’t pay you"],
  ["ready", "ready", "You can be paid"],
])("a seller who chooses %j at the provider is %j, without JavaScript", async (choice, state, text) => {
  const person = await seller();
  expect(await person.page()).toContain("You’re not set up yet");
  const away = await person.post("/manage/payouts");
  expect(away.status).toBe(303);
  const back = await choose(away.headers.get("Location"), choice);
  expect(back.href).toBe(new URL("/manage/payouts", server.url).href);
  expect(await person.page()).toContain(text);
  expect((await person.row())?.state).toBe(state);
});

test("a seller has one account, whatever is lost and however often they ask", async () => {
  const person = await seller();
  server.provider.faults.lostAnswers = 1;
  const failed = await person.post("/manage/payouts");
  expect(failed.status).toBe(503);
  expect(textOf(await failed.text())).toContain("Stripe doesn’t answer right now.");
  const answers = await Promise.all([person.post("/manage/payouts"), person.post("/manage/payouts")]);
  const pages = new Set(answers.map(({ headers }) => new URL(headers.get("Location") ?? "").pathname));
  expect([...pages]).toEqual([`/onboarding/${(await person.row())?.accountId}`]);
});

test("a seller reads what is known while the provider is down", async () => {
  const person = await seller();
  const away = await person.post("/manage/payouts");
  await choose(away.headers.get("Location"), "waiting");
  expect(await person.page()).toContain("Stripe is checking your details");
  server.provider.faults.isDown = true;
  expect(await person.page()).toContain("Stripe is checking your details");
});

test("an event counts once looked up: repeated, late or in another order", async () => {
  const { provider } = server;
  const person = await seller();
  const away = await person.post("/manage/payouts");
  provider.faults.holdsEvents = true;
  const before = provider.events.length;
  await choose(away.headers.get("Location"), "waiting");
  await choose(away.headers.get("Location"), "ready");
  const [waiting, ready] = provider.events.slice(before);
  if (!waiting || !ready) throw new Error("There are no events.");
  expect((await person.row())?.state).toBe("to do");
  for (const event of [ready, waiting, ready, waiting]) expect(await provider.deliver(event)).toBe(200);
  await expect.poll(unprocessed).toEqual([]);
  expect((await events()).map(({ id, objectId }) => [id, objectId]).sort()).toEqual(
    [waiting, ready].map(({ id }) => [id, (waiting.data.object as { id: string }).id]).sort(),
  );
  expect((await person.row())?.state).toBe("ready");
});

test("a forged event is refused, and nothing is stored", async () => {
  const body = JSON.stringify({ id: "evt_1", type: "account.updated", data: { object: { id: "acct_1" } } });
  for (const signature of ["", "t=1,v1=00"]) {
    const headers = { "Stripe-Signature": signature };
    const response = await visitor(server).send("/payments/events", { method: "POST", body, headers });
    expect(response.status).toBe(400);
  }
  expect(await events()).toEqual([]);
});

test("an event that fails is processed by a job later", async () => {
  const { provider } = server;
  const person = await seller();
  const away = await person.post("/manage/payouts");
  provider.faults.holdsEvents = true;
  await choose(away.headers.get("Location"), "ready");
  const event = provider.events.at(-1);
  if (!event) throw new Error("There is no event.");
  provider.faults.isDown = true;
  expect(await provider.deliver(event)).toBe(200);
  await expect.poll(() => server.log()).toContain("Events not processed");
  expect(await unprocessed()).toHaveLength(1);
  provider.faults.isDown = false;
  await server.tick();
  expect(await unprocessed()).toEqual([]);
  expect((await person.row())?.state).toBe("ready");
});

test("once a day a job names what ledger and provider say differently", async () => {
  const provider = await paymentProvider(server.provider.bindings);
  if (!provider) throw new Error("There is no provider.");
  const paid = async () => {
    const orderId = crypto.randomUUID();
    const payBy = new Date(Date.now() + 3_600_000);
    const facts = {
      key: orderId,
      orderId,
      amountCents: 500,
      productName: "iPhone",
      payBy,
      returnUrl: server.url,
    };
    const { checkoutId, url } = await provider.startPayment(facts);
    await choose(url, "pay");
    const { chargeId } = await provider.findPayment(checkoutId);
    return { orderId, chargeId: chargeId ?? "" };
  };
  const record = (orderId: string, providerId: string, amountCents = 500) =>
    server.db
      .insert(ledgerEntries)
      .values({ orderId, providerId, amountCents, kind: "charged", createdAt: new Date() });
  const [right, missing, other] = [await paid(), await paid(), await paid()];
  await record(right.orderId, right.chargeId);
  await record(other.orderId, other.chargeId, 400);
  await record("order", "ch_nowhere");
  const found = await reconcile(server.db, provider);
  expect(new Map(found.map(({ id, problem }) => [id, problem]))).toEqual(
    new Map([
      [other.chargeId, "another amount"],
      ["ch_nowhere", "not at the provider"],
      [missing.chargeId, "not in the ledger"],
    ]),
  );
  await server.db.update(jobRuns).set({ finishedAt: new Date(Date.now() - 86_400_000) });
  await expect(server.tick()).rejects.toThrow();
  expect(server.log()).toContain(`charged ${missing.chargeId} of ${missing.orderId} not in the ledger`);
  await server.tick();
});

test("forms may lead to the provider, and sellers find Payouts, only in a market with one", async () => {
  const person = await seller();
  const page = await person.get("/manage");
  expect(page.headers.get("Content-Security-Policy")).toContain(
    `form-action 'self' ${server.provider.origin};`,
  );
  expect(await page.text()).toContain('href="/manage/payouts"');

  const without = await sharedServer();
  const account = await addAccount(without.db, { userType: "Seller" });
  const other = visitor(without);
  await other.signIn(account.email);
  const usual = await other.get("/manage");
  expect(usual.headers.get("Content-Security-Policy")).toContain("form-action 'self';");
  expect(await usual.text()).not.toContain("/manage/payouts");
  expect((await other.post("/manage/payouts")).status).toBe(404);
  expect((await other.send("/payments/events", { method: "POST", body: "{}" })).status).toBe(404);
});
