import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import type { TablePage } from "#app/db/page.ts";
import { type Column, Table } from "#app/ui/table.tsx";
import { TablePager } from "#app/ui/table-pager.tsx";

/** The specification's columns of both orders and sellings. */
export const deviceColumns: Column[] = [
  { label: "Name", breakAnywhere: true },
  { label: "Device Name", breakAnywhere: true },
  "Storage",
  "Price",
  "Action",
];

/** Reads the page number of a table from the query, starting at 1. */
export function pageNumber(request: Request): number {
  const page = Number(new URL(request.url).searchParams.get("page"));
  return Number.isSafeInteger(page) && page > 0 && page <= 1_000_000 ? page : 1;
}

/** A dashboard page with a table, its pager, and an empty state. */
export function DashboardTable<Row extends { id: string }>({
  title,
  intro,
  action,
  notice,
  columns,
  table,
  cells,
  empty,
}: {
  title: string;
  intro?: string;
  /** Beside the heading. */
  action?: ReactNode;
  /** Above the table, also if it is empty. */
  notice?: ReactNode;
  columns: Column[];
  table: TablePage<Row>;
  cells: (row: Row) => ReactNode[];
  empty: ReactNode;
}) {
  const { rows, page, pages, first } = table;
  return (
    <>
      <div
        className={`flex flex-wrap items-center justify-between gap-x-6 gap-y-3 ${intro && rows.length > 0 ? "mb-2" : "mb-6"}`}
      >
        <h1 className="text-3xl font-semibold">{title}</h1>
        {action}
      </div>
      {notice}
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
          This page is empty.{" "}
          <Link to="?" className="link">
            Go to the first page
          </Link>
        </p>
      )}
      {page <= pages && <TablePager page={page} pages={pages} />}
    </>
  );
}

export function Storage({ ram, rom }: { ram: string; rom: string }) {
  return (
    <>
      <span className="inline-block">{ram}</span> <span className="inline-block">{rom}</span>
    </>
  );
}

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
