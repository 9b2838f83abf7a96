import { and, asc, desc, eq, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { phones, users } from "#app/db/schema.ts";
import type { Category } from "../phones/category.rules.ts";
import { cardColumns, type PhoneCardData, pageSize } from "../phones/phones.server.ts";
import { type Choices, choicesOf } from "./facets.rules.ts";
import type { PageMark } from "./page-mark.rules.ts";
import type { SearchQuery } from "./search-query.rules.ts";
import {
  between,
  choicesIn,
  everything,
  foundVariants,
  indexes,
  type Kind,
  matchOf,
  mostVariants,
  ownChoices,
  placesPerCent,
  priceBounds,
  seeksVariants,
  shelfName,
  sought,
  valueRows,
} from "./shelf-index.server.ts";

/** One page of a category, and what is said beside it. */
export interface SearchPage {
  phones: PhoneCardData[];
  /** The marks of the pages around it, where there are any. */
  previous: string | null;
  next: string | null;
  /** Phones that match, counted to 1,001 at most. */
  count: number;
  choices: Choices;
}

/** Upper limit of the count; the page shows "1,000+". */
const countedTo = 1001;
/** Of one kind, the biggest. */
const mostChoices = 60;

/**
 * One page of a category, in one round trip. Sold phones are off the shelf; reserved ones stay. Among phones of one
 * price or saving the newest is the last going up and the first going down.
 */
export async function searchListings(db: Db, shelf: Category, query: SearchQuery): Promise<SearchPage> {
  const [rows, [counted], values] = await db.batch([
    pageOf(db, shelf, query),
    countOf(db, shelf, query),
    valuesOf(db, shelf),
  ]);
  const { mark } = query;
  const backwards = isBackwards(mark);
  const length = lengthOf(query);
  const more = rows.length > length;
  const page = rows.slice(0, length);
  if (backwards) page.reverse();
  const [first, last] = [page.at(0), page.at(-1)].map((row) => row && Math.abs(row.place).toString());
  return {
    phones: page.map(({ place: _, ...phone }) => phone),
    previous: (backwards ? more : mark !== null) ? (first ?? null) : null,
    next: (backwards ? true : more) ? (last ?? null) : null,
    count: counted?.count ?? 0,
    choices: choicesOf(values),
  };
}

/** The range of rowids that a page is read from, and how many to read at most. */
type Stretch = { first: number; last: number; length: number };

function stretchOf(query: SearchQuery): Stretch {
  const { sign } = indexes[query.order];
  const [from, to] = inPriceOrder(query) ? priceBounds(query) : [0, Number.MAX_SAFE_INTEGER];
  const mark = placeOf(query.mark);
  const lowest = ascends(query) && mark !== null ? Math.max(from, mark + 1) : from;
  const highest = !ascends(query) && mark !== null ? Math.min(to, mark - 1) : to;
  const [first, last] = sign === 1 ? [lowest, highest] : [-highest, -lowest];
  return { first, last, length: lengthOf(query) + 1 };
}

/** The phones of the page, each with its rowid, and one more, which tells whether there is a further page. */
function pageOf(db: Db, shelf: Category, query: SearchQuery) {
  const { first, last, length } = stretchOf(query);
  const { index, sign } = indexes[query.order];
  const upwards = ascends(query) === (sign === 1);
  const places = sql`select rowid as place from ${index}
    where ${index} match ${matchOf(shelf, query, !inPriceOrder(query))} and ${between(first, last)}
    order by rowid ${upwards ? sql`asc` : sql`desc`} limit ${length}`;
  const place = sql<number>`page.place`;
  return (
    db
      .select({ ...cardColumns, place: place.as("place") })
      .from(sql`(${places}) as page`)
      // In this order, whatever SQLite thinks of it: the places lead to the phones.
      .crossJoin(phones)
      .crossJoin(users)
      .where(and(eq(phones.number, sql`abs(${place}) & ${placesPerCent - 1}`), eq(users.id, phones.sellerId)))
      .orderBy(upwards ? asc(place) : desc(place))
  );
}

/** Whether the index of the order has a range of prices as a stretch. */
function inPriceOrder({ order }: SearchQuery): boolean {
  return order.startsWith("price");
}

/** Whether places are read from the lowest to the highest. */
function ascends({ order, mark }: SearchQuery): boolean {
  return indexes[order].ascending !== isBackwards(mark);
}

/** How many match: from stored counts where one kind of choice or only variants are asked for, else by counting. */
function countOf(db: Db, shelf: Category, query: SearchQuery) {
  const stored = storedCounts(shelf, query);
  const count = stored
    ? sql<number>`min(coalesce(sum(stored.count), 0), ${countedTo})`
    : sql<number>`count(*)`;
  const from = stored
    ? sql`(${stored}) as stored`
    : sql`(${countable(matchOf(shelf, query, false), priceBounds(query))})`;
  return db.select({ count: count.as("count") }).from(from);
}

/** A query of the stored counts that add up to the count of what matches; null where there are none. */
function storedCounts(shelf: Category, query: SearchQuery): SQL | null {
  if (query.fromCents !== null || query.toCents !== null) return null;
  if (!seeksVariants(query)) {
    const chosen = choicesIn(query);
    return chosen.length > 1 ? null : valueRows(sql`count`, shelf, chosen[0] ?? everything);
  }
  if (ownChoices(query).length > 0) return null;
  // Each phone has one variant, so that the counts of some may say enough already.
  return sql`${sought(shelf, query)} select iif(count(*) > ${mostVariants} and sum(count) < ${countedTo},
    (select count(*) from (${countable(sql`(select text from sought)`, priceBounds(query))})), sum(count)) as count
    from (${foundVariants("count", mostVariants + 1)})`;
}

/** A row for each place that matches, as many as are counted. */
function countable(match: SQL, [first, last]: [number, number]): SQL {
  return sql`select 1 from shelf_price where shelf_price match ${match} and ${between(first, last)} limit ${countedTo}`;
}

/** What can be chosen on a shelf: of each kind what most of its phones have. */
function valuesOf(db: Db, shelf: Category) {
  const biggest = (kind: Kind) => sql`select * from (select kind, value, count from shelf_values
    where shelf = ${shelfName(shelf)} and kind = ${kind} and count > 0 order by count desc limit ${mostChoices})`;
  // These have a value or three; D1 joins no more than five such questions.
  const few = sql`select kind, value, count from shelf_values
    where shelf = ${shelfName(shelf)} and kind in ('condition', 'verified', 'available') and count > 0`;
  const all = sql.join([...(["brand", "storage", "ram"] as const).map(biggest), few], sql` union all `);
  return db
    .select({
      kind: sql<Kind>`kind`,
      value: sql<string>`value`,
      count: sql<number>`count`,
    })
    .from(sql`(${all}) as choices`);
}

/** Phones on the page, with the further pages that stand below it. */
function lengthOf({ more }: SearchQuery): number {
  return pageSize * (1 + more);
}

function isBackwards(mark: PageMark): boolean {
  return mark !== null && "before" in mark;
}

function placeOf(mark: PageMark): number | null {
  if (mark === null) return null;
  return Math.min(Number("after" in mark ? mark.after : mark.before), Number.MAX_SAFE_INTEGER);
}
