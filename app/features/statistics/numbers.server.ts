import { and, count, desc, eq, gte, isNull, lt, lte, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import { firstIdAt, isWithin } from "#app/db/conditions.server.ts";
import {
  contentReports,
  dailyDemand,
  dailyNumbers,
  orderSteps,
  orders,
  phones,
  savedListings,
  uncountedDays,
  users,
  viewedDays,
} from "#app/db/schema.ts";
import { dayMs, isoDay } from "#app/time.ts";
import { slugsWithPage } from "../catalog/model.server.ts";
import { modelSlug } from "../listings/device-variant.rules.ts";
import { deviceNameColumn } from "../listings/listings.server.ts";
import { toAmount } from "../listings/money.rules.ts";
import { mostMissed } from "./empty-searches.server.ts";
import { measureLabels, unitLabels } from "./number-labels.ts";
import { countedMeasures, medianDays, type NumbersQuery, spansOf, totalsOf } from "./numbers.rules.ts";

const shownModels = 10;

/** What administrators see of a period; takes two round trips. */
export type Numbers = Awaited<ReturnType<typeof readNumbers>>;

/** Reads what the job has counted of a period that ends today. */
export async function readNumbers(db: Db, query: NumbersQuery, now = new Date()) {
  const today = Math.floor(now.getTime() / dayMs);
  const firstDay = today - query.days + 1;
  const firstBefore = firstDay - query.days;
  const [rows, models, missed, [reports], [uncounted]] = await Promise.all([
    db
      .select()
      .from(dailyNumbers)
      .where(and(gte(dailyNumbers.day, firstBefore), lte(dailyNumbers.day, today))),
    mostWanted(db, firstDay),
    mostMissed(db, firstDay),
    db.select({ count: count() }).from(contentReports).where(isNull(contentReports.decisionId)),
    db
      .select({ count: count() })
      .from(uncountedDays)
      .where(and(gte(uncountedDays.day, firstDay), lt(uncountedDays.day, today))),
  ]);
  const slugs = models.map(({ model }) => modelSlug({ brandName: model, model: "" }));
  const withPage = slugs.length > 0 ? await slugsWithPage(db, slugs) : [];
  const ofPeriod = rows.filter(({ day }) => day >= firstDay);
  const beforePeriod = rows.filter(({ day }) => day < firstDay);
  return {
    spans: spansOf(ofPeriod, today, query),
    totals: totalsOf(ofPeriod),
    /** Of as many days before. */
    before: totalsOf(beforePeriod),
    medianDaysBefore: medianDays(beforePeriod.map(({ daysToSale }) => daysToSale)),
    medianDaysToSale: medianDays(ofPeriod.map(({ daysToSale }) => daysToSale)),
    /** With the slug of each one's page, or null if it has none. */
    models: models.map((row, index) => ({
      ...row,
      slug: withPage.find((slug) => slug === slugs[index]) ?? null,
    })),
    missed,
    openReports: reports?.count ?? 0,
    /** Days whose numbers may be out of date, without today. */
    uncountedDays: uncounted?.count ?? 0,
  };
}

/** The numbers of each span of a period as CSV, oldest first, then those of the period and of the one before. */
export async function* exportNumbers(db: Db, query: NumbersQuery) {
  const now = new Date();
  const { spans, totals, before } = await readNumbers(db, query, now);
  const { csvLines } = await import("../tables/csv.server.ts");
  const titles = [
    "Row",
    "From",
    "Through",
    ...countedMeasures.map((measure) => measureLabels[measure]),
    "Bookings per view (%)",
    "Sales per booking (%)",
  ];
  const today = Math.floor(now.getTime() / dayMs);
  const period = { from: isoDay(today - query.days + 1), through: isoDay(today) };
  const previous = { from: isoDay(today - 2 * query.days + 1), through: isoDay(today - query.days) };
  const rows = [
    ...spans.map((span) => ["", span] as const),
    ["Period", { ...totals, ...period }] as const,
    ["Period before", { ...before, ...previous }] as const,
  ].map(([row, counts]) => [
    row || unitLabels[query.by],
    counts.from,
    counts.through,
    ...countedMeasures.map((measure) =>
      String(measure === "salesCents" ? toAmount(counts[measure]) : counts[measure]),
    ),
    percentOf(counts.bookings, counts.views),
    percentOf(counts.sales, counts.bookings),
  ]);
  yield await csvLines([titles, ...rows]);
}

/** With one decimal; empty without anything to compare. */
const percentOf = (part: number, whole: number) =>
  whole === 0 ? "" : String(Math.round((part / whole) * 1000) / 10);

/** The models that were booked and saved most often, in any letter case. */
function mostWanted(db: Db, firstDay: number) {
  return db
    .select({
      model: sql<string>`max(${dailyDemand.model})`.as("model_name"),
      bookings: sql<number>`sum(${dailyDemand.bookings})`.as("times_booked"),
      saves: sql<number>`sum(${dailyDemand.saves})`.as("times_saved"),
    })
    .from(dailyDemand)
    .where(gte(dailyDemand.day, firstDay))
    .groupBy(sql`lower(${dailyDemand.model})`)
    .orderBy(desc(sql`times_booked + times_saved`), desc(sql`times_booked`), sql`model_name`)
    .limit(shownModels);
}

/** Days that one run counts; the next run continues. */
const maxDays = 60;

/**
 * Counts the days whose rows have changed since they were counted, the newest first. Each day is one batch, so a run
 * that is interrupted has counted whole days, and the day of a row that changes during the run is counted again.
 *
 * @returns the number of days that were counted
 */
export async function storeDailyNumbers(db: Db, limit = maxDays): Promise<number> {
  const days = await db.select().from(uncountedDays).orderBy(desc(uncountedDays.day)).limit(limit);
  for (const { day } of days) await countDay(db, day);
  return days.length;
}

async function countDay(db: Db, day: number): Promise<void> {
  await db.batch([
    db.delete(uncountedDays).where(eq(uncountedDays.day, day)),
    db.delete(dailyNumbers).where(eq(dailyNumbers.day, day)),
    db.insert(dailyNumbers).select(numbersOf(day)),
    db.delete(dailyDemand).where(eq(dailyDemand.day, day)),
    db.insert(dailyDemand).select(demandOf(day)),
  ]);
}

function numbersOf(day: number): SQL {
  return sql`select ${day}, accounts.count, listings.count, orders.count, orders.cancelled, sales.count, sales.cents, sales.days, views.count
    from (select count(*) as count from ${users} where ${createdOn(users, day)} and ${isNull(users.removalId)}) as accounts,
      (select count(*) as count from ${phones} where ${createdOn(phones, day)} and ${isNull(phones.hiddenById)}) as listings,
      (select count(*) as count, count(*) filter (where ${orders.status} = 'cancelled') as cancelled
        from ${orders} where ${createdOn(orders, day)}) as orders,
      (select coalesce(sum(count), 0) as count, coalesce(sum(cents), 0) as cents,
          json_group_object(cast(days as text), count) filter (where days is not null) as days
        from (${salesByDuration(day)})) as sales,
      (select coalesce(sum(${viewedDays.views}), 0) as count from ${viewedDays} where ${eq(viewedDays.day, day)}) as views`;
}

/** The sales of a day, without those that were returned, by the days from the publication of the listing to the receipt. */
function salesByDuration(day: number): SQL {
  return sql`select count(*) as count, sum(${orders.priceCents}) as cents,
      cast(max(0, (${orderSteps.createdAt} - ${phones.createdAt}) / ${dayMs}) as integer) as days
    from ${orderSteps} inner join ${orders} on ${orders.id} = ${orderSteps.orderId}
      left join ${phones} on ${phones.id} = ${orders.phoneId}
    where ${orderSteps.kind} = 'received' and ${orders.status} = 'active' and ${isOn(orderSteps.createdAt, day)} group by 3`;
}

function demandOf(day: number): SQL {
  return sql`select ${day}, model, sum(orders), sum(saves) from (
      select ${orders.productName} as model, 1 as orders, 0 as saves from ${orders} where ${createdOn(orders, day)}
      union all
      select ${deviceNameColumn}, 0, 1 from ${savedListings}
        inner join ${phones} on ${phones.id} = ${savedListings.phoneId} where ${createdOn(savedListings, day)}
    ) group by model`;
}

function isOn(time: SQLiteColumn, day: number) {
  return and(...isWithin(time, { from: new Date(day * dayMs), before: new Date((day + 1) * dayMs) }));
}

/** Ids are made shortly before the time of creation is noted, or after. */
const toleranceMs = 3_600_000;

/** Condition on rows that were created on a day, found by their time-ordered ids: there is no index of the time. */
function createdOn({ id, createdAt }: { id: SQLiteColumn; createdAt: SQLiteColumn }, day: number) {
  return and(
    gte(id, firstIdAt(new Date(day * dayMs - toleranceMs))),
    lt(id, firstIdAt(new Date((day + 1) * dayMs + toleranceMs))),
    isOn(createdAt, day),
  );
}
