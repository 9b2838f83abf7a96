/** The month of a date in UTC, as "2026-11". */
export function isoMonth(date: Date): string {
  return date.toISOString().slice(0, 7);
}

/** How long a phone was used. Sellers enter a number of months or free text. */
export function usedTimeLabel(usedTime: string): string {
  if (!/^\d+$/.test(usedTime)) return usedTime;
  return usedTime === "1" ? "1 month" : `${usedTime} months`;
}
