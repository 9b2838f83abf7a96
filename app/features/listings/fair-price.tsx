import { type FairPrice, maxComparedSales, priceScale } from "./fair-price.rules.ts";
import { priceDifferenceLabel, priceLabel, priceRangeLabel } from "./money.rules.ts";

export function FairPriceScale({
  fair,
  askingCents,
}: {
  fair: FairPrice | null;
  askingCents: number | null;
}) {
  if (!fair) return <p className="text-sm text-quiet">Not enough sales yet for a usual price.</p>;
  const usual = priceLabel(fair.median);
  const title = askingCents === null ? `Usual price: ${usual}` : priceComparisonLabel(fair, askingCents);
  return (
    <figure className="max-w-sm">
      <figcaption>
        <p className="font-medium">{title}</p>
        <p className="text-sm text-pretty text-quiet">
          {`${fair.count === maxComparedSales ? "The last " : ""}${fair.count} sold for ${priceRangeLabel(fair)}${title.includes(usual) ? "" : `, usually for ${usual}`}.`}
        </p>
      </figcaption>
      <PriceScale fair={fair} askingCents={askingCents} />
    </figure>
  );
}

export function priceComparisonLabel({ median }: FairPrice, askingCents: number): string {
  if (askingCents >= 3 * median) return `Way above the usual price (${priceLabel(median)})`;
  return priceDifferenceLabel(askingCents, median) ?? `About the usual price (${priceLabel(median)})`;
}

/** What the caption says, as a picture. */
function PriceScale({ fair, askingCents }: { fair: FairPrice; askingCents: number | null }) {
  const { lowest, highest, median, asking } = priceScale(fair, askingCents);
  // Widen a bar that would be too narrow to see.
  const [from, to] = highest - lowest < 4 ? [median - 2, median + 2] : [lowest, highest];
  return (
    <svg viewBox="0 0 320 44" className="mt-2 w-full" aria-hidden="true">
      <line x1="0" y1="16" x2="320" y2="16" className="stroke-base-300" strokeWidth="2" />
      <rect
        x={from * 3.2}
        y="10"
        width={(to - from) * 3.2}
        height="12"
        rx="6"
        className="fill-success forced-colors:fill-current"
      />
      <line x1={median * 3.2} y1="6" x2={median * 3.2} y2="26" className="stroke-current" strokeWidth="3" />
      {asking !== null && (
        <circle cx={asking * 3.2} cy="16" r="8" className="fill-accent stroke-current" strokeWidth="2.5" />
      )}
      <text x={labelX(from)} y="41" className="fill-current text-xs" textAnchor="start">
        {priceLabel(fair.lowest)}
      </text>
      {fair.highest > fair.lowest && (
        <text x={320 - labelX(100 - to)} y="41" className="fill-current text-xs" textAnchor="end">
          {priceLabel(fair.highest)}
        </text>
      )}
    </svg>
  );
}

function labelX(position: number): number {
  return Math.max(0, Math.min(position * 3.2, 150));
}
