import { brand } from "#app/brand.ts";
import type { LedgerKind } from "#app/db/enums.ts";

/** What an entry of the ledger says, whose amount is then positive. */
export function ledgerLabel({
  kind,
  cents,
  isOfBank,
}: {
  kind: LedgerKind;
  cents: number;
  isOfBank: boolean;
}): string {
  if (isOfBank) return cents > 0 ? "Taken by the buyer’s bank" : "Given back by the buyer’s bank";
  return kind === "fee" && cents < 0 ? `Borne by ${brand.name}` : ledgerLabels[kind];
}

export const ledgerLabels: Record<LedgerKind, string> = {
  charged: "Paid by the buyer",
  released: "Paid to the seller",
  refunded: "Paid back to the buyer",
  "taken back": "Taken back from the seller",
  fee: `Fee of ${brand.name}`,
};
