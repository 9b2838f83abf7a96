import { eq } from "drizzle-orm";
import type { BrowserContextOptions } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { orders, photos, savedListings } from "#app/db/schema.ts";
import { openPage, startWithBrowser, storageStateOf } from "../harness/browser.ts";
import { bookButton, eventually, expectToast, goTo, waitForHydration } from "../harness/page-objects.ts";
import { addAccount, addPhone, password } from "../harness/server.ts";
import { startTcpProxy } from "../harness/tcp-proxy.ts";

const { server, browser } = await startWithBrowser();

async function openAs(account: { email: string } | null, path: string, options: BrowserContextOptions = {}) {
  const storageState = account ? await storageStateOf(server, account.email) : undefined;
  const { page } = await openPage(browser, server, { storageState, ...options });
  await page.goto(path);
  await waitForHydration(page);
  return page;
}

test("offline, a link or a form keeps the page and works again later", async () => {
  const page = await openAs(null, "/signup");
  await page.getByLabel("Name").fill("Olaf Line");
  const offline = (isOffline: boolean) => page.context().setOffline(isOffline);
  await offline(true);
  await page.getByRole("link", { name: "Blogs" }).first().click();
  const notice = page.getByRole("alert").filter({ hasText: "You’re offline. Check your connection." });
  await notice.waitFor();
  expect(new URL(page.url()).pathname).toBe("/signup");
  await notice.getByRole("button", { name: "Stay here" }).click();
  await notice.waitFor({ state: "detached" });
  expect(await page.getByLabel("Name").inputValue()).toBe("Olaf Line");

  await page.getByLabel("Email").fill("olaf@example.com");
  await page.getByLabel("Password").fill(password);
  await page.getByRole("main").getByRole("button", { name: "Sign Up" }).click();
  await notice.waitFor();
  await notice.getByRole("button", { name: "Try again" }).click();
  await notice.waitFor();
  await offline(false);
  await notice.getByRole("button", { name: "Try again" }).click();
  await expectToast(page, "olaf@example.com account created");
});

test("a stopped server keeps the page under a form and a link, and both work again later", async () => {
  const { email } = await addAccount(server.db);
  const phone = await addPhone(server.db);
  let proxy = await startTcpProxy(server.url);
  onTestFinished(() => proxy.stop());
  const { page } = await openPage(browser, proxy, { storageState: await storageStateOf(server, email) });
  const { port } = new URL(proxy.url);
  const notice = page.getByRole("alert").filter({ hasText: "Ringback isn’t answering right now." });
  const tryAgain = notice.getByRole("button", { name: "Try again" });
  await goTo(page, `/products/${phone.id}/book`, true);
  const dialog = page.getByRole("dialog");
  const address = dialog.getByLabel("Address");
  await address.fill("1 Quay Street");
  await dialog.getByLabel("Phone", { exact: true }).fill("+49 170 1234567");

  await proxy.stop();
  await bookButton(page).click();
  await notice.waitFor();
  expect(await notice.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await address.inputValue()).toBe("1 Quay Street");
  await notice.getByRole("button", { name: "Stay here" }).click();
  await notice.waitFor({ state: "detached" });
  await address.fill("2 Quay Street");
  await bookButton(page).click();
  await tryAgain.click();
  await notice.waitFor();
  proxy = await startTcpProxy(server.url, Number(port));
  await tryAgain.click();
  await expectToast(page, "Your booking successful");
  const [order] = await server.db.select().from(orders).where(eq(orders.phoneId, phone.id));
  expect(order?.buyerAddress).toBe("2 Quay Street");

  await goTo(page, "/report", true);
  await page.getByLabel("Problem").fill("The server stops.");
  await proxy.stop();
  // The page's code is not loaded yet.
  await page.getByRole("link", { name: "Blogs" }).first().click();
  await notice.waitFor();
  expect(await page.getByLabel("Problem").inputValue()).toBe("The server stops.");
  expect(new URL(page.url()).pathname).toBe("/report");
  proxy = await startTcpProxy(server.url, Number(port));
  await tryAgain.click();
  await page.getByRole("heading", { level: 1, name: "Blogs" }).waitFor();
  await eventually(() => page.evaluate(() => document.activeElement?.id)).toBe("main");
});

test("a logout that waited for a stopped server leads home", async () => {
  const { email } = await addAccount(server.db);
  const page = await openAs({ email }, "/manage");
  // The route's code is not loaded yet.
  await page.route("**/*", (route) => route.abort());
  await page.getByRole("banner").getByRole("button", { name: "Log Out" }).click();
  const notice = page.getByRole("alert").filter({ hasText: "Ringback isn’t answering right now." });
  await notice.waitFor();
  await page.unroute("**/*");
  await notice.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("banner").getByRole("link", { name: "Log in" }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/");
  await eventually(() => page.evaluate(() => document.activeElement?.id)).toBe("main");
});

test("a server that hangs is as good as stopped", async () => {
  const { page } = await openPage(browser, server);
  await page.clock.install();
  await goTo(page, "/report", true);
  const problem = page.getByLabel("Problem");
  await problem.fill("The server hangs.");
  const isRouters = (url: URL) => url.searchParams.has("_data");
  const held = new Promise<void>((resolve) => void page.route(isRouters, () => resolve()));
  await page.getByRole("main").getByRole("button", { name: "Submit" }).click();
  await held;
  await page.clock.fastForward(15_000);
  const notice = page.getByRole("alert").filter({ hasText: "Ringback isn’t answering right now." });
  await notice.waitFor();
  expect(await problem.inputValue()).toBe("The server hangs.");
  await page.unroute(isRouters);
  await notice.getByRole("button", { name: "Try again" }).click();
  await expectToast(page, "Report Submitted");
});

test("a photo that waited for a stopped server is uploaded", async () => {
  const seller = await addAccount(server.db, { userType: "Seller" });
  const phone = await addPhone(server.db, { sellerId: seller.id });
  let proxy = await startTcpProxy(server.url);
  onTestFinished(() => proxy.stop());
  const storageState = await storageStateOf(server, seller.email);
  const { page } = await openPage(browser, proxy, { storageState });
  await goTo(page, `/manage/mysells/${phone.id}/photos`, true);
  await page.getByLabel("Choose photos").setInputFiles("public/icon-192.png");
  await page.getByText("Ready to add").waitFor();
  await proxy.stop();
  await page.getByRole("button", { name: "Add photos" }).click();
  const notice = page.getByRole("alert").filter({ hasText: "Ringback isn’t answering right now." });
  await notice.getByRole("button", { name: "Stay here" }).click();
  await page.getByRole("listitem").getByText("We couldn’t upload this photo.").waitFor();
  await notice.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Add photos" }).click();
  await notice.waitFor();
  proxy = await startTcpProxy(server.url, Number(new URL(proxy.url).port));
  await notice.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("status").getByText("1 photo added.").waitFor();
  expect(await server.db.$count(photos, eq(photos.phoneId, phone.id))).toBe(1);
});

test("rows that waited for a stopped server are all sent again, and staying ends what waits", async () => {
  const { id, email } = await addAccount(server.db);
  for (const model of ["First", "Second", "Third"]) {
    const { id: phoneId } = await addPhone(server.db, { brandName: "Kept", model });
    await server.db.insert(savedListings).values({ userId: id, phoneId, priceCents: 100 });
  }
  let proxy = await startTcpProxy(server.url);
  onTestFinished(() => proxy.stop());
  const { page } = await openPage(browser, proxy, { storageState: await storageStateOf(server, email) });
  const restart = async () => {
    proxy = await startTcpProxy(server.url, Number(new URL(proxy.url).port));
  };
  const notice = page.getByRole("alert").filter({ hasText: "Ringback isn’t answering right now." });
  const rows = page.getByRole("row").filter({ hasText: "Kept" });
  const remove = (model: string) => rows.filter({ hasText: model }).getByRole("button").click();
  await goTo(page, "/manage/saved#main", true);
  await proxy.stop();
  await remove("First");
  await remove("Second");
  await notice.waitFor();
  expect(await notice.innerText()).not.toContain("What you entered");
  expect(await page.locator("[aria-busy]").count()).toBe(0);
  await notice.getByRole("button", { name: "Stay here" }).click();
  await notice.waitFor({ state: "detached" });
  await eventually(() => page.locator("[aria-busy], [role=progressbar]").count()).toBe(0);
  expect(await rows.count()).toBe(3);

  await remove("First");
  await remove("Second");
  await notice.waitFor();
  await restart();
  const tryAgain = notice.getByRole("button", { name: "Try again" });
  await eventually(async () => {
    // What fails later waits for the next press.
    if (await tryAgain.isVisible()) await tryAgain.click();
    return server.db.$count(savedListings, eq(savedListings.userId, id));
  }).toBe(1);
  // Remix leaves out the redirect of a form if that of another one has come first, so a row may still be shown.
  await page.reload();
  await waitForHydration(page);
  expect(await rows.innerText()).toContain("Kept Third");

  // Back, to a page whose code is not loaded.
  const saved = page.url();
  await page.getByRole("link", { name: "Blogs" }).first().click();
  await page.getByRole("heading", { level: 1, name: "Blogs" }).waitFor();
  await page.reload();
  await waitForHydration(page);
  await proxy.stop();
  await page.goBack();
  await notice.waitFor();
  await restart();
  await notice.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { level: 1, name: "Saved" }).waitFor();
  expect(page.url()).toBe(saved);
  await page.goForward();
  await page.getByRole("heading", { level: 1, name: "Blogs" }).waitFor();
});

test("the service worker shows a page of its own when one cannot be loaded, and answers nothing else", {
  tags: ["slow"],
}, async () => {
  const { page, observed } = await openPage(browser, server, {
    serviceWorkers: "allow",
    colorScheme: "light",
  });
  const title = page.getByRole("heading", { level: 1 });
  await page.goto("/about");
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.reload();
  expect(await page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  expect(observed).toEqual({ problems: [], externalRequests: [] });

  await page.context().setOffline(true);
  await page.goto("/blogs");
  await eventually(() => title.innerText()).toBe("You’re offline");
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(
    "rgb(251, 248, 241)",
  );
  expect(await page.evaluate(() => caches.keys())).toEqual([]);
  await page.context().setOffline(false);
  const missing = await page.goto("/nowhere");
  expect(missing?.status()).toBe(404);
  await page.context().setOffline(true);
  await page.goto("/blogs");
  await page.context().setOffline(false);
  await page.getByRole("link", { name: "Try again" }).click();
  await eventually(() => title.innerText()).toBe("Blogs");
});
