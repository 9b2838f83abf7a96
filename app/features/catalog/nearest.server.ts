import { sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { recordOf } from "../listings/attributes.ts";
import { deviceName, foldedWords } from "../listings/device-variant.rules.ts";
import type { PhoneCardData } from "../listings/phones.server.ts";
import { type Category, categoryByKey } from "./category.rules.ts";
import { type FacetCounts, type FacetName, facets } from "./search/facets.rules.ts";
import {
  defaultSort,
  isFiltered,
  type SearchQuery,
  searchString,
  withoutCursor,
} from "./search/search-query.rules.ts";
import { excludedParts, ftsQueryPerWord, queryTerms } from "./search/search-words.rules.ts";
import { pageQuery, variantFacets } from "./search/statements.server.ts";

/** A search with fewer filters than one that finds nothing, and the first phones that it finds. */
export interface NearestMatches {
  category: Category;
  query: SearchQuery;
  phones: PhoneCardData[];
}

const maxNearest = 6;
/** Of phones with fewer words, those that are compared with the typed ones. */
const maxCompared = 24;
/** Last words that are left out one by one, before all are. */
const maxShortened = 5;

/** What few listings state: the one that buyers miss least first. */
const rarelyStated = ["battery", "condition", "unlocked", "color"] as const;

/** A search that finds nothing, and what is known of it. */
interface FailedSearch {
  category: Category;
  query: SearchQuery;
  /** False if no listed device has the words and the filters of devices. */
  hasDevices: boolean;
  /** Whether a listed device of the category has the words; null if that is not known. */
  wordsExist: boolean | null;
  countsWithout: FacetCounts["without"];
}

/** The searches that leave out ever more of one, the nearest first: from those that may find something to one that does. */
function relaxedSearches({ category, query, hasDevices, countsWithout, wordsExist }: FailedSearch) {
  const all = withoutCursor(query);
  const without = (names: readonly FacetName[], change: Partial<SearchQuery> = {}) => ({
    category,
    query: {
      ...all,
      sort: defaultSort(change.words ?? all.words),
      ...change,
      filters: { ...all.filters, ...recordOf(names, () => []) },
    },
  });
  const anyPrice = { fromCents: null, toCents: null };
  // The phones whose price misses the range least come first.
  const nearestPrice = {
    ...anyPrice,
    ...(all.toCents !== null
      ? { sort: "price-up" as const }
      : all.fromCents !== null && { sort: "price-down" as const }),
  };
  const names = facets.map(({ name }) => name);
  const excluded = excludedParts(all.words);
  const words = all.words.split(/\s+/).filter((word) => !excluded.includes(word));
  // "Pixel 8 obsidian", "Pixel 8", "Pixel". What stands first may be no name: "Shiny Pixel 8", "Pixel 8".
  const shorter = words.slice(1, maxShortened + 1).flatMap((_, at) => {
    const rest = words.slice(1 + at);
    return [words.slice(0, -1 - at), ...(rest.some((word) => isLong(word)) ? [rest] : [])];
  });
  // "S25" is of the family of "S24".
  const family = /^[a-z]+\d(?=\d)/i.exec(words[0] ?? "") ?? [];
  const withoutOne = ([...rarelyStated, "verified", "available", "rom", "ram"] as const).map((name) => ({
    ...without([name]),
    count: countsWithout[name],
  }));
  const searches: RelaxedSearch[] = [
    ...withoutOne.slice(0, -2),
    without([], nearestPrice),
    ...withoutOne.slice(-2),
    without(rarelyStated),
    { category: categoryByKey("products"), query: all },
    without([...rarelyStated, "verified", "available"]),
    without([...rarelyStated, "verified", "available"], nearestPrice),
    without(names, nearestPrice),
    ...[...shorter, family]
      .map((kept) => [...kept, ...excluded].join(" "))
      .flatMap((words) => [without([], { words }), without(names, { ...anyPrice, words })]),
    without([], { words: "", exact: false }),
    without(names, { ...nearestPrice, words: "", exact: false }),
  ];
  const addressOf = (search: RelaxedSearch) => search.category.path + searchString(search.query);
  const addresses = [{ category, query: all }, ...searches].map(addressOf);
  const isOfWords = (search: RelaxedSearch) =>
    search.category === category && search.query.words === all.words;
  const isOfDevices = ({ query: { filters } }: RelaxedSearch) =>
    variantFacets.every(({ name }) => filters[name] === all.filters[name]);
  const mayFind = searches.filter(
    (search, at) =>
      addresses.indexOf(addressOf(search)) === at + 1 &&
      search.count !== 0 &&
      (!isOfWords(search) || (isOfDevices(search) ? hasDevices : wordsExist !== false)),
  );
  const finds = mayFind.findIndex(
    (search) =>
      search.count || (wordsExist && isOfWords(search) && !isFiltered({ ...search.query, words: "" })),
  );
  return finds === -1 ? mayFind : mayFind.slice(0, finds + 1);
}

interface RelaxedSearch {
  category: Category;
  query: SearchQuery;
  /** How many it finds, where that is known. */
  count?: number | undefined;
}

/** The nearest matches of a search that finds nothing, and models with its words, in one round trip. */
export async function nearestMatches(db: Db, failed: FailedSearch, words: string) {
  const { category, query } = failed;
  const typed = { ...query, words };
  const searches = relaxedSearches({ ...failed, query: typed });
  const [closest, ...found] = await db.batch([
    closestModels(db, category, words),
    ...searches.map((search) =>
      pageQuery(db, search, search.query.words === words ? maxNearest : maxCompared),
    ),
  ]);
  const at = found.findIndex((rows) => rows.length > 0);
  const search = searches[at];
  const phones = found[at]?.map(({ value: _, number: __, ...phone }) => phone) ?? [];
  const nearest = search && {
    category: search.category,
    query: search.query,
    phones: byNearness(phones, typed).slice(0, maxNearest),
  };
  return { closestModels: closest, nearest: nearest ?? null };
}

/** Sorts phones: those with most of the typed words first, then those with the nearest number, then by price. */
function byNearness(phones: PhoneCardData[], { words, fromCents, toCents }: SearchQuery): PhoneCardData[] {
  const typed = queryTerms(words);
  const [least, most] = [fromCents ?? 0, toCents ?? Number.MAX_SAFE_INTEGER];
  const measured = phones.map((phone) => {
    const name = foldedWords(deviceName(phone));
    const shared = typed.reduce(
      (sum, word) => sum + (name.includes(word) ? 2 : name.some((own) => own.startsWith(word)) ? 1 : 0),
      0,
    );
    const price = Math.max(least - phone.sellingCents, phone.sellingCents - most, 0);
    return { phone, distances: [-shared, numberDistance(typed, name), price] };
  });
  const difference = (one: number[], other: number[]) =>
    one.map((distance, at) => distance - (other[at] ?? 0)).find((each) => each !== 0) ?? 0;
  return measured.sort((one, other) => difference(one.distances, other.distances)).map(({ phone }) => phone);
}

const numbered = /^([a-z]*)(\d{1,3})[a-z]?$/;
/** Of models without a number like the typed one. */
const farthest = 1000;

/** How far the number of a name is from that of the typed one: an S24 is nearer to "s25" than an S21. */
function numberDistance(typed: string[], name: string[]): number {
  const [, letters, number] = typed.map((word) => numbered.exec(word)).find((found) => found !== null) ?? [];
  const numbers = name.flatMap((word) => {
    const [, own, digits] = numbered.exec(word) ?? [];
    return own === letters && digits !== undefined ? [Math.abs(Number(digits) - Number(number))] : [];
  });
  return Math.min(farthest, ...numbers.slice(0, 1));
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

/** Shorter words are in many names: "pro", "max". */
const isLong = (word: string) => /(?:\P{L}*\p{L}){4}/u.test(word);

/**
 * Finds the models that have the first word with a letter or a longer one, those with most of the words first, then those
 * of the category and those with most listings. A number alone says nothing: a Nokia 13 is no iPhone 13.
 */
function closestModels(db: Db, { key }: Category, words: string) {
  const typed = queryTerms(words);
  const matches = ftsQueryPerWord(typed);
  const first = Math.max(
    typed.findIndex((word) => /\p{L}/u.test(word)),
    0,
  );
  const telling = typed.flatMap((word, at) => (at === first || isLong(word) ? [at] : []));
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
