import type { Locator, Page, Route } from "playwright-core";
import { expect, test } from "vitest";
import { describeBothWays, openPage, startWithBrowser, storageStateOf } from "../harness/browser.ts";
import {
  boxOf,
  cardNames,
  cellTexts,
  expectFieldError,
  expectToast,
  goTo,
  phoneCard,
} from "../harness/page-objects.ts";
import { addAccount, addPhone, visitor } from "../harness/server.ts";

/** The form's fields in the specified order, with valid values. */
const listing = [
  { label: "Brand Name", name: "brandName", value: "Fairphone" },
  { label: "Model", name: "model", value: "4" },
  { label: "Ram", name: "ram", value: "6 GB" },
  { label: "Rom", name: "rom", value: "128 GB" },
  { label: "Camera Detail", name: "camera", value: "48 MP & 48 MP" },
  { label: "Processor", name: "processor", value: "Snapdragon 750G" },
  { label: "Os", name: "os", value: "Android" },
  { label: "Device Type", name: "deviceType", value: "Smart Phone" },
  { label: "Image Link", name: "image", value: "https://pictures.example/gone.jpg" },
  { label: "Battery", name: "battery", value: "3905 mAh" },
  { label: "Seller Name", name: "sellerName", fixed: true },
  { label: "Seller Email", name: "sellerEmail", fixed: true },
  { label: "Selling Reason", name: "sellingReason", value: "A larger pocket.\nNothing else." },
  { label: "Market Price", name: "marketPrice", value: "579" },
  { label: "Selling Price", name: "sellingPrice", value: "349.50" },
  { label: "Post Date", name: "postDate", value: "2024-05-17" },
  { label: "Used Time", name: "usedTime", value: "18" },
] as const;
const written = listing.filter((field) => "value" in field);

const { server, browser } = await startWithBrowser();

describeBothWays((javaScriptEnabled, way) => {
  const open = () => openPage(browser, server, { javaScriptEnabled });

  async function openAsSeller() {
    const seller = await addAccount(server.db, { userType: "Seller" });
    const storageState = await storageStateOf(server, seller.email);
    return { seller, ...(await openPage(browser, server, { javaScriptEnabled, storageState })) };
  }

  test("a seller signs up, publishes a phone, deletes it, and undoes the deletion", async () => {
    const email = `sella.${javaScriptEnabled ? "script" : "plain"}@example.com`;
    const { page, observed } = await open();
    await page.route("https://pictures.example/**", notFound);
    const main = page.getByRole("navigation", { name: "Main" });
    await goTo(page, "/sellersignup", javaScriptEnabled);
    await page.getByRole("heading", { name: "Sign Up" }).waitFor();
    const userType = page.getByLabel("User Type");
    expect(await userType.inputValue()).toBe("Seller");
    expect(await userType.isEditable()).toBe(false);
    await page.getByLabel("Name").fill("Sella Mair");
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill("phone4me");
    await page.getByRole("button", { name: "Sign Up" }).click();
    await expectToast(page, `${email} account created`);

    await main.getByRole("link", { name: "Manage" }).click();
    await page.getByRole("navigation", { name: "Manage" }).getByRole("link", { name: "My Sells" }).click();
    await page.getByText("Nothing for sale yet").waitFor();
    await page.getByRole("link", { name: "Add a phone" }).click();
    await page.getByRole("heading", { name: "You Phone Detail", level: 1 }).waitFor();
    expect(await page.title()).toContain("You Phone Detail");
    const today = await page.getByLabel("Post Date").inputValue();
    expect(today).toMatch(/^\d{4}-\d\d-\d\d$/);
    await fillIn(page);
    await page.getByLabel("Model").fill(`<Mint> ${way}`);
    await page.getByRole("button", { name: "Submit" }).click();
    await expectToast(page, "Added Successfully");
    await expect.poll(() => page.getByLabel("Brand Name").inputValue()).toBe("");
    for (const { label, name } of written) {
      const left = await page.getByLabel(label, { exact: true }).inputValue();
      expect(left, label).toBe(name === "postDate" ? today : "");
    }
    expect(await page.getByLabel("Seller Email").inputValue()).toBe(email);

    const name = `Fairphone <Mint> ${way}`;
    await main.getByText("Products", { exact: true }).click();
    await main.getByRole("link", { name: "Android", exact: true }).click();
    const card = page.getByRole("article").first();
    await card.getByRole("heading", { name, exact: true }).waitFor();
    expect(await card.textContent()).toContain("$349.50");
    await card.getByRole("link", { name: "Details" }).click();
    const dialog = page.getByRole("dialog", { name });
    await dialog.getByRole("definition").first().waitFor();
    const facts = await dialog.getByRole("definition").allTextContents();
    expect(facts).toEqual([
      ...["128 GB", "6 GB", "Snapdragon 750G", "48 MP & 48 MP", "3905 mAh"],
      ...["Android", "Smart Phone", "18 months", "May 17, 2024"],
    ]);
    expect(await dialog.textContent()).toContain("Sella Mair");
    await dialog.getByRole("link", { name: "Close" }).click();
    await dialog.waitFor({ state: "detached" });

    await main.getByRole("link", { name: "Manage" }).click();
    await page.getByRole("navigation", { name: "Manage" }).getByRole("link", { name: "My Sells" }).click();
    await page.getByRole("heading", { name: "My Sellings", level: 1 }).waitFor();
    const columns = await page.getByRole("columnheader").allInnerTexts();
    expect(columns.slice(1)).toEqual(["Name", "Device Name", "Storage", "Price", "Action"]);
    const row = page.getByRole("row").filter({ hasText: name });
    const shown = [
      "1",
      "Sella Mair",
      name,
      "6 GB 128 GB",
      "349.50$",
      "Edit\nPhotos\nDelete\nPause\nSold elsewhere\nSell similar",
    ];
    expect(await cellTexts(row)).toEqual(shown);

    await row.getByRole("button", { name: "Delete" }).click();
    await expectToast(page, "Post Deleted");
    await page.getByText("Nothing for sale yet").waitFor();
    expect(await row.count()).toBe(0);
    await page.getByRole("status").getByRole("button", { name: "Undo" }).click();
    await expectToast(page, "Post Restored");
    await row.waitFor();
    expect(await cellTexts(row)).toEqual(shown);
    expect(await page.getByRole("button", { name: "Undo" }).count()).toBe(0);
    await goTo(page, "/android", javaScriptEnabled);
    expect((await cardNames(page))[0]).toBe(name);

    await goTo(page, "/manage/mysells", javaScriptEnabled);
    await row.getByRole("button", { name: "Delete" }).click();
    await expectToast(page, "Post Deleted");
    await goTo(page, "/android", javaScriptEnabled);
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(await cardNames(page)).not.toContain(name);
    // Sellers' images are the only external requests; Chromium reports that they do not load.
    const unexpected = [...observed.externalRequests, ...observed.problems];
    expect(unexpected.filter((line) => !line.includes("https://pictures.example/"))).toEqual([]);
  });

  test("the form has the specified fields, and the seller's name and email are disabled", async () => {
    const { page, seller } = await openAsSeller();
    await goTo(page, "/addphone", javaScriptEnabled);
    const fields = await page
      .getByRole("main")
      .locator("form")
      .evaluate((form: HTMLFormElement) =>
        [...form.elements]
          .filter((element) => element.matches("input:not([type=hidden], [type=file]), select, textarea"))
          // Below those specified there are optional ones.
          .filter((element) => !element.closest("details"))
          .map((element) => {
            const { labels, name, disabled } = element as HTMLInputElement;
            return { label: labels?.[0]?.textContent, name, disabled };
          }),
      );
    expect(fields).toEqual(
      listing.map(({ label, name, ...rest }) => ({ label, name, disabled: "fixed" in rest })),
    );
    expect(await page.getByLabel("Seller Name").inputValue()).toBe(seller.name);
    expect(await page.getByLabel("Seller Email").inputValue()).toBe(seller.email);
    const choices = async (label: string) =>
      page.getByLabel(label, { exact: true }).getByRole("option").allTextContents();
    expect(await choices("Os")).toEqual(["Choose…", "Android", "Ios"]);
    expect(await choices("Device Type")).toEqual(["Choose…", "Smart Phone", "Tablet"]);
  });

  test("an empty form shows an error at each required field", async () => {
    const { page } = await openAsSeller();
    await goTo(page, "/addphone", javaScriptEnabled);
    await page.getByLabel("Post Date").fill("");
    await page.getByRole("button", { name: "Submit" }).click();
    const labels = written.map(({ label }) => label).filter((label) => label !== "Image Link");
    for (const label of labels) {
      await expectFieldError(page.getByLabel(label, { exact: true }), `${label} is required`);
    }
    const noPhoto = "Add a photo, or the link of a picture";
    await expectFieldError(page.getByLabel("Choose photos"), noPhoto);
    const summary = page.getByRole("alert");
    expect(await summary.textContent()).toContain(`Fix ${labels.length + 1} fields:`);
    expect(await summary.getByRole("listitem").allTextContents()).toEqual(["Add a photo", ...labels]);
  });

  test("invalid values show errors, all input is kept, and corrected values are accepted", async () => {
    const { page, observed } = await openAsSeller();
    await goTo(page, "/addphone", javaScriptEnabled);
    const bad = {
      "Image Link": {
        value: "javascript:alert(1)",
        message: "Image Link must be a public address that starts with https",
      },
      "Market Price": {
        value: "579.999",
        message: "Market Price must be a number of dollars, like 349 or 349.50",
      },
      "Selling Price": {
        value: "-349",
        message: "Selling Price must be a number of dollars, like 349 or 349.50",
      },
      "Post Date": { value: "2999-01-01", message: "Post Date can’t be in the future" },
    };
    await fillIn(page);
    for (const [label, { value }] of Object.entries(bad)) await page.getByLabel(label).fill(value);
    await page.getByRole("button", { name: "Submit" }).click();
    for (const [label, { message }] of Object.entries(bad)) {
      await expectFieldError(page.getByLabel(label), message);
    }
    for (const { label, value } of written) {
      const field = page.getByLabel(label, { exact: true });
      const faulty = Object.entries(bad).find(([badLabel]) => badLabel === label)?.[1];
      expect(await field.inputValue(), label).toBe(faulty?.value ?? value);
      if (!faulty) expect(await field.getAttribute("aria-invalid"), label).toBe(null);
    }
    const alert = page.getByRole("alert");
    expect(await page.getByText("There’s no picture at this link.").count()).toBe(0);
    expect(await alert.textContent()).toBe("Fix 4 fields:Image LinkMarket PriceSelling PricePost Date");

    const good = {
      "Image Link": "https://pictures.example/gone.jpg",
      "Market Price": "579.99",
      "Selling Price": "349",
      "Post Date": "2024-05-17",
    };
    await page.route("https://pictures.example/**", notFound);
    for (const [label, value] of Object.entries(good)) await page.getByLabel(label).fill(value);
    if (javaScriptEnabled) {
      await page.setViewportSize({ width: 390, height: 640 });
      const link = page.getByLabel("Image Link");
      await link.focus();
      await link.evaluate((field) => field.scrollIntoView({ block: "end" }));
      await link.fill("https://pictures.example/lost.jpg");
      const warning = page.getByText("There’s no picture at this link.");
      await warning.waitFor();
      const button = page.getByRole("button", { name: "Submit" });
      expect((await boxOf(warning)).bottom).toBeLessThanOrEqual((await boxOf(button)).top);
      await page.setViewportSize({ width: 1280, height: 720 });
    }
    await page.getByRole("button", { name: "Submit" }).click();
    await expectToast(page, "Added Successfully");
    await goTo(page, "/manage/mysells", javaScriptEnabled);
    const row = page.getByRole("row").filter({ hasText: "Fairphone" });
    expect((await cellTexts(row))[4]).toBe("349$");
    const unexpected = observed.problems.filter(
      (complaint) => !complaint.includes("status of 400 ") && !complaint.includes("//pictures.example/"),
    );
    expect(unexpected).toEqual([]);
  });

  test("a draft is saved with invalid values, right after they are typed", async () => {
    const { page } = await openAsSeller();
    await page.setViewportSize({ width: 1280, height: 3000 });
    await goTo(page, "/addphone", javaScriptEnabled);
    await page.getByLabel("Model").fill("4");
    await page.getByLabel("Used Time").fill("18");
    await page.getByLabel("Selling Price").fill("a lot");
    await page.getByRole("button", { name: "Save as draft" }).click();
    await expectToast(page, "Draft saved");
  });

  test("a broken image is replaced by a drawing", { tags: ["slow"] }, async () => {
    const at = (file: string) => `https://pictures.example/${file}`;
    const models = { gone: `gone ${way}`, like: `like the drawing ${way}`, unlike: `unlike it ${way}` };
    await addPhone(server.db, { model: models.gone, image: at("broken.jpg") });
    await addPhone(server.db, { model: models.like, image: at("green.svg") });
    await addPhone(server.db, { model: models.unlike, image: at("blue.svg") });
    const { page } = await open();
    const referrers: (string | undefined)[] = [];
    await page.route(at("**"), async (route) => {
      referrers.push((await route.request().allHeaders()).referer);
      const color = /(green|blue)\.svg$/.exec(route.request().url())?.[1];
      return color ? route.fulfill(plainPicture(color)) : notFound(route);
    });
    // A plain color replaces the drawing, because pixels are compared.
    await page.route("/devices/phone.svg", (route) => route.fulfill(plainPicture("green")));
    const drawing = page.waitForResponse("/devices/phone.svg");
    await goTo(page, "/products", javaScriptEnabled);
    await drawing;

    const look = async (model: string) => {
      const picture = phoneCard(page, `Fairphone ${model}`).locator("img").first();
      await picture.evaluate(settle);
      return lookOf(picture);
    };
    const looksLike = async (model: string) => (await look(model)).equals(await look(models.like));
    await expect.poll(() => looksLike(models.gone)).toBe(true);
    expect(await looksLike(models.unlike)).toBe(false);
    expect([...new Set(referrers)]).toEqual([undefined]);
    // A style labels drawings, in place of broken images too.
    await addPhone(server.db, { model: `drawn ${way}` });
    await goTo(page, "/products", javaScriptEnabled);
    const labelOf = (model: string, part: string) =>
      phoneCard(page, `Fairphone ${model}`)
        .locator(part)
        .evaluate((element) => getComputedStyle(element, "::after").content);
    expect(await labelOf(`drawn ${way}`, ":has(> .phone-drawing)")).toBe('"Illustration"');
    expect(await labelOf(models.gone, ".photo-frame > img")).toBe('"Illustration"');
    expect(await phoneCard(page, `Fairphone ${models.gone}`).locator(":has(> .phone-drawing)").count()).toBe(
      0,
    );
  });

  test("the submit button stays in view and covers no focused field", { tags: ["slow"] }, async () => {
    const { page, seller } = await openAsSeller();
    const { id } = await addPhone(server.db, { sellerId: seller.id });
    for (const [path, name] of [
      ["/addphone", "Submit"],
      [`/manage/mysells/${id}/edit`, "Save changes"],
    ] as const) {
      for (const size of [
        { width: 390, height: 844 },
        { width: 1280, height: 800 },
      ]) {
        await page.setViewportSize(size);
        await goTo(page, path, javaScriptEnabled);
        const button = page.getByRole("button", { name, exact: true });
        expect((await boxOf(button)).bottom).toBeLessThanOrEqual(size.height);
        const covered = await page.evaluate(() => {
          const fields = document.querySelectorAll<HTMLElement>(
            "main form :is(input, select, textarea):enabled",
          );
          return [...fields].flatMap((field) => {
            if (!field.checkVisibility()) return [];
            field.focus();
            const { left, right, top: upper, bottom } = field.getBoundingClientRect();
            // Browsers scroll to the caret, so of a text area to its first line.
            const y = field.matches("textarea") ? upper + 12 : bottom - 2;
            const top = document.elementFromPoint((left + right) / 2, y);
            return field === top || field.contains(top) || top?.closest("label") ? [] : [field.outerHTML];
          });
        });
        expect(covered).toEqual([]);
      }
    }
  });

  test("on a tablet, what a seller can do with a listing is on one line", async () => {
    const { page, seller } = await openAsSeller();
    await addPhone(server.db, { sellerId: seller.id, brandName: "Fairphone", model: "in a row" });
    for (const width of [768, 1024]) {
      await page.setViewportSize({ width, height: 1024 });
      await goTo(page, "/manage/mysells", javaScriptEnabled);
      const row = page.getByRole("row").filter({ hasText: "Fairphone in a row" });
      const controls = [
        row.getByRole("link", { name: "Edit" }),
        row.getByRole("link", { name: "Photos" }),
        row.getByRole("button", { name: "Delete" }),
      ];
      const boxes = await Promise.all(controls.map(boxOf));
      const lowestTop = Math.max(...boxes.map(({ top }) => top));
      expect(Math.min(...boxes.map(({ bottom }) => bottom)), `${width} px`).toBeGreaterThan(lowestTop);
    }
  });

  test("a reserved phone cannot be deleted, and other sellers' phones are not listed", {
    tags: ["slow"],
  }, async () => {
    const { page, seller } = await openAsSeller();
    const stranger = await addPhone(server.db, { model: "of somebody else" });
    const mine = { sellerId: seller.id, brandName: "Fairphone" };
    const early = await addPhone(server.db, { ...mine, model: "promised" });
    const late = await addPhone(server.db, { ...mine, model: "just promised" });
    const buyer = visitor(server);
    await buyer.signIn((await addAccount(server.db)).email);
    const book = ({ id }: { id: string }) => buyer.post(`/products/${id}/book`, { address: "", phone: "" });
    await book(early);

    await goTo(page, "/manage/mysells", javaScriptEnabled);
    const rows = page.getByRole("table").getByRole("row");
    const earlyRow = rows.filter({ hasText: "Fairphone promised" });
    const lateRow = rows.filter({ hasText: "Fairphone just promised" });
    expect(await cellTexts(earlyRow)).toEqual([
      "2",
      seller.name,
      "Fairphone promised\n\nReserved\n\nBuyer: No finished orders in the last year",
      "8 GB 256 GB",
      "349.50$",
      "Edit\nPhotos\nView order\nSell similar",
    ]);
    expect(await earlyRow.getByRole("button", { name: "Delete" }).count()).toBe(0);
    expect(await rows.filter({ hasText: stranger.model }).count()).toBe(0);

    await book(late);
    await lateRow.getByRole("button", { name: "Delete" }).click();
    await page
      .getByRole("alert")
      .getByText("This device is reserved, so you can’t delete it.", { exact: true })
      .waitFor();
    await lateRow.getByText("Reserved", { exact: true }).filter({ visible: true }).waitFor();
    expect(await lateRow.getByRole("button", { name: "Delete" }).count()).toBe(0);
    expect(await page.getByRole("button", { name: "Undo" }).count()).toBe(0);
  });
});

async function fillIn(page: Page) {
  for (const { label, value } of written) {
    const field = page.getByLabel(label, { exact: true });
    if (label === "Os" || label === "Device Type") await field.selectOption(value);
    else await field.fill(value);
  }
}

function notFound(route: Route) {
  return route.fulfill({ status: 404, contentType: "text/plain", body: "Gone." });
}

/** An image of one color with the aspect ratio of our drawings. */
function plainPicture(color: string) {
  const body = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="360"><rect width="400" height="360" fill="${color}"/></svg>`;
  return { contentType: "image/svg+xml", body };
}

/** Loads a picture, which may be broken. */
async function settle(image: HTMLImageElement): Promise<void> {
  image.scrollIntoView({ block: "center" });
  await image.decode().catch(() => {});
}

/** The pixels in the middle of an element. */
async function lookOf(element: Locator): Promise<Buffer> {
  const box = await element.boundingBox();
  if (!box) throw new Error("It is not to be seen.");
  const [x, y] = [Math.round(box.x + box.width / 2) - 10, Math.round(box.y + box.height / 2) - 10];
  const clip = { x, y, width: 20, height: 20 };
  return element.page().screenshot({ clip, animations: "disabled" });
}
