/** Formats of dates, made when first asked for: to make one takes milliseconds, which the Worker's start has not. */
function later(options: Intl.DateTimeFormatOptions): (date: Date) => string {
  let format: Intl.DateTimeFormat | undefined;
  return (date) => {
    format ??= new Intl.DateTimeFormat("en-US", { ...options, timeZone: "UTC" });
    return format.format(date);
  };
}

/** A day for reading, in UTC: "Nov 21, 2026". */
export const dayLabel = later({ dateStyle: "medium" });

const monthLabel = later({ month: "long", year: "numeric" });

/** An ISO date for reading: "2026-11-21" → "Nov 21, 2026". */
export function isoDayLabel(isoDate: string): string {
  return dayLabel(new Date(`${isoDate}T00:00:00Z`));
}

/** An ISO month for reading: "2026-11" → "November 2026". */
export function isoMonthLabel(isoMonth: string): string {
  return monthLabel(new Date(`${isoMonth}-01T00:00:00Z`));
}

/** A moment for reading, in UTC: "Nov 21, 2026, 4:05 PM". */
export const momentLabel = later({ dateStyle: "medium", timeStyle: "short" });
