import fc from "fast-check";
import { expect, test } from "vitest";
import { deviceOf, isDeclaredBot } from "#app/server/http/device.ts";

const from = (userAgent?: string) =>
  deviceOf(new Request("http://ringback.example", { headers: userAgent ? { "User-Agent": userAgent } : {} }));

const webkit = "AppleWebKit/537.36 (KHTML, like Gecko)";

test.each([
  ["Chrome on Android", `Mozilla/5.0 (Linux; Android 10; K) ${webkit} Chrome/143.0.0.0 Mobile Safari/537.36`],
  [
    "Samsung Internet on Android",
    `Mozilla/5.0 (Linux; Android 13; SM-S911B) ${webkit} SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36`,
  ],
  ["Firefox on Android", "Mozilla/5.0 (Android 14; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"],
  [
    "Safari on iOS",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
  ],
  [
    "Chrome on iOS",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/143.0.7499.92 Mobile/15E148 Safari/604.1",
  ],
  [
    "Firefox on iOS",
    "Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/140.0 Mobile/15E148 Safari/605.1.15",
  ],
  [
    "Safari on macOS",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15",
  ],
  [
    "Edge on Windows",
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/143.0.0.0 Safari/537.36 Edg/143.0.0.0`,
  ],
  [
    "Opera on Windows",
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/142.0.0.0 Safari/537.36 OPR/126.0.0.0`,
  ],
  ["Chrome on ChromeOS", `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webkit} Chrome/143.0.0.0 Safari/537.36`],
  ["Firefox on Linux", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"],
  ["Unknown browser on Linux", "Wget/1.21 (Linux)"],
  ["Unknown device", "curl/8.5.0"],
  ["Unknown device", undefined],
])("%s", (device, userAgent) => expect(from(userAgent)).toBe(device));

test("returns only known words for any User-Agent header", () => {
  const header = fc.string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  });
  fc.assert(
    fc.property(header, (userAgent) => {
      expect(from(userAgent)).toMatch(/^[\w ]{4,40}$/);
    }),
  );
});

test.each([
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", false],
  ["Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", true],
  ["Mozilla/5.0 (X11; Linux x86_64) HeadlessChrome/143.0.0.0 Safari/537.36", true],
  ["", true],
])("%j is a bot: %s", (userAgent, expected) => {
  expect(
    isDeclaredBot(new Request("https://ringback.example", { headers: { "User-Agent": userAgent } })),
  ).toBe(expected);
});
