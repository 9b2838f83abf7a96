import { market } from "#app/market.ts";

/** A date format of the market that is created on first use, since creating one delays the Worker's start by milliseconds. */
function lazyFormat(options: Intl.DateTimeFormatOptions): (isoTime: string) => string {
  let format: Intl.DateTimeFormat | undefined;
  return (isoTime) => {
    format ??= new Intl.DateTimeFormat(market.locale, { ...options, timeZone: market.timeZone });
    return format.format(new Date(isoTime));
  };
}

/** Formats the date of an ISO time: "Nov 21, 2026". */
export const dayLabel = lazyFormat({ dateStyle: "medium" });

const monthLabel = lazyFormat({ month: "long", year: "numeric" });

/** Formats an ISO date: "2026-11-21" → "Nov 21, 2026". */
export function isoDayLabel(isoDate: string): string {
  return dayLabel(`${isoDate}T12:00:00Z`);
}

/** Formats an ISO month: "2026-11" → "November 2026". */
export function isoMonthLabel(isoMonth: string): string {
  return monthLabel(`${isoMonth}-01T12:00:00Z`);
}

/** Formats an ISO time: "Nov 21, 2026, 4:05 PM UTC". */
export const dateTimeLabel = lazyFormat({
  year: "numeric",
  month: "short",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
  timeZoneName: "short",
});
