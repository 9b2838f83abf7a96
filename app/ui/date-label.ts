/** Creates a format for ISO dates when it is first used: creating one takes milliseconds of the Worker's start. */
function lazyFormat(options: Intl.DateTimeFormatOptions): (isoTime: string) => string {
  let format: Intl.DateTimeFormat | undefined;
  return (isoTime) => {
    format ??= new Intl.DateTimeFormat("en-US", { ...options, timeZone: "UTC" });
    return format.format(new Date(isoTime));
  };
}

/** A day for reading, in UTC: "Nov 21, 2026". */
export const dayLabel = lazyFormat({ dateStyle: "medium" });

const monthLabel = lazyFormat({ month: "long", year: "numeric" });

/** An ISO date for reading: "2026-11-21" → "Nov 21, 2026". */
export function isoDayLabel(isoDate: string): string {
  return dayLabel(`${isoDate}T00:00:00Z`);
}

/** An ISO month for reading: "2026-11" → "November 2026". */
export function isoMonthLabel(isoMonth: string): string {
  return monthLabel(`${isoMonth}-01T00:00:00Z`);
}

/** A moment for reading, in UTC: "Nov 21, 2026, 4:05 PM". */
export const dateTimeLabel = lazyFormat({ dateStyle: "medium", timeStyle: "short" });
