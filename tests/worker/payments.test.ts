import { and, eq, isNull } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  jobRuns,
  ledgerEntries,
  orderProblems,
  orderSteps,
  orders,
  paymentDifferences,
  payments,
  payoutAccounts,
  phones,
  providerEvents,
  users,
} from "#app/db/schema.ts";
import { paymentProvider } from "#app/features/payments/provider.server.ts";
import { reconcile } from "#app/features/payments/reconciliation.server.ts";
import { signedInClient } from "../harness/api-client.ts";
import { emailsTo, waitForEmailTo } from "../harness/emails.ts";
import { fieldValue, textOf } from "../harness/html.ts";
import { validListing } from "../harness/listing-form.ts";
import { delivery } from "../harness/mutations/records.ts";
import { choose, type ServerWithPayments, startServerWithPayments } from "../harness/payments.ts";
import { addAccount, addPhone, sharedServer, visitor } from "../harness/server.ts";

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

test("of events that come at once, each is looked up once", async () => {
  const { provider } = server;
  const person = await seller();
  const away = await person.post("/manage/payouts");
  provider.faults.holdsEvents = true;
  const before = provider.events.length;
  for (const choice of ["waiting", "refused", "waiting", "ready", "waiting", "ready"])
    await choose(away.headers.get("Location"), choice);
  const sent = provider.events.slice(before);
  const asked = provider.requests.length;
  await Promise.all(sent.map((event) => provider.deliver(event)));
  await expect.poll(unprocessed).toEqual([]);
  expect(provider.requests.slice(asked)).toHaveLength(sent.length);
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
  const admin = visitor(server);
  await admin.signIn((await addAccount(server.db, { userType: "Admin" })).email);
  const page = async () => textOf(await (await admin.get("/manage/payments")).text());
  expect(await page()).toContain("Paid by the buyer: $4 in the ledger, $5 at the provider");
  const [open] = await server.db
    .select()
    .from(paymentDifferences)
    .where(eq(paymentDifferences.providerId, other.chargeId));
  const settling = { intent: "settle", difference: open?.id ?? "", reason: "" };
  expect((await admin.post("/manage/payments", settling)).status).toBe(400);
  const settled = await admin.post("/manage/payments", { ...settling, reason: "Corrected at Stripe." });
  expect(settled.status).toBe(303);
  const compared = await admin.post("/manage/payments", { intent: "compare" });
  const after = await (await admin.get(compared.headers.get("Location") ?? "")).text();
  expect(after).toMatch(/Compared: \d+ differ/);
  expect(await page()).not.toContain("$4 in the ledger");
  expect(await page()).toContain("nothing in the ledger, $5 at the provider");
  expect(server.log()).toContain(`charged ${missing.chargeId} of ${missing.orderId} not in the ledger`);
  await server.tick();
});

/** A listing of a seller who can be paid, which a new buyer books. */
async function booked() {
  const person = await seller();
  const away = await person.post("/manage/payouts");
  await choose(away.headers.get("Location"), "ready");
  expect(await person.page()).toContain("You can be paid");
  const phone = await addPhone(server.db, { sellerId: person.account.id });
  const buyer = visitor(server);
  await buyer.signIn((await addAccount(server.db)).email);
  const response = await buyer.post(`/products/${phone.id}/book`, delivery);
  expect(response.status).toBe(303);
  const [order] = await server.db.select().from(orders).where(eq(orders.phoneId, phone.id));
  if (!order) throw new Error("Nothing was booked.");
  const page = async () => textOf(await (await buyer.get(`/manage/orders/${order.id}`)).text());
  const payment = async () =>
    (await server.db.select().from(payments).where(eq(payments.orderId, order.id)))[0];
  const ledger = () => server.db.select().from(ledgerEntries).where(eq(ledgerEntries.orderId, order.id));
  return {
    seller: person,
    buyer,
    order,
    page,
    payment,
    ledger,
    location: response.headers.get("Location") ?? "",
  };
}

test("a booking leads to the provider's page, and is paid once: event and return page at the same moment", async () => {
  const { provider } = server;
  const { buyer, order, location, page, payment, ledger } = await booked();
  expect(new URL(location).origin).toBe(provider.origin);
  provider.faults.holdsEvents = true;
  const back = await choose(location, "pay");
  expect(back.origin).toBe(server.url.replace(/\/$/, ""));
  const paid = provider.events.filter(({ type }) => type === "checkout.session.completed").at(-1);
  if (!paid) throw new Error("There is no event.");
  await Promise.all([provider.deliver(paid), buyer.get(back.pathname + back.search), provider.deliver(paid)]);
  await expect.poll(async () => (await payment())?.paidAt).toBeInstanceOf(Date);
  await expect.poll(unprocessed).toEqual([]);
  const charged = (await ledger()).map(({ kind, amountCents }) => [kind, amountCents]);
  expect(charged).toEqual([["charged", order.priceCents]]);
  expect(await page()).not.toContain("Pay $");
});

test("what is paid without coming back is known by its event", async () => {
  const { location, payment, ledger } = await booked();
  await choose(location, "pay");
  await expect.poll(async () => (await payment())?.paidAt).toBeInstanceOf(Date);
  expect(await ledger()).toHaveLength(1);
});

/** A buttons's effect on the page of the buyers' bank, whose events the product then has processed. */
async function atTheBank(choice: "dispute" | "won" | "lost", of: string | null | undefined) {
  const body = new URLSearchParams({ choice, of: of ?? "" });
  const before = server.provider.events.length;
  await fetch(new URL("/disputes", server.provider.origin), { method: "POST", body });
  const event = server.provider.events.slice(before).find(({ type }) => type.startsWith("charge.dispute."));
  if (!event) throw new Error("Nothing has happened.");
  const isProcessed = async () =>
    (await events()).some(({ id, processedAt }) => id === event.id && processedAt);
  await expect.poll(isProcessed).toBe(true);
}

test("a bank's dispute holds an order; won, it goes on; lost, it ends and the device is for sale again", async () => {
  const { seller, buyer, order, location, page, payment, ledger } = await booked();
  await choose(location, "pay");
  await expect.poll(async () => (await payment())?.paidAt).toBeInstanceOf(Date);
  const path = `/manage/orders/${order.id}`;
  const sellersPage = async () => textOf(await (await seller.get(path)).text());
  const bank = await fetch(new URL("/disputes", server.provider.origin));
  expect(await bank.text()).toContain(`order ${order.id}: `);

  await atTheBank("dispute", (await payment())?.chargeId);
  expect(await page()).toContain("Protected payment: disputed by the bank");
  expect(await sellersPage()).toContain("It’s on hold until that’s settled. Don’t hand it over before that.");
  await seller.post(path, { intent: "hand over", handover: "in person" });
  expect(await sellersPage()).toContain("so don’t hand it over before the bank has decided");
  const problemPage = async () => textOf(await (await seller.get(`${path}/problem`)).text());
  expect(await problemPage()).toContain("Bank dispute: the bank decides");
  const admin = visitor(server);
  await admin.signIn((await addAccount(server.db, { userType: "Admin" })).email);
  const staffsPage = await (await admin.get(path)).text();
  const [, casePath = ""] = /href="(\/manage\/problems\/[^"]+)"/.exec(staffsPage) ?? [];
  expect(textOf(await (await admin.get(casePath)).text())).toContain(
    "Answer the bank at the payment provider",
  );
  const ledgerPage = async (of = path) => textOf(await (await admin.get(of)).text());
  expect(await ledgerPage()).toContain(
    "The buyer’s bank is looking at this payment. Until it decides, nothing is paid out or back. Answer it at Stripe. See what",
  );
  const disputeId = async () => (await payment())?.disputeId;
  await atTheBank("won", await disputeId());
  expect(await ledgerPage()).toContain(
    "disputed the payment, and has taken nothing. See what both sides say",
  );
  expect(await problemPage()).toContain("The buyer’s bank has decided, and the order goes on.");
  expect(await sellersPage()).toContain("You have until");
  expect(await page()).toContain("If you cancel, we send $349.50 back after 10 minutes.");
  for (const read of [sellersPage, ledgerPage])
    expect(await read()).toContain("If you cancel, we send the buyer $349.50 back after 10 minutes.");
  expect((await buyer.post(path, { intent: "cancel" })).status).toBe(303);
  expect(await page()).toMatch(/This order has been cancelled\. You get \$[\d.]+ back soon after /);
  expect(await sellersPage()).toMatch(
    /This order has been cancelled\. The buyer gets \$[\d.]+ back soon after /,
  );

  const lost = await booked();
  await choose(lost.location, "pay");
  await expect.poll(async () => (await lost.payment())?.paidAt).toBeInstanceOf(Date);
  await atTheBank("dispute", (await lost.payment())?.chargeId);
  await atTheBank("lost", (await lost.payment())?.disputeId);
  expect(await lost.page()).toContain("This order ended because of a problem.");
  expect(await lost.page()).toContain("Protected payment: paid back");
  const lostPath = `/manage/orders/${lost.order.id}`;
  expect(await ledgerPage(lostPath)).toContain(
    "The buyer’s bank disputed the payment, and has taken $349.50.",
  );
  expect(textOf(await (await lost.seller.get(lostPath)).text())).toContain(
    "Hidden because a problem ended the order",
  );
  const entries = (await lost.ledger()).map(({ kind, amountCents }) => [kind, amountCents]);
  expect(entries).toEqual([
    ["charged", lost.order.priceCents],
    ["refunded", lost.order.priceCents],
  ]);
  expect((await lost.payment())?.settledAt).toBeInstanceOf(Date);
  expect((await visitor(server).get(`/phones/${lost.order.phoneId}`)).status).toBe(200);
  expect(await ledger()).toHaveLength(1);
});

test("what a bank takes back after the receipt is taken back from the seller", async () => {
  const { seller, buyer, order, location, payment, ledger } = await booked();
  await choose(location, "pay");
  await expect.poll(async () => (await payment())?.paidAt).toBeInstanceOf(Date);
  const path = `/manage/orders/${order.id}`;
  await seller.post(path, { intent: "hand over", handover: "in person" });
  await buyer.post(path, { intent: "approve" });
  await server.db.update(payments).set({ approvedAt: new Date(Date.now() - 11 * 60_000) });
  await server.tick();
  const { accountId = "" } = (await seller.row()) ?? {};
  expect(server.provider.balance(accountId)).toBe(order.priceCents);
  await atTheBank("dispute", (await payment())?.chargeId);
  const disputed = "Disputed by the buyer’s bank";
  expect(await seller.page()).toContain(
    `${disputed} We answer the bank. If it decides for the buyer, we take the money back.`,
  );
  expect(await (await seller.get("/manage/payouts.csv")).text()).toContain(`,${disputed},`);
  await atTheBank("lost", (await payment())?.disputeId);
  await server.tick();
  expect(server.provider.balance(accountId)).toBe(0);
  expect(await seller.page()).toContain("Back to the buyer");
  expect((await ledger()).map(({ kind }) => kind)).toEqual(["charged", "released", "refunded", "taken back"]);
  const problem = textOf(await (await seller.get(`${path}/problem`)).text());
  expect(problem).toContain("the order has ended, and the device comes back to you.");
});

test("a buyer pays later when the first answer of the provider was lost, on one page for all tabs and programs", async () => {
  const { faults, requests } = server.provider;
  const person = await seller();
  const away = await person.post("/manage/payouts");
  await choose(away.headers.get("Location"), "ready");
  await person.page();
  const phone = await addPhone(server.db, { sellerId: person.account.id });
  const buyer = visitor(server);
  const account = await addAccount(server.db);
  await buyer.signIn(account.email);
  faults.lostAnswers = 1;
  const response = await buyer.post(`/products/${phone.id}/book`, delivery);
  const order = new URL(response.headers.get("Location") ?? "", server.url);
  expect(order.pathname).toMatch(/^\/manage\/orders\//);
  const told = textOf(await (await buyer.get(order.pathname + order.search)).text());
  expect(told).toContain("We can’t reach the payment page right now. Your booking stays");
  expect(told).not.toContain("Your booking successful");
  const id = order.pathname.split("/")[3] ?? "";
  const client = await signedInClient(server, account);
  const [here, there, byProgram] = await Promise.all([
    buyer.post(order.pathname + order.search, { intent: "pay" }),
    buyer.post(`${order.pathname}?booked=%2Fandroid`, { intent: "pay" }),
    client.post(`/bookings/${id}/payment`),
  ]);
  const page = here.headers.get("Location");
  expect(new URL(page ?? "").origin).toBe(server.provider.origin);
  expect([there.headers.get("Location"), byProgram.body.url]).toEqual([page, page]);
  const opened = requests.filter(
    ({ method, path, parameters }) =>
      method === "POST" && path === "/v1/checkout/sessions" && parameters.client_reference_id === id,
  );
  expect(new Set(opened.map(({ answer }) => (answer.body as { id: string }).id)).size).toBe(1);
});

test("forms may lead to the provider, sellers find Payouts, and Home says who holds the money, only in a market with one", async () => {
  const person = await seller();
  const held = "you pay when you book, and Ringback holds the money until you have the device.";
  expect(textOf(await (await visitor(server).get("/")).text())).toContain(held);
  const page = await person.get("/manage");
  expect(page.headers.get("Content-Security-Policy")).toContain(
    `form-action 'self' ${server.provider.origin};`,
  );
  expect(await page.text()).toContain('href="/manage/payouts"');

  const without = await sharedServer();
  expect(textOf(await (await visitor(without).get("/")).text())).not.toContain(held);
  const account = await addAccount(without.db, { userType: "Seller" });
  const other = visitor(without);
  await other.signIn(account.email);
  const usual = await other.get("/manage");
  expect(usual.headers.get("Content-Security-Policy")).toContain("form-action 'self';");
  expect(await usual.text()).not.toContain("/manage/payouts");
  expect((await other.post("/manage/payouts")).status).toBe(404);
  expect((await other.send("/payments/events", { method: "POST", body: "{}" })).status).toBe(404);
});

test("a shop's returns are on its page, its listings and in the filters, once it can be paid", async () => {
  const owner = await seller();
  const { account } = owner;
  const { id, brandName } = await addPhone(server.db, { sellerId: account.id, brandName: "Returnable" });
  const shop = { intent: "shop", account: account.email, shopText: "" };
  expect((await owner.post("/manage/account", { ...shop, returnDays: "14" })).status).toBe(303);
  expect(textOf(await (await owner.get("/manage/account")).text())).toContain("Within 14 days");
  const anyone = visitor(server);
  const textAt = async (path: string) => textOf(await (await anyone.get(path)).text());
  const list = `/products?brand=${brandName}`;
  expect(await textAt(`/phones/${id}`)).toContain("This payment isn’t protected. You pay the seller");
  expect(await textAt(list)).not.toContain("Protected payment");
  expect(await textAt(`${list}&returns=14`)).toContain("No devices");

  await choose((await owner.post("/manage/payouts")).headers.get("Location"), "ready");
  await owner.page();
  const promise = "Changed your mind? Send it back within 14 days";
  for (const path of [`/phones/${id}`, `/products/${id}`, `/sellers/${account.id}`])
    for (const text of ["Protected payment", promise]) expect(await textAt(path), path).toContain(text);
  expect(await textAt(`${list}&returns=14`)).toMatch(/1 device .*Protected payment/s);
  expect(await textAt(`${list}&returns=30`)).toContain("No devices");
  const buyer = visitor(server);
  await buyer.signIn((await addAccount(server.db)).email);
  expect(textOf(await (await buyer.get(`/products/${id}/book`)).text())).toContain(promise);
});

test("who publishes or edits reads what they get, or that payouts aren't set up", async () => {
  const owner = await seller();
  const { id } = await addPhone(server.db, { sellerId: owner.account.id });
  const pages = ["/addphone", `/manage/mysells/${id}/edit`];
  const textAt = async (path: string) => textOf(await (await owner.get(path)).text());
  for (const path of pages)
    expect(await textAt(path)).toContain(
      "Buyers pay you directly, and read that the payment isn’t protected.",
    );
  await choose((await owner.post("/manage/payouts")).headers.get("Location"), "ready");
  await owner.page();
  expect(await textAt(pages[1] ?? "")).toContain("You get $349.50. There is no fee.");
  for (const path of pages) expect(await textAt(path)).not.toContain("Buyers pay you directly");
});

test("where payouts are required, only who has set them up publishes", async () => {
  const strict = await startServerWithPayments({ PAYOUTS_REQUIRED: "on" });
  try {
    const account = await addAccount(strict.db, { userType: "Seller" });
    const person = visitor(strict);
    await person.signIn(account.email);
    const publish = () => person.post("/addphone", { ...validListing, account: account.email });
    expect(textOf(await (await person.get("/addphone")).text())).toContain("Set up payouts first");
    const refused = await publish();
    expect(refused.status).toBe(409);
    expect(textOf(await refused.text())).toContain("Set up payouts first");
    const client = await signedInClient(strict, account);
    expect((await client.post("/phoneInfoCollection", validListing)).status).toBe(409);
    expect(await strict.db.$count(phones)).toBe(0);
    await choose((await person.post("/manage/payouts")).headers.get("Location"), "ready");
    await person.get("/manage/payouts");
    expect((await publish()).status).toBe(303);
  } finally {
    await strict.stop();
  }
});

test("a buyer books and pays, the seller hands over, and is paid once the buyer is content", async () => {
  const owner = await seller();
  await choose((await owner.post("/manage/payouts")).headers.get("Location"), "ready");
  await owner.page();
  const { id: phoneId } = await addPhone(server.db, { sellerId: owner.account.id });
  const account = await addAccount(server.db);
  const buyer = visitor(server);
  await buyer.signIn(account.email);
  const listing = textOf(await (await buyer.get(`/phones/${phoneId}`)).text());
  expect(listing).toContain("Protected payment: you pay when you book.");
  expect(listing).not.toContain("You pay the seller");
  expect(listing).toContain("If not, we cancel the order and you get your money back.");
  expect(listing).not.toContain("you don’t owe anything");
  const dialog = textOf(await (await buyer.get(`/products/${phoneId}/book`)).text());
  expect(dialog).toContain("Book and pay $349.50");
  expect(dialog).toContain("You pay now. Ringback holds the money, not the seller.");

  const form = { account: account.email, shownCents: "34950", address: "1 Quay Street", phone: "555 0100" };
  const away = await buyer.post(`/products/${phoneId}/book`, form);
  expect(away.status).toBe(303);
  expect(new URL(away.headers.get("Location") ?? "").origin).toBe(server.provider.bindings.STRIPE_API_ORIGIN);
  const [order] = await server.db.select().from(orders).where(eq(orders.phoneId, phoneId));
  const path = `/manage/orders/${order?.id}`;
  const page = async (person: { get: typeof buyer.get }) => textOf(await (await person.get(path)).text());
  expect(await page(buyer)).toMatch(/Reserved for you, but not paid yet.*Pay by .*Pay \$349.50 by /);
  expect(await page(buyer)).not.toContain("Your booking successful");
  expect((await page(buyer)).match(/by \d+:\d\d [AP]M UTC\b/g)).toHaveLength(2);
  const toHandOver = async () => textOf(await (await owner.get("/manage/mysells?tab=to+hand+over")).text());
  expect(await toHandOver()).not.toContain("1 Quay Street");
  expect(await toHandOver()).toMatch(/Waiting for payment until \d+:\d\d [AP]M/);
  const slip = async () => textOf(await (await owner.get(`/manage/mysells/slips?id=${order?.id}`)).text());
  expect(await slip()).toContain("It hasn’t been paid yet.");
  expect(await slip()).not.toContain("1 Quay Street");
  const table = await (await owner.get("/manage/mysells?tab=to+hand+over")).text();
  expect(table).not.toMatch(/type="checkbox"|Mark as shipped/);
  expect(await page(owner)).toContain("Don’t hand it over before that");
  // Pressed again, the button leads to the same page.
  const again = await buyer.post(path, { intent: "pay" });
  expect([again.status, again.headers.get("Location")]).toEqual([303, away.headers.get("Location")]);

  // The event may come before or after the buyer.
  server.provider.faults.holdsEvents = true;
  const back = await choose(away.headers.get("Location"), "pay");
  const returned = await buyer.get(back.pathname + back.search);
  expect(returned.status).toBe(303);
  expect(returned.headers.get("Location")).not.toContain("paid=");
  const booked = textOf(await (await buyer.get(returned.headers.get("Location") ?? "")).text());
  expect(booked).toMatch(
    /Your booking successful.*You booked it for \$349\.50 1 You’ve paid\. There’s nothing you/,
  );
  expect(await page(buyer)).toContain("Paid. Ringback holds the money until you have the device.");
  expect(await page(owner)).toContain("The buyer has paid.");
  expect(await toHandOver()).toContain("1 Quay Street");
  expect(await slip()).toContain("1 Quay Street");
  expect(await slip()).not.toContain("paid yet");

  expect((await owner.post(path, { intent: "hand over", handover: "in person" })).status).toBe(303);
  expect(await page(buyer)).toContain("Everything’s fine, pay the seller");
  expect((await buyer.post(path, { intent: "approve" })).status).toBe(303);
  await server.db.update(payments).set({ approvedAt: new Date(Date.now() - 11 * 60_000) });
  await server.tick();
  expect(await page(owner)).toContain("We’ve paid you $349.50.");
  const entries = await server.db
    .select()
    .from(ledgerEntries)
    .where(eq(ledgerEntries.orderId, order?.id ?? ""));
  expect(entries.map(({ kind, amountCents }) => [kind, amountCents])).toEqual([
    ["charged", 34_950],
    ["released", 34_950],
  ]);
  const payouts = await owner.page();
  expect(payouts).toMatch(/Paid ?\$349\.50 ?1 order/);
  // Where it is simply the price, nothing is explained.
  expect(payouts).not.toContain("−");
  const rows = (await (await owner.get("/manage/payouts.csv")).text()).split("\r\n");
  expect(rows[0]).toBe("Order,Device,Status,Paid by the buyer,Settled,Price,Refund,Fee,Amount");
  expect(rows[1]).toMatch(/^[\dA-F-]{14},.+,Paid,2[^,]+Z,2[^,]+Z,349\.50,0\.00,0\.00,349\.50$/);
  expect(rows.slice(2)).toEqual([""]);

  const admin = visitor(server);
  await admin.signIn((await addAccount(server.db, { userType: "Admin" })).email);
  const listed = textOf(await (await admin.get(`/manage/payments?seller=${owner.account.email}`)).text());
  expect(listed).toMatch(/Held.*Paid to sellers.*Paid back.*Fees/);
  expect(listed).toMatch(/\$349\.50 Status Paid to the seller/);
  const csv = await (await admin.get(`/manage/payments.csv?seller=${owner.account.email}`)).text();
  expect(csv.split("\r\n")[1]).toContain(`${order?.id},`);
  expect(csv).toContain("Fee in USD,Refunded in USD,Paid to the seller in USD,Status");
  expect(csv).toContain(",349.50,0.00,0.00,349.50,Paid to the seller,");
  const ledger = entries.map(({ providerId }) => providerId);
  for (const id of ledger) expect(await page(admin)).toContain(id);
  for (const side of [owner, buyer]) expect(await page(side)).not.toContain(ledger[1]);
  expect((await owner.get("/manage/payments")).status).toBe(302);

  const refund = { intent: "refund", shown: "0", amount: "10", reason: "" };
  const refused = await admin.post(path, refund);
  expect(refused.status).toBe(400);
  expect(textOf(await refused.text())).toContain("Reason required");
  const tooMuch = await admin.post(path, { ...refund, amount: "349.51", reason: "Scratches." });
  expect(textOf(await tooMuch.text())).toContain("That’s more than what’s left of it");
  expect((await owner.post(path, { ...refund, reason: "For me." })).status).toBe(404);
  const asking = await admin.post(path, { ...refund, reason: "Scratches." });
  expect(asking.status).toBe(400);
  const question = await asking.text();
  expect(textOf(question)).toContain("Pay back $10? It can’t be undone. Press Refund again to confirm.");
  const confirmed = fieldValue(question, "confirmed") ?? "";
  expect((await admin.post(path, { ...refund, reason: "Scratches.", amount: "20", confirmed })).status).toBe(
    400,
  );
  expect(await page(owner)).not.toContain("Why we paid back");
  expect((await admin.post(path, { ...refund, reason: "Scratches.", confirmed })).status).toBe(303);
  await server.tick();
  await server.tick();
  expect(await page(buyer)).toMatch(/Paid back \$10/);
  expect(await page(buyer)).toMatch(/We’ve paid you back \$10.*Why we paid back: Scratches\./);
  expect(await page(owner)).toContain("Why we paid back: Scratches.");
  expect(await owner.page()).toMatch(/\$339\.50 \$349\.50 − \$10 back to the buyer/);
  const after = await (await admin.get(`/manage/payments.csv?seller=${owner.account.email}`)).text();
  expect(after).toContain(",349.50,0.00,10.00,339.50,Partly paid back,");
  await expect
    .poll(async () => (await emailsTo(server, owner.account.email)).map(({ subject }) => subject))
    .toContainEqual(expect.stringMatching(/^We’ve paid you for your .+ \(\$349\.50\)$/));
});

test("a seller offers a part of the price, the buyer takes it, and both read what goes back", async () => {
  const owner = await seller();
  await choose((await owner.post("/manage/payouts")).headers.get("Location"), "ready");
  await owner.page();
  const { id: phoneId } = await addPhone(server.db, { sellerId: owner.account.id });
  const account = await addAccount(server.db);
  const buyer = visitor(server);
  await buyer.signIn(account.email);
  const form = { account: account.email, shownCents: "34950", ...delivery };
  const away = await buyer.post(`/products/${phoneId}/book`, form);
  const back = await choose(away.headers.get("Location"), "pay");
  await buyer.get(back.pathname + back.search);
  const [order] = await server.db.select().from(orders).where(eq(orders.phoneId, phoneId));
  const path = `/manage/orders/${order?.id}`;
  await owner.post(path, { intent: "hand over", handover: "in person" });
  const problem = { intent: "open", account: account.email, kind: "defect", text: "It is cracked." };
  await buyer.post(`${path}/problem`, problem);
  const page = async (person: { get: typeof buyer.get }) =>
    textOf(await (await person.get(`${path}/problem`)).text());
  expect(await page(owner)).toContain("Only for a partial refund: less than $349.50.");
  const isOfOrder = eq(orderProblems.orderId, order?.id ?? "");
  const offer = {
    intent: "answer",
    account: owner.account.email,
    problemId: (await server.db.select().from(orderProblems).where(isOfOrder))[0]?.id ?? "",
    answer: "offer",
    offer: "part refund",
    text: "For the crack.",
  };
  for (const [fields, message] of [
    [{}, "Type how much is paid back."],
    [{ amount: "349.51" }, "That’s more than what’s left of the payment."],
    [{ amount: "349.50" }, "That’s all that’s left. Choose Full refund."],
    [{ amount: "some" }, "Amount"],
    [{ amount: "50", offer: "repair" }, "Only a partial refund has an amount"],
  ] as const) {
    const refused = await owner.post(`${path}/problem`, { ...offer, ...fields });
    expect([refused.status, textOf(await refused.text())]).toEqual([400, expect.stringContaining(message)]);
  }
  expect((await owner.post(`${path}/problem`, { ...offer, amount: "50" })).status).toBe(303);
  expect(await page(buyer)).toContain("Offer: Partial refund, $50 back");
  const accept = { intent: "answer", account: account.email, answer: "accept" };
  await buyer.post(`${path}/problem`, accept);
  await server.tick();
  const shown = async () => textOf(await (await buyer.get(path)).text());
  expect(await shown()).toContain("You both agreed: partial refund, $50 back");
  expect(await shown()).toContain(
    "We’ve paid you back $50. Ringback holds the rest until you have the device.",
  );

  // What staff is asked about a refund is not said of a cancellation, which has a reason, too.
  const admin = visitor(server);
  await admin.signIn((await addAccount(server.db, { userType: "Admin" })).email);
  const asking = await admin.post(path, {
    intent: "refund",
    shown: "5000",
    amount: "1",
    reason: "A scratch.",
  });
  expect(asking.status).toBe(400);
  const forms = (await asking.text()).match(/<form.*?<\/form>/gs) ?? [];
  const formOf = (intent: string) =>
    forms.find((form) => form.includes(`name="intent" value="${intent}"`)) ?? "";
  expect(textOf(formOf("refund"))).toContain("Press Refund again to confirm.");
  expect(textOf(formOf("cancel"))).toContain("Cancel order");
  for (const text of [/again to confirm/, /name="confirmed"/, /A scratch/])
    expect([text.test(formOf("refund")), text.test(formOf("cancel"))]).toEqual([true, false]);

  // All that is left, and the buyer keeps the device.
  await buyer.post(`${path}/problem`, { ...problem, kind: "something missing", text: "The cable." });
  const offers = textOf(await (await owner.get(`${path}/problem`)).text());
  expect(offers).toContain("Full refund Ringback pays back $299.50. The buyer keeps the device.");
  const open = and(isOfOrder, isNull(orderProblems.endedAt));
  const problemId = (await server.db.select().from(orderProblems).where(open))[0]?.id ?? "";
  const full = { ...offer, problemId, offer: "refund" };
  expect((await owner.post(`${path}/problem`, full)).status).toBe(303);
  expect(await page(buyer)).toContain("Offer: Full refund, $299.50 back");
  expect(await page(buyer)).toContain("Full refund, $299.50 back. This settles the problem");
  await buyer.post(`${path}/problem`, accept);
  await server.tick();
  for (const text of ["You both agreed: full refund", "You get back all $349.50."])
    expect(await shown()).toContain(text);
  expect(await shown()).toContain("We’ve paid you back $349.50.");
  expect(await page(owner)).toContain("The buyer gets back all $349.50.");
});

test("of an order that staff has paid back, no money is promised: on its page, in My Orders and by email", async () => {
  const { seller: owner, buyer, order, page } = await booked();
  const path = `/manage/orders/${order.id}`;
  const back = await choose((await buyer.post(path, { intent: "pay" })).headers.get("Location"), "pay");
  await buyer.get(back.pathname + back.search);
  const myOrders = async () => textOf(await (await buyer.get("/manage")).text());
  for (const read of [page, myOrders])
    expect(await read()).toContain("If not, we cancel the order and you get your money back.");
  const admin = visitor(server);
  await admin.signIn((await addAccount(server.db, { userType: "Admin" })).email);
  const refund = { intent: "refund", shown: "0", amount: "349.50", reason: "A gesture." };
  const confirmed = fieldValue(await (await admin.post(path, refund)).text(), "confirmed") ?? "";
  expect(await page()).not.toContain("paid you back");
  expect((await admin.post(path, { ...refund, confirmed })).status).toBe(303);
  await server.tick();
  expect(await page()).toMatch(/We’ve paid you back \$349\.50\. Reserved for you\. The seller hands it over/);
  expect(textOf(await (await admin.get(path)).text())).toMatch(/Refund decided by .+ \$349\.50: A gesture\./);
  expect(textOf(await (await owner.get(path)).text())).toContain(
    "The buyer has got $349.50 back, so you’d get nothing. Cancel the order, or agree in Messages.",
  );
  expect(await page()).not.toContain("back after 10 minutes");
  const promise = /you get (your money|all of it) back/i;
  for (const read of [page, myOrders]) {
    expect(await read()).toContain("If not, we cancel the order and you don’t owe anything.");
    expect(await read()).not.toMatch(promise);
  }
  expect((await owner.post(path, { intent: "cancel" })).status).toBe(303);
  const [account] = await server.db.select().from(users).where(eq(users.id, order.buyerId));
  const isCancelled = ({ text }: { text: string }) => text.includes("You’ve already been paid back.");
  await expect
    .poll(async () => (await emailsTo(server, account?.email ?? "")).filter(isCancelled).length)
    .toBe(1);
  for (const { text } of (await emailsTo(server, account?.email ?? "")).filter(isCancelled))
    expect(text).not.toMatch(promise);
});

test("staff reads whose money a suspension holds, and has the seller paid with a reason that both sides read", async () => {
  const { seller: owner, buyer, order, page } = await booked();
  const path = `/manage/orders/${order.id}`;
  expect(await page()).toContain("To print the booking, use your browser’s menu.");
  expect(await page()).not.toContain("back after 10 minutes");
  const back = await choose((await buyer.post(path, { intent: "pay" })).headers.get("Location"), "pay");
  await buyer.get(back.pathname + back.search);
  await owner.post(path, { intent: "hand over", handover: "in person" });
  await buyer.post(path, { intent: "receive" });
  const admin = visitor(server);
  await admin.signIn((await addAccount(server.db, { userType: "Admin" })).email);
  const suspend = (suspendedUntil: Date | null) =>
    server.db
      .update(users)
      .set({ suspensionId: "suspension", suspendedUntil })
      .where(eq(users.id, owner.account.id));
  const other = await seller();
  await choose((await other.post("/manage/payouts")).headers.get("Location"), "ready");
  await other.page();
  await server.db
    .update(users)
    .set({ suspensionId: "suspension", suspendedUntil: null })
    .where(eq(users.id, other.account.id));
  expect(await other.page()).toContain("You’re suspended for good Nothing is due to you right now.");
  const listed = async () =>
    textOf(await (await admin.get(`/manage/payments?state=suspended&seller=${owner.account.email}`)).text());
  expect(await listed()).not.toContain("On hold: the seller");
  await suspend(new Date(Date.UTC(2027, 0, 4, 12)));
  expect(await listed()).toContain("On hold: the seller is suspended until Jan 4");
  await suspend(null);
  expect(await listed()).toContain("On hold: the seller is suspended for good");
  const csv = await (await admin.get(`/manage/payments.csv?seller=${owner.account.email}`)).text();
  expect(csv).toContain(",On hold: the seller is suspended for good,");
  expect(await owner.page()).toContain(
    "You’re suspended for good We hold what’s due to you, and decide about it order by order.",
  );
  const ledger = async () => textOf(await (await admin.get(path)).text());
  expect(await ledger()).toMatch(
    /You can pay the suspended seller from .+ on: until then, the buyer can report a problem\./,
  );
  const threeDays = 3 * 24 * 3600_000;
  await server.db
    .update(orderSteps)
    .set({ createdAt: new Date(Date.now() - threeDays) })
    .where(and(eq(orderSteps.orderId, order.id), eq(orderSteps.kind, "received")));
  expect(await ledger()).toContain("Pay the seller $349.50");
  const release = { intent: "release", amount: "349.50", shown: "0", reason: "" };
  const refused = await admin.post(path, release);
  expect([refused.status, textOf(await refused.text()).includes("Reason required")]).toEqual([400, true]);
  const decided = { ...release, reason: "A mix-up." };
  expect((await buyer.post(path, decided)).status).toBe(404);
  const changed = await admin.post(path, { ...decided, amount: "1" });
  const shown = await changed.text();
  expect([changed.status, shown.includes("A mix-up.</textarea>")]).toEqual([400, true]);
  expect(textOf(shown)).toContain("The order has changed in the meantime. Check what’s new, then try again.");
  const asked = await (await admin.post(path, decided)).text();
  expect(textOf(asked)).toContain(
    `Pay ${owner.account.name}, who is suspended, $349.50? It can’t be undone.`,
  );
  const confirmed = fieldValue(asked, "confirmed") ?? "";
  expect((await admin.post(path, { ...decided, confirmed })).status).toBe(303);
  await server.tick();
  const { accountId = "" } = (await owner.row()) ?? {};
  expect(server.provider.balance(accountId)).toBe(34_950);
  expect(await ledger()).toMatch(/Paid to the seller \$349\.50 Decided by .+: A mix-up\./);
  expect(await ledger()).not.toContain("Pay the seller $");
  for (const person of [buyer, owner])
    expect(textOf(await (await person.get(path)).text())).toMatch(
      /Payment to the seller decided By an administrator, .+ A mix-up\./,
    );
});

test("an order that isn't protected says so where others are, after the booking and in its email", async () => {
  for (const market of [server, await sharedServer()]) {
    const owner = await addAccount(market.db, { userType: "Seller" });
    const phone = await addPhone(market.db, { sellerId: owner.id });
    const account = await addAccount(market.db);
    const buyer = visitor(market);
    await buyer.signIn(account.email);
    const booked = await buyer.post(`/products/${phone.id}/book`, delivery);
    const { pathname, search } = new URL(booked.headers.get("Location") ?? "", market.url);
    const text = textOf(await (await buyer.get(pathname + search)).text());
    const usual = "You pay the seller, not Ringback: at the handover or before it ships.";
    const { text: email } = await waitForEmailTo(market, account.email, pathname);
    for (const said of [text, email]) {
      expect(said).toContain(usual);
      expect(said.includes(`This payment isn’t protected. ${usual}`)).toBe(market === server);
    }
  }
});

test("a buyer who changes their mind is paid back once the seller says that they have the device", async () => {
  const { seller: owner, buyer, order, page } = await booked();
  const path = `/manage/orders/${order.id}`;
  await server.db.update(payments).set({ returnDays: 14 }).where(eq(payments.orderId, order.id));
  const back = await choose((await buyer.post(path, { intent: "pay" })).headers.get("Location"), "pay");
  await buyer.get(back.pathname + back.search);
  await owner.post(path, { intent: "hand over", handover: "in person" });
  await buyer.post(path, { intent: "receive" });
  expect(await page()).toContain("Changed your mind? You can give it back until");
  const [account] = await server.db.select().from(users).where(eq(users.id, order.buyerId));
  const report = { intent: "open", account: account?.email ?? "", kind: "changed mind", text: "Too big." };
  expect((await buyer.post(`${path}/problem`, report)).status).toBe(303);
  expect(await page()).not.toContain("Changed your mind?");
  const { text } = await waitForEmailTo(server, owner.account.email, `${path}/problem`);
  expect(text).toMatch(/After that, the return counts as accepted\./);
  expect(text).not.toContain("Ringback decides");
  const accept = { intent: "answer", account: owner.account.email, answer: "accept" };
  expect((await owner.post(`${path}/problem`, accept)).status).toBe(303);
  expect(await page()).toContain("Return accepted");
  expect(await page()).toMatch(/You get \$349\.50 back once the seller has the device, at the latest by /);
  const html = await (await owner.get(path)).text();
  expect(textOf(html)).toMatch(/The device is back.*The buyer gets \$349\.50 back at once/);
  expect((await buyer.post(path, { intent: "given back" })).status).toBe(303);
  expect((await owner.post(path, { intent: "given back" })).status).toBe(303);
  await server.tick();
  expect(await page()).toContain("We’ve paid you back $349.50.");
  const owners = textOf(await (await owner.get(path)).text());
  expect(owners).not.toContain("The device is back");
  expect(owners).toContain("List it again");
  const csv = await (await owner.get("/manage/payouts.csv")).text();
  expect(csv.split("\r\n")[1]).toMatch(/,Back to the buyer,.*,349\.50,349\.50,0\.00,0\.00$/);
});

test("who sells nothing yet is told how to get payouts", async () => {
  const someone = visitor(server);
  await someone.signIn((await addAccount(server.db)).email);
  const away = await someone.get("/manage/payouts");
  expect([away.status, away.headers.get("Location")]).toEqual([303, "/addphone"]);
  const page = textOf(await (await someone.get("/addphone")).text());
  expect(page).toContain("List your device first, or save it as a draft. Then you can set up payouts.");
});

test("REST has the payment of a booking for its sides, and opens the provider's page for the buyer", async () => {
  const owner = await signedInClient(server, { userType: "Seller" });
  const buyer = await signedInClient(server);
  const stranger = await signedInClient(server);
  expect((await owner.get("/payouts")).body).toMatchObject({
    state: "to do",
    held: { amount: 0, bookings: 0 },
  });
  await choose((await owner.visitor.post("/manage/payouts")).headers.get("Location"), "ready");
  await owner.get("/payouts");
  const book = async () => {
    const { id } = await addPhone(server.db, { sellerId: owner.account.id });
    return String((await buyer.post("/bookings", { phoneId: id })).body.insertedId);
  };
  const [first, second] = [await book(), await book()];
  const path = `/bookings/${first}/payment`;
  const toPay = { _id: first, state: "to pay", price: 349.5, share: 349.5, refunded: 0, history: [] };
  expect((await buyer.get(path)).body).toMatchObject({ ...toPay, role: "buyer", canPay: true });
  expect((await owner.get(path)).body).toMatchObject({ ...toPay, role: "seller", canPay: false });

  server.provider.faults.isDown = true;
  const down = await buyer.send("POST", path);
  expect([down.status, down.headers.get("Retry-After")]).toEqual([503, "5"]);
  expect((await buyer.get(path)).status).toBe(200);
  server.provider.faults.isDown = false;
  const opened = await buyer.send("POST", path);
  expect(new URL(opened.body.url).origin).toBe(server.provider.origin);
  expect((await buyer.send("POST", path)).body).toEqual(opened.body);
  for (const [person, statuses] of [
    [stranger, [404, 404]],
    [owner, [200, 404]],
  ] as const)
    expect([(await person.get(path)).status, (await person.send("POST", path)).status]).toEqual(statuses);
  const { id: unprotected } = await addPhone(server.db);
  const { body } = await buyer.post("/bookings", { phoneId: unprotected });
  expect((await buyer.get(`/bookings/${body.insertedId}/payment`)).status).toBe(404);

  for (const url of [opened.body.url, (await buyer.send("POST", `/bookings/${second}/payment`)).body.url]) {
    const back = await choose(url, "pay");
    await buyer.visitor.get(back.pathname + back.search);
  }
  const paid = await buyer.get(path);
  expect(paid.body).toMatchObject({
    state: "held",
    canPay: false,
    history: [{ kind: "charged", amount: 349.5 }],
  });
  expect((await buyer.send("POST", path)).status).toBe(409);

  await owner.putJson(`/bookings/steps/${first}`, { step: "hand over", handover: "in person" });
  await buyer.putJson(`/bookings/steps/${first}`, { step: "receive" });
  expect((await owner.get(path)).body).toMatchObject({
    state: "to be released",
    movesAt: expect.stringMatching(/Z$/),
  });
  expect((await owner.get("/payouts")).body).toEqual({
    state: "ready",
    held: { amount: 349.5, bookings: 1 },
    onItsWay: { amount: 349.5, bookings: 1 },
    paid: { amount: 0, bookings: 0 },
  });
  const { body: entries } = await owner.get("/payouts/bookings");
  expect(entries).toMatchObject([
    { _id: second, state: "held", amount: 349.5, releasedBy: null, settledAt: null },
    { _id: first, state: "on its way", amount: 349.5, releasedBy: (await owner.get(path)).body.movesAt },
  ]);
  const page = await owner.get("/payouts/bookings?limit=1");
  const [, next = ""] = page.headers.get("Link")?.match(/^<([^>]+)>; rel="next"$/) ?? [];
  expect([...page.body, ...(await owner.get(next)).body]).toEqual(entries);
  expect((await owner.get("/payouts/bookings?state=held")).body).toEqual(entries.slice(0, 1));
  for (const person of [buyer, stranger]) expect((await person.get("/payouts/bookings")).body).toEqual([]);
});
