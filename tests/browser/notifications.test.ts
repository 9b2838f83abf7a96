/** @module-tag slow */
import { expect, test } from "vitest";
import { unsubscribeToken } from "#app/features/notifications/email-choices.server.ts";
import { bookWithoutLimits } from "../harness/bookings.ts";
import { describeBothWays, openPage, startWithBrowser, storageStateOf } from "../harness/browser.ts";
import { eventually, expectToast, goTo } from "../harness/page-objects.ts";
import { addAccount, addPhone, sessionSecret } from "../harness/server.ts";

const { server, browser } = await startWithBrowser();

describeBothWays((javaScriptEnabled) => {
  test("a seller reads notifications, and chooses their emails", async () => {
    const seller = await addAccount(server.db, { userType: "Seller" });
    const buyer = await addAccount(server.db);
    const book = async (model: string) => {
      const { id } = await addPhone(server.db, { sellerId: seller.id, brandName: "Nokia", model });
      await bookWithoutLimits(server.db, buyer, id, { address: "", phone: "" });
    };
    await book("G22");
    const storageState = await storageStateOf(server, seller.email);
    const { page, observed } = await openPage(browser, server, { javaScriptEnabled, storageState });
    const manage = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: /^Manage/ });
    const entry = page.getByRole("navigation", { name: "Manage" }).getByRole("link", { name: /^Notif/ });

    await goTo(page, "/about", javaScriptEnabled);
    if (javaScriptEnabled) await eventually(() => manage.textContent()).toBe("Manage1 unread");
    else expect(await manage.textContent()).toBe("Manage");
    await manage.click();
    await eventually(() => entry.textContent()).toBe("Notifications1 unread");
    await entry.click();
    const row = page.getByRole("main").getByRole("listitem").filter({ hasText: "G22" });
    await row.getByText("New", { exact: true }).waitFor();
    await row.getByRole("link", { name: "Your Nokia G22 is booked." }).click();
    await page.waitForURL(/\/manage\/orders\//);
    await eventually(() => entry.textContent()).toBe("Notifications");

    for (const model of ["G42", "X30"]) await book(model);
    await goTo(page, "/manage/notifications", javaScriptEnabled);
    await row.getByRole("link", { name: "Your Nokia G22 is booked." }).waitFor();
    expect(await row.getByText("New", { exact: true }).count()).toBe(0);
    const badges = page.getByRole("main").getByText("New", { exact: true });
    expect(await badges.count()).toBe(2);
    await page.getByRole("button", { name: "Mark all as read" }).click();
    await expectToast(page, "All notifications marked as read");
    await eventually(() => badges.count()).toBe(0);
    await eventually(() => manage.textContent()).toBe("Manage");

    await goTo(page, "/manage/account/emails", javaScriptEnabled);
    const booked = page.getByLabel("Bookings of your devices");
    await page.getByText("Orders All on").click();
    await booked.uncheck();
    await page.getByRole("button", { name: "Save choices" }).click();
    await expectToast(page, "Email choices saved");
    expect(await booked.isChecked()).toBe(false);
    expect(await page.getByLabel("New messages").isChecked()).toBe(true);
    await page.getByRole("button", { name: "Turn off all emails about Offers" }).click();
    await page.getByRole("button", { name: "Turn on all emails about Offers" }).waitFor();
    expect(await page.getByLabel("Counteroffers to you").isChecked()).toBe(false);
    expect(await booked.isChecked()).toBe(false);

    const token = await unsubscribeToken([sessionSecret], { userId: seller.id, kind: "message" });
    await goTo(page, `/unsubscribe?token=${token}`, javaScriptEnabled);
    await page.getByRole("button", { name: "Stop these emails" }).click();
    await page.getByRole("heading", { name: "Unsubscribed" }).waitFor();
    await page.getByRole("link", { name: "Choose your emails" }).click();
    await eventually(() => page.getByLabel("New messages").isChecked()).toBe(false);
    expect([...observed.externalRequests, ...observed.problems]).toEqual([]);
  });
});
