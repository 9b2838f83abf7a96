import Stripe from "stripe";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { paymentProvider } from "#app/features/payments/provider.server.ts";
import type { PaymentProvider, ProviderMovement } from "#app/features/payments/provider.ts";
import {
  demoPayments,
  type PaymentProviderServer,
  startPaymentProvider,
} from "../../scripts/demo/payment-provider.ts";
import { tellStory } from "../../scripts/payments-story.ts";

let server: PaymentProviderServer;
let provider: PaymentProvider;
let passedMs = 0;
beforeAll(async () => {
  server = await startPaymentProvider({ now: () => new Date(Date.now() + passedMs) });
  const found = await paymentProvider(server.bindings);
  if (!found) throw new Error("no provider");
  provider = found;
});
beforeEach(() => {
  passedMs = 0;
});
afterAll(() => server.stop());

const minutes = (count: number) => count * 60_000;
const returnUrl = "http://127.0.0.1:8787/manage/orders/1?paid";

function facts(orderId: string = crypto.randomUUID(), payMinutes = 60) {
  const payBy = new Date(Date.now() + minutes(payMinutes));
  return { key: `pay ${orderId}`, orderId, amountCents: 52_900, productName: "iPhone 15", payBy, returnUrl };
}

/** What the buyer presses on the page. */
const choose = (url: string, choice: string) =>
  fetch(url, { method: "POST", body: new URLSearchParams({ choice }), redirect: "manual" });

async function paidOrder() {
  const order = facts();
  const { checkoutId, url } = await provider.startPayment(order);
  await choose(url, "pay");
  const { chargeId } = await provider.findPayment(checkoutId);
  return { ...order, checkoutId, chargeId: chargeId ?? "" };
}

async function seller(outcome = "ready") {
  const userId = crypto.randomUUID();
  const { accountId, url } = await provider.onboard({ key: userId, userId, accountId: null, returnUrl });
  await choose(url, outcome);
  return accountId;
}

const movement = (order: { orderId: string; chargeId: string }, amountCents = 52_900) => ({
  key: crypto.randomUUID(),
  orderId: order.orderId,
  chargeId: order.chargeId,
  amountCents,
});

async function movementsSince(seconds: number) {
  const found: ProviderMovement[] = [];
  for await (const item of provider.list(new Date(Date.now() + seconds * 1000))) found.push(item);
  return found;
}

test("the story that a sandbox is told happens once at what stands in for it", async () => {
  const told: string[] = [];
  const name = crypto.randomUUID();
  const tell = (line: string) => told.push(line);
  const { accountId } = await tellStory({ provider, returnUrl, name, act: choose, pauseMs: 0, tell });
  expect(told.at(-1)).toBe("All of it is listed.");
  expect(server.balance(accountId)).toBe(0);
});

test("a market without the settings has no provider", async () => {
  expect(await paymentProvider({})).toBeNull();
});

describe("a payment", () => {
  test("is open, then paid, on a page that works without scripts", async () => {
    const order = facts();
    const { checkoutId, url } = await provider.startPayment(order);
    const page = await (await fetch(url)).text();
    expect(page).toContain("$529.00");
    expect(page).not.toContain("<script");
    const open = { orderId: order.orderId, state: "open", chargeId: null, amountCents: 52_900, url };
    expect(await provider.findPayment(checkoutId)).toEqual(open);

    expect((await choose(url, "decline")).status).toBe(402);
    expect((await choose(url, "abandon")).headers.get("Location")).toBe(returnUrl);
    expect(await provider.findPayment(checkoutId)).toEqual(open);

    expect((await choose(url, "pay")).headers.get("Location")).toBe(returnUrl);
    const paid = { ...open, state: "paid", chargeId: expect.stringMatching(/^ch_/), url: null };
    expect(await provider.findPayment(checkoutId)).toEqual(paid);
    // A second click.
    await choose(url, "pay");
    expect(await provider.findPayment(checkoutId)).toEqual(paid);
  });

  test("has one page for the same key and facts", async () => {
    const order = facts();
    const first = await provider.startPayment(order);
    expect(await provider.startPayment(order)).toEqual(first);
    const other = provider.startPayment({ ...order, amountCents: 1 });
    await expect(other).rejects.toMatchObject({ code: "idempotency_error", isRetryable: false });
  });

  test("has the same page when the first answer was lost", async () => {
    const order = facts();
    server.faults.lostAnswers = 1;
    await expect(provider.startPayment(order)).rejects.toMatchObject({ isRetryable: true });
    const before = server.requests.length;
    const { checkoutId } = await provider.startPayment(order);
    expect(server.requests.length).toBe(before);
    expect(await provider.findPayment(checkoutId)).toMatchObject({ orderId: order.orderId, state: "open" });
  });

  test("can be started up to the last minute, and ends in time otherwise", async () => {
    const early = await provider.startPayment(facts());
    const late = await provider.startPayment(facts(undefined, 1));
    passedMs = minutes(59);
    expect((await provider.findPayment(early.checkoutId)).state).toBe("open");
    passedMs = minutes(61);
    for (const { checkoutId } of [early, late])
      expect(await provider.findPayment(checkoutId)).toMatchObject({ state: "expired", url: null });
  });

  test("cannot be paid once it was ended; ending it after that, or once paid, changes nothing", async () => {
    const { checkoutId, url } = await provider.startPayment(facts());
    await provider.endPayment(checkoutId);
    await provider.endPayment(checkoutId);
    await choose(url, "pay");
    expect((await provider.findPayment(checkoutId)).state).toBe("expired");
    const paid = await paidOrder();
    await provider.endPayment(paid.checkoutId);
    expect((await provider.findPayment(paid.checkoutId)).state).toBe("paid");
  });
});

describe("an account", () => {
  test.each([
    ["leave", "to do"],
    ["waiting", "waiting"],
    ["refused", "refused"],
    ["ready", "ready"],
  ])("after %j is %j", async (outcome, state) => {
    expect(await provider.accountState(await seller(outcome))).toBe(state);
  });

  test("keeps its id when it is set up again, and is made once for a key", async () => {
    const first = await provider.onboard({ key: "one", userId: "one", accountId: null, returnUrl });
    const again = await provider.onboard({ key: "one", userId: "one", accountId: null, returnUrl });
    const { accountId } = first;
    const other = await provider.onboard({ key: "two", userId: "one", accountId, returnUrl });
    expect([again.accountId, other.accountId]).toEqual([accountId, accountId]);
  });

  test("that does not exist is an error", async () => {
    const code = "account_invalid";
    await expect(provider.accountState("acct_nobody")).rejects.toMatchObject({ code });
  });
});

describe("money", () => {
  test("goes to the seller, comes back, and to the buyer, and nothing is lost", async () => {
    const [before, order, accountId] = [server.balance(), await paidOrder(), await seller()];
    const transfer = await provider.release({ ...movement(order, 50_000), accountId });
    expect([server.balance() - before, server.balance(accountId)]).toEqual([2_900, 50_000]);
    const { orderId } = order;
    const back = { key: crypto.randomUUID(), orderId, transferId: transfer.id, amountCents: 50_000 };
    await provider.reverse(back);
    expect([server.balance() - before, server.balance(accountId)]).toEqual([52_900, 0]);
    await provider.refund(movement(order));
    expect(server.balance()).toBe(before);
  });

  test.each(["release", "refund", "reverse"] as const)("%s happens once, whatever is lost", async (kind) => {
    const [order, accountId] = [await paidOrder(), await seller()];
    const transfer = await provider.release({ ...movement(order, 40_000), accountId });
    const move = { ...movement(order, 10_000), accountId, transferId: transfer.id };
    const before = [server.balance(), server.balance(accountId)];
    server.faults.lostAnswers = 1;
    await expect(provider[kind](move)).rejects.toMatchObject({ isRetryable: true });
    const after = [server.balance(), server.balance(accountId)];
    expect(after).not.toEqual(before);
    const { id } = await provider[kind](move);
    // The provider has forgotten the key.
    server.forgetKeys();
    expect(await provider[kind](move)).toEqual({ id });
    expect([server.balance(), server.balance(accountId)]).toEqual(after);
  });

  test.each(["release", "refund", "reverse"] as const)("%s is looked up without moving it", async (kind) => {
    const [order, accountId] = [await paidOrder(), await seller()];
    const { id: transferId } = await provider.release({ ...movement(order, 40_000), accountId });
    const move = { ...movement(order, 10_000), accountId, transferId };
    const before = [server.balance(), server.balance(accountId)];
    const lookup = () => provider[kind]({ ...move, isLookup: true });
    await expect(lookup()).rejects.toMatchObject({ code: "not_done", isRetryable: false });
    expect([server.balance(), server.balance(accountId)]).toEqual(before);
    expect(await provider[kind](move)).toEqual(await lookup());
  });

  test("is with the bank while it disputes the payment, and comes back if it decides so", async () => {
    const [before, order] = [server.balance(), await paidOrder()];
    const { id } = server.dispute(order.chargeId);
    const { chargeId } = order;
    const dispute = { id, amountCents: 52_900 };
    const found = (...disputes: object[]) => ({ chargeId, disputes });
    expect(await provider.findDisputes(id)).toEqual(found({ ...dispute, state: "open" }));
    expect(server.balance()).toBe(before);
    const code = "charge_disputed";
    await expect(provider.refund(movement(order))).rejects.toMatchObject({ code, isRetryable: false });
    server.closeDispute(id, "won");
    expect(await provider.findDisputes(id)).toEqual(found({ ...dispute, state: "won" }));
    await provider.refund(movement(order, 900));
    const { id: second } = server.dispute(order.chargeId);
    server.closeDispute(second, "lost");
    expect(server.balance()).toBe(before);
    const lost = { id: second, amountCents: 52_000, state: "lost" };
    expect(await provider.findDisputes(id)).toEqual(found(lost, { ...dispute, state: "won" }));
    server.closeDispute(second, "won");
    expect(server.balance()).toBe(before + 52_000);
  });

  test("is never moved beyond what there is", async () => {
    const [order, accountId] = [await paidOrder(), await seller()];
    const { id } = await provider.release({ ...movement(order), accountId });
    const more = provider.release({ ...movement(order, 1), accountId });
    await expect(more).rejects.toMatchObject({ isRetryable: false });
    server.payOut(accountId);
    const back = provider.reverse({ ...movement(order, 1), transferId: id });
    await expect(back).rejects.toMatchObject({ code: "balance_insufficient", isRetryable: false });
    await provider.refund(movement(order));
    const code = "charge_already_refunded";
    await expect(provider.refund(movement(order))).rejects.toMatchObject({ code, isRetryable: false });
  });

  test("does not go to an account that cannot be paid", async () => {
    const [order, accountId] = [await paidOrder(), await seller("waiting")];
    const code = "insufficient_capabilities_for_transfer";
    await expect(provider.release({ ...movement(order), accountId })).rejects.toMatchObject({ code });
  });

  test("is sent again when nobody answers, or the key is wrong", async () => {
    server.faults.isDown = true;
    const failure = provider.refund(movement({ orderId: "1", chargeId: "ch_1" }));
    await expect(failure).rejects.toMatchObject({ name: "ProviderError", isRetryable: true });
    server.faults.isDown = false;
    const other = await paymentProvider({ ...server.bindings, STRIPE_SECRET_KEY: "sk_test_other" });
    await expect(other?.accountState("acct_1")).rejects.toMatchObject({ isRetryable: true });
  });

  test("that moved is listed, over several pages", async () => {
    const [order, accountId] = [await paidOrder(), await seller()];
    const expected = [{ kind: "charged", id: order.chargeId, orderId: order.orderId, amountCents: 52_900 }];
    const { orderId } = order;
    for (let count = 0; count < 130; count += 1) {
      const { id } = await provider.release({ ...movement(order, 100), accountId });
      expected.push({ kind: "released", id, orderId, amountCents: 100 });
      if (count > 0) continue;
      const reversal = await provider.reverse({ ...movement(order, 60), transferId: id });
      expected.push({ kind: "taken back", id: reversal.id, orderId, amountCents: 60 });
    }
    const refund = await provider.refund(movement(order, 5));
    expected.push({ kind: "refunded", id: refund.id, orderId, amountCents: 5 });
    const listed = (await movementsSince(-60)).filter((item) => item.orderId === orderId);
    const byId = (one: { id: string }, other: { id: string }) => one.id.localeCompare(other.id);
    expect(listed.sort(byId)).toEqual(expected.sort(byId));
    expect(await movementsSince(60)).toEqual([]);
  });
});

describe("an event", () => {
  const stripe = new Stripe(demoPayments.secretKey);
  const payload = JSON.stringify({
    id: "evt_1",
    object: "event",
    type: "checkout.session.completed",
    data: { object: { id: "cs_1" } },
  });
  const signed = (secret = demoPayments.webhookSecret, timestamp = Math.floor(Date.now() / 1000)) =>
    stripe.webhooks.generateTestHeaderStringAsync({ payload, secret, timestamp });

  test("is read when its signature is right", async () => {
    const event = { id: "evt_1", type: "checkout.session.completed", objectId: "cs_1" };
    expect(await provider.readEvent(payload, await signed())).toEqual(event);
  });

  test("is refused with another secret, another text, an old signature or none", async () => {
    expect(await provider.readEvent(payload, await signed("whsec_other"))).toBeNull();
    expect(await provider.readEvent(`${payload} `, await signed())).toBeNull();
    const old = await signed(undefined, Math.floor(Date.now() / 1000) - 600);
    expect(await provider.readEvent(payload, old)).toBeNull();
    expect(await provider.readEvent(payload, null)).toBeNull();
    expect(await provider.readEvent("", "")).toBeNull();
  });
});
