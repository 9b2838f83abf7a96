import type { SaleStatus } from "#app/db/enums.ts";
import { dayMs } from "#app/time.ts";

/** Where a listing stands for its seller. */
type SaleState = SaleStatus | "sold elsewhere";

interface SaleChangeRules {
  /** The states that it can be made in. */
  from: readonly SaleState[];
  to: SaleState;
  label: string;
  /** Follows a number of listings: "3 listings paused". */
  done: string;
}

/** What sellers do with a listing that nobody has booked; what is offered and what is accepted follow from it. */
export const saleChanges = {
  pause: { from: ["available"], to: "paused", label: "Pause", done: "paused" },
  "put back": {
    from: ["paused", "sold elsewhere"],
    to: "available",
    label: "Put back on sale",
    done: "back on sale",
  },
  "sold elsewhere": {
    from: ["available", "paused"],
    to: "sold elsewhere",
    label: "Sold elsewhere",
    done: "marked as sold elsewhere",
  },
} as const satisfies Record<string, SaleChangeRules>;

export type SaleChange = keyof typeof saleChanges;
export const saleChangeNames = Object.keys(saleChanges) as SaleChange[];

/** The changes that a listing allows, unless it or its seller is hidden. */
export function saleChangesOf({
  status,
  soldElsewhere,
}: {
  status: SaleStatus;
  soldElsewhere: boolean;
}): SaleChange[] {
  const state: SaleState = soldElsewhere ? "sold elsewhere" : status;
  return saleChangeNames.filter((name) => saleChanges[name].from.some((from) => from === state));
}

/** "2 listings paused. 1 left out: booked, hidden, sold or deleted." */
export function saleChangeMessage(change: SaleChange, doneCount: number, chosen: number): string {
  const { done } = saleChanges[change];
  const count = (number: number) => `${number} ${number === 1 ? "listing" : "listings"}`;
  const left = chosen - doneCount;
  if (left === 0) return `${count(doneCount)} ${done}`;
  const why = "booked, hidden, sold or deleted";
  return doneCount === 0
    ? `Nothing changed: ${left === 1 ? "it’s" : "they’re"} ${why}.`
    : `${count(doneCount)} ${done}. ${left} left out: ${why}.`;
}

const maxPauseDays = 90;

/** The time at which a pause until a day ends; null if it is no day, or not within the next 90. */
export function pauseEnd(day: string): Date | null {
  const now = Date.now();
  const time = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  return time > now && time <= now + maxPauseDays * dayMs ? new Date(time) : null;
}

export const pauseDayText = `Choose a day from tomorrow on, within ${maxPauseDays} days.`;
