import type { SerializeFrom } from "@remix-run/cloudflare";
import type { PaymentCause, PaymentTaskKind } from "#app/db/enums.ts";
import { dateTimeLabel } from "#app/time.ts";
import { priceLabel } from "../listings/money.rules.ts";
import type { OrderLedger } from "./payment-list.server.ts";
import { ledgerLabels } from "./payment-texts.ts";

/** What is to be sent to the provider, and why. */
const taskLabels: Record<PaymentTaskKind, string> = {
  release: "Pay the seller",
  refund: "Pay the buyer back",
  "take back": "Take back from the seller",
};

const causeLabels: Record<PaymentCause, string> = {
  "paid too late": "Paid after the order had ended",
  cancelled: "Order cancelled",
  received: "Device received",
  approved: "The buyer is content",
  problem: "Problem settled",
  staff: "Refunded by staff",
  dispute: "Dispute of the buyer’s bank",
};

/** What has happened to the money of an order, for staff. */
export function LedgerSection({ ledger: { entries, tasks } }: { ledger: SerializeFrom<OrderLedger> }) {
  const open = tasks.filter(({ doneAt }) => !doneAt);
  const causeOf = (providerId: string) => tasks.find((task) => task.providerId === providerId)?.cause;
  return (
    <section aria-labelledby="ledger" className="max-w-2xl xl:col-start-1 print:hidden">
      <h2 id="ledger" className="text-xl font-semibold">
        Ledger
      </h2>
      {entries.length === 0 && <p className="mt-2 text-quiet">Nothing has been paid.</p>}
      <ul className="divide-y divide-base-300">
        {entries.map(({ id, kind, amountCents, providerId, createdAt }) => {
          const cause = causeOf(providerId);
          return (
            <Entry
              key={id}
              title={ledgerLabels[kind]}
              amountCents={amountCents}
              lines={[cause && causeLabels[cause], dateTimeLabel(createdAt), providerId]}
            />
          );
        })}
        {open.map(({ id, kind, amountCents, cause, attempts, error, nextAt }) => (
          <Entry
            key={id}
            title={`To do: ${taskLabels[kind].toLowerCase()}`}
            amountCents={amountCents}
            lines={[
              causeLabels[cause],
              error && `Has failed (${error}), sent ${attempts === 1 ? "once" : `${attempts} times`}`,
              nextAt && `Sent next: ${dateTimeLabel(nextAt)}`,
            ]}
          />
        ))}
      </ul>
    </section>
  );
}

function Entry({
  title,
  amountCents,
  lines,
}: {
  title: string;
  amountCents: number;
  lines: (string | null | undefined)[];
}) {
  return (
    <li className="py-3">
      <p className="flex justify-between gap-4 font-medium">
        {title} <span className="tabular-nums">{priceLabel(amountCents)}</span>
      </p>
      {lines.map(
        (line) =>
          line && (
            <p key={line} className="text-sm text-quiet wrap-anywhere">
              {line}
            </p>
          ),
      )}
    </li>
  );
}
