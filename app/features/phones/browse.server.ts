import { and, asc, desc, eq, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { phones, users } from "#app/db/schema.ts";
import { type Choices, choicesOf } from "./choices.rules.ts";
import type { PageMark } from "./page-mark.rules.ts";
import { cardColumns, type PhoneCardData, pageSize } from "./phones.server.ts";
import type { Shelf } from "./shelf.rules.ts";
import {
  between,
  choicesIn,
  everything,
  indexes,
  type Kind,
  matchOf,
  placesPerCent,
  priceBounds,
  shelfName,
  valueRows,
} from "./shelf-index.server.ts";
import { wordsMatch } from "./shelf-match.rules.ts";
import type { ShelfQuery } from "./shelf-query.rules.ts";

/** One page of a shelf, and what is said beside it. */
export interface ShelfPage {
  phones: PhoneCardData[];
  /** The marks of the pages around it, where there are any. */
  previous: string | null;
  next: string | null;
  /** Phones that match, counted to 1,001 at most. */
  count: number;
  choices: Choices;
}

/** Counted so far, that "more than 1,000" can be told. */
const countedTo = 1001;
/** Of one kind, the biggest. */
const mostChoices = 60;

/**
 * One page of a shelf, in one round trip. Sold phones are off the shelf; reserved ones stay. Among phones of one
 * price or saving the newest is the last going up and the first going down.
 */
export async function browseShelf(db: Db, shelf: Shelf, query: ShelfQuery): Promise<ShelfPage> {
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
  const first = page.at(0)?.place.toString() ?? null;
  const last = page.at(-1)?.place.toString() ?? null;
  return {
    phones: page.map(({ place: _, ...phone }) => phone),
    previous: (backwards ? more : mark !== null) ? first : null,
    next: (backwards ? true : more) ? last : null,
    count: counted?.count ?? 0,
    choices: choicesOf(values),
  };
}

/** The phones of the page, each with its place, and one more, which tells whether there is a further page. */
function pageOf(db: Db, shelf: Shelf, query: ShelfQuery) {
  const { index, ascending } = indexes[query.order];
  const byPrice = query.order.startsWith("price");
  const [from, to] = byPrice ? priceBounds(query) : [0, Number.MAX_SAFE_INTEGER];
  const upwards = ascending !== isBackwards(query.mark);
  const mark = placeOf(query.mark);
  const lowest = upwards && mark !== null ? Math.max(from, mark + 1) : from;
  const highest = !upwards && mark !== null ? Math.min(to, mark - 1) : to;
  const places = sql`select rowid as place from ${index}
    where ${index} match ${matchOf(shelf, query, !byPrice)} and ${between(lowest, highest)}
    order by rowid ${upwards ? sql`asc` : sql`desc`} limit ${lengthOf(query) + 1}`;
  const place = sql<number>`page.place`;
  return (
    db
      .select({ ...cardColumns, place: place.as("place") })
      .from(sql`(${places}) as page`)
      // In this order, whatever SQLite thinks of it: the places lead to the phones.
      .crossJoin(phones)
      .crossJoin(users)
      .where(and(eq(phones.number, sql`${place} & ${placesPerCent - 1}`), eq(users.id, phones.sellerId)))
      .orderBy(upwards ? asc(place) : desc(place))
  );
}

/** How many match: kept ready for one kind of choice, else counted in the index by price, where a range is a stretch. */
function countOf(db: Db, shelf: Shelf, query: ShelfQuery) {
  const chosen = choicesIn(query);
  const count = sql<number>`min(coalesce(sum(found.count), 0), ${countedTo})`.as("count");
  if (
    wordsMatch(query.words) === null &&
    query.fromCents === null &&
    query.toCents === null &&
    chosen.length <= 1
  ) {
    return db.select({ count }).from(sql`(${valueRows("count", shelf, chosen[0] ?? everything)}) as found`);
  }
  const match = matchOf(shelf, query, false);
  const found = sql`select 1 as count from shelf_price
    where shelf_price match ${match} and ${between(...priceBounds(query))} limit ${countedTo}`;
  return db.select({ count }).from(sql`(${found}) as found`);
}

/** What can be chosen on a shelf: of each kind what most of its phones have. */
function valuesOf(db: Db, shelf: Shelf) {
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
function lengthOf({ more }: ShelfQuery): number {
  return pageSize * (1 + more);
}

function isBackwards(mark: PageMark): boolean {
  return mark !== null && "before" in mark;
}

function placeOf(mark: PageMark): number | null {
  if (mark === null) return null;
  return Math.min(Number("after" in mark ? mark.after : mark.before), Number.MAX_SAFE_INTEGER);
}
