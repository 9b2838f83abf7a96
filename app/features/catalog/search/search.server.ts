import { sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { type Cursor, keysetPage } from "#app/db/cursor.ts";
import { deviceName, foldedWords } from "../../listings/device-variant.rules.ts";
import { spellingsOf } from "../../listings/device-variants.server.ts";
import type { ListingCardData } from "../../listings/listings.server.ts";
import type { Category } from "../category.rules.ts";
import type { ClosestModel, NearestMatches } from "../nearest.server.ts";
import type { SearchNotes } from "../search-notes.rules.ts";
import { choicesOf, type FacetChoices, type FacetCounts, type Filters, facets } from "./facets.rules.ts";
import { facetCountQueries, facetCounts, maxCountedListings } from "./facets.server.ts";
import { isFiltered, isPriceRangeInverted, type SearchQuery, searchString } from "./search-query.rules.ts";
import { ftsQuery, hasWords, modelTerms } from "./search-words.rules.ts";
import { searchPageQuery } from "./statements.server.ts";
import type { UnderstoodQuery } from "./understand.rules.ts";

export const pageSize = 24;

/** The Worker starts without the tables of what people type. */
const loadUnderstanding = () => import("./understand.rules.ts");

export interface SearchResultPage {
  /** Those of the query, with brands as they are spelled in the catalog. */
  filters: Filters;
  phones: ListingCardData[];
  /** The cursor that the page follows; null for the first page. */
  start: Cursor;
  previous: string | null;
  next: string | null;
  /** At most 1,001. */
  count: number;
  /** Whether a listed device has the words and the filters of devices, whatever the other filters. */
  hasDevices: boolean;
  choices: FacetChoices;
}

interface SearchResult extends Omit<SearchResultPage, "filters"> {
  /** What was searched for: the words are those that name no filter. */
  category: Category;
  query: SearchQuery;
  /** The corrected words that were searched for; null if the words were not corrected. */
  corrected: string | null;
  notes: SearchNotes;
  closestModels: ClosestModel[];
  /** If nothing is found. */
  nearest: NearestMatches | null;
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
  const pageLength = pageSize * (1 + query.extraPages);
  const [rows, brands, ...counted] = await db.batch([
    // One more, to know whether there is a next page.
    searchPageQuery(db, search, pageLength + 1),
    chosenBrands(db, query),
    ...facetCountQueries(search).map((countQuery) => facetCounts(db, countQuery)),
  ]);
  // The first comes last: it has the total.
  const counts: FacetCounts = Object.assign({}, ...counted.map(([row]) => row?.counts).reverse());
  const { sort } = query;
  const filters = { ...query.filters, brand: brands.map(({ name }) => name) };
  const { rows: page, ...cursors } = keysetPage(rows, query.cursor, pageLength, (row) =>
    sort === "newest" ? `${row.number}` : `${row.value}.${row.number}`,
  );
  return {
    filters,
    phones: page.map(({ value: _, number: __, ...phone }) => phone),
    ...cursors,
    count: Math.min(counts.all, maxCountedListings),
    hasDevices: counts.listed > 0,
    choices: Object.fromEntries(
      facets.map((facet) => [facet.name, choicesOf(facet, counts[facet.name], filters[facet.name])]),
    ) as FacetChoices,
  };
}

/** The chosen brands as they are spelled in the catalog. */
function chosenBrands(db: Db, { filters }: SearchQuery) {
  return db
    .selectDistinct({ name: sql<string>`name` })
    .from(sql`(${spellingsOf(filters.brand)})`)
    .orderBy(sql`name`);
}

/** What typed words mean, where the names in the catalog come before anything else. */
async function understandNames(db: Db, category: Category, asked: SearchQuery, guess: UnderstoodQuery) {
  const { understandQuery } = await loadUnderstanding();
  const names = await namesInCatalog(db, guess.doubts);
  return { names, understood: names.length === 0 ? guess : understandQuery(category, asked, names) };
}

/** What typed words mean, with brands as they are spelled in the catalog. */
export async function understandWithCatalog(db: Db, category: Category, asked: SearchQuery) {
  const { understandQuery } = await loadUnderstanding();
  const [{ understood }, brands] = await Promise.all([
    understandNames(db, category, asked, understandQuery(category, asked)),
    asked.filters.brand.length > 0 ? chosenBrands(db, asked) : [],
  ]);
  const filters = { ...understood.query.filters, brand: brands.map(({ name }) => name) };
  return { ...understood, query: { ...understood.query, filters } };
}

/** The joined words of those names that listed models have, as whole words. */
async function namesInCatalog(db: Db, names: string[][]): Promise<string[]> {
  if (names.length === 0) return [];
  const typed = names.map((words) => {
    const name = words.join("");
    const end = /\d$/.test(name) ? "[^0-9]" : "[^a-z]";
    // "Pro 12" is no "Pro 12.9".
    const whole = `*-${words.join("-")}-[^0-9]*`;
    return { name, match: ftsQuery([name]), joined: `*${name}${end}*`, whole };
  });
  const rows = await db.select({ name: sql<string>`name` }).from(
    sql`(select value ->> 'name' as name from json_each(${JSON.stringify(typed)}) where exists (
        select 1 from device_variants_fts cross join device_variants on device_variants.id = device_variants_fts.rowid
        where device_variants_fts match value ->> 'match' and listed > 0 and (
          replace(model_slug, '-', '') || '-' glob value ->> 'joined' or '-' || model_slug || '-.' glob value ->> 'whole')))`,
  );
  return rows.map(({ name }) => name);
}

/**
 * Loads one page of a category's list, as what was typed is understood. If nothing is found so, the words are read more
 * loosely, then misspelt ones are corrected, unless the query is exact. If that does not help, the nearest matches are
 * found. Takes one round trip if phones are found at once, a second beside it if words may be a name, otherwise at most
 * seven.
 */
export async function searchWithCorrection(
  db: Db,
  askedCategory: Category,
  asked: SearchQuery,
): Promise<SearchResult> {
  const { understandQuery, namesOtherGoods } = await loadUnderstanding();
  const guess = understandQuery(askedCategory, asked);
  const isOtherGood = namesOtherGoods(guess.query.words);
  const resultOf = async ({ category, query, notes }: UnderstoodQuery, corrected: string | null = null) => {
    const searched = corrected === null ? query : { ...query, words: corrected };
    const { filters, ...page } = await searchListings(db, category, searched);
    const inexact = isNamed(page.phones[0], searched) ? [] : [searched.words];
    const said = { category, query: { ...query, filters }, notes: { ...notes, inexact }, corrected };
    return { ...page, ...said, isOtherGood, nearest: null, closestModels: [] };
  };
  const [guessed, { names, understood }] = await Promise.all([
    resultOf(guess),
    understandNames(db, askedCategory, asked, guess),
  ]);
  const result = understood === guess ? guessed : await resultOf(understood);
  if (result.count > 0 || !isFiltered(asked) || isPriceRangeInverted(result.query)) return result;
  // Few searches need them.
  const [{ correctedWords }, { nearestMatches }] = await Promise.all([
    import("./spelling.server.ts"),
    import("../nearest.server.ts"),
  ]);
  const loosely = understandQuery(askedCategory, asked, names, true);
  const isSame = searchString(loosely.query) === searchString(understood.query);
  const found = isSame ? result : await resultOf(loosely);
  if (found.count > 0) return found;
  const { category, query } = loosely;
  const isKnown = found.hasDevices || !hasWords(query.words);
  const corrected = isKnown ? null : await correctedWords(db, query.words);
  const isKept = corrected === null || query.exact || (isOtherGood && !namesOtherGoods(corrected));
  const retried = isKept ? found : await resultOf(loosely, corrected);
  if (retried.count > 0 || isOtherGood) return retried;
  const { closestModels, nearest } = await nearestMatches(db, category, {
    ...query,
    words: corrected ?? query.words,
  });
  return { ...retried, closestModels, nearest };
}

/** Whether the best match has the typed numbers and "x" as they are: an iPhone 11 only begins with "iphone 1". */
function isNamed(best: ListingCardData | undefined, { words, sort, cursor }: SearchQuery): boolean {
  const models = modelTerms(words);
  if (!best || sort !== "relevance" || cursor || models.length > 1) return true;
  const name = foldedWords(deviceName(best)).join(" ");
  return !models.flat().some((term) => {
    if (!/^(?:x|[a-z]{0,2}\d{1,3})$/.test(term)) return false;
    const more = /\d$/.test(term) ? "\\d" : "[a-z]";
    const isBegun = new RegExp(`(?<![a-z\\d])${term}${more}`).test(name);
    return isBegun && !new RegExp(`(?<!${more})${term}(?!${more})`).test(name);
  });
}
