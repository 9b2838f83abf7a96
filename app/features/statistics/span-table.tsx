import { ChevronDownIcon } from "#app/ui/icons.tsx";
import { measureLabels, measureValueLabel, spanLabel, unitLabels } from "./number-labels.ts";
import { type Counts, measures, type NumbersQuery, type Span } from "./numbers.rules.ts";

/** The figures of all charts, newest first. */
export function SpanTable({
  spans,
  totals,
  query: { days, by },
}: {
  spans: Span[];
  totals: Counts;
  query: NumbersQuery;
}) {
  return (
    <details className="group mt-6">
      <summary className="flex min-h-11 items-center gap-2 font-medium text-primary">
        Show the figures as a table
        <ChevronDownIcon className="size-4 transition-transform group-open:rotate-180" />
      </summary>
      {/* Focusable, so that the keyboard scrolls it. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls */}
      <section aria-label="Figures" tabIndex={0} className="scroll-shadow overflow-x-auto">
        <table className="w-full text-left text-sm tabular-nums">
          <caption className="sr-only">{`Figures by ${by}, last ${days} days`}</caption>
          <thead>
            <tr className="border-b-2 border-base-content">
              <th scope="col" className="sticky left-0 bg-base-100 py-2 pr-3 font-semibold">
                {unitLabels[by]}
              </th>
              {measures.map((measure) => (
                <th key={measure} scope="col" className="py-2 pl-3 text-right font-semibold">
                  {measureLabels[measure]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {spans.toReversed().map((span) => (
              <Row key={span.from} label={spanLabel(span)} counts={span} />
            ))}
          </tbody>
          <tfoot className="font-semibold">
            <Row label="Total" counts={totals} />
          </tfoot>
        </table>
      </section>
    </details>
  );
}

function Row({ label, counts }: { label: string; counts: Counts }) {
  return (
    <tr className="border-b border-base-300 last:border-0">
      <th
        scope="row"
        className="sticky left-0 min-w-28 bg-base-100 py-1.5 pr-3 font-medium text-balance sm:whitespace-nowrap"
      >
        {label}
      </th>
      {measures.map((measure) => (
        <td key={measure} className="py-1.5 pl-3 text-right">
          {measureValueLabel(measure)(counts[measure])}
        </td>
      ))}
    </tr>
  );
}
