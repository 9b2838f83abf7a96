import type { SerializeFrom } from "@remix-run/cloudflare";
import type { ReactNode } from "react";
import { EmailAddress } from "#app/ui/email-address.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { SearchIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { StatusBadge } from "../listings/badges.tsx";
import { priceLabel } from "../listings/money.rules.ts";
import { decisionLabel, hiddenLabel } from "../moderation/decisions/decision.rules.ts";
import { orderNumber } from "../orders/order-texts.ts";
import { OrderBadge } from "../orders/order-view.tsx";
import { ticketNumber } from "../support-tickets/ticket-table.rules.ts";
import type { FoundRecords } from "./find-records.server.ts";

/** What is found, for those who search. */
export const whatToType =
  "Name, email, address, phone number, device or report: at least 3 characters. Number of an order or a report: 3. Tracking number of a parcel on its way: 8. IMEI: all 15 digits.";

/** The results of the administrators' search, grouped by kind. */
export function FoundRecordsView({ found, words }: { found: SerializeFrom<FoundRecords>; words: string }) {
  const { users, orders, listings, reports, contentReports, usersByContact, ordersByContact } = found;
  if (Object.values(found).every((rows) => rows.length === 0)) {
    return (
      <div className="mt-6">
        <EmptyState
          icon={<SearchIcon className="size-10" />}
          title="Nothing found"
          text={`Nothing for “${words}”. ${whatToType}`}
        />
      </div>
    );
  }
  const table = (path: string) => `${path}?${new URLSearchParams({ q: words })}`;
  return (
    <div className="mt-8 grid gap-10">
      {[
        { title: "Users", rows: users, all: table("/manage/users") },
        {
          title: "Users with this address or phone number",
          rows: usersByContact,
          all: `/manage/users?${new URLSearchParams({ contact: words })}`,
        },
      ].map((group) => (
        <Group key={group.title} {...group}>
          {({ id, name, email, userType }) => (
            <Result key={id} to={`/manage/users/${id}`} label={name}>
              <span className="wrap-anywhere">
                <EmailAddress email={email} />
              </span>
              <span className="text-quiet">{userType}</span>
            </Result>
          )}
        </Group>
      ))}
      {[
        { title: "Orders", rows: orders },
        { title: "Orders with this address or phone number", rows: ordersByContact },
      ].map((group) => (
        <Group key={group.title} {...group}>
          {({ id, name, buyerName, ...order }) => (
            <Result key={id} to={`/manage/orders/${id}`} label={name}>
              <span className="text-quiet tabular-nums">{orderNumber(id)}</span>
              <span className="wrap-anywhere">{buyerName}</span>
              <OrderBadge order={order} />
            </Result>
          )}
        </Group>
      ))}
      <Group title="Listings" rows={listings}>
        {({ id, name, sellerName, status, priceCents, hiddenBy }) => (
          <Result key={id} to={hiddenBy ? `/manage/moderation/listing/${id}` : `/phones/${id}`} label={name}>
            <span className="tabular-nums">{priceLabel(priceCents)}</span>
            <span className="wrap-anywhere">{sellerName}</span>
            <StatusBadge status={status} />
            {hiddenBy && <span className="text-quiet">{hiddenLabel(hiddenBy)}</span>}
          </Result>
        )}
      </Group>
      <Group title="Reports" rows={reports} all={table("/manage/reports")}>
        {({ id, name, email, details }) => (
          <Result key={id} to={`/manage/reports/${id}`} label={email || name || "Anonymous"}>
            <span className="text-quiet tabular-nums">{ticketNumber(id)}</span>
            <span className="line-clamp-3 w-full wrap-anywhere">{details}</span>
          </Result>
        )}
      </Group>
      <Group title="Content reports" rows={contentReports}>
        {({ id, kind, targetId, target, reason, details, reporterName, decision }) => (
          <Result key={id} to={`/manage/moderation/${kind}/${targetId}`} label={target}>
            <span className="wrap-anywhere">{reason}</span>
            <span className="text-quiet wrap-anywhere">
              by <bdi>{reporterName}</bdi>
            </span>
            <span className="text-quiet">{decision ? decisionLabel(decision) : "Open"}</span>
            {details && <span className="line-clamp-3 w-full wrap-anywhere">{details}</span>}
          </Result>
        )}
      </Group>
    </div>
  );
}

function Group<Item>({
  title,
  rows,
  all,
  children,
}: {
  title: string;
  rows: Item[];
  /** The table with all of them. */
  all?: string;
  children: (row: Item) => ReactNode;
}) {
  if (rows.length === 0) return null;
  return (
    <section>
      <h2 className="border-b-2 border-base-content pb-2 text-xl font-semibold">{title}</h2>
      <ul>{rows.map(children)}</ul>
      {all && (
        <p className="py-3">
          <Link to={all} className="link">
            Show in the table
          </Link>
        </p>
      )}
    </section>
  );
}

function Result({ to, label, children }: { to: string; label: string; children: ReactNode }) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-base-300 py-3">
      <Link to={to} className="link min-w-0 font-medium wrap-anywhere">
        {label}
      </Link>
      {children}
    </li>
  );
}
