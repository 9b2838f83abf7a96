import type { ReactNode } from "react";
import { dayLabel } from "#app/ui/date-label.ts";
import { Link } from "#app/ui/link.tsx";
import { priceLabel } from "../listings/money.rules.ts";

/** The newest rows of a list with their number, and a link to the table that has all. */
export function List<Item>({
  title,
  rows,
  count,
  empty,
  all,
  children,
}: {
  title: string;
  rows: Item[];
  count: number;
  empty: string;
  all?: string;
  children: (row: Item) => ReactNode;
}) {
  return (
    <section>
      <h2 className="border-b-2 border-base-content pb-2 text-xl font-semibold">
        {title} {count > 0 && <span className="font-normal text-quiet tabular-nums">{count}</span>}
      </h2>
      {count === 0 ? <p className="py-3 text-quiet">{empty}</p> : <ul>{rows.map(children)}</ul>}
      {count > rows.length && (
        <p className="py-3">
          {all ? (
            <Link to={all} className="link">
              Show in the table
            </Link>
          ) : (
            <span className="text-quiet">The newest {rows.length} are shown.</span>
          )}
        </p>
      )}
    </section>
  );
}

/** A record with its date. */
export function Row({
  time,
  to,
  label,
  price,
  children,
}: {
  time: string;
  to?: string;
  label?: string;
  price?: number;
  children: ReactNode;
}) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-base-300 py-3">
      {to && (
        <Link to={to} className="link min-w-0 font-medium wrap-anywhere">
          {label}
        </Link>
      )}
      {price !== undefined && <span className="tabular-nums">{priceLabel(price)}</span>}
      {children}
      <time dateTime={time} className="ml-auto text-sm text-quiet">
        {dayLabel(time)}
      </time>
    </li>
  );
}
