import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { messages, offers, orders, phones, removals, users } from "#app/db/schema.ts";
import { allowRebooking } from "#app/features/orders/booking.server.ts";
import { answerOffer, makeOffer } from "#app/features/orders/offers.server.ts";
import { cancelOrder } from "#app/features/orders/order-steps.server.ts";
import { addSavedAddress } from "#app/features/orders/saved-addresses.server.ts";
import { dayMs } from "#app/time.ts";
import type { LocalServer } from "../../scripts/local-server.ts";
import { apiClient, signedInClient } from "../harness/api-client.ts";
import { bookWithoutLimits } from "../harness/bookings.ts";
import { dataPath } from "../harness/data-path.ts";
import { fieldValue, tagsOf, textOf } from "../harness/html.ts";
import { startLibsql } from "../harness/libsql.ts";
import { addAccount, addPhone, sharedServer, startServer, type Visitor, visitor } from "../harness/server.ts";

const details = { address: "1 Harbour Street", phone: "+46 70 123 45 67" };
const tooLate = "This device has just been reserved";

let server: LocalServer;
beforeAll(async () => {
  server = await sharedServer();
});

async function buyer() {
  const account = await addAccount(server.db);
  const someone = visitor(server);
  await someone.signIn(account.email);
  return { ...someone, account };
}

const ordersOf = (phoneId: string) => server.db.select().from(orders).where(eq(orders.phoneId, phoneId));

async function statusOf(phoneId: string) {
  const [phone] = await server.db.select().from(phones).where(eq(phones.id, phoneId));
  return phone?.status;
}

describe("booking a phone", () => {
  test("redirects an anonymous visitor to login, and back to the form", async () => {
    const { id } = await addPhone(server.db);
    const { email } = await addAccount(server.db);
    const someone = visitor(server);
    const login = (await someone.get(`/android/${id}/book?after=zzz`)).headers.get("Location") ?? "";
    const response = await someone.post(login, { email, password: "secret1" });
    expect(response.headers.get("Location")).toBe(`/android/${id}/book?after=zzz`);
  });

  test("offers to pick up what can be picked up, and sends no address then", async () => {
    const choicesFor = async (delivery: string | null) => {
      const { get, post, account } = await buyer();
      const { id } = await addPhone(server.db, { details: delivery ? { delivery } : {} });
      const path = `/products/${id}/book`;
      const html = await (await get(path)).text();
      const choices = tagsOf(html)
        .filter(({ attributes }) => attributes.get("name") === "savedAddress")
        .map(({ attributes }) => attributes.get("value") + (attributes.has("checked") ? ", chosen" : ""));
      const fields = { ...details, account: account.email, savedAddress: "pick-up", saveAddress: "on" };
      if (choices.length > 0) expect((await post(path, fields)).status).toBe(303);
      const [order] = await ordersOf(id);
      return [...choices, order && [order.buyerAddress, order.phoneNumber].join()];
    };
    expect(await choicesFor("either")).toEqual(["pick-up", "another, chosen", ","]);
    expect(await choicesFor("in person")).toEqual(["pick-up, chosen", "another", ","]);
    expect(await choicesFor("shipped")).toEqual([undefined]);
    expect(await choicesFor(null)).toEqual([undefined]);
  });

  test("that is to be sent needs an address", async () => {
    const { post, account } = await buyer();
    const { id } = await addPhone(server.db, { details: { delivery: "either" } });
    const fields = { address: " ", phone: "1", account: account.email, savedAddress: "another" };
    const refused = await post(`/products/${id}/book`, fields);
    expect(refused.status).toBe(400);
    expect(textOf(await refused.text())).toMatch(/Fix one field: Address .* Address required/);
    expect(await ordersOf(id)).toEqual([]);
    expect((await post(`/products/${id}/book`, { ...fields, address: "1 Quay Street" })).status).toBe(303);
  });

  test("is not picked up where that is not offered, and may leave the address blank there", async () => {
    for (const delivery of ["shipped", null])
      for (const hasSaved of [false, true]) {
        const { post, account } = await buyer();
        if (hasSaved) await addSavedAddress(server.db, account, details);
        const { id } = await addPhone(server.db, { details: delivery ? { delivery } : {} });
        const fields = { address: "", phone: "", account: account.email };
        const refused = await post(`/products/${id}/book`, { ...fields, savedAddress: "pick-up" });
        expect(refused.status).toBe(400);
        expect(textOf(await refused.text())).toContain("You can’t pick this device up.");
        expect(await ordersOf(id)).toEqual([]);
        const choice: Record<string, string> = hasSaved ? { savedAddress: "another" } : {};
        expect((await post(`/products/${id}/book`, { ...fields, ...choice })).status).toBe(303);
      }
    const { post, account } = await buyer();
    const unknown = { account: account.email, savedAddress: "pick-up" };
    expect((await post("/products/nothing/book", unknown)).status).toBe(404);
  });

  test("shows the device read-only, and requires address and phone", async () => {
    const { get, account } = await buyer();
    const { id } = await addPhone(server.db, { ram: "6 GB", rom: "64 GB", sellingCents: 123_450 });
    const html = await (await get(`/products/${id}/book`)).text();
    const fixed = tagsOf(html).filter(
      ({ name, attributes }) => name === "input" && attributes.has("readonly"),
    );
    const shown = { ram: "6 GB", name: account.name, email: account.email, price: "$1,234.50", rom: "64 GB" };
    expect(
      Object.fromEntries(fixed.map(({ attributes }) => [attributes.get("name"), attributes.get("value")])),
    ).toEqual(shown);
    expect([fieldValue(html, "address"), fieldValue(html, "phone")]).toEqual(["", ""]);
  });

  test("is confirmed on the order's page, on the list and in My Orders", async () => {
    const { get, post, account } = await buyer();
    const phone = await addPhone(server.db, { brandName: "Nokia", model: "XR20", sellingCents: 19_950 });
    const response = await post(`/android/${phone.id}/book?after=zzz`, details);
    const [order] = await ordersOf(phone.id);
    const confirmation = `/manage/orders/${order?.id}?booked=${encodeURIComponent("/android?after=zzz")}`;
    expect([response.status, response.headers.get("Location")]).toEqual([303, confirmation]);
    const confirmed = await (await get(confirmation)).text();
    expect(textOf(confirmed)).toContain("Your booking successful");
    expect(textOf(confirmed)).toMatch(
      /You booked it for \$199\.50 .* by \w{3} \d+, \d{4}\. If not, we cancel/,
    );
    expect(confirmed).toContain('href="/android?after=zzz"');
    // Also read aloud, the steps come first.
    const sections = ["order-steps", "order-actions", "order-facts"];
    const places = sections.map((id) => confirmed.indexOf(`aria-labelledby="${id}"`));
    expect(places).toEqual(places.filter((place) => place > 0).sort((one, other) => one - other));
    const elsewhere = await (await get(`/manage/orders/${order?.id}?booked=//evil.example`)).text();
    expect(elsewhere).not.toContain('href="//evil');
    const list = await (await get("/android")).text();
    expect(textOf(list)).toMatch(/Reserved Nokia XR20/);
    expect(list).toContain(`href="/android/${phone.id}"`);
    expect(list).not.toContain(`href="/android/${phone.id}/book"`);
    const orders = textOf(await (await get("/manage")).text());
    expect(orders).toContain(account.name);
    expect(orders).toContain("Nokia XR20");
    expect(orders).toContain("8 GB 256 GB");
    expect(orders).toContain("199.50$");
  });

  test("reads only address and phone from the form", async () => {
    const { post, account } = await buyer();
    const phone = await addPhone(server.db);
    const forged = {
      ...{
        price: "1",
        priceCents: "1",
        ram: "1 TB",
        rom: "1 TB",
        name: "Nobody",
        email: "nobody@example.com",
      },
      ...{ buyerId: "someone", phoneId: "another", status: "cancelled", id: "chosen", productName: "Gold" },
      deadlineAt: "4102444800000",
    };
    await post(`/products/${phone.id}/book`, { ...forged, ...details });
    const [{ id: _, createdAt: _at, ...order } = { id: "", createdAt: 0 }] = await ordersOf(phone.id);
    expect(order).toEqual({
      phoneId: phone.id,
      buyerId: account.id,
      productName: `${phone.brandName} ${phone.model}`,
      ram: phone.ram,
      rom: phone.rom,
      buyerName: account.name,
      buyerAddress: details.address,
      email: account.email,
      phoneNumber: details.phone,
      priceCents: phone.sellingCents,
      status: "active",
      parcelService: null,
      trackingNumber: null,
      stage: "reserved",
      removalId: null,
      soldById: phone.sellerId,
      formKey: null,
      deadlineAt: expect.any(Date),
      reminderAt: expect.any(Date),
      previousDeadlineAt: null,
      heldSince: null,
    });
    const [stored] = await ordersOf(phone.id);
    expect(stored?.deadlineAt?.getTime()).toBeLessThan(Date.now() + 6 * dayMs);
  });

  test("accepts blank address and phone", async () => {
    const { post } = await buyer();
    const { id } = await addPhone(server.db);
    expect((await post(`/products/${id}/book`, { address: "", phone: "" })).status).toBe(303);
    expect(await ordersOf(id)).toMatchObject([{ buyerAddress: "", phoneNumber: "" }]);
  });

  test("keeps too long input, and stores nothing", async () => {
    const { post } = await buyer();
    const { id } = await addPhone(server.db);
    const response = await post(`/products/${id}/book`, { address: "a".repeat(501), phone: "1" });
    expect(response.status).toBe(400);
    const html = await response.text();
    expect(textOf(html)).toContain("Address must be 500 characters or shorter");
    expect([fieldValue(html, "address"), fieldValue(html, "phone")]).toEqual(["a".repeat(501), "1"]);
    expect(await ordersOf(id)).toEqual([]);
    expect(await statusOf(id)).toBe("available");
  });
});

describe("an unavailable phone", () => {
  test("is refused to a second buyer, and nothing is stored", async () => {
    const [first, second] = [await buyer(), await buyer()];
    const { id } = await addPhone(server.db);
    await first.post(`/products/${id}/book`, details);
    const response = await second.post(`/products/${id}/book`, { address: "Elsewhere", phone: "2" });
    expect(response.status).toBe(409);
    expect(textOf(await response.text())).toContain(tooLate);
    expect(await ordersOf(id)).toMatchObject([{ buyerId: first.account.id }]);
    const page = textOf(await (await second.get(`/products/${id}/book`)).text());
    expect(page).toContain("This device is reserved");
    expect(page).toContain("Tell me if it’s free again");
    const listing = async (person: Pick<typeof first, "get">) =>
      textOf(await (await person.get(`/phones/${id}`)).text());
    const free = "Tell me if it’s free again";
    expect(await listing(second)).toContain(free);
    expect(await listing(visitor(server))).toContain(free);
    expect(await listing(first)).not.toContain(free);
    const asked = await second.post("/manage/saved/state", { save: id, redirectTo: "/products" });
    expect(asked.headers.get("Location")).toMatch(/\/products$/);
    expect(textOf(await (await second.get("/manage/saved")).text())).toContain("Reserved");
    expect(await listing(second)).toContain("If they cancel, we’ll tell you.");
    expect(await listing(second)).not.toContain(free);
    expect(textOf(await (await second.get("/manage")).text())).toContain("No orders yet");
  });

  test("promises a reserved device to nobody who couldn’t book it", async () => {
    const [first, second] = [await buyer(), await buyer()];
    const { id } = await addPhone(server.db);
    await first.post(`/products/${id}/book`, details);
    const [{ id: orderId } = { id: "" }] = await ordersOf(id);
    await cancelOrder(server.db, first.account, orderId);
    await second.post(`/products/${id}/book`, details);
    const why = "You cancelled this device less than 24 hours ago.";
    const lost = textOf(await (await first.post(`/products/${id}/book`, details)).text());
    const pages = [`/products/${id}/book`, `/products/${id}`, `/phones/${id}`];
    const read = async () =>
      Promise.all(pages.map(async (path) => textOf(await (await first.get(path)).text())));
    for (const text of [lost, ...(await read())]) {
      expect(text).toContain(why);
      expect(text).not.toMatch(/If they cancel|Tell me if it’s free again/);
    }
    await first.post("/manage/saved/state", { save: id, redirectTo: "/products" });
    for (const text of await read()) expect(text).not.toContain("If they cancel");
  });

  test("cannot be booked by its seller", async () => {
    const { post, get, account } = await buyer();
    const { id } = await addPhone(server.db, { sellerId: account.id });
    const response = await post(`/products/${id}/book`, details);
    expect(response.status).toBe(409);
    expect(textOf(await response.text())).toContain("This is your own device");
    expect(textOf(await (await get(`/products/${id}/book`)).text())).toContain("This is your own device");
    expect([await ordersOf(id), await statusOf(id)]).toEqual([[], "available"]);
  });

  test("is refused when it is sold or removed, and 404 when it is unknown", async () => {
    const { post, get } = await buyer();
    const sold = await addPhone(server.db, { status: "sold" });
    const refused = await post(`/products/${sold.id}/book`, details);
    expect([refused.status, textOf(await refused.text())]).toEqual([
      409,
      expect.stringContaining("This device has been sold"),
    ]);
    const removed = await addPhone(server.db, { hiddenById: "some removal" });
    for (const id of [removed.id, "no-such-phone", "' OR 1=1 --", "%F0%9F%93%B1"]) {
      const path = `/products/${encodeURIComponent(id)}/book`;
      expect([id, (await post(path, details)).status]).toEqual([id, 404]);
      expect([id, (await get(path)).status]).toEqual([id, 404]);
    }
    expect([await ordersOf(sold.id), await ordersOf(removed.id)]).toEqual([[], []]);
  });
});

describe("the same booking sent twice", () => {
  test("is confirmed twice, but not with other details", async () => {
    const { post } = await buyer();
    const { id } = await addPhone(server.db);
    const path = `/products/${id}/book`;
    expect((await post(path, details)).status).toBe(303);
    expect((await post(path, details)).status).toBe(303);
    const other = await post(path, { ...details, address: "Elsewhere" });
    expect(other.status).toBe(409);
    expect(textOf(await other.text())).toContain("You’ve already reserved this device");
    expect(await ordersOf(id)).toMatchObject([{ buyerAddress: details.address }]);
  });

  test("at the same moment books once", async () => {
    const { post } = await buyer();
    const { id } = await addPhone(server.db);
    const path = `/products/${id}/book`;
    const responses = await Promise.all([
      post(path, details),
      post(path, details),
      post(dataPath(path), details),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([303, 303, 204]);
    expect(await ordersOf(id)).toHaveLength(1);
  });
});

describe("a price that has changed since the form was shown", () => {
  test("is shown beside the old one, and is booked once the buyer accepts it", async () => {
    const { get, post } = await buyer();
    const { id } = await addPhone(server.db, { sellingCents: 29_900 });
    const path = `/products/${id}/book`;
    const shownCents = fieldValue(await (await get(path)).text(), "shownCents") ?? "";
    await server.db.update(phones).set({ sellingCents: 31_900 }).where(eq(phones.id, id));
    const refused = await post(path, { ...details, shownCents });
    expect([refused.status, await ordersOf(id)]).toEqual([409, []]);
    const html = await refused.text();
    expect(textOf(html)).toContain("The price is now $319. It was $299.");
    expect(textOf(html)).toContain("Book for $319");
    expect([fieldValue(html, "address"), fieldValue(html, "phone")]).toEqual([
      details.address,
      details.phone,
    ]);
    const accepted = { ...details, shownCents: fieldValue(html, "shownCents") ?? "" };
    expect((await post(path, accepted)).status).toBe(303);
    expect(await ordersOf(id)).toMatchObject([{ priceCents: 31_900 }]);
  });

  test.each(["cheap", "1.5", "-1", "1e99"])("must be a number of cents, not %j", async (shownCents) => {
    const { post } = await buyer();
    const { id } = await addPhone(server.db);
    expect((await post(`/products/${id}/book`, { ...details, shownCents })).status).toBe(400);
    expect(await ordersOf(id)).toEqual([]);
  });
});

describe("an account with the most open reservations", () => {
  const reached =
    "You’ve got 2 open reservations, the most for an account without a confirmed email address.";

  test("books no more, on the page or with the API, until it cancels one", async () => {
    const strict = await startServer({
      bindings: { MAX_RESERVATIONS: undefined, MAX_RESERVATIONS_UNCONFIRMED: undefined },
    });
    try {
      const { account, visitor: browser, post } = await signedInClient(strict);
      const ids: string[] = [];
      for (let added = 0; added < 8; added += 1) ids.push((await addPhone(strict.db)).id);
      const responses = await Promise.all(
        ids.map(async (id, index) => {
          if (index % 2) return post("/bookings", { phoneId: id });
          const response = await browser.post(`/products/${id}/book`, details);
          return { status: response.status === 303 ? 200 : response.status, text: await response.text() };
        }),
      );
      const refused = responses.filter(({ status }) => status === 409);
      expect([refused.length, await strict.db.$count(orders)]).toEqual([6, 2]);
      for (const { text } of refused) expect(textOf(text)).toContain(reached);

      const rows = await strict.db.select().from(orders);
      const free = ids.find((id) => rows.every(({ phoneId }) => phoneId !== id));
      const page = await (await browser.get(`/products/${free}/book`)).text();
      expect(textOf(page)).toContain(`${reached} Confirm your address, or cancel one, to book this device.`);
      expect(page).toContain('href="/manage/account"');
      expect(page).not.toContain('name="address"');

      await browser.post("/manage?index", { _id: rows[0]?.id ?? "" });
      expect((await browser.post(`/products/${free}/book`, details)).status).toBe(303);

      const confirmed = { emailVerifiedAt: new Date() };
      await strict.db.update(users).set(confirmed).where(eq(users.id, account.id));
      const more = [];
      for (let added = 0; added < 4; added += 1) {
        more.push(await post("/bookings", { phoneId: (await addPhone(strict.db)).id }));
      }
      expect(more.map(({ status }) => status)).toEqual([200, 200, 200, 409]);
      expect(more[3]?.body.detail).toContain("You’ve got 5 open reservations, the most for one account.");
    } finally {
      await strict.stop();
    }
  });
});

test("new accounts of one network share a limit of reservations, on the page and with the API", async () => {
  const strict = await startServer({ bindings: { MAX_RESERVATIONS_NEW_ACCOUNTS: "1" } });
  const signUp = async (address: string) => {
    const browser = visitor(strict, address);
    const email = `${address.replaceAll(":", "-")}@example.com`;
    await browser.post("/signup", { name: "Mia Sund", email, password: "secret1", userType: "Buyer" });
    return { browser, ...apiClient(strict, { Origin: strict.url }, browser) };
  };
  try {
    const [first, second, third] = [
      await signUp("2001:db8:1:2::1"),
      await signUp("2001:db8:1:2::2"),
      await signUp("2001:db8:1:3::1"),
    ];
    const ids: string[] = [];
    for (let added = 0; added < 3; added += 1) ids.push((await addPhone(strict.db)).id);
    expect((await first.browser.post(`/products/${ids[0]}/book`, details)).status).toBe(303);
    const refusal =
      /^New accounts on your network already have 1 open reservation, the most for their first day\./;
    const page = textOf(await (await second.browser.get(`/products/${ids[1]}/book`)).text());
    expect(page).toMatch(new RegExp(refusal.source.slice(1)));
    const refused = await second.browser.post(`/products/${ids[1]}/book`, details);
    expect([refused.status, textOf(await refused.text())]).toEqual([
      409,
      expect.stringContaining("first day"),
    ]);
    const byApi = await second.post("/bookings", { phoneId: ids[1] });
    expect([byApi.status, byApi.body.detail]).toEqual([409, expect.stringMatching(refusal)]);
    expect((await third.browser.post(`/products/${ids[2]}/book`, details)).status).toBe(303);
  } finally {
    await strict.stop();
  }
});

test("only the buyer can cancel an order, which makes the phone available again", async () => {
  const [first, second] = [await buyer(), await buyer()];
  const { id } = await addPhone(server.db);
  await first.post(`/products/${id}/book`, details);
  const [order] = await ordersOf(id);
  const cancel = { _id: order?.id ?? "" };

  await second.post("/manage?index", cancel);
  expect(textOf(await (await second.get("/manage")).text())).not.toContain("Order Cancelled");
  expect(await ordersOf(id)).toMatchObject([{ status: "active" }]);

  expect((await first.post("/manage?index", cancel)).status).toBe(303);
  expect(textOf(await (await first.get("/manage")).text())).toContain("Order Cancelled");
  expect(await statusOf(id)).toBe("available");
  expect((await second.post(`/products/${id}/book`, details)).status).toBe(303);
});

test("a buyer who has cancelled waits 24 hours, on the page and with the API, or until the seller allows it", async () => {
  const [{ visitor: browser, post }, seller] = [await signedInClient(server), await signedInClient(server)];
  const { id } = await addPhone(server.db, { sellerId: seller.account.id });
  await browser.post(`/products/${id}/book`, details);
  const [order] = await ordersOf(id);
  await browser.post("/manage?index", { _id: order?.id ?? "" });

  const refusal =
    /You cancelled this device less than 24 hours ago\. You can book it again after .+ UTC, or once the seller lets you\./;
  expect(textOf(await (await browser.get(`/products/${id}/book`)).text())).toMatch(refusal);
  const onPage = await browser.post(`/products/${id}/book`, details);
  expect([onPage.status, textOf(await onPage.text())]).toEqual([409, expect.stringMatching(refusal)]);
  const byApi = await post("/bookings", { phoneId: id });
  expect([byApi.status, byApi.body.detail]).toEqual([409, expect.stringMatching(refusal)]);
  const [listing, dialog] = [`/phones/${id}`, `/products/${id}`];
  for (const path of [listing, dialog]) {
    expect([path, await textOfPageOrDialog(browser, path)]).toEqual([path, expect.stringMatching(refusal)]);
    expect(await textOfPageOrDialog(browser, path)).not.toContain("Buy Now");
    expect(await textOfPageOrDialog(visitor(server), path)).toContain("Buy Now");
  }
  const hasBuyBar = async (someone: Pick<Visitor, "get">) =>
    (await (await someone.get(listing)).text()).includes("has-buy-bar");
  expect([await hasBuyBar(browser), await hasBuyBar(visitor(server))]).toEqual([false, true]);
  const offer = await textOfPageOrDialog(browser, `/phones/${id}/offer`);
  expect(offer).toContain("your price holds for 24 hours");
  expect(offer).toMatch(refusal);

  const page = `/manage/orders/${order?.id}`;
  const cancelled = await (await browser.get(page)).text();
  expect(textOf(cancelled)).not.toContain("Let them book again");
  expect(textOf(cancelled)).toMatch(refusal);
  expect(textOf(cancelled)).not.toContain("View the listing");
  expect(textOf(await (await seller.visitor.get(page)).text())).toContain("Let them book again");
  expect((await seller.visitor.post(page, { intent: "allow rebooking" })).status).toBe(303);
  for (const path of [listing, dialog]) expect(await textOfPageOrDialog(browser, path)).toContain("Buy Now");
  expect(textOf(await (await seller.visitor.get(page)).text())).not.toContain("Let them book again");
  expect(textOf(await (await browser.get("/manage/notifications")).text())).toContain("lets you book again");
  const allowed = textOf(await (await browser.get(page)).text());
  expect(allowed).toContain("It’s for sale, and you can book it again. View the listing");
  expect(allowed).not.toMatch(refusal);
  expect((await post("/bookings", { phoneId: id })).status).toBe(200);
});

/** The text of a listing's page, or of a dialog in front of a list. */
async function textOfPageOrDialog(someone: Pick<Visitor, "get">, path: string) {
  const html = await (await someone.get(path)).text();
  return textOf(html.split("<dialog").at(-1) ?? "");
}

describe("when fifty buyers book one phone at once", () => {
  const exactlyOneGetsIt = async (onLibsql: boolean) => {
    const libsql = onLibsql ? await startLibsql(inject("libsqlFolder")) : undefined;
    let crowded: LocalServer | undefined;
    try {
      crowded = await startServer(libsql && { bindings: { LIBSQL_URL: libsql.url } });
      const here = crowded;
      const { id } = await addPhone(here.db);
      const crowd = Array.from({ length: 50 }, () => visitor(here));
      // One after the other, since only some logins are handled at once.
      for (const someone of crowd) await someone.signIn((await addAccount(here.db)).email);

      const path = `/products/${id}/book`;
      const responses = await Promise.all(crowd.map(({ post }) => post(path, details)));
      // libSQL with too many writers refuses some, who then try again.
      for (const [at, { post }] of crowd.entries())
        if (responses[at]?.status === 503) responses[at] = await post(path, details);

      const statuses = responses.map(({ status }) => status).sort();
      expect(statuses).toEqual([303, ...Array.from({ length: 49 }, () => 409)]);
      const losers = responses.filter(({ status }) => status === 409);
      for (const response of losers) expect(textOf(await response.text())).toContain(tooLate);
      const rows = await here.db.select().from(orders);
      expect(rows).toMatchObject([{ phoneId: id, status: "active" }]);
      const winner = crowd[responses.findIndex(({ status }) => status === 303)];
      const myOrders = await winner?.get("/manage");
      expect(await myOrders?.text()).toContain(rows[0]?.id);
    } finally {
      await crowded?.stop();
      await libsql?.stop();
    }
  };

  test("on D1, exactly one of them gets it", () => exactlyOneGetsIt(false));
  test("on libSQL, exactly one of them gets it", { tags: ["slow"] }, () => exactlyOneGetsIt(true));
});

test("a buyer who cancelled is offered no booking at an accepted price before it is possible", async () => {
  const seller = await addAccount(server.db, { name: "Sella Mair", userType: "Seller" });
  const { get, account } = await buyer();
  const { id } = await addPhone(server.db, { sellerId: seller.id, sellingCents: 40_000 });
  const offer = { amountCents: 30_000, text: "", formKey: null };
  const { offerId = "" } = await makeOffer(server.db, account, id, offer);
  await answerOffer(server.db, seller, offerId, "accepted");
  const { orderId = "" } = await bookWithoutLimits(server.db, account, id, details);
  await cancelOrder(server.db, account, orderId);
  const someone = visitor(server);
  await someone.signIn(seller.email);
  const forSeller = await (await someone.get("/manage/offers")).text();
  expect(textOf(forSeller)).toMatch(
    /Agreed at \$300 until [^.]+ UTC\. .+ cancelled this device, so they can only book it in time if you let them\./,
  );
  expect(forSeller).toContain(`href="/manage/orders/${orderId}"`);
  const pages = async () =>
    Promise.all(["/manage/offers", `/phones/${id}`].map(async (path) => (await get(path)).text()));
  const waits = async (text: RegExp) => {
    for (const page of await pages()) {
      expect(textOf(page)).toMatch(text);
      expect(page).not.toContain(`/phones/${id}/book"`);
      // The offer's text says it.
      expect(page).not.toContain("You can’t book this yet");
    }
  };
  expect(await textOfPageOrDialog({ get }, `/products/${id}/book`)).toMatch(
    /Agreed at \$300 until .+ only book it in time/,
  );
  await waits(/ UTC\. You cancelled this device, so you can only book it in time if Sella Mair lets you\./);
  const earlier = new Date(Date.now() - dayMs / 2);
  await server.db.update(removals).set({ createdAt: earlier }).where(eq(removals.targetId, orderId));
  await waits(
    / UTC\. You cancelled this device, so you can book it again after .+ UTC, or once Sella Mair lets you\./,
  );
  await allowRebooking(server.db, seller, orderId);
  for (const page of await pages()) expect(page).toContain(`/phones/${id}/book"`);
});

test("a listing invites to an offer until the buyer has made all", async () => {
  const { get, account } = await buyer();
  const { id } = await addPhone(server.db, { sellingCents: 40_000 });
  const page = async () => textOf(await (await get(`/phones/${id}`)).text());
  for (const amountCents of [30_000, 31_000, 32_000]) {
    expect(await page()).toContain("Make an offer");
    const { offerId = "" } = await makeOffer(server.db, account, id, {
      amountCents,
      text: "",
      formKey: null,
    });
    expect(await page()).toContain("View your offer");
    await answerOffer(server.db, account, offerId, "withdrawn");
  }
  expect(await page()).not.toMatch(/Make an offer|View your offer/);
});

test("a listing whose price leaves no room for an offer invites to none", async () => {
  const { get } = await buyer();
  const pageOf = async (sellingCents: number, visit: typeof get) => {
    const { id } = await addPhone(server.db, { sellingCents });
    const page = textOf(await (await visit(`/phones/${id}`)).text());
    return [page.includes("Make an offer"), await textOfPageOrDialog({ get }, `/phones/${id}/offer`)];
  };
  for (const visit of [get, visitor(server).get]) {
    expect(await pageOf(101, visit)).toEqual([false, expect.stringContaining("leaves no room for an offer")]);
    expect(await pageOf(250, visit)).toEqual([true, expect.stringContaining("From $1.25 to $2.47.")]);
  }
});

test("a form with the key of an earlier one and other content is refused or sent, and never dropped", async () => {
  const { get, post, account } = await buyer();
  const { id } = await addPhone(server.db, { sellingCents: 40_000 });
  const page = `/phones/${id}/offer`;
  const formKey = fieldValue(await (await get(page)).text(), "formKey") ?? "";
  const offer = (amount: string) => post(page, { intent: "offer", amount, formKey, account: account.email });
  const stored = async () =>
    (await server.db.select().from(offers).where(eq(offers.buyerId, account.id))).map(
      ({ amountCents }) => amountCents,
    );
  // The second is the same form submitted again.
  for (let times = 0; times < 2; times += 1) expect((await offer("300")).status).toBe(303);
  const other = await offer("350");
  expect(other.status).toBe(409);
  expect(textOf(await other.text())).toContain("You have an open offer for this device.");
  expect(await stored()).toEqual([30_000]);
  // Once that is possible, the other is sent.
  await server.db.update(offers).set({ answer: "withdrawn" }).where(eq(offers.buyerId, account.id));
  expect((await offer("350")).status).toBe(303);
  expect(await stored()).toEqual([30_000, 35_000]);

  const newMessage = `/manage/messages/new?phone=${(await addPhone(server.db)).id}`;
  const messageKey = fieldValue(await (await get(newMessage)).text(), "formKey") ?? "";
  expect(messageKey).toHaveLength(36);
  const write = async (text: string) => {
    const response = await post(newMessage, { text, formKey: messageKey, account: account.email });
    expect(response.status).toBe(303);
    return response.headers.get("Location") ?? "";
  };
  const conversation = await write("Is it scratched?");
  await write("Is it scratched?");
  await write("And is the box there?");
  const said = (await server.db.select().from(messages).where(eq(messages.senderId, account.id)))
    .map(({ text }) => text)
    .filter((text) => text.endsWith("?"));
  expect(said.toSorted()).toEqual(["And is the box there?", "Is it scratched?"]);
  expect(textOf(await (await get(conversation)).text())).toContain("And is the box there?");
});
