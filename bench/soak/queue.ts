import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { isNull, sql } from "drizzle-orm";
import fc from "fast-check";
import { notifications, sentEmails } from "#app/db/schema.ts";
import { d1Outages } from "../../tests/harness/d1-outages.ts";
import { addAccount } from "../../tests/harness/fixtures.ts";
import { type Fault, faultyD1Worker } from "./faulty-d1.ts";
import { type Market, openMarket } from "./market.ts";
import { onBothBackends, type PartResult } from "./part.ts";

const minute = 60_000;
const maxRounds = 12;

interface Delivery {
  /** Those that become due before it. */
  emails: number[];
  /** At the same time as the delivery before. */
  atOnce: boolean;
  /** On D1. */
  fault: Fault | undefined;
  /** Kills workerd so many milliseconds after the delivery. */
  killAfterMs: number | undefined;
}

const seldom = <T>(value: fc.Arbitrary<T>, weight: number) =>
  fc.oneof({ weight, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });

const plan = fc.integer({ min: 1, max: 8 }).chain((count) => {
  const all = Array.from({ length: count }, (_, email) => email);
  const batch = fc.record<Delivery>({
    emails: fc.array(fc.nat({ max: count - 1 }), { minLength: 1, maxLength: 4 }),
    atOnce: fc.boolean(),
    fault: seldom(
      fc.record<Fault>({
        batch: fc.nat({ max: 2 }),
        statements: fc.nat({ max: 2 }),
        message: fc.constantFrom(...d1Outages),
      }),
      3,
    ),
    killAfterMs: seldom(fc.nat({ max: 15 }), 30),
  });
  return fc.record({
    /** Whether each email is too old to be sent. */
    expired: fc.array(fc.boolean(), { minLength: count, maxLength: count }),
    /** All emails, in any order, and some again. */
    batches: fc
      .tuple(fc.array(batch, { maxLength: count }), fc.tuple(...all.map(() => batch)))
      .chain(([more, own]) => {
        const each = own.map((one, email) => ({ ...one, emails: [email, ...one.emails.slice(1)] }));
        return fc.shuffledSubarray([...more, ...each], { minLength: more.length + each.length });
      }),
    /** Whether the mail service refuses each email that it is given. */
    refusals: fc.array(fc.boolean(), { maxLength: 6 }),
  });
});

/**
 * The email queue delivers messages twice, at once and too late, while the mail service and D1 fail and workerd is
 * killed. Each email is sent, and once unless what was sent could not be recorded; none that is older than a day.
 */
export const queue = onBothBackends(async (backend, options): Promise<PartResult> => {
  const failures: string[] = [];
  const refusals: boolean[] = [];
  const market = await openMarket({
    backend,
    buildFolder: options.buildFolder,
    wrapper: faultyD1Worker,
    refusesMail: () => refusals.shift() ?? false,
  });
  let [runs, deliveries, again] = [0, 0, 0];
  while (runs < options.runs && Date.now() < options.until && failures.length < 10) {
    const [planned] = fc.sample(plan, { seed: options.seed + runs, numRuns: 1 });
    if (!planned) break;
    const { expired } = planned;
    const addresses = expired.map((_, index) => `run${runs}.email${index}@example.com`);
    refusals.push(...planned.refusals);
    const { count, interruptions } = await deliverAll(market, addresses, planned);
    deliveries += count;
    const sent = await takeRecipients(market.outbox);
    for (const [index, to] of addresses.entries()) {
      const times = sent.filter((each) => each === to).length;
      const most = expired[index] ? 0 : 1 + interruptions;
      const wrong = times > most || (times === 0 && !expired[index]);
      if (wrong)
        failures.push(
          `${backend}, run ${runs} of seed ${options.seed}: email ${index} was sent ${times} times\n  ${JSON.stringify(planned)}`,
        );
      again += Math.max(0, times - 1);
    }
    refusals.length = 0;
    runs += 1;
  }
  await market.stop();
  return { runs, failures, notes: `(${deliveries} deliveries, ${again} emails sent again)` };
});

/** Delivers messages of the queue while emails become due, then again until none is, as the jobs do. */
async function deliverAll(
  market: Market,
  addresses: string[],
  { expired, batches }: { expired: boolean[]; batches: Delivery[] },
) {
  let [count, interruptions] = [0, 0];
  const known = new Set<number>();

  async function makeDue(index: number) {
    if (known.has(index)) return;
    known.add(index);
    const { id: userId } = await addAccount(market.db, { email: addresses[index] });
    const createdAt = new Date(Date.now() - (expired[index] ? 25 * 60 : 0) * minute);
    await market.db
      .insert(notifications)
      .values({ userId, kind: "booked", subject: "Soak", path: "/manage", event: "soak", createdAt });
  }

  async function deliver(fault?: Fault) {
    count += 1;
    if (fault) interruptions += 1;
    const message = { origin: "https://ringback.example", after: null, ...(fault && { fault }) };
    await market.deliver(message).catch(() => true);
  }

  const underWay: Promise<void>[] = [];
  for (const { emails, atOnce, fault, killAfterMs } of batches) {
    if (!atOnce) await Promise.all(underWay.splice(0));
    for (const index of emails) await makeDue(index);
    underWay.push(deliver(fault));
    if (killAfterMs === undefined) continue;
    interruptions += 1;
    await new Promise((resolve) => setTimeout(resolve, killAfterMs));
    market.kill();
    await Promise.all(underWay.splice(0));
    await market.restart();
  }
  await Promise.all(underWay);
  for (let round = 1; round <= maxRounds; round += 1) {
    if ((await market.db.$count(notifications, isNull(notifications.emailDoneAt))) === 0) break;
    await passMinutes(market, 3);
    await deliver();
  }
  await market.db
    .update(notifications)
    .set({ emailDoneAt: new Date() })
    .where(isNull(notifications.emailDoneAt));
  return { count, interruptions };
}

/** Makes attempts to send older, as the time between two deliveries does. */
async function passMinutes({ db }: Market, minutes: number) {
  const createdAt = sql`${sentEmails.createdAt} - ${minutes * minute}`;
  await db.update(sentEmails).set({ createdAt }).where(isNull(sentEmails.sentAt));
}

/** Removes the emails that were sent. @returns their recipients */
async function takeRecipients(outbox: string): Promise<string[]> {
  const names = (await readdir(outbox).catch(() => [])).filter((name) => name.endsWith(".txt"));
  const texts = await Promise.all(names.map((name) => readFile(join(outbox, name), "utf8")));
  await rm(outbox, { recursive: true, force: true });
  return texts.map((text) => text.match(/^To: (.*)$/m)?.[1] ?? "");
}
