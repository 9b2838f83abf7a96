import { asc, desc, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { phones } from "#app/db/schema.ts";
import type { Category } from "../phones/category.rules.ts";
import { cardColumns, type PhoneCardData, pageSize } from "../phones/phones.server.ts";
import type { Choices, FacetName } from "./facets.rules.ts";
import { categoryCounts, choicesFrom, countsOf, scansFor } from "./facets.server.ts";
import { listingsMatching, type Search } from "./matching.server.ts";
import type { PageMark } from "./page-mark.rules.ts";
import type { SearchOrder, SearchQuery } from "./search-query.rules.ts";

/** One page of a list, and what is said beside it. */
export interface SearchPage {
  phones: PhoneCardData[];
  /** The marks of the pages around it, where there are any. */
  previous: string | null;
  next: string | null;
  /** Phones that match, counted to 1,001 at most. */
  count: number;
  choices: Choices;
  /** Facets whose counts are lower limits: too many phones match to count them all. */
  cappedFacets: FacetName[];
}

const orders: Record<SearchOrder, { value: SQL; ascending: boolean }> = {
  newest: { value: sql`number`, ascending: false },
  "price-up": { value: sql`selling_cents`, ascending: true },
  "price-down": { value: sql`selling_cents`, ascending: false },
  saving: { value: sql`saving_cents`, ascending: false },
};

/**
 * One page of a category's list with its choices, in one round trip. Sold phones are not on it; reserved ones are.
 * Among phones of one price or saving the newest is the last going up and the first going down.
 */
export async function searchListings(db: Db, category: Category, query: SearchQuery): Promise<SearchPage> {
  const search = { category, query };
  const scans = scansFor(search);
  const [rows, known, ...counts] = await db.batch([
    pageOf(db, search),
    categoryCounts(db, search),
    ...scans.map((scan) => countsOf(db, scan)),
  ]);
  const { mark, order } = query;
  const backwards = isBackwards(mark);
  const length = lengthOf(query);
  const more = rows.length > length;
  const page = rows.slice(0, length);
  if (backwards) page.reverse();
  const [first, last] = [page.at(0), page.at(-1)].map(
    (row) => row && (order === "newest" ? `${row.number}` : `${row.value}.${row.number}`),
  );
  return {
    phones: page.map(({ value: _, number: __, ...phone }) => phone),
    previous: (backwards ? more : mark !== null) ? (first ?? null) : null,
    next: (backwards ? true : more) ? (last ?? null) : null,
    ...choicesFrom(query, scans, known, counts),
  };
}

/** The cards of the page, and one more, which tells whether there is a further page. */
function pageOf(db: Db, search: Search) {
  const { order, mark } = search.query;
  const { value, ascending } = orders[order];
  const direction = ascending !== isBackwards(mark) ? asc : desc;
  const places = listingsMatching(search, {
    columns: sql`phones.rowid as place, ${value} as value, number`,
    where: afterMark(search.query, direction),
    orderBy:
      order === "newest" ? direction(sql`number`) : sql`${direction(value)}, ${direction(sql`number`)}`,
    limit: lengthOf(search.query) + 1,
  });
  return db
    .select({
      ...cardColumns,
      value: sql<number>`page.value`.as("value"),
      number: sql<number>`page.number`.as("page_number"),
    })
    .from(sql`(${places}) as page`)
    .crossJoin(phones)
    .where(sql`phones.rowid = page.place`)
    .orderBy(direction(sql`page.value`), direction(sql`page.number`));
}

function afterMark({ order, mark }: SearchQuery, direction: typeof asc | typeof desc): SQL | undefined {
  if (mark === null) return undefined;
  const [number, value] = ("after" in mark ? mark.after : mark.before).split(".").map(Number).toReversed();
  const than = direction === asc ? sql`>` : sql`<`;
  if (order === "newest") return sql`number ${than} ${number}`;
  return value === undefined
    ? undefined
    : sql`(${orders[order].value}, number) ${than} (${value}, ${number})`;
}

/** Phones on the page, with the further pages that stand below it. */
function lengthOf({ more }: SearchQuery): number {
  return pageSize * (1 + more);
}

function isBackwards(mark: PageMark): boolean {
  return mark !== null && "before" in mark;
}
