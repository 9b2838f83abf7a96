import { priceLabel, savingPercent } from "./money.rules.ts";

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
    <p className="price">
      <span className={`price-selling ${className}`}>{priceLabel(sellingCents)}</span>
      {marketCents > sellingCents ? (
        <s>
          <span className="sr-only">Market price </span>
          {priceLabel(marketCents)}
        </s>
      ) : (
        <span className="text-sm text-quiet">Market price {priceLabel(marketCents)}</span>
      )}
      {saving > 0 && <span className="price-saving">{`Save ${saving}%`}</span>}
    </p>
  );
}
