interface Bar {
  key: string;
  value: number;
  /** Below the bar. */
  tick?: string;
}

const [width, top, bottom] = [400, 20, 140];
/** Left of the bars, for the zero of their scale. */
const margin = 24;
/** Of a chart of a few bars, so that one alone does not look like a background. */
const widestBar = 50;

/**
 * Bars from zero to the highest value. Screen readers get the title and the description instead; show the figures as
 * text too, since the description only sums up.
 */
export function BarChart({
  title,
  description,
  bars,
  valueLabel,
}: {
  title: string;
  description: string;
  bars: readonly Bar[];
  /** Writes the highest value beside its line. */
  valueLabel: (value: number) => string;
}) {
  const highest = Math.max(0, ...bars.map(({ value }) => value));
  const step = width / bars.length;
  const barWidth = Math.min(widestBar, step - Math.min(10, step / 4));
  const height = (value: number) => (highest > 0 ? (value / highest) * (bottom - top) : 0);
  return (
    <figure className="mt-2 w-full max-w-lg">
      <figcaption className="sr-only">{`${title}: ${description}`}</figcaption>
      <svg viewBox={`${-margin} 0 ${width + margin} 165`} aria-hidden="true">
        {highest > 0 && (
          <>
            <path d={`M0 ${top}H${width}M0 ${(top + bottom) / 2}H${width}`} className="stroke-base-300" />
            <text x={-margin} y={top - 6} className="fill-current text-xs">
              {valueLabel(highest)}
            </text>
            <text x={-margin} y={bottom + 4} className="fill-current text-xs">
              {valueLabel(0)}
            </text>
          </>
        )}
        {bars.map(({ key, value, tick }, index) => (
          <g key={key}>
            {value > 0 && (
              <rect
                x={round((index + 0.5) * step - barWidth / 2)}
                y={round(bottom - height(value))}
                width={round(barWidth)}
                height={round(height(value))}
                rx={step > 12 ? 3 : 0}
                className="fill-success forced-colors:fill-current"
              />
            )}
            {tick && (
              <text {...tickPosition(index, bars.length)} y="158" className="fill-current text-xs">
                {tick}
              </text>
            )}
          </g>
        ))}
        <path d={`M0 ${bottom}H${width}`} className="stroke-current" />
      </svg>
    </figure>
  );
}

/** Those at the ends of narrow bars are wider than their bars. */
function tickPosition(index: number, count: number) {
  const step = width / count;
  if (step < 33 && index === 0) return { x: 0, textAnchor: "start" } as const;
  if (step < 33 && index === count - 1) return { x: width, textAnchor: "end" } as const;
  return { x: round((index + 0.5) * step), textAnchor: "middle" } as const;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
