import type { ReactNode } from "react";

/** A number with its name, for a `<dl>`. */
export function Stat({ term, value, note }: { term: string; value: ReactNode; note?: string }) {
  return (
    <div>
      <dt className="text-sm font-medium">{term}</dt>
      <dd className="font-display text-2xl font-semibold tabular-nums">{value}</dd>
      {note && <dd className="text-sm text-quiet tabular-nums">{note}</dd>}
    </div>
  );
}
