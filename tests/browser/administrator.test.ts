import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { LocalServer } from "../../scripts/local-server.ts";
import { closePages, describeBothWays, openPage, sharedBrowser, storageStateOf } from "../harness/browser.ts";
import { cardNames, cellTexts, expectToast, goTo, phoneCard, submitLogin } from "../harness/page-objects.ts";
import { addAccount, addPhone, password, sharedServer, startServer } from "../harness/server.ts";

let browser: Browser;
let crowded: LocalServer;

beforeAll(async () => {
  [crowded, browser] = await Promise.all([startServer(), sharedBrowser()]);
  for (let number = 1; number <= 60; number += 1) await addAccount(crowded.db);
});

afterAll(async () => {
  await Promise.all([closePages(), crowded?.stop()]);
});

describeBothWays((javaScriptEnabled, way) => {
  let server: LocalServer;

  beforeAll(async () => {
    server = await sharedServer();
  });

  async function openAs(account: { email: string } | null) {
    const storageState = account ? await storageStateOf(server, account.email) : undefined;
    return openPage(browser, server, { javaScriptEnabled, storageState });
  }

  const addAdmin = () => addAccount(server.db, { userType: "Admin", name: "Ada Min" });
  const drawerOf = (page: Page) => page.getByRole("navigation", { name: "Manage" });

  async function listedNames(page: Page): Promise<string[]> {
    const other = await page.context().newPage();
    await other.goto("/products");
    const names = await cardNames(other);
    await other.close();
    return names;
  }

  test("an administrator verifies, deletes and undoes, and the activity log shows it", async () => {
    const admin = await addAdmin();
    const seller = await addAccount(server.db, { userType: "Seller", name: "Trusty Vera" });
    const other = await addAccount(server.db, { userType: "Seller", name: "New Nils" });
    const [kept, goner, others] = [
      await addPhone(server.db, { sellerId: seller.id, model: "to keep" }),
      await addPhone(server.db, { sellerId: seller.id, model: "to delete" }),
      await addPhone(server.db, { sellerId: other.id, model: "of another" }),
    ].map(({ brandName, model }) => `${brandName} ${model}`) as [string, string, string];
    const { page, observed } = await openAs(admin);
    const drawer = drawerOf(page);
    const rowOf = (text: string) => page.getByRole("row").filter({ hasText: text });

    await goTo(page, "/products", javaScriptEnabled);
    expect(await page.getByText("Verified seller", { exact: true }).count()).toBe(0);
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Manage" }).click();
    await drawer.getByRole("link", { name: "Sellers" }).click();
    await rowOf(seller.email).waitFor();
    expect(new URL(page.url()).pathname).toBe("/manage/sellers");
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Users");
    expect(await columnsOf(page)).toEqual(["Name", "Device Name", "Role", "action"]);
    expect((await specifiedTexts(rowOf(seller.email))).slice(0, 3)).toEqual([
      seller.name,
      seller.email,
      "Seller",
    ]);
    expect(await page.getByRole("row").filter({ hasText: admin.email }).count()).toBe(0);
    const verify = rowOf(seller.email).getByRole("button", { name: "Verify" });
    const place = await verify.boundingBox();
    await verify.click();
    await expectToast(page, "User verified");
    await verify.waitFor({ state: "detached" });
    // A second click on Verify must not hit the Delete button beside it.
    expect(await page.evaluate(hasButtonIn, place)).toBe(false);
    expect(await rowOf(seller.email).getByRole("button").allInnerTexts()).toEqual(["Delete"]);
    expect(await rowOf(other.email).getByRole("button").allInnerTexts()).toEqual(["Delete", "Verify"]);
    await goTo(page, "/products", javaScriptEnabled);
    const badges = (name: string) => phoneCard(page, name).getByText("Verified seller", { exact: true });
    expect(await badges(kept).isVisible()).toBe(true);
    expect(await badges(goner).isVisible()).toBe(true);
    expect(await badges(others).count()).toBe(0);

    await goTo(page, "/manage/mysells", javaScriptEnabled);
    await page.getByText("Nothing for sale yet").waitFor();
    expect(await columnsOf(page)).toEqual(["Name", "Device Name", "Storage", "Price", "Action"]);
    await drawer.getByRole("link", { name: "All listings" }).click();
    await rowOf(goner).waitFor();
    expect((await cellTexts(rowOf(others)))[1]).toBe(other.name);
    // A listing can be read before it is deleted.
    await rowOf(goner).getByRole("link", { name: goner, exact: true }).click();
    await page.getByRole("heading", { name: goner, level: 1 }).waitFor();
    await page.goBack();
    await rowOf(goner).getByRole("button", { name: "Delete" }).click();
    // It asks first.
    expect(await rowOf(goner).count()).toBe(1);
    await page
      .getByRole("dialog", { name: `Delete ${goner}?` })
      .getByText(`${seller.name} sells it.`)
      .waitFor();
    await page.getByRole("button", { name: "Delete listing" }).click();
    await expectToast(page, "Post Deleted");
    await rowOf(goner).waitFor({ state: "detached" });
    await rowOf(kept).waitFor();
    expect(await listedNames(page)).toEqual([others, kept]);

    await drawer.getByRole("link", { name: "Users", exact: true }).click();
    await rowOf(admin.email).waitFor();
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Users");
    expect(await columnsOf(page)).toEqual(["Name", "Device Name", "Role", "action"]);
    expect(await specifiedTexts(rowOf(admin.email))).toEqual(["Ada Min", admin.email, "Admin", "You"]);
    const shown = await cellTexts(rowOf(seller.email));
    expect(await specifiedTexts(rowOf(seller.email))).toEqual([
      seller.name,
      seller.email,
      "Seller",
      "Delete",
    ]);
    await rowOf(seller.email).getByRole("button", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Delete user" }).click();
    await expectToast(page, "User Deleted");
    await rowOf(seller.email).waitFor({ state: "detached" });
    expect(await listedNames(page)).toEqual([others]);
    await page.getByRole("status").getByRole("button", { name: "Undo" }).click();
    await expectToast(page, "User Restored");
    await rowOf(seller.email).waitFor();
    expect(await cellTexts(rowOf(seller.email))).toEqual(shown);
    expect(await listedNames(page)).toEqual([others, kept]);

    await drawer.getByRole("link", { name: "Activity" }).click();
    await page.getByRole("heading", { name: "Activity", level: 1 }).waitFor();
    expect(await columnsOf(page)).toEqual(["By", "Action", "Target", "Time"]);
    const rows = await Promise.all((await rowOf(admin.email).all()).map(cellTexts));
    expect(rows.map((cells) => cells.slice(1, 4))).toEqual([
      [admin.email, "undid deletion", seller.email],
      [admin.email, "deleted user", seller.email],
      [admin.email, "deleted listing\nUndo", goner],
      [admin.email, "verified seller\nUndo", seller.email],
    ]);
    expect(observed).toEqual({ problems: [], externalRequests: [] });
  });

  test("an administrator merges two spellings of a brand after a question", async () => {
    const admin = await addAdmin();
    for (const brandName of ["Nothing", `Nothin ${way}`]) await addPhone(server.db, { brandName });
    const { page } = await openAs(admin);
    await goTo(page, "/manage/listings", javaScriptEnabled);
    await page.getByText("Merge two spellings of a brand").click();
    await page.getByLabel("Brand", { exact: true }).fill(`nothin ${way}`);
    await page.getByLabel("New spelling").fill("nothing");
    await page.getByRole("button", { name: "Merge" }).click();
    await page.getByText(`This lists 1 device of Nothin ${way} as Nothing, and there’s no undo.`).waitFor();
    await page.getByRole("button", { name: "Merge" }).click();
    await expectToast(page, `Nothin ${way} is now Nothing`);
  });

  test("an administrator filters users, deletes those chosen after a confirmation, and undoes it", {
    tags: ["slow"],
  }, async () => {
    const admin = await addAdmin();
    for (const name of ["Bulk Cleo", "Bulk Anna", "Bulk Bea"]) await addAccount(server.db, { name });
    const { page, observed } = await openAs(admin);
    await goTo(page, "/manage/users", javaScriptEnabled);
    const filters = page.getByRole("form", { name: "Filters" });
    const names = () => page.getByRole("rowgroup").last().getByRole("link").allInnerTexts();
    const chosen = (name: string) =>
      page
        .getByRole("row")
        .filter({ hasText: name })
        .getByRole("checkbox", { name: /^Select / });

    await filters.getByLabel("Name or email").fill("bulk");
    await filters.getByRole("button", { name: "Search" }).click();
    await page.waitForURL(/[?&]q=bulk/);
    await expect.poll(names).toEqual(["Bulk Cleo", "Bulk Anna", "Bulk Bea"]);
    await filters.getByLabel("Sort").selectOption("Name");
    if (!javaScriptEnabled) await filters.getByRole("button", { name: "Apply" }).click();
    await page.waitForURL(/[?&]sort=name/);
    await expect.poll(names).toEqual(["Bulk Anna", "Bulk Bea", "Bulk Cleo"]);
    const table = page.url();
    if (javaScriptEnabled) {
      await filters.getByLabel("Name or email").fill("nobody at all");
      // What is typed is applied when the field is left.
      await filters.getByLabel("Sort").focus();
      await page.getByText("No matches").waitFor();
      expect(await page.getByRole("checkbox", { name: "Select all rows" }).count()).toBe(0);
      await page.goto(table);
    }

    // Shown once there is something to delete.
    expect(await page.getByRole("button", { name: "Delete selected" }).isVisible()).toBe(false);
    if (javaScriptEnabled) {
      await page.getByRole("checkbox", { name: "Select all rows" }).check();
      await chosen("Bulk Cleo").uncheck();
    } else {
      for (const name of ["Bulk Anna", "Bulk Bea"]) await chosen(name).check();
    }
    await page.getByRole("button", { name: "Delete selected" }).click();
    await page.getByRole("heading", { name: "Delete 2 users?", level: 1 }).waitFor();
    const named = await page.locator("h1 ~ ul").getByRole("listitem").allInnerTexts();
    expect(named.map((text) => text.replace(/ \(.*/s, ""))).toEqual(["Bulk Anna", "Bulk Bea"]);
    await page.getByRole("button", { name: "Delete 2 users" }).click();
    await expectToast(page, "2 users deleted");
    expect(page.url()).toBe(table);
    await expect.poll(names).toEqual(["Bulk Cleo"]);
    await page.getByRole("status").getByRole("button", { name: "Undo" }).click();
    await expectToast(page, "2 users restored");
    await expect.poll(names).toEqual(["Bulk Anna", "Bulk Bea", "Bulk Cleo"]);

    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download CSV" }).click();
    expect((await download).suggestedFilename()).toMatch(/^ringback-users-\d{4}-\d\d-\d\d\.csv$/);
    await filters.getByLabel("Name or email").fill("nobody");
    await filters.getByRole("button", { name: "Search" }).click();
    await page.getByText("No matches").waitFor();
    await page.getByRole("link", { name: "Clear filters" }).click();
    await rowOfLink(page, "Bulk Anna").click();
    await page.getByRole("heading", { name: "Bulk Anna", level: 1 }).waitFor();
    expect(observed).toEqual({ problems: [], externalRequests: [] });
  });

  test("a report reaches the administrator, even a blank one", { tags: ["slow"] }, async () => {
    const reporter = await addAccount(server.db, { name: "Signy In" });
    const details = `The button is stuck.\n  It says <b>"Ouch"</b>. (${way})`;
    const anonymous = await openAs(null);
    await goTo(anonymous.page, "/report", javaScriptEnabled);
    const fields = (page: Page) => ["Name", "Email", "Problem"].map((label) => page.getByLabel(label));
    const values = (page: Page) => Promise.all(fields(page).map((field) => field.inputValue()));
    expect(await values(anonymous.page)).toEqual(["", "", ""]);
    const [name, email, problem] = fields(anonymous.page);
    await name?.fill("Nobody In Particular");
    await email?.fill("nobody@example.com");
    await problem?.fill(details);
    await anonymous.page.getByRole("button", { name: "Submit" }).click();
    await expectToast(anonymous.page, "Report Submitted");
    await expect.poll(() => values(anonymous.page)).toEqual(["", "", ""]);

    const signedIn = await openAs(reporter);
    await goTo(signedIn.page, "/report", javaScriptEnabled);
    expect(await values(signedIn.page)).toEqual(["Signy In", reporter.email, ""]);
    for (const field of fields(signedIn.page)) await field.fill("");
    await signedIn.page.getByRole("button", { name: "Submit" }).click();
    await expectToast(signedIn.page, "Report Submitted");
    await expect.poll(() => values(signedIn.page)).toEqual(["Signy In", reporter.email, ""]);

    const { page } = await openAs(await addAdmin());
    await goTo(page, "/manage", javaScriptEnabled);
    await drawerOf(page).getByRole("link", { name: "Reports" }).click();
    await page.getByRole("heading", { name: "Reports", level: 1 }).waitFor();
    expect(await columnsOf(page)).toEqual(["Name", "Email", "Deails"]);
    const rows = page.getByRole("rowgroup").last().getByRole("row");
    expect(await Promise.all((await rows.all()).map(cellTexts))).toEqual([
      ["1", "", "", "No text"],
      ["2", "Nobody In Particular", "nobody@example.com", details],
    ]);
    expect([anonymous.observed, signedIn.observed]).toEqual(
      Array(2).fill({ problems: [], externalRequests: [] }),
    );
  });

  const everybodys = ["Messages", "Offers", "Notifications", "Saved", "Searches", "My account"];

  test.each([
    ["Buyer", ["My Orders", ...everybodys]],
    ["Seller", ["My Orders", "My Sells", ...everybodys]],
    [
      "Admin",
      [
        ...["My Orders", "My Sells", ...everybodys, "Work", "Users", "Sellers", "Reports"],
        ...[
          "All orders",
          "All listings",
          "Moderation",
          "Saved replies",
          "Announcements",
          "Pages",
          "Activity",
          "Numbers",
          "System",
        ],
      ],
    ],
  ] as const)("as %s, the links of the drawer work", { tags: ["slow"] }, async (userType, labels) => {
    const { page } = await openAs(await addAccount(server.db, { userType }));
    await goTo(page, "/manage", javaScriptEnabled);
    const links = drawerOf(page).getByRole("link");
    // Other tests have left reports open.
    const badge = /\d+\+? waiting$/;
    const texts = (await links.allTextContents()).map((text) => text.replace(badge, ""));
    expect(texts).toEqual(labels);
    const headings: Partial<Record<string, string>> = { "My Sells": "My Sellings", Sellers: "Users" };
    for (const label of labels) {
      const link = links.filter({ hasText: new RegExp(`^${label}(?:${badge.source}|$)`) });
      await link.click();
      await expect.poll(() => link.getAttribute("aria-current")).toBe("page");
      const heading = page.getByRole("heading", { level: 1 });
      await expect.poll(() => heading.textContent()).toBe(headings[label] ?? label);
    }
  });

  test("a removed user is signed out at the next request", { tags: ["slow"] }, async () => {
    const [admin, user] = [await addAdmin(), await addAccount(server.db)];
    const tab = (await openAs(user)).page;
    await goTo(tab, "/blogs", javaScriptEnabled);
    const main = tab.getByRole("navigation", { name: "Main" });
    await main.getByRole("link", { name: "Manage" }).click();
    await tab.getByRole("heading", { name: "My Orders" }).waitFor();

    const { page } = await openAs(admin);
    await goTo(page, "/manage/users", javaScriptEnabled);
    const row = page.getByRole("row").filter({ hasText: user.email });
    await row.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Delete user" }).click();
    await expectToast(page, "User Deleted");

    await main.getByRole("link", { name: "Manage" }).click();
    await tab.waitForURL(/\/login\?redirectTo=%2Fmanage$/);
    await main.getByRole("link", { name: "Log in" }).waitFor();
    expect(await main.getByRole("button", { name: "Log Out" }).count()).toBe(0);
    await submitLogin(tab, user.email, password);
    await tab.getByRole("alert").getByText("This account has been disabled.").waitFor();
  });

  test("a buyer is redirected from an administrator's page to login, and from there back as the administrator", async () => {
    const [admin, buyer] = [await addAdmin(), await addAccount(server.db)];
    const { page, observed } = await openAs(buyer);
    await goTo(page, "/manage/users", javaScriptEnabled);
    await page.waitForURL(/\/login\?redirectTo=%2Fmanage%2Fusers$/);
    await page.getByRole("heading", { name: "This page is for administrators", level: 1 }).waitFor();
    await page.getByText(`You’re logged in as ${buyer.email}.`).waitFor();
    await page.getByRole("link", { name: "Log in with another account" }).click();
    await page.getByText(`You’re logged in as ${buyer.email}.`).waitFor();
    await submitLogin(page, admin.email, password);
    await page.waitForURL("/manage/users");
    await page.getByRole("heading", { name: "Users", level: 1 }).waitFor();
    await page.getByRole("row").filter({ hasText: buyer.email }).waitFor();
    expect(observed).toEqual({ problems: [], externalRequests: [] });
  });

  test("a long table has pages with consecutive row numbers, and a deletion stays on its page", {
    tags: ["slow"],
  }, async () => {
    const admin = await addAccount(crowded.db, { userType: "Admin" });
    const storageState = await storageStateOf(crowded, admin.email);
    const { page } = await openPage(browser, crowded, { javaScriptEnabled, storageState });
    await goTo(page, "/manage/users", javaScriptEnabled);
    const pager = page.getByRole("navigation", { name: "Pages" });
    const rows = page.getByRole("rowgroup").last().getByRole("row");
    const numbers = async () =>
      (await Promise.all((await rows.all()).map(cellTexts))).map(([first]) => first);
    const upTo = (first: number, last: number) =>
      Array.from({ length: last - first + 1 }, (_, index) => String(first + index));

    expect(await numbers()).toEqual(upTo(1, 25));
    expect(await pager.getByRole("link").allInnerTexts()).toEqual(["Next"]);
    await pager.getByRole("link", { name: "Next" }).click();
    await expect.poll(numbers).toEqual(upTo(26, 50));
    expect(await pager.getByRole("link").allInnerTexts()).toEqual(["Previous", "Next"]);

    const second = await cellTexts(rows.nth(1));
    await rows.first().getByRole("button", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Delete user" }).click();
    await expectToast(page, "User Deleted");
    await expect.poll(async () => (await cellTexts(rows.first()))[2]).toBe(second[2]);
    expect(await numbers()).toEqual(upTo(26, 50));
    await page.getByRole("button", { name: "Undo" }).click();
    await expectToast(page, "User Restored");
    await expect.poll(() => cellTexts(rows.nth(1))).toEqual(second);
    expect(await numbers()).toEqual(upTo(26, 50));
    await pager.getByRole("link", { name: "Previous" }).click();
    await expect.poll(numbers).toEqual(upTo(1, 25));
    // A link with a page number, as the tables had it before, leads to the first page.
    await goTo(page, "/manage/users?page=2", javaScriptEnabled);
    expect(await numbers()).toEqual(upTo(1, 25));
  });
});

const rowOfLink = (page: Page, name: string) =>
  page.getByRole("row").filter({ hasText: name }).getByRole("link", { name });

async function columnsOf(page: Page): Promise<string[]> {
  return (await page.getByRole("columnheader").allInnerTexts()).slice(1);
}

/** Whether a button is under the middle of an area of the page. */
function hasButtonIn(place: { x: number; y: number; width: number; height: number } | null): boolean {
  if (!place) throw new Error("There is no such place.");
  const middle = document.elementFromPoint(place.x + place.width / 2, place.y + place.height / 2);
  return middle?.closest("button") !== null;
}

/** The cells of a user's row, without its number and what the name's cell says beyond the specification. */
async function specifiedTexts(row: Locator): Promise<string[]> {
  const [, name = "", ...cells] = await cellTexts(row);
  return [name.split("Joined")[0]?.trim() ?? "", ...cells];
}
