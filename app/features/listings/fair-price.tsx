import { useId } from "react";
import { comparePrice, type FairPrice as Fair, priceScale } from "./fair-price.rules.ts";
import { priceLabel } from "./money.rules.ts";

/**
 * How an asking price compares with what devices of its kind sold for here: in words, and as a picture of the same.
 *
 * @param fair null when there were too few sales
 * @param askingCents null while no price is asked
 */
export function FairPrice({ fair, askingCents }: { fair: Fair | null; askingCents: number | null }) {
  if (!fair) return <p className="text-sm text-quiet">Not enough sales yet to say what is usual here.</p>;
  return (
    <figure className="max-w-sm">
      <figcaption>
        <p className="font-medium">
          {askingCents === null
            ? `Usually ${priceLabel(fair.median)}`
            : priceComparisonLabel(fair, askingCents)}
        </p>
        <p className="text-sm text-pretty text-quiet">
          {`${fair.count} sold here for ${range(fair)}, half of them for ${priceLabel(fair.median)} or less.`}
        </p>
      </figcaption>
      <PriceScale fair={fair} askingCents={askingCents} />
    </figure>
  );
}

/** Whether a price is the usual one for its kind, in a few words. */
export function priceComparisonLabel(fair: Fair, askingCents: number): string {
  const { verdict, percent } = comparePrice(fair, askingCents);
  if (verdict === "usual") return `About the usual price of ${priceLabel(fair.median)}`;
  if (percent >= 200) return `Many times the usual price of ${priceLabel(fair.median)}`;
  return `${percent}% ${verdict} the usual price of ${priceLabel(fair.median)}`;
}

function range({ lowest, highest }: Fair): string {
  return lowest === highest ? priceLabel(lowest) : `${priceLabel(lowest)} to ${priceLabel(highest)}`;
}

/** The range as a bar, the middle as a notch in it, the asking price as a dot. */
function PriceScale({ fair, askingCents }: { fair: Fair; askingCents: number | null }) {
  const titleId = useId();
  const { lowest, highest, median, asking } = priceScale(fair, askingCents);
  // A bar of one price alone would not be seen.
  const [from, to] = highest - lowest < 4 ? [median - 2, median + 2] : [lowest, highest];
  const told = `Sold for ${range(fair)}, in the middle ${priceLabel(fair.median)}`;
  return (
    <svg viewBox="0 0 320 44" className="mt-2 w-full" role="img" aria-labelledby={titleId}>
      <title id={titleId}>{askingCents === null ? told : `${told}; asked: ${priceLabel(askingCents)}`}</title>
      <line x1="0" y1="16" x2="320" y2="16" className="stroke-base-300" strokeWidth="2" />
      <rect x={from * 3.2} y="10" width={(to - from) * 3.2} height="12" rx="6" className="fill-success" />
      <line x1={median * 3.2} y1="6" x2={median * 3.2} y2="26" className="stroke-current" strokeWidth="3" />
      {asking !== null && (
        <circle cx={asking * 3.2} cy="16" r="8" className="fill-accent stroke-current" strokeWidth="2.5" />
      )}
      <text x={near(from)} y="41" className="fill-current text-xs" textAnchor="start">
        {priceLabel(fair.lowest)}
      </text>
      {fair.highest > fair.lowest && (
        <text x={320 - near(100 - to)} y="41" className="fill-current text-xs" textAnchor="end">
          {priceLabel(fair.highest)}
        </text>
      )}
    </svg>
  );
}

/** Where a label under an end of the bar begins, kept inside the picture and off the other label. */
function near(place: number): number {
  return Math.max(0, Math.min(place * 3.2, 150));
}
