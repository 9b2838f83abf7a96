import type { WorkKind } from "#app/db/enums.ts";

/** How many open items there are of each kind, of those that the user may work on. */
export type WorkCounts = { [kind in WorkKind]?: number };

/** Items of a page of Work. */
export const workPageSize = 25;

/** Items of one kind are counted up to this number: more than a page. Each page of staff has the sum in its menu. */
export const maxWorkCount = workPageSize + 1;

export function totalWork(counts: WorkCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** "12", or "25+" of a kind of which there are more. */
export function workCountLabel(count: number): string {
  return count < maxWorkCount ? String(count) : `${workPageSize}+`;
}

/** The sum of all kinds: "30", or "45+" if there are more of one. */
export function totalWorkLabel(counts: WorkCounts): string {
  const all = Object.values(counts);
  const least = all.reduce((sum, count) => sum + Math.min(count, workPageSize), 0);
  return all.some((count) => count >= maxWorkCount) ? `${least}+` : String(least);
}

const units = [
  ["day", 24 * 60],
  ["hour", 60],
  ["minute", 1],
] as const;

/** How long ago a time was, in its largest unit: "3 days". */
export function elapsedLabel(since: Date, now = new Date()): string {
  const minutes = Math.floor((now.getTime() - since.getTime()) / 60_000);
  const [unit, length] = units.find(([, length]) => minutes >= length) ?? ["minute", 1];
  const count = Math.floor(minutes / length);
  if (count < 1) return "less than a minute";
  return count === 1 ? `1 ${unit}` : `${count} ${unit}s`;
}

/** That a colleague works on something. */
export function claimText({ name, ago }: { name: string; ago: string }): string {
  return `${name} took this ${ago} ago.`;
}
