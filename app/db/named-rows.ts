/** Rows as objects. Columns of the same name are renamed as SQLite does in a subquery: `id`, `id:1`. */
export function namedRows(columns: string[], rows: ArrayLike<unknown>[]): Record<string, unknown>[] {
  const names: string[] = [];
  for (const column of columns) {
    let name = column;
    for (let copy = 1; names.includes(name); copy += 1) name = `${column}:${copy}`;
    names.push(name);
  }
  return rows.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index]])));
}
