import { isoDay } from "#app/time.ts";
/** How many days, up to today, the page can show. */
export const periods = [7, 30, 365] as const;
export type Period = (typeof periods)[number];

export const periodUnits = ["day", "week", "month"] as const;
export type Unit = (typeof periodUnits)[number];

const defaultPeriod: Period = 30;

export interface NumbersQuery {
  days: Period;
  by: Unit;
}

/** Parses the query of the page; anything else is the default. */
export function parseNumbersQuery(parameters: URLSearchParams): NumbersQuery {
  const days = periods.find((period) => String(period) === parameters.get("days")) ?? defaultPeriod;
  return { days, by: periodUnits.find((unit) => unit === parameters.get("by")) ?? defaultUnit(days) };
}

/** The query string of the page; without a unit, the one that suits the period. */
export function numbersSearch({ days, by }: Pick<NumbersQuery, "days"> & { by?: Unit }): string {
  const parameters = new URLSearchParams();
  if (days !== defaultPeriod) parameters.set("days", String(days));
  if (by && by !== defaultUnit(days)) parameters.set("by", by);
  return parameters.size > 0 ? `?${parameters}` : "";
}

function defaultUnit(days: Period): Unit {
  return days === 365 ? "month" : "day";
}

/** What is counted; `salesCents` in cents. */
export const countedMeasures = [
  "signUps",
  "listings",
  "views",
  "bookings",
  "cancelled",
  "sales",
  "salesCents",
] as const;
export type Measure = (typeof countedMeasures)[number];
export type Counts = Record<Measure, number>;

/** A day, or the days of a week or month that are in the period, as ISO dates. */
export interface Span extends Counts {
  from: string;
  through: string;
}

const noCounts = Object.fromEntries(countedMeasures.map((measure) => [measure, 0])) as Counts;

/**
 * The counts of each day, week or month of a period, oldest first, those without any included. Weeks begin on Monday.
 *
 * @param rows the days that have counts
 * @param lastDay in days since January 1, 1970
 */
export function spansOf(
  rows: readonly (Counts & { day: number })[],
  lastDay: number,
  { days, by }: NumbersQuery,
): Span[] {
  const counted = new Map(rows.map((row) => [row.day, row]));
  const spans = new Map<string | number, Span>();
  for (let day = lastDay - days + 1; day <= lastDay; day += 1) {
    const date = isoDay(day);
    // January 1, 1970 was a Thursday.
    const key = by === "month" ? date.slice(0, 7) : by === "week" ? Math.floor((day + 3) / 7) : day;
    const before = spans.get(key) ?? { ...noCounts, from: date, through: date };
    spans.set(key, { ...add(before, counted.get(day) ?? noCounts), from: before.from, through: date });
  }
  return [...spans.values()];
}

export function totalsOf(rows: readonly Counts[]): Counts {
  return rows.reduce(add, noCounts);
}

function add(one: Counts, other: Counts): Counts {
  const sums = countedMeasures.map((measure) => [measure, one[measure] + other[measure]]);
  return Object.fromEntries(sums) as Counts;
}

/** The median of whole days, of which each row says how many there are; null without any. */
export function medianDays(rows: readonly Record<string, number>[]): number | null {
  const counts = new Map<number, number>();
  for (const [days, count] of rows.flatMap(Object.entries)) {
    counts.set(Number(days), (counts.get(Number(days)) ?? 0) + Number(count));
  }
  const sorted = [...counts].sort(([one], [other]) => one - other);
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return null;
  return (daysAt(sorted, Math.floor((total - 1) / 2)) + daysAt(sorted, Math.floor(total / 2))) / 2;
}

/** The number of days of the sale at a position, the quickest first. */
function daysAt(sorted: readonly (readonly [days: number, count: number])[], position: number): number {
  let passed = 0;
  for (const [days, count] of sorted) {
    passed += count;
    if (passed > position) return days;
  }
  return 0;
}
