import type { SerializeFrom } from "@remix-run/cloudflare";
import type { ReactNode } from "react";
import type { NumberedPage } from "#app/db/keyset.server.ts";
import { countLabel } from "#app/market.ts";
import { tableSearch } from "#app/server/forms/table-query.ts";
import { useDateLabels } from "#app/ui/date-label.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Link } from "#app/ui/link.tsx";
import { ParcelIcon } from "#app/ui/service-icons.tsx";
import { Stat } from "#app/ui/stat.tsx";
import { priceLabel } from "../listings/money.rules.ts";
import { DashboardTable } from "../tables/dashboard-table.tsx";
import { usePaymentLabels } from "./payment-labels.ts";
import { delayText } from "./payment-texts.ts";
import type { PayoutEntry, PayoutSums } from "./payout-entries.server.ts";
import {
  entryLabel,
  type PayoutEntryState,
  type PayoutQuery,
  payoutEntryStates,
  payoutPartsOf,
  payoutTable,
} from "./payout-table.rules.ts";

/** What is summed up above the table. */
const summed = ["held", "on its way", "paid"] as const satisfies PayoutEntryState[];

const ordersText = (count: number) => `${countLabel(count)} ${count === 1 ? "order" : "orders"}`;

/** A seller's money of protected orders: the sums, and each order. */
export function PayoutsTable({
  notice,
  sums,
  query,
  entries,
}: {
  notice: ReactNode;
  sums: PayoutSums;
  query: PayoutQuery;
  entries: SerializeFrom<NumberedPage<PayoutEntry>>;
}) {
  const { dayLabel } = useDateLabels();
  const { hasEntries } = sums;
  return (
    <DashboardTable
      title="Payouts"
      filters={hasEntries ? { table: payoutTable, query } : undefined}
      isExported={false}
      action={
        hasEntries && (
          <a href={`/manage/payouts.csv${tableSearch(payoutTable, query)}`} download className="link py-2">
            Download CSV
          </a>
        )
      }
      notice={
        <>
          {notice}
          {hasEntries && (
            <dl className="mt-8 mb-8 grid max-w-2xl grid-cols-2 gap-x-8 gap-y-4 sm:grid-cols-3">
              {summed.map((state) => (
                <Stat
                  key={state}
                  term={payoutEntryStates[state]}
                  value={priceLabel(sums[state].cents)}
                  note={ordersText(sums[state].orders)}
                />
              ))}
            </dl>
          )}
        </>
      }
      columns={[
        { label: "Order", longWords: true, rowHeader: true },
        { label: "Status" },
        { label: "Paid by the buyer" },
        { label: "You get", numeric: true },
      ]}
      table={entries}
      cells={(entry) => [
        <Link key="order" to={`/manage/orders/${entry.id}`} aria-description="View order" className="link">
          {entry.productName}
        </Link>,
        <EntryStatus key="status" entry={entry} />,
        entry.paidAt && dayLabel(entry.paidAt),
        <EntryAmount key="amount" entry={entry} />,
      ]}
      empty={
        <EmptyState
          icon={<ParcelIcon className="size-10" />}
          title="Nothing has been paid yet"
          text="Once a buyer pays for a protected order, you see here when the money is yours."
        />
      }
    />
  );
}

/** What they get, and how that follows from the price if it is less. */
function EntryAmount({ entry }: { entry: SerializeFrom<PayoutEntry> }) {
  const { amountCents, refundCents, feeCents, gotCents } = payoutPartsOf(entry);
  return (
    <>
      {priceLabel(gotCents)}
      {gotCents < amountCents && (
        <span className="block text-sm text-quiet">
          {priceLabel(amountCents)}
          {feeCents > 0 && ` − ${priceLabel(feeCents)} fee`}
          {refundCents > 0 && ` − ${priceLabel(refundCents)} back to the buyer`}
        </span>
      )}
    </>
  );
}

/** When it is theirs, or what it waits for. */
function entryNote(
  entry: SerializeFrom<PayoutEntry>,
  { dayLabel, timeLabel }: ReturnType<typeof usePaymentLabels>,
): string | null {
  const { state, isDisputed, isFailing, releasedBy, refundedBy, settledAt } = entry;
  if (state === "paid back" && !settledAt) {
    if (!refundedBy) return isFailing ? delayText : null;
    return entry.isUndoable
      ? `At ${timeLabel(refundedBy)}, unless the cancellation is undone`
      : `By ${dayLabel(refundedBy)}`;
  }
  if (isDisputed && state !== "paid back")
    return `We answer the bank. ${state === "paid" ? "If it decides for the buyer, we take the money back." : "Until it decides, we hold the money."}`;
  if (state === "on its way" && isFailing) return delayText;
  if (state === "on its way") return releasedBy && `By ${dayLabel(releasedBy)}`;
  if (entry.isHeldBySuspension)
    return entry.suspendedUntil ? `Until ${dayLabel(entry.suspendedUntil)}` : "We decide what becomes of it.";
  return state === "held" ? null : settledAt && dayLabel(settledAt);
}

function EntryStatus({ entry }: { entry: SerializeFrom<PayoutEntry> }) {
  const note = entryNote(entry, usePaymentLabels());
  return (
    <>
      {entryLabel(entry)}
      {note && <span className="block text-sm text-quiet">{note}</span>}
    </>
  );
}
