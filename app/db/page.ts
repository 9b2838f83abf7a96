/** Rows on one page of a table. */
const tablePageSize = 25;

/** One page of a table: its rows, and where it stands among the others. */
export interface TablePage<Row> {
  rows: Row[];
  /** From 1. */
  page: number;
  pages: number;
  /** The number of the first row among all, from 1. */
  first: number;
}

/** Where a page's rows begin and how many there are at most. */
export function pageSlice(page: number): { limit: number; offset: number } {
  return { limit: tablePageSize, offset: (page - 1) * tablePageSize };
}

/** Puts a page together from its rows and the number of all rows. */
export function tablePage<Row>(rows: Row[], page: number, count: number): TablePage<Row> {
  return {
    rows,
    page,
    pages: Math.max(1, Math.ceil(count / tablePageSize)),
    first: pageSlice(page).offset + 1,
  };
}

/** A stretch of a list that is ordered by key, newest first: what follows one key, or the beginning. */
export interface PageRequest {
  after: string | null;
  limit: number;
}
