import { countLabel } from "#app/market.ts";
import { BarChart } from "#app/ui/bar-chart.tsx";
import { isoMonthLabel } from "#app/ui/date-label.ts";
import { ChevronDownIcon } from "#app/ui/icons.tsx";
import { priceLabel, priceRangeLabel } from "../listings/money.rules.ts";
import type { MonthOfSales, ModelSales as Sales } from "./model.rules.ts";

export function ModelSales({ sales: { count, isCapped, prices, months } }: { sales: Sales }) {
  return (
    <section aria-labelledby="sold">
      <h2 id="sold" className="mb-3 text-2xl font-semibold">
        Sale prices
      </h2>
      {prices ? (
        <>
          <p className="text-lg font-medium tabular-nums">Usual price: {priceLabel(prices.median)}</p>
          <p className="text-sm text-pretty text-quiet tabular-nums">
            {`${isCapped ? "The last " : ""}${countLabel(count)} sold for ${priceRangeLabel(prices)}, median ${priceLabel(prices.median)}`}
          </p>
          {months.some((month) => month.prices) ? (
            <>
              <p className="mt-4 text-sm font-medium">Median price by month</p>
              <Chart months={months} />
              <MonthTable months={months} />
            </>
          ) : (
            <p className="mt-3 text-sm text-quiet">No sales in the last 12 months.</p>
          )}
        </>
      ) : (
        <p className="text-quiet">{tooFewSalesLabel(count)}</p>
      )}
    </section>
  );
}

function tooFewSalesLabel(count: number): string {
  if (count === 0) return "No sales yet.";
  return `Only ${count} sold so far: too few to calculate a usual price.`;
}

function Chart({ months }: { months: MonthOfSales[] }) {
  const medians = months.flatMap(({ month, prices }) => (prices ? [{ month, median: prices.median }] : []));
  return (
    <BarChart
      title="Median price by month"
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
        <ChevronDownIcon className="size-4 transition-transform group-open:rotate-180" />
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
          {months.toReversed().map(({ month, prices }) => (
            <tr key={month} className="border-b border-base-300 last:border-0">
              <th scope="row" className="py-1.5 font-medium">
                {isoMonthLabel(month)}
              </th>
              <td className="py-1.5 pl-3 text-right">{prices ? countLabel(prices.count) : "0"}</td>
              <td className="py-1.5 pl-3 text-right">{prices ? priceLabel(prices.median) : "–"}</td>
              <td className="py-1.5 pl-3 text-right">{prices ? priceRangeLabel(prices) : "–"}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
