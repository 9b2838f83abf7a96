/** @module-tag slow */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { savedReplies } from "#app/db/schema.ts";
import { openPage, startWithBrowser, storageStateOf } from "../harness/browser.ts";
import { expectToast, goTo } from "../harness/page-objects.ts";
import { addAccount, addPhone } from "../harness/server.ts";

const { server, browser } = await startWithBrowser();

const device = {
  ...{ "Brand Name": "Nokia", Model: "G22", Ram: "4 GB", Rom: "64 GB", "Camera Detail": "50 MP" },
  ...{ Processor: "Unisoc T606", "Image Link": "https://pictures.example/gone.jpg", Battery: "5050 mAh" },
  ...{ "Selling Reason": "A larger pocket.", "Market Price": "179", "Selling Price": "89.50" },
  "Used Time": "9",
};

async function fillIn(page: Page) {
  for (const [label, value] of Object.entries(device)) {
    await page.getByLabel(label, { exact: true }).fill(value);
  }
  await page.getByLabel("Os", { exact: true }).selectOption("Android");
  await page.getByLabel("Device Type").selectOption("Smart Phone");
}

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const follow = (page: Page, name: string | RegExp) => page.getByRole("link", { name }).first().click();
const read = (page: Page, text: string) => page.getByText(text).first().waitFor();

// With JavaScript the forms are the same; tests/worker/moderation.test.ts sends what a script would.
test("without JavaScript, a reported seller is suspended, appeals, and publishes again", async () => {
  const someone = async (userType: "Buyer" | "Seller" | "Admin") => {
    const account = await addAccount(server.db, { userType, name: `Some ${userType}` });
    const storageState = await storageStateOf(server, account.email);
    const opened = await openPage(browser, server, { javaScriptEnabled: false, storageState });
    return { account, ...opened };
  };
  const [member, seller, moderator] = await Promise.all([
    someone("Buyer"),
    someone("Seller"),
    someone("Admin"),
  ]);
  const phone = await addPhone(server.db, { sellerId: seller.account.id, model: "Galaxy S99" });
  const name = `${phone.brandName} ${phone.model}`;

  await seller.page.goto("/addphone");
  await fillIn(seller.page);

  await member.page.goto(`/phones/${phone.id}`);
  await follow(member.page, /^Report/);
  await read(member.page, "Report this listing");
  await member.page.getByRole("radio").first().check();
  await member.page.getByLabel("Details").fill("The pictures are of another phone.");
  await press(member.page, "Send report");
  await expectToast(member.page, "Thanks! A moderator will look at it.");

  await moderator.page.goto("/manage/moderation");
  await follow(moderator.page, name);
  await read(moderator.page, "The pictures are of another phone.");
  await moderator.page.getByRole("radio", { name: /^Suspend/ }).check();
  await press(moderator.page, "Save decision");
  await moderator.page.getByRole("alert").first().waitFor();
  await moderator.page.getByRole("textbox", { name: "Reason" }).fill("The pictures are not of your phone.");
  await press(moderator.page, "Save decision");
  await read(moderator.page, "Suspend the account for 7 days? The owner reads it at once.");
  await press(moderator.page, "Save decision");
  await expectToast(moderator.page, "The account is suspended. We’ll email the owner in 10 minutes.");

  // What was typed before stays.
  await press(seller.page, "Submit");
  await seller.page.getByRole("heading", { name: "Your account is suspended", level: 1 }).waitFor();
  await read(seller.page, "A larger pocket.");
  const tab = await seller.page.context().newPage();
  await tab.goto("/manage/mysells");
  await read(tab, "Your account is suspended until");
  await follow(tab, "See why, and what you can do");
  await read(tab, "The pictures are not of your phone.");
  await tab.getByLabel("Your appeal").fill("They are: it is a special edition.");
  await press(tab, "Send appeal");
  await expectToast(tab, "Appeal sent");
  await read(tab, "A moderator will read it and let you know.");
  expect(await tab.getByLabel("Your appeal").count()).toBe(0);

  await moderator.page.goto("/manage/moderation?show=appealed");
  await follow(moderator.page, name);
  await read(moderator.page, "They are: it is a special edition.");
  await moderator.page.getByRole("radio", { name: "Reverse the decision" }).check();
  await press(moderator.page, "Save decision");
  await expectToast(moderator.page, "The decision is reversed. We’ll email the owner in 10 minutes.");

  await tab.reload();
  await read(tab, "This is no longer in effect.");
  await press(seller.page, "Submit again");
  await expectToast(seller.page, "Added Successfully");
  for (const { observed } of [member, seller, moderator]) {
    // Chromium reports the refused forms.
    const problems = observed.problems.filter((problem) => !/status of 40[03]/.test(problem));
    expect([...observed.externalRequests, ...problems]).toEqual([]);
  }
});

test.each([true, false])("a saved reply is inserted with JavaScript: %s", async (javaScriptEnabled) => {
  const [moderator, owner] = [
    await addAccount(server.db, { moderatorSince: new Date() }),
    await addAccount(server.db, { userType: "Seller", name: "Olga Owner" }),
  ];
  const { id } = await addPhone(server.db, { sellerId: owner.id, brandName: "Nokia", model: "G22" });
  const title = `Blurred ${javaScriptEnabled}`;
  const text = "{name}, the photos of your {device} are blurred.";
  await server.db.insert(savedReplies).values({ title, text, changedAt: new Date() });
  const storageState = await storageStateOf(server, moderator.email);
  const { page } = await openPage(browser, server, { javaScriptEnabled, storageState });
  const [reason, warn] = [
    page.getByRole("textbox", { name: "Reason" }),
    page.getByRole("radio", { name: /^Warn/ }),
  ];
  // As in Chrome 111.
  await page.addInitScript(() => {
    window.FormData = class extends FormData {
      constructor(form?: HTMLFormElement) {
        super(form);
      }
    };
  });
  await goTo(page, `/manage/moderation/listing/${id}`, javaScriptEnabled);
  await warn.check();
  await reason.fill("Hello.");
  await press(page, "Insert");
  await read(page, "Choose a saved reply first.");
  await page.getByLabel("Saved reply").selectOption({ label: title });
  let release = () => {};
  if (javaScriptEnabled) {
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/*", async (route) => {
      if (route.request().method() === "POST") await released;
      await route.fallback();
    });
  }
  await press(page, "Insert");
  // What is typed while the reply is fetched would be lost.
  if (javaScriptEnabled) await expect.poll(() => reason.isEditable()).toBe(false);
  release();
  await expect
    .poll(() => reason.inputValue())
    .toBe("Hello.\n\nOlga Owner, the photos of your Nokia G22 are blurred.");
  await expect.poll(() => reason.isEditable()).toBe(true);
  expect(await warn.isChecked()).toBe(true);
  await press(page, "Save decision");
  await expectToast(page, "The owner is warned. We’ll email the owner in 10 minutes.");
});
