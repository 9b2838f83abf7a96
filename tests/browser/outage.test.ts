import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { closePages, describeBothWays, openPage, sharedBrowser } from "../harness/browser.ts";
import { type Libsql, startLibsql } from "../harness/libsql.ts";
import { bookButton } from "../harness/page-objects.ts";
import { addAccount, addPhone, password, startServer, type TestServer } from "../harness/server.ts";

let libsql: Libsql;
let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  libsql = await startLibsql(inject("libsqlFolder"));
  [server, browser] = await Promise.all([
    startServer({ bindings: { LIBSQL_URL: libsql.url } }),
    sharedBrowser(),
  ]);
});
afterAll(async () => {
  await closePages();
  await server?.stop();
  await libsql?.stop();
});

describeBothWays((javaScriptEnabled) => {
  test("a booking that failed in a database outage can be submitted again", async () => {
    const { email } = await addAccount(server.db);
    const { id } = await addPhone(server.db);
    const { page, observed } = await openPage(browser, server, { javaScriptEnabled });
    const book = `/products/${id}/book`;
    await page.goto(`/login?redirectTo=${encodeURIComponent(book)}`);
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password").fill(password);
    await page.locator("main form").first().getByRole("button").click();
    await page.getByLabel("Address").fill("1 Harbour Street\nBergen");
    await page.getByRole("textbox", { name: "Phone" }).fill("555 0100");
    await libsql.kill();
    await bookButton(page).click();
    if (javaScriptEnabled) {
      await page.getByRole("alert").filter({ hasText: "Ringback isn’t answering right now." }).waitFor();
      expect(await page.getByLabel("Address").inputValue()).toBe("1 Harbour Street\nBergen");
    } else {
      await page.getByRole("heading", { name: "Ringback is temporarily unavailable" }).waitFor();
      await page.getByText("1 Harbour Street\nBergen").waitFor();
    }
    expect(new URL(page.url()).pathname).toBe(book);

    await libsql.restart();
    await page.getByRole("button", { name: javaScriptEnabled ? "Try again" : "Submit again" }).click();
    await page.getByText("Your booking successful").first().waitFor();
    // Chromium reports the 503; nothing else is allowed.
    expect(observed.problems.filter((complaint) => !/status of 503 /.test(complaint))).toEqual([]);
  });
});
