import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { savedListings, sessions } from "#app/db/schema.ts";
import { saveListing } from "#app/features/saved-listings/saved-listings.server.ts";
import { describeBothWays, openPage, startWithBrowser, storageStateOf } from "../harness/browser.ts";
import {
  eventually,
  expectToast,
  phoneCard,
  submitBooking,
  submitLogin,
  waitForHydration,
} from "../harness/page-objects.ts";
import { addSales } from "../harness/sales.ts";
import { addAccount, addPhone, password } from "../harness/server.ts";

const { server, browser } = await startWithBrowser();

describeBothWays((javaScriptEnabled) => {
  test("a buyer finds a phone, opens its seller and similar phones, and books it", async () => {
    const buyer = await addAccount(server.db);
    const brandName = javaScriptEnabled ? "Lively" : "Calm";
    const seller = await addAccount(server.db, { userType: "Seller", name: `${brandName} Seller` });
    for (let count = 0; count < 25; count += 1) {
      await addPhone(server.db, {
        ...{ sellerId: seller.id, brandName, model: `Number ${count}` },
        // Of the same price, the first listings of both tests would be too many to compare.
        sellingCents: javaScriptEnabled ? 34_900 : 35_900,
        batteryHealth: count === 24 ? 91 : null,
      });
    }
    const wanted = `${brandName} Number 24`;
    const { page, observed } = await openPage(browser, server, { javaScriptEnabled });
    const alive = () => (javaScriptEnabled ? waitForHydration(page) : undefined);
    await page.goto("/products");
    await alive();

    // The title's link covers the whole card but its buttons.
    const card = phoneCard(page, wanted);
    expect(await card.getByRole("link").allInnerTexts()).toEqual([wanted, "Details", "Buy Now"]);
    expect(await card.getByText(/GB/).textContent()).toBe(
      "·\u00A08\u00A0GB\u00A0RAM ·\u00A0256\u00A0GB ·\u00A0Battery\u00A091%",
    );
    const compare = card.getByRole("checkbox", { name: `Compare ${wanted}` });
    await compare.check();
    await compare.uncheck();
    await card.click({ position: { x: 20, y: 20 } });
    const title = page.getByRole("heading", { level: 1 });
    await eventually(() => title.innerText()).toBe(wanted);
    await page.goBack();
    await eventually(() => title.innerText()).toBe("All Products");
    // Forced, since the link lies above the space beside the buttons.
    await card.locator(".phone-card-actions").click({ position: { x: 4, y: 4 }, force: true });
    await eventually(() => title.innerText()).toBe(wanted);
    expect(await page.title()).toBe(`${wanted} · Ringback`);
    const term = page.getByRole("region", { name: "Specifications" }).getByText("Processor");
    expect(await term.locator("xpath=following-sibling::dd").innerText()).toBe("Qualcomm QCM6490");

    // The seller's page, its next pages, and another listing.
    await page.getByRole("link", { name: seller.name }).click();
    await eventually(() => title.innerText()).toBe(seller.name);
    await page.getByRole("link", { name: "Next" }).click();
    await eventually(() => page.getByRole("article").count()).toBe(1);
    await page.getByRole("link", { name: "Previous" }).click();
    await eventually(() => page.getByRole("article").count()).toBe(24);
    await page.getByRole("link", { name: `${brandName} Number 20` }).click();
    await eventually(() => title.innerText()).toBe(`${brandName} Number 20`);

    // From a similar phone back to the first; the whole tile is a link.
    const similar = page.getByRole("region", { name: "Similar devices" });
    expect(await similar.getByRole("article").count()).toBe(4);
    await similar.getByRole("article", { name: wanted }).click({ position: { x: 20, y: 60 } });
    await eventually(() => title.innerText()).toBe(wanted);
    const address = page.url();

    // Without a share sheet the link is copied, without JavaScript it goes into an email.
    if (javaScriptEnabled) {
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      await page.getByRole("button", { name: "Share" }).click();
      await page.getByRole("status").getByText("Link copied").waitFor();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(address);
      await page.evaluate(() => {
        navigator.share = async (data) => {
          document.body.dataset.shared = JSON.stringify(data);
        };
      });
      await page.getByRole("button", { name: "Share" }).click();
      await eventually(() => page.getByText("Link copied").count()).toBe(0);
      const shared = await page.evaluate(() => document.body.dataset.shared ?? "");
      expect(JSON.parse(shared)).toEqual({ title: wanted, url: address });
    } else {
      const mail = await page.getByRole("link", { name: "Share by email" }).getAttribute("href");
      const { searchParams } = new URL(mail ?? "");
      expect([searchParams.get("subject"), searchParams.get("body")]).toEqual([wanted, address]);
    }

    await page.getByRole("link", { name: "Buy Now" }).click();
    await page.waitForURL(/\/login/);
    await submitLogin(page, buyer.email, password);
    const dialog = page.getByRole("dialog", { name: wanted });
    await dialog.getByLabel("Address").fill("1 Quay Street");
    await dialog.getByLabel("Phone").fill("12345");
    await submitBooking(page);

    await page.goto(address);
    await page.getByText("You’ve booked this device.").waitFor();
    await page.context().clearCookies();
    await page.goto(address);
    await page.getByText("Another buyer got here first.").waitFor();
    expect(await page.getByRole("link", { name: "Buy Now" }).count()).toBe(0);
    await page.getByRole("link", { name: "See similar devices" }).click();
    await eventually(() =>
      similar.evaluate((region) => region.getBoundingClientRect().top < innerHeight),
    ).toBe(true);
    await page
      .getByRole("navigation", { name: "Breadcrumbs" })
      .getByRole("link", { name: "Android" })
      .click();
    await eventually(() => title.innerText()).toBe("Android Devices");
    expect(observed).toEqual({ problems: [], externalRequests: [] });
  });
});

test("a visitor compares the listings of a model without JavaScript", { tags: ["slow"] }, async () => {
  const device = { brandName: "Comparable", model: "One", ram: "8 GB" };
  const add = (values: Parameters<typeof addPhone>[1]) => addPhone(server.db, { ...device, ...values });
  const first = await add({ rom: "128 GB", sellingCents: 30_000 });
  await add({ rom: "256 GB", condition: "Good", sellingCents: 25_000 });
  await addSales(server.db, { ...device, rom: "64 GB" }, [20_000, 30_000, 40_000]);
  const { page, observed } = await openPage(browser, server, { javaScriptEnabled: false });
  await page.goto(`/phones/${first.id}`);
  await page.getByRole("link", { name: "See both Comparable One listings" }).click();
  const title = page.getByRole("heading", { level: 1 });
  await eventually(() => title.innerText()).toBe("Comparable One");
  expect(await page.getByRole("article").count()).toBe(2);
  const chart = page.getByRole("figure").filter({ hasText: "Usual price by month: " });
  expect(await chart.locator("rect").count()).toBe(1);
  const month = page
    .getByRole("table", { name: "last 12 months" })
    .getByRole("row")
    .filter({ hasText: "$300" });
  expect(await month.count()).toBe(0);
  await page.getByText("Show as a table").click();
  expect(await month.innerText()).toMatch(/3\s+\$300\s+\$200 to \$400/);

  await page.getByRole("link", { name: "$250, 256 GB, good condition" }).click();
  await page.getByText("8 GB RAM, 256 GB, good condition").first().waitFor();
  const breadcrumbs = page.getByRole("navigation", { name: "Breadcrumbs" });
  await breadcrumbs.getByRole("link", { name: "Comparable One" }).click();
  await page.getByRole("article", { name: "Comparable One" }).last().getByRole("link").click();
  await page.getByText("8 GB RAM, 128 GB").first().waitFor();
  expect(new URL(page.url()).pathname).toBe(`/phones/${first.id}`);
  expect(observed).toEqual({ problems: [], externalRequests: [] });
});

test("a member saves listings in place, sees them again, and a failure is undone and shown", {
  tags: ["slow"],
}, async () => {
  const member = await addAccount(server.db);
  const storageState = await storageStateOf(server, member.email);
  const { page, observed } = await openPage(browser, server, { storageState });
  const [first, second] = [
    await addPhone(server.db, { brandName: "Savable", model: "First" }),
    await addPhone(server.db, { brandName: "Savable", model: "Second" }),
  ];
  await saveListing(server.db, member, first.id);
  await page.goto("/products?q=savable");
  const heart = (name: string) => page.getByRole("button", { name: `Save ${name}` });
  const pressed = (name: string) => eventually(() => heart(name).getAttribute("aria-pressed"));
  await pressed("Savable First").toBe("true");
  await pressed("Savable Second").toBe("false");
  const box = await heart("Savable First").boundingBox();
  expect([box?.width, box?.height]).toEqual([44, 44]);
  const requests: string[] = [];
  page.on("request", (request) => requests.push(`${request.method()} ${new URL(request.url()).pathname}`));
  await heart("Savable Second").dblclick();
  await pressed("Savable Second").toBe("true");
  await eventually(() => savedBy(member.id)).toEqual([first.id, second.id]);
  expect(requests).toEqual(["POST /manage/saved/state"]);
  expect(new URL(page.url()).search).toBe("?q=savable");

  // In the dialog, and from there in the list behind.
  await phoneCard(page, "Savable First").getByRole("link", { name: "Details" }).click();
  const dialog = page.getByRole("dialog", { name: "Savable First" });
  await dialog.getByRole("button", { name: "Saved", exact: true }).click();
  await dialog.getByRole("button", { name: "Save", exact: true }).waitFor();
  await eventually(() => savedBy(member.id)).toEqual([second.id]);
  await page.keyboard.press("Escape");
  await pressed("Savable First").toBe("false");
  expect(observed.problems).toEqual([]);

  await page.route("**/manage/saved/state", (route) => route.abort());
  await heart("Savable First").click();
  const notice = page.getByRole("alert").filter({ hasText: "Ringback isn’t answering right now." });
  await notice.getByRole("button", { name: "Try again" }).click();
  await notice.getByRole("button", { name: "Stay here" }).click();
  await pressed("Savable First").toBe("false");
  await heart("Savable First").click();
  await notice.waitFor();
  await page.unroute("**/manage/saved/state");
  await notice.getByRole("button", { name: "Try again" }).click();
  await pressed("Savable First").toBe("true");
  await eventually(() => savedBy(member.id)).toEqual(expect.arrayContaining([first.id]));
  await heart("Savable First").click();
  await eventually(() => savedBy(member.id)).toEqual([second.id]);

  await page.goto("/manage/saved");
  await page
    .getByRole("region", { name: "Recently seen" })
    .getByRole("article", { name: "Savable First" })
    .waitFor();
  const row = page.getByRole("row").filter({ hasText: "Savable Second" });
  await row.getByRole("button", { name: "Remove" }).click();
  await page.getByText("Nothing saved yet").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await row.waitFor();
  await row.getByRole("button", { name: "Remove" }).click();
  await page.getByText("Nothing saved yet").waitFor();
  // The list asks again, also if it is opened in the same document.
  await page.getByRole("link", { name: "Browse devices" }).click();
  await pressed("Savable Second").toBe("false");
  await heart("Savable Second").click();
  await eventually(() => savedBy(member.id)).toEqual([second.id]);
  await page.getByRole("link", { name: "Manage" }).first().click();
  await page.getByRole("navigation", { name: "Manage" }).getByRole("link", { name: "My account" }).click();
  await page.getByRole("navigation", { name: "My account" }).getByRole("link", { name: "Emails" }).click();
  await page.getByText("Orders All on").click();
  await page.getByRole("button", { name: "Save choices" }).click();
  await expectToast(page, "Email choices saved");
  await page.getByRole("link", { name: "Home", exact: true }).first().click();
  await page.getByRole("link", { name: "Browse all devices" }).click();
  await pressed("Savable Second").toBe("true");
  await heart("Savable Second").click();
  await pressed("Savable Second").toBe("false");
  await eventually(() => savedBy(member.id)).toEqual([]);

  // The session ends in another browser.
  await server.db.delete(sessions).where(eq(sessions.userId, member.id));
  await heart("Savable Second").click();
  await page.waitForURL(/\/login/);
  await submitLogin(page, member.email, password);
  await page.getByRole("status").getByText("Saved. We’ll tell you").waitFor();
  expect(page.url()).toMatch(/\/products#phone-\d+$/);
  await pressed("Savable Second").toBe("true");
  await page.goto(`/phones/${second.id}`);
  await eventually(() => page.evaluate(() => JSON.stringify(localStorage))).toContain(second.id);
  await page.goto("/");
  const seen = page.getByRole("region", { name: "Recently seen" });
  await eventually(() => seen.getByRole("article").getByRole("heading").allInnerTexts()).toEqual([
    "Savable Second",
    "Savable First",
  ]);
  await page.getByRole("button", { name: "Log Out" }).first().click();
  await eventually(() => page.evaluate(() => localStorage.length)).toBe(0);
  await eventually(() => seen.count()).toBe(0);
});

test("without JavaScript a visitor saves from the list through the login, and a member in the list", {
  tags: ["slow"],
}, async () => {
  const member = await addAccount(server.db);
  const phone = await addPhone(server.db, { brandName: "Quiet", model: "One" });
  const { page, observed } = await openPage(browser, server, { javaScriptEnabled: false });
  await page.goto("/products?q=quiet");
  const heart = page.getByRole("button", { name: "Save Quiet One" });
  await heart.click();
  await submitLogin(page, member.email, password);
  await page.getByText(`${member.email} account created. Saved. We’ll tell you`).waitFor();
  expect(new URL(page.url()).search + new URL(page.url()).hash).toBe("?q=quiet#phone-1");
  expect(await savedBy(member.id)).toEqual([phone.id]);
  await heart.click();
  await page.getByText("You’ve saved this device.").waitFor();
  expect(new URL(page.url()).search + new URL(page.url()).hash).toBe("?q=quiet#phone-1");
  await page.getByRole("button", { name: "Remove" }).click();
  await page.getByText("No longer saved").waitFor();
  expect(await savedBy(member.id)).toEqual([]);
  await heart.click();
  await page.getByText("Saved. We’ll tell you").waitFor();
  await page.getByRole("link", { name: "View saved" }).click();
  await page.getByRole("link", { name: "Quiet One" }).waitFor();
  expect(observed).toEqual({ problems: [], externalRequests: [] });
});

async function savedBy(userId: string): Promise<string[]> {
  const rows = await server.db
    .select()
    .from(savedListings)
    .where(eq(savedListings.userId, userId))
    .orderBy(savedListings.id);
  return rows.map(({ phoneId }) => phoneId);
}
