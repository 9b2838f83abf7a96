import type { ReactNode } from "react";

/**
 * A table that stays readable on a narrow screen, where each row becomes a card with its columns' names.
 *
 * @param columns the column heads, in order; the first is the row's number
 */
export function Table({
  caption,
  columns,
  rows,
}: {
  caption: string;
  columns: string[];
  rows: { key: string; cells: ReactNode[] }[];
}) {
  return (
    <table className="w-full text-left max-md:block">
      <caption className="sr-only">{caption}</caption>
      <thead className="max-md:sr-only">
        <tr className="border-b-2 border-base-content">
          {columns.map((column) => (
            <th key={column} scope="col" className="px-3 py-3 font-semibold first:pl-0 last:pr-0">
              {column || <span className="sr-only">Number</span>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-md:grid max-md:gap-4">
        {rows.map(({ key, cells }) => (
          <tr
            key={key}
            className="border-b border-base-300 max-md:grid max-md:gap-2 max-md:rounded-box max-md:border max-md:p-4"
          >
            {cells.map((cell, index) => (
              <td
                key={columns[index]}
                className="min-w-0 px-3 py-3 wrap-anywhere first:pl-0 last:pr-0 max-md:flex max-md:justify-between max-md:gap-4 max-md:p-0 max-md:text-right"
              >
                <span aria-hidden="true" className="text-quiet md:hidden">
                  {columns[index]}
                </span>
                <span className="min-w-0">{cell}</span>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
