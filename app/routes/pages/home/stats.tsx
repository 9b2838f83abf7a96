import { Link } from "@remix-run/react";
import { brand } from "#app/brand.ts";

const figures = [
  { figure: "5.6K", what: "Registrations", path: "/signup" },
  { figure: "2.6M", what: "Page views", path: "/products" },
  { figure: "86%", what: "Delivery successful", path: "/about#handover" },
  { figure: "31", what: "Remaining", path: "/products?available=yes" },
];

/** @param isFirst whether the devices of the welcome stand on its edge */
export function Stats({ isFirst }: { isFirst: boolean }) {
  return (
    <section
      aria-labelledby="stats"
      className={`relative bg-base-200 ${isFirst ? "border-t-4 border-base-content" : ""}`}
    >
      <h2 id="stats" className="sr-only">
        {`${brand.name} in figures`}
      </h2>
      <dl className="page-width grid grid-cols-2 gap-y-4 py-5 min-[22.5rem]:grid-cols-4 sm:py-12">
        {figures.map(({ figure, what, path }) => (
          <div
            key={what}
            className="relative flex flex-col-reverse justify-end border-base-300 pl-3 not-first:border-l first:pl-0 max-[22.5rem]:odd:border-l-0 max-[22.5rem]:odd:pl-0 sm:pl-6"
          >
            <dt className="mt-1 text-quiet max-sm:text-xs sm:mt-2">
              <Link to={path} className="underline-offset-4 after:absolute after:inset-0 hover:underline">
                {what}
              </Link>
            </dt>
            <dd className="font-display text-2xl leading-none font-semibold tracking-tight tabular-nums sm:text-5xl lg:text-7xl">
              {figure}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
