import { priceLabel, savingPercent } from "./money.rules.ts";

/** What is asked, large; the market price struck through beside it; and the saving in plain per cent. */
export function Price({
  marketCents,
  sellingCents,
  className = "text-3xl",
}: {
  marketCents: number;
  sellingCents: number;
  className?: string;
}) {
  const saving = savingPercent({ marketCents, sellingCents });
  return (
    <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1 tabular-nums">
      <span className={`font-display font-semibold ${className}`}>
        <span className="sr-only">Selling price </span>
        {priceLabel(sellingCents)}
      </span>
      <s className="text-quiet">
        <span className="sr-only">Market price </span>
        {priceLabel(marketCents)}
      </s>
      {saving > 0 && (
        <span className="rounded-selector bg-accent px-2 py-0.5 text-sm font-semibold text-accent-content">
          Save {saving}%
        </span>
      )}
    </p>
  );
}
