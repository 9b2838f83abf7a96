import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { onTestFinished } from "vitest";
import type { Market } from "../../scripts/market.ts";
import { chromiumPath } from "./chromium.ts";
import { newAddress, visitor } from "./market.ts";

/**
 * Starts a headless Chromium: the one `CHROMIUM_PATH` names, else the one that npm has brought along, else the
 * system's, which `RINGBACK_BROWSER=system` asks for by name.
 *
 * The bundled one comes first, since it is the same everywhere, and without windows to draw takes two thirds of
 * the time. Its own arguments are left out: they switch off the same-origin policy, which is among the things
 * under test.
 *
 * @param switches further ones for Chromium's command line
 */
export async function launchBrowser(...switches: string[]): Promise<Browser> {
  return chromium.launch({
    executablePath: await chromiumPath(),
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      ...switches,
    ],
  });
}

/** What a page may never do, whatever a test is about; filled while the page lives. */
export interface Observed {
  /** Warnings, errors and uncaught exceptions, each with where it happened. */
  complaints: string[];
  /** Requests to anywhere but the market. */
  foreignRequests: string[];
}

/** Opens a page of the market in a browser profile of its own, which ends with the test. */
export async function openPage(
  browser: Browser,
  market: Pick<Market, "url">,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; observed: Observed }> {
  const opened = await openLastingPage(browser, market, options);
  onTestFinished(() => opened.page.context().close());
  return opened;
}

/**
 * Opens a page of the market in a browser profile of its own, which ends with the browser.
 * At the market's `localhost` name, since its cookies are Secure and browsers count that host as safe.
 */
export async function openLastingPage(
  browser: Browser,
  market: Pick<Market, "url">,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; observed: Observed }> {
  const baseURL = market.url.replace("127.0.0.1", "localhost");
  const extraHTTPHeaders = { "CF-Connecting-IP": newAddress() };
  const context = await browser.newContext({ baseURL, extraHTTPHeaders, ...options });
  // What is slower than this on a loaded machine is stuck.
  context.setDefaultTimeout(20_000);

  const observed: Observed = { complaints: [], foreignRequests: [] };
  context.on("console", (message) => {
    if (!["error", "warning"].includes(message.type())) return;
    observed.complaints.push(`${message.text()} (${message.location().url})`);
  });
  context.on("weberror", (fault) => observed.complaints.push(String(fault.error().stack)));
  context.on("dialog", (dialog) => {
    observed.complaints.push(`A box said: ${dialog.message()}`);
    return dialog.dismiss();
  });
  context.on("request", (request) => {
    if (!request.url().startsWith(`${baseURL}/`)) observed.foreignRequests.push(request.url());
  });
  return { page: await context.newPage(), observed };
}

/** The browser profile of one who has just logged in, for `openPage`; without the greeting. */
export async function profileOf(
  market: Pick<Market, "url">,
  email: string,
  secret?: string,
): Promise<NonNullable<BrowserContextOptions["storageState"]>> {
  const person = visitor(market);
  await person.logIn(email, secret);
  const where = { domain: "localhost", path: "/", expires: -1 };
  const cookies = [...person.cookies]
    .filter(([name]) => name !== "__Host-flash")
    .map(([name, value]) => ({ name, value, ...where }))
    .map((cookie) => ({ ...cookie, httpOnly: true, secure: true, sameSite: "Lax" as const }));
  return { cookies, origins: [] };
}

/** Waits until React has taken a page over: before that, links and forms load whole pages. */
export async function untilAlive(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    Object.keys(document.body).some((property) => property.startsWith("__reactFiber$")),
  );
}
