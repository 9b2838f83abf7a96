import { eq } from "drizzle-orm";
import type { CDPSession, Page } from "playwright-core";
import { expect, test } from "vitest";
import { oneTimeTokens, passkeys, sessions } from "#app/db/schema.ts";
import { openPage, startWithBrowser, storageStateOf } from "../harness/browser.ts";
import { eventually, expectToast, logIn, submitLogin, waitForHydration } from "../harness/page-objects.ts";
import { addAccount, password } from "../harness/server.ts";

const { server, browser } = await startWithBrowser();

/** Opens a page in a browser with a virtual authenticator; `done` checks what the browser recorded. */
async function openWithAuthenticator(path?: string) {
  const { page, observed } = await openPage(browser, server);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  if (path) await open(page, path);
  const done = () => {
    expect(observed.externalRequests).toEqual([]);
    expect(observed.problems).toEqual([]);
  };
  return { page, devtools, authenticatorId, done, observed };
}

async function open(page: Page, path: string) {
  await page.goto(path);
  await waitForHydration(page);
}

const addButton = (page: Page) => page.getByRole("button", { name: "Add a passkey" });
const useButton = (page: Page) => page.getByRole("button", { name: "Continue with a passkey" });
const pathOf = (page: Page) => new URL(page.url()).pathname;

/** Opens the login page without a session; a signed-in user would see no form. */
async function openLogin(page: Page) {
  await page.context().clearCookies();
  await open(page, "/login");
}

/** Makes user verification fail or succeed. */
function verifies(devtools: CDPSession, authenticatorId: string, isUserVerified: boolean) {
  return devtools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified });
}

test("a passkey is added and logs in, but not after its removal", async () => {
  const { email, id } = await addAccount(server.db);
  const { page, devtools, authenticatorId, observed } = await openWithAuthenticator();
  await logIn(page, email, password);
  await open(page, "/manage/account/security");
  await addButton(page).click();
  await expectToast(page, "Passkey added");
  expect(pathOf(page)).toBe("/manage/account/security");
  const row = page.getByRole("listitem").filter({ hasText: "Not used yet" });
  expect(await row.innerText()).toMatch(/ on \w+\n+Added /);
  const held = await devtools.send("WebAuthn.getCredentials", { authenticatorId });
  expect(held.credentials).toMatchObject([{ isResidentCredential: true, rpId: "localhost" }]);

  await page.getByRole("button", { name: "Log Out" }).first().click();
  await page.waitForURL("/");
  await open(page, "/login?redirectTo=/addphone");
  await useButton(page).click();
  await expectToast(page, `${email} account created`);
  expect(pathOf(page)).toBe("/addphone");
  const [used] = await server.db.select().from(passkeys).where(eq(passkeys.userId, id));
  expect(used?.lastUsedAt).not.toBeNull();

  await open(page, "/manage/account/security");
  await page.getByRole("button", { name: "Remove" }).click();
  await expectToast(page, "Passkey removed");
  expect(await page.getByRole("button", { name: "Remove" }).count()).toBe(0);
  expect(observed.problems).toEqual([]);

  await page.getByRole("button", { name: "Log Out" }).first().click();
  await page.waitForURL("/");
  await open(page, "/login");
  await useButton(page).click();
  const refusal = "This passkey isn’t registered here. Log in another way.";
  await page.getByRole("alert").getByText(refusal).waitFor();
  expect(pathOf(page)).toBe("/login");
  await open(page, "/manage");
  expect(pathOf(page)).toBe("/login");
  // Chromium reports each refused response.
  expect(observed.problems.every((each) => each.includes("400"))).toBe(true);
});

test("a passkey is not added twice, nor without user verification", { tags: ["slow"] }, async () => {
  const { email, id } = await addAccount(server.db);
  const { page, devtools, authenticatorId, done } = await openWithAuthenticator();
  await logIn(page, email, password);
  await open(page, "/manage/account/security");
  await addButton(page).click();
  await expectToast(page, "Passkey added");
  await addButton(page).click();
  await page.getByRole("alert").getByText("This device already has a passkey for your account.").waitFor();
  expect(await server.db.$count(passkeys, eq(passkeys.userId, id))).toBe(1);
  await devtools.send("WebAuthn.clearCredentials", { authenticatorId });
  await server.db.delete(passkeys);
  const anew = page.waitForEvent("load");
  await addButton(page).click();
  await anew;
  await expectToast(page, "Passkey added");
  expect(await page.getByRole("alert").count()).toBe(0);
  expect(await server.db.$count(passkeys, eq(passkeys.userId, id))).toBe(1);
  done();
});

test("failed user verification shows no error, and the user can try again or use the password", {
  tags: ["slow"],
}, async () => {
  const { email } = await addAccount(server.db);
  const { page, devtools, authenticatorId, done } = await openWithAuthenticator();
  await logIn(page, email, password);
  await open(page, "/manage/account/security");
  await addButton(page).click();
  await expectToast(page, "Passkey added");
  await openLogin(page);
  await verifies(devtools, authenticatorId, false);
  await useButton(page).click();
  await eventually(() => useButton(page).isEnabled()).toBe(true);
  expect(await page.getByRole("alert").count()).toBe(0);
  await verifies(devtools, authenticatorId, true);
  await useButton(page).click();
  await expectToast(page, `${email} account created`);
  await openLogin(page);
  await submitLogin(page, email, password);
  await expectToast(page, `${email} account created`);
  done();
});

test("a timeout or a network failure shows an error beside the button", { tags: ["slow"] }, async () => {
  const { email } = await addAccount(server.db);
  const { page } = await openWithAuthenticator();
  await logIn(page, email, password);
  await open(page, "/manage/account/security");
  await addButton(page).click();
  await expectToast(page, "Passkey added");
  await openLogin(page);
  await page.route("**/login/passkey", async (route) => {
    // The challenge expires before the response.
    const isLogin = route.request().postData()?.includes("response=");
    if (isLogin) await server.db.update(oneTimeTokens).set({ expiresAt: new Date() });
    await route.continue();
  });
  await useButton(page).click();
  await page.getByRole("alert").getByText("That took too long. Try again.").waitFor();
  await page.unroute("**/login/passkey");

  await page.context().setOffline(true);
  await useButton(page).click();
  await page
    .getByRole("alert")
    .getByText("We couldn’t reach the server. Check your connection and try again.")
    .waitFor();
  await page.context().setOffline(false);
  await useButton(page).click();
  await expectToast(page, `${email} account created`);
});

test("adding a passkey requires a recent login", { tags: ["slow"] }, async () => {
  const { email, id } = await addAccount(server.db);
  const { page, done } = await openWithAuthenticator();
  await logIn(page, email, password);
  await open(page, "/manage/account/security");
  const opened = new Date(Date.now() - 15 * 60_000);
  await server.db.update(sessions).set({ createdAt: opened }).where(eq(sessions.userId, id));
  await addButton(page).click();
  await page.getByRole("alert").getByText("Log in again to change your passkeys.").waitFor();
  await page.getByRole("link", { name: "log in again" }).click();
  await page.waitForURL("/login?redirectTo=/manage/account/security&again=yes");
  await submitLogin(page, email, password);
  await expectToast(page, `${email} account created`);
  expect(pathOf(page)).toBe("/manage/account/security");
  await addButton(page).click();
  await expectToast(page, "Passkey added");
  done();
});

test("without JavaScript passkeys can only be listed and removed", { tags: ["slow"] }, async () => {
  const { email, id } = await addAccount(server.db);
  const storageState = await storageStateOf(server, email);
  const { page } = await openPage(browser, server, { javaScriptEnabled: false, storageState });
  await page.goto("/manage/account/security");
  // The passkey section is missing.
  await page.getByRole("heading", { name: "My account" }).waitFor();
  expect(
    await page
      .getByRole("region")
      .filter({ hasText: /passkey/i })
      .count(),
  ).toBe(0);
  const row = { publicKey: "", counter: 0, transports: [], backedUp: true };
  await server.db.insert(passkeys).values({ id: "theirs", userId: id, name: "Bitwarden", ...row });
  await page.reload();
  expect(await page.getByText("Bitwarden").isVisible()).toBe(true);
  expect(await addButton(page).count()).toBe(0);
  await page.getByRole("button", { name: "Remove" }).click();
  await expectToast(page, "Passkey removed");
  await page.goto("/login");
  expect(await page.getByText(/passkey/i).count()).toBe(0);
});

test("a browser without WebAuthn shows no button", async () => {
  const { page } = await openPage(browser, server);
  await page.addInitScript("delete window.PublicKeyCredential");
  await open(page, "/login");
  await page.getByLabel("Email").waitFor();
  expect(await page.getByText(/passkey/i).count()).toBe(0);
});

test("the passkey library is loaded on first use", async () => {
  const { page } = await openWithAuthenticator();
  const scripts: string[] = [];
  page.on("request", (request) => scripts.push(request.url()));
  await open(page, "/products");
  await open(page, "/login");
  await useButton(page).waitFor();
  const before = scripts.length;
  await useButton(page).click();
  await eventually(async () => scripts.slice(before).filter((url) => url.endsWith(".js"))).not.toEqual([]);
  await eventually(() => useButton(page).isEnabled()).toBe(true);
});
