import type { WorkKind } from "#app/db/enums.ts";
import { countLabel } from "#app/market.ts";

/** What waits for staff: one of each kind, and many. */
export const workNames = {
  reports: ["content report", "content reports"],
  appeals: ["appeal", "appeals"],
  "first-listings": ["first listing", "first listings"],
  signals: ["signal", "signals"],
  "order-problems": ["order problem", "order problems"],
  tickets: ["report", "reports"],
  payments: ["payment to settle", "payments to settle"],
  disputes: ["bank dispute", "bank disputes"],
  differences: ["payments of unknown orders", "payments of unknown orders"],
  sellers: ["seller to verify", "sellers to verify"],
} as const satisfies Record<WorkKind, [one: string, many: string]>;

/** "Order problems". */
export function workLabel(kind: WorkKind): string {
  const [, many] = workNames[kind];
  return many.slice(0, 1).toUpperCase() + many.slice(1);
}

/** "2 content reports, 1 appeal". */
export function workText(counts: { [kind in WorkKind]?: number }): string {
  return Object.entries(workNames)
    .map(([kind, [one, many]]) => ({ one, many, count: counts[kind as WorkKind] ?? 0 }))
    .filter(({ count }) => count > 0)
    .map(({ one, many, count }) => `${countLabel(count)} ${count === 1 ? one : many}`)
    .join(", ");
}
