import { Link } from "#app/ui/link.tsx";
import { priceLabel } from "../phones/money.rules.ts";
import type { CheapestOffer, OfferTable } from "./model.rules.ts";

/** The cheapest phone of a model for each storage and condition; each price links to its listing. */
export function ModelOffers({ table: { conditions, rows } }: { table: OfferTable }) {
  return (
    <section aria-labelledby="cheapest" className="mb-10 max-w-2xl">
      <h2 id="cheapest" className="mb-3 text-2xl font-semibold">
        Cheapest by storage and condition
      </h2>
      <table className="w-full text-left tabular-nums">
        <caption className="sr-only">The cheapest phone for each storage and condition</caption>
        <thead>
          <tr className="border-b-2 border-base-content text-sm">
            <th scope="col" className="py-2 pr-3 align-bottom font-semibold">
              Storage
            </th>
            {conditions.map((condition) => (
              <th key={condition} scope="col" className="py-2 pl-3 text-right align-bottom font-semibold">
                {condition ?? "Condition not stated"}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ rom, offers }) => (
            <tr key={rom} className="border-b border-base-300">
              <th scope="row" className="py-2 pr-3 font-medium wrap-anywhere">
                {rom}
              </th>
              {offers.map((offer, index) => (
                <td key={conditions[index]} className="py-2 pl-3 text-right">
                  {offer ? <Offer offer={offer} /> : <None />}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Offer({ offer: { id, rom, condition, cents, count } }: { offer: CheapestOffer }) {
  const price = priceLabel(cents);
  return (
    <Link
      to={`/phones/${id}`}
      className="link underline-offset-4"
      aria-label={`${count > 1 ? "from " : ""}${price}, ${rom}, ${condition ? `${condition} condition` : "condition not stated"}`}
    >
      {count > 1 && "from "}
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
