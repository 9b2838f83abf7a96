import { and, desc, eq, gte, inArray, isNotNull, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import { integer, sqliteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import type { Cursor } from "#app/db/cursor.ts";
import type { DecisionKind, SellingTab } from "#app/db/enums.ts";
import {
  allRows,
  exportBatchSize,
  numberedPage,
  type PageQuery,
  type SortedRow,
  sortingOf,
  type TableRows,
  withIndex,
} from "#app/db/keyset.server.ts";
import { decisions, deviceVariants, orders, phones, tabCounts, users } from "#app/db/schema.ts";
import { selectiveFilters } from "#app/db/selective-filter.server.ts";
import { hexOf } from "#app/server/config/crypto.server.ts";
import { parsePrice } from "#app/server/forms/parse-price.ts";
import { usersNamed } from "../accounts/accounts.server.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { isReturned } from "../audit/removals.server.ts";
import { recordOfBuyerColumn } from "../reviews/buyer-record.server.ts";
import type { BuyerRecord } from "../reviews/buyer-record.tsx";
import { saversColumn } from "../saved-listings/saved-listings.server.ts";
import { foldedWords, maxWordLength } from "./device-variant.rules.ts";
import { type ListingQuery, maxSortedSellings, type SellingQuery } from "./listing-table.rules.ts";
import { attributeColumns } from "./listings.server.ts";
import { sizeKey, sizeUnits } from "./size.rules.ts";

/** Decisions that take a listing off sale and keep it. */
export const hidingDecisionKinds = ["hide", "hold", "suspend"] as const;

/** The kind of the decision that hides a listing. */
const hiddenByColumn = sql<(typeof hidingDecisionKinds)[number] | null>`${decisions.kind}`.as("hidden_by");

/** A listing in the table of My Sells; price in cents. */
export type ListingRow = Awaited<ReturnType<typeof listSellings>>["rows"][number];

const sellingsPageSize = 50;

/** A page of the viewer's own listings, of one tab or of all, by default the newest first. */
export async function listSellings(
  db: Db,
  viewer: Viewer,
  cursor: Cursor,
  query: SellingQuery = { filters: {} },
) {
  const { isNewest, ...rows } = await sellingsMatching(db, viewer, query, sellingsPageSize);
  const page = await listingPage(db, cursor, rows, {
    ownNumber: sql`${phones.ownNumber}`,
    // Afterwards it is too late to know whom one deals with.
    buyerRecord: recordOfBuyerColumn(sql`iif(${phones.tab} = 'to hand over', ${orders.buyerId}, null)`),
  });
  return cutToNewest(page, isNewest);
}

/** A sorted search reads one more than it shows, to know whether there are others. */
const newestSize = maxSortedSellings + 1;

/** The page of a query without the oldest, if only the newest are shown and it found more. */
export function cutToNewest<Page extends { rows: { number: number | null }[] }>(
  page: Page,
  isNewest: boolean,
): Page & { isCut: boolean } {
  const isCut = isNewest && page.rows.length === newestSize;
  const oldest = Math.min(...page.rows.map(({ number }) => Number(number)));
  return { ...page, rows: isCut ? page.rows.filter(({ number }) => number !== oldest) : page.rows, isCut };
}

type SellingRows = Omit<TableRows<SortedRow>, "table" | "id" | "read">;

/**
 * Which of a seller's listings a query of My Sells finds, and in which order. What words find is read from their index, by
 * time as far as the page goes.
 *
 * @returns also whether it finds only the newest, see `cutToNewest`
 */
export async function sellingsMatching(
  db: Db,
  seller: Pick<Viewer, "id">,
  query: SellingQuery,
  size: number,
): Promise<SellingRows & { isNewest: boolean }> {
  const { filters, sort } = query;
  const sorting =
    sort === "views" ? { order: desc, sortBy: phones.views } : sortingOf(sort, phones.sellingCents);
  const match = filters.q ? await sellingMatch(db, seller, filters) : undefined;
  if (match === undefined) return { where: isSelling(seller, query), ...sorting, size, isNewest: false };
  // Not by an index of the seller's listings.
  const isOwn = and(sql`+${phones.sellerId} = ${seller.id}`, isNotNull(phones.tab));
  if (!sorting.sortBy)
    return {
      where: and(sql`sellings_fts match ${match}`, eq(sellingWords.number, phones.number), isOwn),
      index: sql`sellings_fts`,
      ...sorting,
      sortBy: sellingWords.number,
      isUnique: true,
      size,
      isNewest: false,
    };
  const newest = sql`(select rowid as number from sellings_fts where sellings_fts match ${match}
    order by rowid desc limit ${newestSize}) as found`;
  return {
    where: and(sql`found.number = ${phones.number}`, isOwn),
    index: newest,
    ...sorting,
    size: newestSize,
    isNewest: true,
  };
}

/** The index of what sellers find their own listings by, see `selling_words` in migrations/0034_own_numbers_in_hexadecimal.sql. */
const sellingWords = sqliteTable("sellings_fts", { number: integer("rowid").notNull() });

/** Condition on `phones`: those of the seller that a query of My Sells shows, whatever its words. */
function isSelling({ id }: Pick<Viewer, "id">, { filters: { tab, photo } }: SellingQuery) {
  return and(
    eq(phones.sellerId, id),
    tab && tab !== "drafts" ? eq(phones.tab, tab) : isNotNull(phones.tab),
    photo && isNull(phones.cover),
  );
}

/**
 * Condition on `phones`: those of the seller that a query finds, however many.
 *
 * @param byNumber whether own numbers are searched: only for the seller
 */
export async function isSellingOf(
  db: Db,
  seller: Pick<Viewer, "id">,
  query: SellingQuery,
  byNumber: boolean,
): Promise<SQL | undefined> {
  const match = query.filters.q ? await sellingMatch(db, seller, query.filters, byNumber) : undefined;
  if (match === undefined) return isSelling(seller, query);
  return and(eq(phones.sellerId, seller.id), sql`${phones.number} in ${numbersThat(match)}`);
}

/** Selects the numbers of the listings that a match of `sellingMatch` finds, however many. */
const numbersThat = (match: string) =>
  sql`(select rowid from sellings_fts where sellings_fts match ${match})`;

/** How many listings the viewer has in each tab. */
export async function countTabs(db: Db, viewer: Viewer): Promise<Partial<Record<SellingTab, number>>> {
  const counts = await db
    .select({ tab: tabCounts.tab, listings: tabCounts.listings })
    .from(tabCounts)
    .where(eq(tabCounts.sellerId, viewer.id));
  return Object.fromEntries(counts.map(({ tab, listings }) => [tab, listings]));
}

const maxWords = 8;

/**
 * What a query matches in the index of the seller's listings: the device has the typed words and sizes, or its own number
 * begins with what was typed. Where there is none, each typed word is a part of its own number.
 */
export async function sellingMatch(
  db: Db,
  { id }: Pick<Viewer, "id">,
  { q = "", tab, photo }: SellingQuery["filters"],
  byNumber = true,
): Promise<string> {
  const key = id.replaceAll("-", "");
  const has = (kind: string, word: string | number) => `"${key}${kind}${word}"`;
  const begins = (kind: string, word: string) => `${has(kind, word.slice(0, maxWordLength))}*`;
  const all = (terms: string[]) => `(${terms.join(" AND ")})`;
  const hasSize = (size: string) => has("s", Math.trunc(Number(sizeKey(size))));
  const sizes = (q.match(sizesIn) ?? []).slice(0, maxWords);
  const words = foldedWords(q.replace(sizesIn, " ")).slice(0, maxWords);
  // "pixel 8" and "pixel 128"
  const wordTerms = words.map((word) =>
    /^\d{1,4}$/.test(word) ? `(${begins("w", word)} OR ${hasSize(`${word} GB`)})` : begins("w", word),
  );
  const numberHas = (kind: "b" | "n", part: string) => `${has(kind, hexOf(ownNumberKey(part)))}*`;
  const partsOf = (pattern: RegExp) => (byNumber ? (q.match(pattern) ?? []).slice(0, maxWords) : []);
  const [first, ...others] = partsOf(/\S+/g);
  const start = first ? [numberHas("b", first), ...others.map((part) => numberHas("n", part))] : [];
  const ways = [[...wordTerms, ...sizes.map(hasSize)], start].filter((terms) => terms.length > 0);
  const shown = [
    ...(tab && tab !== "drafts" ? [has("t", tab.replaceAll(" ", ""))] : []),
    ...(photo ? [has("p", "")] : []),
  ];
  if (ways.length === 0) return has("x", "");
  const match = all([...shown, `(${ways.map(all).join(" OR ")})`]);
  const parts = partsOf(/[\p{L}\p{N}]+/gu);
  if (parts.length === 0) return match;
  const [found] = await db.all(sql`select 1 from sellings_fts where sellings_fts match ${match} limit 1`);
  return found ? match : all([...shown, ...parts.map((part) => numberHas("n", part))]);
}

/** An own number as it is compared: in any letter case (ASCII), as SQLite's `lower` has it. */
export const ownNumberKey = (number: string) => number.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

const sizesIn = new RegExp(String.raw`\b\d{1,5}(?:[.,]\d{1,2})?\s?(?:${sizeUnits})\b`, "gi");

/** A page of all listings, by default the newest first. */
export async function listAllListings(db: Db, cursor: Cursor, query: ListingQuery = { filters: {} }) {
  const rows = {
    where: await listingsMatching(db, query),
    ...sortingOf(query.sort, phones.sellingCents),
  };
  return listingPage(db, cursor, rows, { ownNumber: sql`null`, buyerRecord: sql`null` });
}

/** All listings that match a table's query, in batches. */
export async function* exportListings(db: Db, query: ListingQuery) {
  yield* allRows(
    {
      table: phones,
      where: await listingsMatching(db, query),
      ...sortingOf(query.sort, phones.sellingCents),
      read: ({ where, orderBy, limit, sortValue }: PageQuery) =>
        db
          .select({
            id: phones.id,
            sellerName: users.name,
            sellerEmail: users.email,
            ...attributeColumns,
            sellingCents: phones.sellingCents,
            marketCents: phones.marketCents,
            status: phones.status,
            hiddenBy: hiddenByColumn,
            createdAt: phones.createdAt,
            sortValue,
          })
          .from(phones)
          .innerJoin(users, eq(users.id, phones.sellerId))
          .leftJoin(decisions, eq(decisions.id, phones.hiddenById))
          .where(where)
          .orderBy(...orderBy)
          .limit(limit),
    },
    exportBatchSize,
  );
}

async function listingsMatching(
  db: Db,
  { filters: { q, status, device, minPrice, maxPrice } }: ListingQuery,
) {
  const [fromCents, toCents] = [parsePrice(minPrice ?? null), parsePrice(maxPrice ?? null)];
  const indexed = await selectiveFilters(db, phones, [
    q && inArray(phones.sellerId, usersNamed(db, q)),
    device && inArray(phones.variantId, variantsNamed(db, device)),
    and(
      fromCents === null ? undefined : gte(phones.sellingCents, fromCents),
      toCents === null ? undefined : lte(phones.sellingCents, toCents),
    ),
  ]);
  return and(hasStatus(db, status), ...indexed);
}

/** Selects the variants that have the words one after the other, the last maybe in part. */
function variantsNamed(db: Db, typed: string) {
  const words = foldedWords(typed).join("-");
  return db
    .select({ id: deviceVariants.id })
    .from(deviceVariants)
    .where(words ? sql`instr('-' || ${deviceVariants.modelSlug}, ${`-${words}`}) > 0` : sql`false`);
}

/** Reserved and sold listings may be hidden, too. */
function hasStatus(db: Db, status: ListingQuery["filters"]["status"]) {
  switch (status) {
    case undefined:
      return isShownOrHidden(db);
    case "available":
      return and(isNull(phones.hiddenById), eq(phones.status, status));
    case "reserved":
    case "sold":
      return and(isShownOrHidden(db), eq(phones.status, status));
    case "hidden":
      return hiddenByModerators(db, ["hide"]);
    case "held":
      return hiddenByModerators(db, ["hold"]);
    case "suspended":
      return hiddenByModerators(db, ["suspend"]);
  }
}

function isShownOrHidden(db: Db) {
  return or(isNull(phones.hiddenById), hiddenByModerators(db), isReturned(db));
}

/** @param ofSeller what nobody but the seller reads */
function listingPage(
  db: Db,
  cursor: Cursor,
  rows: SellingRows,
  ofSeller: { ownNumber: SQL<string | null>; buyerRecord: SQL<BuyerRecord | null> },
) {
  return numberedPage(db, cursor, {
    table: phones,
    ...rows,
    read: ({ where, orderBy, limit, sortValue }) => {
      const select = db
        .select({
          id: phones.id,
          number: phones.number,
          sellerId: phones.sellerId,
          sellerName: users.name,
          brandName: phones.brandName,
          model: phones.model,
          ram: phones.ram,
          rom: phones.rom,
          sellingCents: phones.sellingCents,
          status: phones.status,
          soldElsewhere: phones.soldElsewhere,
          isHandedOver: eq(phones.tab, "handed over").mapWith(Boolean).as("is_handed_over"),
          ownNumber: ofSeller.ownNumber.as("shown_number"),
          buyerRecord: ofSeller.buyerRecord.as("buyer_record"),
          image: phones.image,
          cover: phones.cover,
          deviceType: phones.deviceType,
          /** The decision that hides the listing, and its kind. */
          decisionId: sql<string | null>`${decisions.id}`.as("decision_id"),
          hiddenBy: hiddenByColumn,
          /** The order that a returned device comes from, until it is listed again. */
          returnedFrom: sql<
            string | null
          >`(select ended.id from ${orders} as ended where ended.id = ${phones.hiddenById})`.as(
            "returned_from",
          ),
          savers: saversColumn(phones.id).as("savers"),
          /** The active order. The alias is needed because D1 mixes up columns of the same name. */
          orderId: sql<string | null>`${orders.id}`.as("order_id"),
          orderCents: sql<number | null>`${orders.priceCents}`.as("order_cents"),
          sortValue,
        })
        .from(phones)
        .innerJoin(users, eq(users.id, phones.sellerId))
        .leftJoin(orders, and(eq(orders.phoneId, phones.id), eq(orders.status, "active")))
        .leftJoin(decisions, eq(decisions.id, phones.hiddenById))
        .where(where)
        .orderBy(...orderBy)
        .limit(limit)
        .$dynamic();
      return withIndex(select, rows.index);
    },
  });
}

/** Condition on `phones`: hidden or held by a decision, so that its seller and administrators still see it. */
export function hiddenByModerators(db: Db, kinds: readonly DecisionKind[] = hidingDecisionKinds) {
  return inArray(
    phones.hiddenById,
    db
      .select({ id: decisions.id })
      .from(decisions)
      .innerJoin(users, and(eq(users.id, decisions.ownerId), isNull(users.removalId)))
      .where(and(eq(decisions.id, phones.hiddenById), inArray(decisions.kind, kinds))),
  );
}
