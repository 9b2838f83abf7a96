import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { orders, sessions } from "#app/db/schema.ts";
import { startWithBrowser, storageStateOf } from "../harness/browser.ts";
import { validListing } from "../harness/listing-form.ts";
import {
  bookButton,
  eventually,
  expectToast,
  openAs,
  submitBooking,
  submitLogin,
  waitForHydration,
} from "../harness/page-objects.ts";
import { addAccount, addPhone, password } from "../harness/server.ts";

const { server, browser } = await startWithBrowser();

test("a session that ends while a phone is described leaves the page and what was typed alone", async () => {
  const seller = await addAccount(server.db, { userType: "Seller" });
  const page = await openAs(server, browser, seller, "/addphone");
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

test("a form that was opened for another account stores nothing and shows the account of now", {
  tags: ["slow"],
}, async () => {
  const [first, second] = [await addAccount(server.db), await addAccount(server.db)];
  const phone = await addPhone(server.db, { brandName: "Nokia", model: "Wanted twice" });
  const page = await openAs(server, browser, first, `/products/${phone.id}/book`);
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

test("what was typed survives a login that the ended session made necessary", async () => {
  const buyer = await addAccount(server.db);
  const phone = await addPhone(server.db, { brandName: "Nokia", model: "Typed for" });
  const page = await openAs(server, browser, buyer, `/products/${phone.id}/book`);
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
