/** Rows by the names of their columns; of two of the same name each has its place, as SQLite would give it. */
export function namedRows(columns: string[], rows: ArrayLike<unknown>[]): Record<string, unknown>[] {
  const names: string[] = [];
  for (const column of columns) {
    let name = column;
    for (let copy = 1; names.includes(name); copy += 1) name = `${column}:${copy}`;
    names.push(name);
  }
  return rows.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index]])));
}
