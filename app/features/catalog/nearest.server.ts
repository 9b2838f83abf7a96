import { and, desc, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { phones } from "#app/db/schema.ts";
import { deviceName, foldedWords } from "../listings/device-variant.rules.ts";
import { usualPriceColumn } from "../listings/fair-price.server.ts";
import { cardColumns, type ListingCardData } from "../listings/listings.server.ts";
import { type Category, categoryByKey } from "./category.rules.ts";
import { type FacetName, facets, filtersOf } from "./search/facets.rules.ts";
import { maxLookedThrough } from "./search/facets.server.ts";
import { defaultSort, type SearchQuery, withoutCursor } from "./search/search-query.rules.ts";
import {
  excludedParts,
  ftsQueryOfWords,
  ftsQueryPerWord,
  modelTerms,
  queryTerms,
} from "./search/search-words.rules.ts";
import {
  chosenFacets,
  facetCondition,
  listingsMatching,
  priceConditions,
  type Search,
  withCtes,
} from "./search/statements.server.ts";
import { brandsOfSeries, modelSuffixes } from "./typed-words.ts";

/** A search with fewer filters than one that finds nothing, and the first phones that it finds. */
export interface NearestMatches {
  category: Category;
  query: SearchQuery;
  phones: ListingCardData[];
}

const maxNearest = 6;
/** The phones that are compared with the typed words. */
const maxCompared = 24;
/** Last words that are left out one by one, before all are. */
const maxShortened = 5;

type FilterName = FacetName | "price";

/** What buyers miss least if it is left out, which few listings state, first. Next is the price; then come all other filters. */
const byLoss = [
  ...new Set<FilterName>([
    ...(["near", "battery", "condition", "unlocked", "color", "verified", "available", "price"] as const),
    ...facets.map(({ name }) => name),
  ]),
];
/** Two filters are missed more than one. */
const lossOf = (name: FilterName) => byLoss.length + byLoss.indexOf(name);

/** A chosen filter, and the condition that a device or a listing passes it. */
interface Wish {
  name: FilterName;
  condition: SQL | undefined;
}

const facetWishes = ({ filters }: SearchQuery, ofVariant: boolean): Wish[] =>
  chosenFacets(filters, ofVariant).map((facet) => ({
    name: facet.name,
    condition: facetCondition(facet, filters[facet.name]),
  }));

function listingWishes(query: SearchQuery): Wish[] {
  const condition = and(...priceConditions(query));
  return [...facetWishes(query, false), ...(condition ? [{ name: "price" as const, condition }] : [])];
}

const sum = (terms: SQL[]) => (terms.length > 0 ? sql.join(terms, sql` + `) : sql`0`);

/** A column with a bit for each wish that is not met. */
const missedBits = (wishes: Wish[]) =>
  sum(wishes.map(({ condition }, at) => sql`iif(${condition}, 0, ${sql.raw(String(1 << at))})`));

/** How much is missed, by the column `missed`. */
const loss = (wishes: Wish[]) =>
  sum(wishes.map(({ name }, at) => sql.raw(`(missed >> ${at} & 1) * ${lossOf(name)}`)));

const namesOf = (wishes: Wish[], missed: number) =>
  wishes.filter((_, at) => missed & (1 << at)).map(({ name }) => name);

/** The query without filters. */
function relaxed(query: SearchQuery, left: FilterName[], words = query.words): SearchQuery {
  const isAnyPrice = left.includes("price");
  // The phones whose price misses the range least come first.
  const nearest = query.toCents === null ? "price-down" : "price-up";
  return {
    ...withoutCursor(query),
    words,
    exact: query.exact && words !== "",
    sort: isAnyPrice ? nearest : defaultSort(words),
    ...(isAnyPrice ? { fromCents: null, toCents: null } : {}),
    filters: filtersOf(({ name }) => (left.includes(name) ? [] : query.filters[name])),
  };
}

/**
 * The nearest matches of a search that finds nothing, and models with its words. First the words and the filters of devices
 * are reduced to those that a listed device has, then those of its listings.
 */
export async function nearestMatches(db: Db, category: Category, query: SearchQuery) {
  const typed = wordsToTry(category, query.words);
  const wishes = facetWishes(query, true);
  const [models, [devices]] = await db.batch([
    closestModels(db, category, query.words),
    nearestDevices(db, typed, category, wishes),
  ]);
  if (!devices) return { closestModels: models, nearest: null };
  const kept = typed[devices.at] ?? { words: "", category };
  const left = namesOf(wishes, devices.missed);
  const search = { category: kept.category, query: relaxed(query, left, kept.words) };
  const found = await nearestListings(db, search);
  const shown = byNearness(found.phones, query).slice(0, maxNearest);
  return { closestModels: models, nearest: { ...search, query: found.query, phones: shown } };
}

interface TypedWords {
  words: string;
  category: Category;
}

/** All words, also in other categories, then ever fewer of the first model, then its brand. */
function wordsToTry(category: Category, typed: string): TypedWords[] {
  const excluded = excludedParts(typed);
  const [model = []] = modelTerms(typed);
  const words = joinedTerms(model);
  // "Pixel 8 obsidian", "Pixel 8", "Pixel". What stands first may be no name: "Shiny Pixel 8", "Pixel 8".
  const shorter = words.slice(0, maxShortened + 1).flatMap((_, at) => {
    const [kept, rest] = [words.slice(0, words.length - at), words.slice(at)];
    // "S24" is of the family of "S25".
    const family = /^[a-z]+\d(?=\d)/.exec(kept.at(-1) ?? "") ?? [];
    return [
      kept,
      rest.some(isDistinctive) ? rest : [],
      family.length > 0 ? [...kept.slice(0, -1), ...family] : [],
    ];
  });
  const brands = words.flatMap((word) => brandsOfSeries[word.replace(/\d+$/, "")] ?? []);
  // Two letters are the beginning of many words.
  const tried = [...shorter, brands].filter((kept) => kept.length > 1 || /\d|.{3}/.test(kept.join()));
  return [
    { words: typed, category },
    { words: typed, category: categoryByKey("products") },
    ...tried.map((kept) => ({ words: [...kept, ...excluded].join(" "), category })),
  ].filter(({ words }) => queryTerms(words).length > 0);
}

/** A letter alone is the beginning of any word: "galaxy s 22" is "galaxy s22". */
const joinedTerms = (terms: string[]): string[] =>
  terms
    .join(" ")
    .replace(/(?<!\S)(\p{L}) (?=\S)/gu, "$1")
    .match(/\S+/g) ?? [];

/** Of the first words that listed devices have, the devices that miss least; without such words, of all in the category. */
function nearestDevices(db: Db, typed: TypedWords[], { key }: Category, wishes: Wish[]) {
  const tries = typed.map(({ words, category }) => ({
    match: ftsQueryOfWords(words),
    category: category.key === "products" ? null : category.key,
  }));
  const inCategory = key === "products" ? sql`true` : sql`category = ${key}`;
  const rows = sql`with named as materialized (
      select tries.key as at, ${missedBits(wishes)} as missed
      from json_each(${JSON.stringify(tries)}) as tries cross join device_variants_fts
      cross join device_variants on device_variants.id = device_variants_fts.rowid
      where device_variants_fts match tries.value ->> 'match' and listed > 0
        and category = coalesce(tries.value ->> 'category', category) limit ${maxVariants})
    select * from named union all
    select * from (select ${typed.length} as at, ${missedBits(wishes)} as missed from device_variants
      where not exists (select 1 from named) and listed > 0 and ${inCategory} limit ${maxVariants})`;
  return db
    .select({ at: sql<number>`at`, missed: sql<number>`missed`, loss: loss(wishes).as("loss") })
    .from(sql`(${rows})`)
    .orderBy(sql`at`, sql`loss`)
    .limit(1);
}

/** The listings of devices that miss least, of those that are looked through, and the search that finds them. */
async function nearestListings(db: Db, { category, query }: Search) {
  const wishes = listingWishes(query);
  const names = wishes.map(({ name }) => name);
  const { ctes, rows } = listingsMatching({ category, query: relaxed(query, names) }, () => ({
    columns: sql`phones.rowid as row_id, selling_cents, number, ${missedBits(wishes)} as missed`,
    limit: maxLookedThrough,
  }));
  const [least, most] = [query.fromCents ?? 0, query.toCents ?? Number.MAX_SAFE_INTEGER];
  const nearest = sql`${withCtes(ctes)}
    select row_id, missed, number, ${loss(wishes)} as loss, max(${least} - selling_cents, selling_cents - ${most}, 0) as distance
    from (${rows}) order by loss, distance, number desc limit ${maxCompared}`;
  const compared = await db
    .select({ ...cardColumns, usualCents: usualPriceColumn(db), missed: sql<number>`missed` })
    .from(sql`(${nearest}) as page`)
    .crossJoin(phones)
    .where(sql`phones.rowid = page.row_id`)
    .orderBy(sql`loss`, sql`distance`, desc(sql`page.number`));
  const missed = compared[0]?.missed ?? 0;
  return {
    query: relaxed(query, namesOf(wishes, missed)),
    phones: compared.filter((phone) => phone.missed === missed),
  };
}

/** Sorts phones: those with most of the typed words first, then those with the nearest number, price and shortest name. */
function byNearness(
  phones: ListingCardData[],
  { words, fromCents, toCents }: SearchQuery,
): ListingCardData[] {
  const typed = joinedTerms(queryTerms(words));
  const [least, most] = [fromCents ?? 0, toCents ?? Number.MAX_SAFE_INTEGER];
  const measured = phones.map((phone) => {
    const name = foldedWords(deviceName(phone));
    const shared = typed.reduce(
      (sum, word) => sum + (name.includes(word) ? 2 : name.some((own) => own.startsWith(word)) ? 1 : 0),
      0,
    );
    const price = Math.max(least - phone.sellingCents, phone.sellingCents - most, 0);
    return { phone, distances: [-shared, numberDistance(typed, name), price, shared > 0 ? name.length : 0] };
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

/** Whether few names have a word: shorter ones, "pro" and "max" are in many. */
const isDistinctive = (word: string) =>
  /(?:\P{L}*\p{L}){4}/u.test(word) && !modelSuffixes.split(", ").includes(word);

/**
 * Finds the models that have the first word with a letter or a longer one, those with most of the words first, then those
 * of the category and those with most listings. A number alone says nothing: a Nokia 13 is no iPhone 13.
 */
function closestModels(db: Db, { key }: Category, words: string) {
  const typed = joinedTerms(queryTerms(words));
  const matches = ftsQueryPerWord(typed);
  const first = Math.max(
    typed.findIndex((word) => /\p{L}/u.test(word)),
    0,
  );
  const telling = typed.flatMap((word, at) => (at === first || isDistinctive(word) ? [at] : []));
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
