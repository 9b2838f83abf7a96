import { isbot } from "isbot";

/** User-Agents also contain the names of browsers further down, so the order matters. */
const browsers: [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, "Edge"],
  [/\b(OPR|OPT|OPX)\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\b(Chrome|CriOS|Chromium)\//, "Chrome"],
  [/\bVersion\/.*\bSafari\//, "Safari"],
];
const systems: [RegExp, string][] = [
  [/\b(iPhone|iPad|iPod)\b/, "iOS"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac OS X\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

/** Whether the client says that it is a program. Most bots do not run scripts, and some say nothing. */
export function isDeclaredBot(request: Request): boolean {
  const userAgent = request.headers.get("User-Agent");
  return !userAgent || isbot(userAgent);
}

/** Describes the client, such as "Chrome on Android", by its untrustworthy User-Agent header. */
export function deviceOf(request: Request): string {
  const userAgent = (request.headers.get("User-Agent") ?? "").slice(0, 512);
  const find = (names: [RegExp, string][]) => names.find(([pattern]) => pattern.test(userAgent))?.[1];
  const [browser, system] = [find(browsers), find(systems)];
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? (system ? `Unknown browser on ${system}` : "Unknown device");
}
