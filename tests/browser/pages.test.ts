/** @module-tag slow */
import { eq } from "drizzle-orm";
import { HtmlValidate } from "html-validate";
import type { BrowserContextOptions, Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { conditions } from "#app/db/enums.ts";
import { decisions, messages, orders, phones, priceChanges, users } from "#app/db/schema.ts";
import { openSession } from "#app/features/accounts/sessions.server.ts";
import { modelPath, modelSlug } from "#app/features/listings/device-variant.rules.ts";
import { unsubscribeToken } from "#app/features/notifications/email-choices.server.ts";
import { listOrders } from "#app/features/orders/orders.server.ts";
import { listSavedSearches } from "#app/features/saved-searches/saved-searches.server.ts";
import { seedDemoData } from "../../scripts/demo/seed.ts";
import { accessibilityViolations } from "../harness/accessibility.ts";
import { openPage, openSharedPage, startWithBrowser, storageStateOf } from "../harness/browser.ts";
import { waitForEmailTo } from "../harness/emails.ts";
import { textOf } from "../harness/html.ts";
import { picture } from "../harness/images.ts";
import { boxOf, logIn, waitForHydration } from "../harness/page-objects.ts";
import { addAccount, addPhone, password, sessionSecret, visitor } from "../harness/server.ts";

type Profile = NonNullable<BrowserContextOptions["storageState"]>;

const { server, browser } = await startWithBrowser();
const profiles: Record<string, Profile> = {};
let phoneId: string;
let ownPhoneId: string;
let soldPhoneId: string;
let wordySellerId: string;
let wordySlug: string;
let idleSellerId: string;
/** A listing with a price history and past sales of its model. */
let comparedPhoneId: string;
const orderIds: Record<string, string> = {};
let reservedPhoneId: string;
let emailToken: string;
let conversationPath: string;
let searchId: string;
let decisionId: string;
let messageId: string;

beforeAll(async () => {
  await seedDemoData(server.db);
  const [buyer, seller] = [await addAccount(server.db), await addAccount(server.db, { userType: "Seller" })];
  phoneId = (await addPhone(server.db)).id;
  const wordy = { userType: "Seller", name: `Prof. Dr. ${"Donaudampfschifffahrt".repeat(4)}` } as const;
  wordySellerId = (await addAccount(server.db, wordy)).id;
  idleSellerId = (await addAccount(server.db, { userType: "Seller" })).id;
  const words = { sellerId: wordySellerId, model: "Kapitänsmütze".repeat(9), processor: "x".repeat(100) };
  await addPhone(server.db, { ...words, status: "reserved" });
  for (const condition of [...conditions, null])
    await addPhone(server.db, {
      ...words,
      rom: "Anything from 64 to 128 GB",
      condition,
      sellingCents: 9_999_999,
    });
  wordySlug = modelSlug({ brandName: "Fairphone", model: words.model });
  soldPhoneId = (await addPhone(server.db, { ...words, status: "sold" })).id;
  ownPhoneId = (await addPhone(server.db, { sellerId: seller.id })).id;
  const buyerClient = visitor(server);
  await buyerClient.signIn(buyer.email);
  const otherSeller = await addAccount(server.db, { userType: "Seller" });
  const sellerClient = visitor(server);
  await sellerClient.signIn(otherSeller.email);
  const prices = { marketCents: 129_900, sellingCents: 101_050 };
  for (const model of ["cancelled", "received", "handed over", "reserved"]) {
    const { id } = await addPhone(server.db, { model, sellerId: otherSeller.id, ...prices });
    await buyerClient.post(`/products/${id}/book`, { address: "1 Quay Street", phone: "12345" });
    const orderId = (await listOrders(server.db, buyer, null)).rows[0]?.id ?? "";
    orderIds[model] = orderId;
    reservedPhoneId = id;
    const submit = (person: typeof buyerClient, intent: string) =>
      person.post(`/manage/orders/${orderId}`, { intent });
    if (model === "cancelled") await submit(buyerClient, "cancel");
    if (model === "received" || model === "handed over") await submit(sellerClient, "hand over");
    if (model === "received") await submit(buyerClient, "receive");
  }
  const soldOut = await addPhone(server.db, { model: "Sold Out", sellerId: otherSeller.id, status: "sold" });
  await server.db.insert(orders).values({
    ...{ phoneId: soldOut.id, buyerId: "somebody", productName: "Fairphone Sold Out", ram: "", rom: "" },
    ...{ buyerName: "", buyerAddress: "", email: "", phoneNumber: "", priceCents: 10_000 },
    stage: "received",
  });
  const [compared] = await server.db
    .select({ id: phones.id })
    .from(priceChanges)
    .innerJoin(phones, eq(phones.id, priceChanges.phoneId))
    .where(eq(phones.model, "iPhone 15 Pro"));
  comparedPhoneId = compared?.id ?? "";
  profiles["a seller with orders"] = await storageStateOf(server, otherSeller.email);
  const long = "x".repeat(300);
  await visitor(server).post("/report", {
    name: "Ingrid",
    email: `${long.slice(60)}@example.com`,
    details: long,
  });
  const governing = visitor(server);
  await governing.signIn("admin@example.com");
  await governing.post("/manage/sellers", { _id: seller.id, intent: "verify" });
  const owner = visitor(server);
  await owner.signIn(seller.email);
  for (const background of ["#884422", "#224488"]) {
    await owner.send(`/manage/mysells/${ownPhoneId}/photos/upload`, {
      method: "POST",
      body: new Uint8Array(await picture("jpeg", { background })),
      headers: { Origin: server.url, "Content-Type": "application/octet-stream" },
    });
  }
  profiles["a buyer with orders"] = await storageStateOf(server, buyer.email);
  profiles["a seller without orders"] = await storageStateOf(server, seller.email);
  await visitor(server).post("/forgot", { email: buyer.email });
  profiles["one with a link to a new password"] = await follow(
    (await waitForEmailTo(server, buyer.email, "/reset")).path,
  );
  await buyerClient.post("/manage/account/verify");
  emailToken = await unsubscribeToken([sessionSecret], { userId: buyer.id, kind: "booked" });
  const asked = await buyerClient.post(`/manage/messages/new?phone=${reservedPhoneId}`, {
    text: `${"Donaudampfschifffahrt".repeat(8)}\n\nhttps://example.com/`,
    confirmed: "link",
  });
  conversationPath = asked.headers.get("Location") ?? "";
  const [question] = await server.db
    .select({ id: messages.id })
    .from(messages)
    .where(eq(messages.conversationId, conversationPath.split("/").at(-1) ?? ""));
  messageId = question?.id ?? "";
  await buyerClient.post("/manage/saved/state", { save: comparedPhoneId });
  await buyerClient.post("/manage/saved/state", { save: reservedPhoneId });
  const settings = { name: "x".repeat(60), frequency: "daily" };
  await buyerClient.post(`/manage/searches/new?list=android&q=${"x".repeat(80)}&to=900`, settings);
  searchId = (await listSavedSearches(server.db, buyer))[0]?.id ?? "";
  const spam = { reason: "duplicate", details: "x".repeat(300) };
  for (const id of [ownPhoneId, reservedPhoneId]) await buyerClient.post(`/report/listing/${id}`, spam);
  await sellerClient.post(`/report/message/${messageId}`, { ...spam, reason: "spam" });
  const warning = { decision: "warn", reason: `Listed twice. ${"x".repeat(200)}`, days: "7" };
  await governing.post(`/manage/moderation/listing/${ownPhoneId}`, warning);
  const [decided] = await server.db.select({ id: decisions.id }).from(decisions);
  decisionId = decided?.id ?? "";
  const token = { name: "x".repeat(60), scope: "write", days: "365" };
  await buyerClient.post("/manage/account/tokens", token);
  profiles["one with a link to confirm an address"] = await follow(
    (await waitForEmailTo(server, buyer.email, "/verify")).path,
  );
  const open = (device: string) => openSession(server.db, seller, { seconds: 3600, device });
  for (let count = 0; count < 50; count += 1) await open(count ? "Firefox on Windows" : "x".repeat(300));
  const without = await addAccount(server.db, { name: "x".repeat(100) });
  profiles["one without a password"] = await storageStateOf(server, without.email);
  await server.db.update(users).set({ passwordHash: null }).where(eq(users.id, without.id));
  profiles["a moderator"] = await storageStateOf(server, "moderator@example.com");
  profiles["an administrator"] = await storageStateOf(server, "admin@example.com");
});

/** Follows a link, and returns the browser's storage state. */
async function follow(path: string): Promise<Profile> {
  const context = await browser.newContext({ baseURL: server.url.replace("127.0.0.1", "localhost") });
  try {
    await (await context.newPage()).goto(path);
    return await context.storageState();
  } finally {
    await context.close();
  }
}

const opened = new Map<string, ReturnType<typeof openSharedPage>>();

/** The pages of each role, shared by the tests. */
function pageOf(who = "a stranger") {
  const options: BrowserContextOptions = {
    storageState: profiles[who],
    // Colors are checked without transitions.
    reducedMotion: "reduce",
  };
  const page = opened.get(who) ?? openSharedPage(browser, server, options);
  opened.set(who, page);
  return page;
}

/** Each page in each of its states, with a role that may see it. */
const pages: [what: string, expected: { path: () => string; as?: string; status?: number }][] = [
  ["home", { path: () => "/" }],
  ["login", { path: () => "/login" }],
  ["sign-up of buyers", { path: () => "/signup" }],
  ["sign-up of sellers", { path: () => "/sellersignup" }],
  ["all products", { path: () => "/products" }],
  ["Android phones", { path: () => "/android" }],
  ["iOS phones", { path: () => "/ios" }],
  ["tablets", { path: () => "/tablet" }],
  ["the last page of a list", { path: () => "/products?after=0" }],
  ["a filtered list", { path: () => "/products?q=a&brand=Apple&brand=x&from=10&to=9999&sort=saving" }],
  ["a list without results", { path: () => "/ios?q=zeppelin&from=10&to=5&verified=yes" }],
  ["details", { path: () => `/products/${phoneId}` }],
  ["a listing", { path: () => `/phones/${phoneId}` }],
  ["a listing with photos", { path: () => `/phones/${ownPhoneId}` }],
  ["a listing with past prices of its model", { path: () => `/phones/${comparedPhoneId}` }],
  ["details with a price history", { path: () => `/ios/${comparedPhoneId}` }],
  ["a reserved listing", { path: () => `/phones/${reservedPhoneId}` }],
  ["the visitor's own listing", { path: () => `/phones/${ownPhoneId}`, as: "a seller without orders" }],
  ["a sold listing with long words", { path: () => `/phones/${soldPhoneId}` }],
  ["a seller with long words", { path: () => `/sellers/${wordySellerId}` }],
  ["a seller without listings", { path: () => `/sellers/${idleSellerId}` }],
  ["a model", { path: () => "/models/apple-iphone-12" }],
  ["a model with long words", { path: () => modelPath(wordySlug) }],
  ["a sold-out model", { path: () => "/models/fairphone-sold-out" }],
  ["the last page of a model's listings", { path: () => "/models/apple-iphone-12?after=0" }],
  ["an unknown model", { path: () => "/models/none", status: 404 }],
  ["an unknown listing", { path: () => "/phones/none", status: 404 }],
  [
    "a comparison with long words",
    { path: () => `/compare?ids=${[phoneId, soldPhoneId, ownPhoneId, reservedPhoneId].join("&ids=")}` },
  ],
  ["a comparison's differences", { path: () => `/compare?ids=${phoneId}&ids=${ownPhoneId}&differences=yes` }],
  ["a comparison of one phone", { path: () => `/compare?ids=${phoneId}` }],
  ["an empty comparison", { path: () => "/compare" }],
  ["blogs", { path: () => "/blogs" }],
  ["about", { path: () => "/about" }],
  ["the API reference", { path: () => "/api" }],
  ["report", { path: () => "/report" }],
  ["an unknown path", { path: () => "/nowhere", status: 404 }],
  ["an unknown phone in a dialog", { path: () => "/products/none", status: 404 }],
  ["forgot password", { path: () => "/forgot" }],
  ["forgot password, sent", { path: () => "/forgot?sent=" }],
  ["a new password", { path: () => "/reset", as: "one with a link to a new password" }],
  ["a new password without a link", { path: () => "/reset", status: 410 }],
  ["verifying an address", { path: () => "/verify", as: "one with a link to confirm an address" }],
  ["verifying an address without a link", { path: () => "/verify", status: 410 }],
  ["requesting a verification link", { path: () => "/verify", as: "a buyer with orders", status: 410 }],
  ["login when signed in", { path: () => "/login", as: "a buyer with orders" }],
  ["login to another account", { path: () => "/login?again=yes", as: "a buyer with orders" }],
  [
    "login after an administrator's page",
    { path: () => "/login?redirectTo=/manage/users", as: "a buyer with orders" },
  ],
  ["sign-up when signed in", { path: () => "/signup", as: "a buyer with orders" }],
  ["booking", { path: () => `/products/${phoneId}/book`, as: "a buyer with orders" }],
  ["booking refused", { path: () => `/ios/${ownPhoneId}/book`, as: "a seller without orders" }],
  ["orders", { path: () => "/manage", as: "a buyer with orders" }],
  ...Object.entries({
    "an order to be cancelled": ["reserved", "a buyer with orders"],
    "an order to be handed over": ["reserved", "a seller with orders"],
    "an order to be received": ["handed over", "a buyer with orders"],
    "a received order": ["received", "a seller with orders"],
    "a cancelled order": ["cancelled", "a buyer with orders"],
  } as const).map(([what, [stage, as]]): (typeof pages)[number] => [
    what,
    { path: () => `/manage/orders/${orderIds[stage]}`, as },
  ]),
  [
    "another user's order",
    { path: () => `/manage/orders/${orderIds.reserved}`, as: "a seller without orders", status: 404 },
  ],
  ["notifications", { path: () => "/manage/notifications", as: "a seller with orders" }],
  ["no notifications", { path: () => "/manage/notifications", as: "one without a password" }],
  ["stopping emails", { path: () => `/unsubscribe?token=${emailToken}` }],
  ["stopping emails without a link", { path: () => "/unsubscribe", status: 410 }],
  ["messages", { path: () => "/manage/messages", as: "a buyer with orders" }],
  ["no messages", { path: () => "/manage/messages", as: "one without a password" }],
  ["a conversation", { path: () => conversationPath, as: "a buyer with orders" }],
  ["a first message", { path: () => `/manage/messages/new?phone=${phoneId}`, as: "a buyer with orders" }],
  ["saved listings", { path: () => "/manage/saved", as: "a buyer with orders" }],
  ["no saved listings", { path: () => "/manage/saved", as: "one without a password" }],
  ["saved searches", { path: () => "/manage/searches", as: "a buyer with orders" }],
  ["no saved searches", { path: () => "/manage/searches", as: "one without a password" }],
  ["saving a search", { path: () => "/manage/searches/new?q=a&to=100&list=ios", as: "a buyer with orders" }],
  ["nothing to save", { path: () => "/manage/searches/new", as: "one without a password" }],
  ["editing a search", { path: () => `/manage/searches/${searchId}/edit`, as: "a buyer with orders" }],
  ["reporting a listing", { path: () => `/report/listing/${phoneId}`, as: "a buyer with orders" }],
  ["a listing reported before", { path: () => `/report/listing/${ownPhoneId}`, as: "a buyer with orders" }],
  ["a decision to appeal", { path: () => `/manage/decisions/${decisionId}`, as: "a seller without orders" }],
  ["no orders", { path: () => "/manage", as: "a seller without orders" }],
  ["add phone", { path: () => "/addphone", as: "a seller without orders" }],
  [
    "editing a reserved listing",
    { path: () => `/manage/mysells/${reservedPhoneId}/edit`, as: "a seller with orders" },
  ],
  ["listing statistics", { path: () => "/manage/mysells/numbers", as: "a seller with orders" }],
  ["sellings with orders", { path: () => "/manage/mysells", as: "a seller with orders" }],
  ["sellings", { path: () => "/manage/mysells", as: "a seller without orders" }],
  ["photos", { path: () => `/manage/mysells/${ownPhoneId}/photos`, as: "a seller without orders" }],
  ["no photos", { path: () => `/manage/mysells/${reservedPhoneId}/photos`, as: "a seller with orders" }],
  ["editing a listing", { path: () => `/manage/mysells/${ownPhoneId}/edit`, as: "a seller without orders" }],
  ["all listings", { path: () => "/manage/listings", as: "an administrator" }],
  ["all orders", { path: () => "/manage/orders", as: "an administrator" }],
  ["no sellings", { path: () => "/manage/mysells", as: "an administrator" }],
  ["a table's next page", { path: () => `/manage/listings?after=${phoneId}`, as: "an administrator" }],
  [
    "an empty page of a table",
    { path: () => "/manage/listings?after=00000000-0000-7000-8000-000000000000", as: "an administrator" },
  ],
  ["users", { path: () => "/manage/users", as: "an administrator" }],
  ["a user", { path: () => `/manage/users/${wordySellerId}`, as: "an administrator" }],
  [
    "users that a filter leaves out",
    { path: () => "/manage/users?q=nobody&role=Buyer&sort=name", as: "an administrator" },
  ],
  [
    "chosen users",
    {
      path: () => `/manage/selected?action=delete%20users&id=${wordySellerId}`,
      as: "an administrator",
    },
  ],
  ["found records", { path: () => "/manage/search?q=prof", as: "an administrator" }],
  ["found nothing", { path: () => "/manage/search?q=zeppelin", as: "an administrator" }],
  ["moderation", { path: () => "/manage/moderation", as: "an administrator" }],
  ["signals", { path: () => "/manage/moderation?show=signals", as: "an administrator" }],
  ["decisions", { path: () => "/manage/moderation?show=decided", as: "an administrator" }],
  ["nothing held", { path: () => "/manage/moderation?show=held", as: "an administrator" }],
  [
    "a reported listing",
    { path: () => `/manage/moderation/listing/${reservedPhoneId}`, as: "an administrator" },
  ],
  ["a reported message", { path: () => `/manage/moderation/message/${messageId}`, as: "an administrator" }],
  ["a decided listing", { path: () => `/manage/moderation/listing/${ownPhoneId}`, as: "an administrator" }],
  ["a case for a moderator", { path: () => `/manage/moderation/listing/${ownPhoneId}`, as: "a moderator" }],
  ["content reports for a moderator", { path: () => "/manage/content-reports", as: "a moderator" }],
  ["numbers", { path: () => "/manage/numbers?days=365", as: "an administrator" }],
  ["system", { path: () => "/manage/system", as: "an administrator" }],
  ["pages", { path: () => "/manage/pages", as: "an administrator" }],
  ["a page in its editor", { path: () => "/manage/pages/terms", as: "an administrator" }],
  ["a new page", { path: () => "/manage/pages/new", as: "an administrator" }],
  ["a published page", { path: () => "/pages/warranty" }],
  ["announcements", { path: () => "/manage/announcements", as: "an administrator" }],
  ["sellers", { path: () => "/manage/sellers", as: "an administrator" }],
  ["work", { path: () => "/manage/work", as: "an administrator" }],
  ["no work", { path: () => "/manage/work?kind=appeals", as: "a moderator" }],
  ["reports", { path: () => "/manage/reports", as: "an administrator" }],
  ["content reports", { path: () => "/manage/content-reports", as: "an administrator" }],
  ["my account", { path: () => "/manage/account", as: "a buyer with orders" }],
  ["my account of a shop", { path: () => "/manage/account", as: "a seller with orders" }],
  ["security", { path: () => "/manage/account/security", as: "a buyer with orders" }],
  ["addresses", { path: () => "/manage/account/addresses", as: "a buyer with orders" }],
  ["choice of emails", { path: () => "/manage/account/emails", as: "an administrator" }],
  ["own data", { path: () => "/manage/account/data", as: "a buyer with orders" }],
  ["activity", { path: () => "/manage/activity", as: "an administrator" }],
  ["many sessions", { path: () => "/manage/account/security", as: "a seller without orders" }],
  ["tokens", { path: () => "/manage/account/tokens", as: "a buyer with orders" }],
  ["no tokens", { path: () => "/manage/account/tokens", as: "a seller with orders" }],
  ["security without a password", { path: () => "/manage/account/security", as: "one without a password" }],
  ["own data without a password", { path: () => "/manage/account/data", as: "one without a password" }],
];

test.each(pages)(
  "%s: no console errors, no external requests, valid HTML, accessible, fits a narrow screen",
  async (_what, expected) => {
    const { page, observed } = await pageOf(expected.as);
    observed.problems.length = 0;
    observed.externalRequests.length = 0;
    const path = expected.path();
    const response = await page.goto(path);
    await waitForHydration(page);
    expect(response?.status()).toBe(expected.status ?? 200);
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(path);
    expect.soft(await faultsOfHtml((await response?.text()) ?? ""), "HTML").toEqual([]);
    const { access, tooWide } = await faultsOfLook(page);
    expect.soft(access, "accessibility").toEqual([]);
    expect.soft(tooWide, "width").toEqual([]);
    expect.soft(observed.externalRequests, "foreign requests").toEqual([]);
    // Chromium reports a 404.
    const ownReport = `the server responded with a status of ${expected.status} `;
    expect
      .soft(
        observed.problems.filter((complaint) => !complaint.includes(ownReport)),
        "console",
      )
      .toEqual([]);
  },
);

test("a handset shows four cards of a list, each with the picture on the left and all its facts", async () => {
  const { page } = await openPage(browser, server, { viewport: { width: 390, height: 844 } });
  await page.goto("/products");
  const cards = await page.getByRole("article").evaluateAll((articles) =>
    articles.map((article) => {
      const facts = article.querySelector(".phone-card-facts");
      return {
        bottom: article.getBoundingClientRect().bottom,
        picture: article.querySelector("img")?.getBoundingClientRect().right ?? Number.NaN,
        title: article.querySelector("h2")?.getBoundingClientRect().left ?? 0,
        isCut: !facts || facts.scrollHeight > facts.clientHeight || facts.scrollWidth > facts.clientWidth,
      };
    }),
  );
  expect(cards).toHaveLength(24);
  expect(cards.filter(({ picture, title }) => !(picture <= title))).toEqual([]);
  expect(cards.filter(({ isCut }) => isCut)).toEqual([]);
  expect(cards[3]?.bottom).toBeLessThanOrEqual(844);
});

test.each([
  [1280, 800, 6],
  [1920, 1080, 10],
])(
  "a screen of %i by %i px shows %i devices of a list with their buttons",
  async (width, height, devices) => {
    const { page } = await openPage(browser, server, { viewport: { width, height } });
    await page.goto("/products?q=unlocked&from=1");
    const shown = await page
      .getByRole("link", { name: "Buy Now" })
      .evaluateAll(
        (links) => links.filter((link) => link.getBoundingClientRect().bottom <= innerHeight).length,
      );
    expect(shown).toBeGreaterThanOrEqual(devices);
    const onPicture = await page.locator(".phone-card").evaluateAll((cards) => {
      const box = (card: Element, name: string) => card.querySelector(name)?.getBoundingClientRect();
      return cards.filter(
        (card) => (box(card, ".save-heart")?.left ?? 0) < (box(card, ".phone-card-picture")?.right ?? 0),
      ).length;
    });
    expect(onPicture).toBe(0);
    const content = () => page.getByRole("main").locator(".page-width").first().boundingBox();
    const { x, width: contentWidth } = (await content()) ?? {};
    expect(contentWidth).toBe(Math.min(width, 1440));
    const wordmark = () => page.getByRole("banner").getByRole("link").first().boundingBox();
    const onList = await wordmark();
    await page.goto("/about");
    expect(await wordmark()).toEqual(onList);
    expect(await content()).toMatchObject({ x, width: contentWidth });
  },
);

test("on a handset, chips of more than two lines are behind Show all, without JavaScript, too", async () => {
  const { page } = await openPage(browser, server, {
    javaScriptEnabled: false,
    viewport: { width: 390, height: 844 },
  });
  const chips = page.getByRole("list", { name: "Applied filters" });
  const height = async () => Math.round((await chips.boundingBox())?.height ?? 0);
  await page.goto("/products?verified=yes&available=yes");
  expect(await page.getByText("Show all 2").count()).toBe(0);
  await page.goto("/products?q=iphone&verified=yes&available=yes&condition=Good&condition=Excellent&to=900");
  expect(await height()).toBe(80);
  await page.getByText("Show all 6").click();
  expect(await height()).toBeGreaterThan(80);
  await page.getByText("Show fewer").click();
  expect(await height()).toBe(80);
});

test("on a handset the home page is at most 6,500 px high, with the categories in one row", async () => {
  const { page } = await openPage(browser, server, { viewport: { width: 390, height: 844 } });
  await page.goto("/");
  const categories = page.getByRole("region", { name: "Choose a category" });
  const tops = ["Android", "iPhone", "Tablets"].map(
    async (name) => (await boxOf(categories.getByRole("link", { name, exact: true }))).top,
  );
  expect(new Set(await Promise.all(tops)).size).toBe(1);
  expect(await page.getByRole("region", { name: "Just listed" }).getByRole("article").count()).toBe(4);
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(6500);
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    const buttons = await page.getByRole("button", { name: "Add Review" }).all();
    expect(buttons).toHaveLength(3);
    const tops = buttons.map(async (button) => (await button.boundingBox())?.y);
    expect(new Set(await Promise.all(tops)).size, `${width} px`).toBe(1);
  }
  for (const [button, answer] of [
    ["Send message", "Send it to our team"],
    ["Add Review", "These reviews are samples"],
  ]) {
    await page.getByRole("button", { name: button }).first().click();
    await page.getByRole("dialog", { name: answer }).getByRole("button", { name: "Close" }).click();
  }

  const contact = page.getByRole("form", { name: "Contact" });
  await contact.getByLabel("Name").fill("Mia Sund");
  await contact.getByLabel("Message").fill("Do you buy broken phones?");
  await contact.getByRole("button", { name: "Send message" }).click();
  await page.getByRole("button", { name: "Go to the report page" }).click();
  await page.waitForURL(/\/report$/);
  expect(await page.getByLabel("Name").inputValue()).toBe("Mia Sund");
  expect(await page.getByLabel("Problem").inputValue()).toBe("Do you buy broken phones?");
});

/** The sum of the layout shifts from the navigation until the fonts are there and drawn. */
async function layoutShift(): Promise<number> {
  let sum = 0;
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) sum += (entry as PerformanceEntry & { value: number }).value;
  });
  observer.observe({ type: "layout-shift", buffered: true });
  await document.fonts.ready;
  // Entries are reported after the frame that they are of.
  for (let frames = 0; frames < 3; frames += 1) await new Promise(requestAnimationFrame);
  await new Promise((resolve) => setTimeout(resolve));
  return sum;
}

test.each([360, 390, 1280])(
  "home, lists, listing, login and about load without layout shift at %i px",
  async (width) => {
    const { page } = await openPage(browser, server, { viewport: { width, height: 844 } });
    for (const path of ["/", "/products", "/products?after=40", `/phones/${phoneId}`, "/login", "/about"]) {
      await page.goto(path);
      await waitForHydration(page);
      // A heading whose font arrives late moves by less.
      expect.soft(await page.evaluate(layoutShift), path).toBeLessThan(0.005);
    }
  },
);

test("a list with full cards and all its filters has at most 900 elements", async () => {
  const seller = await addAccount(server.db, { userType: "Seller", verified: true });
  for (let number = 0; number < 40; number += 1) {
    const sizes = { ram: `${number} GB`, rom: `${8 * number} GB` };
    await addPhone(server.db, {
      ...{ brandName: `Brand ${number}`, sellerId: seller.id, ...sizes },
      ...{ deviceType: "Tablet", condition: "Good", batteryHealth: 95, sellingCents: 10_000 },
    });
  }
  const { page } = await openPage(browser, server);
  await page.goto("/tablet");
  await waitForHydration(page);
  expect(await page.getByText("Battery 95%").count()).toBe(24);
  expect(await page.getByRole("article").getByText("Verified seller").count()).toBe(24);
  expect(await page.evaluate(() => document.querySelectorAll("*").length)).toBeLessThanOrEqual(900);
});

test("a form with errors is accessible and valid", async () => {
  const { page } = await openPage(browser, server, { reducedMotion: "reduce" });
  await page.goto("/signup");
  await page.getByRole("button", { name: "Sign Up" }).click();
  await page.getByRole("alert").waitFor();
  expect(await faultsOfLook(page)).toEqual({ access: [], tooWide: [] });
  const response = await visitor(server).post("/signup", { name: "", email: "nobody", password: "a" });
  expect(response.status).toBe(400);
  expect(await faultsOfHtml(await response.text())).toEqual([]);
});

test("the add-phone form with all errors is accessible and fits a narrow screen", async () => {
  const { page } = await openPage(browser, server, {
    storageState: profiles["a seller without orders"],
    reducedMotion: "reduce",
  });
  await page.goto("/addphone");
  await page.getByRole("button", { name: "Submit" }).click();
  await page.getByRole("alert").waitFor();
  expect(await faultsOfLook(page)).toEqual({ access: [], tooWide: [] });
});

test("the photos page with rejected files is accessible, valid and fits a narrow screen", async () => {
  const path = `/manage/mysells/${ownPhoneId}/photos`;
  const wrong = Buffer.from("not a picture");
  for (const javaScriptEnabled of [true, false]) {
    const { page } = await openPage(browser, server, {
      storageState: profiles["a seller without orders"],
      reducedMotion: "reduce",
      javaScriptEnabled,
    });
    await page.goto(path);
    if (javaScriptEnabled) await waitForHydration(page);
    const name = `${"x".repeat(80)}.jpg`;
    await page.getByLabel("Choose photos").setInputFiles([{ name, mimeType: "image/jpeg", buffer: wrong }]);
    if (!javaScriptEnabled) await page.getByRole("button", { name: "Add photos" }).click();
    await page.getByRole("alert").filter({ hasText: "isn’t a JPEG" }).waitFor();
    if (javaScriptEnabled) expect(await faultsOfLook(page)).toEqual({ access: [], tooWide: [] });
    else expect(await faultsOfHtml(await page.content())).toEqual([]);
  }
});

test("my account with errors is accessible, valid and fits a narrow screen", async () => {
  const { page } = await openPage(browser, server, {
    storageState: profiles["a seller without orders"],
    reducedMotion: "reduce",
  });
  const forms = { security: "Change password", data: "Delete my account", addresses: "Add address" };
  for (const [path, name] of Object.entries(forms)) {
    await page.goto(`/manage/account/${path}`);
    await waitForHydration(page);
    if (path === "security") await page.getByText(/^\d+ more$/).click();
    await page.getByRole("button", { name }).click();
    await page.getByRole("region").getByRole("alert").first().waitFor();
    expect([path, await faultsOfLook(page)]).toEqual([path, { access: [], tooWide: [] }]);
  }
  const person = visitor(server);
  await person.signIn((await addAccount(server.db)).email);
  const fields = { intent: "password", currentPassword: "guess1ng", password: "" };
  const response = await person.post("/manage/account/security", fields);
  expect(response.status).toBe(400);
  expect(await faultsOfHtml(await response.text())).toEqual([]);
});

test("open menus and drawers are accessible", async () => {
  const { page } = await openPage(browser, server, {
    ...{ reducedMotion: "reduce", storageState: profiles["an administrator"] },
    viewport: { width: 390, height: 844 },
  });
  const states = [
    ["/manage/users", page.getByRole("button", { name: "Menu" })],
    ["/products", page.getByRole("button", { name: "Filters" })],
    ["/", page.locator("summary[aria-label=Menu]")],
  ] as const;
  for (const [path, control] of states) {
    await page.goto(path);
    await waitForHydration(page);
    await control.click();
    expect([path, await accessibilityViolations(page)]).toEqual([path, []]);
    expect(await page.evaluate(scrollersSideways)).toEqual([]);
  }
});

test("in forced colors a primary button differs from an outlined one", async () => {
  const { page } = await openPage(browser, server, { forcedColors: "active" });
  await page.goto("/products");
  const backgroundOf = (name: string) =>
    page
      .getByRole("article")
      .first()
      .getByRole("link", { name })
      .evaluate((link) => getComputedStyle(link).backgroundColor);
  expect(await backgroundOf("Buy Now")).not.toBe(await backgroundOf("Details"));
});

test("a page with a flash message is accessible and valid", async () => {
  const { email } = await addAccount(server.db);
  const { page } = await openPage(browser, server, { reducedMotion: "reduce" });
  await logIn(page, email, password);
  expect(await faultsOfLook(page)).toEqual({ access: [], tooWide: [] });
  // Axe does not check icons.
  const colors = [page.getByRole("button", { name: "Close message" }), page.getByRole("status")].map(
    (element) => element.evaluate((node) => getComputedStyle(node).color),
  );
  expect(await colors[0]).toBe(await colors[1]);
  const someone = visitor(server);
  await someone.logIn(email);
  const html = await (await someone.get("/")).text();
  expect(textOf(html)).toContain(`${email} account created`);
  // The address breaks after its "@".
  expect(html).toContain(`${email.replace("@", "@<wbr/>")} account created`.split(".")[0]);
  expect(await faultsOfHtml(html)).toEqual([]);
});

const validator = new HtmlValidate({ extends: ["html-validate:standard"] });

async function faultsOfHtml(html: string): Promise<string[]> {
  const { results } = await validator.validateString(html);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector})`),
  );
}

/** Each width and each color scheme once. */
const looks = [
  { width: 1280, colorScheme: "dark" },
  { width: 360, colorScheme: "light" },
] as const;

/** The axe violations, the horizontal overflow and the broken words of a page in each setting. */
async function faultsOfLook(page: Page): Promise<{ access: string[]; tooWide: string[] }> {
  const [access, tooWide]: [string[], string[]] = [[], []];
  for (const { width, colorScheme } of looks) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    await page.waitForFunction(isAtRest);
    const found = await accessibilityViolations(page);
    access.push(...found.map((fault) => `${colorScheme}, ${width} px: ${fault}`));
    tooWide.push(...(await page.evaluate(scrollersSideways)), ...(await page.evaluate(brokenWords)));
  }
  return { access, tooWide };
}

/** Whether no short transition is running; animations of more than a second (a toast) are ignored. */
function isAtRest(): boolean {
  return document
    .getAnimations()
    .every(
      ({ playState, effect }) =>
        playState !== "running" || Number(effect?.getComputedTiming().endTime) > 1000,
    );
}

/** Words of up to 20 letters that are on two lines. */
function brokenWords(): string[] {
  const broken: string[] = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const element = text.parentElement;
    if (!element?.checkVisibility() || element.closest(".sr-only, pre, code, .font-mono")) continue;
    for (const { 0: word, index } of (text.textContent ?? "").matchAll(/[^\s\-/@]{1,20}(?=[\s\-/@]|$)/g)) {
      if (/[^\s\-/@]/.test(text.textContent?.[index - 1] ?? "")) continue;
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const lines = new Set(
        [...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => top),
      );
      if (lines.size > 1) broken.push(`"${word}" is broken`);
    }
  }
  return broken;
}

/** The horizontal overflow of the page and its dialogs, in pixels. */
function scrollersSideways(): string[] {
  const scrollers = [document.documentElement, ...document.querySelectorAll("dialog, dialog > *")];
  return scrollers
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .map((scroller) => {
      const { tagName, className, scrollWidth, clientWidth } = scroller;
      return `${tagName} ${className}: ${scrollWidth} px in ${clientWidth} px`;
    });
}
