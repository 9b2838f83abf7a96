import { readFile } from "node:fs/promises";
import { and, eq, isNull } from "drizzle-orm";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { orders, savedAddresses, sessions, users } from "#app/db/schema.ts";
import { bookWithoutLimits } from "../harness/bookings.ts";
import { describeBothWays, openPage, startWithBrowser, storageStateOf } from "../harness/browser.ts";
import {
  eventually,
  expectFieldError,
  expectToast,
  goTo,
  submitBooking,
  submitLogin,
  waitForHydration,
} from "../harness/page-objects.ts";
import { addAccount, addPhone, password } from "../harness/server.ts";

const { server, browser } = await startWithBrowser();

const pathOf = (page: Page) => new URL(page.url()).pathname;

describeBothWays((javaScriptEnabled) => {
  type PageName = "Profile" | "Security" | "Addresses" | "Data";

  async function openAccount(name: PageName, account: Parameters<typeof addAccount>[1] = {}, others = 0) {
    const row = await addAccount(server.db, account);
    const elsewhere = [];
    for (let count = 0; count < others; count += 1) elsewhere.push(await storageStateOf(server, row.email));
    const storageState = await storageStateOf(server, row.email);
    const { page, observed } = await openPage(browser, server, { javaScriptEnabled, storageState });
    await page.goto("/manage");
    await page.getByRole("navigation", { name: "Manage" }).getByRole("link", { name: "My account" }).click();
    await page.getByRole("heading", { name: "My account", level: 1 }).waitFor();
    if (name !== "Profile") {
      await page.getByRole("navigation", { name: "My account" }).getByRole("link", { name }).click();
      await page.waitForURL(`/manage/account/${name.toLowerCase()}`);
    }
    if (javaScriptEnabled) await waitForHydration(page);
    return { ...row, page, observed, elsewhere };
  }
  const part = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

  test("the name is changed", { tags: ["slow"] }, async () => {
    const { page, id, observed } = await openAccount("Profile", { name: "Old Name" });
    const section = part(page, "Name");
    await section.getByLabel("Name").fill(" ");
    await section.getByRole("button", { name: "Change name" }).click();
    await expectFieldError(section.getByLabel("Name"), "Name required");
    await section.getByLabel("Name").fill("New Name");
    await section.getByRole("button", { name: "Change name" }).click();
    await expectToast(page, "Name changed");
    expect(await section.getByLabel("Name").inputValue()).toBe("New Name");
    const [row] = await server.db.select().from(users).where(eq(users.id, id));
    expect(row?.name).toBe("New Name");
    expect(observed.problems.filter((text) => !text.includes("status of 400"))).toEqual([]);
  });

  test("a delivery address is saved, chosen for a booking and deleted", async () => {
    const { page, id, observed } = await openAccount("Addresses");
    const section = part(page, "Delivery addresses");
    await section.getByLabel("Address").last().fill(" ");
    await section.getByRole("button", { name: "Add address" }).click();
    await expectFieldError(section.getByLabel("Address").last(), "Address required");
    await section.getByLabel("Address").last().fill("7 Quay Street");
    await section.getByLabel("Phone").last().fill("555 0142");
    await section.getByRole("button", { name: "Add address" }).click();
    await expectToast(page, "Address saved");

    const deliveredTo = async (phoneId: string) => {
      const [order] = await server.db.select().from(orders).where(eq(orders.phoneId, phoneId));
      return [order?.buyerAddress, order?.phoneNumber];
    };
    const [first, second] = [await addPhone(server.db), await addPhone(server.db)];
    await goTo(page, `/products/${first.id}/book`, javaScriptEnabled);
    await submitBooking(page);
    expect(await deliveredTo(first.id)).toEqual(["7 Quay Street", "555 0142"]);

    await goTo(page, `/products/${second.id}/book`, javaScriptEnabled);
    await page.getByRole("radio", { name: "Another address" }).check();
    const address = page.getByLabel("Address", { exact: true });
    expect(await address.inputValue()).toBe("");
    await address.fill("1 Work Street");
    await page.getByLabel("Phone", { exact: true }).fill("555 0143");
    await page.getByLabel("Save it for my next booking").check();
    await submitBooking(page);
    expect(await deliveredTo(second.id)).toEqual(["1 Work Street", "555 0143"]);

    await goTo(page, "/manage/account/addresses", javaScriptEnabled);
    expect(await section.getByRole("listitem").allInnerTexts()).toEqual([
      expect.stringContaining("1 Work Street"),
      expect.stringContaining("7 Quay Street"),
    ]);
    const newest = section.getByRole("listitem").first();
    await newest.getByText("Edit").click();
    expect(await newest.getByLabel("Address").inputValue()).toBe("1 Work Street");
    await newest.getByLabel("Address").fill("7 Quay Street");
    await newest.getByLabel("Phone").fill("555 0142");
    await newest.getByRole("button", { name: "Save address" }).click();
    await newest.getByText("You’ve already saved this address.").waitFor();
    await newest.getByLabel("Address").fill("2 Work Street");
    await newest.getByRole("button", { name: "Save address" }).click();
    await expectToast(page, "Address changed");
    expect(await section.getByRole("listitem").first().innerText()).toContain("2 Work Street");
    await section.getByRole("listitem").first().getByRole("button", { name: "Delete" }).click();
    await expectToast(page, "Address deleted");
    expect(await server.db.$count(savedAddresses, eq(savedAddresses.userId, id))).toBe(1);
    expect(observed.problems.filter((text) => !/status of 4(00|09)/.test(text))).toEqual([]);
  });

  test("the verification email can be requested", { tags: ["slow"] }, async () => {
    const { page } = await openAccount("Profile");
    await part(page, "Email").getByRole("button", { name: "Send me a link" }).click();
    await expectToast(page, "Check your email: we’ve sent you a link to confirm your address.");
    expect(pathOf(page)).toBe("/manage/account");
  });

  test("the password is changed, with an error beside an invalid field", async () => {
    const { page, email, elsewhere } = await openAccount("Security", {}, 1);
    const section = part(page, "Password");
    const [current, next] = [section.getByLabel("Current password"), section.getByLabel("New password")];
    const send = () => section.getByRole("button", { name: "Change password" }).click();
    await current.fill("guess1ng");
    await next.fill("another1");
    await send();
    await expectFieldError(current, "Wrong password.");
    if (!javaScriptEnabled) expect(await next.inputValue()).toBe("");
    await current.fill(password);
    await next.fill("NODIGIT");
    await send();
    await expectFieldError(next, "Need strong password");
    await current.fill(password);
    await next.fill("another1");
    await send();
    await expectToast(page, "Password changed");
    expect([await current.inputValue(), await next.inputValue()]).toEqual(["", ""]);
    const other = await openPage(browser, server, { javaScriptEnabled, storageState: elsewhere[0] });
    await other.page.goto("/manage");
    expect(pathOf(other.page)).toBe("/login");
    await submitLogin(other.page, email, "another1");
    await other.page.getByRole("heading", { name: "My Orders" }).waitFor();
  });

  test("one session and all other sessions are signed out", { tags: ["slow"] }, async () => {
    const { page, id } = await openAccount("Security", {}, 8);
    const section = part(page, "Sessions");
    const rows = section.getByRole("listitem");
    await eventually(() => rows.count()).toBe(5);
    await section.getByText("4 more").click();
    await eventually(() => rows.count()).toBe(9);
    expect(await rows.first().innerText()).toContain("This device");
    await rows.nth(1).getByRole("button", { name: "Log out" }).click();
    await expectToast(page, "Device logged out");
    await eventually(() => server.db.$count(sessions, eq(sessions.userId, id))).toBe(8);
    await section.getByRole("button", { name: "Log out all others" }).click();
    await expectToast(page, "All other devices logged out");
    await eventually(() => rows.count()).toBe(1);
    await rows.first().getByRole("button", { name: "Log out" }).click();
    await page.getByRole("link", { name: "Log in" }).first().waitFor();
    expect(pathOf(page)).toBe("/");
  });

  test("a token is created, shown once and revoked", { tags: ["slow"] }, async () => {
    const { page, observed } = await openAccount("Security");
    await page.getByRole("link", { name: "Manage tokens" }).click();
    await page.getByRole("heading", { name: "Personal access tokens", level: 1 }).waitFor();
    if (javaScriptEnabled) await waitForHydration(page);
    const name = page.getByRole("textbox", { name: "Name" });
    const create = () => page.getByRole("button", { name: "Create token" }).click();
    await create();
    await expectFieldError(name, "Name required");
    await name.fill("Price updates");
    await page.getByRole("radio", { name: "Read and write" }).check();
    await create();
    const created = part(page, "Token “Price updates” created");
    const token = await created.locator("code").innerText();
    expect(token).toMatch(/^rb_[\w-]{43}$/);
    await eventually(() => name.inputValue()).toBe("");
    if (javaScriptEnabled) {
      const focused = page.locator(":focus");
      expect(await focused.innerText()).toBe("Token “Price updates” created");
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      await created.getByRole("button", { name: "Copy token" }).click();
      await created.getByText("Copied").waitFor();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token);
    } else {
      expect(await created.getByRole("button").count()).toBe(0);
    }
    const list = part(page, "Your tokens");
    expect(await list.getByRole("listitem").innerText()).toMatch(/Read and write.*Not used yet/s);
    await page.goto("/manage/account/tokens");
    await list.getByText("Price updates").waitFor();
    expect(await page.content()).not.toContain(token);
    await list.getByRole("button", { name: "Revoke" }).click();
    await expectToast(page, "Token revoked");
    await list.getByText("No tokens yet.").waitFor();
    expect(observed.problems.filter((text) => !text.includes("status of 400"))).toEqual([]);
  });

  test("the personal data are downloaded as a file", { tags: ["slow"] }, async () => {
    const { page, email } = await openAccount("Data");
    const arrives = page.waitForEvent("download");
    await part(page, "My data").getByRole("button", { name: "Download my data" }).click();
    const file = await arrives;
    expect(file.suggestedFilename()).toBe("ringback-my-data.json");
    const text = await readFile(await file.path(), "utf8");
    expect(JSON.parse(text).profile.email).toBe(email);
    expect(pathOf(page)).toBe("/manage/account/data");
    expect(await page.getByRole("button", { name: "Download my data" }).isEnabled()).toBe(true);
  });

  test("the account is deleted, unless an order is open", async () => {
    const { page, id } = await openAccount("Data", { userType: "Seller" });
    const phone = await addPhone(server.db, { sellerId: id });
    const buyer = await addAccount(server.db);
    const section = part(page, "Delete my account");
    const send = () => section.getByRole("button", { name: "Delete my account" }).click();
    await send();
    await expectFieldError(section.getByLabel("Password"), "Password is required");
    await section.getByLabel("Password").fill("guess1ng");
    await send();
    await expectFieldError(section.getByLabel("Password"), "Wrong password.");
    const outcome = await bookWithoutLimits(server.db, buyer, phone.id, { address: "", phone: "" });
    expect(outcome.refusal).toBeUndefined();
    await section.getByLabel("Password").fill(password);
    await send();
    const reason = "You can’t delete your account while one of your devices is reserved.";
    await section.getByRole("alert").getByText(reason).waitFor();
    expect(await server.db.$count(users, and(eq(users.id, id), isNull(users.removalId)))).toBe(1);

    const other = await openAccount("Data");
    const last = part(other.page, "Delete my account");
    await last.getByLabel("Password").fill(password);
    await last.getByRole("button", { name: "Delete my account" }).click();
    await expectToast(other.page, "Account deleted");
    expect(pathOf(other.page)).toBe("/");
    await other.page.getByRole("link", { name: "Log in" }).first().waitFor();
  });

  test("an account without a password sets one by email, or is deleted by typing its address", {
    tags: ["slow"],
  }, async () => {
    const { page, id, email } = await openAccount("Security");
    await server.db.update(users).set({ passwordHash: null }).where(eq(users.id, id));
    await page.reload();
    if (javaScriptEnabled) await waitForHydration(page);
    await part(page, "Password").getByRole("button", { name: "Send me a link to set a password" }).click();
    await expectToast(page, "Check your email: we’ve sent you a link to set a password.");
    await goTo(page, "/manage/account/data", javaScriptEnabled);
    const section = part(page, "Delete my account");
    const field = section.getByLabel("Your email address");
    await field.fill("other@example.com");
    await section.getByRole("button", { name: "Delete my account" }).click();
    await expectFieldError(field, "That’s not your account’s address.");
    await field.fill(email);
    await section.getByRole("button", { name: "Delete my account" }).click();
    await expectToast(page, "Account deleted");
  });
});
