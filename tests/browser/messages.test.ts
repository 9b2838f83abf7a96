import type { Browser, Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { messages } from "#app/db/schema.ts";
import { sendFirstMessage, sendMessage } from "#app/features/messages/send-message.server.ts";
import { dayMs } from "#app/time.ts";
import { describeBothWays, openPage, startWithBrowser, storageStateOf } from "../harness/browser.ts";
import { boxOf, eventually, expectFieldError, expectToast, goTo } from "../harness/page-objects.ts";
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
  const press = (page: Page, name: string | RegExp) =>
    page.getByRole("button", { name, exact: true }).click();
  const log = (page: Page) => page.getByRole("log", { name: "Messages" });
  const field = (page: Page) => page.getByLabel("Message", { exact: true });
  /** Shows new messages: with JavaScript they come by themselves, at once when the page gets the focus back. */
  async function lookAgain(page: Page) {
    if (javaScriptEnabled) await page.evaluate(() => dispatchEvent(new Event("focus")));
    else await page.reload();
  }

  test("a buyer asks the seller, who answers and then blocks the buyer", async () => {
    const buyer = await someone("Bea Lind", "Buyer");
    const seller = await someone("Sella Mair", "Seller");
    const phone = await addPhone(server.db, { sellerId: seller.account.id, model: "5" });

    const visitor = await openPage(browser, server, { javaScriptEnabled });
    await goTo(visitor.page, `/phones/${phone.id}`, javaScriptEnabled);
    await visitor.page.getByRole("link", { name: "Ask the seller" }).click();
    await visitor.page.waitForURL(
      `**/login?redirectTo=${encodeURIComponent(`/manage/messages/new?phone=${phone.id}`)}`,
    );

    await goTo(buyer.page, `/products/${phone.id}`, javaScriptEnabled);
    await buyer.page.getByRole("link", { name: "Ask the seller" }).click();
    await buyer.page.getByRole("heading", { name: "Messages about Fairphone 5", level: 1 }).waitFor();
    await buyer.page.getByText("With Sella Mair", { exact: true }).waitFor();
    await press(buyer.page, "Send message");
    await expectFieldError(field(buyer.page), "Write a message");
    await field(buyer.page).fill("Is it scratched?\n  https://pictures.example");
    await press(buyer.page, "Send message");
    await expectFieldError(
      field(buyer.page),
      "Links to other sites can be unsafe. The other person gets a note to be careful. Change it, or send it anyway.",
    );
    expect(await field(buyer.page).inputValue()).toContain("https://pictures.example");
    // A mistake in between is no question, and nothing is asked twice.
    await field(buyer.page).fill("");
    await press(buyer.page, /^Send (?:anyway|message)$/);
    await expectFieldError(field(buyer.page), "Write a message");
    await field(buyer.page).fill("Is it scratched?\n  https://pictures.example");
    await press(buyer.page, "Send message");
    await log(buyer.page).getByText("Is it scratched?").waitFor();
    expect(await log(buyer.page).getByRole("link").count()).toBe(0);
    expect(await field(buyer.page).inputValue()).toBe("");
    await eventually(() => log(buyer.page).locator("time").innerText()).toMatch(
      javaScriptEnabled ? /^[A-Z]\w+day, \d+:\d\d [AP]M$/u : /^\w+ \d+, \d{4}, \d+:\d\d [AP]M UTC$/u,
    );

    await goTo(seller.page, "/manage/messages", javaScriptEnabled);
    const row = seller.page.getByRole("main").getByRole("link", { name: /Fairphone 5.*Is it scratched/s });
    expect(await row.textContent()).toMatch(/1 new message.*Bea L\./s);
    await row.click();
    await log(seller.page).getByText("Is it scratched?").waitFor();
    await seller.page.getByRole("main").getByText("New here", { exact: true }).waitFor();
    await log(seller.page).getByText("This leads away from Ringback.").waitFor();
    expect(await log(buyer.page).getByText("This leads away from Ringback.").count()).toBe(0);
    await seller.page.getByRole("button", { name: /^Report as fraud/ }).click();
    await expectToast(seller.page, "Thanks! A moderator will look at it.");
    await log(seller.page).getByText("You’ve reported it.").waitFor();
    expect(await seller.page.getByRole("button", { name: /^Report as fraud/ }).count()).toBe(0);
    await field(buyer.page).fill("Half a");
    const menu = seller.page.getByRole("navigation", { name: "Manage" });
    await expect.poll(() => menu.textContent()).not.toContain("unread");
    await field(seller.page).fill("Not at all.");
    await press(seller.page, "Send message");
    await log(seller.page).getByText("Not at all.").waitFor();
    if (javaScriptEnabled) {
      // Pressed once more: the form is a new one, and empty.
      await expect.poll(() => field(seller.page).inputValue()).toBe("");
      await press(seller.page, "Send message");
      expect(await field(seller.page).getAttribute("aria-invalid")).toBeNull();
    }

    await lookAgain(buyer.page);
    await log(buyer.page).getByText("Not at all.").waitFor();
    if (javaScriptEnabled) expect(await field(buyer.page).inputValue()).toBe("Half a");
    for (const { page } of [buyer, seller]) {
      expect(await page.getByRole("main").textContent()).not.toContain("@example.com");
    }

    if (javaScriptEnabled) await field(seller.page).fill("A draft");
    await seller.page.getByRole("button", { name: "Block Bea L.", exact: true }).dblclick();
    await press(seller.page, "Block");
    await expectToast(seller.page, "Person blocked");
    if (javaScriptEnabled) {
      expect(await field(seller.page).inputValue()).toBe("A draft");
      expect(await field(seller.page).isEditable()).toBe(false);
    } else expect(await field(seller.page).count()).toBe(0);
    await field(buyer.page).fill("Are you there?");
    await press(buyer.page, "Send message");
    await buyer.page.getByText("This person can’t receive messages right now.").waitFor();
    expect(await field(buyer.page).inputValue()).toBe("Are you there?");

    await goTo(seller.page, "/manage/account/security", javaScriptEnabled);
    const blocked = seller.page.getByRole("region", { name: "Blocked people" });
    await blocked.getByText("Bea L.").waitFor();
    await blocked.getByRole("button", { name: "Unblock" }).click();
    await expectToast(seller.page, "Person unblocked");
    await blocked.getByText("You haven’t blocked anyone.").waitFor();
    await press(buyer.page, "Send message");
    await log(buyer.page).getByText("Are you there?").waitFor();
    for (const { observed } of [seller, visitor]) {
      expect([...observed.externalRequests, ...observed.problems]).toEqual([]);
    }
  });

  test("pages of a long conversation start where the reader left off", { tags: ["slow"] }, async () => {
    const buyer = await someone("Bo Lund", "Buyer");
    const phone = await addPhone(server.db);
    const first = { text: "Message 0", formKey: null };
    const sent = await sendFirstMessage(server.db, buyer.account, { phone: phone.id }, first);
    const conversationId = sent.conversationId ?? "";
    const rows = Array.from({ length: 70 }, (_, count) => ({
      conversationId,
      senderId: buyer.account.id,
      text: `Message ${count + 1}`,
      // The limit is for each day.
      createdAt: new Date(Date.now() - 2 * dayMs),
    }));
    for (let start = 0; start < rows.length; start += 15) {
      await server.db.insert(messages).values(rows.slice(start, start + 15));
    }
    await goTo(buyer.page, `/manage/messages/${conversationId}`, javaScriptEnabled);
    const inView = (text: string) =>
      log(buyer.page)
        .getByText(text, { exact: true })
        .evaluate((message) => {
          const { top, bottom } = message.getBoundingClientRect();
          return top >= 0 && bottom <= innerHeight;
        });
    // Without JavaScript pages start at their top.
    await expect.poll(() => inView("Message 70")).toBe(javaScriptEnabled);
    await buyer.page.getByRole("link", { name: "Older messages" }).click();
    await log(buyer.page).getByText("Message 20", { exact: true }).waitFor();
    await expect.poll(() => inView("Message 20")).toBe(javaScriptEnabled);
    await buyer.page.getByRole("link", { name: "Newer messages" }).click();
    await log(buyer.page).getByText("Message 70", { exact: true }).waitFor();
    await expect.poll(() => inView("Message 21")).toBe(true);

    if (!javaScriptEnabled) return;
    // A new message leaves the form where it is.
    await goTo(buyer.page, `/manage/messages/${conversationId}`, true);
    await expect.poll(() => inView("Message 70")).toBe(true);
    const { top } = await boxOf(field(buyer.page));
    const next = { text: "Message 71", formKey: null };
    await sendMessage(server.db, buyer.account, conversationId, next);
    await lookAgain(buyer.page);
    await expect.poll(() => inView("Message 71")).toBe(true);
    expect((await boxOf(field(buyer.page))).top).toBe(top);
  });
});
