import { and, asc, desc, eq, isNotNull, ne, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { hasRow, isOneOf } from "#app/db/conditions.server.ts";
import { type Cursor, isBackwards, keysetPage, sortKeyOf } from "#app/db/cursor.ts";
import { deviceVariants, usualPrices } from "#app/db/schema.ts";
import { deviceName, modelSlug } from "../listings/device-variant.rules.ts";
import { hasUsualPrice } from "../listings/fair-price.server.ts";
import { categoryByKey } from "./category.rules.ts";
import { modelSales, pricesByStorage } from "./model.rules.ts";
import {
  maxSalesOfModel,
  modelNames,
  newestSales,
  salesOf,
  slugsWithPage,
  storedModelSlug,
} from "./model.server.ts";
import { parseSearchQuery } from "./search/search-query.rules.ts";
import { queryTerms } from "./search/search-words.rules.ts";
import { correctedWords } from "./search/spelling.server.ts";
import { deviceCondition } from "./search/statements.server.ts";
import { understandQuery, withTypedSizes } from "./search/understand.rules.ts";

const listPageSize = 24;
const maxStorages = 12;

export type ModelPrices = NonNullable<Awaited<ReturnType<typeof findModelPrices>>>;

/**
 * Loads what a model was sold for, by storage and condition and by month.
 *
 * @param slug as for `findModel`
 */
export async function findModelPrices(db: Db, slug: string) {
  const isOfModel = sql`model_slug = ${storedModelSlug(slug)}`;
  const [[model], [sold], storages, [usual]] = await db.batch([
    modelNames(db, isOfModel),
    salesOf(db, isOfModel),
    db
      .select({ rom: deviceVariants.rom })
      .from(deviceVariants)
      .where(isOfModel)
      .groupBy(deviceVariants.rom)
      .orderBy(desc(sql`sum(${deviceVariants.listed})`))
      .limit(maxStorages),
    db
      .select({ isPriced: hasUsualPrice(db, isOfModel).mapWith(Boolean).as("is_priced") })
      .from(sql`(select 1)`),
  ]);
  const wasSold = sold?.wasSold ?? false;
  if (!model?.slug || (model.listed === 0 && !wasSold)) return null;
  const sales = newestSales(sold?.sales);
  const { category, ...named } = model;
  return {
    model: { ...named, name: deviceName({ brandName: model.brand, model: model.model }) },
    category: categoryByKey(category),
    /** As in the list and in the sitemap. */
    isPriced: usual?.isPriced ?? false,
    sales: modelSales(sales, maxSalesOfModel, new Date()),
    storages: pricesByStorage(
      sales,
      storages.map(({ rom }) => rom),
    ),
  };
}

interface PricedModel {
  slug: string;
  name: string;
  /** The usual prices of its storages; null without one. */
  range: { lowest: number; highest: number } | null;
}

/** A page of models with what they sell for. */
export interface PricedModels {
  /** Whether they are all with a usual price, those first that most sales stand on. */
  isAll: boolean;
  models: PricedModel[];
  previous: string | null;
  next: string | null;
}

/** The place at which a page begins among rows with the highest numbers first, then by name. */
function placeOf(cursor: Cursor, number: SQL, name: SQL | typeof usualPrices.device) {
  const key = sortKeyOf(cursor);
  const dot = key?.indexOf(".") ?? 0;
  const direction = isBackwards(cursor) ? desc : asc;
  return {
    afterCursor:
      key === null
        ? undefined
        : sql`(-${number}, ${name}) ${sql.raw(isBackwards(cursor) ? "<" : ">")} (${-Number(key.slice(0, dot))}, ${key.slice(dot + 1)})`,
    orderBy: [direction(sql`-${number}`), direction(name)],
  };
}

const isPriced = isNotNull(usualPrices.medianCents);

/** Lists the models with a usual price. */
export async function listPricedModels(db: Db, cursor: Cursor = null): Promise<PricedModels> {
  const sales = sql<number>`sum(${usualPrices.sales})`;
  const { afterCursor, orderBy } = placeOf(cursor, sales, usualPrices.device);
  const priced = await db
    .select({ device: usualPrices.device, sales: sales.as("all_sales") })
    .from(usualPrices)
    .where(isPriced)
    .groupBy(usualPrices.device)
    .having(afterCursor)
    .orderBy(...orderBy)
    .limit(listPageSize + 1);
  const { rows, previous, next } = keysetPage(
    priced,
    cursor,
    listPageSize,
    (row) => `${row.sales}.${row.device}`,
  );
  const slugs = rows.map(({ device }) => modelSlug({ brandName: device, model: "" }));
  return { isAll: true, models: await modelsWith(db, slugs), previous, next };
}

/**
 * Finds the models that typed words name: the one with just this name, also if none is for sale, or those that have the
 * words. A year and typing mistakes count only if they are needed. Without a name, all.
 */
export async function findPricedModels(db: Db, typed: string, cursor: Cursor = null): Promise<PricedModels> {
  const { query, notes } = understandQuery(categoryByKey("products"), {
    ...parseSearchQuery(new URLSearchParams()),
    words: typed,
  });
  if (query.words === "" && notes.pages.some(({ path }) => path === "/prices"))
    return listPricedModels(db, cursor);
  const words = query.words || typed;
  const found = await findNamed(db, words, cursor);
  if (found.models.length > 0) return found;
  const undated = words.replace(/\b20\d\d\b/g, "").trim() || words;
  const corrected = (await correctedWords(db, undated)) ?? undated;
  return corrected === words ? found : findNamed(db, corrected, cursor);
}

async function findNamed(db: Db, words: string, cursor: Cursor): Promise<PricedModels> {
  const one = { isAll: false, previous: null, next: null };
  const exact = cursor ? [] : await slugsWithPage(db, [modelSlug({ brandName: words, model: "" })]);
  if (exact.length > 0) return { ...one, models: await modelsWith(db, exact) };
  const query = withTypedSizes({ ...parseSearchQuery(new URLSearchParams()), words });
  const typed = queryTerms(query.words);
  // "-pro" alone says only what devices must not be.
  if (typed.length === 0) return { ...one, models: [] };
  // Those with the words in their name before those with a match in the processor.
  const named = sql`min(${sql.join(
    typed.map((word) => sql`instr('-' || ${deviceVariants.modelSlug}, ${`-${word}`}) > 0`),
    sql` and `,
  )})`;
  const isSold = hasRow(db, usualPrices, and(isPriced, eq(usualPrices.device, deviceNameInOrders)));
  const { afterCursor, orderBy } = placeOf(cursor, named, sql`${deviceVariants.modelSlug}`);
  const read = await db
    .select({ slug: deviceVariants.modelSlug, named: named.mapWith(Number).as("is_named") })
    .from(deviceVariants)
    .where(
      and(
        ne(deviceVariants.modelSlug, ""),
        deviceCondition(query),
        sql`(${deviceVariants.listed} > 0 or ${isSold})`,
      ),
    )
    .groupBy(deviceVariants.modelSlug)
    .having(afterCursor)
    .orderBy(...orderBy)
    .limit(listPageSize + 1);
  const { rows, previous, next } = keysetPage(
    read,
    cursor,
    listPageSize,
    (row) => `${row.named}.${row.slug}`,
  );
  const slugs = rows.map(({ slug }) => slug);
  return { isAll: false, models: await modelsWith(db, slugs), previous, next };
}

const deviceNameInOrders = sql`lower(${deviceVariants.brand} || ' ' || ${deviceVariants.model})`;

/** The models with these slugs, in this order. */
async function modelsWith(db: Db, slugs: string[]): Promise<PricedModel[]> {
  const found = await db
    .select({
      slug: deviceVariants.modelSlug,
      name: sql<string>`brand || ' ' || model`.as("model_name"),
      lowest: sql<number | null>`min(${usualPrices.medianCents})`.as("lowest_usual"),
      highest: sql<number | null>`max(${usualPrices.medianCents})`.as("highest_usual"),
    })
    .from(deviceVariants)
    .leftJoin(usualPrices, eq(usualPrices.device, deviceNameInOrders))
    .where(and(ne(deviceVariants.modelSlug, ""), isOneOf(deviceVariants.modelSlug, slugs)))
    .groupBy(deviceVariants.modelSlug);
  return [...new Set(slugs)].flatMap((wanted) => {
    const model = found.find(({ slug }) => slug === wanted);
    if (!model) return [];
    const { slug, name, lowest, highest } = model;
    return [{ slug, name, range: lowest === null || highest === null ? null : { lowest, highest } }];
  });
}
