import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, describe, onTestFinished } from "vitest";
import type { LocalServer } from "../../scripts/local-server.ts";
import { chromiumPath } from "./chromium.ts";
import { newAddress, sharedServer, type TestServer, visitor } from "./server.ts";

/**
 * Starts a headless Chromium, see `chromiumPath`. The default arguments of the bundled one are left out, since
 * they switch off the same-origin policy, which is under test.
 *
 * @param switches more switches for Chromium's command line
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

let shared: Promise<Browser> | undefined;

/** The Chromium of this process, which its test files use one after the other; each closes its pages. */
export function sharedBrowser(): Promise<Browser> {
  shared ??= launchBrowser();
  return shared;
}

/** Starts a server and the shared browser for the tests of a file, and ends what it used when they are done. */
export async function startWithBrowser(): Promise<{ server: TestServer; browser: Browser }> {
  const [server, browser] = await Promise.all([sharedServer(), sharedBrowser()]);
  afterAll(closePages);
  return { server, browser };
}

/** Closes what a test file has opened in the shared browser. */
export async function closePages(): Promise<void> {
  const browser = await shared;
  await Promise.all(browser?.contexts().map((context) => context.close()) ?? []);
}

/**
 * Describes the same tests with JavaScript and without it. The second time is for `npm run test:all`: the Worker's tests
 * post the same forms as a browser without JavaScript does.
 */
export function describeBothWays(describeTests: (javaScriptEnabled: boolean, way: string) => void): void {
  const [withScript, without] = ["with JavaScript", "without JavaScript"];
  describe(withScript, () => describeTests(true, withScript));
  describe(without, { tags: ["slow"] }, () => describeTests(false, without));
}

/** Events that fail a test; collected while the page is open. */
interface Observed {
  /** Console warnings and errors, uncaught exceptions and dialogs, each with its source. */
  problems: string[];
  /** URLs of requests to other origins. */
  externalRequests: string[];
}

/** Opens a page in a browser context of its own, which is closed at the end of the test. */
export async function openPage(
  browser: Browser,
  server: Pick<LocalServer, "url">,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; observed: Observed }> {
  const opened = await openSharedPage(browser, server, options);
  onTestFinished(() => opened.page.context().close());
  return opened;
}

/**
 * Opens a page in a browser context of its own, which is closed by `closePages`.
 * The base URL is at `localhost`, because browsers accept Secure cookies over HTTP for that host only.
 */
export async function openSharedPage(
  browser: Browser,
  server: Pick<LocalServer, "url">,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; observed: Observed }> {
  const baseURL = server.url.replace("127.0.0.1", "localhost");
  const extraHTTPHeaders = { "CF-Connecting-IP": newAddress() };
  const context = await browser.newContext({
    baseURL,
    extraHTTPHeaders,
    serviceWorkers: "block",
    ...options,
  });
  context.setDefaultTimeout(20_000);

  const observed: Observed = { problems: [], externalRequests: [] };
  context.on("console", (message) => {
    if (!["error", "warning"].includes(message.type())) return;
    // Unless a test is about the service worker, pages do without.
    if (message.text() === "Service Worker registration blocked by Playwright") return;
    observed.problems.push(`${message.text()} (${message.location().url})`);
  });
  context.on("weberror", (event) => observed.problems.push(String(event.error().stack)));
  context.on("dialog", (dialog) => {
    observed.problems.push(`Dialog: ${dialog.message()}`);
    return dialog.dismiss();
  });
  context.on("request", (request) => {
    if (!request.url().startsWith(`${baseURL}/`)) observed.externalRequests.push(request.url());
  });
  return { page: await context.newPage(), observed };
}

/** The storage state of a signed-in browser, for `openPage`. */
export async function storageStateOf(
  server: Pick<LocalServer, "url" | "db">,
  email: string,
): Promise<Exclude<BrowserContextOptions["storageState"], string | undefined>> {
  const person = visitor(server);
  await person.signIn(email);
  const where = { domain: "localhost", path: "/", expires: -1 };
  const cookies = [...person.cookies]
    .map(([name, value]) => ({ name, value, ...where }))
    .map((cookie) => ({ ...cookie, httpOnly: true, secure: true, sameSite: "Lax" as const }));
  return { cookies, origins: [] };
}
