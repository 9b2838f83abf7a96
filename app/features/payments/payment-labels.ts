import { market } from "#app/market.ts";
import { lazyFormat } from "#app/time.ts";
import { useDateLabels } from "#app/ui/date-label.ts";
import { useHydrated } from "#app/ui/hydrated.ts";

const time = { hour: "numeric", minute: "2-digit" } as const;
const visitorTime = lazyFormat(time);
const marketTime = lazyFormat({ ...time, timeZone: market.timeZone, timeZoneName: "short" });

/** Labels of times, and of those of a day: "4:05 PM", without JavaScript "4:05 PM UTC". */
export function usePaymentLabels() {
  const timeLabel = useHydrated() ? visitorTime : marketTime;
  return { ...useDateLabels(), timeLabel };
}
