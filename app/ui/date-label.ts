import { dayMs, lazyFormat, marketLabels, visitorLabels } from "#app/time.ts";
import { useHydrated } from "./hydrated.ts";

const weekdayLabel = lazyFormat({ weekday: "long" });
const timeLabel = lazyFormat({ hour: "numeric", minute: "2-digit" });

const inPages = { ...marketLabels, recentLabel: marketLabels.dateTimeLabel };

const inBrowsers = {
  ...visitorLabels,
  /** Formats an ISO time, that of these days as "Saturday, 6:15 PM". */
  recentLabel: (isoTime: string) =>
    Math.abs(Date.now() - Date.parse(isoTime)) < 6 * dayMs
      ? `${weekdayLabel(isoTime)}, ${timeLabel(isoTime)}`
      : visitorLabels.dateTimeLabel(isoTime),
};

/** In pages: in the visitor's time zone with JavaScript, in the market's without. */
export function useDateLabels() {
  const labels = useHydrated() ? inBrowsers : inPages;
  /** A sentence of the server with labels in place of its ISO times. */
  const withTimes = (text: string) => text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, labels.recentLabel);
  return { ...labels, withTimes };
}
