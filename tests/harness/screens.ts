import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";

/**
 * An expectation that a page may still be on its way to: it is read until it holds.
 * What is slower than this on a loaded machine is stuck.
 */
export function eventually<Value>(read: () => Promise<Value>) {
  return expect.poll(read, { timeout: 20_000 });
}

/** The phone's card on a list, by the phone's name. */
export function phoneCard(page: Page, name: string): Locator {
  return page.getByRole("article", { name, exact: true });
}

/** The names on a list's cards, in their order. */
export function namesOnCards(page: Page): Promise<string[]> {
  return page.getByRole("article").getByRole("heading").allTextContents();
}

/** What a row's cells show, from its number to its buttons. */
export async function cellsOf(row: Locator): Promise<string[]> {
  // Until the stylesheet is there, the labels that narrow screens show beside the cells are read too.
  await row.page().waitForLoadState("load");
  const cells = await row.getByRole("cell").allInnerTexts();
  return cells.map((cell) => cell.trim());
}

/** Waits for the message that says that something was done. */
export async function expectToast(page: Page, message: string): Promise<void> {
  await page.getByRole("status").getByText(message, { exact: true }).waitFor();
}

/** Fills in the login page that is open, and sends it. */
export async function logInHere(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("main").getByRole("button", { name: "Log in" }).click();
}

/** Goes to the login page, and waits until the market has greeted. */
export async function logIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto("/login");
  await logInHere(page, email, password);
  await expectToast(page, `${email} account created`);
}

/** Waits until a field is marked as wrong, with this message and no other as its description. */
export async function expectMessage(field: Locator, message: string): Promise<void> {
  await eventually(() => messageOf(field)).toEqual({ invalid: "true", message });
}

/** Waits until nothing is wrong with a field. */
export async function expectNoMessage(field: Locator): Promise<void> {
  await eventually(() => messageOf(field)).toEqual({ invalid: null, message: null });
}

/** What assistive technology hears of a field's fault; the message counts only while it can be seen. */
function messageOf(field: Locator) {
  return field.evaluate((element) => {
    const invalid = element.getAttribute("aria-invalid");
    const shown = (element.getAttribute("aria-describedby") ?? "")
      .split(" ")
      .map((id) => document.getElementById(id))
      // A standing hint is part of the description too; only a message comes and goes.
      .filter((description) => description?.id.endsWith("-error"))
      .filter((description) => description?.checkVisibility());
    const message = shown.map((description) => description?.textContent.trim()).join(" ");
    return { invalid, message: message || null };
  });
}
