import { and, count, desc, eq, gte, isNull, not, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { firstIdAt, hasRow } from "#app/db/conditions.server.ts";
import type { Cursor } from "#app/db/cursor.ts";
import { numberedPage } from "#app/db/keyset.server.ts";
import {
  conversations,
  listingViews,
  offers,
  orderSteps,
  orders,
  phones,
  savedListings,
  viewedDays,
} from "#app/db/schema.ts";
import { dayMs } from "#app/time.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { usualPriceColumn } from "../listings/fair-price.server.ts";
import { deviceNameColumn } from "../listings/listings.server.ts";
import { decimalPrice } from "../listings/money.rules.ts";
import { orderNumber } from "../orders/order-texts.ts";
import { allPayouts } from "../payments/payout-entries.server.ts";
import { entryLabel, type PayoutQuery, payoutPartsOf } from "../payments/payout-table.rules.ts";
import { refundColumn } from "../payments/protected-orders.server.ts";
import { saversColumn } from "../saved-listings/saved-listings.server.ts";
import { csvLines } from "../tables/csv.server.ts";
import type { Period } from "./numbers.rules.ts";
import { sellerPeriodOf } from "./seller-period.rules.ts";

/** The price of the order of a sold listing, which may be that of an offer; of others the asking price. */
const soldOrAskedCents = sql<number>`iif(${phones.status} = 'sold', coalesce((select ${orders.priceCents} from ${orders}
  where ${orders.phoneId} = ${phones.id} and ${orders.status} = 'active'), ${phones.sellingCents}), ${phones.sellingCents})`;

/** What a sold listing came to, after what was paid back, or is to be. */
const soldForCents = sql<number>`coalesce((select ${orders.priceCents} - ${refundColumn} from ${orders}
  where ${orders.phoneId} = ${phones.id} and ${orders.status} = 'active'), ${phones.sellingCents})`;

/** A page of the viewer's own listings with their numbers, newest first. */
export function listSellerNumbers(db: Db, viewer: Viewer, cursor: Cursor) {
  return numberedPage(db, cursor, {
    table: phones,
    where: isOwn(viewer),
    read: ({ where, orderBy, limit, sortValue }) =>
      db
        .select({
          id: phones.id,
          brandName: phones.brandName,
          model: phones.model,
          rom: phones.rom,
          ownNumber: phones.ownNumber,
          status: phones.status,
          sellingCents: soldOrAskedCents.as("price_cents"),
          views: sql<number>`coalesce(${listingViews.views}, 0)`.as("view_count"),
          savers: saversColumn(phones.id).as("savers"),
          asked: sql<number>`(${conversationsOf(db)})`.as("asked"),
          usualCents: usualPriceColumn(db),
          sortValue,
        })
        .from(phones)
        .leftJoin(listingViews, eq(listingViews.phoneId, phones.id))
        .where(where)
        .orderBy(...orderBy)
        .limit(limit),
  });
}

/** What the viewer's own listings come to. */
export async function sumUpListings(db: Db, viewer: Viewer) {
  const sold = sql`${phones.status} = 'sold' and not ${phones.soldElsewhere}`;
  const [sums] = await db
    .select({
      listings: count(),
      views: sql<number>`coalesce(sum(${listingViews.views}), 0)`,
      sold: sql<number>`count(*) filter (where ${sold})`,
      soldCents: sql<number>`coalesce(sum(${soldForCents}) filter (where ${sold}), 0)`,
    })
    .from(phones)
    .leftJoin(listingViews, eq(listingViews.phoneId, phones.id))
    .where(isOwn(viewer));
  return sums ?? { listings: 0, views: 0, sold: 0, soldCents: 0 };
}

function isOwn(viewer: Viewer) {
  return and(eq(phones.sellerId, viewer.id), isNull(phones.hiddenById));
}

function conversationsOf(db: Db) {
  return db.select({ count: count() }).from(conversations).where(eq(conversations.phoneId, phones.id));
}

/** Orders of a period may have been booked so much earlier. */
const marginDays = 90;

const receivedAt = sql<number | null>`iif(${orders.stage} = 'received', (select max(${orderSteps.createdAt})
  from ${orderSteps} where ${orderSteps.orderId} = ${orders.id} and ${orderSteps.kind} = 'received'), null)`;

/** Selects the orders of the viewer's devices that were not cancelled, deleted listings included, newest first. */
function selectSales(db: Db, viewer: Viewer, since: number) {
  return db
    .select({
      id: orders.id,
      model: orders.productName,
      ram: orders.ram,
      rom: orders.rom,
      ownNumber: phones.ownNumber,
      buyerName: orders.buyerName,
      priceCents: orders.priceCents,
      refundCents: refundColumn.as("refund_cents"),
      listedAt: sql<number>`${phones.createdAt}`.as("listed_at"),
      bookedAt: sql<number>`${orders.createdAt}`.as("booked_at"),
      receivedAt: receivedAt.as("received_at"),
    })
    .from(phones)
    .innerJoin(orders, eq(orders.phoneId, phones.id))
    .where(
      and(
        eq(phones.sellerId, viewer.id),
        eq(orders.status, "active"),
        gte(orders.id, firstIdAt(new Date(since - marginDays * dayMs))),
      ),
    )
    .orderBy(desc(orders.id));
}

/** What the viewer sold in a period, and in the one before. */
export async function readSellerPeriod(db: Db, viewer: Viewer, days: Period, now = Date.now()) {
  const since = now - 2 * days * dayMs;
  const firstId = firstIdAt(new Date(since));
  const [sales, saves, made, viewed] = await Promise.all([
    selectSales(db, viewer, since),
    db
      .select({ at: sql<number>`${savedListings.createdAt}`.as("saved_at") })
      .from(phones)
      .innerJoin(savedListings, eq(savedListings.phoneId, phones.id))
      .where(and(eq(phones.sellerId, viewer.id), gte(savedListings.id, firstId))),
    db
      .select({ at: sql<number>`${offers.createdAt}`.as("offered_at") })
      .from(offers)
      .where(and(eq(offers.sellerId, viewer.id), eq(offers.side, "buyer"), gte(offers.id, firstId))),
    db
      .select({ day: viewedDays.day, views: viewedDays.views })
      .from(viewedDays)
      .where(and(eq(viewedDays.sellerId, viewer.id), gte(viewedDays.day, Math.floor(since / dayMs)))),
  ]);
  const history = {
    orders: sales,
    saves: saves.map(({ at }) => at),
    offers: made.map(({ at }) => at),
    viewed,
  };
  return sellerPeriodOf(history, days, now);
}

/** So many views and no booking make a listing worth a look. */
const manyViews = 20;
const maxUnbooked = 5;

/** The viewer's listings that many have looked at and nobody has ever booked, the most viewed first. */
export function listUnbooked(db: Db, viewer: Viewer) {
  return db
    .select({
      id: phones.id,
      name: deviceNameColumn.as("name"),
      ownNumber: phones.ownNumber,
      views: phones.views,
      sellingCents: phones.sellingCents,
      usualCents: usualPriceColumn(db),
    })
    .from(phones)
    .where(
      and(
        eq(phones.sellerId, viewer.id),
        eq(phones.tab, "for sale"),
        gte(phones.views, manyViews),
        not(hasRow(db, orders, eq(orders.phoneId, phones.id))),
      ),
    )
    .orderBy(desc(phones.views))
    .limit(maxUnbooked);
}

/** What the viewer sold in a period, the last booked first; prices in cents. Of the buyer, only the first name. */
export async function listSales(db: Db, viewer: Viewer, days: Period, now = Date.now()) {
  const since = now - days * dayMs;
  const sales = await selectSales(db, viewer, since);
  return sales.flatMap(({ receivedAt, bookedAt, buyerName, ...sale }) =>
    receivedAt !== null && receivedAt >= since
      ? {
          ...sale,
          receivedAt: new Date(receivedAt),
          bookedAt: new Date(bookedAt),
          buyer: buyerName.split(" ")[0] ?? "",
        }
      : [],
  );
}

/** The same as CSV, for the books. */
export async function* exportSales(db: Db, viewer: Viewer, days: Period, now = Date.now()) {
  const sales = await listSales(db, viewer, days, now);
  const columns = [
    ...["Received", "Booked", "Order", "Own number", "Device", "RAM", "Storage"],
    ...["Price", "Refund", "Buyer"],
  ];
  const rows = sales.map((sale) => [
    sale.receivedAt,
    sale.bookedAt,
    orderNumber(sale.id),
    sale.ownNumber,
    sale.model,
    sale.ram,
    sale.rom,
    decimalPrice(sale.priceCents),
    decimalPrice(sale.refundCents),
    sale.buyer,
  ]);
  yield `\uFEFF${await csvLines([columns, ...rows])}`;
}

/** What the seller gets of protected orders as CSV, for the books. */
export async function* exportPayouts(db: Db, seller: Viewer, query: PayoutQuery) {
  const columns = [
    ...["Order", "Device", "Status", "Paid by the buyer", "Settled"],
    ...["Price", "Refund", "Fee", "Amount"],
  ];
  yield `\uFEFF${await csvLines([columns])}`;
  for await (const entries of allPayouts(db, seller, query)) {
    yield await csvLines(
      entries.map((entry) => {
        const { amountCents, refundCents, feeCents, gotCents } = payoutPartsOf(entry);
        return [
          orderNumber(entry.id),
          entry.productName,
          entryLabel(entry),
          entry.paidAt,
          entry.settledAt,
          ...[amountCents, refundCents, feeCents, gotCents].map(decimalPrice),
        ];
      }),
    );
  }
}
