import { and, gte, ne } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { ledgerEntries } from "#app/db/schema.ts";
import { dayMs } from "#app/time.ts";
import type { PaymentProvider, ProviderMovement } from "./provider.ts";

/** How far a comparison looks back. */
const comparedMs = 4 * dayMs;

/** How long after it happened at the provider something may be recorded: the provider may not answer for a day. */
const lateMs = 2 * dayMs;

/** Something that ledger and provider say differently. */
export interface Difference extends Omit<ProviderMovement, "amountCents"> {
  problem: "not in the ledger" | "not at the provider" | "another amount";
}

/** Compares the ledger with what has moved at the provider in the last days. */
export async function reconcile(db: Db, provider: PaymentProvider, now = new Date()): Promise<Difference[]> {
  const since = new Date(now.getTime() - comparedMs);
  const moved = new Map<string, ProviderMovement>();
  for await (const movement of provider.list(since)) moved.set(nameOf(movement), movement);
  // Read afterwards: what has moved since then is not missed.
  const entries = await db
    .select()
    .from(ledgerEntries)
    .where(and(gte(ledgerEntries.createdAt, since), ne(ledgerEntries.kind, "fee")));
  const differences: Difference[] = [];
  for (const { kind, providerId: id, orderId, amountCents, createdAt } of entries) {
    const movement = moved.get(nameOf({ kind, id }));
    moved.delete(nameOf({ kind, id }));
    const isOld = createdAt.getTime() < since.getTime() + lateMs;
    const problem = movement
      ? movement.amountCents !== amountCents && "another amount"
      : !isOld && "not at the provider";
    if (problem && kind !== "fee") differences.push({ kind, id, orderId, problem });
  }
  for (const { kind, id, orderId } of moved.values())
    differences.push({ kind, id, orderId, problem: "not in the ledger" });
  return differences;
}

const nameOf = ({ kind, id }: { kind: string; id: string }) => `${kind} ${id}`;
