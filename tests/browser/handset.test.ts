import { expect, test } from "vitest";
import { openPage, startWithBrowser, storageStateOf } from "../harness/browser.ts";
import { boxOf, eventually, goTo, openAs } from "../harness/page-objects.ts";
import { addAccount, addPhone } from "../harness/server.ts";

const { server, browser } = await startWithBrowser();

test.each([true, false])(
  "on a handset the manage menu is a drawer (JavaScript: %s)",
  { tags: ["slow"] },
  async (javaScriptEnabled) => {
    const storageState = await storageStateOf(server, (await addAccount(server.db)).email);
    const viewport = { width: 390, height: 600 };
    const { page } = await openPage(browser, server, { storageState, viewport, javaScriptEnabled });
    await goTo(page, "/manage", javaScriptEnabled);
    const button = page.getByRole("button", { name: "Menu" });
    const menu = page.getByRole("navigation", { name: "Manage" });
    expect(await menu.isVisible()).toBe(false);
    await button.click();
    await menu.waitFor();
    const close = page.getByRole("button", { name: "Close" });
    await eventually(() => close.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press("Escape");
    await menu.waitFor({ state: "hidden" });
    const hasFocus = () => button.evaluate((element) => element === document.activeElement);
    expect(await hasFocus()).toBe(true);
    if (javaScriptEnabled) {
      await button.click();
      await page.getByRole("navigation", { name: "Menu" }).getByRole("button", { name: "Log Out" }).focus();
      await page.keyboard.press("Tab");
      await menu.waitFor({ state: "hidden" });
      await button.click();
      await page.mouse.click(10, 500);
      await menu.waitFor({ state: "hidden" });
      await eventually(hasFocus).toBe(true);

      await page.context().setOffline(true);
      await button.click();
      await menu.getByRole("link", { name: "Saved" }).click();
      await menu.waitFor({ state: "hidden" });
      await page.getByRole("alert").getByRole("button", { name: "Stay here" }).click();
      await page.context().setOffline(false);
    }
    await button.click();
    await menu.getByRole("link", { name: "My account" }).click();
    await page.getByRole("heading", { name: "My account", level: 1 }).waitFor();
    await menu.waitFor({ state: "hidden" });
    await page.setViewportSize({ width: 1024, height: 600 });
    await menu.waitFor();
    expect(await button.isVisible()).toBe(false);
  },
);

test("on a handset the card of an own listing begins with picture, price and state", async () => {
  const seller = await addAccount(server.db, { userType: "Seller" });
  await addPhone(server.db, { sellerId: seller.id, brandName: "Sony", model: "Card", status: "paused" });
  const storageState = await storageStateOf(server, seller.email);
  const { page } = await openPage(browser, server, { storageState, viewport: { width: 390, height: 600 } });
  await page.goto("/manage/mysells");
  const card = page.getByRole("row").filter({ hasText: "Sony Card" });
  expect(await card.innerText()).toMatch(/^\s*1\s+349\.50\$\s+Paused\s+Sony Card/);
  const [picture, name] = [card.locator("img, svg").first(), card.getByRole("link", { name: "Sony Card" })];
  const leftOf = async (part: typeof name) => (await part.boundingBox())?.x ?? 0;
  expect(await leftOf(picture)).toBeLessThan(await leftOf(name));
});

test("on a handset the price and Buy Now of a listing stay in reach, and cover nothing at the end", async () => {
  const { id } = await addPhone(server.db, { model: "In Reach", sellingCents: 12_300 });
  const page = await openAs(server, browser, null, `/phones/${id}`, {
    viewport: { width: 390, height: 600 },
  });
  const buyNow = page.getByRole("link", { name: "Buy Now" });
  const isInReach = async () => {
    const { top, bottom } = await boxOf(buyNow);
    return top >= 0 && bottom <= 600;
  };
  expect(await isInReach()).toBe(true);
  expect(await page.locator(".buy-bar").innerText()).toContain("$123");
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  expect(await isInReach()).toBe(true);
  const last = await boxOf(page.getByRole("contentinfo"));
  const bar = await boxOf(page.locator(".buy-bar"));
  expect(last.bottom).toBeLessThanOrEqual(bar.top);
  expect(await page.getByRole("banner").getByRole("link", { name: "Log in" }).isVisible()).toBe(true);
  await page.locator("summary[aria-label=Menu]").click();
  await page.getByRole("navigation", { name: "Menu" }).getByRole("link", { name: "Tablets" }).click();
  await page.waitForURL("/tablet");
});

test("the page behind the open filter drawer does not scroll", async () => {
  const page = await openAs(server, browser, null, "/products", { viewport: { width: 390, height: 844 } });
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByRole("heading", { name: "Filters" }).waitFor();
  const overflow = () => page.evaluate(() => getComputedStyle(document.documentElement).overflow);
  await eventually(overflow).toBe("hidden");
  await page.mouse.move(10, 400);
  await page.mouse.wheel(0, 600);
  // The wheel event has been handled once the next frame is drawn.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await page.keyboard.press("Escape");
  await eventually(overflow).toBe("visible");
});
