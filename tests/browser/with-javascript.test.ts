import { eq } from "drizzle-orm";
import type { Locator, Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { notifications, orders, phones, tickets } from "#app/db/schema.ts";
import { seedDemoData } from "../../scripts/demo/seed.ts";
import { openPage, startWithBrowser, storageStateOf } from "../harness/browser.ts";
import {
  bookButton,
  cardNames,
  eventually,
  expectFieldError,
  expectNoFieldError,
  expectToast,
  logIn,
  phoneCard,
  submitBooking,
  submitLogin,
  waitForHydration,
} from "../harness/page-objects.ts";
import { addAccount, addPhone, password } from "../harness/server.ts";

const { server, browser } = await startWithBrowser();

beforeAll(async () => {
  await seedDemoData(server.db);
});

async function openAlive(path: string): Promise<Page> {
  const { page } = await openPage(browser, server);
  await page.goto(path);
  await waitForHydration(page);
  return page;
}

/** Delays the responses of matching requests until `release`; `met` lists the requests. */
async function hold(page: Page, isHeld: (url: URL, method: string) => boolean) {
  const met: string[] = [];
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/*", async (route) => {
    const request = route.request();
    if (!isHeld(new URL(request.url()), request.method())) return route.fallback();
    met.push(request.url());
    await released;
    await route.continue();
  });
  return { met, release };
}

test("a dialog is modal: it traps the focus, Escape closes it and restores the focus", async () => {
  const phone = await addPhone(server.db, { brandName: "Fairphone", model: "in focus" });
  const page = await openAlive("/products");
  const details = phoneCard(page, "Fairphone in focus").getByRole("link", { name: "Details" });
  await details.focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Fairphone in focus" });
  await expectModal(dialog);
  expect(new URL(page.url()).pathname).toBe(`/products/${phone.id}`);

  // More often than the dialog has links, in both directions.
  for (const key of [...Array(5).fill("Tab"), ...Array(10).fill("Shift+Tab")]) {
    await page.keyboard.press(key);
    expect(await page.evaluate(focusIsOnPageBehind), key).toBe(false);
  }
  await details.focus();
  await expectFocus(details, false);

  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await page.waitForURL("/products");
  await expectFocus(details);
});

test.each(["Close", "backdrop"])(
  "a dialog that is closed by its %s restores the focus",
  { tags: ["slow"] },
  async (way) => {
    const page = await openAlive("/tablet");
    const details = page.getByRole("article").nth(2).getByRole("link", { name: "Details" });
    await details.click();
    const dialog = page.getByRole("dialog");
    await expectModal(dialog);
    if (way === "Close") await dialog.getByRole("link", { name: "Close" }).click();
    else await page.mouse.click(4, 300);
    await dialog.waitFor({ state: "detached" });
    await page.waitForURL("/tablet");
    await expectFocus(details);
  },
);

test("opening and closing a dialog keeps the list's scroll position", { tags: ["slow"] }, async () => {
  const page = await openAlive("/ios");
  const details = page.getByRole("article").nth(9).getByRole("link", { name: "Details" });
  await details.scrollIntoViewIfNeeded();
  const before = await page.evaluate(() => window.scrollY);
  expect(before).toBeGreaterThan(300);
  await details.click();
  await expectModal(page.getByRole("dialog"));
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await expectFocus(details);
  expect(await page.evaluate(() => window.scrollY)).toBe(before);
});

test("a dialog that is opened by its URL becomes modal, and Escape leads to its list", {
  tags: ["slow"],
}, async () => {
  const phone = await addPhone(server.db);
  const page = await openAlive(`/android/${phone.id}`);
  const dialog = page.getByRole("dialog");
  await expectModal(dialog);
  expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  await page.keyboard.press("Escape");
  await page.waitForURL("/android");
  await dialog.waitFor({ state: "detached" });
});

test("a dialog stays where it was scrolled to while scripts load, so that a press meets its button", async () => {
  const phone = await addPhone(server.db, { brandName: "Fairphone", model: "in a hurry" });
  const storageState = await storageStateOf(server, (await addAccount(server.db)).email);
  const { page } = await openPage(browser, server, { storageState });
  const scripts = await hold(page, ({ pathname }) => pathname.endsWith(".js"));
  await page.goto(`/products/${phone.id}/book`, { waitUntil: "commit" });
  const button = bookButton(page);
  await page.getByRole("dialog").evaluate(({ firstElementChild: box }) => box?.scrollTo(0, box.scrollHeight));
  const before = await button.boundingBox();
  scripts.release();
  await expectModal(page.getByRole("dialog"));
  expect(await button.boundingBox()).toEqual(before);
});

test("Buy Now opens its dialog at once, and waits for one script", async () => {
  const phone = await addPhone(server.db, { brandName: "Fairphone", model: "at once", sellingCents: 31_700 });
  const storageState = await storageStateOf(server, (await addAccount(server.db)).email);
  for (const path of ["/products", `/phones/${phone.id}`]) {
    const { page } = await openPage(browser, server, { storageState });
    const loaded = page.waitForResponse((response) => /\/assets\/booking-/.test(response.url()));
    await page.goto(path);
    await waitForHydration(page);
    await loaded;
    const { met, release } = await hold(page, (url) => /\/book$/.test(url.pathname));
    const scripts: string[] = [];
    page.on("request", (request) => request.resourceType() === "script" && scripts.push(request.url()));
    const buy = page.getByRole("link", { name: "Buy Now" }).first();
    await buy.click();
    const dialog = page.getByRole("dialog", { name: "Fairphone at once" });
    await dialog.getByText("Loading…").waitFor();
    expect(await dialog.getByLabel("Price").inputValue()).toBe("$317");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(new URL(page.url()).pathname).toBe(path);

    await buy.click();
    await dialog.getByText("Loading…").waitFor();
    release();
    await bookButton(page).waitFor();
    await expectModal(dialog);
    expect(met.length).toBeGreaterThan(0);
    expect(scripts.length).toBeLessThanOrEqual(1);
  }
});

test("a refused booking keeps its form while the data behind it loads again", async () => {
  const phone = await addPhone(server.db, { brandName: "Fairphone", model: "refused", sellingCents: 31_700 });
  const storageState = await storageStateOf(server, (await addAccount(server.db)).email);
  const { page } = await openPage(browser, server, { storageState });
  await page.goto(`/phones/${phone.id}`);
  await waitForHydration(page);
  await page.getByRole("link", { name: "Buy Now" }).first().click();
  await bookButton(page).waitFor();
  await server.db.update(phones).set({ sellingCents: 30_700 }).where(eq(phones.id, phone.id));
  const { met, release } = await hold(
    page,
    (url, method) => method === "GET" && url.searchParams.has("_data"),
  );
  await bookButton(page).click();
  await expect.poll(() => met.length).toBeGreaterThan(0);
  expect(await page.getByRole("dialog").count()).toBe(1);
  expect(await page.getByText("Loading…").count()).toBe(0);
  release();
  await page.getByRole("button", { name: "Book for $307" }).waitFor();
});

test("a form is validated while typing, without a request", async () => {
  const page = await openAlive("/signup");
  const posts: string[] = [];
  page.on("request", (request) => request.method() !== "GET" && posts.push(request.url()));
  const [email, secret] = [page.getByLabel("Email"), page.getByLabel("Password")];

  await email.pressSequentially("ingrid");
  await expectNoFieldError(email);
  await email.press("Tab");
  await expectFieldError(email, "Enter an email address like name@example.com");
  await email.pressSequentially("@example.com");
  await expectNoFieldError(email);

  await secret.pressSequentially("abc");
  await secret.press("Tab");
  await expectFieldError(secret, "Password must be 6 Character or Longer");
  await secret.pressSequentially("def");
  await expectFieldError(secret, "Need strong password");
  await secret.pressSequentially("1");
  await expectNoFieldError(secret);
  expect(posts).toEqual([]);
});

test("one click submits, though the error message of the left field moves the button", {
  tags: ["slow"],
}, async () => {
  const page = await openAlive("/login");
  await submitLogin(page, "nobody", "");
  await expectFieldError(page.getByLabel("Email"), "Enter an email address like name@example.com");
  await expectFieldError(page.getByLabel("Password"), "Password is required");
  await expectFocus(page.getByLabel("Email"));
});

test("from login to logout the document is loaded once", async () => {
  const { email } = await addAccount(server.db);
  await addPhone(server.db, { brandName: "Fairphone", model: "in one go" });
  const page = await openAlive("/");
  const main = page.getByRole("navigation", { name: "Main" });
  const documents: string[] = [];
  page.on("request", (request) => request.isNavigationRequest() && documents.push(request.url()));

  await main.getByText("Products", { exact: true }).click();
  await main.getByRole("link", { name: "Android", exact: true }).click();
  await phoneCard(page, "Fairphone in one go").getByRole("link", { name: "Details" }).click();
  await page.getByRole("dialog").getByRole("link", { name: "Buy Now" }).click();
  await page.waitForURL(/\/login\?/);
  await submitLogin(page, email, password);
  await submitBooking(page);
  await main.getByRole("link", { name: "Manage" }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  await expectToast(page, "Order Cancelled");
  await main.getByRole("button", { name: "Log Out" }).click();
  await main.getByRole("link", { name: "Log in" }).waitFor();
  expect(documents).toEqual([]);
});

test("what was typed into a dialog is there when it opens again, until it is sent", async () => {
  const { email } = await addAccount(server.db);
  const phone = await addPhone(server.db, { brandName: "Nokia", model: "Typed" });
  const page = await openAlive("/login");
  await logIn(page, email, password);
  await page.goto("/products?q=nokia+typed");
  await waitForHydration(page);
  const open = () => page.getByRole("link", { name: "Buy Now" }).click();
  const address = page.getByRole("dialog").getByLabel("Address");
  await open();
  await address.fill("1 Quay Street");
  await page.keyboard.press("Escape");
  await address.waitFor({ state: "detached" });
  await open();
  await eventually(() => address.inputValue()).toBe("1 Quay Street");
  await address.fill("2 Quay Street");
  await page.getByRole("dialog").getByRole("link", { name: "Close" }).click();
  await address.waitFor({ state: "detached" });
  await open();
  await eventually(() => address.inputValue()).toBe("2 Quay Street");
  await page.getByLabel("Phone", { exact: true }).fill("1");
  await submitBooking(page);
  const [order] = await server.db.select().from(orders).where(eq(orders.phoneId, phone.id));
  expect(order?.buyerAddress).toBe("2 Quay Street");
});

test("a second click on the button books nothing more", async () => {
  const { email } = await addAccount(server.db);
  const phone = await addPhone(server.db);
  const page = await openAlive("/login");
  await logIn(page, email, password);
  await page.goto(`/products/${phone.id}/book`);
  const dialog = page.getByRole("dialog");
  await expectModal(dialog);
  const { met, release } = await hold(page, (_url, method) => method === "POST");

  const submit = bookButton(page);
  await submit.click();
  await eventually(() => submit.isDisabled()).toBe(true);
  await dialog.getByLabel("Phone").press("Enter");
  await submit.click({ force: true });
  expect(await submit.isDisabled()).toBe(true);
  release();
  await expectToast(page, "Your booking successful");
  expect(met.length).toBe(1);
  const rows = await server.db.select().from(orders).where(eq(orders.phoneId, phone.id));
  expect(rows.length).toBe(1);
});

test("a progress bar shows while a page loads", async () => {
  const page = await openAlive("/login");
  const bar = page.getByRole("progressbar", { name: "Loading" });
  expect(await bar.count()).toBe(0);
  const { met, release } = await hold(page, ({ searchParams }) => searchParams.has("_data"));
  const main = page.getByRole("navigation", { name: "Main" });
  await main.getByText("Products", { exact: true }).click();
  await main.getByRole("link", { name: "Tablets" }).click();
  await bar.waitFor();
  expect(await page.getByRole("heading", { name: "Log in" }).isVisible()).toBe(true);
  release();
  await page.getByRole("heading", { name: "Tablets" }).waitFor();
  await bar.waitFor({ state: "detached" });
  expect(met.length).toBeGreaterThan(0);
});

test("a spinner shows while a list loads", { tags: ["slow"] }, async () => {
  const page = await openAlive("/products");
  const names = await cardNames(page);
  const spinner = page.getByRole("status").getByText("Loading devices…");
  const { release } = await hold(page, ({ searchParams }) => searchParams.has("_data"));
  await page.getByRole("button", { name: "Load more" }).click();
  await spinner.waitFor();
  release();
  await spinner.waitFor({ state: "detached" });
  await eventually(() => cardNames(page)).toHaveLength(48);
  expect((await cardNames(page)).slice(0, 24)).toEqual(names);
});

test("messages are announced by a live region that exists before, also when they repeat", {
  tags: ["slow"],
}, async () => {
  const page = await openAlive("/report");
  const region = await page.locator("div[aria-live=polite]").elementHandle();
  for (const problem of ["The lift is stuck.", "The lift is stuck again."]) {
    await page.getByLabel("Problem").fill(problem);
    await page.getByRole("button", { name: "Submit" }).click();
    await expectToast(page, "Report Submitted");
    const said = await region?.evaluate((element) => element.isConnected && element.textContent);
    expect(said).toBe("Report Submitted");
    await eventually(() => page.getByLabel("Problem").inputValue()).toBe("");
    await page.getByRole("button", { name: "Close message" }).click();
    await page.getByRole("status").waitFor({ state: "detached" });
  }
});

test("a field's hint and error are both part of its description", { tags: ["slow"] }, async () => {
  const page = await openAlive("/signup");
  const hint = "At least 6 characters, with a lowercase letter and a digit.";
  const secret = page.getByLabel("Password");
  const description = () =>
    secret.evaluate((element) =>
      (element.getAttribute("aria-describedby") ?? "")
        .split(" ")
        .map((id) => document.getElementById(id)?.textContent),
    );
  expect(await description()).toEqual([hint]);
  await secret.fill("abc");
  await secret.press("Tab");
  await eventually(description).toEqual(["Password must be 6 Character or Longer", hint]);
});

async function expectModal(dialog: Locator) {
  await eventually(() => dialog.evaluate((element) => element.matches(":modal"))).toBe(true);
}

async function expectFocus(element: Locator, expected = true) {
  await eventually(() => element.evaluate((node) => node === document.activeElement)).toBe(expected);
}

/** In a modal dialog the focus may move to the browser's own controls (then `body` is active), but not to the page. */
function focusIsOnPageBehind(): boolean {
  const focused = document.activeElement;
  return focused !== document.body && !document.querySelector("dialog")?.contains(focused);
}

test("the mobile menu shows the product lists, and closes with a link", { tags: ["slow"] }, async () => {
  const page = await openAlive("/");
  await page.setViewportSize({ width: 390, height: 844 });
  await page
    .locator("summary", { has: page.locator("svg"), hasNotText: "Products" })
    .first()
    .click();
  const menu = page.getByRole("navigation", { name: "Menu" });
  await menu.getByRole("link", { name: "Tablets" }).waitFor();
  await menu.getByRole("link", { name: "Log in" }).click();
  await page.getByRole("heading", { name: "Log in" }).waitFor();
  await menu.waitFor({ state: "hidden" });
});

test("only the row of a clicked button is pending", { tags: ["slow"] }, async () => {
  const admin = await addAccount(server.db, { userType: "Admin", email: "rows@example.com" });
  const target = await addAccount(server.db, { name: "Aaron Pending", email: "aaron.pending@example.com" });
  const { page } = await openPage(browser, server);
  await logIn(page, admin.email, password);
  await page.goto("/manage/users");
  await waitForHydration(page);
  const { met, release } = await hold(page, (_, method) => method === "POST");
  const row = page.getByRole("row").filter({ hasText: target.email });
  await row.getByRole("button", { name: "Delete" }).click();
  const button = row.getByRole("button", { name: "Delete user" });
  await button.click();
  await button.and(page.locator("[aria-disabled=true]")).waitFor();
  await button.click({ force: true });
  expect(await page.locator("main [aria-disabled=true]").count()).toBe(1);
  release();
  await expectToast(page, "User Deleted");
  await row.waitFor({ state: "detached" });
  expect(met.length).toBe(1);
});

test("a 404 in a dialog keeps the list, and one in the dashboard keeps its layout", {
  tags: ["slow"],
}, async () => {
  const page = await openAlive("/products/no-such-phone");
  const dialog = page.getByRole("dialog", { name: "This listing is gone" });
  await expectModal(dialog);
  expect(await cardNames(page)).toHaveLength(24);
  await dialog.getByRole("link", { name: "Back to the list" }).click();
  await page.waitForURL("/products");
  await dialog.waitFor({ state: "detached" });

  await logIn(page, (await addAccount(server.db)).email, password);
  await page.goto("/manage/orders/no-such-order");
  await page.getByRole("heading", { name: "Page not found" }).waitFor();
  await page.getByRole("navigation", { name: "Manage" }).getByRole("link", { name: "My Orders" }).click();
  await page.getByRole("heading", { name: "My Orders" }).waitFor();
});

test("badges keep their newest numbers on the way to Work and back", async () => {
  const admin = await addAccount(server.db, { userType: "Admin" });
  await server.db.insert(tickets).values({ name: "", email: "", details: "It broke." });
  const news = { kind: "verification", subject: "", path: "/manage", event: "verification" } as const;
  await server.db.insert(notifications).values({ userId: admin.id, ...news });
  const storageState = await storageStateOf(server, admin.email);
  const { page, observed } = await openPage(browser, server, { storageState });
  const menu = page.getByRole("navigation", { name: "Manage" });
  const entry = (name: RegExp) => menu.getByRole("link", { name });
  const open = async (name: RegExp, path: string) => {
    await entry(name).click();
    await page.waitForURL(`**${path}`);
    await eventually(() => entry(name).getAttribute("aria-current")).toBe("page");
  };
  await page.goto("/manage/activity");
  await waitForHydration(page);
  expect(await entry(/^Notifications/).textContent()).toBe("Notifications1 unread");
  await server.db.update(notifications).set({ readAt: new Date() });
  await open(/^System/, "/manage/system");
  await eventually(() => entry(/^Notifications/).textContent()).toBe("Notifications");
  // From here on, each page has what it brings along alone.
  await page.route("**/manage/unread", (route) => route.fulfill({ json: null }));
  for (const [name, path] of [
    [/^Work/, "/manage/work"],
    [/^Activity/, "/manage/activity"],
  ] as const) {
    await open(name, path);
    expect(await entry(/^Notifications/).textContent()).toBe("Notifications");
    expect(await entry(/^Work/).textContent()).toContain("waiting");
  }
  await page.goto("/manage/work");
  await waitForHydration(page);
  const waiting = await entry(/^Work/).textContent();
  expect(waiting).toContain("waiting");
  await open(/^Activity/, "/manage/activity");
  expect(await entry(/^Work/).textContent()).toBe(waiting);
  expect(observed.problems).toEqual([]);
});
