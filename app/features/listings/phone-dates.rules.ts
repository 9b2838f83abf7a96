/** The month of a moment, as "2026-11": more of when somebody came is nobody's business. */
export function isoMonth(moment: Date): string {
  return moment.toISOString().slice(0, 7);
}

/** How long a phone was used: sellers write a number of months or words of their own. */
export function usedTimeLabel(usedTime: string): string {
  if (!/^\d+$/.test(usedTime)) return usedTime;
  return usedTime === "1" ? "1 month" : `${usedTime} months`;
}
