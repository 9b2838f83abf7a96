import { market } from "./market.ts";

export const hourMs = 60 * 60 * 1000;
export const dayMs = 24 * hourMs;

/** The month of a date in UTC, as "2026-11". */
export function isoMonth(date: Date): string {
  return date.toISOString().slice(0, 7);
}

/** The ISO date of a day. @param day in days since January 1, 1970, in UTC */
export function isoDay(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

/** The ISO date of today. @param timeZone undefined for that of the browser */
export function todayIn(timeZone: string | undefined): string {
  // Swedish dates are ISO dates.
  return new Date().toLocaleDateString("sv", { timeZone });
}

/** A date format that is created on first use, since creating one delays the Worker's start by milliseconds. */
export function lazyFormat(options: Intl.DateTimeFormatOptions): (isoTime: string) => string {
  let format: Intl.DateTimeFormat | undefined;
  return (isoTime) => {
    format ??= new Intl.DateTimeFormat(market.locale, options);
    return format.format(new Date(isoTime));
  };
}

/** @param timeZone undefined for that of the browser */
function labelsIn(timeZone: string | undefined) {
  return {
    /** Formats the date of an ISO time: "Nov 21, 2026". */
    dayLabel: lazyFormat({ dateStyle: "medium", timeZone }),
    /** Formats an ISO time: "Nov 21, 2026, 4:05 PM UTC". */
    dateTimeLabel: lazyFormat({
      year: "numeric",
      month: "short",
      day: "numeric",
      hour: "numeric",
      minute: "2-digit",
      timeZoneName: "short",
      timeZone,
    }),
  };
}

export const marketLabels = labelsIn(market.timeZone);
export const visitorLabels = labelsIn(undefined);

/** In the market's time zone, for emails and other texts of the server. */
export const { dayLabel, dateTimeLabel } = marketLabels;

/** For sentences of the server in pages, where `withTimes` labels them. */
export const keepIsoTime = (time: string) => time;

const monthLabel = lazyFormat({ month: "long", year: "numeric", timeZone: market.timeZone });

/** Formats an ISO date: "2026-11-21" → "Nov 21, 2026". */
export function isoDayLabel(isoDate: string): string {
  return dayLabel(`${isoDate}T12:00:00Z`);
}

/** Formats an ISO month: "2026-11" → "November 2026". */
export function isoMonthLabel(isoMonth: string): string {
  return monthLabel(`${isoMonth}-01T12:00:00Z`);
}

let ages: Intl.RelativeTimeFormat | undefined;

/** How long ago a time was, in days or months: "yesterday", "3d ago". */
export function ageLabel(time: Date): string {
  ages ??= new Intl.RelativeTimeFormat(market.locale, { style: "narrow", numeric: "auto" });
  const days = Math.floor((Date.now() - time.getTime()) / dayMs);
  return days < 30 ? ages.format(-days, "day") : ages.format(-Math.floor(days / 30), "month");
}
