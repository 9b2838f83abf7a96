import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, expect, test } from "vitest";
import { phones, photos } from "#app/db/schema.ts";
import { describeBothWays, openPage, startWithBrowser, storageStateOf } from "../harness/browser.ts";
import { decompressionBomb, photoWithLocation, picture } from "../harness/images.ts";
import { eventually, expectToast, phoneCard, waitForHydration } from "../harness/page-objects.ts";
import { addAccount, addPhone, visitor } from "../harness/server.ts";

const { server, browser } = await startWithBrowser();

const listing = {
  ...{ brandName: "Fairphone", model: "4", ram: "6 GB", rom: "128 GB", camera: "48 MP", processor: "750G" },
  ...{ os: "Android", deviceType: "Smart Phone", image: "https://pictures.example/x.jpg", battery: "1 Ah" },
  ...{
    sellingReason: "None.",
    marketPrice: "579",
    sellingPrice: "349",
    postDate: "2024-05-17",
    usedTime: "1",
  },
};

const refusals: Record<string, string> = {
  "page.jpg": "This isn’t a JPEG, PNG or WebP picture.",
  "bomb.png": "This picture has more than 50 megapixels, or a side longer than 12,000 pixels.",
  // No browser that tests run in can decode it.
  "phone.heic": "If it’s another kind of photo, such as HEIC, save it as a JPEG or add a screenshot of it.",
};

const file = (name: string, buffer: Buffer) => ({ name, mimeType: "image/jpeg", buffer });

const folder = await mkdtemp(join(tmpdir(), "ringback-photos-"));
afterAll(() => rm(folder, { recursive: true }));

/** Writes a photo that takes more than 8 MB in the best quality, since large files reach the browser by their path. */
async function noise(name: string, quality: number): Promise<{ path: string; size: number }> {
  const path = join(folder, name);
  const gray = { mean: 128, sigma: 40, type: "gaussian" } as const;
  const { size } = await sharp({
    create: { width: 4200, height: 3000, channels: 3, background: "#888888", noise: gray },
  })
    .jpeg({ quality })
    .withMetadata({ orientation: 6 })
    .toFile(path);
  return { path, size };
}

const tooLarge = file("large.jpg", Buffer.concat([await picture(), Buffer.alloc(8 * 1024 * 1024)]));

describeBothWays((javaScriptEnabled) => {
  test("a seller adds photos to a new phone, reorders them, and removes one", async () => {
    const seller = await addAccount(server.db, { userType: "Seller" });
    const person = visitor(server);
    await person.signIn(seller.email);
    await person.get("/");
    const storageState = await storageStateOf(server, seller.email);
    const { page, observed } = await openPage(browser, server, { javaScriptEnabled, storageState });
    await page.route("https://pictures.example/**", (route) => route.fulfill({ status: 404, body: "" }));
    const alive = () => (javaScriptEnabled ? waitForHydration(page) : undefined);

    await page.goto("/addphone");
    await alive();
    for (const [name, value] of Object.entries(listing)) {
      const field = page.locator(`[name=${name}]`);
      if (name === "os" || name === "deviceType") await field.selectOption(value);
      else await field.fill(value);
    }
    await page.getByRole("button", { name: "Submit" }).click();
    await expectToast(page, "Added Successfully");
    expect(new URL(page.url()).pathname).toBe("/addphone");
    await page.getByRole("main").getByRole("link", { name: "Add photos" }).click();
    await page.getByRole("heading", { name: "Photos of Fairphone 4", level: 1 }).waitFor();
    await page.getByText("No photos yet").waitFor();
    await alive();
    const chooser = page.getByLabel("Choose photos");
    expect(await chooser.getAttribute("accept")).toBe(
      javaScriptEnabled ? "image/*" : "image/jpeg,image/png,image/webp",
    );
    const limits = javaScriptEnabled ? "any other photo that your browser can open" : "up to 8 MB each";
    expect(await page.getByText(limits).isVisible()).toBe(true);
    const add = page.getByRole("button", { name: "Add photos" });

    await chooser.setInputFiles([
      file("home.jpg", await photoWithLocation()),
      file("page.jpg", Buffer.from("<script>alert(1)</script>")),
      file("green.png", await picture("png", { width: 300, height: 300, background: "#00ff00" })),
      file("bomb.png", decompressionBomb()),
      file("phone.heic", Buffer.from(`\0\0\0\x18ftypheic\0\0\0\0mif1heic${"\0".repeat(200)}`, "latin1")),
      ...(javaScriptEnabled ? [] : [tooLarge]),
      file("blue.webp", await picture("webp", { width: 300, height: 300, background: "#0000ff" })),
    ]);
    if (javaScriptEnabled) {
      // Checked before the upload.
      const files = page.getByRole("list", { name: "Chosen files" }).getByRole("listitem");
      await eventually(() => files.filter({ hasText: "Ready to add" }).count()).toBe(3);
      expect(await files.filter({ hasText: "home.jpg" }).locator("canvas").isVisible()).toBe(true);
      expect(await server.db.$count(photos)).toBe(0);
    }
    await add.click();
    const shown = page.getByRole("list", { name: "Photos" }).getByRole("listitem");
    await eventually(() => shown.count()).toBe(3);
    const alert = page.getByRole("alert").filter({ hasText: "page.jpg" });
    for (const [name, message] of Object.entries(refusals)) {
      expect(await alert.textContent()).toMatch(new RegExp(`${name}: [^:]*${message}`));
    }
    if (!javaScriptEnabled)
      expect(await alert.textContent()).toContain("large.jpg: This file is larger than 8 MB.");
    await page.getByText("3 photos added.").waitFor();
    const first = shown.first().getByRole("img", { name: "Photo 1 of Fairphone 4" });
    await eventually(() => first.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(480);
    await eventually(() => colors(page)).toEqual(["red", "green", "blue"]);
    expect(await shown.first().getByText("Cover photo").isVisible()).toBe(true);

    await alive();
    await shown.nth(2).getByRole("button", { name: "Move earlier" }).click();
    await expectToast(page, "Photo moved to position 2 of 3");
    await eventually(() => colors(page)).toEqual(["red", "blue", "green"]);
    await alive();
    await shown.nth(0).getByRole("button", { name: "Move later" }).click();
    await expectToast(page, "Photo moved to position 2 of 3");
    await eventually(() => colors(page)).toEqual(["blue", "red", "green"]);
    expect(await shown.first().getByRole("button", { name: "Move earlier" }).count()).toBe(0);
    expect(await shown.last().getByRole("button", { name: "Move later" }).count()).toBe(0);
    await alive();
    // By keyboard, which keeps the focus.
    await shown.nth(1).getByRole("button", { name: "Remove" }).focus();
    await page.keyboard.press("Enter");
    await expectToast(page, "Photo removed");
    await eventually(() => colors(page)).toEqual(["blue", "green"]);
    const focused = () => page.evaluate(() => document.activeElement?.closest("main ol") !== null);
    if (javaScriptEnabled) await eventually(focused).toBe(true);

    await page.goto("/manage/mysells");
    await alive();
    await page.getByRole("main").getByRole("link", { name: "Photos", exact: true }).click();
    await page.getByRole("heading", { name: "Photos of Fairphone 4" }).waitFor();
    await page.goto("/android");
    const card = phoneCard(page, "Fairphone 4").first();
    expect(await card.locator("img").getAttribute("src")).toMatch(/^\/photos\/[\w-]{43}\/card$/);

    // Thumbnails link to each photo in a row that also scrolls.
    await card.click({ position: { x: 20, y: 20 } });
    await page.getByRole("heading", { name: "Fairphone 4", level: 1 }).waitFor();
    await alive();
    const gallery = page.getByRole("region", { name: "Photos" });
    // Before the stylesheet applies, the photos stand one below the other.
    await page.waitForLoadState("load");
    await gallery.getByText("2 photos of this device").waitFor();
    const large = gallery.getByRole("img", { name: "Fairphone 4, photo 2 of 2" });
    const left = () => large.evaluate((image) => image.getBoundingClientRect().left);
    const start = await gallery.evaluate((region) => region.getBoundingClientRect().left);
    expect(await left()).toBeGreaterThan(start + 100);
    await gallery.getByRole("link", { name: "Show photo 2" }).click();
    await eventually(async () => Math.round((await left()) - start)).toBe(0);

    // A photo opens them all on the whole screen, which Back closes.
    const screen = page.getByRole("dialog", { name: "Photos" });
    const inSight = () =>
      screen
        .getByRole("img")
        .evaluateAll((images) =>
          images
            .filter((image) => image.checkVisibility() && Math.abs(image.getBoundingClientRect().left) < 1)
            .map((image) => image.getAttribute("alt")),
        );
    await large.click();
    await screen.waitFor();
    await eventually(inSight).toEqual(["Fairphone 4, photo 2 of 2"]);
    await screen.getByRole("link", { name: "Previous" }).click();
    await eventually(inSight).toEqual(["Fairphone 4, photo 1 of 2"]);
    const fragment = () => new URL(page.url()).hash;
    await eventually(async () => fragment()).toBe("#view-1");
    if (javaScriptEnabled) {
      // The focus is on the control of the shown picture.
      const control = () => page.evaluate(() => document.activeElement?.getAttribute("aria-describedby"));
      expect(await control()).toBe("count-1");
      expect(await screen.locator("#count-1").innerText()).toBe("1 of 2");
      await page.keyboard.press("ArrowRight");
      await eventually(inSight).toEqual(["Fairphone 4, photo 2 of 2"]);
      await eventually(async () => fragment()).toBe("#view-2");
      expect(await control()).toBe("count-2");
      const photo = screen.getByRole("img", { name: "photo 2 of 2" });
      const width = () => photo.evaluate((image) => image.getBoundingClientRect().width / innerWidth);
      await photo.click();
      await eventually(width).toBe(2);
      await screen.getByRole("button", { name: "photo 2 of 2 Zoom", pressed: true }).press(" ");
      await eventually(width).toBe(1);
      // Back to the list, which cannot be loaded.
      await page.context().setOffline(true);
      await page.evaluate(() => history.go(-2));
      await screen.getByRole("alert").getByRole("button", { name: "Stay here" }).click();
      await page.context().setOffline(false);
      await eventually(async () => new URL(page.url()).pathname).toMatch(/^\/phones\/[^/]+\/photos$/);
      await eventually(inSight).toEqual(["Fairphone 4, photo 2 of 2"]);
      await page.keyboard.press("Escape");
      await screen.waitFor({ state: "hidden" });
      expect(new URL(page.url()).pathname).not.toMatch(/photos/);
      await large.click();
      await screen.waitFor();
      await page.goBack();
    } else await screen.getByRole("link", { name: "Close" }).click();
    await screen.waitFor({ state: "hidden" });
    await page.getByRole("heading", { name: "Fairphone 4", level: 1 }).waitFor();
    if (javaScriptEnabled) await gallery.locator("a[aria-current=true][href$=photo-2]").waitFor();
    const unexpected = [...observed.externalRequests, ...observed.problems].filter(
      (line) =>
        !line.includes("https://pictures.example/") && !/status of 400 |ERR_INTERNET_DISCONNECTED/.test(line),
    );
    expect(unexpected).toEqual([]);
    await server.db.delete(photos);
    await server.db.update(phones).set({ cover: null });
  });
});

describeBothWays((javaScriptEnabled) => {
  test("photos stay with a draft until it is published", async () => {
    const seller = await addAccount(server.db, { userType: "Seller" });
    const storageState = await storageStateOf(server, seller.email);
    const { page, observed } = await openPage(browser, server, { javaScriptEnabled, storageState });
    const alive = () => (javaScriptEnabled ? waitForHydration(page) : undefined);
    const shown = page.getByRole("list", { name: "Photos" }).getByRole("listitem");
    const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
    await page.goto("/addphone");
    await alive();
    await page.getByLabel("Model").fill("4");
    const files = ["#ff0000", "#00ff00", "#0000ff"].map(async (background) =>
      file(`${background}.png`, await picture("png", { width: 300, height: 300, background })),
    );
    await page.getByLabel("Choose photos").setInputFiles(await Promise.all(files));
    if (javaScriptEnabled) await page.getByText("3 photos added.").waitFor();
    else await press("Submit");
    await eventually(() => colors(page)).toEqual(["red", "green", "blue"]);

    await alive();
    await shown.nth(2).getByRole("button", { name: "Move earlier" }).click();
    await page.getByRole("status").getByText("Photo moved to position 2 of 3").waitFor();
    await eventually(() => colors(page)).toEqual(["red", "blue", "green"]);
    await alive();
    await shown.nth(0).getByRole("button", { name: "Remove" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("status").getByText("Photo removed").waitFor();
    await eventually(() => colors(page)).toEqual(["blue", "green"]);
    const focused = () => page.evaluate(() => document.activeElement?.closest("main ol") !== null);
    if (javaScriptEnabled) await eventually(focused).toBe(true);
    // Enter submits the form, and is no press on a photo's button.
    await alive();
    await page.getByLabel("Model").press("Enter");
    await page.getByText("Brand Name is required").waitFor();
    expect([await colors(page), await page.getByLabel("Model").inputValue()]).toEqual([
      ["blue", "green"],
      "4",
    ]);

    await alive();
    await press("Save as draft");
    await expectToast(page, "Draft saved");
    await page.getByRole("main").getByRole("link", { name: "Finish" }).click();
    await eventually(() => colors(page)).toEqual(["blue", "green"]);
    await alive();
    for (const [name, value] of Object.entries({ ...listing, image: "" })) {
      const field = page.locator(`[name=${name}]`);
      if (name === "os" || name === "deviceType") await field.selectOption(value);
      else await field.fill(value);
    }
    await press("Submit");
    await expectToast(page, "Added Successfully");
    const [published] = await server.db.select().from(phones).where(eq(phones.sellerId, seller.id));
    expect(await server.db.$count(photos, eq(photos.phoneId, published?.id ?? ""))).toBe(2);
    expect(await shown.count()).toBe(0);
    expect(observed.problems.filter((line) => !line.includes("status of 400 "))).toEqual([]);
  });
});

test("a draft is saved while its photos are uploaded, which can be repeated", async () => {
  const seller = await addAccount(server.db, { userType: "Seller" });
  const storageState = await storageStateOf(server, seller.email);
  const { page, observed } = await openPage(browser, server, { storageState });
  await page.goto("/addphone");
  await waitForHydration(page);
  let uploads = 0;
  let allow = () => {};
  const isAllowed = new Promise<void>((resolve) => {
    allow = resolve;
  });
  await page.route("**/addphone/photos/*", async (route) => {
    uploads += 1;
    await isAllowed;
    if (uploads > 1) return route.continue();
    const error = { "": ["You can’t add photos right now. Try again later."] };
    return route.fulfill({ status: 503, json: { result: { status: "error", error } } });
  });
  await page.getByLabel("Model").fill("Kept");
  await page.getByLabel("Choose photos").setInputFiles([file("front.jpg", await photoWithLocation())]);
  await page.getByRole("progressbar", { name: "Uploading front.jpg" }).waitFor();
  await page.getByRole("button", { name: "Save as draft" }).click();
  await expectToast(page, "Draft saved");
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toMatch(/^\/addphone\?draft=/);
  await page.getByRole("progressbar", { name: "Uploading front.jpg" }).waitFor();
  expect(await page.getByLabel("Model").inputValue()).toBe("Kept");
  await page.getByRole("link", { name: "Blogs" }).first().click();
  await eventually(async () => observed.problems.splice(0)).toEqual([
    "Dialog: Some photos aren’t added yet. Leave this page?",
  ]);

  allow();
  await page.getByRole("listitem").getByText("You can’t add photos right now. Try again later.").waitFor();
  await page.getByRole("button", { name: "Upload again" }).click();
  await page.getByText("1 photo added.").waitFor();
  await page.getByRole("button", { name: "Save as draft" }).click();
  await page.getByRole("main").getByRole("link", { name: "Finish" }).click();
  await page.getByRole("list", { name: "Photos" }).getByRole("listitem").waitFor();
  expect(await page.getByLabel("Model").inputValue()).toBe("Kept");
});

test("publishing begins with photos, which take the place of the image link", async () => {
  const seller = await addAccount(server.db, { userType: "Seller" });
  const storageState = await storageStateOf(server, seller.email);
  const { page } = await openPage(browser, server, { storageState });
  await page.goto("/addphone");
  await waitForHydration(page);
  const { image: _, ...fields } = listing;
  for (const [name, value] of Object.entries(fields)) {
    const field = page.locator(`[name=${name}]`);
    if (name === "os" || name === "deviceType") await field.selectOption(value);
    else await field.fill(value);
  }
  const submit = page.getByRole("button", { name: "Submit" });
  await submit.click();
  await page.getByText("Add a photo, or the link of a picture").waitFor();
  const chooser = page.getByLabel("Choose photos");
  for (const background of ["#ff0000", "#0000ff"]) {
    const photo = await picture("png", { width: 300, height: 300, background });
    await chooser.setInputFiles([file(`${background}.png`, photo)]);
  }
  const shown = page.getByRole("list", { name: "Photos" }).getByRole("listitem");
  await eventually(() => shown.count()).toBe(2);
  await page.getByText("Add a photo, or the link of a picture").waitFor({ state: "hidden" });
  // Too large for the form until it is made smaller.
  const large = await noise("large.jpg", 100);
  expect(large.size).toBeGreaterThan(8 * 1024 * 1024);
  await page.evaluate(() => {
    const decode = window.createImageBitmap;
    const isAllowed = new Promise((resolve) => addEventListener("decode", resolve));
    window.createImageBitmap = async (...values: unknown[]) => {
      await isAllowed;
      return Reflect.apply(decode, window, values);
    };
  });
  await chooser.setInputFiles(large.path);
  await page.getByRole("progressbar", { name: "Preparing large.jpg" }).waitFor();
  // Validation goes on meanwhile, and submits nothing.
  const model = page.locator("[name=model]");
  await model.fill("");
  await model.and(page.locator("[aria-invalid=true]")).waitFor();
  await model.fill("4");
  await submit.click();
  await page.getByRole("status").getByText("We’ll send the form as soon as your photos are ready.").waitFor();
  await page.evaluate(() => dispatchEvent(new Event("decode")));
  await expectToast(page, "Added Successfully");
  const [published] = await server.db.select().from(phones).where(eq(phones.sellerId, seller.id));
  const stored = await server.db
    .select()
    .from(photos)
    .where(eq(photos.phoneId, published?.id ?? ""));
  // Upright.
  expect(stored.map(({ width, height }) => [width, height])).toEqual([
    [300, 300],
    [300, 300],
    [857, 1200],
  ]);
});

test("the browser makes a photo of any size into a JPEG, and leaves the others to the server", async () => {
  const seller = await addAccount(server.db, { userType: "Seller" });
  const phone = await addPhone(server.db, { sellerId: seller.id });
  const storageState = await storageStateOf(server, seller.email);
  const { page } = await openPage(browser, server, { storageState });
  await page.goto(`/manage/mysells/${phone.id}/photos`);
  await waitForHydration(page);
  const sent: Buffer[] = [];
  await page.route("**/photos/upload", (route) => {
    sent.push(route.request().postDataBuffer() ?? Buffer.alloc(0));
    return route.continue();
  });
  const chooser = page.getByLabel("Choose photos");
  const large = await noise("large.jpg", 100);
  await chooser.setInputFiles(large.path);
  await chooser.setInputFiles([
    file("moving.gif", await picture("gif", { background: "#00ff00" })),
    file("cut.jpg", (await picture("jpeg", { background: "#ff0000" })).subarray(0, -2)),
    // The browser draws what is there.
    file("torn.jpg", (await picture("jpeg", { background: "#ffcc00" })).subarray(0, -300)),
    file("half.png", (await picture("png")).subarray(0, 60)),
  ]);
  const files = page.getByRole("list", { name: "Chosen files" }).getByRole("listitem");
  await eventually(() => files.filter({ hasText: "Ready to add" }).count()).toBe(5);
  const unreadable =
    "We can’t read this picture. It may be damaged. Save it again as a JPEG, or add a screenshot of it.";
  await page.getByRole("button", { name: "Add photos" }).click();
  await page.getByText("4 photos added.").waitFor();
  await files.filter({ hasText: "half.png" }).getByText(unreadable).waitFor();
  const pictures = await Promise.all(sent.slice(0, 4).map((body) => sharp(body).metadata()));
  expect(pictures.map(({ format, width, height, exif }) => [format, width, height, exif])).toEqual([
    ["jpeg", 1714, 2400, undefined],
    ["jpeg", 640, 480, undefined],
    ["jpeg", 640, 480, undefined],
    ["jpeg", 640, 480, undefined],
  ]);
  expect(sent[0]?.length).toBeLessThan(8 * 1024 * 1024);
});

test("photos are resized and rotated before the upload, which can be retried after a failure or a new login", {
  tags: ["slow"],
}, async () => {
  const seller = await addAccount(server.db, { userType: "Seller" });
  const phone = await addPhone(server.db, { sellerId: seller.id });
  const storageState = await storageStateOf(server, seller.email);
  const { page } = await openPage(browser, server, { storageState });
  await page.goto(`/manage/mysells/${phone.id}/photos`);
  await waitForHydration(page);
  const original = await noise("noise.jpg", 70);
  const sent: Buffer[] = [];
  await page.route("**/photos/upload", async (route) => {
    sent.push(route.request().postDataBuffer() ?? Buffer.alloc(0));
    await (sent.length <= 2 ? route.abort() : route.continue());
  });
  await page.getByLabel("Choose photos").setInputFiles(original.path);
  await page.getByText("Ready to add").waitFor();
  const add = page.getByRole("button", { name: "Add photos" });
  await add.click();
  const notice = page.getByRole("alert").filter({ hasText: "Ringback isn’t answering right now." });
  await notice.getByRole("button", { name: "Try again" }).click();
  await notice.getByRole("button", { name: "Stay here" }).click();
  const failed = "We couldn’t upload this photo. Check your connection and try again.";
  await page.getByRole("listitem").getByText(failed).waitFor();

  const cookies = await page.context().cookies();
  await page.context().clearCookies();
  await add.click();
  const logIn = page.getByRole("alert").getByRole("link", { name: "Log in again" });
  expect(await logIn.getAttribute("target")).toBe("_blank");
  await page.getByRole("listitem").getByText("Ready to add").waitFor();
  expect(new URL(page.url()).pathname).toBe(`/manage/mysells/${phone.id}/photos`);

  await page.context().addCookies(cookies);
  await add.click();
  const added = page.getByRole("status").getByText("1 photo added.");
  await added.waitFor();
  await eventually(() => added.evaluate(isFocused)).toBe(true);
  expect(await logIn.count()).toBe(0);
  const [body] = sent.slice(-1);
  const { width, height, exif } = await sharp(body).metadata();
  expect([width, height, exif]).toEqual([1714, 2400, undefined]);
  expect(body?.length).toBeLessThan(original.size);
  const [row] = await server.db.select().from(photos).where(eq(photos.phoneId, phone.id));
  expect([row?.width, row?.height]).toEqual([857, 1200]);

  await page.getByLabel("Choose photos").setInputFiles(original.path);
  await page.getByText("Ready to add").waitFor();
  await add.click();
  await page.getByText("1 photo already added.").waitFor();
});

test("choosing more photos adds to the queue, and single files can be removed from it", {
  tags: ["slow"],
}, async () => {
  const seller = await addAccount(server.db, { userType: "Seller" });
  const phone = await addPhone(server.db, { sellerId: seller.id });
  const storageState = await storageStateOf(server, seller.email);
  const { page, observed } = await openPage(browser, server, { storageState });
  await page.goto(`/manage/mysells/${phone.id}/photos`);
  await waitForHydration(page);
  const small = async (name: string) => {
    // As JPEGs, similar colors are the same.
    const background = `#${((name.charCodeAt(0) - 97) * 24).toString(16).padStart(2, "0")}0000`;
    return file(`${name}.png`, await picture("png", { width: 40, height: 30, background }));
  };
  const chooser = page.getByLabel("Choose photos");
  const icon = "public/icon-192.png";
  await chooser.setInputFiles([file("text.jpg", Buffer.from("text")), await small("b")]);
  await chooser.setInputFiles(icon);
  await chooser.setInputFiles(icon);
  await chooser.setInputFiles(await Promise.all([..."cdefghij"].map(small)));
  const queued = page.getByRole("list", { name: "Chosen files" }).getByRole("listitem");
  const named = (name: string) => queued.filter({ hasText: name });
  const ready = queued.filter({ hasText: /\d+ KB · Ready to add/ });
  const tooMany = queued.filter({ hasText: "A listing can have at most 8 photos." });
  // Without the icon that was chosen twice.
  await eventually(() => queued.count()).toBe(11);
  await eventually(() => ready.count()).toBe(8);
  expect(await tooMany.allInnerTexts()).toEqual([
    expect.stringContaining("i.png"),
    expect.stringContaining("j.png"),
  ]);
  expect(await named("text.jpg").innerText()).toContain("This isn’t a JPEG, PNG or WebP picture.");

  await named("c.png").getByRole("button", { name: "Remove" }).click();
  await eventually(() => named("c.png").count()).toBe(0);
  expect(await named("d.png").getByRole("button").evaluate(isFocused)).toBe(true);
  await named("i.png").filter({ hasText: "Ready to add" }).waitFor();
  await page.getByRole("link", { name: "My Sellings" }).click();
  await eventually(async () => observed.problems.splice(0)).toEqual([
    "Dialog: Some photos aren’t added yet. Leave this page?",
  ]);

  let uploads = 0;
  await page.route("**/photos/upload", (route) => {
    uploads += 1;
    return route.continue();
  });
  await page.getByRole("button", { name: "Add photos" }).dblclick();
  await page.getByText("8 photos added.").waitFor();
  await page.getByText("This listing has 8 photos, the maximum.").waitFor();
  const message = page.getByText("8 photos added.");
  await eventually(async () => (await message.boundingBox())?.y).toBeGreaterThan(0);
  expect([uploads, await server.db.$count(photos, eq(photos.phoneId, phone.id))]).toEqual([8, 8]);
  expect(await queued.count()).toBe(2);
  await named("text.jpg").getByRole("button", { name: "Remove" }).click();
  await named("j.png").getByRole("button", { name: "Remove" }).click();
  await eventually(() => queued.count()).toBe(0);
  await page.getByRole("link", { name: "My Sellings" }).click();
  await page.getByRole("heading", { name: "My Sellings" }).waitFor();
  expect(observed.problems).toEqual([]);
});

function isFocused(element: Element): boolean {
  return element === document.activeElement;
}

/** The dominant color in the middle of each photo, or on its left where it has two. */
async function colors(page: Page): Promise<string[]> {
  // By the page, since only its user may see the photos of a draft.
  const files = await page
    .getByRole("list", { name: "Photos" })
    .getByRole("img")
    .evaluateAll((images) =>
      Promise.all(
        images.map(async (image) => {
          const response = await fetch((image as HTMLImageElement).src);
          return [...new Uint8Array(await response.arrayBuffer())];
        }),
      ),
    );
  return Promise.all(
    files.map(async (file) => {
      const pixel = await sharp(Buffer.from(file))
        .extract({ left: 20, top: 20, width: 1, height: 1 })
        .raw()
        .toBuffer();
      return ["red", "green", "blue"][pixel.indexOf(Math.max(...pixel))] ?? "";
    }),
  );
}
