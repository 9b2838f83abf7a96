import { and, asc, eq, gte, isNull, ne, not, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { hasRow } from "#app/db/conditions.server.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import { ledgerEntries, paymentDifferences } from "#app/db/schema.ts";
import { dayMs } from "#app/time.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { addActivity } from "../audit/activity.server.ts";
import { isOfBank } from "./protected-orders.server.ts";
import type { PaymentProvider, ProviderMovement } from "./provider.ts";

/** How far a comparison looks back. */
const comparedMs = 4 * dayMs;

/** How long after it happened at the provider something may be recorded: the provider may not answer for a day. */
const lateMs = 2 * dayMs;

/** Something that ledger and provider say differently. */
interface PaymentDifference extends Omit<ProviderMovement, "amountCents"> {
  problem: "not in the ledger" | "not at the provider" | "another amount";
  /** Null if it is not there. */
  ledgerCents: number | null;
  providerCents: number | null;
}

/**
 * Compares the ledger with what has moved at the provider in the last days, and stores what differs as work for staff,
 * until both agree.
 */
export async function reconcile(
  db: Db,
  provider: PaymentProvider,
  now = new Date(),
): Promise<PaymentDifference[]> {
  const { differences, agreed } = await compare(db, provider, now);
  const same = sql`${paymentDifferences.kind} || ' ' || ${paymentDifferences.providerId}`;
  const isKnown = sql`${paymentDifferences.ledgerCents} is excluded.ledger_cents
    and ${paymentDifferences.providerCents} is excluded.provider_cents`;
  await db
    .update(paymentDifferences)
    .set({ solvedAt: now })
    .where(
      and(
        isNull(paymentDifferences.solvedAt),
        sql`${same} in (select value from json_each(${JSON.stringify(agreed)}))`,
      ),
    );
  for (const { kind, id, orderId, ledgerCents, providerCents } of differences)
    await db
      .insert(paymentDifferences)
      .values({ kind, providerId: id, orderId, ledgerCents, providerCents, createdAt: now })
      .onConflictDoUpdate({
        target: [paymentDifferences.kind, paymentDifferences.providerId],
        set: {
          ledgerCents,
          providerCents,
          // What staff has settled stays so.
          solvedAt: sql`iif(${isKnown}, ${paymentDifferences.solvedAt}, null)`,
        },
      });
  return differences;
}

async function compare(db: Db, provider: PaymentProvider, now: Date) {
  const since = new Date(now.getTime() - comparedMs);
  const moved = new Map<string, ProviderMovement>();
  for await (const movement of provider.list(since)) moved.set(nameOf(movement), movement);
  // What a bank took may have been disputed long before, which no list of the last days tells.
  // Read afterwards: what has moved since then is not missed.
  const entries = await db
    .select()
    .from(ledgerEntries)
    .where(and(gte(ledgerEntries.createdAt, since), ne(ledgerEntries.kind, "fee"), not(isOfBank(db))));
  const differences: PaymentDifference[] = [];
  const agreed: string[] = [];
  for (const { kind, providerId: id, orderId, amountCents, createdAt } of entries) {
    const movement = moved.get(nameOf({ kind, id }));
    moved.delete(nameOf({ kind, id }));
    const isOld = createdAt.getTime() < since.getTime() + lateMs;
    const problem = movement
      ? movement.amountCents !== amountCents && "another amount"
      : !isOld && "not at the provider";
    if (kind === "fee") continue;
    const providerCents = movement?.amountCents ?? null;
    if (problem) differences.push({ kind, id, orderId, problem, ledgerCents: amountCents, providerCents });
    else if (movement) agreed.push(nameOf(movement));
  }
  for (const { amountCents: providerCents, ...moves } of moved.values())
    differences.push({ ...moves, problem: "not in the ledger", ledgerCents: null, providerCents });
  return { differences, agreed };
}

const nameOf = ({ kind, id }: { kind: string; id: string }) => `${kind} ${id}`;

/** Differences on the page of staff; the next come once these are settled. */
const maxDifferences = 50;

export type OpenDifference = Awaited<ReturnType<typeof listDifferences>>[number];

/** What differs between ledger and provider, the oldest first. */
export function listDifferences(db: Db) {
  return db
    .select()
    .from(paymentDifferences)
    .where(isNull(paymentDifferences.solvedAt))
    .orderBy(asc(paymentDifferences.createdAt))
    .limit(maxDifferences);
}

/** Records that staff has settled a difference, and how. @returns false if it was settled before */
export async function settleDifference(db: Db, staff: Viewer, id: string, reason: string): Promise<boolean> {
  const isOpen = and(eq(paymentDifferences.id, id), isNull(paymentDifferences.solvedAt));
  const refusal = await batchUnless(db, { settled: hasRow(db, paymentDifferences, isOpen) }, [
    db.update(paymentDifferences).set({ solvedAt: new Date() }).where(isOpen),
    addActivity(db, staff, "settled payment", id, reason),
  ]);
  return refusal === null;
}
