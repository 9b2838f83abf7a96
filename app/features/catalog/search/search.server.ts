import { sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import type { Cursor } from "#app/db/cursor.ts";
import { keysetPage } from "#app/db/cursor.ts";
import { deviceVariants, phones } from "#app/db/schema.ts";
import { usualPriceColumn } from "../../listings/fair-price.server.ts";
import { cardColumns, type PhoneCardData } from "../../listings/phones.server.ts";
import type { Category } from "../category.rules.ts";
import { choicesOf, type FacetChoices, type FacetCounts, facets, noFilters } from "./facets.rules.ts";
import { countQueries, facetCounts, maxCountedListings } from "./facets.server.ts";
import { factsInNames, readAgain } from "./read-again.rules.ts";
import { isPriceRangeInverted, type SearchQuery } from "./search-query.rules.ts";
import { ftsQueryPerWord, hasWords, queryTerms } from "./search-words.rules.ts";
import { correctedWords } from "./spelling.server.ts";
import { pageRowIds, type Search, variantsMatching } from "./statements.server.ts";
import { otherGoods, pattern } from "./typed-words.rules.ts";
import { noNotes, type SearchNotes, understandQuery } from "./understand.rules.ts";

export interface SearchResultPage {
  phones: PhoneCardData[];
  /** The cursor that the page follows; null for the first page. */
  start: Cursor;
  previous: string | null;
  next: string | null;
  /** At most 1,001. */
  count: number;
  choices: FacetChoices;
}

interface SearchResult extends SearchResultPage {
  /** What was searched for: the words are those that name no filter. */
  category: Category;
  query: SearchQuery;
  /** The corrected words that were searched for; null if the words were not corrected. */
  corrected: string | null;
  notes: SearchNotes;
  closestModels: ClosestModel[];
  /** Whether the words name something that isn’t sold here, like a charger. */
  isOtherGood: boolean;
}

/**
 * Loads one page of a category's list with its filters, in one round trip. Sold phones are left out, reserved ones are
 * not. Among phones of the same price or saving, the newest is last in ascending order and first in descending order.
 */
export async function searchListings(
  db: Db,
  category: Category,
  query: SearchQuery,
): Promise<SearchResultPage> {
  const search = { category, query };
  const [rows, ...counted] = await db.batch([
    pageQuery(db, search),
    ...countQueries(search).map((countQuery) => facetCounts(db, countQuery)),
  ]);
  // The first comes last: it has the total.
  const counts: FacetCounts = Object.assign({}, ...counted.map(([row]) => row?.counts).reverse());
  const { sort } = query;
  const { rows: page, ...cursors } = keysetPage(rows, query.cursor, pageLength(query), (row) =>
    sort === "newest" ? `${row.number}` : `${row.value}.${row.number}`,
  );
  return {
    phones: page.map(({ value: _, number: __, ...phone }) => phone),
    ...cursors,
    count: Math.min(counts.all, maxCountedListings),
    choices: Object.fromEntries(
      facets.map((facet) => [facet.name, choicesOf(facet, counts[facet.name], query.filters[facet.name])]),
    ) as FacetChoices,
  };
}

/**
 * Loads one page of a category's list, as what was typed is understood. If nothing is found so, words that no list filters
 * by are left out ("with box"), and the words are looked for as they are ("black shark"). If no phone of the category has
 * them, whatever the filters, misspelt words are corrected unless the query is exact; if that does not help, similar
 * models are suggested. Takes one round trip if phones are found at once, otherwise at most four.
 */
export async function searchWithCorrection(
  db: Db,
  askedCategory: Category,
  asked: SearchQuery,
): Promise<SearchResult> {
  const { category, query, notes } = understandQuery(askedCategory, asked);
  const isOtherGood = asked.words.match(goods()) !== null;
  const found = { category, query, corrected: null, notes, closestModels: [], isOtherGood };
  const page = { ...(await searchListings(db, category, query)), ...found };
  if (page.count > 0) return { ...page, notes: { ...notes, onlyInNames: factsInNames(query.words) } };
  if (!hasWords(asked.words)) return page;
  const again = asked.exact ? null : readAgain(asked, query);
  if (again) {
    const result = await searchWithCorrection(db, askedCategory, { ...asked, words: again.words });
    const leftOut = [...again.leftOut, ...result.notes.leftOut];
    const otherModels = [...again.otherModels, ...result.notes.otherModels];
    return { ...result, notes: { ...result.notes, leftOut, otherModels } };
  }
  const [literal, wordsExist, corrected] = await Promise.all([
    query.words === asked.words ? null : searchListings(db, askedCategory, asked),
    hasWords(query.words) && hasListedVariant(db, category, query),
    correctedWords(db, query.words),
  ]);
  if (literal && literal.count > 0) {
    return { ...literal, ...found, category: askedCategory, query: asked, notes: noNotes };
  }
  if (!hasWords(query.words) || isPriceRangeInverted(query)) return page;
  const words = corrected ?? query.words;
  const retry = wordsExist || corrected === null || query.exact ? null : { ...query, words };
  const [closest, correctedPage] = await Promise.all([
    isOtherGood ? [] : closestModels(db, category, words),
    retry && searchListings(db, category, retry),
  ]);
  return correctedPage
    ? { ...correctedPage, ...found, corrected, closestModels: correctedPage.count > 0 ? [] : closest }
    : { ...page, closestModels: closest };
}

async function hasListedVariant(db: Db, category: Category, query: SearchQuery): Promise<boolean> {
  const rows = await db
    .select({ id: deviceVariants.id })
    .from(deviceVariants)
    .where(variantsMatching({ category, query: { ...query, filters: noFilters } }))
    .limit(1);
  return rows.length > 0;
}

/** Reads one phone more than the page shows, to know whether there is a next page. */
function pageQuery(db: Db, search: Search) {
  const { rowIds, orderBy } = pageRowIds(search, pageLength(search.query) + 1);
  return db
    .select({
      ...cardColumns,
      usualCents: usualPriceColumn(db),
      value: sql<number>`page.value`.as("value"),
      number: sql<number>`page.number`.as("page_number"),
    })
    .from(sql`(${rowIds}) as page`)
    .crossJoin(phones)
    .where(sql`phones.rowid = page.row_id`)
    .orderBy(...orderBy);
}

function pageLength({ extraPages }: SearchQuery): number {
  return pageSize * (1 + extraPages);
}

export interface ClosestModel {
  name: string;
  slug: string;
  count: number;
}

const maxModels = 6;
const maxVariants = 20_000;
/** Best matches whose phones are counted. */
const maxRanked = 100;

const goods = pattern(otherGoods);

/** Shorter words are in many names: "pro", "max". */
const minLetters = 4;

/**
 * Finds the models that have the first word with a letter or a longer one, those with most of the words first, then those
 * of the category and those with most listings. A number alone says nothing: a Nokia 13 is no iPhone 13.
 */
async function closestModels(db: Db, { key }: Category, words: string): Promise<ClosestModel[]> {
  const typed = queryTerms(words);
  const matches = ftsQueryPerWord(typed);
  const first = Math.max(
    typed.findIndex((word) => /\p{L}/u.test(word)),
    0,
  );
  const telling = typed.flatMap((word, at) =>
    at === first || (word.match(/\p{L}/gu)?.length ?? 0) >= minLetters ? [at] : [],
  );
  const inCategory = key === "products" ? sql`true` : sql`device_variants.category = ${key}`;
  // SQLite takes brand and model from the row of the only max().
  const models = sql`
    with found as (
      select device_variants_fts.rowid as id, word.key as word
      from json_each(${JSON.stringify(matches)}) as word cross join device_variants_fts
      where device_variants_fts match word.value limit ${maxVariants}),
    variants as (select id, count(*) as words from found group by id having max(word in (select value from json_each(${JSON.stringify(telling)})))),
    models as materialized (
      select model_slug as slug, max(words) as words, max(${inCategory}) as own
      from variants join device_variants using (id) where listed > 0 and model_slug <> ''
      group by model_slug order by words desc, own desc, sum(listed) desc limit ${maxRanked})
    select brand || ' ' || model as name, slug, sum(listed) as count, words, own, max(listed)
    from models cross join device_variants on model_slug = slug where listed > 0
    group by slug order by words desc, own desc, 3 desc, slug limit ${maxModels}`;
  return db
    .select({ name: sql<string>`name`, slug: sql<string>`slug`, count: sql<number>`count` })
    .from(sql`(${models}) as models`)
    .orderBy(sql`words desc, own desc, count desc, slug`);
}

export const pageSize = 24;
