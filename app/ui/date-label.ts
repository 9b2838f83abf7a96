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
  return { ...labels, withTimes: (text: string) => labelTimes(text, labels.recentLabel) };
}

/** A sentence of the server with labels in place of its ISO times. A name in it may look like a time and be none. */
export function labelTimes(text: string, timeLabel: (isoTime: string) => string): string {
  return text.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, (time) =>
    Number.isNaN(Date.parse(time)) ? time : timeLabel(time),
  );
}
