import { Form, useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import type { NumberedPage } from "#app/db/keyset.server.ts";
import { tableSearch, withoutFilters } from "#app/server/forms/table-query.ts";
import { EmptyPage, EmptyState } from "#app/ui/empty-state.tsx";
import { ActionError } from "#app/ui/error-box.tsx";
import { SearchIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { CursorPager } from "#app/ui/pager.tsx";
import { type Column, Table } from "#app/ui/table.tsx";
import { useMay } from "../accounts/use-may.ts";
import { TableFilters, type TableState } from "./table-filters.tsx";

/** A dashboard page with a table and its pager. An empty table shows `empty` below its columns. */
export function DashboardTable<Row extends { id: string }>({
  title,
  action,
  notice,
  filters,
  kept = "",
  isExported = true,
  bulk,
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
  filters?: TableState;
  /** Without filters, the query string that all pages of the table have. */
  kept?: string;
  /** Whether there is a CSV of the table. */
  isExported?: boolean;
  bulk?: {
    /** The page that the chosen rows of one's own lead to; by default that of administrators. */
    action?: string;
    method?: "post";
    /** What to do with the chosen rows. */
    buttons: ReactNode;
    /** What a row is called; null if it cannot be chosen. */
    label: (row: Row) => string | null;
  };
  columns: Column[];
  table: NumberedPage<Row>;
  cells: (row: Row) => ReactNode[];
  empty: ReactNode;
}) {
  const { pathname, search } = useLocation();
  const may = useMay();
  const selection = bulk?.action || may("change in bulk") ? bulk : undefined;
  const path = filters ? pathname + tableSearch(filters.table, filters.query) : pathname + kept;
  const all = filters && withoutFilters(filters.table, filters.query);
  const clearedPath = all && all !== filters.query ? pathname + tableSearch(filters.table, all) : null;
  return (
    <>
      <div className="mb-6 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h1 className="text-3xl font-semibold">{title}</h1>
        {action}
      </div>
      <ActionError />
      {notice}
      {filters && <TableFilters {...filters} />}
      {filters && rows.length > 0 && (
        <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
          {isExported && may("export tables") && (
            <a
              href={`${pathname.replace(/\/+$/, "")}.csv${path.slice(pathname.length)}`}
              className="link py-2"
            >
              Download CSV
            </a>
          )}
          {clearedPath && (
            <Link to={clearedPath} className="link py-2">
              Clear filters
            </Link>
          )}
        </div>
      )}
      <div className="group">
        <Table
          caption={title}
          columns={columns}
          firstNumber={firstNumber}
          rows={rows.map((row) => ({ key: row.id, label: selection?.label(row), cells: cells(row) }))}
          selectionForm={selection && selectionForm}
          empty={
            !isFirstPage ? (
              <EmptyPage firstPage={path} />
            ) : clearedPath ? (
              <NoMatches clearedPath={clearedPath} />
            ) : (
              empty
            )
          }
        />
        {selection && rows.length > 0 && (
          <SelectionForm
            action={selection.action}
            method={selection.method}
            buttons={selection.buttons}
            back={pathname + search}
          />
        )}
      </div>
      <CursorPager
        path={path}
        previous={previous}
        next={next}
        rows={{ first: firstNumber, end: firstNumber + rows.length }}
      />
    </>
  );
}

const selectionForm = "selection";

/** The chosen rows lead to a page that asks for confirmation, or for what to write. Shown once one is chosen, and then in view below long tables. */
function SelectionForm({
  action = "/manage/selected",
  method = "get",
  buttons,
  back,
}: {
  action: string | undefined;
  method: "get" | "post" | undefined;
  buttons: ReactNode;
  back: string;
}) {
  return (
    <Form
      id={selectionForm}
      method={method}
      action={action}
      className="sticky bottom-0 z-10 -mx-4 hidden flex-wrap group-has-[input:checked]:flex gap-2 border-t border-base-300 bg-base-100 px-4 py-3 sm:mx-0 sm:px-0"
    >
      <input type="hidden" name="back" value={back} />
      {buttons}
    </Form>
  );
}

function NoMatches({ clearedPath }: { clearedPath: string }) {
  return (
    <EmptyState
      icon={<SearchIcon className="size-10" />}
      title="No matches"
      text="Try fewer filters, or clear them all."
    >
      <Link to={clearedPath} className="btn btn-primary">
        Clear filters
      </Link>
    </EmptyState>
  );
}
