const tablePageSize = 25;

export interface TablePage<Row> {
  rows: Row[];
  page: number;
  pages: number;
  first: number;
}

export function pageSlice(page: number): { limit: number; offset: number } {
  return { limit: tablePageSize, offset: (page - 1) * tablePageSize };
}

export function tablePage<Row>(rows: Row[], page: number, count: number): TablePage<Row> {
  return {
    rows,
    page,
    pages: Math.max(1, Math.ceil(count / tablePageSize)),
    first: pageSlice(page).offset + 1,
  };
}

/** A page of a list that is sorted by id, newest first: the rows after a cursor, or the first rows. */
export interface CursorRange {
  after: string | null;
  limit: number;
}
