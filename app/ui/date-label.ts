import { market } from "#app/market.ts";
import { useHydrated } from "./hydrated.ts";

/** A date format that is created on first use, since creating one delays the Worker's start by milliseconds. */
function lazyFormat(options: Intl.DateTimeFormatOptions): (isoTime: string) => string {
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

const marketLabels = labelsIn(market.timeZone);
const visitorLabels = labelsIn(undefined);

/** In the market's time zone, for emails and other texts of the server. */
export const { dayLabel, dateTimeLabel } = marketLabels;

/** In pages: in the visitor's time zone with JavaScript, in the market's without. */
export function useDateLabels() {
  return useHydrated() ? visitorLabels : marketLabels;
}

const monthLabel = lazyFormat({ month: "long", year: "numeric", timeZone: market.timeZone });

/** Formats an ISO date: "2026-11-21" → "Nov 21, 2026". */
export function isoDayLabel(isoDate: string): string {
  return dayLabel(`${isoDate}T12:00:00Z`);
}

/** Formats an ISO month: "2026-11" → "November 2026". */
export function isoMonthLabel(isoMonth: string): string {
  return monthLabel(`${isoMonth}-01T12:00:00Z`);
}
