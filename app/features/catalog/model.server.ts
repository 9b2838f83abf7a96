import { and, asc, count, desc, gt, or, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { hasRow, startsWith } from "#app/db/conditions.server.ts";
import { type Cursor, keysetPage } from "#app/db/cursor.ts";
import type { Condition } from "#app/db/enums.ts";
import { brands, deviceVariants, orders, phones } from "#app/db/schema.ts";
import { attributesWith } from "../listings/attributes.ts";
import { deviceName, modelSlug } from "../listings/device-variant.rules.ts";
import type { DetailedSale } from "../listings/fair-price.rules.ts";
import { isReceivedOrder, provenSales, usualPriceColumn } from "../listings/fair-price.server.ts";
import { selectAttributes, tileColumns } from "../listings/listings.server.ts";
import { ratingsOf } from "../reviews/reviews.server.ts";
import { categoryByKey } from "./category.rules.ts";
import { cheapestTable, modelSales, modelSpecifications } from "./model.rules.ts";
import { pageSize } from "./search/search.server.ts";
import { parseSearchQuery } from "./search/search-query.rules.ts";
import { pageRowIds } from "./search/statements.server.ts";

export type ModelPage = NonNullable<Awaited<ReturnType<typeof findModel>>>;

/** Letters behind it may be plain ones in a slug. */
const lastAscii = "\u007f";
export const maxSalesOfModel = 1000;
/** Spellings of brand and model whose sales are read. */
const maxNames = 10;
/** Newest listings that the specifications are taken from. */
const maxSpecified = 200;

/**
 * Loads a model (all spellings of a brand and a model) with a page of its listings, newest first, its cheapest listings
 * and its sale prices, in one round trip.
 *
 * @param slug in any letter case; the result has the canonical slug
 * @returns null if no phone of the model is listed or was sold
 */
export async function findModel(db: Db, slug: string, cursor: Cursor, now = new Date()) {
  const isOfModel = sql`model_slug = ${storedModelSlug(slug)}`;
  const newest = newestListings(isOfModel, cursor, pageSize + 1);
  const [[model], cheapest, [available], rows, facts, [sold], ratings] = await db.batch([
    modelNames(db, isOfModel),
    cheapestListings(db, isOfModel),
    db
      .select({ cents: sql<number | null>`max(selling_cents)`, count: count() })
      .from(sql`phones indexed by catalog_variant`)
      .where(sql`listed and status = 'available' and ${isVariantWhere(isOfModel)}`),
    db
      .select({
        ...tileColumns,
        usualCents: usualPriceColumn(db),
        sellerId: phones.sellerId,
        number: sql<number>`page.number`.as("page_number"),
      })
      .from(sql`(${newest.rowIds}) as page`)
      .crossJoin(phones)
      .where(sql`phones.rowid = page.row_id`)
      .orderBy(...newest.orderBy),
    listingFacts(db, isOfModel),
    salesOf(db, isOfModel),
    ratingsOf(
      db,
      sql`(select seller_id from (${newest.rowIds}) as page cross join phones where phones.rowid = page.row_id)`,
      now,
    ),
  ]);
  const sales = newestSales(sold?.sales);
  const wasSold = sold?.wasSold ?? false;
  if (!model?.slug || (model.listed === 0 && !wasSold)) return null;
  const { category, ...named } = model;
  const { rows: page, ...cursors } = keysetPage(rows, cursor, pageSize, ({ number }) => String(number));
  return {
    model: {
      ...named,
      available: available?.count ?? 0,
      name: deviceName({ brandName: model.brand, model: model.model }),
    },
    category: categoryByKey(category),
    cheapest: cheapestTable(cheapest),
    range: priceRange(cheapest, available?.cents ?? null),
    facts: modelSpecifications(facts),
    sales: { ...modelSales(sales, maxSalesOfModel, now), wasSold },
    ...cursors,
    phones: page.map(({ number: _, ...phone }) => ({
      ...phone,
      sellerRating: ratings.find(({ sellerId }) => sellerId === phone.sellerId) ?? { average: 0, count: 0 },
    })),
  };
}

/** The newest of all spellings. */
export const newestSales = (sales: DetailedSale[] = []) =>
  sales.toSorted((one, other) => other.soldAt - one.soldAt).slice(0, maxSalesOfModel);

/** Which of these slugs have a page, without those of an earlier version. */
export async function slugsWithPage(db: Db, slugs: string[]): Promise<string[]> {
  const isSold = and(sql`lower(${orders.productName}) = lower(brand || ' ' || model)`, isReceivedOrder);
  const isShown = or(gt(deviceVariants.listed, 0), hasRow(db, orders, isSold));
  // The first variant that is shown is enough.
  return db
    .select({ slug: sql<string>`wanted.value` })
    .from(sql`json_each(${JSON.stringify(slugs)}) as wanted`)
    .where(hasRow(db, deviceVariants, and(sql`${deviceVariants.modelSlug} = wanted.value`, isShown)))
    .then((found) => found.map(({ slug }) => slug));
}

/** The slug of a model under the spelling that its brand was merged into since; null if that has no page. */
export async function findRespelledModel(db: Db, slug: string): Promise<string | null> {
  const typed = modelSlug({ brandName: slug, model: "" });
  const isSpelling = or(startsWith(brands.key, typed.slice(0, 1)), gt(brands.key, lastAscii));
  const spellings = await db
    .select()
    .from(brands)
    .where(and(isSpelling, sql`${brands.key} <> lower(${brands.name})`));
  const respelled = spellings.flatMap(({ key, name }) => {
    const start = `${modelSlug({ brandName: key, model: "" })}-`;
    const model = typed.startsWith(start) ? typed.slice(start.length) : "";
    return model ? [modelSlug({ brandName: name, model })] : [];
  });
  const [found] = await slugsWithPage(
    db,
    respelled.filter((other) => other !== typed),
  );
  return found ?? null;
}

/** The stored slug, which an earlier version may have made; else the slug as it is made now. */
export function storedModelSlug(slug: string): SQL {
  return sql`coalesce((select model_slug from device_variants where model_slug = ${slug} limit 1), ${modelSlug({ brandName: slug, model: "" })})`;
}

function isVariantWhere(isOfModel: SQL): SQL {
  return sql`variant_id in (select id from device_variants where ${isOfModel} and listed > 0)`;
}

function priceRange(listings: { cents: number }[], highest: number | null) {
  return highest === null ? null : { lowest: Math.min(...listings.map(({ cents }) => cents)), highest };
}

/** The most frequent spelling of the model, with the number of listings in all spellings. */
export function modelNames(db: Db, isOfModel: SQL) {
  return db
    .select({
      slug: deviceVariants.modelSlug,
      brand: deviceVariants.brand,
      model: deviceVariants.model,
      category: deviceVariants.category,
      listed: sql<number>`sum(sum(${deviceVariants.listed})) over ()`.as("all_listed"),
    })
    .from(deviceVariants)
    .where(isOfModel)
    .groupBy(deviceVariants.brand, deviceVariants.model, deviceVariants.category)
    .orderBy(desc(sql`sum(${deviceVariants.listed})`), asc(sql`min(${deviceVariants.id})`))
    .limit(1);
}

function cheapestListings(db: Db, isOfModel: SQL) {
  // With min(), SQLite takes the columns without an aggregate from the row with the minimum.
  const cheapest = sql`select variants.rom, condition, min(selling_cents) as cents, count(*) as listings, phones.rowid as row_id
    from (select id, rom from device_variants where ${isOfModel} and listed > 0) as variants
    cross join phones indexed by catalog_variant on variant_id = variants.id
    where listed and status = 'available' group by variants.rom, condition`;
  return db
    .select({
      id: phones.id,
      rom: sql<string>`cheapest.rom`.as("storage"),
      condition: sql<Condition | null>`cheapest.condition`.as("stated"),
      cents: sql<number>`cheapest.cents`.as("cents"),
      count: sql<number>`cheapest.listings`.as("listings"),
    })
    .from(sql`(${cheapest}) as cheapest`)
    .crossJoin(phones)
    .where(sql`phones.rowid = cheapest.row_id`);
}

function newestListings(isOfModel: SQL, cursor: Cursor, limit: number) {
  const query = { ...parseSearchQuery(new URLSearchParams()), cursor };
  return pageRowIds({ category: { key: "products" }, query, variantCondition: isOfModel }, limit);
}

function listingFacts(db: Db, isOfModel: SQL) {
  const columns = selectAttributes(attributesWith("ofModel"));
  return db
    .select({ ...columns, count: count() })
    .from(sql`(${newestListings(isOfModel, null, maxSpecified).rowIds}) as page`)
    .crossJoin(phones)
    .where(sql`phones.rowid = page.row_id`)
    .groupBy(...Object.values(columns));
}

/**
 * The newest sales under each spelling of a model that may count, as one JSON value, and whether there was any sale. One
 * index range is read for each spelling.
 */
export function salesOf(db: Db, isOfModel: SQL) {
  const names = sql`(select lower(brand || ' ' || model) as name from device_variants where ${isOfModel}
    group by 1 order by sum(listed) desc, min(id) limit ${maxNames}) as names`;
  const hasName = sql`lower(${orders.productName}) = names.name`;
  const newest = provenSales(db, hasName, maxSalesOfModel);
  const each = sql`select json_each.value as sale from ${names}, json_each((select json_group_array(json_object(
      'cents', price_cents, 'soldAt', sold_at, 'buyerId', buyer_id, 'sellerId', seller_id, 'rom', rom, 'condition', condition)) from ${newest}))`;
  return db
    .select({
      sales: sql<DetailedSale[]>`(select json_group_array(json(sale)) from (${each}))`
        .mapWith((text: string) => JSON.parse(text) as DetailedSale[])
        .as("sales"),
      wasSold:
        sql`exists (select 1 from ${names} cross join ${orders} where ${and(hasName, isReceivedOrder)})`
          .mapWith(Boolean)
          .as("was_sold"),
    })
    .from(sql`(select 1)`);
}
