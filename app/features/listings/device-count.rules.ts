import { countLabel } from "#app/market.ts";

/** Counting stops one above this. */
const maxCounted = 1000;

/** What the listings of a category are called: "phone", "tablet", or "device" for a mixed list. */
export type DeviceNoun = "device" | "phone" | "tablet";

/** A number of listings: "1 phone", "12,400 devices". */
export function devicesLabel(count: number, noun: DeviceNoun = "device"): string {
  return `${countLabel(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** A number of listings that was counted up to 1,001: "12 phones", "1,000+ devices". */
export function foundLabel(count: number, noun: DeviceNoun): string {
  return count > maxCounted ? `${countLabel(maxCounted)}+ ${noun}s` : devicesLabel(count, noun);
}
