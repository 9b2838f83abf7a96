import { dayMs, isoMonth } from "#app/time.ts";
import type { Period } from "./numbers.rules.ts";

/** An order of a seller's device that was not cancelled; times in milliseconds. */
interface SellerOrder {
  model: string;
  priceCents: number;
  /** What of it was paid back. */
  refundCents: number;
  listedAt: number;
  bookedAt: number;
  /** Null until the device is received. */
  receivedAt: number | null;
}

/** What a seller did in a span of time. */
export interface SellerCounts {
  /** Of whole days: the last one is today. */
  views: number;
  saves: number;
  offers: number;
  bookings: number;
  sold: number;
  soldCents: number;
  /** From the publication to the receipt; null without a sale. */
  daysToSale: number | null;
}

/** Of each, when it happened. */
interface SellerHistory {
  orders: readonly SellerOrder[];
  saves: readonly number[];
  offers: readonly number[];
  /** By day since 1970. */
  viewed: readonly { day: number; views: number }[];
}

/** A period that ends now, the one before, the models of its sales, and in a year its months. */
export function sellerPeriodOf(history: SellerHistory, days: Period, now: number) {
  const start = now - days * dayMs;
  const sales = history.orders.filter(soldWithin(start, now));
  return {
    now: countsOf(history, start, now),
    before: countsOf(history, start - days * dayMs, start),
    models: grouped(sales, ({ model }) => model).sort((one, other) => other.sold - one.sold),
    months: days === 365 ? monthsOf(history, start, now) : [],
  };
}

/** The calendar months of a span of time in which something happened, the oldest first. */
function monthsOf(history: SellerHistory, start: number, now: number) {
  const months: (SellerCounts & { name: string })[] = [];
  for (let from = start; from < now; ) {
    const date = new Date(from);
    const next = Math.min(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1), now);
    months.push({ name: isoMonth(date), ...countsOf(history, from, next) });
    from = next;
  }
  return months.filter(
    ({ views, saves, offers, bookings, sold }) => views + saves + offers + bookings + sold > 0,
  );
}

const soldWithin =
  (from: number, before: number) =>
  ({ receivedAt }: SellerOrder) =>
    receivedAt !== null && receivedAt >= from && receivedAt < before;

function countsOf(
  { orders, saves, offers, viewed }: SellerHistory,
  from: number,
  before: number,
): SellerCounts {
  const isWithin = (time: number) => time >= from && time < before;
  const sales = orders.filter(soldWithin(from, before));
  const days = sales.reduce(
    (sum, { listedAt, receivedAt }) => sum + ((receivedAt ?? 0) - listedAt) / dayMs,
    0,
  );
  const daysSinceEpoch = (time: number) => Math.floor(time / dayMs);
  const views = viewed.filter(
    ({ day }) => day > daysSinceEpoch(from - 1) && day <= daysSinceEpoch(before - 1),
  );
  return {
    views: views.reduce((sum, each) => sum + each.views, 0),
    saves: saves.filter(isWithin).length,
    offers: offers.filter(isWithin).length,
    bookings: orders.filter(({ bookedAt }) => isWithin(bookedAt)).length,
    sold: sales.length,
    soldCents: sales.reduce((sum, { priceCents, refundCents }) => sum + priceCents - refundCents, 0),
    daysToSale: sales.length > 0 ? days / sales.length : null,
  };
}

/** The sales by a name, in the order of the names. */
function grouped(sales: SellerOrder[], nameOf: (sale: SellerOrder) => string) {
  const groups = new Map<string, { name: string; sold: number; soldCents: number }>();
  for (const sale of sales) {
    const name = nameOf(sale);
    const { sold, soldCents } = groups.get(name) ?? { sold: 0, soldCents: 0 };
    groups.set(name, { name, sold: sold + 1, soldCents: soldCents + sale.priceCents - sale.refundCents });
  }
  return [...groups.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}
