import { and, asc, desc, isNotNull, ne, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { isOneOf } from "#app/db/conditions.server.ts";
import { deviceVariants, usualPrices } from "#app/db/schema.ts";
import { deviceName, modelPath, modelSlug } from "../listings/device-variant.rules.ts";
import { hasUsualPrice } from "../listings/fair-price.server.ts";
import { categoryByKey } from "./category.rules.ts";
import { modelSales, pricesByStorage } from "./model.rules.ts";
import { maxSales, modelNames, newestSales, salesOf, slugOf, slugsWithPage } from "./model.server.ts";
import { parseSearchQuery } from "./search/search-query.rules.ts";
import { correctedWords } from "./search/spelling.server.ts";
import { suggestDevices } from "./search/suggestions.server.ts";
import { understandQuery } from "./search/understand.rules.ts";

const maxListed = 24;
const maxStorages = 12;

export type ModelPrices = NonNullable<Awaited<ReturnType<typeof findModelPrices>>>;

/**
 * Loads what a model was sold for, by storage and condition and by month.
 *
 * @param slug as for `findModel`
 */
export async function findModelPrices(db: Db, slug: string, now = new Date()) {
  const isOfModel = sql`model_slug = ${slugOf(slug)}`;
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
    sales: modelSales(sales, maxSales, now),
    storages: pricesByStorage(
      sales,
      storages.map(({ rom }) => rom),
    ),
  };
}

export interface PricedModel {
  slug: string;
  name: string;
  /** The usual prices of its storages; null where a search has found it. */
  range: { lowest: number; highest: number } | null;
}

/** The models with a usual price that most sales stand on. */
export async function listPricedModels(db: Db): Promise<PricedModel[]> {
  const priced = await db
    .select({
      device: usualPrices.device,
      lowest: sql<number>`min(${usualPrices.medianCents})`.as("lowest_usual"),
      highest: sql<number>`max(${usualPrices.medianCents})`.as("highest_usual"),
    })
    .from(usualPrices)
    .where(isNotNull(usualPrices.medianCents))
    .groupBy(usualPrices.device)
    .orderBy(desc(sql`sum(${usualPrices.sales})`), asc(usualPrices.device))
    .limit(maxListed);
  const slugs = priced.map(({ device }) => modelSlug({ brandName: device, model: "" }));
  const names = await namesOf(db, slugs);
  return priced.flatMap(({ lowest, highest }, at) => {
    const found = names.find(({ slug }) => slug === slugs[at]);
    return found ? [{ ...found, range: { lowest, highest } }] : [];
  });
}

/**
 * The models that typed words name: the one with just this name, also if none is for sale, or those that have the words.
 * A year and typing mistakes count only if they are needed. Without a name, all.
 */
export async function findPricedModels(db: Db, typed: string): Promise<PricedModel[]> {
  const { query, notes } = understandQuery(categoryByKey("products"), {
    ...parseSearchQuery(new URLSearchParams()),
    words: typed,
  });
  if (query.words === "" && notes.pages.some(({ path }) => path === "/prices")) return listPricedModels(db);
  const words = query.words || typed;
  const found = await findNamed(db, words);
  if (found.length > 0) return found;
  const undated = words.replace(/\b20\d\d\b/g, "").trim() || words;
  const corrected = (await correctedWords(db, undated)) ?? undated;
  return corrected === words ? [] : findNamed(db, corrected);
}

async function findNamed(db: Db, words: string): Promise<PricedModel[]> {
  const [exact, suggested] = await Promise.all([
    slugsWithPage(db, [modelSlug({ brandName: words, model: "" })]).then((slugs) => namesOf(db, slugs)),
    suggestDevices(db, words),
  ]);
  const root = modelPath("");
  const models = suggested.flatMap(({ to, label }) =>
    to.startsWith(root) ? [{ slug: decodeURIComponent(to.slice(root.length)), name: label }] : [],
  );
  return (exact.length > 0 ? exact : models).map((model) => ({ ...model, range: null }));
}

function namesOf(db: Db, slugs: string[]) {
  return db
    .select({
      slug: deviceVariants.modelSlug,
      name: sql<string>`brand || ' ' || model`.as("model_name"),
    })
    .from(deviceVariants)
    .where(and(ne(deviceVariants.modelSlug, ""), isOneOf(deviceVariants.modelSlug, slugs)))
    .groupBy(deviceVariants.modelSlug);
}
