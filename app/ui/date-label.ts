/** A date format that is created on first use, since creating one delays the Worker's start by milliseconds. */
function lazyFormat(options: Intl.DateTimeFormatOptions): (isoTime: string) => string {
  let format: Intl.DateTimeFormat | undefined;
  return (isoTime) => {
    format ??= new Intl.DateTimeFormat("en-US", { ...options, timeZone: "UTC" });
    return format.format(new Date(isoTime));
  };
}

/** Formats the date of an ISO time in UTC: "Nov 21, 2026". */
export const dayLabel = lazyFormat({ dateStyle: "medium" });

const monthLabel = lazyFormat({ month: "long", year: "numeric" });

/** Formats an ISO date: "2026-11-21" → "Nov 21, 2026". */
export function isoDayLabel(isoDate: string): string {
  return dayLabel(`${isoDate}T00:00:00Z`);
}

/** Formats an ISO month: "2026-11" → "November 2026". */
export function isoMonthLabel(isoMonth: string): string {
  return monthLabel(`${isoMonth}-01T00:00:00Z`);
}

const timeLabel = lazyFormat({ dateStyle: "medium", timeStyle: "short" });

/** Formats an ISO time in UTC: "Nov 21, 2026, 4:05 PM UTC". */
export function dateTimeLabel(isoTime: string): string {
  return `${timeLabel(isoTime)} UTC`;
}
