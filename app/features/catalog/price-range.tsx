import { market } from "#app/market.ts";
import { AlertIcon } from "#app/ui/icons.tsx";
import { toAmount } from "../listings/money.rules.ts";
import {
  invertedPriceRangeMessage,
  isPriceRangeInverted,
  type SearchQuery,
} from "./search/search-query.rules.ts";

export function PriceRange({ query }: { query: SearchQuery }) {
  const isInverted = isPriceRangeInverted(query);
  const errorProps = isInverted ? { "aria-invalid": true, "aria-describedby": "price-error" } : {};
  const ends = [
    { name: "from", label: "From", cents: query.fromCents },
    { name: "to", label: "To", cents: query.toCents },
  ];
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 font-semibold">Price</legend>
      <div className="grid grid-cols-2 gap-3">
        {ends.map(({ name, label, cents }) => (
          <div key={name} className="min-w-0">
            <label htmlFor={`price-${name}`} className="mb-1 block text-sm text-quiet">
              {label}
            </label>
            <div className={`input w-full gap-1 ${isInverted ? "input-error" : ""}`}>
              <span aria-hidden="true" className="text-quiet">
                {market.currencySign}
              </span>
              <input
                id={`price-${name}`}
                name={name}
                inputMode="decimal"
                maxLength={12}
                defaultValue={cents === null ? "" : toAmount(cents)}
                className="min-w-0 tabular-nums"
                {...errorProps}
              />
            </div>
          </div>
        ))}
      </div>
      {isInverted && (
        <p id="price-error" className="mt-2 flex gap-1.5 text-sm font-medium text-error">
          <AlertIcon className="mt-0.5 size-4 shrink-0" />
          {invertedPriceRangeMessage}
        </p>
      )}
    </fieldset>
  );
}
