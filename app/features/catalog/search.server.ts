import { sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { deviceVariants, phones } from "#app/db/schema.ts";
import type { Category } from "../listings/category.rules.ts";
import { cardColumns, type PhoneCardData, pageSize } from "../listings/phones.server.ts";
import { type ClosestModel, closestModels } from "./closest-models.server.ts";
import { keysetPage } from "./cursor.rules.ts";
import { type Choices, type FacetName, noFilters } from "./facets.rules.ts";
import { categoryFacetCounts, facetChoices, facetCountsOf, facetQueries } from "./facets.server.ts";
import { pageRowIds, type Search, variantsMatching } from "./matching.server.ts";
import type { SearchQuery } from "./search-query.rules.ts";
import { hasWords } from "./search-words.rules.ts";
import { correctedWords } from "./spelling.server.ts";

/** One page of a list, and what is said beside it. */
export interface SearchPage {
  phones: PhoneCardData[];
  /** Cursors of the previous and the next page, or null. */
  previous: string | null;
  next: string | null;
  /** Phones that match, counted to 1,001 at most. */
  count: number;
  choices: Choices;
  /** Facets whose counts are lower limits: too many phones match to count them all. */
  cappedFacets: FacetName[];
}

/** A page of a list, and what is offered where no phone has the words. */
export interface SearchResult extends SearchPage {
  /** The words that were searched for in place of those that were typed; null for the typed ones. */
  corrected: string | null;
  closestModels: ClosestModel[];
}

/**
 * One page of a category's list with its choices, in one round trip. Sold phones are not on it; reserved ones are.
 * Among phones of one price or saving the newest is the last going up and the first going down.
 */
export async function searchListings(db: Db, category: Category, query: SearchQuery): Promise<SearchPage> {
  const search = { category, query };
  const queries = facetQueries(search);
  const [rows, categoryRows, ...counts] = await db.batch([
    pageOf(db, search),
    categoryFacetCounts(db, search),
    ...queries.map((facetQuery) => facetCountsOf(db, facetQuery)),
  ]);
  const { order } = query;
  const { phones, ...around } = keysetPage(rows, query.cursor, lengthOf(query), (row) =>
    order === "newest" ? `${row.number}` : `${row.value}.${row.number}`,
  );
  return {
    phones: phones.map(({ value: _, number: __, ...phone }) => phone),
    ...around,
    ...facetChoices(query, queries, categoryRows, counts),
  };
}

/**
 * One page of a category's list. Where no phone of the category has the words, whatever the filters, misspelt words
 * are corrected unless the query is exact; where this does not help, models that are near are offered. A search that
 * finds something as typed takes one round trip, any other at most three.
 */
export async function searchWithCorrection(
  db: Db,
  category: Category,
  query: SearchQuery,
): Promise<SearchResult> {
  const page = { ...(await searchListings(db, category, query)), corrected: null, closestModels: [] };
  if (page.count > 0 || !hasWords(query.words)) return page;
  const [wordsExist, corrected] = await Promise.all([
    hasListedVariant(db, category, query),
    correctedWords(db, query.words),
  ]);
  if (wordsExist) return page;
  const words = corrected ?? query.words;
  const retry = corrected === null || query.exact ? null : { ...query, words };
  const [near, correctedPage, correctedExist] = await Promise.all([
    closestModels(db, category, words),
    retry && searchListings(db, category, retry),
    retry && hasListedVariant(db, category, retry),
  ]);
  return correctedPage && correctedExist
    ? { ...correctedPage, corrected, closestModels: [] }
    : { ...page, closestModels: near };
}

/** Whether a listed phone of a category has the words of a query, whatever its filters. */
async function hasListedVariant(db: Db, category: Category, query: SearchQuery): Promise<boolean> {
  const rows = await db
    .select({ id: deviceVariants.id })
    .from(deviceVariants)
    .where(variantsMatching({ category, query: { ...query, filters: noFilters } }))
    .limit(1);
  return rows.length > 0;
}

/** The cards of the page, and one more, which tells whether there is a further page. */
function pageOf(db: Db, search: Search) {
  const { rowIds, orderBy } = pageRowIds(search, lengthOf(search.query) + 1);
  return db
    .select({
      ...cardColumns,
      value: sql<number>`page.value`.as("value"),
      number: sql<number>`page.number`.as("page_number"),
    })
    .from(sql`(${rowIds}) as page`)
    .crossJoin(phones)
    .where(sql`phones.rowid = page.row_id`)
    .orderBy(...orderBy);
}

/** Phones on the page, with the further pages that stand below it. */
function lengthOf({ more }: SearchQuery): number {
  return pageSize * (1 + more);
}
