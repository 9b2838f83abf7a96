import { eq } from "drizzle-orm";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { orders, sessions } from "#app/db/schema.ts";
import { openPage, startWithBrowser } from "../harness/browser.ts";
import { validListing } from "../harness/listing-form.ts";
import {
  boxOf,
  eventually,
  expectToast,
  focused,
  openAs,
  phoneCard,
  scrollPosition,
  submitLogin,
  waitForHydration,
} from "../harness/page-objects.ts";
import { addAccount, addPhone, password, visitor } from "../harness/server.ts";

const { server, browser } = await startWithBrowser();

test("a form that leads to another heading shows that from the top; a press that ends an order, its message", async () => {
  const page = await openAs(server, browser, null, "/forgot", { viewport: { width: 390, height: 400 } });
  await page.getByLabel("Email").fill("nobody@example.com");
  await page.getByRole("button", { name: "Send link" }).click();
  await eventually(() => focused(page)).toBe("H1 Check your email");
  expect(await scrollPosition(page)).toBe(0);

  const { email } = await addAccount(server.db);
  const buyer = visitor(server);
  await buyer.signIn(email);
  const phone = await addPhone(server.db);
  await buyer.post(`/products/${phone.id}/book`, { address: "1 Quay Street", phone: "12345" });
  const ordered = await openAs(server, browser, { email }, "/manage");
  await ordered.getByRole("link", { name: `Fairphone ${phone.model}` }).click();
  await eventually(() => focused(ordered)).toMatch(/^H1 /);
  await ordered.getByRole("button", { name: "Cancel order" }).click();
  await eventually(() => focused(ordered)).toBe("DIV Order CancelledUndo");
  const message = await boxOf(ordered.getByRole("status").filter({ hasText: "Order Cancelled" }));
  expect(message.top).toBeGreaterThan(0);
});

test("a page that a form leads to is shown from its top, with the focus on its heading", async () => {
  const page = await openAs(server, browser, null, "/signup", { viewport: { width: 390, height: 844 } });
  await page.getByLabel("Name").fill("Nora New");
  await page.getByLabel("Email").fill("nora.new@example.com");
  await page.getByLabel("Password").fill(password);
  await page.getByRole("main").getByRole("button", { name: "Sign Up" }).click();
  await page.waitForURL((url) => url.pathname === "/");
  await eventually(() => focused(page)).toMatch(/^H1 /);
  expect(await scrollPosition(page)).toBe(0);
});

test("after publishing, the next steps are in sight and the message has the focus", async () => {
  const seller = await addAccount(server.db, { userType: "Seller" });
  const page = await openAs(server, browser, seller, "/addphone", { viewport: { width: 390, height: 844 } });
  for (const [name, value] of Object.entries(validListing)) {
    const field = page.locator(`[name=${name}]`);
    if (name === "os" || name === "deviceType") await field.selectOption(value);
    else await field.fill(value);
  }
  await page.getByRole("button", { name: "Submit" }).click();
  await expectToast(page, "Added Successfully");
  expect(await scrollPosition(page)).toBe(0);
  const panel = page.getByRole("main").getByRole("link", { name: "Add condition and battery" });
  expect((await boxOf(panel)).bottom).toBeLessThan(844);
  await eventually(() => focused(page)).toMatch(/^DIV Added Successfully/);
});

/** The controls in sight that a message covers. */
const coveredControls = (page: Page, which = "*") =>
  page.evaluate((which) => {
    const within = document.querySelector("dialog") ?? document;
    const controls = [
      ...within.querySelectorAll<HTMLElement>(
        "main :is(a, button, input), dialog :is(a, button, input, textarea)",
      ),
    ];
    return controls
      .filter((control) => {
        const { x, y, width, height } = control.getBoundingClientRect();
        const hit = document.elementFromPoint(x + width / 2, y + height / 2);
        return control.matches(which) && hit?.closest("#messages") && !control.closest("#messages");
      })
      .map((control) => control.outerHTML);
  }, which);

test.each([360, 1280])(
  "a message covers no control of the dialog that a login leads to, at %d px",
  { tags: ["slow"] },
  async (width) => {
    const { email } = await addAccount(server.db);
    await addPhone(server.db, { brandName: "Nokia", model: `At ${width}` });
    const page = await openAs(server, browser, null, "/products", { viewport: { width, height: 640 } });
    await phoneCard(page, `Nokia At ${width}`).getByRole("link", { name: "Buy Now" }).click();
    await submitLogin(page, email, password);
    await expectToast(page, `${email} account created`);
    expect(await coveredControls(page)).toEqual([]);
    const message = await boxOf(page.getByRole("dialog").getByRole("status"));
    const field = await boxOf(page.getByLabel("Ram"));
    expect(message.bottom).toBeLessThanOrEqual(field.top);
  },
);

/** What the message does by itself, and whether it waits. */
const leaving = (page: Page) =>
  page.locator("#messages .toast").evaluate((toast) =>
    toast.getAnimations().map((animation) => {
      const { delay } = animation.effect?.getTiming() ?? {};
      return [delay, animation.playState];
    }),
  );

test.each([390, 1280])(
  "a success lies over the page and leaves after six seconds, at %d px",
  async (width) => {
    const height = 800;
    const page = await openAs(server, browser, null, "/report", { viewport: { width, height } });
    const heading = page.getByRole("heading", { level: 1 });
    const before = await boxOf(heading);
    await page.getByLabel("Problem").fill("The lift is stuck.");
    await page.getByRole("button", { name: "Submit" }).click();
    await expectToast(page, "Report Submitted");
    await page.evaluate(() => scrollTo(0, 0));
    const message = page.getByRole("status");
    const box = await message.boundingBox();
    expect([(box?.x ?? 0) + (box?.width ?? 0), (box?.y ?? 0) + (box?.height ?? 0)]).toEqual([
      width - 16,
      height - 16,
    ]);
    expect(await boxOf(heading)).toEqual(before);

    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    expect(await leaving(page)).toEqual([[6000, "running"]]);
    await message.hover();
    expect(await leaving(page)).toEqual([[6000, "paused"]]);
    await page.mouse.move(0, 0);
    expect(await leaving(page)).toEqual([[6000, "running"]]);
    await message.getByRole("button", { name: "Close message" }).press("Shift");
    expect(await leaving(page)).toEqual([[6000, "paused"]]);
    await message.evaluate((toast) => {
      for (const animation of toast.getAnimations()) animation.finish();
    });
    await message.waitFor({ state: "detached" });
    expect(await boxOf(heading)).toEqual(before);
  },
);

test("without JavaScript, a success takes its room in the flow", async () => {
  const { page } = await openPage(browser, server, { javaScriptEnabled: false });
  await page.goto("/report");
  await page.getByLabel("Problem").fill("The lift is stuck.");
  await page.getByRole("button", { name: "Submit" }).click();
  await expectToast(page, "Report Submitted");
  const message = await boxOf(page.getByRole("status"));
  expect(message.bottom).toBeLessThanOrEqual((await boxOf(page.getByRole("main"))).top);
});

test("a message with Undo stays, and so does an error", async () => {
  const buyer = await addAccount(server.db);
  const phone = await addPhone(server.db);
  const someone = visitor(server);
  await someone.signIn(buyer.email);
  await someone.post(`/products/${phone.id}/book`, { address: "1 Quay Street", phone: "12345" });
  const page = await openAs(server, browser, buyer, "/manage");
  await page.getByRole("link", { name: `Fairphone ${phone.model}` }).click();
  await page.getByRole("button", { name: "Cancel order" }).click();
  await expectToast(page, "Order Cancelled");
  expect(await leaving(page)).toEqual([]);
});

test("a new error replaces the message of an earlier success", async () => {
  const page = await openAs(server, browser, await addAccount(server.db), "/report");
  await page.getByLabel("Problem").fill("The lift is stuck.");
  await page.getByRole("button", { name: "Submit" }).click();
  await expectToast(page, "Report Submitted");
  await page.getByLabel("Problem").fill("x".repeat(10_000));
  await page.getByRole("button", { name: "Submit" }).click();
  await page.getByRole("alert").waitFor();
  await page.getByText("Report Submitted").waitFor({ state: "detached" });
});

test("after the handover no other button takes the place of the one that was pressed", {
  tags: ["slow"],
}, async () => {
  const seller = await addAccount(server.db, { userType: "Seller" });
  const phone = await addPhone(server.db, { sellerId: seller.id, brandName: "Nokia", model: "Handed over" });
  const buyer = visitor(server);
  await buyer.signIn((await addAccount(server.db)).email);
  await buyer.post(`/products/${phone.id}/book`, { address: "1 Quay Street", phone: "12345" });
  const [order] = await server.db.select().from(orders).where(eq(orders.phoneId, phone.id));
  const page = await openAs(server, browser, seller, `/manage/orders/${order?.id}`, {
    viewport: { width: 390, height: 844 },
  });
  const handOver = page.getByRole("button", { name: "Mark as handed over" });
  await handOver.scrollIntoViewIfNeeded();
  const before = await boxOf(handOver);
  await handOver.click();
  await expectToast(page, "Marked as handed over");
  await eventually(() => focused(page)).toBe("DIV Marked as handed overUndo");
  const undo = page.getByRole("button", { name: "Undo the handover" });
  expect((await boxOf(undo)).top).toBeGreaterThan(before.bottom);

  await undo.press("Enter");
  await expectToast(page, "The device is reserved again");
  await handOver.waitFor();
});

test("a row's button keeps the place in the table and passes the focus to the next row", async () => {
  const admin = await addAccount(server.db, { userType: "Admin" });
  for (const name of ["First Doomed", "Next Inline"])
    await addAccount(server.db, { name, email: `${name.replace(" ", ".").toLowerCase()}@example.com` });
  const page = await openAs(server, browser, admin, "/manage/users", {
    viewport: { width: 390, height: 500 },
  });
  const row = (name: string) => page.getByRole("row").filter({ hasText: name });
  const doomed = row("First Doomed");
  const next = await doomed.evaluate((element) => element.nextElementSibling?.textContent ?? "");
  // Just below the header, where the message appears.
  await doomed.evaluate((element) => element.scrollIntoView({ block: "start" }));
  await doomed.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete user" }).click();
  await expectToast(page, "User Deleted");
  const controls = ["Undo", "Close message"].map((name) => page.getByRole("button", { name }).boundingBox());
  for (const box of await Promise.all(controls)) expect(box?.height).toBeGreaterThanOrEqual(44);
  const focusedRow = () =>
    page.evaluate(() => document.activeElement?.closest("tr")?.textContent?.replace(/^\d+/, "") ?? "");
  await eventually(focusedRow).toBe(next.replace(/^\d+/, ""));
  expect(await coveredControls(page, ":focus")).toEqual([]);
  expect(await scrollPosition(page)).toBeGreaterThan(300);

  await page.getByRole("button", { name: "Undo" }).press("Enter");
  await row("First Doomed").waitFor();
  expect(await scrollPosition(page)).toBeGreaterThan(300);
  await eventually(focusedRow).toMatch(/First Doomed|Next Inline/);

  await page.goto("/manage/search");
  await waitForHydration(page);
  await page.locator("#record-search").fill("First Doomed");
  await page.keyboard.press("Enter");
  await eventually(() => focused(page)).toBe("H1 Search results");
  await page.goto("/manage/users");
  await waitForHydration(page);
  await server.db.delete(sessions).where(eq(sessions.userId, admin.id));
  await row("First Doomed").getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete user" }).click();
  await page.getByRole("alert").getByText("Your session has ended. Log in to continue.").waitFor();
});
