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

/** The month of a moment for reading, in UTC: "November 2026". */
export const monthLabel = later({ month: "long", year: "numeric" });

/** A moment for reading, in UTC: "Nov 21, 2026, 4:05 PM". */
export const momentLabel = later({ dateStyle: "medium", timeStyle: "short" });
