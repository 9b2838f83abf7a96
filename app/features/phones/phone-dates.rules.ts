import { dayLabel, monthLabel } from "#app/ui/date-label.ts";

/** An ISO date for reading: "2026-11-21" → "Nov 21, 2026". */
export function postedOn(postDate: string): string {
  return dayLabel(new Date(`${postDate}T00:00:00Z`));
}

/** The month of a moment, as "2026-11": more of when somebody came is nobody's business. */
export function monthOf(moment: Date): string {
  return moment.toISOString().slice(0, 7);
}

/** A month for reading: "2026-11" → "November 2026". */
export function monthOfYear(isoMonth: string): string {
  return monthLabel(new Date(`${isoMonth}-01T00:00:00Z`));
}

/** How long a phone was used: sellers write a number of months or words of their own. */
export function usedFor(usedTime: string): string {
  if (!/^\d+$/.test(usedTime)) return usedTime;
  return usedTime === "1" ? "1 month" : `${usedTime} months`;
}
