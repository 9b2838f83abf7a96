import { and, desc, eq, isNull, type SQL, sql } from "drizzle-orm";
import fc from "fast-check";
import type { Db } from "#app/db/client.server.ts";
import { ledgerEntries, orderProblems, payments, paymentTasks, payoutAccounts } from "#app/db/schema.ts";
import { openProblem } from "#app/features/order-problems/open-problem.server.ts";
import { answerProblem, decideProblem } from "#app/features/order-problems/order-problems.server.ts";
import { findOrder, handleOrderIntent } from "#app/features/orders/order-details.server.ts";
import { addStep } from "#app/features/orders/order-steps.server.ts";
import type { OrderIntent } from "#app/features/orders/order-texts.ts";
import { findMoneyFacts } from "#app/features/payments/money-facts.server.ts";
import { releaseTime } from "#app/features/payments/payment.rules.ts";
import { sumLedger } from "#app/features/payments/payment-tasks.server.ts";
import { openPayment } from "#app/features/payments/payments.server.ts";
import { paymentProvider } from "#app/features/payments/provider.server.ts";
import { type PaymentProvider, ProviderError } from "#app/features/payments/provider.ts";
import { refundOrder } from "#app/features/payments/refunds.server.ts";
import { dayMs, hourMs } from "#app/time.ts";
import { type PaymentProviderServer, startPaymentProvider } from "../../scripts/demo/payment-provider.ts";
import { demoAccountPrefix } from "../../scripts/demo/stripe-objects.ts";
import { bookWithoutLimits } from "../../tests/harness/bookings.ts";
import { type Account, addAccount, addPhone } from "../../tests/harness/fixtures.ts";
import { findViolations } from "./invariants.ts";
import { type Market, openMarket } from "./market.ts";
import { onBothBackends, type PartResult } from "./part.ts";

const sellersSteps = ["hand over", "given back"] as const;
const buyersSteps = ["receive", "approve", "undo approval", "undo receipt", "cancel"] as const;

const move = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ do: "pay" as const }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("step" as const),
      step: fc.constantFrom(...sellersSteps, ...buyersSteps),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      { do: "report" as const },
      { do: "close" as const },
      { do: "decide" as const },
      { do: "won" as const },
      { do: "lost" as const },
      { do: "give back" as const },
      { do: "list again" as const },
    ),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("refund" as const), cents: fc.nat({ max: 40_000 }) }) },
  // Of a part, or of all that is left.
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("dispute" as const), cents: fc.nat({ max: 70_000 }) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("wait" as const), hours: fc.nat({ max: 100 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("run jobs" as const),
      fault: fc.constantFrom("none", "lost answers", "down", "two at once", "killed"),
      count: fc.nat({ max: 60 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("deliver" as const),
      fault: fc.constantFrom("swapped", "twice", "forged"),
    }),
  },
);

type Move = typeof move extends fc.Arbitrary<infer Value> ? Value : never;

/** How an order usually goes, up to where it goes on at random. */
const story: Move[] = [
  { do: "pay" },
  { do: "deliver", fault: "swapped" },
  { do: "step", step: "hand over" },
  { do: "step", step: "receive" },
  { do: "wait", hours: 49 },
  { do: "run jobs", fault: "none", count: 0 },
];

const plan = fc
  .tuple(fc.nat({ max: story.length }), fc.array(move, { minLength: 4, maxLength: 16 }))
  .map(([begun, moves]) => [...story.slice(0, begun), ...moves]);

interface Scene {
  market: Market;
  server: PaymentProviderServer;
  provider: PaymentProvider;
  staff: Account;
}

interface Order {
  orderId: string;
  seller: Account;
  buyer: Account;
  accountId: string;
}

/**
 * Random orders of a market with a provider, whose answers and events are lost, late, repeated, swapped or forged, while
 * workerd is killed and the jobs run twice at once. Money is conserved, moves in its time and once, and nobody is stuck.
 */
export const moneyOfOrders = onBothBackends(async (backend, options): Promise<PartResult> => {
  const failures: string[] = [];
  const server = await startPaymentProvider();
  const provider = await paymentProvider(server.bindings);
  if (!provider) throw new Error("There is no provider.");
  const bindings = { ENVIRONMENT: "local", ...server.bindings };
  const market = await openMarket({ backend, buildFolder: options.buildFolder, bindings });
  server.sendEventsTo(new URL("/payments/events", market.url).href);
  server.faults.holdsEvents = true;
  const staff = await addAccount(market.db, { userType: "Admin" });
  const scene = { market, server, provider, staff };
  const orders: Order[] = [];
  let [runs, movements] = [0, 0];
  while (runs < options.runs && Date.now() < options.until && failures.length < 10) {
    const [planned = []] = fc.sample(plan, { seed: options.seed + runs, numRuns: 1 });
    const wrong: string[] = [];
    const order = await book(market.db);
    orders.push(order);
    for (const each of planned) await play(scene, order, each, wrong);
    await finish(scene, order);
    wrong.push(...(await findStuck(market.db, order)), ...(await findViolations(market.db)));
    failures.push(
      ...wrong.map(
        (what) => `${backend}, run ${runs} of seed ${options.seed}: ${what}\n  ${JSON.stringify(planned)}`,
      ),
    );
    runs += 1;
  }
  const compared = await compare(scene, orders);
  movements += compared.movements;
  failures.push(
    ...compared.wrong.map((what) => `${backend}, after all runs of seed ${options.seed}: ${what}`),
  );
  await market.stop();
  await server.stop();
  return { runs, failures, notes: `(${movements} movements)` };
});

async function book(db: Db): Promise<Order> {
  const [seller, buyer] = [await addAccount(db, { userType: "Seller" }), await addAccount(db)];
  const accountId = demoAccountPrefix + seller.id;
  await db
    .insert(payoutAccounts)
    .values({ userId: seller.id, accountId, state: "ready", updatedAt: new Date() });
  const { id } = await addPhone(db, { sellerId: seller.id });
  const { orderId } = await bookWithoutLimits(
    db,
    buyer,
    id,
    { address: "", phone: "" },
    { hasProvider: true },
  );
  if (!orderId) throw new Error("Nothing was booked.");
  return { orderId, seller, buyer, accountId };
}

async function play(scene: Scene, order: Order, { ...planned }: Move, wrong: string[]) {
  const { market, server, provider, staff } = scene;
  const { orderId, seller, buyer } = order;
  const { db } = market;
  switch (planned.do) {
    case "pay": {
      const opened = await openPayment(db, provider, buyer, orderId, market.url).catch(onlyProviderError);
      if (opened && typeof opened === "object")
        await fetch(opened.url, { method: "POST", body: "choice=pay", redirect: "manual" });
      return;
    }
    case "step":
      return takeStep(db, order, planned.step);
    case "report":
      return openProblem(db, buyer, orderId, { kind: "defect", text: "It broke." });
    case "close":
      return answerProblem(db, buyer, orderId, { answer: "close", text: "" });
    case "decide": {
      await answerProblem(db, buyer, orderId, { answer: "ask", text: "" });
      const problem = await openProblemOf(db, orderId, "buyer");
      if (problem) await decideProblem(db, staff, problem.id, { decision: "returned", reason: "As shown." });
      return;
    }
    case "dispute": {
      const { chargeId } = (await paymentOf(db, orderId)) ?? {};
      const left = chargeId ? server.disputable(chargeId) : 0;
      if (chargeId && left > 0) server.dispute(chargeId, Math.min(left, planned.cents + 1));
      return;
    }
    case "won":
    case "lost":
    case "give back": {
      const from = planned.do === "give back" ? "lost" : "needs_response";
      const dispute = (await disputesOf(scene, orderId)).find(({ status }) => status === from);
      if (dispute) server.closeDispute(dispute.id, planned.do === "lost" ? "lost" : "won");
      return;
    }
    case "list again":
      if ((await findOrder(db, seller, orderId))?.status === "cancelled")
        await addStep(db, seller, orderId, "listed again");
      return;
    case "refund": {
      const shownCents = (await paymentOf(db, orderId))?.refundCents ?? 0;
      const refund = { amountCents: planned.cents + 1, reason: "Sorry.", shownCents };
      return refundOrder(db, staff, orderId, refund);
    }
    case "wait":
      return passTime(scene, orderId, planned.hours * hourMs);
    case "run jobs":
      return runJobs(scene, order, planned, wrong);
    case "deliver":
      return deliver(scene, planned.fault);
  }
}

function onlyProviderError(error: unknown) {
  if (!(error instanceof ProviderError)) throw error;
}

async function takeStep(db: Db, { orderId, seller, buyer }: Order, intent: OrderIntent) {
  const isSellers = sellersSteps.some((step) => step === intent);
  await handleOrderIntent(db, isSellers ? seller : buyer, orderId, intent);
}

const paymentOf = async (db: Db, orderId: string) =>
  (await db.select().from(payments).where(eq(payments.orderId, orderId)))[0];

const disputesOf = async ({ market, server }: Scene, orderId: string) =>
  server.disputesOf((await paymentOf(market.db, orderId))?.chargeId ?? "");

const openProblemOf = async (db: Db, orderId: string, openedBy: "buyer" | "system") => {
  const isOpen = and(
    eq(orderProblems.orderId, orderId),
    eq(orderProblems.openedBy, openedBy),
    isNull(orderProblems.endedAt),
  );
  return (await db.select().from(orderProblems).where(isOpen))[0];
};

/** The jobs do only what was due before. */
async function runJobs(
  { market, server }: Scene,
  { orderId }: Order,
  { fault, count }: { fault: string; count: number },
  wrong: string[],
) {
  const isOpen = and(eq(paymentTasks.orderId, orderId), isNull(paymentTasks.doneAt));
  const [open] = await market.db.select().from(paymentTasks).where(isOpen);
  const before = await findMoneyFacts(market.db, orderId);
  const isReleaseDue = before && (releaseTime(before)?.at ?? Number.POSITIVE_INFINITY) <= Date.now() + 60_000;
  server.faults.isDown = fault === "down";
  server.faults.lostAnswers = fault === "lost answers" ? (count % 3) + 1 : 0;
  const tick = () => market.tick().catch(() => undefined);
  const running = Promise.all(fault === "two at once" ? [tick(), tick()] : [tick()]);
  if (fault === "killed") {
    await new Promise((resolve) => setTimeout(resolve, count));
    market.kill();
  }
  await running;
  Object.assign(server.faults, { isDown: false, lostAnswers: 0 });
  if (fault === "killed") {
    await market.restart();
    server.sendEventsTo(new URL("/payments/events", market.url).href);
  }
  const after = await findMoneyFacts(market.db, orderId);
  if (before && after && after.released > before.released && !isReleaseDue && open?.kind !== "release")
    wrong.push("released before its time");
}

/** Events that were held come late, in another order, or more than once; and some are forged. */
async function deliver({ market, server }: Scene, fault: "swapped" | "twice" | "forged") {
  const events = server.events.splice(0);
  if (fault === "swapped") events.reverse();
  for (const event of fault === "twice" ? [...events, ...events] : events)
    await server.deliver(event).catch(() => server.events.push(event));
  if (fault !== "forged") return;
  const { status } = await fetch(new URL("/payments/events", market.url), {
    method: "POST",
    body: JSON.stringify(events[0] ?? {}),
    headers: { "Stripe-Signature": `t=${Math.floor(Date.now() / 1000)},v1=00` },
  });
  if (status !== 400) throw new Error(`A forged event was answered with ${status}.`);
}

/** The times of an order, by the column that names it. */
const times: [table: string, id: string, columns: string[]][] = [
  ["orders", "id", ["created_at", "deadline_at", "reminder_at", "previous_deadline_at", "held_since"]],
  ["order_steps", "order_id", ["created_at"]],
  ["order_problems", "order_id", ["created_at", "deadline_at", "reminder_at", "ended_at"]],
  ["payment_tasks", "order_id", ["created_at", "next_at", "done_at"]],
  [
    "payments",
    "order_id",
    ["created_at", "pay_by", "paid_at", "approved_at", "disputed_at", "dispute_ended_at"],
  ],
  ["removals", "target_id", ["created_at"]],
];

/** All of them lie further back. */
async function passTime({ market: { db }, server }: Scene, orderId: string, ms: number) {
  if (ms >= dayMs) server.forgetKeys();
  for (const [table, id, columns] of times) {
    const earlier = columns.map((column) => `${column} = ${column} - ${ms}`).join(", ");
    await db.run(sql`${sql.raw(`update ${table} set ${earlier} where ${id} =`)} ${orderId}`);
  }
}

/** Whatever has happened: everything arrives, and time passes. */
async function finish(scene: Scene, order: Order) {
  const { market, server } = scene;
  const { orderId, buyer } = order;
  await deliver(scene, "swapped");
  await market.tick().catch(() => undefined);
  for (const { id, status } of await disputesOf(scene, orderId))
    if (status === "needs_response") server.closeDispute(id, "won");
  await deliver(scene, "twice");
  await answerProblem(market.db, buyer, orderId, { answer: "close", text: "" });
  for (const days of [1, 40, 2, 2, 2, 2]) {
    await passTime(scene, orderId, days * dayMs);
    await market.tick().catch(() => undefined);
  }
}

/** An order that has ended or was received has no money left, unless its seller owes it. */
async function findStuck(db: Db, { orderId }: Order): Promise<string[]> {
  const facts = await findMoneyFacts(db, orderId);
  const payment = await paymentOf(db, orderId);
  const { held } = await sumLedger(db, orderId);
  if (!facts || !payment) return ["has no payment"];
  const task = await newestTask(db, orderId);
  // Of a charge of which a bank has taken a part, the provider may pay back no more: that stays in Work.
  if (task?.error === "charge_disputed" && facts.refunded > 0) return [];
  if (!payment.settledAt || held !== 0)
    return [`not settled, ${held} cents held: ${JSON.stringify(facts)}, ${JSON.stringify(task)}`];
  const { charged, refunded, released, takenBack, fee } = facts;
  const isConserved = charged === refunded + released - takenBack + fee;
  return isConserved ? [] : [`money is not conserved: ${JSON.stringify(facts)}`];
}

async function newestTask(db: Db, orderId: string) {
  const ofOrder = eq(paymentTasks.orderId, orderId);
  const [task] = await db.select().from(paymentTasks).where(ofOrder).orderBy(desc(paymentTasks.id)).limit(1);
  return task;
}

/** What the ledger says and what has moved at the provider, of each order and in all. */
async function compare({ market, server, provider }: Scene, orders: Order[]) {
  const wrong: string[] = [];
  const moved: string[] = [];
  const nameOf = (kind: string, id: string, cents: number) => `${kind} ${id} ${cents}`;
  for await (const { kind, id, amountCents } of provider.list(new Date(0)))
    moved.push(nameOf(kind, id, amountCents));
  const isMovement: SQL = sql`${ledgerEntries.kind} <> 'fee' and ${ledgerEntries.providerId} not like 'dp%'`;
  const entries = await market.db.select().from(ledgerEntries).where(isMovement);
  const booked = entries.map(({ kind, providerId, amountCents }) => nameOf(kind, providerId, amountCents));
  const [atProvider, inLedger] = [new Set(moved), new Set(booked)];
  wrong.push(...moved.filter((each) => !inLedger.has(each)).map((each) => `not in the ledger: ${each}`));
  wrong.push(...booked.filter((each) => !atProvider.has(each)).map((each) => `not at the provider: ${each}`));
  const { held, fee } = await sumLedger(market.db);
  if (server.balance() !== held + fee)
    wrong.push(`the provider holds ${server.balance()}, the ledger ${held + fee}`);
  for (const { orderId, accountId } of orders) {
    const { released, takenBack } = await sumLedger(market.db, orderId);
    if (server.balance(accountId) !== released - takenBack)
      wrong.push(
        `order ${orderId}: its seller has ${server.balance(accountId)}, not ${released - takenBack}`,
      );
  }
  return { wrong, movements: moved.length };
}
