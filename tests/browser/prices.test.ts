import { expect, test } from "vitest";
import { describeBothWays, openPage, startWithBrowser, storageStateOf } from "../harness/browser.ts";
import { expectToast, goTo } from "../harness/page-objects.ts";
import { addAccount, addPhone } from "../harness/server.ts";

const { server, browser } = await startWithBrowser();

describeBothWays((javaScriptEnabled, way) => {
  test(`a seller changes prices in their rows, and takes that back, ${way}`, async () => {
    const seller = await addAccount(server.db, { userType: "Seller" });
    const own = { sellerId: seller.id, sellingCents: 30_000 };
    const { model } = await addPhone(server.db, own);
    const other = await addPhone(server.db, own);
    const storageState = await storageStateOf(server, seller.email);
    const { page } = await openPage(browser, server, { storageState, javaScriptEnabled });
    await goTo(page, "/manage/mysells", javaScriptEnabled);
    const row = page.getByRole("row").filter({ hasText: model });
    const field = (name: string) => page.getByLabel(`New price of Fairphone ${name}`, { exact: true });
    for (const [name, price] of [
      [model, "289"],
      [other.model, "cheap"],
    ] as const) {
      await page
        .getByRole("row")
        .filter({ hasText: name })
        .getByText("300$")
        .filter({ visible: true })
        .click();
      await field(name).fill(price);
    }
    await row.getByRole("button", { name: "Save" }).click();
    await page.getByText("Price must be a number of dollars").waitFor();
    expect(await field(model).inputValue()).toBe("289");
    await field(other.model).fill("279");
    await page.getByRole("button", { name: "Save prices" }).click();
    await expectToast(page, "2 prices changed");
    await row.getByText("289$").filter({ visible: true }).waitFor();
    await page.getByRole("status").getByRole("button", { name: "Undo" }).click();
    await expectToast(
      page,
      "Old prices restored, except where a device was booked or its price changed since",
    );
    await row.getByText("300$").filter({ visible: true }).waitFor();
  });
});
