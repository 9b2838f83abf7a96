import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import fc from "fast-check";
import { v7 as timeOrderedId } from "uuid";
import { orderProblems, orderSteps, orders, phones, photos, removals, users } from "#app/db/schema.ts";
import { handOver } from "#app/features/orders/order-steps.server.ts";
import { objectName, photoSizes } from "#app/features/photos/photo.rules.ts";
import { dayMs } from "#app/time.ts";
import { bookWithoutLimits } from "../../tests/harness/bookings.ts";
import {
  type Account,
  addAccount,
  addPhone,
  addProblem,
  addReceivedOrder,
} from "../../tests/harness/fixtures.ts";
import { changeBetween, readRows } from "./changes.ts";
import { findViolations } from "./invariants.ts";
import { type Market, openMarket } from "./market.ts";
import { onBothBackends, type PartResult } from "./part.ts";

/** Of each kind of work that a run finds. */
const amount = 6;

const sizes = Object.keys(photoSizes) as (keyof typeof photoSizes)[];

/** The scheduled jobs are killed with workerd and run again: the result must be that of one run. */
export const cron = onBothBackends(async (backend, options): Promise<PartResult> => {
  const failures: string[] = [];
  const market = await openMarket({ backend, buildFolder: options.buildFolder });
  const { change: expected, milliseconds } = await runOnce(market);
  let runs = 0;
  let interrupted = 0;
  while (runs < options.runs && Date.now() < options.until && failures.length < 10) {
    const delays = fc.integer({ min: 0, max: Math.ceil(milliseconds) });
    const [delayMs = 0] = fc.sample(delays, { seed: options.seed + runs, numRuns: 1 });
    const wrong: string[] = [];
    await addWork(market);
    const before = await readRows(market.db);
    const running = market.tick().then(
      () => false,
      () => true,
    );
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    market.kill();
    if (await running) interrupted += 1;
    await market.restart();
    await market.tick();
    const once = await readRows(market.db);
    const change = changeBetween(before, once);
    if (change !== expected) wrong.push(`changed ${change} instead of ${expected}`);
    await market.tick();
    const more = changeBetween(once, await readRows(market.db));
    if (more !== "") wrong.push(`a further run changed ${more}`);
    const { objects } = await (await market.bucket()).list();
    if (objects.length > 0) wrong.push(`${objects.length} objects of photos are left`);
    wrong.push(...(await findViolations(market.db)));
    failures.push(
      ...wrong.map(
        (what) => `${backend}, run ${runs} of seed ${options.seed}, killed after ${delayMs} ms: ${what}`,
      ),
    );
    runs += 1;
  }
  const logged = market.errors.filter((line) => line.includes('"level":"error"'));
  if (failures.length > 0) failures.push(...logged.slice(0, 3));
  await market.stop();
  return { runs, failures, notes: `(${interrupted} interrupted; one run changes ${expected})` };
});

/** What one run changes, and how long it takes. */
async function runOnce(market: Market) {
  await market.tick();
  await addWork(market);
  const before = await readRows(market.db);
  const start = performance.now();
  await market.tick();
  const milliseconds = performance.now() - start;
  return { change: changeBetween(before, await readRows(market.db)), milliseconds };
}

/**
 * Adds photos without a listing, removed listings with photos of different age, orders that were received two days ago,
 * and orders and problems of which a deadline has passed.
 */
async function addWork(market: Market) {
  const { db } = market;
  const seller = await addAccount(db, { userType: "Seller" });
  for (let count = 0; count < amount; count += 1) {
    await addPhoto(market, null);
    const phone = await addPhone(db, { sellerId: seller.id });
    await addPhoto(market, phone.id);
    // Half are old enough to be purged, the others only lose their photos.
    const removedAt = Date.now() - (count % 2 ? 31 : 1) * dayMs;
    const removal = {
      id: timeOrderedId({ msecs: removedAt }),
      kind: "phone",
      targetId: phone.id,
      actorId: seller.id,
    } as const;
    await db.batch([
      db.insert(removals).values({ ...removal, createdAt: new Date(removedAt) }),
      db.update(phones).set({ hiddenById: removal.id, cover: "cover" }).where(eq(phones.id, phone.id)),
    ]);
    const buyer = await addAccount(db);
    await db.update(users).set({ emailVerifiedAt: new Date() }).where(eq(users.id, buyer.id));
    const orderId = await addReceivedOrder(db, buyer, seller);
    const received = new Date(Date.now() - 2 * dayMs);
    await db.update(orderSteps).set({ createdAt: received }).where(eq(orderSteps.orderId, orderId));
    await addOverdue(market, seller);
  }
}

/** A reservation, a handover and a problem of which the deadline has passed, and a reservation with a reminder that is due. */
async function addOverdue({ db }: Market, seller: Account) {
  const passed = new Date(Date.now() - dayMs);
  const add = async (stage: "reserved" | "handed over", times: Partial<typeof orders.$inferInsert>) => {
    const buyer = await addAccount(db);
    // Unique and without digits: a repeated text or a phone number is a signal, which each run would find again.
    const sellingReason = randomBytes(32).toString("hex").replaceAll(/\d/g, "x");
    const phone = await addPhone(db, { sellerId: seller.id, sellingReason });
    const { orderId = "" } = await bookWithoutLimits(db, buyer, phone.id, { address: "", phone: "" });
    if (stage === "handed over") await handOver(db, seller, orderId);
    await db.update(orders).set(times).where(eq(orders.id, orderId));
  };
  await add("reserved", { deadlineAt: passed, reminderAt: null });
  await add("handed over", { deadlineAt: passed, reminderAt: null });
  await add("reserved", { reminderAt: passed });
  const { problem } = await addProblem(db, { seller });
  await db
    .update(orderProblems)
    .set({ deadlineAt: passed, reminderAt: null })
    .where(eq(orderProblems.id, (await problem()).id));
}

async function addPhoto(market: Market, phoneId: string | null) {
  const id = randomBytes(32).toString("hex");
  const bucket = await market.bucket();
  await Promise.all(sizes.map((size) => bucket.put(objectName(id, size), "a picture")));
  await market.db.insert(photos).values({ id, phoneId, position: 0, width: 640, height: 480, digest: id });
}
