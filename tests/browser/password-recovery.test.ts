/** @module-tag slow */
import { eq } from "drizzle-orm";
import type { BrowserContext, Page } from "playwright-core";
import { expect, test } from "vitest";
import { oneTimeTokens, users } from "#app/db/schema.ts";
import { describeBothWays, openPage, startWithBrowser } from "../harness/browser.ts";
import { type SentEmail, waitForEmail } from "../harness/emails.ts";
import {
  eventually,
  expectFieldError,
  expectToast,
  logIn,
  submitLogin,
  waitForHydration,
} from "../harness/page-objects.ts";
import { addAccount, password, visitor } from "../harness/server.ts";

const { server, browser } = await startWithBrowser();

/** Opens an email in another tab, as webmail does, and follows its link. */
async function follow(context: BrowserContext, mail: SentEmail, link: string): Promise<Page> {
  const program = await context.newPage();
  await program.setContent(mail.html);
  await program.getByRole("link", { name: link }).click();
  await program.getByRole("main").waitFor();
  return program;
}

async function addressesVisited(page: Page): Promise<string[]> {
  const browserSession = await page.context().newCDPSession(page);
  const { entries } = await browserSession.send("Page.getNavigationHistory");
  return entries.map(({ url }) => url);
}

describeBothWays((javaScriptEnabled) => {
  const open = () => openPage(browser, server, { javaScriptEnabled });

  test("a forgotten password is reset by email", async () => {
    const { email } = await addAccount(server.db);
    const elsewhere = await open();
    await logIn(elsewhere.page, email, password);

    const { page } = await open();
    await page.goto("/login");
    await page.getByRole("link", { name: "Forgot password?" }).click();
    await page.getByRole("heading", { name: "Forgot password?" }).waitFor();
    await page.getByRole("button", { name: "Send link" }).click();
    await expectFieldError(page.getByLabel("Email"), "Email Address required");
    await page.getByLabel("Email").fill(email);
    await page.getByRole("button", { name: "Send link" }).click();
    await page.getByRole("heading", { name: "Check your email" }).waitFor();
    await eventually(() => page.title()).toBe("Check your email · Ringback");
    expect(page.url()).not.toContain(email);

    const mail = await waitForEmail(server, email);
    const referrers: (string | undefined)[] = [];
    page.context().on("request", (request) => referrers.push(request.headers().referer));
    const form = await follow(page.context(), mail, "Set a new password");
    await form.getByRole("heading", { name: "Set a new password" }).waitFor();
    await form.getByLabel("New password").fill("abc");
    await form.getByRole("button", { name: "Set password" }).click();
    await expectFieldError(form.getByLabel("New password"), "Password must be 6 Character or Longer");
    await form.getByLabel("New password").fill("another1");
    await form.getByRole("button", { name: "Set password" }).click();
    await expectToast(form, "Password changed. Log in with your new one.");
    expect(new URL(form.url()).pathname).toBe("/login");

    // The URL with the token must not be in the history or in a Referer header.
    const visited = await addressesVisited(form);
    expect(visited.some((address) => address.endsWith("/reset"))).toBe(true);
    expect(visited.filter((address) => address.includes(mail.token))).toEqual([]);
    expect(referrers.filter((referrer) => referrer?.includes(mail.token))).toEqual([]);
    expect(referrers.filter((referrer) => referrer !== undefined).length).toBeGreaterThan(0);

    await elsewhere.page.goto("/manage");
    expect(new URL(elsewhere.page.url()).pathname).toBe("/login");
    await form.goto("/login");
    await submitLogin(form, email, "another1");
    await expectToast(form, `${email} account created`);

    const again = await follow(page.context(), mail, "Set a new password");
    await again.getByRole("heading", { name: "This link no longer works" }).waitFor();
    await again.getByRole("link", { name: "Request a new link" }).click();
    await again.getByRole("heading", { name: "Forgot password?" }).waitFor();
  });

  test("a link that expires while its form is open shows an error", { tags: ["slow"] }, async () => {
    const { email } = await addAccount(server.db);
    const { page } = await open();
    await page.goto("/forgot");
    await page.getByLabel("Email").fill(email);
    await page.getByRole("button", { name: "Send link" }).click();
    await page.getByRole("heading", { name: "Check your email" }).waitFor();
    const mail = await waitForEmail(server, email);
    await page.goto(mail.path);
    if (javaScriptEnabled) await waitForHydration(page);
    await page.getByLabel("New password").fill("another1");
    await server.db.update(oneTimeTokens).set({ expiresAt: new Date() });
    await page.getByRole("button", { name: "Set password" }).click();
    await page.getByRole("heading", { name: "This link no longer works" }).waitFor();
  });

  test("a new account's address is verified by email", { tags: ["slow"] }, async () => {
    const email = `confirm.${javaScriptEnabled ? "script" : "plain"}@example.com`;
    const { page } = await open();
    await page.goto("/signup");
    await page.getByLabel("Name").fill("Hedda Byer");
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill("phone4me");
    await page.getByRole("button", { name: "Sign Up" }).click();
    await expectToast(page, `${email} account created`);

    const first = await waitForEmail(server, email);
    await page.goto("/verify");
    await page.getByRole("button", { name: "Send a new link" }).click();
    await expectToast(page, "Check your email: we’ve sent you a link to confirm your address.");
    const second = await waitForEmail(server, email, 2);

    const replaced = await follow(page.context(), first, "Confirm this address");
    await replaced.getByRole("heading", { name: "This link no longer works" }).waitFor();
    const form = await follow(page.context(), second, "Confirm this address");
    await form.getByRole("button", { name: "Confirm my address" }).click();
    await expectToast(form, "Email address confirmed");
    expect(form.url()).not.toContain(second.token);
    const [row] = await server.db.select().from(users).where(eq(users.email, email));
    expect(row?.emailVerifiedAt).not.toBeNull();
  });

  test("a new account is removed by the one whose address it has", { tags: ["slow"] }, async () => {
    const email = `denied.${javaScriptEnabled ? "script" : "plain"}@example.com`;
    await visitor(server).post("/signup", { name: "Nobody I Know", email, password: "phone4me" });
    const { page } = await open();
    await page.goto((await waitForEmail(server, email)).path);
    if (javaScriptEnabled) await waitForHydration(page);
    await page.getByLabel("Password").fill("guess-1");
    await page.getByRole("button", { name: "Confirm my address" }).click();
    await page.getByText("Wrong password.").waitFor();
    await page.getByRole("button", { name: "This wasn’t me" }).dblclick();
    const question = page.getByRole("dialog", { name: "Remove this account?" });
    await question.getByRole("button", { name: "Cancel" }).click();
    await question.waitFor({ state: "hidden" });
    expect(await server.db.$count(users, eq(users.email, email))).toBe(1);
    await page.getByRole("button", { name: "This wasn’t me" }).click();
    await question.getByRole("button", { name: "Remove account" }).click();
    await expectToast(page, "Account removed");
    expect(await server.db.$count(users, eq(users.email, email))).toBe(0);
  });
});
