import type { ReactNode } from "react";
import { bargainLabel, priceLabel } from "./money.rules.ts";

/** @param usualCents the usual price, if known: a bargain is measured against it */
export function Price({
  marketCents,
  sellingCents,
  usualCents,
  className = "text-3xl",
  children,
}: {
  marketCents: number;
  sellingCents: number;
  usualCents?: number | null;
  className?: string;
  children?: ReactNode;
}) {
  const bargain = bargainLabel(sellingCents, usualCents);
  return (
    <p className="price">
      {bargain && (
        <span className="w-full">
          <span className="price-bargain">{bargain}</span>
        </span>
      )}
      <span className={`price-selling ${className}`}>{priceLabel(sellingCents)}</span>
      {marketCents > sellingCents ? (
        <s>
          <span className="sr-only">Market price </span>
          {priceLabel(marketCents)}
        </s>
      ) : (
        <span className="text-sm text-quiet">Market price {priceLabel(marketCents)}</span>
      )}
      {children}
    </p>
  );
}
