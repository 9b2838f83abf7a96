import { sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import type { Category } from "../../listings/category.rules.ts";
import { ftsQueryPerWord, queryTerms } from "./search-words.rules.ts";

export interface ClosestModel {
  name: string;
  slug: string;
  count: number;
}

const maxModels = 6;
const maxVariants = 20_000;
/** Best matches whose phones are counted. */
const maxRanked = 100;

/**
 * Finds the models that match most of the words, preferring those of the category and those with most listings. If
 * none matches any word, returns the models of the category with most listings.
 */
export function closestModels(db: Db, { key }: Category, words: string): Promise<ClosestModel[]> {
  const matches = ftsQueryPerWord(queryTerms(words));
  const inCategory = key === "products" ? sql`true` : sql`device_variants.category = ${key}`;
  // SQLite takes brand and model from the row of the only max().
  const models = sql`
    with found as (
      select device_variants_fts.rowid as id, word.key as word
      from json_each(${JSON.stringify(matches)}) as word cross join device_variants_fts
      where device_variants_fts match word.value limit ${maxVariants}),
    variants as (select id, count(*) as words from found group by id),
    near as materialized (
      select model_slug as slug, max(words) as words, max(${inCategory}) as own
      from variants join device_variants using (id) where listed > 0 and model_slug <> ''
      group by model_slug order by words desc, own desc, sum(listed) desc limit ${maxRanked}),
    models as (
      select * from near
      union all
      select distinct model_slug, 0, 1 from (
        select model_slug from device_variants
        where listed > 0 and model_slug <> '' and ${inCategory} and not exists (select 1 from near)
        order by listed desc limit ${maxRanked}))
    select brand || ' ' || model as name, slug, sum(listed) as count, words, own, max(listed)
    from models cross join device_variants on model_slug = slug where listed > 0
    group by slug order by words desc, own desc, 3 desc, slug limit ${maxModels}`;
  return db
    .select({ name: sql<string>`name`, slug: sql<string>`slug`, count: sql<number>`count` })
    .from(sql`(${models}) as models`)
    .orderBy(sql`words desc, own desc, count desc, slug`);
}
