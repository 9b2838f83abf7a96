import { eq } from "drizzle-orm";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { phones } from "#app/db/schema.ts";
import { describeBothWays, openPage, startWithBrowser } from "../harness/browser.ts";
import { cardNames, eventually, phoneCard, waitForHydration } from "../harness/page-objects.ts";
import { addAccount, addPhone } from "../harness/server.ts";

const { server, browser } = await startWithBrowser();
/** Ids of the phones "Nokia 1" to "Nokia 30" by model. */
const ids: Record<string, string> = {};

beforeAll(async () => {
  const seller = await addAccount(server.db, { userType: "Seller" });
  for (let number = 1; number <= 30; number += 1) {
    const model = String(number);
    ids[model] = (await addPhone(server.db, { sellerId: seller.id, brandName: "Nokia", model })).id;
  }
});

const box = (page: Page, model: string) =>
  page.getByRole("checkbox", { name: `Compare Nokia ${model}`, exact: true });
const addressOf = (...models: string[]) => `/compare?${models.map((model) => `ids=${ids[model]}`).join("&")}`;
const columns = (page: Page) => page.getByRole("columnheader").allInnerTexts();
const expectColumns = (page: Page, ...models: string[]) =>
  eventually(() => columns(page)).toEqual(models.map((model) => `Nokia ${model}`));
const ticked = (page: Page) =>
  page
    .getByRole("checkbox", { name: /^Compare Nokia/, checked: true })
    .evaluateAll((boxes) => boxes.map((each) => each.getAttribute("aria-label")?.split(" ").at(-1)));
const expectTicked = (page: Page, ...models: string[]) => eventually(() => ticked(page)).toEqual(models);
const compare = (page: Page) =>
  page.getByRole("main").getByRole("button", { name: /^Compare( \d devices?)?$/ });

describeBothWays((javaScriptEnabled) => {
  const open = async (path: string) => {
    const opened = await openPage(browser, server, { javaScriptEnabled, reducedMotion: "reduce" });
    await opened.page.goto(path);
    if (javaScriptEnabled) await waitForHydration(opened.page);
    return opened;
  };

  test("two phones of a list are compared, and one is removed", async () => {
    const { page, observed } = await open("/products");
    await box(page, "29").check();
    await box(page, "27").check();
    await compare(page).click();
    await page.waitForURL(addressOf("29", "27"));
    await expectColumns(page, "29", "27");
    expect(await page.title()).toBe("Compare Nokia 29, Nokia 27 · Ringback");

    await page.goBack();
    await page.waitForURL("/products");
    await expectTicked(page, "29", "27");
    await page.goForward();

    await page.getByRole("link", { name: "Show only differences" }).click();
    await page.waitForURL(`${addressOf("29", "27")}&differences=yes`);
    await eventually(() => page.getByRole("rowheader").count()).toBe(0);
    await page.getByRole("link", { name: "Show all details" }).click();
    await eventually(() => page.getByRole("rowheader").count()).toBe(11);
    await page.getByRole("link", { name: "Remove Nokia 29" }).click();
    await page.waitForURL(addressOf("27"));
    await page.getByText("Select at least two devices").waitFor();
    if (javaScriptEnabled) expect(await page.locator(":focus").innerText()).toBe("Compare devices");
    await page.getByRole("link", { name: "Browse Android" }).click();
    await page.waitForURL("/android");
    await expectTicked(page, ...(javaScriptEnabled ? ["27"] : []));
    expect(observed).toEqual({ problems: [], externalRequests: [] });
  });

  test("a phone can be booked from a comparison", { tags: ["slow"] }, async () => {
    const { page } = await open(addressOf("3", "2"));
    await page.getByRole("link", { name: "Buy Now" }).last().click();
    await page.waitForURL(`/login?redirectTo=${encodeURIComponent(`/products/${ids[2]}/book`)}`);
  });

  test("phones can be selected and compared by keyboard", { tags: ["slow"] }, async () => {
    const { page, observed } = await open("/products");
    await box(page, "30").focus();
    await page.keyboard.press("Space");
    for (const next of ["Nokia 29", "Save Nokia 29", "Details", "Buy Now", "Compare Nokia 29"]) {
      await page.keyboard.press("Tab");
      const focused = page.locator(":focus");
      expect((await focused.getAttribute("aria-label")) ?? (await focused.innerText())).toBe(next);
    }
    await page.keyboard.press("Space");
    await compare(page).focus();
    await page.keyboard.press("Enter");
    await expectColumns(page, "30", "29");
    await page.getByRole("link", { name: "Remove Nokia 30" }).press("Enter");
    await page.getByText("Select at least two devices").waitFor();
    expect(observed).toEqual({ problems: [], externalRequests: [] });
  });

  test("a comparison of four phones fits a phone screen", { tags: ["slow"] }, async () => {
    const { page } = await open(addressOf("1", "2", "3", "4"));
    await page.setViewportSize({ width: 390, height: 844 });
    const overflow = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    if (javaScriptEnabled) expect(await overflow()).toBe(0);
    const left = async (role: "columnheader" | "rowheader", index: number) =>
      (await page.getByRole(role).nth(index).boundingBox())?.x ?? Number.NaN;
    expect(await left("columnheader", 0)).toBeLessThan(30);
    expect(await left("columnheader", 1)).toBeLessThan(200);
    const price = await left("rowheader", 0);
    // The row headings stay in place when the values scroll.
    await page.getByRole("link", { name: "Remove Nokia 4" }).focus();
    expect(await left("columnheader", 0)).toBeLessThan(-100);
    expect(await left("rowheader", 0)).toBe(price);
  });
});

test("with JavaScript at most four phones can be selected, across lists and pages", async () => {
  const { page, observed } = await openPage(browser, server, { reducedMotion: "reduce" });
  await page.goto("/products");
  await waitForHydration(page);
  await box(page, "30").check();
  await eventually(() => compare(page).innerText()).toBe("Compare 1 device");
  await page.evaluate(() => window.scrollTo(0, 0));
  expect(await compare(page).evaluate((button) => button.getBoundingClientRect().bottom <= innerHeight)).toBe(
    true,
  );
  await page.getByRole("button", { name: "Load more" }).click();
  await eventually(async () => (await cardNames(page)).length).toBe(30);
  await expectTicked(page, "30");
  await box(page, "1").check();

  await phoneCard(page, "Nokia 28").getByRole("heading").getByRole("link").click();
  // The address changes before the page does.
  await page.getByRole("heading", { name: "Nokia 28", level: 1 }).waitFor();
  await page.goBack();
  await expectTicked(page, "30", "1");
  await page.getByLabel("Search").fill("nokia 2");
  await page.getByLabel("Search").press("Enter");
  await page.waitForURL("/products?q=nokia+2");
  await expectTicked(page);
  await eventually(() => compare(page).innerText()).toBe("Compare 2 devices");
  await box(page, "2").check();
  await box(page, "20").check();
  await eventually(() => box(page, "21").isDisabled()).toBe(true);
  await page.getByText("You’ve picked four. That’s the most you can compare.").waitFor();
  await box(page, "20").uncheck();
  await eventually(() => box(page, "21").isDisabled()).toBe(false);
  await box(page, "21").check();
  await compare(page).click();
  await page.waitForURL(addressOf("30", "1", "2", "21"));
  await expectColumns(page, "30", "1", "2", "21");

  // A phone removed there is no longer ticked, and the focus is kept.
  await page.getByRole("link", { name: "Remove Nokia 21" }).click();
  await expectColumns(page, "30", "1", "2");
  expect(await page.locator(":focus").innerText()).toContain("No differences in 11 details");
  await page.getByRole("link", { name: "Select other devices" }).click();
  await eventually(() => compare(page).innerText()).toBe("Compare 3 devices");
  await expectTicked(page, "30");
  await page.getByRole("button", { name: "Clear selection" }).click();
  await expectTicked(page);
  await eventually(() => compare(page).innerText()).toBe("Compare");
  expect(await page.locator(":focus").innerText()).toBe("Compare");
  expect(observed).toEqual({ problems: [], externalRequests: [] });
});

test("boxes ticked before hydration or restored by the browser count", { tags: ["slow"] }, async () => {
  const { page, observed } = await openPage(browser, server);
  let letScriptsPass: () => void = () => {};
  const passing = new Promise<void>((resolve) => {
    letScriptsPass = resolve;
  });
  await page.route("**/assets/*.js", async (route) => {
    await passing;
    await route.continue();
  });
  await page.goto("/products", { waitUntil: "commit" });
  await box(page, "30").check();
  await box(page, "29").check();
  letScriptsPass();
  await waitForHydration(page);
  await eventually(() => compare(page).innerText()).toBe("Compare 2 devices");
  await expectTicked(page, "30", "29");
  await page.goto("/about");
  await page.goBack();
  await waitForHydration(page);
  await expectTicked(page, "30", "29");
  await eventually(() => compare(page).innerText()).toBe("Compare 2 devices");
  expect(observed).toEqual({ problems: [], externalRequests: [] });
});

test("phones that are no longer listed do not stay selected", { tags: ["slow"] }, async () => {
  const { page } = await openPage(browser, server);
  await page.goto("/products");
  await waitForHydration(page);
  for (const model of ["30", "29"]) await box(page, model).check();
  const gone = await addPhone(server.db, { brandName: "Nokia", model: "Gone" });
  await page.getByLabel("Search").fill("nokia gone");
  await page.getByLabel("Search").press("Enter");
  await box(page, "Gone").check();
  await server.db.update(phones).set({ hiddenById: "some removal" }).where(eq(phones.id, gone.id));
  await compare(page).click();
  await page.getByText("1 device is gone, so we left it out.").waitFor();
  await expectColumns(page, "30", "29");
  await page.getByRole("link", { name: "Select other devices" }).click();
  await eventually(() => compare(page).innerText()).toBe("Compare 2 devices");
});

test("opening a shared comparison does not replace the visitor's selection", { tags: ["slow"] }, async () => {
  const { page } = await openPage(browser, server);
  await page.goto(addressOf("1", "2", "3"));
  await waitForHydration(page);
  await page.getByRole("link", { name: "Select other devices" }).click();
  await eventually(() => compare(page).innerText()).toBe("Compare 3 devices");
  await page.getByRole("button", { name: "Clear selection" }).click();
  for (const model of ["30", "29"]) await box(page, model).check();
  await page.goBack();
  await expectColumns(page, "1", "2", "3");
  await page.getByRole("link", { name: "Remove Nokia 3" }).click();
  await expectColumns(page, "1", "2");
  await page.getByRole("link", { name: "Select other devices" }).click();
  await eventually(() => compare(page).innerText()).toBe("Compare 2 devices");
  await expectTicked(page, "30", "29");
});

test("without JavaScript the first four of more phones are compared", { tags: ["slow"] }, async () => {
  const { page } = await openPage(browser, server, { javaScriptEnabled: false });
  await page.goto("/products");
  for (const model of ["26", "27", "28", "29", "30"]) await box(page, model).check();
  await compare(page).click();
  await expectColumns(page, "30", "29", "28", "27");
  await page.getByText("You can compare four at a time. Here are the first four.").waitFor();
});
