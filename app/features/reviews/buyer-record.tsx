import { countLabel } from "#app/market.ts";

/** How the orders of a buyer have ended in the last year. */
export interface BuyerRecord {
  completed: number;
  /** By the buyer, before the handover, unless the order was on hold because its seller was suspended. */
  cancelled: number;
  /** As moderators decided, or in the time for a protected payment. */
  notPaid: number;
}

/** What a buyer’s record says, number first. */
export function BuyerRecordText({ record: { completed, cancelled, notPaid } }: { record: BuyerRecord }) {
  if (completed + cancelled + notPaid === 0) return "No finished orders in the last year";
  const parts = [
    `${countLabel(completed)} ${completed === 1 ? "order" : "orders"} completed`,
    cancelled > 0 && `${countLabel(cancelled)} cancelled`,
    notPaid > 0 && `${countLabel(notPaid)} not paid`,
  ];
  return `${parts.filter(Boolean).join(", ")} in the last year`;
}
