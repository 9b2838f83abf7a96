import { useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { type Cursor, idKey, parseCursor } from "#app/db/cursor.ts";
import type { NumberedPage } from "#app/db/keyset.server.ts";
import { ActionError } from "#app/ui/action-error.tsx";
import { EmptyPage } from "#app/ui/empty-page.tsx";
import { CursorPager } from "#app/ui/pager.tsx";
import { type Column, Table } from "#app/ui/table.tsx";

/** The specification's columns of both orders and sellings. */
export const deviceColumns: Column[] = [
  { label: "Name", longWords: true },
  { label: "Device Name", longWords: true },
  "Storage",
  "Price",
  "Action",
];

/** The cursor of a table's page in the query. */
export function tableCursor(request: Request): Cursor {
  return parseCursor(new URL(request.url).searchParams, idKey);
}

/** A dashboard page with a table and its pager. An empty table shows `empty` below its columns. */
export function DashboardTable<Row extends { id: string }>({
  title,
  action,
  notice,
  columns,
  table: { rows, firstNumber, previous, next, isFirstPage },
  cells,
  empty,
}: {
  title: string;
  /** Beside the heading. */
  action?: ReactNode;
  /** Above the table, also if it is empty. */
  notice?: ReactNode;
  columns: Column[];
  table: NumberedPage<Row>;
  cells: (row: Row) => ReactNode[];
  empty: ReactNode;
}) {
  const { pathname } = useLocation();
  return (
    <>
      <div className="mb-6 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h1 className="text-3xl font-semibold">{title}</h1>
        {action}
      </div>
      <ActionError />
      {notice}
      <Table
        caption={title}
        columns={columns}
        firstNumber={firstNumber}
        rows={rows.map((row) => ({ key: row.id, cells: cells(row) }))}
        empty={isFirstPage ? empty : <EmptyPage firstPage={pathname} />}
      />
      <CursorPager path={pathname} previous={previous} next={next} />
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
