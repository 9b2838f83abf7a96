import { brand } from "#app/brand.ts";

const figures = [
  { figure: "5.6K", what: "Registrations" },
  { figure: "2.6M", what: "Page views" },
  { figure: "86%", what: "Delivery successful" },
  { figure: "31", what: "Remaining" },
];

export function Stats() {
  return (
    <section aria-labelledby="stats" className="relative border-t-4 border-base-content bg-base-200">
      <h2 id="stats" className="sr-only">
        {`${brand.name} in figures`}
      </h2>
      <dl className="page-width grid grid-cols-2 gap-y-8 py-10 sm:py-12 lg:grid-cols-4">
        {figures.map(({ figure, what }) => (
          <div
            key={what}
            className="flex flex-col-reverse justify-end border-base-300 pl-4 sm:pl-6 max-lg:odd:pl-0 max-lg:even:border-l lg:not-first:border-l lg:first:pl-0"
          >
            <dt className="mt-2 text-quiet">{what}</dt>
            <dd className="font-display text-5xl leading-none font-semibold tracking-tight tabular-nums sm:text-6xl lg:text-7xl">
              {figure}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
