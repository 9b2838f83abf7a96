import { priceLabel } from "./money.rules.ts";
import { hasWords } from "./shelf-match.rules.ts";
import { firstPage, type ShelfQuery } from "./shelf-query.rules.ts";

/** Something that leaves phones of a shelf out. */
export interface AppliedFilter {
  label: string;
  /** What is left to ask when it is taken away, from the first page. */
  without: ShelfQuery;
}

/** Everything that a query filters by, each with the query that has all but it. */
export function appliedFilters(query: ShelfQuery): AppliedFilter[] {
  const all: AppliedFilter[] = [];
  const add = (label: string, change: Partial<ShelfQuery>) =>
    all.push({ label, without: firstPage({ ...query, ...change }) });
  const addEach = (kind: "brands" | "storage" | "ram" | "conditions", suffix: string) => {
    for (const value of query[kind]) {
      add(value + suffix, { [kind]: query[kind].filter((other) => other !== value) });
    }
  };
  // Straight quotes: a curly one would have the text of the whole page held in two bytes a letter.
  if (hasWords(query.words)) add(`"${query.words}"`, { words: "" });
  addEach("brands", "");
  addEach("storage", " storage");
  addEach("ram", " RAM");
  addEach("conditions", " condition");
  if (query.fromCents !== null) add(`From ${priceLabel(query.fromCents)}`, { fromCents: null });
  if (query.toCents !== null) add(`Up to ${priceLabel(query.toCents)}`, { toCents: null });
  if (query.verifiedOnly) add("Verified sellers only", { verifiedOnly: false });
  if (query.availableOnly) add("Available only", { availableOnly: false });
  return all;
}

/** The whole shelf, in the order that was asked for. */
export function withoutFilters(query: ShelfQuery): ShelfQuery {
  return {
    ...firstPage(query),
    words: "",
    brands: [],
    storage: [],
    ram: [],
    conditions: [],
    fromCents: null,
    toCents: null,
    verifiedOnly: false,
    availableOnly: false,
  };
}
