import { marketLabels, visitorLabels } from "#app/time.ts";
import { useHydrated } from "./hydrated.ts";

/** In pages: in the visitor's time zone with JavaScript, in the market's without. */
export function useDateLabels() {
  return useHydrated() ? visitorLabels : marketLabels;
}
