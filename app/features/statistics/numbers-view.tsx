import type { ReactNode } from "react";
import { countLabel, daysLabel } from "#app/market.ts";
import { isoDay, isoDayLabel } from "#app/time.ts";
import { BarChart } from "#app/ui/bar-chart.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { CheckIcon, ChevronDownIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { Stat } from "#app/ui/stat.tsx";
import { modelPath } from "../listings/device-variant.rules.ts";
import { barLabel, measureLabels, measureValueLabel, spanLabel, unitLabels } from "./number-labels.ts";
import {
  type Counts,
  countedMeasures,
  type Measure,
  type NumbersQuery,
  numbersSearch,
  periods,
  periodUnits,
  type Span,
} from "./numbers.rules.ts";
import type { Numbers } from "./numbers.server.ts";

/** What happened in a period, for administrators. */
export function NumbersView({ query, numbers }: { query: NumbersQuery; numbers: Numbers }) {
  const {
    spans,
    totals,
    before,
    medianDaysToSale,
    medianDaysBefore,
    models,
    missed,
    openReports,
    uncountedDays,
  } = numbers;
  const isEmpty = models.length === 0 && countedMeasures.every((measure) => totals[measure] === 0);
  return (
    <>
      <h1 className="mb-2 text-3xl font-semibold">Numbers</h1>
      <p className="mb-6 max-w-prose text-quiet">
        Updated every 10 minutes. Days are in UTC. Deleted and hidden items don’t count.
        {uncountedDays > 0 &&
          ` ${daysLabel(uncountedDays)} of this period ${uncountedDays === 1 ? "isn’t" : "aren’t"} counted yet.`}
      </p>
      <Choices query={query} />
      <dl className="mb-8 grid max-w-3xl gap-x-8 gap-y-4 sm:grid-cols-2">
        <Stat
          term="Median time to sale"
          value={medianDaysToSale === null ? "–" : timeToSaleLabel(medianDaysToSale)}
          note={`From publication to receipt; ${medianDaysBefore === null ? "–" : timeToSaleLabel(medianDaysBefore).toLowerCase()} ${daysBefore(query)}`}
        />
        <Stat
          term="Cancellation rate"
          value={shareLabel(totals.cancelled, totals.bookings)}
          note={`${countLabel(totals.cancelled)} of ${countLabel(totals.bookings)} ${totals.bookings === 1 ? "booking" : "bookings"}; ${shareLabel(before.cancelled, before.bookings)} ${daysBefore(query)}`}
        />
        <Stat
          term="Bookings per view"
          value={shareLabel(totals.bookings, totals.views)}
          note={`${shareLabel(before.bookings, before.views)} ${daysBefore(query)}`}
        />
        <Stat
          term="Sales per booking"
          value={shareLabel(totals.sales, totals.bookings)}
          note={`${shareLabel(before.sales, before.bookings)} ${daysBefore(query)}`}
        />
        <Stat
          term="Open reports"
          value={
            <Link to="/manage/moderation" className="link">
              {countLabel(openReports)}{" "}
              <span className="sr-only">{openReports === 1 ? "open report" : "open reports"}</span>
            </Link>
          }
          note="Now"
        />
      </dl>
      {isEmpty ? (
        <EmptyState
          icon={<CheckIcon className="size-10" />}
          title={`Nothing happened in the last ${query.days} days`}
          text="Sign-ups, listings, bookings and sales show up here."
        />
      ) : (
        <>
          <div className="grid gap-x-10 gap-y-8 xl:grid-cols-2">
            {countedMeasures.map((measure) => (
              <Chart
                key={measure}
                measure={measure}
                query={query}
                spans={spans}
                total={totals[measure]}
                before={before[measure]}
              />
            ))}
          </div>
          <SpanTable spans={spans} totals={totals} query={query} />
          <WantedModels models={models} />
        </>
      )}
      <MissedSearches missed={missed} />
    </>
  );
}

function Choices({ query }: { query: NumbersQuery }) {
  return (
    <div className="mb-8 flex flex-wrap gap-x-10 gap-y-2">
      <nav aria-label="Period" className="flex flex-wrap gap-x-6 gap-y-2">
        {periods.map((days) => (
          <Choice key={days} to={{ ...query, days }} isCurrent={days === query.days}>
            {days} days
          </Choice>
        ))}
      </nav>
      <nav aria-label="Unit" className="flex flex-wrap gap-x-6 gap-y-2">
        {periodUnits.map((by) => (
          <Choice key={by} to={{ ...query, by }} isCurrent={by === query.by}>
            By {by}
          </Choice>
        ))}
      </nav>
      <a href={`/manage/numbers.csv${numbersSearch(query)}`} download className="link py-1">
        Download CSV
      </a>
    </div>
  );
}

function Choice({
  to,
  isCurrent,
  children,
}: {
  to: Parameters<typeof numbersSearch>[0];
  isCurrent: boolean;
  children: ReactNode;
}) {
  return (
    <Link
      to={`/manage/numbers${numbersSearch(to)}`}
      aria-current={isCurrent ? "page" : undefined}
      className={isCurrent ? "py-1 font-semibold" : "link py-1"}
    >
      {children}
    </Link>
  );
}

function Chart({
  measure,
  query,
  spans,
  total,
  before,
}: {
  measure: Measure;
  query: NumbersQuery;
  spans: Span[];
  total: number;
  before: number;
}) {
  const label = measureValueLabel(measure);
  const most = spans.reduce((one, other) => (other[measure] > one[measure] ? other : one));
  const highest = `Highest ${query.by}: ${spanLabel(most)}, with ${label(most[measure])}.`;
  return (
    <section aria-labelledby={`numbers-${measure}`} className="min-w-0">
      <div className="flex max-w-lg flex-wrap items-baseline justify-between gap-x-4">
        <h2 id={`numbers-${measure}`} className="text-lg font-semibold">
          {measureLabels[measure]}
        </h2>
        <p className="text-lg tabular-nums">{label(total)}</p>
      </div>
      <p className="max-w-lg text-right text-sm text-quiet tabular-nums">
        {label(before)} {daysBefore(query)}
      </p>
      <BarChart
        title={`${measureLabels[measure]} by ${query.by}`}
        description={`${label(total)} in ${query.days} days. ${total > 0 ? highest : ""}`}
        bars={spans.map((span, index) => ({
          key: span.from,
          value: span[measure],
          tick: hasTick(index, spans.length) ? barLabel(span, query) : undefined,
        }))}
        valueLabel={label}
      />
    </section>
  );
}

/** Only the first and the last bar, unless there are few. */
function hasTick(index: number, count: number): boolean {
  return count <= 7 || index === 0 || index === count - 1;
}

function timeToSaleLabel(days: number): string {
  return days < 1 ? "Under a day" : daysLabel(days);
}

const daysBefore = ({ days }: NumbersQuery) => `in the ${days} days before`;

const shareLabel = (part: number, whole: number) => (whole > 0 ? percentLabel(part / whole) : "–");

function percentLabel(share: number): string {
  return `${Math.round(share * 1000) / 10}%`;
}

/** The figures of all charts, newest first. */
function SpanTable({
  spans,
  totals,
  query: { days, by },
}: {
  spans: Span[];
  totals: Counts;
  query: NumbersQuery;
}) {
  return (
    <details className="group mt-6">
      <summary className="flex min-h-11 items-center gap-2 font-medium text-primary">
        Show the figures as a table
        <ChevronDownIcon className="size-4 group-open:rotate-180" />
      </summary>
      {/* Focusable, so that the keyboard scrolls it. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls */}
      <section aria-label="Figures" tabIndex={0} className="scroll-shadow overflow-x-auto">
        <table className="w-full text-left text-sm tabular-nums">
          <caption className="sr-only">{`Figures by ${by}, last ${days} days`}</caption>
          <thead>
            <tr className="border-b-2 border-base-content">
              <th scope="col" className="sticky left-0 bg-base-100 py-2 pr-3 font-semibold">
                {unitLabels[by]}
              </th>
              {countedMeasures.map((measure) => (
                <th key={measure} scope="col" className="py-2 pl-3 text-right font-semibold">
                  {measureLabels[measure]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {spans.toReversed().map((span) => (
              <Row key={span.from} label={spanLabel(span)} counts={span} />
            ))}
          </tbody>
          <tfoot className="font-semibold">
            <Row label="Total" counts={totals} />
          </tfoot>
        </table>
      </section>
    </details>
  );
}

function Row({ label, counts }: { label: string; counts: Counts }) {
  return (
    <tr className="border-b border-base-300 last:border-0">
      <th
        scope="row"
        className="sticky left-0 min-w-28 bg-base-100 py-1.5 pr-3 font-medium text-balance sm:whitespace-nowrap"
      >
        {label}
      </th>
      {countedMeasures.map((measure) => (
        <td key={measure} className="py-1.5 pl-3 text-right">
          {measureValueLabel(measure)(counts[measure])}
        </td>
      ))}
    </tr>
  );
}

/** The models that were booked and saved most often. */
function WantedModels({ models }: Pick<Numbers, "models">) {
  if (models.length === 0) return null;
  return (
    <section aria-labelledby="most-wanted" className="mt-10 max-w-2xl">
      <h2 id="most-wanted" className="mb-3 text-xl font-semibold">
        Most wanted models
      </h2>
      <table className="w-full text-left tabular-nums">
        <caption className="sr-only">Models by bookings and saved listings</caption>
        <thead>
          <tr className="border-b-2 border-base-content">
            <th scope="col" className="py-2 font-semibold">
              Model
            </th>
            <th scope="col" className="py-2 pl-3 text-right font-semibold">
              Booked
            </th>
            <th scope="col" className="py-2 pl-3 text-right font-semibold">
              Saved
            </th>
          </tr>
        </thead>
        <tbody>
          {models.map(({ model, slug, bookings, saves }) => (
            <tr key={model} className="border-b border-base-300 last:border-0">
              <th scope="row" className="py-2 font-medium wrap-anywhere">
                {slug ? (
                  <Link to={modelPath(slug)} className="link">
                    {model}
                  </Link>
                ) : (
                  model
                )}
              </th>
              <td className="py-2 pl-3 text-right">{countLabel(bookings)}</td>
              <td className="py-2 pl-3 text-right">{countLabel(saves)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** What people looked for, and nobody sells. */
function MissedSearches({ missed }: Pick<Numbers, "missed">) {
  return (
    <section aria-labelledby="missed-searches" className="mt-10 max-w-2xl">
      <h2 id="missed-searches" className="mb-1 text-xl font-semibold">
        Searches without results
      </h2>
      <p className="mb-3 text-quiet">
        {missed.length > 0 ? "What people look for and nobody sells." : "None counted in this period."} Words
        show up after three searches in a day and stay for 90 days. We don’t keep who searched.
      </p>
      {missed.length > 0 && (
        <table className="w-full text-left tabular-nums">
          <caption className="sr-only">Words by searches without results</caption>
          <thead>
            <tr className="border-b-2 border-base-content">
              <th scope="col" className="py-2 font-semibold">
                Words
              </th>
              <th scope="col" className="py-2 pl-3 text-right font-semibold">
                Searches
              </th>
              <th scope="col" className="py-2 pl-3 text-right font-semibold">
                Last on
              </th>
            </tr>
          </thead>
          <tbody>
            {missed.map(({ words, searches, lastDay }) => (
              <tr key={words} className="border-b border-base-300 last:border-0">
                <th scope="row" className="py-2 font-medium wrap-anywhere">
                  <Link to={`/products?${new URLSearchParams({ q: words })}`} className="link">
                    {words}
                  </Link>
                </th>
                <td className="py-2 pl-3 text-right">{countLabel(searches)}</td>
                <td className="py-2 pl-3 text-right whitespace-nowrap">{isoDayLabel(isoDay(lastDay))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
