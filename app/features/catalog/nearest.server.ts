import { sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { recordOf } from "../listings/attributes.ts";
import type { PhoneCardData } from "../listings/phones.server.ts";
import { type Category, categoryByKey } from "./category.rules.ts";
import { type FacetName, facets } from "./search/facets.rules.ts";
import { defaultSort, type SearchQuery, searchString, withoutCursor } from "./search/search-query.rules.ts";
import { ftsQueryPerWord, queryTerms } from "./search/search-words.rules.ts";
import { pageQuery } from "./search/statements.server.ts";

/** A search with fewer filters than one that finds nothing, and the first phones that it finds. */
export interface NearestMatches {
  category: Category;
  query: SearchQuery;
  phones: PhoneCardData[];
}

const maxNearest = 6;
/** Last words that are left out one by one, before all are. */
const maxShortened = 5;

/** What few listings state: the one that buyers miss least first. */
const rarelyStated = ["battery", "condition", "unlocked", "color"] as const;

/** The searches that leave out ever more of one, the nearest first. */
function relaxedSearches({ category, query }: Pick<NearestMatches, "category" | "query">) {
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
  const names = facets.map(({ name }) => name);
  const words = all.words.split(/\s+/);
  // "Pixel 8 obsidian", "Pixel 8", "Pixel".
  const shorter = words.slice(1, maxShortened + 1).map((_, at) => words.slice(0, -1 - at).join(" "));
  const searches = [
    ...rarelyStated.map((name) => without([name])),
    without(rarelyStated),
    { category: categoryByKey("products"), query: all },
    without([...rarelyStated, "verified", "available"]),
    without([...rarelyStated, "verified", "available"], anyPrice),
    without(names, anyPrice),
    ...shorter.flatMap((words) => [without([], { words }), without(names, { ...anyPrice, words })]),
    without([], { words: "", exact: false }),
    without(names, { ...anyPrice, words: "", exact: false }),
  ];
  const addressOf = (search: (typeof searches)[number]) => search.category.path + searchString(search.query);
  const addresses = [{ category, query: all }, ...searches].map(addressOf);
  return searches.filter((search, at) => addresses.indexOf(addressOf(search)) === at + 1);
}

/** The nearest matches of a search that finds nothing, and models with its words, in one round trip. */
export async function nearestMatches(
  db: Db,
  { category, query }: Pick<NearestMatches, "category" | "query">,
  words: string,
) {
  const searches = relaxedSearches({ category, query: { ...query, words } });
  const [closest, ...found] = await db.batch([
    closestModels(db, category, words),
    ...searches.map((search) => pageQuery(db, search, maxNearest)),
  ]);
  const at = found.findIndex((rows) => rows.length > 0);
  const search = searches[at];
  const phones = found[at]?.map(({ value: _, number: __, ...phone }) => phone) ?? [];
  return { closestModels: closest, nearest: search ? { ...search, phones } : null };
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
const minLetters = 4;

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
