import type { BrowserContextOptions, Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { accessibilityViolations } from "../harness/accessibility.ts";
import { openPage, startWithBrowser } from "../harness/browser.ts";
import { cardNames, eventually, waitForHydration } from "../harness/page-objects.ts";
import { addPhone } from "../harness/server.ts";

const { server, browser } = await startWithBrowser();

beforeAll(async () => {
  for (const model of ["Alpha", "Alpha", "Alpine"]) {
    await addPhone(server.db, { brandName: "Sonic", model });
  }
  await addPhone(server.db, { brandName: "Sonder", model: "One", os: "Ios" });
});

const field = (page: Page) => page.getByRole("combobox", { name: "Search" });
const list = (page: Page) => page.getByRole("listbox", { name: "Suggestions" });
const options = (page: Page) =>
  list(page)
    .getByRole("option")
    .evaluateAll((all) => all.map((option) => option.getAttribute("aria-label")));
const activeOption = (page: Page) =>
  field(page).evaluate((input) => {
    const id = input.getAttribute("aria-activedescendant");
    const option = id === null ? null : document.getElementById(id);
    if (option && option.getAttribute("aria-selected") !== "true") return "not selected";
    return option?.getAttribute("aria-label") ?? null;
  });
const isFocused = (page: Page) => field(page).evaluate((input) => input === document.activeElement);

const all = ["Sonic, 3 devices", "Sonder, 1 device", "Sonic Alpha, 2 devices"];

async function openAlive(path: string, options: BrowserContextOptions = {}) {
  const opened = await openPage(browser, server, { reducedMotion: "reduce", ...options });
  await opened.page.goto(path);
  await waitForHydration(opened.page);
  return opened;
}

/** Reaches the field by keyboard, which is sure to take the next key, too. */
async function typeInto(page: Page, words: string) {
  while (!(await isFocused(page))) await page.keyboard.press("Tab");
  await page.keyboard.type(words);
}

test("a suggestion can be chosen by keyboard", async () => {
  const { page, observed } = await openAlive("/about");
  expect(await field(page).getAttribute("aria-expanded")).toBe("false");
  await typeInto(page, "son");
  await list(page).waitFor();
  expect((await options(page)).slice(0, 3)).toEqual(all);
  expect(await field(page).getAttribute("aria-expanded")).toBe("true");
  expect(await field(page).getAttribute("aria-controls")).toBe(await list(page).getAttribute("id"));
  expect(await page.locator("[aria-live]").allInnerTexts()).toContain("5 suggestions");

  expect(await activeOption(page)).toBeNull();
  await page.keyboard.press("ArrowUp");
  expect(await activeOption(page)).toBe("Sonic Alpine, 1 device");
  await page.keyboard.press("ArrowDown");
  expect(await activeOption(page)).toBeNull();
  await page.keyboard.press("ArrowDown");
  expect(await activeOption(page)).toBe(all[0]);
  // Other keys still edit the text.
  await page.keyboard.press("Home");
  expect(await activeOption(page)).toBeNull();
  expect(await field(page).evaluate((input: HTMLInputElement) => input.selectionStart)).toBe(0);
  await page.keyboard.press("End");

  await page.keyboard.press("Escape");
  expect(await list(page).count()).toBe(0);
  expect(await field(page).inputValue()).toBe("son");
  await page.keyboard.press("ArrowDown");
  await list(page).waitFor();
  await page.keyboard.press("Tab");
  await list(page).waitFor({ state: "detached" });
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("ArrowDown");
  await list(page).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  expect(await field(page).inputValue()).toBe("");

  await page.keyboard.type("soni");
  await eventually(() => options(page)).toContain("Sonic Alpine, 1 device");
  await eventually(() => options(page)).not.toContain("Sonder, 1 device");
  const model = page.getByRole("option", { name: "Sonic Alpha, 2 devices" });
  expect(await model.getAttribute("href")).toBe("/models/sonic-alpha");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL("/products?brand=Sonic");
  expect(await field(page).inputValue()).toBe("");
  await eventually(() => page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
  expect(await list(page).count()).toBe(0);
  expect(observed).toEqual({ problems: [], externalRequests: [] });
});

test("without an active option Enter searches for the words", { tags: ["slow"] }, async () => {
  const { page, observed } = await openAlive("/blogs");
  await field(page).pressSequentially("alp");
  await list(page).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Enter");
  await page.waitForURL("/products?q=alp");
  await eventually(() => cardNames(page)).toHaveLength(3);
  expect(await field(page).inputValue()).toBe("alp");
  expect(observed).toEqual({ problems: [], externalRequests: [] });
});

test("a suggestion can be chosen by mouse or touch, and a click elsewhere closes the list", {
  tags: ["slow"],
}, async () => {
  for (const touch of [{}, { hasTouch: true, viewport: { width: 390, height: 844 } }]) {
    const { page, observed } = await openAlive("/about", touch);
    await field(page).pressSequentially("son");
    await list(page).waitFor();
    const press = (name: string) => page.getByRole("option", { name }).click();
    await page.getByRole("banner").click({ position: { x: 6, y: 32 } });
    await list(page).waitFor({ state: "detached" });
    await field(page).fill("sond");
    await list(page).waitFor();
    await list(page).click({ position: { x: 40, y: 3 } });
    expect(await list(page).count()).toBe(1);
    const newTab = page.context().waitForEvent("page");
    await page.getByRole("option", { name: "Sonder, 1 device" }).click({ modifiers: ["ControlOrMeta"] });
    await (await newTab).close();
    expect(await field(page).inputValue()).toBe("sond");
    await press("Sonder, 1 device");
    await page.waitForURL("/products?brand=Sonder");
    await list(page).waitFor({ state: "detached" });
    expect(await isFocused(page)).toBe(false);
    expect(observed).toEqual({ problems: [], externalRequests: [] });
  }
});

test("on a list, words are searched for with Enter, and a suggestion replaces what is typed", {
  tags: ["slow"],
}, async () => {
  const { page, observed } = await openAlive("/android?q=sonic&ram=8+GB");
  const requested: (string | null)[] = [];
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === "/search/suggestions") requested.push(searchParams.get("q"));
  });
  expect(await field(page).inputValue()).toBe("sonic");
  await field(page).focus();
  await field(page).press("End");
  expect(await list(page).count()).toBe(0);
  await field(page).pressSequentially(" alpi");
  await eventually(() => options(page)).toEqual(["Sonic Alpine, 1 device"]);
  await field(page).press("Enter");
  await eventually(() => cardNames(page)).toEqual(["Sonic Alpine"]);
  await page.waitForURL("/android?q=sonic+alpi&ram=8+GB");
  // Words from the URL are not a query for suggestions.
  expect(requested).not.toContain("sonic");

  await page.getByRole("link", { name: 'Remove "sonic alpi"' }).click();
  await page.waitForURL("/android?ram=8+GB");
  await eventually(() => field(page).inputValue()).toBe("");
  await field(page).pressSequentially("sond");
  await page.getByRole("option", { name: "Sonder, 1 device" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL("/products?brand=Sonder");
  await eventually(() => cardNames(page)).toEqual(["Sonder One"]);
  await page.goBack();
  await eventually(async () => new URL(page.url()).pathname).toBe("/android");
  await eventually(() => field(page).inputValue()).toBe("");
  expect(observed).toEqual({ problems: [], externalRequests: [] });
});

test("a late or failed response is ignored", { tags: ["slow"] }, async () => {
  const { page } = await openAlive("/about");
  let respondLate = () => {};
  const late = new Promise<void>((resolve) => {
    respondLate = resolve;
  });
  await page.route("**/search/suggestions?q=s", async (route) => {
    await late;
    await route.continue().catch(() => {});
  });
  const first = page.waitForRequest("**/search/suggestions?q=s");
  await field(page).pressSequentially("s");
  await first;
  await field(page).pressSequentially("onder");
  await list(page).waitFor();
  respondLate();
  await page.keyboard.press("ArrowDown");
  expect(await activeOption(page)).toBe("Sonder, 1 device");
  expect(await options(page)).toEqual(["Sonder, 1 device", "Sonder One, 1 device"]);

  for (const fail of [
    () => page.context().setOffline(true),
    () => page.route("**/search/suggestions?*", (route) => route.fulfill({ status: 503, body: "no" })),
    () => page.route("**/search/suggestions?*", (route) => route.fulfill({ status: 200, body: "<!doctype" })),
  ]) {
    await page.context().setOffline(false);
    await page.unrouteAll();
    await field(page).fill("");
    await field(page).pressSequentially("son");
    await list(page).waitFor();
    await fail();
    await field(page).pressSequentially("i");
    await list(page).waitFor({ state: "detached" });
    expect(new URL(page.url()).pathname).toBe("/about");
    expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
    expect(await isFocused(page)).toBe(true);
    await page.context().setOffline(false);
    await page.unrouteAll();
    await page.keyboard.press("ArrowDown");
    await list(page).waitFor();
  }
});

test("text typed before hydration is kept and submitted", { tags: ["slow"] }, async () => {
  const { page, observed } = await openPage(browser, server);
  let load = () => {};
  const loading = new Promise<void>((resolve) => {
    load = resolve;
  });
  await page.route("**/assets/*.js", async (route) => {
    await loading;
    await route.continue();
  });
  await page.goto("/about", { waitUntil: "commit" });
  const plain = page.getByLabel("Search");
  await plain.pressSequentially("alp");
  expect(await plain.getAttribute("role")).toBeNull();
  load();
  await waitForHydration(page);
  await field(page).waitFor();
  expect(await field(page).inputValue()).toBe("alp");
  await field(page).press("Enter");
  await page.waitForURL("/products?q=alp");
  expect(observed).toEqual({ problems: [], externalRequests: [] });
});

test("without JavaScript the search field of each page submits a form", { tags: ["slow"] }, async () => {
  for (const width of [1280, 390]) {
    const { page, observed } = await openPage(browser, server, {
      javaScriptEnabled: false,
      viewport: { width, height: 800 },
    });
    await page.goto("/");
    await page.getByLabel("Search").fill("alpha");
    await page.getByLabel("Search").press("Enter");
    await page.waitForURL("/products?q=alpha");
    expect(await page.getByLabel("Search").inputValue()).toBe("alpha");
    expect(await cardNames(page)).toEqual(["Sonic Alpha", "Sonic Alpha"]);
    // On a list the form keeps the other filters.
    await page.goto("/android?ram=8+GB&sort=price-up");
    await page.getByLabel("Search").fill("alpine");
    await page.getByRole("banner").getByRole("button", { name: "Search" }).click();
    await page.waitForURL(/\/android\?/);
    const { searchParams } = new URL(page.url());
    expect(["q", "ram", "sort"].map((name) => searchParams.get(name))).toEqual([
      "alpine",
      "8 GB",
      "price-up",
    ]);
    expect(await cardNames(page)).toEqual(["Sonic Alpine"]);
    expect(observed).toEqual({ problems: [], externalRequests: [] });
  }
});

test("suggestions are accessible and fit a narrow screen", { tags: ["slow"] }, async () => {
  const { model } = await addPhone(server.db, { brandName: "Kapitän", model: "Donaudampfschiff".repeat(5) });
  for (const width of [1280, 390]) {
    for (const colorScheme of ["light", "dark"] as const) {
      const { page } = await openAlive("/about", { viewport: { width, height: 800 }, colorScheme });
      await typeInto(page, "kap");
      await page.getByRole("option", { name: `Kapitän ${model}, 1 device` }).waitFor();
      await page.keyboard.press("ArrowDown");
      await eventually(() => activeOption(page)).toBe("Kapitän, 1 device");
      expect(await accessibilityViolations(page), `${width} ${colorScheme}`).toEqual([]);
      const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(excess, `${width} ${colorScheme}`).toBeLessThanOrEqual(0);
    }
  }
});

test.each([1280, 390])("the field on the home page suggests, too, %i px wide", async (width) => {
  const { page, observed } = await openAlive("/", { viewport: { width, height: 844 } });
  await page.getByRole("combobox", { name: "Which device do you want?" }).fill("son");
  await list(page).waitFor();
  expect(await list(page).count()).toBe(1);
  expect(await list(page).evaluate((panel) => getComputedStyle(panel).borderWidth)).toBe("1px");
  expect((await options(page)).slice(0, 3)).toEqual(all);
  expect((await accessibilityViolations(page)).length).toBe(0);
  await page.getByRole("option", { name: "Sonic Alpha" }).click();
  await page.getByRole("heading", { name: "Sonic Alpha", level: 1 }).waitFor();
  expect(observed).toEqual({ problems: [], externalRequests: [] });
});
