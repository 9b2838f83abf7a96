import { eq } from "drizzle-orm";
import type { Browser, Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { orders, phones } from "#app/db/schema.ts";
import { describeBothWays, openPage, startWithBrowser, storageStateOf } from "../harness/browser.ts";
import { expectFieldError, expectToast, goTo, submitBooking } from "../harness/page-objects.ts";
import { addAccount, addPhone, type TestServer } from "../harness/server.ts";

let server: TestServer;
let browser: Browser;

beforeAll(async () => {
  ({ server, browser } = await startWithBrowser());
});

describeBothWays((javaScriptEnabled) => {
  async function someone(name: string, userType: "Buyer" | "Seller") {
    const account = await addAccount(server.db, { name, userType });
    const storageState = await storageStateOf(server, account.email);
    return { account, ...(await openPage(browser, server, { javaScriptEnabled, storageState })) };
  }
  const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

  test("a buyer offers a price, agrees on the seller's, and books at it", async () => {
    const buyer = await someone("Bea Lind", "Buyer");
    const seller = await someone("Sella Mair", "Seller");
    const phone = await addPhone(server.db, { sellerId: seller.account.id, model: "5" });
    const listing = `/phones/${phone.id}`;

    const visitor = await openPage(browser, server, { javaScriptEnabled });
    await goTo(visitor.page, listing, javaScriptEnabled);
    await visitor.page.getByRole("link", { name: "Make an offer" }).click();
    await visitor.page.waitForURL(`**/login?redirectTo=${encodeURIComponent(`${listing}/offer`)}`);

    await goTo(buyer.page, listing, javaScriptEnabled);
    await buyer.page.getByRole("link", { name: "Make an offer" }).click();
    const amount = buyer.page.getByLabel("Your offer", { exact: true });
    await buyer.page.getByText("From $174.75 to $346. You can make 3 offers for this device.").waitFor();
    await amount.fill("100");
    await press(buyer.page, "Send offer");
    await expectFieldError(amount, "Offer $174.75 to $346.");
    await amount.fill("300");
    await buyer.page.getByLabel("Message (optional)").fill("Cash, and I pick it up today.");
    await press(buyer.page, "Send offer");
    await expectToast(buyer.page, "Offer sent");
    await buyer.page.getByText(/You offered \$300\. Sella Mair can answer until/).waitFor();

    await goTo(seller.page, listing, javaScriptEnabled);
    await seller.page.getByRole("link", { name: "Answer 1 offer" }).click();
    await seller.page.getByRole("heading", { name: "Offers for your devices" }).waitFor();
    await seller.page.getByText(/Bea L\. offered \$300\. Answer by/).waitFor();
    await seller.page.getByText("Make a counteroffer").click();
    await seller.page.getByLabel("Your counteroffer", { exact: true }).fill("290");
    await press(seller.page, "Send counteroffer");
    const price = seller.page.getByLabel("Your counteroffer", { exact: true });
    await expectFieldError(price, "Name a price between the offer and your price.");
    await price.fill("320");
    await press(seller.page, "Send counteroffer");
    await expectToast(seller.page, "Counteroffer sent");
    await seller.page.getByText(/You made a counteroffer of \$320\. Bea L\. can answer until/).waitFor();

    await goTo(buyer.page, "/manage/offers", javaScriptEnabled);
    await buyer.page.getByRole("link", { name: "Messages", exact: true }).last().click();
    const log = buyer.page.getByRole("log", { name: "Messages" });
    await log.getByText("Cash, and I pick it up today.").waitFor();
    await log.getByText(/Sella Mair made a counteroffer of \$320\. Answer by/).waitFor();
    await press(buyer.page, "Accept $320");
    await expectToast(buyer.page, "Offer accepted");
    await log.getByText(/you can book it for \$320 until/).waitFor();
    await goTo(seller.page, "/manage/messages", javaScriptEnabled);
    await seller.page
      .getByRole("main")
      .getByRole("link", { name: /Fairphone 5/ })
      .first()
      .click();
    await seller.page.getByText(/Agreed: Bea L\. can book it for \$320 until/).waitFor();

    await goTo(buyer.page, listing, javaScriptEnabled);
    await buyer.page.getByText("Your accepted offer. Listed at $349.50").waitFor();
    await goTo(visitor.page, listing, javaScriptEnabled);
    expect(await visitor.page.getByRole("main").textContent()).not.toContain("$320");

    await buyer.page.getByRole("link", { name: "Buy Now" }).click();
    await buyer.page.getByRole("dialog").getByText("Listed at $349.50").waitFor();
    expect(await buyer.page.getByLabel("Price", { exact: true }).inputValue()).toBe("$320");
    await submitBooking(buyer.page);
    await expectToast(buyer.page, "Your booking successful");
    const [order] = await server.db.select().from(orders).where(eq(orders.phoneId, phone.id));
    expect(order?.priceCents).toBe(32_000);
    await goTo(seller.page, "/manage/offers", javaScriptEnabled);
    await seller.page.getByText("Agreed at $320, and booked.").waitFor();
  });

  test("an offer for a device that was booked first shows what was written", async () => {
    const buyer = await someone("Lata Come", "Buyer");
    const phone = await addPhone(server.db);
    await goTo(buyer.page, `/phones/${phone.id}/offer`, javaScriptEnabled);
    await buyer.page.getByLabel("Your offer", { exact: true }).fill("300");
    await buyer.page.getByLabel("Message (optional)").fill("I live around the corner.");
    await server.db.update(phones).set({ status: "reserved" }).where(eq(phones.id, phone.id));
    await press(buyer.page, "Send offer");
    const alert = buyer.page.getByRole("dialog").getByRole("alert");
    await alert.getByText("This device isn’t for sale right now.").waitFor();
    await alert.getByText("I live around the corner.").waitFor();
    expect(await buyer.page.getByRole("button", { name: "Send offer" }).count()).toBe(0);
  });
});
