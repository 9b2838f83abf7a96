export type CsvValue = string | Date | null;

/** What spreadsheets would run as a formula, also after white space and in full-width characters. */
const formula = /^[\t\r\n]|^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/;

/** The same within a text: a spreadsheet that separates cells by semicolons or tabs begins one there. */
const innerFormula = /([;\t\r\n]\s*)(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;

const innerApostrophe = /([;\t\r\n]\s*)'(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;

/** A text as `csvLines` writes it into a cell. */
export function csvCell(text: string): string {
  const cell = text.replace(innerFormula, "$1'");
  return formula.test(cell) ? `'${cell}` : cell;
}

/** The text of a cell that `csvCell` has written, or somebody else. */
export function textOfCell(cell: string): string {
  const text = cell.replace(innerApostrophe, "$1");
  return text.startsWith("'") && formula.test(text.slice(1)) ? text.slice(1) : text;
}

/** Lines of CSV whose cells no spreadsheet takes for formulas. */
export async function csvLines(rows: CsvValue[][]): Promise<string> {
  // Loaded on demand: few requests need it.
  const { default: Papa } = await import("papaparse");
  const texts = rows.map((row) =>
    row.map((value) => (value instanceof Date ? value.toISOString() : value?.replace(innerFormula, "$1'"))),
  );
  return `${Papa.unparse(texts, { newline: "\r\n", escapeFormulae: formula })}\r\n`;
}
