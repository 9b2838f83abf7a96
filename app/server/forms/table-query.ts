import { dayMs } from "#app/time.ts";
import { maxPriceLength, parsePrice, unreadPriceText } from "./parse-price.ts";
import { cutLine, singleLine } from "./sanitize-text.ts";

/** A filter of a table: its parameter in the URL and its field in the form, which has none for a tab. */
export type TableFilter = { name: string; label: string; isTab?: true } & (
  | { kind: "words" }
  /** `any` is the label of no choice. */
  | { kind: "choice"; choices: Readonly<Record<string, string>>; any?: string }
  | { kind: "date" | "price" }
);

/** The filters and sort orders of a table. The first sort order is the default. */
export interface TableDefinition {
  filters: readonly TableFilter[];
  sorts: Readonly<Record<string, string>>;
}

/** The filters and sort orders of tables whose rows have a time alone to sort by. */
export const timeFilters = [
  { name: "from", label: "From", kind: "date" },
  { name: "to", label: "To", kind: "date" },
] as const;
export const timeSorts = { newest: "Newest first", oldest: "Oldest first" } as const;

/** The sort orders of tables whose rows have a price, too. */
export const priceSorts = {
  ...timeSorts,
  "price-up": "Price: low to high",
  "price-down": "Price: high to low",
} as const;

type ValueOf<Filter> = Filter extends { choices: infer Choices } ? keyof Choices & string : string;

/** The chosen filters and sort order of a table, as its URL describes them. */
export interface TableQuery<Table extends TableDefinition> {
  filters: { [Filter in Table["filters"][number] as Filter["name"]]?: ValueOf<Filter> };
  sort?: keyof Table["sorts"] & string;
}

const maxLength = 100;

/** Parses a query string; invalid parameters are ignored, except prices, which the form shows as they were typed. */
export function parseTableQuery<const Table extends TableDefinition>(
  { filters, sorts }: Table,
  parameters: URLSearchParams,
): TableQuery<Table> {
  const chosen = filters.flatMap((filter) => {
    const value = parseValue(filter, parameters.get(filter.name) ?? "");
    return value ? [[filter.name, value]] : [];
  });
  const [byDefault] = Object.keys(sorts);
  const sort = parameters.get("sort") ?? "";
  const isOther = Object.hasOwn(sorts, sort) && sort !== byDefault;
  return { filters: Object.fromEntries(chosen), ...(isOther && { sort }) } as TableQuery<Table>;
}

function parseValue(filter: TableFilter, typed: string): string | null {
  // The database cannot store NUL, and a text ends at it.
  const words = singleLine(typed.replaceAll("\0", ""));
  // By characters, since half of one could not be in a URL.
  const text = [...words].slice(0, maxLength).join("").trim();
  switch (filter.kind) {
    case "words":
      return text;
    case "choice":
      return Object.hasOwn(filter.choices, text) ? text : null;
    case "date":
      return isDate(text) ? text : null;
    case "price": {
      const cents = parsePrice(text);
      return cents === null ? cutLine(text, maxPriceLength) : String(cents / 100);
    }
  }
}

function isDate(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // "2026-02-30" would be in March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** What a filter says whose price cannot be read, so that it leaves out nothing; null if it can be. */
export function unparsedFilterText({ kind, label }: TableFilter, value: string | undefined): string | null {
  return kind === "price" && value && parsePrice(value) === null ? unreadPriceText(label, value) : null;
}

/** The query string with its question mark, in a fixed order and without defaults; or empty. */
export function tableSearch<Table extends TableDefinition>(
  { filters }: Table,
  query: { filters: Partial<Record<string, string>>; sort?: string },
): string {
  const parameters = new URLSearchParams();
  for (const { name } of filters) {
    const value = query.filters[name];
    if (value) parameters.set(name, value);
  }
  if (query.sort) parameters.set("sort", query.sort);
  return parameters.size > 0 ? `?${parameters}` : "";
}

/** The query with its tab alone; the same query if it has no other filters. */
export function withoutFilters<Query extends { filters: Partial<Record<string, string>>; sort?: string }>(
  { filters }: TableDefinition,
  query: Query,
): Query {
  const isFilter = filters.some(({ name, isTab }) => !isTab && query.filters[name]);
  if (!isFilter) return query;
  const tabs = filters.flatMap(({ name, isTab }) =>
    isTab && query.filters[name] ? [[name, query.filters[name]]] : [],
  );
  return { filters: Object.fromEntries(tabs) } as Query;
}

/** The times at which the days of a range begin and end, in UTC. */
export function dayRange({ from, to }: { from?: string; to?: string }): { from?: Date; before?: Date } {
  return {
    ...(from && { from: new Date(`${from}T00:00:00Z`) }),
    ...(to && { before: new Date(Date.parse(`${to}T00:00:00Z`) + dayMs) }),
  };
}
