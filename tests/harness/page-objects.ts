import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { openPage, storageStateOf } from "./browser.ts";
import type { TestServer } from "./server.ts";

/** An expectation that is retried until it holds. */
export function eventually<Value>(read: () => Promise<Value>) {
  return expect.poll(read);
}

/** Opens a path. Before hydration, forms are submitted as without JavaScript, so it waits for that. */
export async function goTo(page: Page, path: string, javaScriptEnabled: boolean): Promise<void> {
  await page.goto(path);
  if (javaScriptEnabled) await waitForHydration(page);
}

/**
 * Waits until React has hydrated the page, and what is loaded after that is there, too, which wraps `fetch`. Until then
 * links and forms load whole documents.
 */
export async function waitForHydration(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      Object.keys(document.body).some((property) => property.startsWith("__reactFiber$")) &&
      !String(window.fetch).includes("[native code]"),
  );
}

export function phoneCard(page: Page, name: string): Locator {
  return page.getByRole("article", { name, exact: true });
}

export function cardNames(page: Page): Promise<string[]> {
  return page.getByRole("article").getByRole("heading").allTextContents();
}

/** Shows the next cards of a list: with JavaScript below the others, without on a page of their own. */
export async function showNextCards(page: Page, javaScriptEnabled: boolean): Promise<void> {
  const control = javaScriptEnabled
    ? page.getByRole("button", { name: "Load more" })
    : page.getByRole("link", { name: "Next" });
  const cards = page.getByRole("article");
  const before = await cards.count();
  await control.click();
  await page.waitForURL(javaScriptEnabled ? /[?&]more=/ : /[?&]after=/);
  // The URL changes before the cards and their links do.
  if (javaScriptEnabled) await cards.nth(before).waitFor();
}

/** Where a visible element is in the viewport. */
export async function boxOf(element: Locator): Promise<{ top: number; bottom: number }> {
  const box = await element.boundingBox();
  if (!box) throw new Error(`${element} is hidden.`);
  return { top: box.y, bottom: box.y + box.height };
}

/** The texts of a table row's cells. */
export async function cellTexts(row: Locator): Promise<string[]> {
  // Without the stylesheet, the labels for narrow screens would be part of the text.
  await row.page().waitForLoadState("load");
  const cells = await row.getByRole("cell").allInnerTexts();
  return cells.map((cell) => cell.trim());
}

/** The submit button of the booking dialog. */
export function bookButton(page: Page): Locator {
  return page.getByRole("dialog").getByRole("button", { name: /^Book for \$/ });
}

/** Books the phone of the open dialog, and waits for the confirmation on the order's page. */
export async function submitBooking(page: Page): Promise<void> {
  await bookButton(page).click();
  await expectToast(page, "Your booking successful");
  await page.getByRole("heading", { name: /^You booked it for \$/ }).waitFor();
}

export async function expectToast(page: Page, message: string): Promise<void> {
  await page.getByRole("status").getByText(message, { exact: true }).waitFor();
}

/** Submits the login form of the open page, or of the one that is about to be shown. */
export async function submitLogin(page: Page, email: string, password: string): Promise<void> {
  const button = page.getByRole("button", { name: "Log in", exact: true });
  const form = page.getByRole("main").locator("form").filter({ has: button });
  await form.getByLabel("Email").fill(email);
  await form.getByLabel("Password").fill(password);
  await form.getByRole("button", { name: "Log in", exact: true }).click();
}

/** Opens the login page, logs in, and waits for the message. */
export async function logIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto("/login");
  await submitLogin(page, email, password);
  await expectToast(page, `${email} account created`);
}

/** Waits until a field is invalid with exactly this error message. */
export async function expectFieldError(field: Locator, message: string): Promise<void> {
  await eventually(() => errorOf(field)).toEqual({ invalid: "true", message });
}

export async function expectNoFieldError(field: Locator): Promise<void> {
  await eventually(() => errorOf(field)).toEqual({ invalid: null, message: null });
}

/** A field's state and visible error message, as assistive technology reads them. */
function errorOf(field: Locator) {
  return field.evaluate((element) => {
    const invalid = element.getAttribute("aria-invalid");
    const shown = (element.getAttribute("aria-describedby") ?? "")
      .split(" ")
      .map((id) => document.getElementById(id))
      // The description may have a hint as well.
      .filter((description) => description?.id.endsWith("-error"))
      .filter((description) => description?.checkVisibility());
    const message = shown.map((description) => description?.textContent.trim()).join(" ");
    return { invalid, message: message || null };
  });
}

/** Opens a page as somebody who is logged in, or as a stranger, and waits until its scripts run. */
export async function openAs(
  server: TestServer,
  browser: Browser,
  account: { email: string } | null,
  path: string,
  options: BrowserContextOptions = {},
) {
  const storageState = account ? await storageStateOf(server, account.email) : undefined;
  const { page } = await openPage(browser, server, { storageState, ...options });
  await page.goto(path);
  await waitForHydration(page);
  return page;
}

/** How far the page is scrolled down, in pixels. */
export const scrollPosition = (page: Page) => page.evaluate(() => Math.round(scrollY));

/** The tag and the text of the element with the focus. */
export const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement } = document;
    return `${activeElement?.tagName} ${activeElement?.textContent?.trim()}`;
  });
