import { countLabel } from "#app/market.ts";
import { dayMs, isoDayLabel, isoMonthLabel } from "#app/time.ts";
import { priceLabel } from "../listings/money.rules.ts";
import type { Measure, NumbersQuery, Span, Unit } from "./numbers.rules.ts";

export const measureLabels: Record<Measure, string> = {
  signUps: "Sign-ups",
  listings: "New listings",
  views: "Views of listings",
  bookings: "Bookings",
  cancelled: "Cancelled bookings",
  sales: "Sales",
  salesCents: "Value of sales",
};

export const unitLabels: Record<Unit, string> = { day: "Day", week: "Week", month: "Month" };

/** Writes a value of a measure. */
export function measureValueLabel(measure: Measure): (value: number) => string {
  return measure === "salesCents" ? priceLabel : countLabel;
}

type Dates = Pick<Span, "from" | "through">;

/** The dates of a span: "Nov 22, 2026", "Nov 16 to 22, 2026", or a whole month, "October 2026". */
export function spanLabel({ from, through }: Dates): string {
  if (from === through) return isoDayLabel(from);
  if (isWholeMonth({ from, through })) return isoMonthLabel(from.slice(0, 7));
  const [start, end] = [isoDayLabel(from), isoDayLabel(through)];
  const [month, year] = [start.slice(0, 4), start.slice(-6)];
  const beginning = end.endsWith(year) ? start.slice(0, -6) : start;
  return `${beginning} to ${end.startsWith(month) && end.endsWith(year) ? end.slice(4) : end}`;
}

/** A short label of a bar: "Nov 22", with the year in a long period, or "Nov 2026" for a month. */
export function barLabel({ from }: Dates, { days, by }: NumbersQuery): string {
  const label = isoDayLabel(from);
  if (by === "month") return `${label.slice(0, 3)}${label.slice(-5)}`;
  return days > 30 ? label : label.slice(0, -6);
}

function isWholeMonth({ from, through }: Dates): boolean {
  const next = new Date(Date.parse(through) + dayMs);
  return from.endsWith("-01") && next.getUTCDate() === 1 && through.startsWith(from.slice(0, 7));
}
