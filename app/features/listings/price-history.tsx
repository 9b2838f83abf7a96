import type { SerializeFrom } from "@remix-run/cloudflare";
import { useDateLabels } from "#app/ui/date-label.ts";
import type { PriceSince } from "./listing.server.ts";
import { priceLabel } from "./money.rules.ts";

export function PriceHistory({
  prices,
  isTitleVisible = true,
}: {
  prices: SerializeFrom<PriceSince>[];
  isTitleVisible?: boolean;
}) {
  const { dayLabel } = useDateLabels();
  if (prices.length < 2) return null;
  return (
    <table className="w-full max-w-sm text-left tabular-nums">
      <caption className={isTitleVisible ? "mb-1 text-left font-semibold" : "sr-only"}>Price history</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">Since</th>
          <th scope="col">Asking price</th>
          <th scope="col">Change</th>
        </tr>
      </thead>
      <tbody>
        {prices.map(({ cents, since }, index) => (
          <tr key={since} className="border-b border-base-300 last:border-0">
            <td className="py-1.5 text-quiet">
              <time dateTime={since}>{dayLabel(since)}</time>
            </td>
            <td className={`py-1.5 text-right ${index === 0 ? "font-semibold" : ""}`}>{priceLabel(cents)}</td>
            <td className="py-1.5 text-right text-sm text-quiet">
              {changeLabel(cents, prices[index + 1]?.cents)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function changeLabel(cents: number, before: number | undefined): string {
  if (before === undefined) return "first price";
  return cents < before ? `down ${priceLabel(before - cents)}` : `up ${priceLabel(cents - before)}`;
}
