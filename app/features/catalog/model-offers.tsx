import { Link } from "#app/ui/link.tsx";
import { priceLabel } from "../listings/money.rules.ts";
import type { CheapestOffer, OfferTable } from "./model.rules.ts";

export function ModelOffers({ table: { conditions, rows } }: { table: OfferTable }) {
  const labels = conditions.map((condition) => condition ?? "Condition not stated");
  const isWide = labels.length > 2;
  return (
    <section aria-labelledby="cheapest" className={`mb-10 ${isWide ? "max-w-2xl" : "max-w-sm"}`}>
      <h2 id="cheapest" className="mb-3 text-2xl font-semibold">
        Lowest prices by storage and condition
      </h2>
      <table className={`w-full text-left tabular-nums ${isWide ? "max-md:block" : ""}`}>
        <caption className="sr-only">The lowest price for each storage and condition</caption>
        <thead className={isWide ? "max-md:sr-only" : ""}>
          <tr className="border-b-2 border-base-content text-sm">
            <th scope="col" className="py-2 pr-3 font-semibold">
              Storage
            </th>
            {labels.map((label) => (
              <th key={label} scope="col" className="py-2 pl-3 text-right font-semibold">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className={isWide ? "max-md:grid max-md:gap-4" : ""}>
          {rows.map(({ rom, offers }) => (
            <tr
              key={rom}
              className={`border-b border-base-300 ${isWide ? "max-md:grid max-md:gap-2 max-md:rounded-box max-md:border max-md:p-4" : ""}`}
            >
              <th
                scope="row"
                className={`py-2 pr-3 font-semibold wrap-anywhere ${isWide ? "max-md:p-0" : ""}`}
              >
                {rom}
              </th>
              {offers.map((offer, index) => (
                <td
                  key={labels[index]}
                  className={`py-2 pl-3 text-right ${isWide ? (offer ? "max-md:flex max-md:justify-between max-md:gap-4 max-md:p-0" : "max-md:hidden") : ""}`}
                >
                  {isWide && (
                    <span aria-hidden="true" className="text-quiet md:hidden">
                      {labels[index]}
                    </span>
                  )}
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
  const price = `${count > 1 ? "from " : ""}${priceLabel(cents)}`;
  const stated = condition ? `${condition.toLowerCase()} condition` : "condition not stated";
  return (
    <Link
      to={`/phones/${id}`}
      className="link whitespace-nowrap underline-offset-4"
      aria-label={`${price}, ${rom}, ${stated}`}
    >
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
