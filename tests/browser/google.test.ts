/** @module-tag slow */
import { eq } from "drizzle-orm";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { users } from "#app/db/schema.ts";
import { describeBothWays, launchBrowser, openPage } from "../harness/browser.ts";
import { password } from "../harness/fixtures.ts";
import { type ServerWithGoogle, startGoogleProxy, startServerWithGoogle } from "../harness/google.ts";
import { expectToast, submitLogin, waitForHydration } from "../harness/page-objects.ts";
import { addAccount, addPhone } from "../harness/server.ts";

let server: ServerWithGoogle;
let proxy: Awaited<ReturnType<typeof startGoogleProxy>>;
let browser: Browser;

beforeAll(async () => {
  server = await startServerWithGoogle();
  proxy = await startGoogleProxy(server);
  browser = await launchBrowser(...proxy.browserSwitches);
});

afterAll(async () => {
  await browser?.close();
  await Promise.all([proxy?.stop(), server?.stop()]);
});

beforeEach(() => {
  server.google.failures.clear();
});

describeBothWays((javaScriptEnabled) => {
  const word = javaScriptEnabled ? "lively" : "plain";

  /** Opens the login page; `done` checks what the browser recorded. */
  async function openLogin(path = "/login") {
    const { page, observed } = await openPage(browser, server, { javaScriptEnabled });
    await page.goto(path);
    if (javaScriptEnabled) await waitForHydration(page);
    const done = () => {
      expect(observed.problems).toEqual([]);
      const strangers = observed.externalRequests.filter(
        (url) => !url.startsWith("https://accounts.google.com/"),
      );
      expect(strangers).toEqual([]);
      expect(observed.externalRequests.length).toBeGreaterThan(0);
    };
    return { page, done };
  }

  const press = (page: Page) => page.getByRole("button", { name: "Continue with Google" }).click();

  test("a new person goes to Google and comes back as a buyer, signed in", async () => {
    const email = `new-${word}@example.com`;
    server.google.person = { sub: `new-${word}`, email, email_verified: true, name: "Ingrid Vale" };
    const { page, done } = await openLogin();
    await press(page);
    await expectToast(page, `${email} Log in Successful`);
    expect(new URL(page.url()).pathname).toBe("/");
    await page.goto("/report");
    expect(await page.getByLabel("Name").inputValue()).toBe("Ingrid Vale");
    const [account] = await server.db.select().from(users).where(eq(users.email, email));
    expect(account).toMatchObject({ userType: "Buyer", passwordHash: null });
    done();
  });

  test("a visitor who wanted to book returns to the booking", { tags: ["slow"] }, async () => {
    const { id } = await addPhone(server.db);
    const { email } = await addAccount(server.db);
    server.google.person = { sub: `booker-${word}`, email, email_verified: true };
    const { page, done } = await openLogin(`/products/${id}/book`);
    expect(new URL(page.url()).pathname).toBe("/login");
    await press(page);
    await expectToast(page, `${email} Log in Successful`);
    expect(new URL(page.url()).pathname).toBe(`/products/${id}/book`);
    expect(await page.getByRole("dialog").getByLabel("Email").inputValue()).toBe(email);
    done();
  });

  test("a visitor who denies access returns to the login page without a message, and can log in another way", {
    tags: ["slow"],
  }, async () => {
    const { email } = await addAccount(server.db);
    server.google.person = null;
    const { page, done } = await openLogin("/addphone");
    await press(page);
    await page.waitForURL("/login?redirectTo=%2Faddphone");
    await page.getByRole("heading", { name: "Log in" }).waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
    expect(await page.getByRole("status").count()).toBe(0);
    expect(await page.context().cookies(server.url.replace("127.0.0.1", "localhost"))).toEqual([]);
    await submitLogin(page, email, password);
    await page.waitForURL("/addphone");
    done();
  });

  test("an unreachable Google leads back to the login page, and the button works again", {
    tags: ["slow"],
  }, async () => {
    const email = `patient-${word}@example.com`;
    server.google.person = { sub: `patient-${word}`, email, email_verified: true };
    server.google.failures.set("oauth2.googleapis.com", "gone");
    const { page, done } = await openLogin("/login?redirectTo=/manage");
    await press(page);
    await page.waitForURL("/login?redirectTo=%2Fmanage");
    server.google.failures.clear();
    await press(page);
    await expectToast(page, `${email} Log in Successful`);
    expect(new URL(page.url()).pathname).toBe("/manage");
    done();
  });

  test("Back from Google restores the login page", { tags: ["slow"] }, async () => {
    server.google.failures.set("accounts.google.com", { status: 200, body: "Choose an account" });
    const { page, done } = await openLogin();
    await press(page);
    await page.getByText("Choose an account").waitFor();
    await page.goBack();
    await page.getByRole("heading", { name: "Log in" }).waitFor();
    expect(await page.getByRole("button", { name: "Continue with Google" }).isEnabled()).toBe(true);
    done();
  });
});
