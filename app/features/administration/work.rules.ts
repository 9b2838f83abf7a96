import type { WorkKindName } from "../notifications/work-text.ts";

/** How many open items there are of each kind, of those that the user may work on. */
export type WorkCounts = { [kind in WorkKindName]?: number };

/** Items of one kind are counted up to this number; badges show "99+". */
export const maxWorkCount = 100;

export function totalWork(counts: WorkCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

const units = [
  ["day", 24 * 60],
  ["hour", 60],
  ["minute", 1],
] as const;

/** How long ago a time was, in its largest unit: "3 days". */
export function ageLabel(since: Date, now = new Date()): string {
  const minutes = Math.floor((now.getTime() - since.getTime()) / 60_000);
  const [unit, length] = units.find(([, length]) => minutes >= length) ?? ["minute", 1];
  const count = Math.floor(minutes / length);
  if (count < 1) return "less than a minute";
  return count === 1 ? `1 ${unit}` : `${count} ${unit}s`;
}

/** That a colleague works on something. */
export function takenText({ name, ago }: { name: string; ago: string }): string {
  return `${name} took this ${ago} ago.`;
}
