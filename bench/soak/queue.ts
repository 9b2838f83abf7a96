import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { isNull, sql } from "drizzle-orm";
import fc from "fast-check";
import { sentEmails } from "#app/db/schema.ts";
import type { QueuedEmail } from "#app/server/mail/queued-email.ts";
import { d1Outages } from "../../tests/harness/d1-outages.ts";
import { type Fault, faultyD1Worker } from "./faulty-d1.ts";
import { type Market, openMarket } from "./market.ts";
import { onBothBackends, type PartResult } from "./part.ts";

const minute = 60_000;
const maxAttempts = 8;

interface Batch {
  emails: number[];
  /** At the same time as the batch before. */
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
  const batch = fc.record<Batch>({
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
    /** Whether each email has expired when it is delivered. */
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
 * The email queue delivers messages twice, at once, out of order and too late, while the mail service and D1 fail and
 * workerd is killed. Each email is sent, and once unless what was sent could not be recorded; none that has expired.
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
    const { expired, batches } = planned;
    const emails = expired.map((isExpired, index): QueuedEmail => {
      const to = `run${runs}.email${index}@example.com`;
      const expiresAt = Date.now() + (isExpired ? -minute : 60 * minute);
      return { id: to, to, subject: "Soak", text: "Soak", html: "<p>Soak</p>", expiresAt };
    });
    refusals.push(...planned.refusals);
    const { count, interruptions } = await deliverAll(market, emails, batches);
    deliveries += count;
    const sent = await takeRecipients(market.outbox);
    for (const [index, { to }] of emails.entries()) {
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

/** Delivers batches, and whatever was not acknowledged again until it is, as Cloudflare does. */
async function deliverAll(market: Market, emails: QueuedEmail[], batches: Batch[]) {
  let [count, interruptions] = [0, 0];
  const waiting: number[] = [];

  async function deliver({ emails: chosen, fault }: Pick<Batch, "emails" | "fault">, attempt: number) {
    count += chosen.length;
    if (fault) interruptions += 1;
    const messages = chosen.map((index) => ({ ...(emails[index] as QueuedEmail), ...(fault && { fault }) }));
    const outcomes = await market.deliver(messages, attempt).catch(() => chosen.map(() => 0));
    waiting.push(...chosen.filter((_, index) => outcomes[index] !== null));
  }

  const underWay: Promise<void>[] = [];
  for (const batch of batches) {
    if (!batch.atOnce) await Promise.all(underWay.splice(0));
    underWay.push(deliver(batch, 1));
    if (batch.killAfterMs === undefined) continue;
    interruptions += 1;
    await new Promise((resolve) => setTimeout(resolve, batch.killAfterMs));
    market.kill();
    await Promise.all(underWay.splice(0));
    await market.restart();
  }
  await Promise.all(underWay);
  for (let attempt = 2; waiting.length > 0 && attempt <= maxAttempts; attempt += 1) {
    await passMinutes(market, 3);
    for (const email of waiting.splice(0)) await deliver({ emails: [email], fault: undefined }, attempt);
  }
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
