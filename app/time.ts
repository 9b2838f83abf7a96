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
