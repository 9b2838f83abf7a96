import type { ListingDetails } from "./listing.server.ts";
import { priceLabel, savingPercent } from "./money.rules.ts";

export function ListingPrice({
  marketCents,
  sellingCents,
  status,
}: Pick<ListingDetails, "marketCents" | "sellingCents" | "status">) {
  const saving = savingPercent({ marketCents, sellingCents });
  return (
    <div className="tabular-nums">
      <p className="font-display text-5xl leading-none font-semibold tracking-tight xl:text-6xl">
        <span className="sr-only">Selling price </span>
        {priceLabel(sellingCents)}
      </p>
      <p className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-2">
        <span className="text-quiet">
          Market price{" "}
          {marketCents > sellingCents ? <s>{priceLabel(marketCents)}</s> : priceLabel(marketCents)}
        </span>
        {saving > 0 && status !== "sold" && (
          <span className="rounded-selector bg-accent px-2 py-0.5 font-semibold text-accent-content">
            You save {priceLabel(marketCents - sellingCents)} ({saving}%)
          </span>
        )}
      </p>
    </div>
  );
}
