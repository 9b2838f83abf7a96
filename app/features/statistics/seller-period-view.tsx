import { countLabel } from "#app/market.ts";
import { isoMonthLabel } from "#app/time.ts";
import { Link } from "#app/ui/link.tsx";
import { Stat } from "#app/ui/stat.tsx";
import { priceLabel } from "../listings/money.rules.ts";
import { numbersSearch, type Period, periods } from "./numbers.rules.ts";
import type { SellerCounts, sellerPeriodOf } from "./seller-period.rules.ts";

const shownModels = 10;

const daysText = (days: number | null) => (days === null ? "–" : String(Math.round(days * 10) / 10));

interface ShownMeasure<Counts> {
  term: string;
  value: (counts: Counts) => string;
}

const salesMeasures: ShownMeasure<Pick<SellerCounts, "sold" | "soldCents">>[] = [
  { term: "Sold", value: ({ sold }) => countLabel(sold) },
  { term: "Sold for", value: ({ soldCents }) => priceLabel(soldCents) },
];

const monthMeasures: ShownMeasure<SellerCounts>[] = [
  { term: "Views", value: ({ views }) => countLabel(views) },
  { term: "Saved", value: ({ saves }) => countLabel(saves) },
  { term: "Offers", value: ({ offers }) => countLabel(offers) },
  { term: "Bookings", value: ({ bookings }) => countLabel(bookings) },
  ...salesMeasures,
];

const periodMeasures: ShownMeasure<SellerCounts>[] = [
  ...monthMeasures,
  { term: "Average days to sale", value: ({ daysToSale }) => daysText(daysToSale) },
];

/** What a seller did in a period beside the one before. */
export function SellerPeriodView({
  days,
  period: { now, before, models, months },
}: {
  days: Period;
  period: ReturnType<typeof sellerPeriodOf>;
}) {
  return (
    <section aria-labelledby="period" className="mb-8 max-w-3xl">
      <div className="mb-4 flex flex-wrap items-baseline gap-x-8 gap-y-2">
        <h2 id="period" className="text-xl font-semibold">{`Last ${days} days`}</h2>
        <nav aria-label="Period" className="flex flex-wrap gap-x-6 gap-y-2">
          {periods.map((each) => (
            <Link
              key={each}
              to={`/manage/mysells/numbers${numbersSearch({ days: each })}`}
              aria-current={each === days ? "page" : undefined}
              className={each === days ? "py-1 font-semibold" : "link py-1"}
            >
              {each} days
            </Link>
          ))}
        </nav>
        <a href={`/manage/mysells/sold.csv${numbersSearch({ days })}`} download className="link py-1">
          Download what you sold (CSV)
        </a>
      </div>
      <dl className="grid grid-cols-2 gap-x-8 gap-y-4 sm:grid-cols-3">
        {periodMeasures.map(({ term, value }) => (
          <Stat
            key={term}
            term={term}
            value={value(now)}
            note={`${value(before)} in the ${days} days before`}
          />
        ))}
      </dl>
      <CountsTable
        caption="Sold by model"
        label="Model"
        rows={models.slice(0, shownModels)}
        measures={salesMeasures}
      />
      <CountsTable
        caption="By month"
        label="Month"
        rows={months.map(({ name, ...counts }) => ({ name: isoMonthLabel(name), ...counts }))}
        measures={monthMeasures}
      />
    </section>
  );
}

function CountsTable<Row extends { name: string }>({
  caption,
  label,
  rows,
  measures,
}: {
  caption: string;
  label: string;
  rows: Row[];
  measures: ShownMeasure<Row>[];
}) {
  if (rows.length === 0) return null;
  return (
    <div className="mt-6 overflow-x-auto">
      <table className="w-full text-left tabular-nums">
        <caption className="mb-1 text-left font-semibold">{caption}</caption>
        <thead>
          <tr className="border-b-2 border-base-content">
            <th scope="col" className="py-2 font-semibold">
              {label}
            </th>
            {measures.map(({ term }) => (
              <th key={term} scope="col" className="py-2 pl-3 text-right font-semibold">
                {term}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name} className="border-b border-base-300 last:border-0">
              <th scope="row" className="py-2 font-medium wrap-anywhere">
                {row.name}
              </th>
              {measures.map(({ term, value }) => (
                <td key={term} className="py-2 pl-3 text-right">
                  {value(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface Unbooked {
  id: string;
  name: string;
  ownNumber: string | null;
  views: number;
  sellingCents: number;
  usualCents: number | null;
}

/** Listings that many have looked at and nobody has booked. */
export function UnbookedListings({ listings }: { listings: Unbooked[] }) {
  if (listings.length === 0) return null;
  return (
    <section aria-labelledby="unbooked" className="mb-8 max-w-3xl">
      <h2 id="unbooked" className="mb-2 text-xl font-semibold">
        Many views, no booking
      </h2>
      <ul className="divide-y divide-base-300">
        {listings.map(({ id, name, ownNumber, views, sellingCents, usualCents }) => (
          <li key={id} className="py-2">
            <Link to={`/manage/mysells/${id}/edit`} className="link wrap-anywhere">
              {name}
            </Link>
            <p className="text-sm wrap-anywhere text-quiet tabular-nums">
              {ownNumber && `${ownNumber}, `}
              {`${countLabel(views)} views, ${priceLabel(sellingCents)}`}
              {usualCents !== null && `, usual price ${priceLabel(usualCents)}`}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
