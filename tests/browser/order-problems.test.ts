import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { answerProblem } from "#app/features/order-problems/order-problems.server.ts";
import { carryOutDecisions } from "#app/features/order-problems/pending-decisions.server.ts";
import { handOver } from "#app/features/orders/order-steps.server.ts";
import { hourMs } from "#app/time.ts";
import { accessibilityViolations } from "../harness/accessibility.ts";
import { bookWithoutLimits } from "../harness/bookings.ts";
import { describeBothWays, openPage, startWithBrowser, storageStateOf } from "../harness/browser.ts";
import { photoWithLocation } from "../harness/images.ts";
import { cellTexts, eventually, expectToast, goTo } from "../harness/page-objects.ts";
import { addAccount, addPhone, addProblem } from "../harness/server.ts";

const { server, browser } = await startWithBrowser();

describeBothWays((javaScriptEnabled) => {
  const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
  const read = (page: Page, text: string) => page.getByRole("main").getByText(text).first().waitFor();

  const seesPhoto = async (page: Page, name: string, width: number) => {
    const photo = page.getByRole("link", { name, exact: true });
    const size = await photo.getByRole("img").evaluate(async (image: HTMLImageElement) => {
      await image.decode();
      return image.naturalWidth;
    });
    expect(size).toBe(width);
    const response = await page.request.get((await photo.getAttribute("href")) ?? "");
    expect(response.headers()["content-type"]).toBe("image/webp");
  };

  test("a buyer and a seller do not agree, a moderator decides, and the seller lists the device again", async () => {
    const someone = async (account: Parameters<typeof addAccount>[1]) => {
      const row = await addAccount(server.db, account);
      const storageState = await storageStateOf(server, row.email);
      return { account: row, ...(await openPage(browser, server, { javaScriptEnabled, storageState })) };
    };
    const seller = await someone({ userType: "Seller", name: "Sella Mair" });
    const buyer = await someone({ name: "Bea Lind" });
    const moderator = await someone({ moderatorSince: new Date() });
    const phone = await addPhone(server.db, { sellerId: seller.account.id, model: "Galaxy S77" });
    const details = { address: "", phone: "" };
    const { orderId = "" } = await bookWithoutLimits(server.db, buyer.account, phone.id, details);
    await handOver(server.db, seller.account, orderId);
    const path = `/manage/orders/${orderId}`;

    await goTo(buyer.page, path, javaScriptEnabled);
    await buyer.page.getByRole("link", { name: "Report a problem" }).click();
    await press(buyer.page, "Send to the seller");
    await read(buyer.page, "Describe what happened");
    await buyer.page.getByRole("radio", { name: "It isn’t as described" }).check();
    await buyer.page.getByLabel("What happened").fill("The display has a crack.");
    const buffer = await photoWithLocation();
    const crack = { name: "crack.jpg", mimeType: "image/jpeg", buffer };
    await buyer.page.getByLabel("Choose photos").setInputFiles(crack);
    if (javaScriptEnabled) await read(buyer.page, "Ready to add");
    await press(buyer.page, "Send to the seller");
    await expectToast(buyer.page, "Problem sent");
    await read(buyer.page, "The seller has until");

    await goTo(seller.page, path, javaScriptEnabled);
    await read(seller.page, "Answer by");
    expect(await seller.page.getByRole("button", { name: "Cancel order" }).count()).toBe(0);
    await seller.page.getByRole("link", { name: "View the problem" }).click();
    await seesPhoto(seller.page, "Photo 1", 160);
    await seller.page.getByRole("radio", { name: /^Partial refund/ }).check();
    await seller.page.getByLabel("Details").fill("$10 back.");
    await press(seller.page, "Send offer");
    await expectToast(seller.page, "Offer sent");

    await goTo(buyer.page, `${path}/problem`, javaScriptEnabled);
    await read(buyer.page, "Offer: Partial refund");
    if (javaScriptEnabled) expect(await accessibilityViolations(buyer.page)).toEqual([]);
    await buyer.page.getByText("Decline the offer", { exact: true }).first().click();
    await buyer.page.getByLabel("Why (optional)").fill("A new display costs $90.");
    await press(buyer.page, "Decline the offer");
    await expectToast(buyer.page, "Offer declined");

    await goTo(seller.page, `${path}/problem`, javaScriptEnabled);
    await read(seller.page, "A new display costs $90.");
    await seller.page.getByText("Ask Ringback to decide", { exact: true }).first().click();
    await press(seller.page, "Ask Ringback to decide");
    await expectToast(seller.page, "We’ll decide");

    await goTo(moderator.page, "/manage/moderation?show=problems", javaScriptEnabled);
    await moderator.page.getByRole("link", { name: "Fairphone Galaxy S77" }).first().click();
    await read(moderator.page, "The display has a crack.");
    await seesPhoto(moderator.page, "1 of 1, open in full size", 480);
    if (javaScriptEnabled) expect(await accessibilityViolations(moderator.page)).toEqual([]);
    await moderator.page.getByRole("radio", { name: /^End the order/ }).check();
    await moderator.page.getByLabel("Reason").fill("The listing says nothing of a crack.");
    await press(moderator.page, "Save decision");
    await read(moderator.page, "Save it again to confirm.");
    await press(moderator.page, "Save decision");
    await expectToast(moderator.page, "Decided. We’ll tell both sides in 10 minutes.");
    const pending = moderator.page.getByRole("region", { name: "Your decision" });
    await pending.getByRole("button", { name: "Undo" }).click();
    await expectToast(moderator.page, "Decision undone. Nobody was told.");
    await moderator.page.getByRole("radio", { name: /^End the order/ }).check();
    await moderator.page.getByLabel("Reason").fill("The listing says nothing of a crack.");
    await press(moderator.page, "Save decision");
    await read(moderator.page, "Save it again to confirm.");
    await press(moderator.page, "Save decision");
    await read(moderator.page, "Your decision");
    await carryOutDecisions(server.db, new Date(Date.now() + hourMs));

    await goTo(seller.page, "/manage/mysells", javaScriptEnabled);
    const row = seller.page.getByRole("row").filter({ hasText: "Galaxy S77" });
    await row.getByText("Order ended, not listed").filter({ visible: true }).waitFor();
    expect((await cellTexts(row)).at(-1)).toBe("List it again\nPhotos\nView order\nDelete\nSell similar");
    await row.getByRole("button", { name: "Delete" }).click();
    await expectToast(seller.page, "Post Deleted");
    await seller.page.getByRole("status").getByRole("button", { name: "Undo" }).click();
    await expectToast(seller.page, "Post Restored");
    await goTo(seller.page, `${path}/problem`, javaScriptEnabled);
    await read(seller.page, "The listing says nothing of a crack.");
    await seller.page.getByRole("link", { name: "List it again" }).click();
    await read(seller.page, "Check that it all still matches your device");
    if (javaScriptEnabled) expect(await accessibilityViolations(seller.page)).toEqual([]);
    await seller.page.getByRole("radio", { name: /^Fair/ }).check();
    await press(seller.page, "Save as draft");
    await expectToast(seller.page, "Changes saved");
    expect((await buyer.page.goto(`/phones/${phone.id}`))?.status()).toBe(404);
    expect(await seller.page.getByRole("radio", { name: /^Fair/ }).isChecked()).toBe(true);
    await press(seller.page, "List it again");
    await expectToast(seller.page, "Listed again");
    expect((await cellTexts(row)).at(-1)).toBe("Edit\nPhotos\nDelete\nPause\nSold elsewhere\nSell similar");
    expect((await buyer.page.goto(`/phones/${phone.id}`))?.status()).toBe(200);
    await goTo(buyer.page, path, javaScriptEnabled);
    // What is listed again has come back.
    await read(buyer.page, "The seller pays back whatever you’ve paid, unless");
  });

  test("an answer that comes too late says why, and keeps its words", async () => {
    const [seller, buyer] = [
      await addAccount(server.db, { userType: "Seller" }),
      await addAccount(server.db),
    ];
    const { orderId } = await addProblem(server.db, { buyer, seller });
    const pageOf = async ({ email }: { email: string }) => {
      const storageState = await storageStateOf(server, email);
      const { page } = await openPage(browser, server, { javaScriptEnabled, storageState });
      await goTo(page, `/manage/orders/${orderId}/problem`, javaScriptEnabled);
      return page;
    };
    const page = await pageOf(seller);
    await page.getByRole("radio", { name: /^Another solution/ }).check();
    await page.getByLabel("Details").fill("It comes on Friday.");
    await answerProblem(server.db, buyer, orderId, { answer: "ask", text: "" });
    await press(page, "Send offer");
    const alert = page.getByRole("alert");
    await alert.getByText("Something has changed since. Check what’s new, then answer again.").waitFor();
    await alert.getByText("It comes on Friday.").waitFor();
    await eventually(() => alert.evaluate((box) => box === document.activeElement)).toBe(true);
    expect(await page.getByRole("button", { name: "Send offer" }).count()).toBe(0);
    if (javaScriptEnabled) expect(await accessibilityViolations(page)).toEqual([]);
  });
});
