import type { SerializeFrom } from "@remix-run/cloudflare";
import { Form } from "@remix-run/react";
import type { NumberedPage } from "#app/db/keyset.server.ts";
import { SubmitButton } from "#app/ui/button.tsx";
import { useDateLabels } from "#app/ui/date-label.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Link } from "#app/ui/link.tsx";
import { ParcelIcon } from "#app/ui/service-icons.tsx";
import { Stat } from "#app/ui/stat.tsx";
import { formerMember } from "../accounts/viewer.ts";
import { priceLabel } from "../listings/money.rules.ts";
import { DashboardTable } from "../tables/dashboard-table.tsx";
import { DifferencesSection } from "./differences-section.tsx";
import type { LedgerSums } from "./payment.rules.ts";
import type { ListedPayment } from "./payment-list.server.ts";
import { type PaymentQuery, paymentTable } from "./payment-table.rules.ts";
import { listedStateText } from "./payment-texts.ts";
import type { OpenDifference } from "./reconciliation.server.ts";

/** All protected orders, for staff. */
export function PaymentsTable({
  sums,
  query,
  payments,
  differences,
}: {
  sums: LedgerSums & { held: number };
  query: PaymentQuery;
  payments: SerializeFrom<NumberedPage<ListedPayment>>;
  differences: SerializeFrom<OpenDifference[]>;
}) {
  const labels = useDateLabels();
  const { dayLabel } = labels;
  const numbers = [
    { term: "Held", cents: sums.held },
    { term: "Paid to sellers", cents: sums.released - sums.takenBack },
    { term: "Paid back", cents: sums.refunded },
    { term: "Fees", cents: sums.fee },
  ];
  return (
    <DashboardTable
      title="Payments"
      filters={{ table: paymentTable, query }}
      action={
        <Form method="post" preventScrollReset>
          <input type="hidden" name="intent" value="compare" />
          <SubmitButton pending={{ intent: "compare" }} className="btn-outline">
            Compare now
          </SubmitButton>
        </Form>
      }
      notice={
        <>
          <dl className="mb-8 grid grid-cols-2 gap-x-8 gap-y-4 sm:grid-cols-4">
            {numbers.map(({ term, cents }) => (
              <Stat key={term} term={term} value={priceLabel(cents)} />
            ))}
          </dl>
          <DifferencesSection differences={differences} />
        </>
      }
      columns={[
        { label: "Order", longWords: true, rowHeader: true },
        { label: "Buyer" },
        { label: "Seller" },
        { label: "Amount", numeric: true },
        { label: "Status" },
      ]}
      table={payments}
      cells={(payment) => [
        <div key="order">
          <Link to={`/manage/orders/${payment.id}`} aria-description="View order" className="link">
            {payment.productName}
          </Link>
          <p className="text-sm text-quiet">Booked {dayLabel(payment.createdAt)}</p>
        </div>,
        payment.buyerName ? (
          <Link key="buyer" to={`/manage/users/${payment.buyerId}`} className="link">
            {payment.buyerName}
          </Link>
        ) : (
          formerMember
        ),
        payment.sellerName ? (
          <Link key="seller" to={`/manage/users/${payment.sellerId}`} className="link">
            {payment.sellerName}
          </Link>
        ) : (
          formerMember
        ),
        priceLabel(payment.amountCents),
        <div key="status">
          {listedStateText(payment, labels)}
          {payment.paidAt && (
            <p className="text-sm text-quiet">
              {payment.settledAt
                ? `Settled ${dayLabel(payment.settledAt)}`
                : `Paid ${dayLabel(payment.paidAt)}`}
            </p>
          )}
        </div>,
      ]}
      empty={
        <EmptyState
          icon={<ParcelIcon className="size-10" />}
          title="No payments yet"
          text="Once a device of a seller with payouts is booked, its payment shows up here."
        />
      }
    />
  );
}
