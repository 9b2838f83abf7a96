import { and, desc, eq, ne } from "drizzle-orm";
import type { Locator, Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { orders, phones } from "#app/db/schema.ts";
import { seedDemoData } from "../../scripts/demo/seed.ts";
import { describeBothWays, openPage, startWithBrowser, storageStateOf } from "../harness/browser.ts";
import {
  bookButton,
  cardNames,
  cellTexts,
  eventually,
  expectToast,
  logIn,
  phoneCard,
  showNextCards,
  submitBooking,
  submitLogin,
} from "../harness/page-objects.ts";
import { addAccount, addPhone, password, visitor } from "../harness/server.ts";

const cardsOnPage = 24;

const { server, browser } = await startWithBrowser();

beforeAll(async () => {
  await seedDemoData(server.db);
});

/** The names on a list, newest first. */
async function namesForSale(only: Partial<Pick<typeof phones.$inferSelect, "os" | "deviceType">>) {
  const rows = await server.db
    .select({ brandName: phones.brandName, model: phones.model })
    .from(phones)
    .where(
      and(
        ne(phones.status, "sold"),
        only.os && eq(phones.os, only.os),
        only.deviceType && eq(phones.deviceType, only.deviceType),
      ),
    )
    .orderBy(desc(phones.id));
  return rows.map(({ brandName, model }) => `${brandName} ${model}`);
}

describeBothWays((javaScriptEnabled, way) => {
  const open = () => openPage(browser, server, { javaScriptEnabled });

  test("a buyer signs up, browses, books, cancels and logs out", async () => {
    const phone = await addPhone(server.db, { brandName: "Fairphone", model: `to have ${way}` });
    const name = `${phone.brandName} ${phone.model}`;
    const email = `hedda.${javaScriptEnabled ? "script" : "plain"}@example.com`;
    const { page, observed } = await open();
    const main = page.getByRole("navigation", { name: "Main" });

    await page.goto("/");
    await main.getByRole("link", { name: "Log in" }).click();
    await page.getByRole("link", { name: "Sign up", exact: true }).click();
    await page.getByRole("heading", { name: "Sign Up" }).waitFor();
    const userType = page.getByLabel("User Type");
    expect(await userType.inputValue()).toBe("Buyer");
    expect(await userType.isEditable()).toBe(false);
    await page.getByLabel("Name").fill("Hedda Byer");
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill("phone4me");
    await page.getByRole("button", { name: "Sign Up" }).click();
    await expectToast(page, `${email} account created`);
    await page.waitForURL("/");
    await main.getByRole("button", { name: "Log Out" }).waitFor();
    expect(await main.getByRole("link", { name: "Log in" }).count()).toBe(0);

    const lists = [
      { entry: "IOS", path: "/ios", heading: "Android Devices", os: "Ios", deviceType: "Smart Phone" },
      {
        entry: "Android",
        path: "/android",
        heading: "Android Devices",
        os: "Android",
        deviceType: "Smart Phone",
      },
      { entry: "Tablets", path: "/tablet", heading: "Tablets", deviceType: "Tablet" },
      { entry: "All Products", path: "/products", heading: "All Products" },
    ] as const;
    for (const { entry, path, heading, ...only } of lists) {
      await main.getByText("Products", { exact: true }).click();
      await main.getByRole("link", { name: entry, exact: true }).click();
      await page.waitForURL(path);
      await page.getByRole("heading", { name: heading, exact: true, level: 1 }).waitFor();
      const expected = await namesForSale(only);
      await eventually(() => cardNames(page)).toEqual(expected.slice(0, cardsOnPage));
    }

    const all = await namesForSale({});
    await showNextCards(page, javaScriptEnabled);
    if (javaScriptEnabled) {
      await eventually(() => cardNames(page)).toEqual(all.slice(0, 2 * cardsOnPage));
    } else {
      await eventually(() => cardNames(page)).toEqual(all.slice(cardsOnPage, 2 * cardsOnPage));
      await page.getByRole("link", { name: "Previous" }).click();
      await eventually(() => cardNames(page)).toEqual(all.slice(0, cardsOnPage));
    }
    expect(await page.getByRole("link", { name: "Previous" }).count()).toBe(0);

    await phoneCard(page, name).getByRole("link", { name: "Details" }).click();
    const dialog = page.getByRole("dialog", { name });
    await dialog.waitFor();
    expect(new URL(page.url()).pathname).toBe(`/products/${phone.id}`);
    const facts = await dialog.getByRole("definition").allTextContents();
    expect(facts.slice(0, 5)).toEqual([phone.rom, phone.ram, phone.processor, phone.camera, phone.battery]);
    expect(await dialog.textContent()).toContain("$349.50");
    await expectSameWhenVisitedDirectly(dialog, await page.context().newPage(), page.url());

    await dialog.getByRole("link", { name: "Buy Now" }).click();
    await page.waitForURL(new RegExp(`/products/${phone.id}/book`));
    const fixed = { Ram: phone.ram, Name: "Hedda Byer", Email: email, Price: "$349.50", Rom: phone.rom };
    for (const [label, value] of Object.entries(fixed)) {
      const field = dialog.getByLabel(label, { exact: true });
      expect(await field.inputValue(), label).toBe(value);
      expect(await field.isEditable(), label).toBe(false);
    }
    await dialog.getByLabel("Address").fill("1 Quay Street\nGalway");
    await dialog.getByLabel("Phone").fill("+353 91 000 000");
    await submitBooking(page);
    await page.getByText("to agree on payment.").waitFor();
    await page.getByRole("link", { name: "Back to the list" }).click();
    await page.waitForURL((url) => url.pathname === "/products");
    expect(await page.getByRole("dialog").count()).toBe(0);
    await phoneCard(page, name).getByText("Reserved", { exact: true }).waitFor();
    expect(await phoneCard(page, name).getByRole("link", { name: "Buy Now" }).count()).toBe(0);
    const [order] = await server.db.select().from(orders).where(eq(orders.phoneId, phone.id));
    expect(order).toMatchObject({
      buyerAddress: expect.stringMatching(/^1 Quay Street\r?\nGalway$/),
      phoneNumber: "+353 91 000 000",
      email,
      priceCents: 34_950,
    });

    await main.getByRole("link", { name: "Manage" }).click();
    await page.getByRole("heading", { name: "My Orders" }).waitFor();
    const columns = await page.getByRole("columnheader").allInnerTexts();
    expect(columns.slice(1)).toEqual(["Name", "Device Name", "Storage", "Price", "Action"]);
    const device = expect.stringMatching(
      `${name}\\s+Reserved\\. Booked .+ The seller hands it over or ships it by `,
    );
    const shown = ["1", "Hedda Byer", device, "8 GB 256 GB", "349.50$", "Delete"];
    const row = page.getByRole("row").filter({ hasText: name });
    expect(await cellTexts(row)).toEqual(shown);
    await row.getByRole("button", { name: "Delete" }).click();
    await expectToast(page, "Order Cancelled");
    await row.getByRole("cell", { name: "Cancelled" }).waitFor();

    await page.goto("/products");
    await phoneCard(page, name).getByRole("link", { name: "Buy Now" }).click();
    await dialog.getByText("You cancelled this device less than 24 hours ago.").waitFor();
    await dialog.getByRole("link", { name: "Close" }).click();
    await dialog.waitFor({ state: "detached" });

    await main.getByRole("button", { name: "Log Out" }).click();
    await main.getByRole("link", { name: "Log in" }).waitFor();
    await page.goto("/manage");
    await page.waitForURL(/\/login\?redirectTo=%2Fmanage$/);
    expect(observed).toEqual({ problems: [], externalRequests: [] });
  });

  test("Buy Now leads an anonymous visitor to login, and from there back to the booking dialog", async () => {
    const { email } = await addAccount(server.db);
    const { page, observed } = await open();
    await page.goto("/android");
    await showNextCards(page, javaScriptEnabled);
    const list = page.url();
    const buyNow = page.getByRole("article").first().getByRole("link", { name: "Buy Now" });
    const wanted = new URL((await buyNow.getAttribute("href")) ?? "", list);

    await buyNow.click();
    await page.waitForURL(/\/login\?/);
    await page.goBack();
    await page.waitForURL(list);
    await buyNow.click();
    await page.waitForURL(/\/login\?/);
    await submitLogin(page, email, password);
    await page.waitForURL(wanted.href);
    await expectToast(page, `${email} account created`);
    const dialog = page.getByRole("dialog");
    expect(await dialog.getByLabel("Email").inputValue()).toBe(email);

    // With JavaScript the login takes the place of its form.
    await page.goBack();
    if (!javaScriptEnabled) {
      await page.waitForURL(/\/login\?/);
      await page.goBack();
    }
    await page.waitForURL(list);
    await dialog.waitFor({ state: "detached" });
    expect(observed).toEqual({ problems: [], externalRequests: [] });
  });

  test("Back works for a user whose session has ended", { tags: ["slow"] }, async () => {
    const { email } = await addAccount(server.db);
    const { page } = await open();
    const main = page.getByRole("navigation", { name: "Main" });
    await page.goto("/ios");
    await logIn(page, email, password);
    await main.getByRole("link", { name: "Manage" }).click();
    await page.getByRole("heading", { name: "My Orders" }).waitFor();
    await main.getByRole("link", { name: "Blogs" }).click();
    await page.waitForURL("/blogs");

    await page.context().clearCookies();
    await page.goBack();
    await page.waitForURL(/\/login\?redirectTo=%2Fmanage$/);
    await page.goBack();
    await page.waitForURL("/");
    await page.goBack();
    if (!javaScriptEnabled) {
      await page.waitForURL(/\/login$/);
      await page.goBack();
    }
    await page.waitForURL("/ios");
  });

  test("closing a dialog returns to the same page of the list", { tags: ["slow"] }, async () => {
    const { page, observed } = await open();
    await page.goto("/products");
    await showNextCards(page, javaScriptEnabled);
    const list = page.url();
    const names = await cardNames(page);

    await page.getByRole("article").nth(3).getByRole("link", { name: "Details" }).click();
    await page.getByRole("dialog").getByRole("link", { name: "Close" }).click();
    await page.waitForURL(list);
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await cardNames(page)).toEqual(names);
    // With JavaScript, closing goes back.
    if (javaScriptEnabled) await page.goForward();
    else await page.goBack();
    await page.getByRole("dialog").waitFor();
    await page.goBack();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(page.url()).toBe(list);
    expect(observed).toEqual({ problems: [], externalRequests: [] });
  });

  test("Undo restores a cancelled order, unless another buyer has booked the phone", {
    tags: ["slow"],
  }, async () => {
    const phone = await addPhone(server.db, { brandName: "Fairphone", model: `to regret ${way}` });
    const [hesitant, quick] = [await addAccount(server.db), await addAccount(server.db)];
    const path = `/products/${phone.id}/book`;
    const storageState = await storageStateOf(server, hesitant.email);
    const { page } = await openPage(browser, server, { javaScriptEnabled, storageState });
    await page.goto(path);
    await submitBooking(page);
    await page.goto("/manage");
    const row = page.getByRole("row").filter({ hasText: phone.model });
    await row.getByRole("button", { name: "Delete" }).click();
    await expectToast(page, "Order Cancelled");
    await row.getByRole("cell", { name: "Cancelled" }).waitFor();
    const undo = page.getByRole("status").getByRole("button", { name: "Undo" });
    await undo.click();
    await expectToast(page, "Order Restored");
    await row.getByRole("button", { name: "Delete" }).click();
    await expectToast(page, "Order Cancelled");

    const buyer = visitor(server);
    await buyer.signIn(quick.email);
    expect((await buyer.post(path, { address: "", phone: "" })).status).toBe(303);
    await undo.click();
    const reason =
      "We can’t restore this order: since then, the device was booked, or a price was agreed or offered by the seller.";
    await page.getByRole("alert").getByText(reason, { exact: true }).waitFor();
    await row.getByRole("cell", { name: "Cancelled" }).waitFor();
    expect(await undo.count()).toBe(0);
    const rows = await server.db
      .select()
      .from(orders)
      .where(and(eq(orders.phoneId, phone.id), eq(orders.status, "active")));
    expect(rows.map(({ buyerId }) => buyerId)).toEqual([quick.id]);
  });

  test("a buyer accepts a price that has changed while the form was open", async () => {
    const phone = await addPhone(server.db, {
      ...{ brandName: "Fairphone", model: `to get cheaper ${way}` },
      sellingCents: 29_900,
    });
    const { email } = await addAccount(server.db);
    const storageState = await storageStateOf(server, email);
    const { page } = await openPage(browser, server, { javaScriptEnabled, storageState });
    await page.goto(`/products/${phone.id}/book`);
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Address").fill("1 Harbour Street");
    await server.db.update(phones).set({ sellingCents: 27_900 }).where(eq(phones.id, phone.id));
    await bookButton(page).click();

    const accept = dialog.getByRole("button", { name: "Book for $279" });
    await accept.waitFor();
    expect(await dialog.getByRole("alert").textContent()).toBe("The price is now $279. It was $299.");
    expect(await dialog.getByLabel("Price").inputValue()).toBe("$279");
    expect(await dialog.getByLabel("Address").inputValue()).toBe("1 Harbour Street");
    await submitBooking(page);
    const [order] = await server.db.select().from(orders).where(eq(orders.phoneId, phone.id));
    expect([order?.priceCents, order?.buyerAddress]).toEqual([27_900, "1 Harbour Street"]);
  });

  test("the second buyer of a phone sees that it has just been reserved", async () => {
    const phone = await addPhone(server.db, { brandName: "Fairphone", model: `to miss ${way}` });
    const [late, early] = [await addAccount(server.db), await addAccount(server.db)];
    const { page } = await open();
    await logIn(page, late.email, password);
    await page.goto(`/products/${phone.id}/book`);
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Address").fill("Too late a street");

    const faster = visitor(server);
    await faster.signIn(early.email);
    await faster.post(`/products/${phone.id}/book`, { address: "", phone: "" });
    await bookButton(page).click();

    const backToList = dialog.getByRole("link", { name: "Back to the list" });
    await backToList.waitFor();
    expect(await dialog.getByRole("alert").allTextContents()).toEqual(["This device has just been reserved"]);
    expect(await bookButton(page).count()).toBe(0);
    await backToList.click();
    const card = phoneCard(page, `${phone.brandName} ${phone.model}`);
    await card.getByText("Reserved", { exact: true }).waitFor();
    expect(await card.getByRole("link", { name: "Buy Now" }).count()).toBe(0);
    const rows = await server.db.select().from(orders).where(eq(orders.phoneId, phone.id));
    expect(rows.map(({ buyerId }) => buyerId)).toEqual([early.id]);
  });
});

async function expectSameWhenVisitedDirectly(dialog: Locator, otherPage: Page, url: string) {
  await otherPage.goto(url);
  const direct = otherPage.getByRole("dialog");
  await direct.waitFor();
  expect(await direct.textContent()).toBe(await dialog.textContent());
  await otherPage.close();
}
