import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import Stripe from "stripe";
import { market } from "#app/market.ts";
import * as objects from "./stripe-objects.ts";

/** The only version of Stripe's API that is understood: that of the package. */
const { API_VERSION } = Stripe;

/** The file of a state with the address of its last provider. */
export const demoOriginFile = "payments-origin";

/** The settings that lead the product to a provider. */
export const demoBindings = (origin: string) => ({
  STRIPE_SECRET_KEY: demoPayments.secretKey,
  STRIPE_WEBHOOK_SECRET: demoPayments.webhookSecret,
  STRIPE_API_ORIGIN: origin,
});

export const demoPayments = { secretKey: "sk_test_demo", webhookSecret: "whsec_demo" };

type Stored =
  | Stripe.Account
  | Stripe.Checkout.Session
  | Stripe.PaymentIntent
  | Stripe.Charge
  | Stripe.Transfer
  | Stripe.TransferReversal
  | Stripe.Refund
  | Stripe.Dispute
  | Stripe.BalanceTransaction;
type StoredOf<Kind extends Stored["object"]> = Extract<Stored, { object: Kind }>;

interface Answer {
  status: number;
  body: unknown;
}

interface State {
  objects: Record<string, Stored>;
  /** Cents; those of the marketplace have the key "". */
  balances: Record<string, number>;
  /** The first answer to each idempotency key. */
  keys: Record<string, { request: string; answer: Answer }>;
}

/** A request of the product, and its answer. */
export interface RecordedRequest {
  method: string;
  path: string;
  parameters: Record<string, unknown>;
  answer: Answer;
}

/** An error as Stripe answers it. */
class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly error: { type?: string; code?: string; param?: string; message: string },
  ) {
    super(error.message);
  }
}

const invalid = (message: string, code?: string, param?: string) =>
  new Refusal(400, { message, ...(code && { code }), ...(param && { param }) });

export type PaymentProviderServer = Awaited<ReturnType<typeof startPaymentProvider>>;

/**
 * Starts what stands in for Stripe on this machine: accounts, checkout, charges, transfers, reversals, refunds, disputes and
 * balances, with the idempotency keys, errors and signed events of Stripe's API. No money moves.
 *
 * @param file keeps the state; by default it is forgotten
 * @param now the clock, for tests
 */
export async function startPaymentProvider({
  port = 0,
  file,
  now = () => new Date(),
}: {
  port?: number;
  file?: string;
  now?: () => Date;
} = {}) {
  const state: State =
    file && existsSync(file)
      ? JSON.parse(readFileSync(file, "utf8"))
      : { objects: {}, balances: {}, keys: {} };
  const stripe = new Stripe(demoPayments.secretKey);
  const events: Stripe.Event[] = [];
  const requests: RecordedRequest[] = [];
  let webhookUrl: string | null = null;
  const faults = {
    /** Whether nobody answers. */
    isDown: false,
    /** How many of the next writes are carried out without an answer. */
    lostAnswers: 0,
    /** Whether events wait until a test delivers them. */
    holdsEvents: false,
  };

  const server = createServer((request, response) => {
    handle(request, response).catch((error: Error) => response.writeHead(500).end(error.message));
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const pageOf = (checkoutId: string) => `${origin}/pay/${checkoutId}`;
  const seconds = () => Math.floor(now().getTime() / 1000);
  const identity = (prefix: string) => ({
    id: `${prefix}_${randomBytes(12).toString("hex")}`,
    created: seconds(),
  });

  function keep<Item extends Stored>(item: Item): Item {
    state.objects[item.id] = item;
    return item;
  }

  function find<Kind extends Stored["object"]>(kind: Kind, id: string): StoredOf<Kind> {
    const item = state.objects[id];
    if (item?.object === kind) return item as StoredOf<Kind>;
    if (kind === "account" && id.startsWith(objects.demoAccountPrefix))
      return readyAccount(id) as StoredOf<Kind>;
    // Stripe does not tell whether an account exists.
    if (kind === "account")
      throw new Refusal(403, { code: "account_invalid", message: "The key has no access to this account." });
    throw new Refusal(404, { code: "resource_missing", message: `No such ${kind}: '${id}'`, param: "id" });
  }

  const all = <Kind extends Stored["object"]>(kind: Kind) =>
    Object.values(state.objects).filter((item) => item.object === kind) as StoredOf<Kind>[];

  function readyAccount(id: string): Stripe.Account {
    const account = keep(objects.newAccount({ id, created: seconds() }, {}));
    return setUp(account, "ready");
  }

  function setUp(account: Stripe.Account, outcome: string): Stripe.Account {
    account.details_submitted = true;
    account.payouts_enabled = outcome === "ready";
    account.capabilities = { transfers: outcome === "ready" ? "active" : "inactive" };
    account.requirements = objects.requirements(
      outcome === "refused"
        ? "rejected.other"
        : outcome === "waiting"
          ? "requirements.pending_verification"
          : null,
      [],
    );
    notify("account.updated", account);
    return account;
  }

  /** Moves money, which adds to or takes from a balance. */
  function book(account: string, type: string, item: Stored, amount: number): string {
    state.balances[account] = (state.balances[account] ?? 0) + amount;
    // A list of the marketplace's own movements.
    if (account !== "") return "";
    const currency = "currency" in item && item.currency ? item.currency : objects.marketCurrency;
    return keep(objects.newBalanceTransaction(identity("txn"), { type, amount, source: item.id, currency }))
      .id;
  }

  function notify(type: string, item: Stored): void {
    const event = {
      ...identity("evt"),
      object: "event",
      api_version: API_VERSION,
      data: { object: structuredClone(item) },
      livemode: false,
      pending_webhooks: 1,
      request: null,
      type,
    } as Stripe.Event;
    events.push(event);
    // As Stripe does, it comes when it comes.
    if (!faults.holdsEvents) setImmediate(() => deliver(event).catch(() => undefined));
  }

  /** Sends an event, as often as it is called. @returns the status of the answer; null without an address */
  async function deliver(event: Stripe.Event): Promise<number | null> {
    if (!webhookUrl) return null;
    const payload = JSON.stringify(event);
    const signature = await stripe.webhooks.generateTestHeaderStringAsync({
      payload,
      secret: demoPayments.webhookSecret,
    });
    const response = await fetch(webhookUrl, {
      method: "POST",
      headers: { "Content-Type": "application/json; charset=utf-8", "Stripe-Signature": signature },
      body: payload,
    });
    await response.arrayBuffer();
    return response.status;
  }

  function currentSession(id: string): Stripe.Checkout.Session {
    const session = find("checkout.session", id);
    if (session.status === "open" && session.expires_at <= seconds()) expire(session);
    // After a restart the origin is another.
    if (session.status === "open") session.url = pageOf(id);
    return session;
  }

  function expire(session: Stripe.Checkout.Session): Stripe.Checkout.Session {
    Object.assign(session, { status: "expired", url: null });
    notify("checkout.session.expired", session);
    return session;
  }

  function pay(session: Stripe.Checkout.Session): void {
    const data = paymentData.get(session.id) ?? {};
    const paid = {
      amount: session.amount_total ?? 0,
      currency: session.currency ?? objects.marketCurrency,
      transfer_group: data.transfer_group ?? session.client_reference_id,
      metadata: session.metadata ?? {},
    };
    const intentId = identity("pi").id;
    const charge = keep(objects.newCharge(identity("ch"), { ...paid, intentId }));
    const intent = { id: intentId, created: charge.created };
    keep(objects.newIntent(intent, { ...paid, chargeId: charge.id }));
    charge.balance_transaction = book("", "charge", charge, charge.amount);
    Object.assign(session, {
      status: "complete",
      payment_status: "paid",
      payment_intent: intentId,
      url: null,
    });
    notify("charge.succeeded", charge);
    notify("checkout.session.completed", session);
  }

  const disputesOf = ({ id }: { id: string }) => all("dispute").filter(({ charge }) => charge === id);

  /** What a bank can still dispute of a charge. */
  function disputable(charge: Stripe.Charge): number {
    const taken = disputesOf(charge).filter(({ status }) => status !== "won");
    return charge.amount - charge.amount_refunded - taken.reduce((sum, { amount }) => sum + amount, 0);
  }

  /** The buyer's bank takes the money back, for the time being. */
  function dispute(chargeId: string, amount?: number): Stripe.Dispute {
    const charge = find("charge", chargeId);
    const disputed = amount ?? disputable(charge);
    const item = keep(objects.newDispute(identity("dp"), charge, disputed));
    charge.disputed = true;
    book("", "adjustment", item, -disputed);
    notify("charge.dispute.created", item);
    notify("charge.dispute.funds_withdrawn", item);
    return item;
  }

  /** The bank decides, also about what it has decided for the buyer before. */
  function closeDispute(id: string, outcome: "won" | "lost"): void {
    const item = find("dispute", id);
    if (item.status === "won" || item.status === outcome) return;
    const hasEnded = item.status === "lost";
    item.status = outcome;
    if (outcome === "won") book("", "adjustment", item, item.amount);
    if (!hasEnded) notify("charge.dispute.closed", item);
    if (outcome === "won") notify("charge.dispute.funds_reinstated", item);
  }

  /** What a session says of its payment intent, which is made when the buyer pays. */
  const paymentData = new Map<string, Stripe.Checkout.SessionCreateParams.PaymentIntentData>();

  const writes: [RegExp, (parameters: never, id: string) => unknown][] = [
    [
      /^\/v1\/accounts$/,
      (parameters: Stripe.AccountCreateParams) => keep(objects.newAccount(identity("acct"), parameters)),
    ],
    [
      /^\/v1\/account_links$/,
      ({ account, return_url }: Stripe.AccountLinkCreateParams): Stripe.AccountLink => {
        const { id } = find("account", account);
        const back = new URLSearchParams({ back: return_url ?? "" });
        return {
          object: "account_link",
          created: seconds(),
          expires_at: seconds() + 300,
          url: `${origin}/onboarding/${id}?${back}`,
        };
      },
    ],
    [
      /^\/v1\/checkout\/sessions$/,
      (parameters: Stripe.Checkout.SessionCreateParams) => {
        const { expires_at, payment_intent_data } = parameters;
        const lifetime = (expires_at ?? seconds() + 86_400) - seconds();
        if (lifetime < 30 * 60 || lifetime > 86_400)
          throw invalid(
            "The `expires_at` timestamp must be between 30 minutes and 24 hours from now.",
            undefined,
            "expires_at",
          );
        const { id, created } = identity("cs_test");
        if (payment_intent_data) paymentData.set(id, payment_intent_data);
        return keep(objects.newSession({ id, created, url: pageOf(id) }, parameters));
      },
    ],
    [
      /^\/v1\/checkout\/sessions\/([^/]+)\/expire$/,
      (_: object, id: string) => {
        const session = currentSession(id);
        if (session.status !== "open")
          throw invalid('Only Checkout Sessions with a status in ["open"] can be expired.');
        return expire(session);
      },
    ],
    [
      /^\/v1\/transfers$/,
      (parameters: Stripe.TransferCreateParams) => {
        const { amount = 0, destination, source_transaction } = parameters;
        checkAmount(amount);
        const account = find("account", destination);
        if (account.capabilities?.transfers !== "active")
          throw invalid(
            "The destination account has no active transfers capability.",
            "insufficient_capabilities_for_transfer",
          );
        if (source_transaction) {
          const moved = all("transfer")
            .filter((transfer) => transfer.source_transaction === source_transaction)
            .reduce((sum, transfer) => sum + transfer.amount, 0);
          if (moved + amount > find("charge", source_transaction).amount)
            throw invalid("Transfers would exceed the amount of the source charge.");
        } else if ((state.balances[""] ?? 0) < amount) {
          throw invalid("You have insufficient available funds.", "balance_insufficient");
        }
        const transfer = keep(objects.newTransfer(identity("tr"), parameters));
        transfer.balance_transaction = book("", "transfer", transfer, -amount);
        book(destination, "payment", transfer, amount);
        notify("transfer.created", transfer);
        return transfer;
      },
    ],
    [
      /^\/v1\/transfers\/([^/]+)\/reversals$/,
      (parameters: Stripe.TransferCreateReversalParams, id: string) => {
        const transfer = find("transfer", id);
        const left = transfer.amount - transfer.amount_reversed;
        const { amount = left } = parameters;
        checkAmount(amount);
        if (amount > left) throw invalid(`Reversal amount exceeds the ${left} that are left.`);
        const account = String(transfer.destination);
        if ((state.balances[account] ?? 0) < amount)
          throw invalid("The connected account has insufficient funds.", "balance_insufficient");
        const reversal = keep(objects.newReversal(identity("trr"), transfer, parameters));
        transfer.amount_reversed += amount;
        transfer.reversed = transfer.amount_reversed === transfer.amount;
        reversal.balance_transaction = book("", "transfer_refund", reversal, amount);
        book(account, "payment_refund", reversal, -amount);
        notify("transfer.reversed", transfer);
        return reversal;
      },
    ],
    [
      /^\/v1\/refunds$/,
      (parameters: Stripe.RefundCreateParams) => {
        const charge = find("charge", parameters.charge ?? "");
        const left = charge.amount - charge.amount_refunded;
        if (disputesOf(charge).some(({ status }) => status !== "won"))
          throw invalid("The charge is disputed.", "charge_disputed", "charge");
        if (left === 0)
          throw invalid("The charge has already been refunded.", "charge_already_refunded", "charge");
        const { amount = left } = parameters;
        checkAmount(amount);
        if (amount > left)
          throw invalid(`Refund amount is greater than the ${left} that are left.`, undefined, "amount");
        const refund = keep(objects.newRefund(identity("re"), charge, parameters));
        charge.amount_refunded += amount;
        charge.refunded = charge.amount_refunded === charge.amount;
        refund.balance_transaction = book("", "refund", refund, -amount);
        notify("charge.refunded", charge);
        return refund;
      },
    ],
  ];

  const reads: [RegExp, (parameters: ListParameters, id: string) => unknown][] = [
    [/^\/v1\/accounts\/([^/]+)$/, (_, id) => find("account", id)],
    [
      /^\/v1\/checkout\/sessions\/([^/]+)$/,
      ({ expand }, id) => {
        const session = currentSession(id);
        const isExpanded = expand?.includes("payment_intent") && session.payment_intent;
        if (!isExpanded) return session;
        return { ...session, payment_intent: find("payment_intent", String(session.payment_intent)) };
      },
    ],
    [/^\/v1\/payment_intents\/([^/]+)$/, (_, id) => find("payment_intent", id)],
    [/^\/v1\/charges\/([^/]+)$/, (_, id) => find("charge", id)],
    [/^\/v1\/transfers\/([^/]+)$/, (_, id) => find("transfer", id)],
    [/^\/v1\/refunds\/([^/]+)$/, (_, id) => find("refund", id)],
    [/^\/v1\/disputes\/([^/]+)$/, (_, id) => find("dispute", id)],
    [/^\/v1\/disputes$/, (parameters) => list("/v1/disputes", all("dispute"), parameters)],
    [/^\/v1\/charges$/, (parameters) => list("/v1/charges", all("charge"), parameters)],
    [/^\/v1\/refunds$/, (parameters) => list("/v1/refunds", all("refund"), parameters)],
    [/^\/v1\/transfers$/, (parameters) => list("/v1/transfers", all("transfer"), parameters)],
    [
      /^\/v1\/transfers\/([^/]+)\/reversals$/,
      (parameters, id) => {
        const reversals = all("transfer_reversal").filter(({ transfer }) => transfer === id);
        return list(`/v1/transfers/${id}/reversals`, reversals, parameters);
      },
    ],
    [
      /^\/v1\/balance_transactions$/,
      ({ expand, ...parameters }) => {
        const page = list("/v1/balance_transactions", all("balance_transaction"), parameters);
        if (!expand?.includes("data.source")) return page;
        const data = page.data.map((item) => ({ ...item, source: state.objects[String(item.source)] }));
        return { ...page, data };
      },
    ],
  ];

  function answerTo(method: string, path: string, parameters: object, account: string): unknown {
    if (method === "GET" && path === "/v1/balance")
      return objects.newBalance(state.balances[account] ?? 0, objects.marketCurrency);
    for (const [pattern, respond] of method === "POST" ? writes : reads) {
      const match = pattern.exec(path);
      if (match) return respond(parameters as never, match[1] ?? "");
    }
    throw new Refusal(404, { message: `Unrecognized request URL (${method}: ${path}).` });
  }

  function tryAnswering(method: string, path: string, parameters: object, account: string): Answer {
    try {
      return { status: 200, body: structuredClone(answerTo(method, path, parameters, account)) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { status: error.status, body: { error: { type: "invalid_request_error", ...error.error } } };
    }
  }

  function respondToApi(request: IncomingMessage, url: URL, text: string): Answer & { isReplayed?: boolean } {
    const { method = "GET", headers } = request;
    const path = url.pathname;
    if (headers.authorization !== `Bearer ${demoPayments.secretKey}`)
      return {
        status: 401,
        body: { error: { type: "invalid_request_error", message: "Invalid API Key provided." } },
      };
    if (headers["stripe-version"] !== API_VERSION)
      return {
        status: 400,
        body: { error: { type: "invalid_request_error", message: "Invalid Stripe API version." } },
      };
    const key = headers["idempotency-key"] as string | undefined;
    const known = key === undefined ? undefined : state.keys[key];
    if (known && known.request !== `${path} ${text}`) {
      const message = "Keys for idempotent requests can only be used with the same parameters.";
      return { status: 400, body: { error: { type: "idempotency_error", message } } };
    }
    if (known) return { ...known.answer, isReplayed: true };
    const parameters = parametersOf(method === "POST" ? text : url.search);
    const answer = tryAnswering(method, path, parameters, String(headers["stripe-account"] ?? ""));
    if (key !== undefined) state.keys[key] = { request: `${path} ${text}`, answer };
    requests.push({ method, path, parameters, answer });
    return answer;
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    if (faults.isDown) return request.socket.destroy();
    const url = new URL(request.url ?? "", origin);
    const text = (await request.toArray()).map(String).join("");
    if (!url.pathname.startsWith("/v1/")) return respondWithPage(request, response, url, text);
    const { status, body, isReplayed } = respondToApi(request, url, text);
    save();
    if (request.method === "POST" && faults.lostAnswers > 0) {
      faults.lostAnswers -= 1;
      return request.socket.destroy();
    }
    response.writeHead(status, {
      "Content-Type": "application/json",
      "Request-Id": identity("req").id,
      ...(isReplayed && { "Idempotent-Replayed": "true" }),
    });
    return response.end(JSON.stringify(body));
  }

  function respondWithPage(request: IncomingMessage, response: ServerResponse, url: URL, text: string) {
    const [, page, id = ""] = url.pathname.split("/");
    const choice = request.method === "POST" ? new URLSearchParams(text).get("choice") : null;
    const goTo = (address: string | null | undefined) => {
      save();
      response.writeHead(303, { Location: address || "/" }).end();
    };
    const show = (status: number, html: string) =>
      response.writeHead(status, { "Content-Type": "text/html; charset=utf-8" }).end(html);
    if (page === "pay" && state.objects[id]?.object === "checkout.session") {
      const session = currentSession(id);
      if (session.status !== "open") return show(200, closedPage(session));
      if (choice === "pay") {
        pay(session);
        return goTo(session.success_url);
      }
      if (choice === "abandon") return goTo(session.cancel_url);
      return show(choice === "decline" ? 402 : 200, payPage(session, choice === "decline"));
    }
    if (page === "onboarding" && state.objects[id]?.object === "account") {
      if (choice === null) return show(200, onboardingPage);
      if (choice !== "leave") setUp(find("account", id), choice);
      return goTo(url.searchParams.get("back"));
    }
    if (page === "disputes") {
      if (choice === "dispute") dispute(new URLSearchParams(text).get("of") ?? "");
      if (choice === "won" || choice === "lost")
        closeDispute(new URLSearchParams(text).get("of") ?? "", choice);
      if (choice) return goTo("/disputes");
      const charges = all("charge").toReversed().slice(0, 50);
      const rows = charges.map((charge) => ({
        charge,
        disputes: disputesOf(charge),
        left: disputable(charge),
      }));
      return show(200, disputesPage(rows));
    }
    return show(404, htmlPage("Not found", "<p>There is no such page.</p>"));
  }

  function save() {
    if (file) writeFileSync(file, JSON.stringify(state));
  }

  return {
    origin,
    bindings: demoBindings(origin),
    faults,
    /** All events so far, in their order. */
    events,
    deliver,
    requests,
    /** Where events go. */
    sendEventsTo(url: string) {
      webhookUrl = url;
    },
    dispute,
    /** Cents that can still be disputed. */
    disputable: (chargeId: string) => disputable(find("charge", chargeId)),
    disputesOf: (chargeId: string) => disputesOf({ id: chargeId }),
    closeDispute,
    /** Cents of an account; without one, of the marketplace. */
    balance: (account = "") => state.balances[account] ?? 0,
    /** Pays an account's balance out to its bank. */
    payOut(account: string) {
      state.balances[account] = 0;
    },
    /** As Stripe does after a day. */
    forgetKeys() {
      state.keys = {};
    },
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

interface ListParameters {
  expand?: string[];
  limit?: number;
  starting_after?: string;
  created?: { gte?: number };
  [filter: string]: unknown;
}

/** A page of a list, newest first. Other parameters are fields that must match. */
function list<Item extends { id: string; created: number }>(
  url: string,
  items: Item[],
  { limit = 10, starting_after, created, expand: _, ...filters }: ListParameters,
): Pick<Stripe.ApiList<Item>, "object" | "data" | "has_more" | "url"> {
  const found = items
    .filter((item) => item.created >= (created?.gte ?? 0))
    .filter((item) => Object.entries(filters).every(([name, value]) => item[name as keyof Item] === value))
    .reverse();
  const from = starting_after ? found.findIndex(({ id }) => id === starting_after) + 1 : 0;
  return {
    object: "list",
    data: found.slice(from, from + limit),
    has_more: found.length > from + limit,
    url,
  };
}

function checkAmount(amount: number): void {
  if (!Number.isSafeInteger(amount) || amount < 1)
    throw invalid("This value must be greater than or equal to 1.", "parameter_invalid_integer", "amount");
}

const integers = /\b(amount|unit_amount|quantity|expires_at|limit|gte)\]?$/;

/** Parameters such as `line_items[0][quantity]=1`, as the package sends them. */
function parametersOf(text: string): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split(/[[\]]+/).filter(Boolean);
    const last = path.pop() ?? "";
    let parent = root;
    for (const part of path) {
      parent[part] ??= {};
      parent = parent[part] as Record<string, unknown>;
    }
    parent[last] =
      integers.test(name) && /^-?\d+$/.test(value)
        ? Number(value)
        : /^(true|false)$/.test(value)
          ? value === "true"
          : value;
  }
  return withArrays(root) as Record<string, unknown>;
}

function withArrays(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, part]) => [name, withArrays(part)] as const);
  const isArray = entries.length > 0 && entries.every(([name]) => /^\d+$/.test(name));
  return isArray ? entries.map(([, part]) => part) : Object.fromEntries(entries);
}

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

function payPage({ amount_total, currency }: Stripe.Checkout.Session, isDeclined: boolean): string {
  const amount = amountText({ amount: amount_total ?? 0, currency: currency ?? objects.marketCurrency });
  return htmlPage(
    `Pay ${amount}`,
    `${isDeclined ? '<p role="alert"><strong>Your card was declined.</strong> Try another one.</p>' : ""}
<form method="post">
<button name="choice" value="pay">Pay ${escaped(amount)}<small>The payment succeeds</small></button>
<button name="choice" value="decline">Pay with another card<small>It’s declined</small></button>
<button name="choice" value="abandon">Back<small>without paying</small></button>
</form>`,
  );
}

function closedPage({ status, success_url }: Stripe.Checkout.Session): string {
  return htmlPage(
    status === "complete" ? "You’ve paid" : "This page has expired",
    `<p><a href="${escaped(success_url ?? "/")}">Back to the order</a></p>`,
  );
}

function disputesPage(rows: { charge: Stripe.Charge; disputes: Stripe.Dispute[]; left: number }[]): string {
  const button = (choice: string, of: string, label: string) =>
    `<form method="post"><input type="hidden" name="of" value="${escaped(of)}">
<button name="choice" value="${choice}">${label}</button></form>`;
  const shown = ({ id, status }: Stripe.Dispute) => {
    if (status === "needs_response")
      return `disputed${button("won", id, "Decide for the seller")}${button("lost", id, "Decide for the buyer")}`;
    return status === "lost" ? `lost${button("won", id, "Give it back")}` : status;
  };
  const items = rows.map(({ charge, disputes, left }) => {
    const states = disputes.map((dispute) => `<br>${shown(dispute)}`);
    const isOpen = disputes.some(({ status }) => status === "needs_response");
    const another = left > 0 && !isOpen ? button("dispute", charge.id, "Dispute") : "";
    return `<li>${amountText(charge)}, order ${escaped(charge.transfer_group ?? "")}: ${states.join("")}${another}</li>`;
  });
  return htmlPage(
    "The buyers’ bank",
    items.length > 0 ? `<ol>${items.join("\n")}</ol>` : "<p>Nothing has been paid yet.</p>",
  );
}

const amountText = ({ amount, currency }: Pick<Stripe.Charge, "amount" | "currency">) =>
  new Intl.NumberFormat(market.locale, { style: "currency", currency }).format(amount / 100);

const onboardingPage = htmlPage(
  "Set up payouts",
  `<form method="post">
<button name="choice" value="ready">Give all details<small>The account can be paid</small></button>
<button name="choice" value="waiting">Give details that must be checked<small>The account waits</small></button>
<button name="choice" value="refused">Give details that are turned down<small>The account is refused</small></button>
<button name="choice" value="leave">Leave<small>without giving details</small></button>
</form>`,
);

function htmlPage(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>
  body { font: 1rem/1.5 system-ui, sans-serif; max-width: 24rem; margin: 3rem auto; padding: 0 1rem; color: #222 }
  h1 { font-size: 1.5rem }
  button { display: block; width: 100%; padding: .75rem 1rem; margin: .5rem 0; border: 1px solid #bbb; border-radius: .5rem; background: none; color: inherit; font: inherit; text-align: left; cursor: pointer }
  button:hover, button:focus { border-color: #222 }
  small { display: block; color: #555 }
</style>
<h1>${escaped(title)}</h1>
<p>This page stands in for Stripe. No money moves.</p>
${content}
</html>`;
}
