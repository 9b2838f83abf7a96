import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import type { TablePage } from "#app/db/page.ts";
import { type Column, Table } from "#app/ui/table.tsx";
import { TablePager } from "#app/ui/table-pager.tsx";

/** The columns of orders and of sellings, which the specification has alike. */
export const deviceColumns: Column[] = [
  { label: "Name", loose: true },
  { label: "Device Name", loose: true },
  "Storage",
  "Price",
  "Action",
];

/** The page of a table that a request asks for, from 1; anything but a page number asks for the first. */
export function pageNumber(request: Request): number {
  const page = Number(new URL(request.url).searchParams.get("page"));
  return Number.isSafeInteger(page) && page > 0 && page <= 1_000_000 ? page : 1;
}

/**
 * A page of the dashboard: its heading, a page of its table with the rows numbered through, and the way to the
 * table's other pages.
 *
 * @param intro what can be done with the rows, when there are some
 * @param empty stands in for a table without any rows
 */
export function ManagedTable<Row extends { id: string }>({
  title,
  intro,
  columns,
  table,
  cells,
  empty,
}: {
  title: string;
  intro?: string;
  columns: Column[];
  table: TablePage<Row>;
  cells: (row: Row) => ReactNode[];
  empty: ReactNode;
}) {
  const { rows, page, pages, first } = table;
  return (
    <>
      <h1 className={`text-3xl font-semibold ${intro && rows.length > 0 ? "mb-2" : "mb-6"}`}>{title}</h1>
      {intro && rows.length > 0 && <p className="mb-6 text-quiet">{intro}</p>}
      {rows.length > 0 ? (
        <Table
          caption={title}
          columns={columns}
          first={first}
          rows={rows.map((row) => ({ key: row.id, cells: cells(row) }))}
        />
      ) : page === 1 ? (
        empty
      ) : (
        <p>
          There is nothing on this page.{" "}
          <Link to="?" className="link">
            Back to the first
          </Link>
        </p>
      )}
      {page <= pages && <TablePager page={page} pages={pages} />}
    </>
  );
}

/** What a device holds; where there is no room for it in one line, it breaks between the two. */
export function Storage({ ram, rom }: { ram: string; rom: string }) {
  return (
    <>
      <span className="inline-block">{ram}</span> <span className="inline-block">{rom}</span>
    </>
  );
}

/** An email address; where there is no room for it in one line, it breaks behind the @ first. */
export function Address({ email }: { email: string }) {
  const end = email.indexOf("@") + 1;
  return (
    <>
      {email.slice(0, end)}
      <wbr />
      {email.slice(end)}
    </>
  );
}
