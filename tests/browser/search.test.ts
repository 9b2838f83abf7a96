import { eq } from "drizzle-orm";
import type { Locator, Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { phones, savedSearches } from "#app/db/schema.ts";
import { describeBothWays, openPage, startWithBrowser } from "../harness/browser.ts";
import {
  cardNames,
  eventually,
  expectToast,
  goTo,
  showNextCards,
  submitLogin,
  waitForHydration,
} from "../harness/page-objects.ts";
import { addAccount, addPhone, password } from "../harness/server.ts";

const { server, browser } = await startWithBrowser();
/** The names of all phones of one brand, newest first. */
const nokias: string[] = [];

beforeAll(async () => {
  const seller = await addAccount(server.db, { userType: "Seller", verified: true });
  for (let number = 1; number <= 80; number += 1) {
    await addPhone(server.db, { sellerId: seller.id, brandName: "Nokia", model: `Number ${number}` });
    nokias.unshift(`Nokia Number ${number}`);
  }
  for (const model of ["Alpha", "Alpine", "Beta"]) {
    await addPhone(server.db, { brandName: "Sonic", model, sellingCents: 90_000, ram: "4 GB" });
  }
});

const found = (page: Page) =>
  page
    .getByRole("main")
    .getByRole("status")
    .getByText(/(?:device|phone|tablet)s?$/);
const expectFound = (page: Page, text: string) => eventually(() => found(page).innerText()).toBe(text);
const searchOf = (page: Page) => decodeURIComponent(new URL(page.url()).search);
const box = (page: Page, name: string) => page.getByRole("checkbox", { name, exact: true });
const expectChecked = (of: Locator, checked: boolean) => eventually(() => of.isChecked()).toBe(checked);

async function openAlive(path: string) {
  const { page, observed } = await openPage(browser, server, { reducedMotion: "reduce" });
  await page.goto(path);
  await waitForHydration(page);
  return { page, observed };
}

test("a list has buttons that submit its form only without JavaScript, not until it is hydrated", async () => {
  for (const javaScriptEnabled of [true, false]) {
    const { page } = await openPage(browser, server, { javaScriptEnabled });
    await page.route("**/*.js", (route) => route.abort());
    await page.goto("/products");
    for (const name of ["Apply", "Show devices"])
      expect(await page.getByRole("button", { name }).count(), name).toBe(javaScriptEnabled ? 0 : 1);
  }
});

describeBothWays((javaScriptEnabled) => {
  test("a visitor saves a search through the login, then edits and deletes it", async () => {
    const buyer = await addAccount(server.db);
    const { page, observed } = await openPage(browser, server, { javaScriptEnabled });
    const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
    await goTo(page, "/products", javaScriptEnabled);
    expect(await page.getByRole("link", { name: "Save this search" }).count()).toBe(0);
    await goTo(page, "/products?q=sonic&to=1000", javaScriptEnabled);
    await page.getByRole("link", { name: "Save this search" }).click();
    await page.waitForURL(/\/login\?redirectTo=/);
    await submitLogin(page, buyer.email, password);
    await page.getByRole("heading", { name: "Save this search", level: 1 }).waitFor();
    const terms = page.getByRole("list", { name: "Words and filters" });
    expect(await terms.getByRole("listitem").allInnerTexts()).toEqual(['"sonic"', "Up to $1,000"]);
    const name = page.getByLabel("Name", { exact: true });
    expect(await name.inputValue()).toBe("sonic, Up to $1,000");
    expect(await page.getByLabel("Once a day").isChecked()).toBe(true);
    await name.fill("A new Sonic");
    await page.getByLabel("Right away").check();
    await press("Save search");
    await expectToast(page, "Search saved");
    await page.waitForURL("/products?q=sonic&to=1000#saved");
    await page.getByRole("link", { name: "Search saved" }).waitFor();
    await page.getByRole("link", { name: "See your searches" }).click();

    const saved = page.getByRole("article", { name: "A new Sonic", exact: true });
    await saved.getByText("Alerts: right away").waitFor();
    await saved.getByRole("link", { name: "Edit A new Sonic" }).click();
    await page.getByRole("heading", { name: "Edit search", level: 1 }).waitFor();
    await name.fill("Cheap Sonic");
    await page.getByLabel("Never").check();
    await press("Save changes");
    await expectToast(page, "Search saved");
    await page.getByText("Alerts: never").waitFor();
    const [listing] = await server.db.select().from(phones).where(eq(phones.brandName, "Sonic"));
    await server.db
      .update(savedSearches)
      .set({ newMatchCount: 1, matchedIds: [listing?.id ?? ""] })
      .where(eq(savedSearches.userId, buyer.id));
    await page.getByRole("link", { name: "Cheap Sonic", exact: true }).click();
    await page.getByRole("heading", { name: "New or cheaper since your last visit" }).waitFor();
    const address = page.url();
    await page.getByRole("article").getByRole("link").waitFor();
    await page.getByRole("link", { name: "View all results" }).click();
    await page.waitForURL("/products?q=sonic&to=1000");
    if (javaScriptEnabled) await page.getByRole("link", { name: "Search saved" }).waitFor();
    await expectFound(page, "3 devices");

    await goTo(page, "/manage/searches", javaScriptEnabled);
    await press("Delete");
    await expectToast(page, "Search deleted");
    await page.getByText("No saved searches yet").waitFor();
    expect(observed).toEqual({ problems: [], externalRequests: [] });
    await goTo(page, address, javaScriptEnabled);
    await page.getByRole("heading", { name: "This search is gone" }).waitFor();
  });

  test("filters narrow the list, and their chips remove them", async () => {
    const { page, observed } = await openPage(browser, server, { javaScriptEnabled });
    await page.goto("/products");
    const apply = async () => {
      if (!javaScriptEnabled) await page.getByRole("button", { name: "Show devices" }).click();
    };
    expect(await found(page).innerText()).toBe("83 devices");
    await box(page, "Sonic, 3 devices").check();
    await apply();
    await expectFound(page, "3 devices");
    await page.getByLabel("From", { exact: true }).fill("1,000");
    await page.getByLabel("To", { exact: true }).fill("900");
    await page.getByLabel("To", { exact: true }).press("Enter");
    const fault = page
      .getByRole("group", { name: "Price" })
      .getByText("“From” is higher than “To”. Swap them?");
    await fault.waitFor();
    await expectFound(page, "0 devices");
    expect(await page.getByLabel("From", { exact: true }).inputValue()).toBe("1000");
    await page.getByRole("link", { name: "Remove From $1,000" }).click();
    await fault.waitFor({ state: "detached" });
    await expectFound(page, "3 devices");
    expect(await page.getByLabel("From", { exact: true }).inputValue()).toBe("");
    await page.getByLabel("Sort").selectOption("Price: low to high");
    await apply();
    await eventually(async () => searchOf(page)).toContain("sort=price-up");
    await page.getByRole("link", { name: "Remove Sonic" }).click();
    await expectFound(page, "83 devices");
    await expectChecked(box(page, "Sonic, 3 devices"), false);
    await page.getByRole("link", { name: "Clear all" }).click();
    await page.waitForURL("/products?sort=price-up");
    expect(await page.getByLabel("Sort").inputValue()).toBe("price-up");
    await page.goBack();
    await page.getByRole("link", { name: "Remove Up to $900" }).waitFor();
    await eventually(() => page.getByLabel("To", { exact: true }).inputValue()).toBe("900");
    // An address that somebody wrote.
    await goTo(page, "/products?brand=Sonic&color=teal", javaScriptEnabled);
    await page.getByText("“Color” can’t be “teal”.").waitFor();
    await expectFound(page, "3 devices");
    expect(searchOf(page)).toContain("color=teal");
    expect(observed).toEqual({ problems: [], externalRequests: [] });
  });

  test("the field of the home page searches all devices", { tags: ["slow"] }, async () => {
    const { page, observed } = await openPage(browser, server, { javaScriptEnabled });
    await page.goto("/");
    await page.getByLabel("Which device do you want?").fill("sonic");
    await page.getByRole("button", { name: "Find" }).click();
    await page.waitForURL("/products?q=sonic");
    await expectFound(page, "3 devices");
    expect(observed).toEqual({ problems: [], externalRequests: [] });
  });

  test("misspelt words are corrected, unless the exact words are requested", { tags: ["slow"] }, async () => {
    const { page, observed } = await openPage(browser, server, { javaScriptEnabled });
    await page.goto("/products");
    if (javaScriptEnabled) await waitForHydration(page);
    const words = page.getByLabel("Search");
    await words.fill("soinc");
    await words.press("Enter");
    const notice = page.getByText('Showing results for "sonic"');
    await notice.waitFor();
    await expectFound(page, "3 devices");
    expect(await words.inputValue()).toBe("soinc");
    await box(page, "4 GB, 3 devices").check();
    if (!javaScriptEnabled) await page.getByRole("button", { name: "Show devices" }).click();
    await page.getByRole("link", { name: "Remove 4 GB RAM" }).click();
    await page.waitForURL("/products?q=soinc");
    await notice.waitFor();

    await page.getByRole("link", { name: 'Search instead for "soinc"' }).click();
    await expectFound(page, "0 devices");
    expect(searchOf(page)).toBe("?q=soinc&exact=yes");
    await notice.waitFor({ state: "detached" });
    const models = page.getByRole("region", { name: "Try one of these models" }).getByRole("link");
    expect((await models.allInnerTexts()).map((text) => text.split(/\s*\n\s*/))).toEqual([
      ["Sonic Alpha", "1 device"],
      ["Sonic Alpine", "1 device"],
      ["Sonic Beta", "1 device"],
    ]);
    // The page does not return to the corrected words by itself.
    await page.reload();
    if (javaScriptEnabled) await waitForHydration(page);
    await expectFound(page, "0 devices");
    expect(searchOf(page)).toBe("?q=soinc&exact=yes");
    // Filters keep the words exact.
    await page.getByLabel("From", { exact: true }).fill("800");
    await page.getByLabel("From", { exact: true }).press("Enter");
    await page.getByRole("link", { name: "Remove From $800" }).waitFor();
    await expectFound(page, "0 devices");
    for (const part of ["q=soinc", "exact=yes", "from=800"]) expect(searchOf(page)).toContain(part);
    if (!javaScriptEnabled) return;
    await words.fill("snoic");
    await words.press("Enter");
    await notice.waitFor();
    await expectFound(page, "3 devices");
    expect(searchOf(page)).toBe("?q=snoic&from=800");
    expect(observed).toEqual({ problems: [], externalRequests: [] });
  });

  test("the field keeps what was typed, and words typed on are sorted by how well they fit", async () => {
    const { page, observed } = await openPage(browser, server, { javaScriptEnabled });
    await page.goto("/products?q=over+850");
    if (javaScriptEnabled) await waitForHydration(page);
    await expectFound(page, "3 devices");
    await page.getByRole("link", { name: "Remove From $850" }).waitFor();
    const words = page.getByLabel("Search");
    expect(await words.inputValue()).toBe("over 850");
    await words.fill("over 850 alp");
    await words.press("Enter");
    await expectFound(page, "2 devices");
    expect(await words.inputValue()).toBe("over 850 alp");
    expect(searchOf(page)).not.toContain("sort=newest");
    await words.fill("alp");
    await words.press("Enter");
    await eventually(() => page.getByRole("link", { name: "Remove From $850" }).count()).toBe(0);
    await page.goBack();
    await eventually(() => words.inputValue()).toBe("over 850 alp");
    expect(observed).toEqual({ problems: [], externalRequests: [] });
  });

  test("on a phone screen the filters are in a drawer", async () => {
    const viewport = { width: 390, height: 844 };
    const { page, observed } = await openPage(browser, server, { javaScriptEnabled, viewport });
    await page.goto("/android");
    if (javaScriptEnabled) await waitForHydration(page);
    expect(await page.getByLabel("Search").isVisible()).toBe(true);
    expect(await page.getByLabel("Sort").isVisible()).toBe(true);
    const sonic = box(page, "Sonic, 3 phones");
    expect(await sonic.count()).toBe(0);
    const open = page.getByRole("button", { name: "Filters" });
    await open.click();
    await sonic.check();
    // The tab order continues from the button into the drawer.
    const show = page.getByRole("button", { name: javaScriptEnabled ? "Show 3 phones" : "Show phones" });
    await show.waitFor();
    await show.click();
    await show.waitFor({ state: "hidden" });
    await expectFound(page, "3 phones");
    await page.getByRole("button", { name: "Filters 1 applied" }).click();
    await page.keyboard.press("Escape");
    await show.waitFor({ state: "hidden" });
    await page.getByRole("link", { name: "Remove Sonic" }).click();
    await expectFound(page, "83 phones");
    expect(observed).toEqual({ problems: [], externalRequests: [] });
  });
});

test("words are searched for when the form is submitted, each search in a history entry", async () => {
  const { page, observed } = await openAlive("/products");
  const words = page.getByLabel("Search");
  const requested: string[] = [];
  page.on("request", (request) => {
    if (new URL(request.url()).pathname === "/products") requested.push(request.url());
  });
  await words.pressSequentially("alp");
  await words.press("Enter");
  await expectFound(page, "2 devices");
  expect(requested).toHaveLength(1);
  expect(await words.evaluate((field) => field === document.activeElement)).toBe(true);
  await words.fill("alpine");
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await page.waitForURL("/products?q=alpine");
  await expectFound(page, "1 device");
  await page.goBack();
  await expectFound(page, "2 devices");
  await eventually(() => words.inputValue()).toBe("alp");
  // Typing continues during requests, and late responses are ignored.
  for (const letter of "ha9") {
    await words.press("End");
    await words.press(letter);
    await words.press("Enter");
  }
  await page.waitForURL("/products?q=alpha9");
  await expectFound(page, "0 devices");
  expect(await words.inputValue()).toBe("alpha9");
  expect(observed).toEqual({ problems: [], externalRequests: [] });
});

test("words typed while a search is pending are kept", { tags: ["slow"] }, async () => {
  const { page, observed } = await openAlive("/products");
  let respond = () => {};
  const released = new Promise<void>((resolve) => {
    respond = resolve;
  });
  const isSearch = (url: URL) => url.pathname === "/products" && url.searchParams.get("q") === "alp";
  await page.route(isSearch, async (route) => {
    await released;
    await route.continue();
  });
  const words = page.getByLabel("Search");
  await words.fill("alp");
  const requested = page.waitForRequest((request) => isSearch(new URL(request.url())));
  await words.press("Enter");
  await requested;
  await words.press("i");
  respond();
  await expectFound(page, "2 devices");
  expect(await words.inputValue()).toBe("alpi");
  await words.press("Enter");
  await expectFound(page, "1 device");
  expect(searchOf(page)).toBe("?q=alpi");
  expect(observed).toEqual({ problems: [], externalRequests: [] });
});

test("input that does not change the search sends no request", { tags: ["slow"] }, async () => {
  const { page } = await openAlive("/products?q=nokia");
  await showNextCards(page, true);
  await eventually(() => cardNames(page)).toEqual(nokias.slice(0, 48));
  const requested: string[] = [];
  page.on("request", (request) => {
    if (new URL(request.url()).pathname === "/products") requested.push(request.url());
  });
  await page.getByLabel("From", { exact: true }).fill(" ");
  await page.getByLabel("From", { exact: true }).blur();
  await page.getByLabel("Sort").selectOption("Price: low to high");
  await eventually(async () => searchOf(page)).toBe("?q=nokia&sort=price-up");
  expect(requested).toHaveLength(1);
});

test("the further values of a filter stay open when the last one is unticked", {
  tags: ["slow"],
}, async () => {
  for (let number = 1; number <= 10; number += 1) {
    await addPhone(server.db, { brandName: `Brand ${number}`, deviceType: "Tablet" });
  }
  const { page } = await openAlive("/tablet");
  await page.getByText("Show all 10").click();
  const further = page.getByRole("group").filter({ hasText: "Show all 10" }).getByRole("checkbox").last();
  const name = (await further.getAttribute("aria-label")) ?? "";
  await box(page, name).check();
  await expectFound(page, "1 tablet");
  await box(page, name).uncheck();
  await expectFound(page, "10 tablets");
  expect(await box(page, name).isVisible()).toBe(true);
  await box(page, name).check();
  await expectFound(page, "1 tablet");
  // They are open initially when one of them is ticked.
  await page.reload();
  expect(await box(page, name).isVisible()).toBe(true);
});

test("in the middle of a list, more can be loaded below, and the previous page is a link", {
  tags: ["slow"],
}, async () => {
  const noScript = await openPage(browser, server, { javaScriptEnabled: false });
  await noScript.page.goto("/products?q=nokia");
  const pagerOf = (page: Page) => page.getByRole("navigation", { name: "Pages" });
  const next = pagerOf(noScript.page).getByRole("link", { name: "Next" });
  await next.click();
  await eventually(() => cardNames(noScript.page)).toEqual(nokias.slice(24, 48));
  await next.click();
  await eventually(() => cardNames(noScript.page)).toEqual(nokias.slice(48, 72));
  expect((await pagerOf(noScript.page).innerText()).split(/\s+/).filter(Boolean)).toEqual([
    "Previous",
    "Next",
  ]);

  const { page, observed } = await openAlive(noScript.page.url().replace(/^.*?(?=\/products)/, ""));
  const pager = async () => (await pagerOf(page).innerText()).split("\n").filter(Boolean);
  expect(await pager()).toEqual(["Previous", "Load more"]);
  await pagerOf(page).getByRole("link", { name: "Previous" }).click();
  await eventually(() => cardNames(page)).toEqual(nokias.slice(24, 48));
  expect(await pager()).toEqual(["Previous", "Load more"]);
  await showNextCards(page, true);
  await eventually(() => cardNames(page)).toEqual(nokias.slice(24, 72));
  await pagerOf(page).getByRole("link", { name: "Previous" }).click();
  await eventually(() => cardNames(page)).toEqual(nokias.slice(0, 24));
  expect(await pager()).toEqual(["Load more"]);
  await showNextCards(page, true);
  await page.waitForURL("/products?q=nokia&more=1");
  await eventually(() => cardNames(page)).toEqual(nokias.slice(0, 48));
  expect(observed).toEqual({ problems: [], externalRequests: [] });
});

test("further loaded cards stay behind a dialog, after Back and after a reload", {
  tags: ["slow"],
}, async () => {
  const { page, observed } = await openAlive("/android?brand=Nokia");
  const documents: string[] = [];
  page.on("request", (request) => request.isNavigationRequest() && documents.push(request.url()));
  const more = page.getByRole("button", { name: "Load more" });
  for (const cards of [48, 72]) {
    await more.click();
    await eventually(() => cardNames(page)).toEqual(nokias.slice(0, cards));
    const first = page
      .getByRole("article")
      .nth(cards - 24)
      .getByRole("heading")
      .getByRole("link");
    await eventually(() => first.evaluate((link) => link === document.activeElement)).toBe(true);
  }
  expect(searchOf(page)).toBe("?brand=Nokia&more=2");
  const list = page.url();
  const card = page.getByRole("article", { name: "Nokia Number 20", exact: true });
  await card.scrollIntoViewIfNeeded();
  const scrolled = await page.evaluate(() => window.scrollY);
  expect(scrolled).toBeGreaterThan(3000);
  const expectSamePlace = async () => {
    await page.waitForURL(list);
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await eventually(() => cardNames(page)).toEqual(nokias.slice(0, 72));
    await eventually(() => page.evaluate(() => window.scrollY)).toBe(scrolled);
  };

  await card.getByRole("link", { name: "Details" }).click();
  await page.getByRole("dialog").waitFor();
  await page.goBack();
  await expectSamePlace();
  const main = page.getByRole("navigation", { name: "Main" });
  // Playwright's click would scroll the page first because of its sticky bar.
  await main.getByRole("link", { name: "Blogs" }).dispatchEvent("click");
  await page.waitForURL("/blogs");
  await page.goBack();
  await expectSamePlace();
  expect(documents).toEqual([]);
  await page.goto("/about");
  await page.goBack();
  await expectSamePlace();
  await page.reload();
  await expectSamePlace();

  await waitForHydration(page);
  await more.click();
  await eventually(() => cardNames(page)).toEqual(nokias);
  expect(await more.count()).toBe(0);
  await box(page, "Sonic, 3 phones").check();
  await page.waitForURL("/android?brand=Nokia&brand=Sonic");
  expect(observed).toEqual({ problems: [], externalRequests: [] });
});
