import { countLabel } from "#app/market.ts";
import { Link } from "#app/ui/link.tsx";
import { modelPath } from "../listings/device-variant.rules.ts";
import type { Numbers } from "./numbers.server.ts";

/** The models that were booked and saved most often. */
export function WantedModels({ models }: Pick<Numbers, "models">) {
  if (models.length === 0) return null;
  return (
    <section aria-labelledby="most-wanted" className="mt-10 max-w-2xl">
      <h2 id="most-wanted" className="mb-3 text-xl font-semibold">
        Most wanted models
      </h2>
      <table className="w-full text-left tabular-nums">
        <caption className="sr-only">Models by bookings and saved listings</caption>
        <thead>
          <tr className="border-b-2 border-base-content">
            <th scope="col" className="py-2 font-semibold">
              Model
            </th>
            <th scope="col" className="py-2 pl-3 text-right font-semibold">
              Booked
            </th>
            <th scope="col" className="py-2 pl-3 text-right font-semibold">
              Saved
            </th>
          </tr>
        </thead>
        <tbody>
          {models.map(({ model, slug, bookings, saves }) => (
            <tr key={model} className="border-b border-base-300 last:border-0">
              <th scope="row" className="py-2 font-medium wrap-anywhere">
                {slug ? (
                  <Link to={modelPath(slug)} className="link">
                    {model}
                  </Link>
                ) : (
                  model
                )}
              </th>
              <td className="py-2 pl-3 text-right">{countLabel(bookings)}</td>
              <td className="py-2 pl-3 text-right">{countLabel(saves)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
