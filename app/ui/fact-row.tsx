import type { ReactNode } from "react";

/** A term of a `<dl>` with its value. */
export function FactRow({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="flex break-inside-avoid justify-between gap-4 border-b border-base-300 py-2">
      <dt className="shrink-0 text-quiet">{term}</dt>
      <dd className="min-w-0 text-right font-medium wrap-anywhere">{children}</dd>
    </div>
  );
}
