/** @module-tag slow */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { describeBothWays, openPage, startWithBrowser, storageStateOf } from "../harness/browser.ts";
import { expectToast, goTo } from "../harness/page-objects.ts";
import { addAccount, addReceivedOrder } from "../harness/server.ts";

const { server, browser } = await startWithBrowser();

describeBothWays((javaScriptEnabled) => {
  async function someone(name: string, userType: "Buyer" | "Seller") {
    const account = await addAccount(server.db, { name, userType, emailVerifiedAt: new Date() });
    const storageState = await storageStateOf(server, account.email);
    return { account, ...(await openPage(browser, server, { javaScriptEnabled, storageState })) };
  }
  const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
  const main = (page: Page) => page.getByRole("main");

  test("buyer and seller review each other, and the seller replies", async () => {
    const buyer = await someone("Bea Lind", "Buyer");
    const seller = await someone("Sella Mair", "Seller");
    const orderId = await addReceivedOrder(server.db, buyer.account, seller.account);

    await goTo(buyer.page, `/manage/orders/${orderId}`, javaScriptEnabled);
    await buyer.page.getByRole("link", { name: "Review the seller" }).click();
    await buyer.page.getByRole("heading", { name: "Review the seller", level: 1 }).waitFor();
    await buyer.page.getByLabel("Review", { exact: true }).fill("Well packed.\nThank you!");
    await press(buyer.page, "Send review");
    await buyer.page.getByRole("group", { name: "Stars" }).getByText("Choose 1 to 5 stars").waitFor();
    await buyer.page.getByRole("radio", { name: "4 stars: good" }).check();
    await press(buyer.page, "Send review");
    await expectToast(buyer.page, "Review saved");
    await main(buyer.page).getByRole("heading", { name: "Your review of the seller" }).waitFor();
    await main(buyer.page).getByText("Edit your review").click();
    const text = buyer.page.getByLabel("Review", { exact: true });
    expect(await text.inputValue()).toBe("Well packed.\nThank you!");

    const path = `/manage/orders/${orderId}/reviews`;
    await goTo(seller.page, path, javaScriptEnabled);
    expect(await main(seller.page).textContent()).not.toContain("Well packed.");
    await seller.page.getByRole("radio", { name: "5 stars: excellent" }).check();
    await press(seller.page, "Send review");
    await expectToast(seller.page, "Review saved");
    await main(seller.page).getByText("Well packed.").waitFor();
    await seller.page.getByLabel("Your reply").fill("My pleasure.");
    await press(seller.page, "Send reply");
    await expectToast(seller.page, "Reply sent");
    expect(await seller.page.getByLabel("Your reply").count()).toBe(0);

    const visitor = await openPage(browser, server, { javaScriptEnabled });
    await goTo(visitor.page, `/sellers/${seller.account.id}`, javaScriptEnabled);
    await visitor.page.getByRole("link", { name: "1 review", exact: true }).click();
    await visitor.page.getByRole("heading", { name: "Reviews of Sella Mair", level: 1 }).waitFor();
    const review = visitor.page.getByRole("listitem").filter({ hasText: "Well packed." });
    expect(await review.textContent()).toMatch(/4 stars.*Bea L\..*Reply from Sella MairMy pleasure\./s);
    expect(await main(visitor.page).textContent()).not.toContain("Bea Lind");

    await goTo(buyer.page, `/sellers/${seller.account.id}`, javaScriptEnabled);
    await main(buyer.page).getByRole("link", { name: "Report this seller" }).click();
    await buyer.page.getByRole("heading", { name: "Report this seller", level: 1 }).waitFor();
    await buyer.page.getByRole("radio", { name: "Something else" }).check();
    await press(buyer.page, "Send report");
    await main(buyer.page).getByText("Describe the problem").waitFor();
    await buyer.page.getByLabel("Details").fill("Sent me to another shop.");
    await press(buyer.page, "Send report");
    await expectToast(buyer.page, "Thanks! A moderator will look at it.");
    await main(buyer.page).getByRole("link", { name: "Report this seller" }).click();
    await main(buyer.page).getByText("You’ve already reported this.").waitFor();
    for (const { observed } of [seller, visitor]) {
      expect([...observed.externalRequests, ...observed.problems]).toEqual([]);
    }
  });
});
