import { countLabel } from "#app/market.ts";
import { isoMonthLabel } from "#app/time.ts";
import { BarChart } from "#app/ui/bar-chart.tsx";
import { Breadcrumbs } from "#app/ui/breadcrumbs.tsx";
import { EmptyPage, EmptyState } from "#app/ui/empty-state.tsx";
import { FactRow } from "#app/ui/fact-row.tsx";
import { ChevronDownIcon, PhoneIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { CursorPager } from "#app/ui/pager.tsx";
import { modelPath, modelPricesPath } from "../listings/device-variant.rules.ts";
import { ListingPicture } from "../listings/listing-picture.tsx";
import { priceLabel, priceRangeLabel } from "../listings/money.rules.ts";
import { SellerRating } from "../reviews/seller-rating.tsx";
import { CompareBar } from "./compare-bar.tsx";
import { ListingTile, tileGrid } from "./listing-card.tsx";
import type {
  CheapestListing,
  CheapestTable,
  ModelSales,
  MonthOfSales,
  SpecificationRow,
} from "./model.rules.ts";
import type { ModelPage } from "./model.server.ts";

export function ModelView({ page }: { page: ModelPage }) {
  const { model, category, cheapest, facts, sales, phones, previous, next } = page;
  const pictured = phones.find(({ cover }) => cover) ?? phones[0];
  return (
    <div className="page-width py-6 sm:py-8">
      <Breadcrumbs
        trail={[
          { to: "/", name: "Home" },
          { to: category.path, name: category.name },
        ]}
        here={model.name}
      />
      <div className="mt-6 grid grid-cols-1 items-start gap-x-12 gap-y-10 sm:mt-8 lg:grid-cols-2">
        <div className="grid min-w-0 gap-8">
          <header className="flex items-center gap-4 sm:gap-6">
            {pictured && (
              <div className="w-24 shrink-0 rounded-box bg-base-200 p-2 sm:w-36 sm:p-3">
                <ListingPicture picture={pictured} eager />
              </div>
            )}
            <div className="min-w-0">
              <h1
                className={`font-semibold wrap-anywhere ${model.name.length > 40 ? "text-2xl sm:text-3xl" : "text-3xl sm:text-4xl"}`}
              >
                {model.name}
              </h1>
              <p className="mt-2 text-lg text-quiet tabular-nums">{stockLabel(page)}</p>
            </div>
          </header>
          {cheapest.rows.length > 0 && <CheapestListings table={cheapest} />}
        </div>
        <section aria-labelledby="for-sale" className="min-w-0 lg:col-span-2">
          <h2 id="for-sale" className="mb-4 text-2xl font-semibold">
            For sale
          </h2>
          {phones.length === 0 ? (
            <NoListings page={page} />
          ) : (
            <ul className={tileGrid}>
              {phones.map((phone, index) => (
                <ListingTile
                  key={phone.id}
                  phone={phone}
                  heading="h3"
                  eager={index < 4}
                  compare
                  seller={<SellerRating sellerId={phone.sellerId} rating={phone.sellerRating} sales={null} />}
                />
              ))}
            </ul>
          )}
          {phones.length > 0 && <CompareBar />}
          <CursorPager path={modelPath(model.slug)} previous={previous} next={next} hash="#for-sale" />
        </section>
        <ModelSalesSection slug={model.slug} sales={sales} isWide={cheapest.rows.length > 0} />
        {facts.length > 0 && (
          // Beside the prices, where there are any.
          <div className={`min-w-0 ${cheapest.rows.length > 0 ? "lg:col-start-2 lg:row-start-1" : ""}`}>
            <Specifications specifications={facts} />
          </div>
        )}
      </div>
    </div>
  );
}

function stockLabel({ model: { listed, available }, range }: ModelPage): string {
  if (listed === 0) return "None for sale right now";
  if (!range) return listed === 1 ? "1 listed, reserved" : `${countLabel(listed)} listed, all reserved`;
  const reserved = listed > available ? `, ${countLabel(listed - available)} reserved` : "";
  return `${countLabel(available)} for sale from ${priceLabel(range.lowest)}${reserved}`;
}

function NoListings({ page: { model, category, isFirstPage } }: { page: ModelPage }) {
  if (!isFirstPage && model.listed > 0) return <EmptyPage firstPage={modelPath(model.slug)} />;
  return (
    <EmptyState
      icon={<PhoneIcon className="size-10" />}
      title="None for sale right now"
      text="Check back soon, or see what else is for sale."
    >
      <Link to={category.path} className="btn btn-primary">
        Browse {category.name}
      </Link>
      <Link to="/addphone" className="btn btn-outline">
        Sell a device
      </Link>
    </EmptyState>
  );
}

function Specifications({ specifications }: { specifications: SpecificationRow[] }) {
  return (
    <section aria-labelledby="specifications">
      <h2 id="specifications" className="text-2xl font-semibold">
        Specifications
      </h2>
      <p className="mt-1 text-sm text-quiet">What sellers say.</p>
      <dl className="mt-3 border-t border-base-300">
        {specifications.map(({ term, values, hasMore }) => (
          <FactRow key={term} term={term}>
            {values.join(", ") + (hasMore ? " and others" : "")}
          </FactRow>
        ))}
      </dl>
    </section>
  );
}

function CheapestListings({ table: { conditions, rows } }: { table: CheapestTable }) {
  const labels = conditions.map((condition) => condition ?? "Condition not stated");
  const isWide = labels.length > 2;
  return (
    <section aria-labelledby="cheapest" className="min-w-0">
      <h2 id="cheapest" className="mb-3 text-2xl font-semibold">
        Lowest prices by storage and condition
      </h2>
      <table className={`w-full text-left tabular-nums ${isWide ? "max-md:block" : ""}`}>
        <caption className="sr-only">The lowest price for each storage and condition</caption>
        <thead className={isWide ? "max-md:sr-only" : ""}>
          <tr className="border-b-2 border-base-content text-sm">
            <th scope="col" className="py-2 pr-3 font-semibold">
              Storage
            </th>
            {labels.map((label) => (
              <th key={label} scope="col" className="py-2 pl-3 text-right font-semibold">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className={isWide ? "max-md:grid max-md:gap-4" : ""}>
          {rows.map(({ rom, cells }) => (
            <tr
              key={rom}
              className={`border-b border-base-300 ${isWide ? "max-md:grid max-md:gap-2 max-md:rounded-box max-md:border max-md:p-4" : ""}`}
            >
              <th
                scope="row"
                className={`py-2 pr-3 font-semibold wrap-anywhere ${isWide ? "max-md:p-0" : ""}`}
              >
                {rom}
              </th>
              {cells.map((cell, index) => (
                <td
                  key={labels[index]}
                  className={`py-2 pl-3 text-right ${isWide ? (cell ? "max-md:flex max-md:justify-between max-md:gap-4 max-md:p-0" : "max-md:hidden") : ""}`}
                >
                  {isWide && (
                    <span aria-hidden="true" className="text-quiet md:hidden">
                      {labels[index]}
                    </span>
                  )}
                  {cell ? <CheapestLink listing={cell} /> : <None />}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function CheapestLink({ listing: { id, rom, condition, cents, count } }: { listing: CheapestListing }) {
  const price = `${count > 1 ? "from " : ""}${priceLabel(cents)}`;
  const stated = condition ? `${condition.toLowerCase()} condition` : "condition not stated";
  return (
    <Link
      to={`/phones/${id}`}
      className="link whitespace-nowrap underline-offset-4"
      aria-label={`${price}, ${rom}, ${stated}`}
    >
      {price}
    </Link>
  );
}

function None() {
  return (
    <span className="text-quiet">
      <span aria-hidden="true">–</span>
      <span className="sr-only">none</span>
    </span>
  );
}

/** @param isWide the chart is beside what it shows */
function ModelSalesSection({
  slug,
  sales: { count, isCapped, prices, months, wasSold },
  isWide,
}: {
  slug: string;
  sales: ModelSales & { wasSold: boolean };
  isWide: boolean;
}) {
  return (
    <section
      aria-labelledby="sold"
      className={`grid min-w-0 grid-cols-1 content-start gap-x-12 gap-y-4 ${isWide ? "lg:col-span-2 lg:grid-cols-2" : ""}`}
    >
      <div>
        <h2 id="sold" className="mb-3 text-2xl font-semibold">
          Sale prices
        </h2>
        {prices ? (
          <>
            <p className="text-lg font-medium tabular-nums">Usual price: {priceLabel(prices.median)}</p>
            <p className="text-sm text-pretty text-quiet tabular-nums">
              {`${isCapped ? "The last " : ""}${countLabel(count)} sold for ${priceRangeLabel(prices)}`}
            </p>
          </>
        ) : (
          <p className="text-quiet">
            {wasSold ? "Not enough sales yet for a usual price." : "No sales yet."}
          </p>
        )}
        {prices && (
          <p className="mt-3">
            <Link to={modelPricesPath(slug)} className="link underline-offset-4">
              Prices by storage and condition
            </Link>
          </p>
        )}
      </div>
      {prices && (
        <div>
          <SalesByMonth months={months} />
        </div>
      )}
    </section>
  );
}

export const tooFewSales = "Too few sales yet";

/** The median of each month, as a chart and as a table. */
export function SalesByMonth({ months }: { months: MonthOfSales[] }) {
  if (!months.some(({ count }) => count > 0))
    return <p className="mt-3 text-sm text-quiet">No sales in the last 12 months.</p>;
  return (
    <>
      <p className="text-sm font-medium">Usual price by month</p>
      {months.some(({ prices }) => prices) ? (
        <>
          <Chart months={months} />
          <MonthTable months={months} />
        </>
      ) : (
        <p className="mt-1 text-sm text-quiet">{tooFewSales} in any month.</p>
      )}
    </>
  );
}

function Chart({ months }: { months: MonthOfSales[] }) {
  const medians = months.flatMap(({ month, prices }) => (prices ? [{ month, median: prices.median }] : []));
  return (
    <BarChart
      title="Usual price by month"
      description={medians
        .map(({ month, median }) => `${isoMonthLabel(month)}: ${priceLabel(median)}`)
        .join(", ")}
      bars={months.map(({ month, prices }) => ({
        key: month,
        value: prices?.median ?? 0,
        tick: isoMonthLabel(month).slice(0, 3),
      }))}
      valueLabel={priceLabel}
    />
  );
}

function MonthTable({ months }: { months: MonthOfSales[] }) {
  return (
    <details className="group mt-2 max-w-lg">
      <summary className="flex min-h-9 items-center gap-2 text-sm font-medium text-primary">
        Show as a table
        <ChevronDownIcon className="size-4 group-open:rotate-180" />
      </summary>
      <table className="w-full text-left text-sm tabular-nums">
        <caption className="sr-only">Sale prices by month, last 12 months</caption>
        <thead>
          <tr className="border-b-2 border-base-content">
            <th scope="col" className="py-1.5 font-semibold">
              Month
            </th>
            {["Sold", "Median", "Range"].map((column) => (
              <th key={column} scope="col" className="py-1.5 pl-3 text-right font-semibold">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {months.toReversed().map(({ month, count, prices }) => (
            <tr key={month} className="border-b border-base-300 last:border-0">
              <th scope="row" className="py-1.5 font-medium">
                {isoMonthLabel(month)}
              </th>
              <td className="py-1.5 pl-3 text-right">{countLabel(count)}</td>
              <td className="py-1.5 pl-3 text-right">
                {prices ? priceLabel(prices.median) : count > 0 ? tooFewSales : "–"}
              </td>
              <td className="py-1.5 pl-3 text-right">{prices ? priceRangeLabel(prices) : "–"}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
