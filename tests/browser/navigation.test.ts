import { beforeAll, expect, test } from "vitest";
import { addNote } from "#app/features/administration/notes.server.ts";
import { market } from "#app/market.ts";

import { todayIn } from "#app/time.ts";
import { openPage, startWithBrowser, storageStateOf } from "../harness/browser.ts";
import {
  boxOf,
  eventually,
  focused,
  goTo,
  openAs,
  phoneCard,
  scrollPosition,
  submitBooking,
  waitForHydration,
} from "../harness/page-objects.ts";
import { addAccount, addPhone, requestLines, startServer } from "../harness/server.ts";

const { server, browser } = await startWithBrowser();

beforeAll(async () => {
  const seller = await addAccount(server.db, { userType: "Seller" });
  for (let number = 1; number <= 24; number += 1)
    await addPhone(server.db, { sellerId: seller.id, brandName: "Nokia", model: `Row ${number}` });
});

test("the login page that Buy Now leads to starts at its top, with both fields in sight", async () => {
  const page = await openAs(server, browser, null, "/products", { viewport: { width: 360, height: 640 } });
  await phoneCard(page, "Nokia Row 4").getByRole("link", { name: "Buy Now" }).click();
  await page.waitForURL(/\/login/);
  await eventually(() => focused(page)).toBe("H1 Log in");
  expect(await scrollPosition(page)).toBe(0);
  for (const label of ["Email", "Password"]) {
    expect((await boxOf(page.getByLabel(label))).bottom, label).toBeLessThan(640);
  }
  await page.goBack();
  await eventually(() => scrollPosition(page)).toBeGreaterThan(640);
});

test("after a choice beside the list its results are in sight, and the choice keeps its place and the focus", async () => {
  const page = await openAs(server, browser, null, "/products", { viewport: { width: 1280, height: 800 } });
  const choice = page.getByRole("group", { name: "RAM" }).getByRole("checkbox").first();
  await phoneCard(page, "Nokia Row 4").scrollIntoViewIfNeeded();
  await choice.scrollIntoViewIfNeeded();
  expect(await scrollPosition(page)).toBeGreaterThan(300);
  await choice.check();
  await page.waitForURL(/ram=/);
  await eventually(() => scrollPosition(page)).toBe(0);
  expect((await boxOf(choice)).bottom).toBeLessThan(800);
  expect(await choice.evaluate((box) => box === document.activeElement)).toBe(true);
});

test("a card that a visitor points at is loaded before the click", async () => {
  const cached = await startServer({ bindings: { EDGE_CACHE_SECONDS: "450" } });
  try {
    await addPhone(cached.db, { brandName: "Nokia", model: "Near" });
    const page = await openAs(cached, browser, null, "/products");
    const requests = (path: string) => async () =>
      requestLines(cached).filter((line) => line.path === path).length;
    const link = phoneCard(page, "Nokia Near").getByRole("link", { name: "Nokia Near" });
    const prefetched = page.waitForResponse(/_data=listing/);
    await link.hover();
    await (await prefetched).finished();
    await link.click();
    await page.getByRole("heading", { level: 1, name: "Nokia Near" }).waitFor();
    // The shown page counts its view, after what it has loaded.
    await eventually(requests("/seen")).toBe(1);
    expect(await requests("/phones/:id")()).toBe(1);
  } finally {
    await cached.stop();
  }
});

test("after a booking the confirmation is in sight, and leads back to the list as it was", async () => {
  const buyer = await addAccount(server.db);
  const page = await openAs(server, browser, buyer, "/products?sort=price-up", {
    viewport: { width: 390, height: 844 },
  });
  await phoneCard(page, "Nokia Row 9").getByRole("link", { name: "Buy Now" }).click();
  await page.getByLabel("Phone", { exact: true }).fill("+49 170 1234567");
  await submitBooking(page);
  expect(await scrollPosition(page)).toBe(0);
  await page.getByRole("link", { name: "Back to the list" }).click();
  await page.waitForURL("/products?sort=price-up");
});

test("booking from a listing opens over the listing and leads back to it", { tags: ["slow"] }, async () => {
  const buyer = await addAccount(server.db);
  const phone = await addPhone(server.db, { brandName: "Nokia", model: "On its page" });
  const page = await openAs(server, browser, buyer, `/phones/${phone.id}`);
  const buy = page.getByRole("link", { name: "Buy Now" });
  const heading = page.getByRole("heading", { level: 1, name: "Nokia On its page" });
  await buy.click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Phone", { exact: true }).waitFor();
  expect(await heading.count()).toBe(1);
  await page.keyboard.press("Escape");
  await page.waitForURL(`/phones/${phone.id}`);
  await eventually(() => buy.evaluate((link) => link === document.activeElement)).toBe(true);
  await page.goBack();
  await page.waitForURL("about:blank");
  await page.goForward();
  await waitForHydration(page);

  await buy.click();
  await dialog.getByLabel("Phone", { exact: true }).fill("+49 170 1234567");
  await submitBooking(page);
  await page.getByRole("link", { name: "Back to the listing" }).click();
  await page.waitForURL(`/phones/${phone.id}`);
  await page.getByText("Reserved for you").waitFor();
  await page.getByRole("link", { name: "View order" }).click();
  await page.waitForURL(/\/manage\/orders\//);
});

test("times are in the visitor’s time zone, and in the market’s without JavaScript", async () => {
  const admin = await addAccount(server.db, { userType: "Admin" });
  const storageState = await storageStateOf(server, admin.email);
  await addNote(server.db, admin, { kind: "user", id: admin.id }, { text: "Paid.", formKey: null });
  for (const [javaScriptEnabled, zone] of [
    [true, "GMT+9"],
    [false, "UTC"],
  ] as const) {
    const options = { storageState, javaScriptEnabled, timezoneId: "Asia/Tokyo" };
    const { page, observed } = await openPage(browser, server, options);
    await goTo(page, "/manage/account/security", javaScriptEnabled);
    const sessions = page.getByRole("region", { name: "Sessions" });
    const inZone = new RegExp(` [AP]M ${zone.replace("+", "\\+")}$`);
    await eventually(() => sessions.locator("time").first().innerText()).toMatch(inZone);
    await goTo(page, `/manage/users/${admin.id}`, javaScriptEnabled);
    const notes = page.getByRole("region", { name: "Internal notes" });
    await eventually(() => notes.locator("time").first().innerText()).toMatch(inZone);
    expect(observed.problems).toEqual([]);
  }
});

test("the day of a new listing is the seller’s own, and the market’s without JavaScript", async () => {
  const seller = await addAccount(server.db, { userType: "Seller" });
  const storageState = await storageStateOf(server, seller.email);
  // Wherever the market is, one of the two has another day.
  for (const timezoneId of ["Pacific/Kiritimati", "Etc/GMT+12"]) {
    for (const javaScriptEnabled of [true, false]) {
      const { page } = await openPage(browser, server, { storageState, javaScriptEnabled, timezoneId });
      await goTo(page, "/addphone", javaScriptEnabled);
      const day = todayIn(javaScriptEnabled ? timezoneId : market.timeZone);
      await eventually(() => page.getByLabel("Post Date").inputValue()).toBe(day);
    }
  }
});

test("an address of the API, or one that the router cannot parse, keeps its not-found page with JavaScript", {
  tags: ["slow"],
}, async () => {
  const { page, observed } = await openPage(browser, server);
  for (const path of ["/%5C", "/%5C%2Fevil.example", "/users/nobody", "/users"]) {
    // Its scripts have run when it is loaded.
    await page.goto(path);
    await page.getByRole("heading", { name: "Page not found" }).waitFor();
  }
  // The browser reports the status of each.
  expect(observed.problems.filter((problem) => !problem.includes("404"))).toEqual([]);
  await page.getByRole("link", { name: "Browse devices" }).click();
  await page.waitForURL("/products");
});
