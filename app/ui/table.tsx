import type { ReactNode } from "react";
import { useHydrated } from "./hydrated.ts";

/**
 * A column heading; `longWords` if a word may be too long for the table, `numeric` to align figures, `rowHeader` if its
 * cells name their rows, `wide` if its cells take a card's whole width below their label. Words of up to 20 letters stay whole.
 */
export type Column =
  | string
  | {
      label: string;
      longWords?: true;
      numeric?: true;
      rowHeader?: true;
      wide?: true;
      /** On a card: nothing, or its cell alone without the label. */
      onCard?: "nothing" | "cell";
    };

/**
 * The rows become cards on a narrow screen. Without rows, `empty` stands below the columns.
 *
 * @param selectionForm the id of the form that gets the ids of the chosen rows; rows with a `label` can be chosen
 */
export function Table({
  caption,
  columns,
  firstNumber,
  rows,
  selectionForm,
  empty,
}: {
  caption: string;
  columns: Column[];
  firstNumber: number;
  rows: { key: string; label?: string | null; cells: ReactNode[] }[];
  selectionForm?: string;
  empty: ReactNode;
}) {
  const headings = columns.map((column) => (typeof column === "string" ? { label: column } : column));
  return (
    // The margin has room for what marks the focus.
    <div className="scroll-shadow -mx-2 -my-2 overflow-x-auto p-2">
      <table className="w-full text-left max-md:block">
        <caption className="sr-only">{caption}</caption>
        <thead className="max-md:sr-only">
          <tr className="border-b-2 border-base-content">
            <th scope="col" className="py-3 pr-3">
              <span className="sr-only">Number</span>
              {selectionForm && rows.some(({ label }) => label) && (
                <SelectAll form={selectionForm} rows={rows.map(({ key }) => key).join()} />
              )}
            </th>
            {headings.map(({ label, numeric }) => (
              <th
                key={label}
                scope="col"
                className={`px-3 py-3 font-semibold last:pr-0 ${numeric ? "text-right" : ""}`}
              >
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="max-md:grid max-md:gap-4">
          {rows.length === 0 && (
            <tr className="max-md:block">
              <td colSpan={columns.length + 1} className="py-6 max-md:block max-md:p-0">
                {empty}
              </td>
            </tr>
          )}
          {rows.map(({ key, label, cells }, row) => (
            <tr
              key={key}
              className="border-b border-base-300 has-aria-busy:opacity-60 max-md:grid max-md:gap-2 max-md:rounded-box max-md:border max-md:p-4"
            >
              <td
                // On a card, a number alone would say nothing.
                className={`py-3 pr-3 text-quiet tabular-nums max-md:p-0 ${selectionForm && label ? "" : "max-md:sr-only"}`}
              >
                {selectionForm && label ? (
                  <label className="-my-2 inline-flex min-h-11 cursor-pointer items-center gap-3 pr-1">
                    <input
                      type="checkbox"
                      form={selectionForm}
                      name="id"
                      value={key}
                      aria-label={`Select ${label}`}
                      className="size-5 shrink-0 accent-primary"
                    />
                    {firstNumber + row}
                  </label>
                ) : (
                  firstNumber + row
                )}
              </td>
              {cells.map((cell, index) => {
                const { label, longWords, numeric, rowHeader, wide, onCard } = headings[index] ?? {};
                const Cell = rowHeader ? "th" : "td";
                return (
                  <Cell
                    key={label}
                    scope={rowHeader && "row"}
                    className={`px-3 py-3 font-normal last:pr-0 max-md:p-0 ${
                      onCard === "nothing"
                        ? "max-md:hidden"
                        : wide || onCard
                          ? "max-md:block"
                          : "max-md:flex max-md:justify-between max-[22.5rem]:flex-wrap max-md:gap-x-4 max-md:text-right max-md:has-[button,img]:items-center"
                    } ${
                      longWords
                        ? "wrap-anywhere md:min-w-48 xl:min-w-52"
                        : "wrap-break-word max-md:wrap-anywhere"
                    } ${numeric ? "text-right tabular-nums" : ""}`}
                  >
                    {onCard !== "cell" && (
                      <span aria-hidden="true" className="shrink-0 text-quiet md:hidden">
                        {label}
                      </span>
                    )}
                    <div className="min-w-0 max-md:ml-auto">{cell}</div>
                  </Cell>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A checkbox for all rows, which needs JavaScript. */
function SelectAll({ form, rows }: { form: string; rows: string }) {
  const hydrated = useHydrated();
  if (!hydrated) return null;
  return (
    <input
      // Other rows are not chosen.
      key={rows}
      type="checkbox"
      aria-label="Select all rows"
      className="size-5 align-middle accent-primary"
      onChange={({ currentTarget: { checked } }) => {
        const selector = `input[type="checkbox"][form="${form}"]`;
        for (const box of document.querySelectorAll<HTMLInputElement>(selector)) box.checked = checked;
      }}
    />
  );
}
