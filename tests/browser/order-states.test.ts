/** @module-tag slow */
import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { accessibilityViolations } from "../harness/accessibility.ts";
import { bookWithoutLimits } from "../harness/bookings.ts";
import { describeBothWays, openPage, startWithBrowser, storageStateOf } from "../harness/browser.ts";
import {
  bookButton,
  cellTexts,
  eventually,
  expectFieldError,
  expectToast,
  goTo,
  phoneCard,
  submitBooking,
  waitForHydration,
} from "../harness/page-objects.ts";
import { addSales } from "../harness/sales.ts";
import { addAccount, addPhone } from "../harness/server.ts";

const { server, browser } = await startWithBrowser();

describeBothWays((javaScriptEnabled, way) => {
  async function someone(name: string, userType: "Buyer" | "Seller") {
    const account = await addAccount(server.db, { name, userType });
    const storageState = await storageStateOf(server, account.email);
    return { account, ...(await openPage(browser, server, { javaScriptEnabled, storageState })) };
  }

  const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
  const steps = async (page: Page) => {
    const items = await page.getByRole("region", { name: "Steps" }).getByRole("listitem").all();
    return Promise.all(items.map((item) => item.locator("p").first().textContent()));
  };
  const settled = (page: Page, words: string) =>
    page.getByRole("main").getByText(words, { exact: true }).waitFor();

  /** Axe needs JavaScript. */
  async function expectAccessible(page: Page) {
    if (javaScriptEnabled) expect(await accessibilityViolations(page)).toEqual([]);
  }

  /** Printed on one sheet, black on white, without navigation, forms and buttons. */
  async function expectPrintable(page: Page) {
    const viewport = page.viewportSize() ?? { width: 1280, height: 720 };
    // The width of A4.
    await page.setViewportSize({ ...viewport, width: 794 });
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    for (const role of ["banner", "contentinfo", "navigation", "button", "textbox"] as const)
      expect([role, await page.getByRole(role).count()]).toEqual([role, 0]);
    for (const name of ["Steps", "Order details"]) await page.getByRole("heading", { name }).waitFor();
    const colors = await page.locator("body").evaluate((body) => {
      const { color, backgroundColor } = getComputedStyle(body);
      return [color, backgroundColor];
    });
    expect(colors).toEqual(["rgb(0, 0, 0)", "rgb(255, 255, 255)"]);
    const sheets = (await page.pdf({ format: "A4" })).toString("latin1").match(/\/Type\s*\/Page\b/g);
    expect(sheets).toHaveLength(1);
    await page.emulateMedia({ media: null, colorScheme: null });
    await page.setViewportSize(viewport);
  }

  test("an order passes all its states between two buyers and two sellers", async () => {
    const [sella, selim] = [await someone("Sella Mair", "Seller"), await someone("Selim Öz", "Seller")];
    const [buyer, bo] = [await someone("Bea Lind", "Buyer"), await someone("Bo Ek", "Buyer")];
    const name = `Fairphone 5 ${way}`;
    const phone = await addPhone(server.db, {
      sellerId: sella.account.id,
      model: name.slice("Fairphone ".length),
    });
    await addPhone(server.db, { sellerId: selim.account.id });

    await goTo(buyer.page, `/products/${phone.id}/book`, javaScriptEnabled);
    const groups = buyer.page.getByRole("dialog").getByRole("group");
    expect(
      await groups.evaluateAll((all) => all.map((group) => group.firstElementChild?.textContent)),
    ).toEqual(["Delivery", "Payment"]);
    await groups.last().getByText("You pay the seller, not Ringback").waitFor();
    const submit = bookButton(buyer.page);
    for (const [width, height] of [
      [390, 844],
      [1280, 800],
    ] as const) {
      await buyer.page.setViewportSize({ width, height });
      // In full, without scrolling.
      await eventually(() => bottomOf(submit)).toBeLessThanOrEqual(height);
      await eventually(() => isUncovered(submit)).toBe(true);
    }
    for (const field of ["Address", "Phone"])
      expect.soft(await isUncovered(buyer.page.getByRole("textbox", { name: field })), field).toBe(true);
    await submitBooking(buyer.page);
    await expectAccessible(buyer.page);
    await goTo(buyer.page, "/manage", javaScriptEnabled);
    await buyer.page.getByRole("link", { name }).click();
    await buyer.page.getByRole("heading", { name, level: 1 }).waitFor();
    await settled(buyer.page, "Reserved for you.");
    await expectAccessible(buyer.page);
    const path = new URL(buyer.page.url()).pathname;
    // The address was left out when booking.
    const [address, number] = [
      buyer.page.getByLabel("Address"),
      buyer.page.getByRole("textbox", { name: "Phone" }),
    ];
    await address.fill("7 Quay Street\nHarbour Town");
    await number.fill("1".repeat(41));
    await press(buyer.page, "Save delivery details");
    await expectFieldError(number, "Phone must be 40 characters or shorter");
    await expectAccessible(buyer.page);
    await number.fill("+46 70 123");
    await press(buyer.page, "Save delivery details");
    await expectToast(buyer.page, "Delivery details saved");
    expect(await number.inputValue()).toBe("+46 70 123");
    await expectPrintable(buyer.page);
    expect(path).toMatch(/^\/manage\/orders\/[0-9a-f-]{36}$/);

    for (const { page } of [selim, bo]) {
      const response = await page.goto(path);
      expect(response?.status()).toBe(404);
      await page.getByRole("heading", { name: "Page not found" }).waitFor();
    }

    // The seller reads the address, cancels, undoes that, and hands the phone over.
    await goTo(sella.page, "/manage/mysells", javaScriptEnabled);
    const row = sella.page.getByRole("row").filter({ hasText: name });
    expect((await cellTexts(row)).slice(1)).toEqual([
      "Sella Mair",
      `${name}\n\nReserved\n\nBuyer: No finished orders in the last year`,
      ...["8 GB 256 GB", "349.50$"],
      "Edit\nPhotos\nView order\nSell similar",
    ]);
    await row.getByRole("link", { name: "View order" }).click();
    const shownAddress = sella.page.getByText("7 Quay Street");
    await shownAddress.waitFor();
    const facts = (await sella.page.getByRole("definition").allInnerTexts()).map((text) => text.trim());
    expect(facts).toEqual([
      ...[name, "256 GB, 8 GB RAM", "$349.50"],
      ...[
        expect.stringMatching(/^[0-9A-F]{4}(-[0-9A-F]{4}){2}$/),
        expect.stringMatching(/^\w{3} \d+, \d{4}$/),
      ],
      ...["Sella Mair (you)", "Bea Lind\nNo finished orders in the last year"],
      ...[buyer.account.email, "+46 70 123", "7 Quay Street\nHarbour Town"],
    ]);
    await press(sella.page, "Cancel order");
    await expectToast(sella.page, "Order Cancelled");
    await eventually(() => shownAddress.count()).toBe(0);
    await sella.page.getByRole("status").getByRole("button", { name: "Undo" }).click();
    await expectToast(sella.page, "Order Restored");
    await press(sella.page, "Mark as handed over");
    await expectToast(sella.page, "Marked as handed over");
    await expectAccessible(sella.page);

    // The buyer's page is outdated, so its button is too late.
    await press(buyer.page, "Cancel order");
    await buyer.page
      .getByRole("alert")
      .getByText("It’s been handed over, so you can’t cancel the order anymore.")
      .waitFor();
    await settled(buyer.page, "Handed over! Once you have it, mark it as received here.");
    await buyer.page.getByText("You pay the seller as you two agree").waitFor();
    expect(await buyer.page.getByRole("button", { name: "Cancel order" }).count()).toBe(0);
    await press(buyer.page, "Mark as received");
    await expectToast(buyer.page, "Marked as received");
    await settled(buyer.page, "All done. Enjoy it!");
    expect(await buyer.page.getByRole("button", { name: "Mark as received" }).count()).toBe(0);
    await expectAccessible(buyer.page);

    await goTo(buyer.page, "/manage", javaScriptEnabled);
    const bought = buyer.page.getByRole("row").filter({ hasText: name });
    expect((await cellTexts(bought)).at(-1)).toBe("Received");
    await goTo(sella.page, path, javaScriptEnabled);
    await settled(sella.page, "Sold! The buyer has it.");
    expect(await steps(sella.page)).toEqual([
      "Reserved",
      "Delivery details saved",
      "Cancelled",
      "Cancellation undone",
      "Handed over",
      "Received",
    ]);
    await goTo(bo.page, "/products", javaScriptEnabled);
    await bo.page.getByRole("heading", { level: 1 }).waitFor();
    expect(await phoneCard(bo.page, name).count()).toBe(0);
    for (const { observed } of [buyer, sella]) {
      const refused = observed === buyer.observed && !javaScriptEnabled;
      expect([...observed.externalRequests, ...observed.problems]).toEqual(
        refused ? [expect.stringContaining("400 (Bad Request)")] : [],
      );
    }
  });

  test("after publishing, a seller adds the condition and lowers the price", { tags: ["slow"] }, async () => {
    const { page, observed, account } = await someone("Sella Mair", "Seller");
    const [other, buyer] = [await someone("Selim Öz", "Seller"), await addAccount(server.db)];
    const kind = { brandName: "Motorola", model: `Edge ${way}`, rom: "256 GB" };
    await addSales(server.db, kind, [30_000, 32_000, 38_000]);
    const { id } = await addPhone(server.db, {
      ...kind,
      sellerId: account.id,
      sellingCents: 40_000,
      createdAt: new Date(0),
    });
    await goTo(page, `/addphone?added=${id}`, javaScriptEnabled);
    await page.getByRole("heading", { name: `Motorola ${kind.model} is now for sale` }).waitFor();
    if (javaScriptEnabled) {
      await page.getByLabel("Brand Name").fill("motorola");
      await page.getByLabel("Model").fill(kind.model);
      await page.getByLabel("Rom", { exact: true }).fill("256GB");
      await page.getByText("Usual price: $320").waitFor();
      await page.getByLabel("Selling Price").fill("400");
      await page.getByText("$80 above the usual price").waitFor();
      const figure = page
        .getByRole("figure")
        .filter({ hasText: "3 sold for $300 to $380, usually for $320." });
      // The asking price.
      await figure.locator("circle").waitFor();
      await expectAccessible(page);
      await page.getByLabel("Model").fill("Something else");
      await page.getByText("Not enough sales yet").waitFor();
    }
    await page.getByRole("link", { name: "Add condition and battery" }).click();
    await page.getByRole("heading", { name: "About your device" }).waitFor();
    if (javaScriptEnabled) await waitForHydration(page);
    await expectAccessible(page);
    await page.getByRole("radio", { name: /^Good/ }).check();
    await page.getByLabel("Battery health").fill("870");
    await page.getByLabel("Selling Price").fill("375");
    await page.getByLabel("IMEI", { exact: true }).fill("490154203237519");
    await press(page, "Save changes");
    const imei = page.getByLabel("IMEI", { exact: true });
    await expectFieldError(imei, "This IMEI isn’t valid. Check its digits");
    await expectFieldError(page.getByLabel("Battery health"), "Battery health must be between 50 and 100");
    expect(await page.getByLabel("Selling Price").inputValue()).toBe("375");
    expect(await page.getByRole("radio", { name: /^Good/ }).isChecked()).toBe(true);
    await page.getByLabel("Battery health").fill("87");
    const digits = javaScriptEnabled ? "490154203237518" : "356938035643809";
    await imei.fill(digits);
    await press(page, "Save changes");
    await expectToast(page, "Changes saved");
    await page.getByText("We have your IMEI. Enter a new one to replace it, or leave this empty.").waitFor();
    expect(await imei.inputValue()).toBe("");
    expect(await page.content()).not.toContain(digits);

    const copy = await addPhone(server.db, { sellerId: other.account.id });
    await goTo(other.page, `/manage/mysells/${copy.id}/edit`, javaScriptEnabled);
    await other.page.getByLabel("IMEI", { exact: true }).fill(digits);
    await press(other.page, "Save changes");
    await expectFieldError(
      other.page.getByLabel("IMEI", { exact: true }),
      "A device with this IMEI is already listed.",
    );

    await goTo(other.page, "/android", javaScriptEnabled);
    const card = phoneCard(other.page, `Motorola ${kind.model}`).first();
    expect(await card.getByText("Good condition", { exact: true }).isVisible()).toBe(true);
    await goTo(other.page, `/android/${id}`, javaScriptEnabled);
    const dialog = other.page.getByRole("dialog");
    const table = dialog.getByRole("table", { name: "Price history" });
    const cells = await table.getByRole("cell").allInnerTexts();
    expect(cells.filter((_, index) => index % 3 > 0)).toEqual(["$375", "down $25", "$400", "first price"]);
    expect(await dialog.innerText()).toMatch(/Battery health\s+87%/);

    // A reserved listing has a fixed device, but a price that can change.
    await bookWithoutLimits(server.db, buyer, id, { address: "", phone: "" });
    await goTo(page, "/manage/mysells", javaScriptEnabled);
    await page
      .getByRole("row")
      .filter({ hasText: `Motorola ${kind.model}` })
      .getByRole("link", { name: "Edit" })
      .click();
    await page.getByText("It’s reserved, so the model details are locked.").waitFor();
    expect(await page.getByLabel("Model").isEditable()).toBe(false);
    expect(await imei.count()).toBe(0);
    await page.getByLabel("Used Time").fill("15");
    await press(page, "Save changes");
    await expectToast(page, "Changes saved");
    expect([...observed.externalRequests, ...observed.problems]).toEqual(
      javaScriptEnabled ? [] : [expect.stringContaining("400 (Bad Request)")],
    );
  });
});

async function bottomOf(control: Locator): Promise<number> {
  const box = await control.boundingBox();
  return box ? box.y + box.height : Number.POSITIVE_INFINITY;
}

/** Whether the lower edge of a control is visible where it is. */
function isUncovered(control: Locator): Promise<boolean> {
  return control.evaluate((element) => {
    const { left, width, bottom } = element.getBoundingClientRect();
    return document.elementFromPoint(left + width / 2, bottom - 2) === element;
  });
}
