import { eq } from "drizzle-orm";
import type { BrowserContextOptions, Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { orders, sessions } from "#app/db/schema.ts";
import { openPage, startWithBrowser, storageStateOf } from "../harness/browser.ts";
import { validListing } from "../harness/listing-form.ts";
import {
  bookButton,
  boxOf,
  eventually,
  expectToast,
  goTo,
  phoneCard,
  submitBooking,
  submitLogin,
  waitForHydration,
} from "../harness/page-objects.ts";
import { addAccount, addPhone, password, visitor } from "../harness/server.ts";

const { server, browser } = await startWithBrowser();

beforeAll(async () => {
  const seller = await addAccount(server.db, { userType: "Seller" });
  for (let number = 1; number <= 24; number += 1)
    await addPhone(server.db, { sellerId: seller.id, brandName: "Nokia", model: `Row ${number}` });
});

async function openAs(account: { email: string } | null, path: string, options: BrowserContextOptions = {}) {
  const storageState = account ? await storageStateOf(server, account.email) : undefined;
  const { page } = await openPage(browser, server, { storageState, ...options });
  await page.goto(path);
  await waitForHydration(page);
  return page;
}

const scrollPosition = (page: Page) => page.evaluate(() => Math.round(scrollY));
const focused = (page: Page) =>
  page.evaluate(() => {
    const { activeElement } = document;
    return `${activeElement?.tagName} ${activeElement?.textContent?.trim()}`;
  });

test("the login page that Buy Now leads to starts at its top, with both fields in sight", async () => {
  const page = await openAs(null, "/products", { viewport: { width: 360, height: 640 } });
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

test("a form that leads to another heading shows that from the top; a press that ends an order, its message", async () => {
  const page = await openAs(null, "/forgot", { viewport: { width: 390, height: 400 } });
  await page.getByLabel("Email").fill("nobody@example.com");
  await page.getByRole("button", { name: "Send link" }).click();
  await eventually(() => focused(page)).toBe("H1 Check your email");
  expect(await scrollPosition(page)).toBe(0);

  const { email } = await addAccount(server.db);
  const buyer = visitor(server);
  await buyer.signIn(email);
  const phone = await addPhone(server.db);
  await buyer.post(`/products/${phone.id}/book`, { address: "1 Quay Street", phone: "12345" });
  const ordered = await openAs({ email }, "/manage");
  await ordered.getByRole("link", { name: `Fairphone ${phone.model}` }).click();
  await eventually(() => focused(ordered)).toMatch(/^H1 /);
  await ordered.getByRole("button", { name: "Cancel order" }).click();
  await eventually(() => focused(ordered)).toBe("DIV Order CancelledUndo");
  const message = await boxOf(ordered.getByRole("status").filter({ hasText: "Order Cancelled" }));
  expect(message.top).toBeGreaterThan(0);
});

test("a page that a form leads to is shown from its top, with the focus on its heading", async () => {
  const page = await openAs(null, "/signup", { viewport: { width: 390, height: 844 } });
  await page.getByLabel("Name").fill("Nora New");
  await page.getByLabel("Email").fill("nora.new@example.com");
  await page.getByLabel("Password").fill(password);
  await page.getByRole("main").getByRole("button", { name: "Sign Up" }).click();
  await page.waitForURL((url) => url.pathname === "/");
  await eventually(() => focused(page)).toMatch(/^H1 /);
  expect(await scrollPosition(page)).toBe(0);
});

test("after a booking the confirmation is in sight, and leads back to the list as it was", async () => {
  const buyer = await addAccount(server.db);
  const page = await openAs(buyer, "/products?sort=price-up", { viewport: { width: 390, height: 844 } });
  await phoneCard(page, "Nokia Row 9").getByRole("link", { name: "Buy Now" }).click();
  await page.getByLabel("Phone", { exact: true }).fill("+49 170 1234567");
  await submitBooking(page);
  expect(await scrollPosition(page)).toBe(0);
  await page.getByRole("link", { name: "Back to the list" }).click();
  await page.waitForURL("/products?sort=price-up");
});

test("after publishing, the next steps are in sight and the message has the focus", async () => {
  const seller = await addAccount(server.db, { userType: "Seller" });
  const page = await openAs(seller, "/addphone", { viewport: { width: 390, height: 844 } });
  for (const [name, value] of Object.entries(validListing)) {
    const field = page.locator(`[name=${name}]`);
    if (name === "os" || name === "deviceType") await field.selectOption(value);
    else await field.fill(value);
  }
  await page.getByRole("button", { name: "Submit" }).click();
  await expectToast(page, "Added Successfully");
  expect(await scrollPosition(page)).toBe(0);
  const panel = page.getByRole("main").getByRole("link", { name: "Add condition and battery" });
  expect((await boxOf(panel)).bottom).toBeLessThan(844);
  await eventually(() => focused(page)).toMatch(/^DIV Added Successfully/);
});

/** The controls in sight that something else covers, such as a message. */
const coveredControls = (page: Page) =>
  page.evaluate(() => {
    const within = document.querySelector("dialog") ?? document;
    const controls = [
      ...within.querySelectorAll<HTMLElement>(
        "main :is(a, button, input), dialog :is(a, button, input, textarea)",
      ),
    ];
    return controls
      .filter((control) => {
        const { x, y, width, height } = control.getBoundingClientRect();
        const hit = document.elementFromPoint(x + width / 2, y + height / 2);
        return hit?.closest("#messages") && !control.closest("#messages");
      })
      .map((control) => control.outerHTML);
  });

test.each([360, 1280])(
  "a message covers no control of the dialog that a login leads to, at %d px",
  { tags: ["slow"] },
  async (width) => {
    const { email } = await addAccount(server.db);
    const page = await openAs(null, "/products", { viewport: { width, height: 640 } });
    await phoneCard(page, "Nokia Row 4").getByRole("link", { name: "Buy Now" }).click();
    await submitLogin(page, email, password);
    await expectToast(page, `${email} account created`);
    expect(await coveredControls(page)).toEqual([]);
    const message = await boxOf(page.getByRole("dialog").getByRole("status"));
    const field = await boxOf(page.getByLabel("Ram"));
    expect(message.bottom).toBeLessThanOrEqual(field.top);
  },
);

test("a new error replaces the message of an earlier success", async () => {
  const page = await openAs(await addAccount(server.db), "/report");
  await page.getByLabel("Problem").fill("The lift is stuck.");
  await page.getByRole("button", { name: "Submit" }).click();
  await expectToast(page, "Report Submitted");
  await page.getByLabel("Problem").fill("x".repeat(10_000));
  await page.getByRole("button", { name: "Submit" }).click();
  await page.getByRole("alert").waitFor();
  await page.getByText("Report Submitted").waitFor({ state: "detached" });
});

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
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).overflow)).toBe("hidden");
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

test("on a handset the price and Buy Now of a listing stay in reach, and cover nothing at the end", async () => {
  const { id } = await addPhone(server.db, { model: "In Reach", sellingCents: 12_300 });
  const page = await openAs(null, `/phones/${id}`, { viewport: { width: 390, height: 600 } });
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

test("a row's button keeps the place in the table and passes the focus to the next row", async () => {
  const admin = await addAccount(server.db, { userType: "Admin" });
  for (const name of ["First Doomed", "Next Inline"])
    await addAccount(server.db, { name, email: `${name.replace(" ", ".").toLowerCase()}@example.com` });
  const page = await openAs(admin, "/manage/users", { viewport: { width: 390, height: 500 } });
  const row = (name: string) => page.getByRole("row").filter({ hasText: name });
  const doomed = row("First Doomed");
  const next = await doomed.evaluate((element) => element.nextElementSibling?.textContent ?? "");
  // Just below the header, where the message appears.
  await doomed.evaluate((element) => element.scrollIntoView({ block: "start" }));
  await doomed.getByRole("button", { name: "Delete" }).click();
  await expectToast(page, "User Deleted");
  expect(await coveredControls(page)).toEqual([]);
  const controls = ["Undo", "Close message"].map((name) => page.getByRole("button", { name }).boundingBox());
  for (const box of await Promise.all(controls)) expect(box?.height).toBeGreaterThanOrEqual(44);
  const focusedRow = () =>
    page.evaluate(() => document.activeElement?.closest("tr")?.textContent?.replace(/^\d+/, "") ?? "");
  await eventually(focusedRow).toBe(next.replace(/^\d+/, ""));
  expect(await scrollPosition(page)).toBeGreaterThan(300);

  await page.getByRole("button", { name: "Undo" }).press("Enter");
  await row("First Doomed").waitFor();
  expect(await scrollPosition(page)).toBeGreaterThan(300);
  await eventually(focusedRow).toMatch(/First Doomed|Next Inline/);

  await page.goto("/manage/search");
  await waitForHydration(page);
  await page.locator("#record-search").fill("First Doomed");
  await page.keyboard.press("Enter");
  await eventually(() => focused(page)).toBe("H1 Search results");
  await page.goto("/manage/users");
  await waitForHydration(page);
  await server.db.delete(sessions).where(eq(sessions.userId, admin.id));
  await row("First Doomed").getByRole("button", { name: "Delete" }).click();
  await page.getByRole("alert").getByText("Your session has ended. Log in to continue.").waitFor();
});

test("a session that ends while a phone is described leaves the page and what was typed alone", async () => {
  const seller = await addAccount(server.db, { userType: "Seller" });
  const page = await openAs(seller, "/addphone");
  await page.context().clearCookies();
  const priceResponse = () =>
    page.waitForResponse((response) => response.url().includes("/addphone/fair-price"));
  let responded = priceResponse();
  for (const name of ["brandName", "model", "rom"] as const)
    await page.locator(`[name=${name}]`).fill(validListing[name]);
  await responded;
  // The form remains and requests a price again.
  responded = priceResponse();
  await page.locator("[name=rom]").fill("1 TB");
  await responded;
  expect(new URL(page.url()).pathname).toBe("/addphone");
  expect(await page.locator("[name=model]").inputValue()).toBe(validListing.model);
});

test("booking from a listing opens over the listing and leads back to it", { tags: ["slow"] }, async () => {
  const buyer = await addAccount(server.db);
  const phone = await addPhone(server.db, { brandName: "Nokia", model: "On its page" });
  const page = await openAs(buyer, `/phones/${phone.id}`);
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

test("a form that was opened for another account stores nothing and shows the account of now", {
  tags: ["slow"],
}, async () => {
  const [first, second] = [await addAccount(server.db), await addAccount(server.db)];
  const phone = await addPhone(server.db, { brandName: "Nokia", model: "Wanted twice" });
  const page = await openAs(first, `/products/${phone.id}/book`);
  const dialog = page.getByRole("dialog");
  expect(await dialog.getByLabel("Email").inputValue()).toBe(first.email);
  await dialog.getByLabel("Address").fill("1 Quay Street");
  await dialog.getByLabel("Phone", { exact: true }).fill("+49 170 1234567");
  const { cookies } = await storageStateOf(server, second.email);
  await page.context().clearCookies();
  await page.context().addCookies(cookies);

  await bookButton(page).click();
  await dialog.getByRole("alert").getByText(`You’re now logged in as ${second.email}.`).waitFor();
  await eventually(() => dialog.getByLabel("Email").inputValue()).toBe(second.email);
  expect(await dialog.getByLabel("Address").inputValue()).toBe("1 Quay Street");
  expect(await server.db.$count(orders, eq(orders.phoneId, phone.id))).toBe(0);

  await submitBooking(page);
  const [order] = await server.db.select().from(orders).where(eq(orders.phoneId, phone.id));
  expect(order?.buyerId).toBe(second.id);
});

test("times are in the visitor’s time zone, and in the market’s without JavaScript", async () => {
  const storageState = await storageStateOf(server, (await addAccount(server.db)).email);
  for (const [javaScriptEnabled, zone] of [
    [true, "GMT+9"],
    [false, "UTC"],
  ] as const) {
    const options = { storageState, javaScriptEnabled, timezoneId: "Asia/Tokyo" };
    const { page, observed } = await openPage(browser, server, options);
    await goTo(page, "/manage/account", javaScriptEnabled);
    const sessions = page.getByRole("region", { name: "Sessions" });
    await eventually(() => sessions.locator("time").first().innerText()).toMatch(
      new RegExp(` [AP]M ${zone.replace("+", "\\+")}$`),
    );
    expect(observed.problems).toEqual([]);
  }
});

test("the page behind the open filter drawer does not scroll", async () => {
  const page = await openAs(null, "/products", { viewport: { width: 390, height: 844 } });
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByRole("heading", { name: "Filters" }).waitFor();
  await page.mouse.move(10, 400);
  await page.mouse.wheel(0, 600);
  // The wheel event has been handled once the next frame is drawn.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  expect(await scrollPosition(page)).toBe(0);
});

test("what was typed survives a login that the ended session made necessary", async () => {
  const buyer = await addAccount(server.db);
  const phone = await addPhone(server.db, { brandName: "Nokia", model: "Typed for" });
  const page = await openAs(buyer, `/products/${phone.id}/book`);
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Address").fill("1 Quay Street\nGalway");
  await dialog.getByLabel("Phone", { exact: true }).fill("+49 170 1234567");
  await server.db.delete(sessions).where(eq(sessions.userId, buyer.id));
  await bookButton(page).click();
  await page.waitForURL(/\/login/);
  await page.getByText("Log in to continue: what you entered is kept.").waitFor();
  await submitLogin(page, buyer.email, password);
  await page.waitForURL(`/products/${phone.id}/book`);
  await expectToast(
    page,
    `${buyer.email} account created. What you entered is back in the form. Submit it again to send it.`,
  );
  await eventually(() => dialog.getByLabel("Address").inputValue()).toBe("1 Quay Street\nGalway");
  expect(await dialog.getByLabel("Phone", { exact: true }).inputValue()).toBe("+49 170 1234567");
  await submitBooking(page);

  const other = await addAccount(server.db, { userType: "Seller" });
  await page.goto("/addphone");
  await waitForHydration(page);
  for (const [name, value] of Object.entries(validListing)) {
    const field = page.locator(`[name=${name}]`);
    if (name === "os" || name === "deviceType") await field.selectOption(value);
    else await field.fill(value);
  }
  await server.db.delete(sessions).where(eq(sessions.userId, buyer.id));
  await page.getByRole("button", { name: "Submit" }).click();
  await page.waitForURL(/\/login/);
  await submitLogin(page, other.email, password);
  await page.waitForURL("/addphone");
  await expectToast(page, `${other.email} account created`);
  // It was typed for another account.
  expect(await page.locator("[name=brandName]").inputValue()).toBe("");
});

test("after the handover no other button takes the place of the one that was pressed", {
  tags: ["slow"],
}, async () => {
  const seller = await addAccount(server.db, { userType: "Seller" });
  const phone = await addPhone(server.db, { sellerId: seller.id, brandName: "Nokia", model: "Handed over" });
  const buyer = visitor(server);
  await buyer.signIn((await addAccount(server.db)).email);
  await buyer.post(`/products/${phone.id}/book`, { address: "1 Quay Street", phone: "12345" });
  const [order] = await server.db.select().from(orders).where(eq(orders.phoneId, phone.id));
  const page = await openAs(seller, `/manage/orders/${order?.id}`, { viewport: { width: 390, height: 844 } });
  const handOver = page.getByRole("button", { name: "Mark as handed over" });
  await handOver.scrollIntoViewIfNeeded();
  const before = await boxOf(handOver);
  await handOver.click();
  await expectToast(page, "Marked as handed over");
  await eventually(() => focused(page)).toBe("DIV Marked as handed over");
  const cancel = await boxOf(page.getByRole("button", { name: "Cancel order" }));
  expect(cancel.top).toBeGreaterThan(before.bottom);
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
