import { countLabel } from "#app/market.ts";

/** One of each kind of work, and many. */
export const workNames = {
  reports: ["report", "reports"],
  appeals: ["appeal", "appeals"],
  "first-listings": ["first listing", "first listings"],
  signals: ["signal", "signals"],
  "order-problems": ["order problem", "order problems"],
  "problem-reports": ["problem report", "problem reports"],
  sellers: ["seller to verify", "sellers to verify"],
} as const;
export type WorkKindName = keyof typeof workNames;

/** How many open items there are of each kind, of those that the user may work on. */
export type WorkCounts = { [kind in WorkKindName]?: number };

/** Items of one kind are counted up to this number; badges show "99+". */
export const maxWorkCount = 100;

export function totalWork(counts: WorkCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** "2 reports, 1 appeal". */
export function workText(counts: WorkCounts): string {
  return Object.entries(workNames)
    .map(([kind, [one, many]]) => ({ one, many, count: counts[kind as WorkKindName] ?? 0 }))
    .filter(({ count }) => count > 0)
    .map(({ one, many, count }) => `${countLabel(count)} ${count === 1 ? one : many}`)
    .join(", ");
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
