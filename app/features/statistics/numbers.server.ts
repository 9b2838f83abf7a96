import { and, count, desc, gte, isNull, lt, lte, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { contentReports, dailyDemand, dailyNumbers, uncountedDays } from "#app/db/schema.ts";
import { dayMs } from "#app/time.ts";
import { findModelSlugs } from "../catalog/model.server.ts";
import { modelSlug } from "../listings/device-variant.rules.ts";
import { medianDays, type NumbersQuery, spansOf, totalsOf } from "./numbers.rules.ts";

const shownModels = 10;

/** What administrators see of a period; takes two round trips. */
export type Numbers = Awaited<ReturnType<typeof readNumbers>>;

/** Reads what the job has counted of a period that ends today. */
export async function readNumbers(db: Db, query: NumbersQuery, now = new Date()) {
  const today = Math.floor(now.getTime() / dayMs);
  const firstDay = today - query.days + 1;
  const [rows, models, [reports], [uncounted]] = await Promise.all([
    db
      .select()
      .from(dailyNumbers)
      .where(and(gte(dailyNumbers.day, firstDay), lte(dailyNumbers.day, today))),
    mostWanted(db, firstDay),
    db.select({ count: count() }).from(contentReports).where(isNull(contentReports.decisionId)),
    db
      .select({ count: count() })
      .from(uncountedDays)
      .where(and(gte(uncountedDays.day, firstDay), lt(uncountedDays.day, today))),
  ]);
  const slugs = models.map(({ model }) => modelSlug({ brandName: model, model: "" }));
  const withPage = slugs.length > 0 ? await findModelSlugs(db, slugs) : [];
  return {
    spans: spansOf(rows, today, query),
    totals: totalsOf(rows),
    medianDaysToSale: medianDays(rows.map(({ daysToSale }) => daysToSale)),
    /** With the slug of each one's page, or null if it has none. */
    models: models.map((row, index) => ({
      ...row,
      slug: withPage.find((slug) => slug === slugs[index]) ?? null,
    })),
    openReports: reports?.count ?? 0,
    /** Days whose numbers may be out of date, without today. */
    uncountedDays: uncounted?.count ?? 0,
  };
}

/** The models that were booked and saved most often, in whichever letter case. */
function mostWanted(db: Db, firstDay: number) {
  const bookings = sql<number>`sum(${dailyDemand.bookings})`.as("times_booked");
  const saves = sql<number>`sum(${dailyDemand.saves})`.as("times_saved");
  const model = sql<string>`max(${dailyDemand.model})`.as("model_name");
  return db
    .select({ model, bookings, saves })
    .from(dailyDemand)
    .where(gte(dailyDemand.day, firstDay))
    .groupBy(sql`lower(${dailyDemand.model})`)
    .orderBy(desc(sql`times_booked + times_saved`), desc(sql`times_booked`), sql`model_name`)
    .limit(shownModels);
}
