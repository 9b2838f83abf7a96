import { and, eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { blocks, orderSteps, orders, phones, removals, users } from "#app/db/schema.ts";
import { system } from "#app/features/accounts/viewer.ts";
import { listDrafts, saveDraft } from "#app/features/listings/drafts.server.ts";
import { listNotifications } from "#app/features/notifications/notifications.server.ts";
import { cancelOrder } from "#app/features/orders/order-steps.server.ts";
import { orderNumber } from "#app/features/orders/order-texts.ts";
import { dayMs, hourMs } from "#app/time.ts";
import { signedInClient } from "../harness/api-client.ts";
import { bookWithoutLimits } from "../harness/bookings.ts";
import { dataPath } from "../harness/data-path.ts";
import { editPhone } from "../harness/fixtures.ts";
import { fieldValue, textOf } from "../harness/html.ts";
import { addSales } from "../harness/sales.ts";
import { addAccount, addPhone, sharedServer, type TestServer, visitor } from "../harness/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});

async function person(userType: "Buyer" | "Seller" | "Admin" = "Buyer") {
  const account = await addAccount(server.db, { userType });
  const someone = visitor(server);
  await someone.signIn(account.email);
  await (await someone.get("/about")).text();
  return { ...someone, account };
}

async function ordered() {
  const [seller, buyer] = [await person("Seller"), await person()];
  const phone = await addPhone(server.db, { sellerId: seller.account.id });
  const delivery = { address: "7 Secret Lane", phone: "+1 555 0100" };
  const { orderId } = (await bookWithoutLimits(server.db, buyer.account, phone.id, delivery)) as {
    orderId: string;
  };
  return { seller, buyer, phone, orderId, path: `/manage/orders/${orderId}` };
}

/** Ends an order after its handover. */
async function cancelByAdministrator(path: string) {
  const cancelled = await (await person("Admin")).post(path, {
    intent: "cancel",
    reason: "Both sides asked.",
  });
  expect(cancelled.status).toBe(303);
}

async function standing(orderId: string) {
  const [row] = await server.db.select().from(orders).where(eq(orders.id, orderId));
  return `${row?.status}, ${row?.stage}`;
}

const wordsOf = async (response: Response) => textOf(await response.text());

test("an order is visible to its buyer, its seller and administrators; others get 404", async () => {
  const { seller, buyer, path, orderId } = await ordered();
  for (const stranger of [await person("Seller"), await person()]) {
    for (const address of [path, dataPath(path)]) {
      const response = await stranger.get(address);
      expect(response.status).toBe(404);
      expect(await response.text()).not.toMatch(/Secret Lane|person\d+@example/);
    }
    for (const intent of ["hand over", "receive", "cancel"]) {
      const response = await stranger.post(path, { intent });
      expect(response.status).toBe(404);
      expect(await wordsOf(response)).toMatch(/Log Out(?!.*Log in)/s);
    }
    const unknown = await stranger.post(path, { intent: "eat" });
    expect([unknown.status, (await wordsOf(unknown)).includes("Log Out")]).toEqual([400, true]);
  }
  const anonymous = await visitor(server).get(path);
  expect([anonymous.status, anonymous.headers.get("Location")]).toEqual([
    302,
    `/login?redirectTo=${encodeURIComponent(path)}`,
  ]);
  expect(await standing(orderId)).toBe("active, reserved");

  const sellersPage = await seller.get(path);
  expect(sellersPage.headers.get("Cache-Control")).toContain("no-store");
  const sellersWords = await wordsOf(sellersPage);
  expect(sellersWords).toContain("7 Secret Lane");
  expect(sellersWords).toContain("+1 555 0100");
  expect(sellersWords).toContain(buyer.account.email);
  const buyersPage = `${await (await buyer.get(path)).text()}${await (await buyer.get(dataPath(path))).text()}`;
  expect(textOf(buyersPage)).toContain(seller.account.name);
  expect(buyersPage).not.toContain(seller.account.email);
  expect((await (await person("Admin")).get(path)).status).toBe(200);
  expect((await seller.post(path, { intent: "burn" })).status).toBe(400);
});

test("a seller is asked once about another service’s tracking number", async () => {
  const { seller, path, orderId } = await ordered();
  const parcel = { handover: "shipped", parcelService: "USPS", trackingNumber: "1Z999AA10123456784" };
  const handOver = (fields: Record<string, string>) =>
    seller.post(path, { intent: "hand over", ...parcel, ...fields });
  const asked = await handOver({});
  const html = await asked.text();
  expect([asked.status, await standing(orderId)]).toEqual([400, "active, reserved"]);
  expect(textOf(html)).toContain("This looks like a UPS number. Choose UPS, or submit again to keep USPS.");
  expect(fieldValue(html, "trackingNumber")).toBe(parcel.trackingNumber);
  const confirmed = fieldValue(html, "confirmed") ?? "";
  // Another number is another question.
  expect((await handOver({ confirmed, trackingNumber: "1Z999AA10123456785" })).status).toBe(400);
  expect((await handOver({ confirmed })).status).toBe(303);
  expect(await wordsOf(await seller.get(path))).toContain("Shipped with USPS 1Z999AA10123456784");
});

test("a question about a tracking number from My Sells leads back there", async () => {
  const { seller, path } = await ordered();
  const redirectTo = "/manage/mysells?tab=to+hand+over";
  const parcel = { handover: "shipped", parcelService: "USPS", trackingNumber: "1Z999AA10123456784" };
  const fields = { intent: "hand over", shown: "reserved", ...parcel };
  const html = await (await seller.post(path, { ...fields, redirectTo })).text();
  const kept = ["confirmed", "redirectTo"].map((name) => [name, fieldValue(html, name) ?? ""]);
  const done = await seller.post(path, { ...fields, ...Object.fromEntries(kept) });
  expect([done.status, done.headers.get("Location")]).toEqual([303, redirectTo]);
});

test("who reads an order without an address learns how the listing is delivered", async () => {
  const texts: Record<string, [seller: string, buyer: string | null]> = {
    shipped: [
      "hasn’t given an address yet. Ask for it in Messages.",
      "Add an address so the seller can ship it.",
    ],
    "in person": ["Pick-up. Agree in Messages on where to meet.", null],
    either: [
      "Pick-up, unless you agree otherwise in Messages.",
      "Pick-up, unless you agree otherwise. Add an address if you want it shipped.",
    ],
  };
  for (const [delivery, [forSeller, forBuyer]] of Object.entries(texts)) {
    const { seller, buyer, path, orderId } = await ordered();
    const [order] = await server.db.select().from(orders).where(eq(orders.id, orderId));
    await server.db
      .update(phones)
      .set({ details: { delivery } })
      .where(eq(phones.id, order?.phoneId ?? ""));
    await server.db.update(orders).set({ buyerAddress: "" }).where(eq(orders.id, orderId));
    expect(await wordsOf(await seller.get(path))).toContain(forSeller);
    const slip = await wordsOf(await seller.get(`/manage/mysells/slips?id=${orderId}`));
    expect(slip).toContain(forSeller);
    const words = await wordsOf(await buyer.get(path));
    if (forBuyer) expect(words).toContain(forBuyer);
    else expect(words).not.toContain("Add an address");
    const sides = [words, await wordsOf(await seller.get(path))];
    const address = `Address ${delivery === "shipped" ? "Not given" : "Pick-up"}`;
    expect(sides.map((side) => side.includes(address))).toEqual([true, true]);
  }
});

test("a seller says how the device is handed over, and the buyer reads it", async () => {
  const { seller, buyer, path, orderId } = await ordered();
  const handOver = (fields: Record<string, string>) => seller.post(path, { intent: "hand over", ...fields });
  const parcel = { handover: "shipped", parcelService: "FedEx", trackingNumber: "7777 1234" };
  const incomplete = await handOver({ ...parcel, parcelService: "" });
  const words = await incomplete.text();
  expect([incomplete.status, textOf(words).includes("Choose who delivers it")]).toEqual([400, true]);
  expect(words).toContain("7777 1234");
  expect(await standing(orderId)).toBe("active, reserved");
  expect((await handOver(parcel)).status).toBe(303);
  expect(await wordsOf(await seller.get(path))).toContain("Marked as shipped");
  for (const who of [seller, buyer]) {
    const shown = await wordsOf(await who.get(path));
    expect(shown).toContain("Shipped with FedEx 7777 1234 Track it with FedEx");
    expect(shown).not.toContain("Handed over");
  }

  const other = await ordered();
  await other.seller.post(other.path, { ...parcel, intent: "hand over", handover: "in person" });
  const inPerson = await wordsOf(await other.buyer.get(other.path));
  expect(inPerson).toContain("In person");
  expect(inPerson).not.toContain("FedEx");

  // The seller can correct it until the buyer has it.
  const change = (fields: object) =>
    other.seller.post(other.path, { intent: "hand over", ...parcel, ...fields });
  const news = () => listNotifications(server.db, other.buyer.account, null).then(({ rows }) => rows);
  const before = (await news()).length;
  await change({ trackingNumber: "" });
  expect(await wordsOf(await other.seller.get(other.path))).toMatch(
    /Marked as shipped.* Add a tracking number .*Tracking number \(optional\)/,
  );
  const wrong = await change({ trackingNumber: "<b>" });
  expect([wrong.status, await wordsOf(wrong)]).toEqual([
    400,
    expect.stringContaining("Tracking number can only have letters, digits, spaces and hyphens"),
  ]);
  for (let times = 0; times < 2; times += 1) await change({});
  expect(await wordsOf(await other.buyer.get(other.path))).toContain("Shipped with FedEx 7777 1234");
  expect((await news()).map(({ text }) => text).slice(0, -before)).toEqual([
    expect.stringContaining(" is on its way with FedEx 7777 1234"),
    expect.stringMatching(/ is on its way with FedEx\./),
  ]);
  const history = await server.db
    .select()
    .from(orderSteps)
    .where(eq(orderSteps.orderId, other.orderId))
    .orderBy(orderSteps.id);
  expect(history.map(({ kind }) => kind)).toEqual(["reserved", "handed over", "delivery changed"]);
  await other.buyer.post(other.path, { intent: "receive" });
  await change({});
  expect(await wordsOf(await other.seller.get(other.path))).toContain("Marked as shipped");
  await change({ handover: "in person" });
  const late = await wordsOf(await other.seller.get(other.path));
  expect(late).toContain("This order is complete: the device has arrived.");
  expect(late).toContain("Shipped with FedEx 7777 1234");
});

test("each side can take its own steps only, and not too late", async () => {
  const { seller, buyer, phone, orderId, path } = await ordered();
  const press = async (who: typeof seller, intent: string) => {
    const response = await who.post(path, { intent });
    expect([response.status, response.headers.get("Location")]).toEqual([303, path]);
    return wordsOf(await who.get(path));
  };
  expect(await press(buyer, "receive")).toContain("The seller hasn’t handed it over yet.");
  expect(await wordsOf(await buyer.get(path))).toContain("Booking Booked on Ringback");
  expect(await press(buyer, "hand over")).toContain("Only the other person on this order can do that.");
  expect(await standing(orderId)).toBe("active, reserved");
  const once = "This order already got more time, and it gets more only once.";
  expect(await wordsOf(await buyer.get(path))).not.toContain(once);
  expect(await press(seller, "extend")).toContain("You can’t give more time right now.");
  expect(await press(buyer, "extend")).toContain("Deadline extended");
  expect(await wordsOf(await buyer.get(path))).toContain(once);
  expect(await wordsOf(await seller.get(path))).not.toContain(once);
  expect(await press(seller, "hand over")).toContain("Marked as handed over");
  expect(await wordsOf(await seller.get(path))).toContain(once);
  expect(await press(seller, "hand over")).toContain("Marked as handed over");
  const tooLate =
    "It’s been handed over, so you can’t cancel the order anymore. If something’s wrong, report a problem.";
  expect(await press(buyer, "cancel")).toContain(tooLate);
  expect(await press(seller, "cancel")).toContain(tooLate);

  const list = await wordsOf(await buyer.get("/manage"));
  expect(list).toContain("Handed over");
  expect(list).not.toContain("Delete");
  await buyer.post("/manage?index", { _id: orderId });
  expect(await wordsOf(await buyer.get("/manage"))).toContain(tooLate);
  const client = await signedInClient(server, buyer.account);
  const refused = await client.delete(`/bookings/delete/${orderId}`);
  expect([refused.status, refused.body.deletedCount, refused.body.detail]).toEqual([409, 0, tooLate]);
  expect(await standing(orderId)).toBe("active, handed over");

  expect(await press(buyer, "receive")).toContain("Marked as received");
  expect(await wordsOf(await buyer.get(path))).toContain("Receipt Booked on Ringback");
  expect(await wordsOf(await buyer.get("/manage"))).toMatch(
    /Warranty ends \w{3} \d+, \d{4}\. Review the seller/,
  );
  expect(await wordsOf(await buyer.get(path))).toMatch(/Warranty ends \w{3} \d+, \d{4}/);
  const suspend = (suspensionId: string | null) =>
    server.db.update(users).set({ suspensionId }).where(eq(users.id, buyer.account.id));
  expect(await wordsOf(await buyer.get(path))).toContain("Review the seller");
  await suspend("suspension");
  expect(await wordsOf(await buyer.get(path))).toContain("See the reviews");
  await suspend(null);
  const longAgo = new Date(Date.now() - 400 * dayMs);
  const receipt = and(eq(orderSteps.orderId, orderId), eq(orderSteps.kind, "received"));
  await server.db.update(orderSteps).set({ createdAt: longAgo }).where(receipt);
  for (const page of [path, "/manage"]) {
    const words = await wordsOf(await buyer.get(page));
    expect(words).toMatch(/Warranty ended \w{3} \d+, \d{4}/);
    expect(words).not.toMatch(/Warranty (?:ends|until)/);
  }
  expect(await wordsOf(await buyer.get(path))).not.toContain("stays hidden for up to");
  expect(await wordsOf(await buyer.get(`${path}/reviews`))).toContain("The seller didn’t write one.");
  expect(await press(seller, "cancel")).toContain("This order is complete");
  expect(await standing(orderId)).toBe("active, received");
  expect((await client.delete(`/bookings/delete/${orderId}`)).status).toBe(409);
  expect((await client.get(`/bookings?email=${buyer.account.email}`)).body).toHaveLength(1);
  const listings = await client.get("/phoneInfoCollection");
  expect(listings.body.map(({ _id }: { _id: string }) => _id)).not.toContain(phone.id);
  expect(await wordsOf(await seller.get(`/products/${phone.id}`))).toContain("Sold");
});

test("a handover and a receipt can be undone from the message that follows, or the page", async () => {
  const { seller, buyer, orderId, path } = await ordered();
  await seller.post(path, { intent: "hand over" });
  const undo = /<form[^>]*action="([^"]+)"[^>]*>(?:(?!<\/form>).)*name="intent" value="(undo \w+)"/s;
  const shown = await (await seller.get(path)).text();
  expect(shown.match(undo)?.slice(1)).toEqual([path, "undo handover"]);
  await seller.post(path, { intent: "undo handover" });
  const undone = await wordsOf(await seller.get(path));
  expect(undone).toContain("The device is reserved again");
  expect(undone).toContain("Handover undone By you");
  expect(await wordsOf(await buyer.get(path))).toContain("Reserved for you.");
  await seller.post(path, { intent: "hand over" });
  const again = await wordsOf(await seller.get(path));
  expect(again).toContain("Marked as handed over");
  expect(again).not.toContain("Undo");
  await buyer.post(path, { intent: "receive" });
  expect((await (await buyer.get(path)).text()).match(undo)?.slice(1)).toEqual([path, "undo receipt"]);
  await buyer.post(path, { intent: "undo receipt" });
  expect(await standing(orderId)).toBe("active, handed over");
});

test("a cancellation can be undone from the order’s page, as long as it can be undone", async () => {
  const { seller, buyer, orderId, path } = await ordered();
  expect(await wordsOf(await buyer.get(path))).toContain("You can book it again after 24 hours.");
  await buyer.post(path, { intent: "cancel" });
  // The message that follows offers it, too.
  await buyer.get(path);
  const undo = /name="_id" value="([^"]+)"(?:(?!<\/form>).)*Undo the cancellation/s;
  const [, _id = ""] = (await (await buyer.get(path)).text()).match(undo) ?? [];
  const offered = async (person: typeof buyer) => undo.test(await (await person.get(path)).text());
  expect(await offered(seller)).toBe(false);
  const tenMinutes = { createdAt: new Date(Date.now() - 10 * 60_000) };
  await server.db.update(removals).set(tenMinutes).where(eq(removals.id, _id));
  expect(await offered(buyer)).toBe(false);
  await server.db.update(removals).set({ createdAt: new Date() }).where(eq(removals.id, _id));
  expect(await offered(buyer)).toBe(true);
  await buyer.post("/manage/undo", { _id, redirectTo: path });
  expect(await wordsOf(await buyer.get(path))).toContain("Order Restored");
  expect(await offered(buyer)).toBe(false);
  expect(await standing(orderId)).toBe("active, reserved");
});

test("an administrator says why an order is cancelled after its handover", async () => {
  const { seller, buyer, orderId, path } = await ordered();
  const admin = await person("Admin");
  await seller.post(path, { intent: "hand over" });
  const table = await (await admin.get("/manage/orders")).text();
  expect(table).toContain(`href="${path}"`);
  expect(table).toContain(`href="/manage/users/${seller.account.id}"`);
  expect(textOf(table)).toContain("Handed over");
  for (const reason of ["", " \n ", "x".repeat(501)]) {
    const refused = await admin.post(path, { intent: "cancel", reason });
    const words = await refused.text();
    expect(refused.status).toBe(400);
    expect(textOf(words)).toMatch(/Reason required|Reason must be 500 characters or shorter/);
    if (reason.length > 500) expect(fieldValue(words, "reason")).toBe(reason);
  }
  expect(await standing(orderId)).toBe("active, handed over");
  await admin.post(path, { intent: "cancel", reason: "Both sides asked." });
  expect(await standing(orderId)).toBe("cancelled, handed over");
  for (const who of [buyer, seller])
    expect(await wordsOf(await who.get(path))).toContain("Both sides asked.");
});

test("a buyer who also sells finds incoming bookings on My Sellings", async () => {
  const [seller, buyer] = [await person(), await person()];
  const phone = await addPhone(server.db, { sellerId: seller.account.id, model: "Sideline" });
  const delivery = { address: "7 Secret Lane", phone: "+1 555 0100" };
  const { orderId } = (await bookWithoutLimits(server.db, buyer.account, phone.id, delivery)) as {
    orderId: string;
  };
  const page = await (await seller.get("/manage/mysells")).text();
  expect(textOf(page)).toMatch(/Sideline 8 GB RAM · 256 GB Reserved/);
  expect(page).toContain(`href="/manage/orders/${orderId}"`);
  expect(await (await seller.get(`/manage/orders/${orderId}`)).text()).toContain('href="/manage/mysells"');
  expect((await buyer.get("/manage/mysells")).status).toBe(302);
});

test("a seller can undo a cancellation, and a cancelled order hides the delivery address", async () => {
  const { seller, buyer, orderId, path } = await ordered();
  await seller.post(path, { intent: "cancel" });
  const html = await (await seller.get(path)).text();
  expect(textOf(html)).toContain("Order Cancelled");
  expect(html).not.toContain("Secret Lane");
  expect(await standing(orderId)).toBe("cancelled, reserved");
  expect(await wordsOf(await buyer.get(path))).toContain(`By ${seller.account.name}`);
  const undone = await seller.post("/manage/undo", {
    _id: html.match(/name="_id" value="([^"]+)"/)?.[1] ?? "",
    redirectTo: path,
  });
  expect(undone.headers.get("Location")).toBe(path);
  expect(await wordsOf(await seller.get(path))).toContain("Order Restored");
  expect(await standing(orderId)).toBe("active, reserved");
});

test("Undo is shown where it works, after the order's own button and that of the table", async () => {
  const undo = /action="\/manage\/undo"/;
  const promised = "You can undo this for 10 minutes.";
  for (const isTable of [false, true]) {
    for (const isBlocked of [false, true]) {
      const { seller, buyer, orderId, path } = await ordered();
      const block = { blockerId: seller.account.id, blockedId: buyer.account.id };
      if (isBlocked) await server.db.insert(blocks).values(block);
      expect((await wordsOf(await buyer.get(path))).includes(promised)).toBe(!isBlocked);
      const back = isTable ? "/manage?index" : path;
      await buyer.post(back, isTable ? { _id: orderId } : { intent: "cancel" });
      const html = await (await buyer.get(back)).text();
      expect(textOf(html)).toContain("Order Cancelled");
      expect(undo.test(html)).toBe(!isBlocked);
    }
  }
});

test("who can't message the other side of an order reads what works instead", async () => {
  const { seller, buyer, path, orderId } = await ordered();
  expect(await wordsOf(await buyer.get(path))).toContain("Message the seller");
  await server.db.insert(blocks).values({ blockerId: seller.account.id, blockedId: buyer.account.id });
  const reads = async (who: typeof buyer, page: string, text: string) => {
    const words = await wordsOf(await who.get(page));
    expect(words).toContain(text);
    expect(words).not.toMatch(/Message the (seller|buyer)(?! right now)|in Messages\./);
  };
  const report = "If something’s wrong, report a problem: on its page, both of you can always write.";
  const cancel = "You can also cancel the order.";
  await reads(buyer, path, `You can’t message the seller right now. ${report} ${cancel}`);
  const blocked = "You’ve blocked this person. Unblock them to send messages.";
  await reads(seller, path, `${blocked} ${report} ${cancel}`);
  await reads(
    buyer,
    path,
    "If you need to agree on the payment, report a problem: on its page, both of you can write.",
  );
  const start = `/manage/messages/new?order=${orderId}`;
  await reads(buyer, start, "This person can’t receive messages right now. If it’s about your order, go to");
  expect(await (await buyer.get(start)).text()).toContain(`href="${path}"`);
  await buyer.post(`${path}/problem`, { intent: "open", kind: "not arrived", text: "Nothing came." });
  const write = "Write on the problem’s page: there, both of you always can.";
  await reads(buyer, path, `You can’t message the seller right now. ${write}`);
  await reads(seller, path, `${blocked} ${write}`);
  for (const who of [buyer, seller]) await reads(who, path, "Agree on the problem’s page.");
});

test("a device that was not given back can be listed again, also once that is settled", async () => {
  const { seller, phone, path } = await ordered();
  await seller.post(path, { intent: "hand over" });
  await cancelByAdministrator(path);
  const editPage = `/manage/mysells/${phone.id}/edit`;
  const pages = [path, `${path}/problem`, "/manage/mysells", editPage];
  await seller.post(`${path}/problem`, { intent: "open", kind: "not returned", text: "Nothing came." });
  for (const page of ["/manage/mysells", editPage])
    expect(await wordsOf(await seller.get(page))).toContain("List it again");
  await seller.post(`${path}/problem`, { intent: "answer", answer: "close" });
  for (const page of pages) expect(await wordsOf(await seller.get(page))).toContain("List it again");
});

test("My Orders says when a device was booked and what comes next, and keeps cancelled orders", async () => {
  const { buyer, seller, phone, path } = await ordered();
  const device = `${phone.brandName} ${phone.model}`;
  expect(await wordsOf(await buyer.get("/manage"))).toMatch(
    /Booked \w{3} \d+, \d{4}\. The seller hands it over or ships it by \w{3} \d+, \d{4}\./,
  );
  // An open problem stops it, and nobody can cancel.
  await buyer.post(`${path}/problem`, { intent: "open", kind: "other terms", text: "$50 more." });
  for (const page of ["/manage", path]) {
    const html = await (await buyer.get(page)).text();
    expect(textOf(html)).toMatch(/The seller has until \w{3} \d+, \d{4} to answer/);
    expect(textOf(html)).not.toMatch(/The seller hands it over or ships it by|Cancel order/);
    expect(html).not.toContain('name="_id"');
  }
  await buyer.post(`${path}/problem`, { intent: "answer", answer: "close" });
  await seller.post(path, { intent: "hand over" });
  for (const page of ["/manage", path])
    expect(await wordsOf(await buyer.get(page))).toMatch(
      /Confirm by \w{3} \d+, \d{4} that you got it, or report a problem\./,
    );
  await cancelByAdministrator(path);
  expect(await wordsOf(await seller.get(path))).toContain("List it again");
  expect((await buyer.get(`/phones/${phone.id}`)).status).toBe(404);
  for (const page of ["/manage", "/manage?stage=cancelled"])
    expect(await wordsOf(await buyer.get(page))).toMatch(
      new RegExp(
        `${device} 8 GB RAM · 256 GB Booked \\w{3} \\d+, \\d{4}\\. The seller pays back whatever you’ve paid\\..* Cancelled`,
      ),
    );
  expect(await wordsOf(await buyer.get("/manage?stage=received"))).not.toContain(device);
  expect(await wordsOf(await (await person()).get("/manage?stage=all"))).not.toContain(device);
});

test("a booking begins with the delivery details of the buyer's last order", async () => {
  const { buyer } = await ordered();
  const next = await addPhone(server.db);
  const form = async (someone: typeof buyer) => (await someone.get(`/products/${next.id}/book`)).text();
  expect(await form(buyer)).toMatch(/7 Secret Lane[\s\S]*\+1 555 0100/);
  expect(await form(await person())).not.toContain("From your last order");
});

test("the buyer adds an address and a phone number until the handover, and both sides see them", async () => {
  const { seller, buyer, path, orderId } = await ordered();
  const save = (fields: Record<string, string>) => buyer.post(path, { intent: "delivery", ...fields });
  const before = await (await buyer.get(path)).text();
  expect([fieldValue(before, "address"), fieldValue(before, "phone")]).toEqual([
    "7 Secret Lane",
    "+1 555 0100",
  ]);
  expect(textOf(before)).toContain(`Order ${orderNumber(orderId)}`);
  expect(before).toContain('src="/devices/fairphone-5.svg"');
  for (const who of [buyer, seller]) {
    const words = await wordsOf(await who.get(path));
    const you = who === seller ? seller : buyer;
    expect(words).toContain(`${you.account.name} (you)`);
    for (const one of [seller, buyer]) expect(words).toContain(one.account.name);
    expect(words).toContain("not Ringback");
  }
  expect(await (await seller.get(path)).text()).not.toContain('name="address"');

  const tooLong = await save({ address: "x".repeat(501), phone: "1" });
  const refused = await tooLong.text();
  expect(tooLong.status).toBe(400);
  expect(textOf(refused)).toContain("Address must be 500 characters or shorter");
  expect([fieldValue(refused, "address"), fieldValue(refused, "phone")]).toEqual(["x".repeat(501), "1"]);
  // The form was rendered for another account that used this browser.
  const elsewhere = { address: "8 Open Road", phone: "" };
  expect((await save({ ...elsewhere, account: "other@example.com" })).status).toBe(409);
  expect(await wordsOf(await seller.get(path))).toContain("7 Secret Lane");

  await save({ address: "", phone: "" });
  expect(await wordsOf(await buyer.get(path))).toContain("Add an address if you want it shipped.");
  expect(await wordsOf(await seller.get(path))).toContain(
    "The buyer hasn’t given an address: they may pick it up.",
  );
  const saved = await save({ ...elsewhere, account: buyer.account.email });
  expect([saved.status, saved.headers.get("Location")]).toEqual([303, path]);
  expect(await wordsOf(await buyer.get(path))).toContain("Delivery details saved");
  const sellersWords = await wordsOf(await seller.get(path));
  expect(sellersWords).toMatch(/8 Open Road/);
  expect(sellersWords).toContain("Delivery details saved");
  expect(sellersWords).not.toContain("7 Secret Lane");

  // The form of a tab that is out of date comes too late.
  await seller.post(path, { intent: "hand over" });
  await save({ address: "9 Late Lane", phone: "" });
  const late = await (await buyer.get(path)).text();
  expect(textOf(late)).toContain("you can’t change the address and phone number anymore");
  expect(late).not.toMatch(/9 Late Lane|name="address"/);
});

const said = {
  ...{ brandName: "Sony", model: "Xperia 5", ram: "8 GB", rom: "256 GB", camera: "12 MP" },
  ...{ processor: "Snapdragon 865", os: "Android", deviceType: "Smart Phone", battery: "4000 mAh" },
  ...{ image: "https://pictures.example/xperia.jpg", sellingReason: "Too small.", marketPrice: "949" },
  ...{ sellingPrice: "349.50", postDate: "2026-11-20", usedTime: "14" },
};

test("a size from before sizes were read stays until its seller changes it", async () => {
  const { seller, phone: reserved } = await ordered();
  const available = await addPhone(server.db, { sellerId: seller.account.id });
  const old = "256GB UFS 3.1";
  for (const phone of [reserved, available]) {
    await editPhone(server.db, phone.id, { rom: old });
    const { brandName, model, ram, os, deviceType } = phone;
    const edit = (rom: string) =>
      seller.post(`/manage/mysells/${phone.id}/edit`, {
        ...{ ...said, brandName, model, ram, rom, os, deviceType },
        battery: "3900 mAh",
      });
    expect((await edit(old)).status).toBe(303);
    const [row] = await server.db.select().from(phones).where(eq(phones.id, phone.id));
    expect([row?.rom, row?.battery]).toEqual([old, "3900 mAh"]);
    const refused = await edit("512GB UFS 3.1");
    expect(refused.status).toBe(400);
    // Of a reserved device the field is read-only, so it has no error of its own.
    expect(textOf(await refused.text())).toContain(
      phone === reserved ? "Fix one field: Rom" : "Rom must be a size, like 128 GB",
    );
    expect((await edit("512gb")).status).toBe(phone === reserved ? 409 : 303);
  }
});

test("only its seller can edit a listing, with errors at fields and input kept", async () => {
  const { seller, buyer, phone } = await ordered();
  const own = await addPhone(server.db, { sellerId: seller.account.id });
  const path = `/manage/mysells/${own.id}/edit`;
  for (const stranger of [buyer, await person("Seller"), await person("Admin")]) {
    expect((await stranger.get(path)).status).toBe(404);
    expect((await stranger.post(path, said)).status).toBe(404);
  }
  const wrong = { ...said, model: "  ", usedTime: "15", batteryHealth: "20", imei: "490154203237519" };
  const refused = await seller.post(path, { ...wrong, condition: "Mint" });
  expect(refused.status).toBe(400);
  const html = await refused.text();
  expect(textOf(html)).toContain("Fix 4 fields: Condition Battery health IMEI Model");
  expect([fieldValue(html, "usedTime"), fieldValue(html, "batteryHealth")]).toEqual(["15", "20"]);

  const imei = "490154203237518";
  const right = { ...said, condition: "Excellent", batteryHealth: "91", imei };
  const saved = await seller.post(path, right);
  expect([saved.status, saved.headers.get("Location")]).toEqual([303, path]);
  const form = await (await seller.get(path)).text();
  expect(textOf(form)).toContain("Changes saved");
  expect([fieldValue(form, "sellingPrice"), fieldValue(form, "batteryHealth")]).toEqual(["349.5", "91"]);
  const [row] = await server.db.select().from(phones).where(eq(phones.id, own.id));
  expect([row?.condition, row?.sellingCents]).toEqual(["Excellent", 34_950]);
  // The stored IMEI hash cannot be read or brute-forced from the table.
  expect(row?.imeiHash).toMatch(/^[\w-]{43}$/);
  const everywhere = [form, server.log()];
  for (const address of [`/products/${own.id}`, "/allPhoneInfo", "/manage/account/export"]) {
    const query = address === "/allPhoneInfo" ? `?email=${seller.account.email}` : "";
    everywhere.push(await (await seller.get(address + query)).text());
  }
  for (const text of everywhere) {
    expect(text).not.toContain(imei);
    expect(text).not.toContain(row?.imeiHash);
  }

  const twin = await seller.post(`/manage/mysells/${phone.id}/edit`, { ...said, imei });
  expect(twin.status).toBe(409);
  const other = await addPhone(server.db, { sellerId: seller.account.id });
  const taken = await seller.post(`/manage/mysells/${other.id}/edit`, { ...said, imei });
  expect(taken.status).toBe(409);
  expect(textOf(await taken.text())).toContain("A device with this IMEI is already listed.");
  const dialog = await wordsOf(await visitor(server).get(`/products/${own.id}`));
  expect(dialog).toMatch(/Condition Excellent Battery health 91%/);
  expect(dialog).not.toContain("Price history");
  // The seller is asked about contact details once, and about a price of "34950" dollars. It was mistyped, so it's in no
  // history a minute later.
  const doubtful = { ...right, imei: "", city: "Salem 555-123-4567" };
  const asked = await seller.post(path, doubtful);
  expect([asked.status, await wordsOf(asked)]).toEqual([
    400,
    expect.stringContaining("“555-123-4567” looks like a phone number."),
  ]);
  await seller.post(path, { ...doubtful, confirmed: "city 555-123-4567" });
  // What is stored isn't asked about again.
  expect((await seller.post(path, doubtful)).status).toBe(303);
  await seller.post(path, { ...right, imei: "", sellingPrice: "34950", confirmed: "sellingPrice 3495000" });
  const hoursAgo = new Date(Date.now() - 2 * hourMs);
  await server.db.update(phones).set({ createdAt: hoursAgo }).where(eq(phones.id, own.id));
  await seller.post(path, { ...right, imei: "", sellingPrice: "299" });
  const history = await wordsOf(await visitor(server).get(`/products/${own.id}`));
  expect(history).toMatch(/Price history .*\$299 down \$50\.50 .*\$349\.50 first price/);
});

test("a draft keeps what was typed until it is published or deleted", async () => {
  const [seller, stranger] = [await person(), await person()];
  const { email, id: sellerId } = seller.account;
  const formKey = fieldValue(await (await seller.get("/addphone")).text(), "formKey") ?? "";
  const begun = { account: email, formKey, brandName: "Sony", sellingPrice: "cheap", city: "Salem" };
  const saved = await seller.post("/addphone", { ...begun, intent: "save draft" });
  // A buyer has My Sells with the first draft.
  expect([saved.status, saved.headers.get("Location")]).toEqual([303, "/manage/mysells?tab=drafts"]);
  // In the table of each tab, and each says how many it has.
  expect(await wordsOf(await seller.get("/manage/mysells?tab=drafts"))).toMatch(
    /All 0 For sale 0 To hand over 0 Handed over 0 Sold 0 Not listed 0 Drafts 1 .* Name Device Name Storage Price Action 1 .* Sony .* Finish Delete/,
  );
  expect(await wordsOf(await seller.get("/manage/mysells"))).toMatch(
    /Nothing for sale yet You have 1 draft\. See drafts/,
  );
  const page = `/addphone?draft=${formKey}`;
  const form = await (await seller.get(page)).text();
  expect(["formKey", "sellingPrice", "city"].map((name) => fieldValue(form, name))).toEqual([
    formKey,
    "cheap",
    "Salem",
  ]);
  expect((await stranger.get(page)).status).toBe(404);
  const stolen = { account: stranger.account.email, formKey, intent: "delete draft" };
  expect((await stranger.post("/addphone", stolen)).status).toBe(303);
  const published = await seller.post("/addphone", { ...said, account: email, formKey });
  expect(published.headers.get("Location")).toMatch(/^\/addphone\?added=/);
  expect(await server.db.$count(phones, eq(phones.sellerId, sellerId))).toBe(1);
  expect((await seller.get(page)).status).toBe(404);

  for (let count = 0; count < 20; count += 1) {
    await saveDraft(server.db, seller.account, crypto.randomUUID(), {});
  }
  const tooMany = await seller.post("/addphone", { ...begun, intent: "save draft" });
  expect([tooMany.status, await wordsOf(tooMany)]).toEqual([
    409,
    expect.stringContaining("You have 20 drafts"),
  ]);
  const [some] = await listDrafts(server.db, seller.account);
  await seller.post("/addphone", { account: email, formKey: some?.id ?? "", intent: "delete draft" });
  expect(await listDrafts(server.db, seller.account)).toHaveLength(19);
});

test("a known model fills in what was left empty, and says its storages and colors", async () => {
  const seller = await person();
  await addPhone(server.db, { brandName: "Samsung", model: "Galaxy S23", color: "Blue" });
  const { email } = seller.account;
  const formKey = fieldValue(await (await seller.get("/addphone")).text(), "formKey") ?? "";
  const typed = { account: email, formKey, model: "galaxy s23", battery: "Like new", intent: "fill in" };
  const filled = await seller.post("/addphone", typed);
  const form = await filled.text();
  const shown = ["model", "brandName", "battery", "ram"].map((name) => fieldValue(form, name));
  expect([filled.status, shown]).toEqual([200, ["galaxy s23", "Samsung", "Like new", "8 GB"]]);
  expect(form).toMatch(/<option value="256 GB"/);
  expect(form).not.toMatch(/<option value="16 GB"/);
  expect(form).toMatch(/<optgroup label="Of this model"><option value="Blue">/);
  expect(form).toMatch(/<optgroup label="Others"><option value="Black">/);
  const unknown = await seller.post("/addphone", { ...typed, model: "Nobody’s phone" });
  expect(await wordsOf(unknown)).toContain("We don’t know this model yet. Type what it has.");
  const known = await seller.get("/addphone/models?brandName=&model=galaxy+s23");
  expect(known.headers.get("Cache-Control")).toBe("public, max-age=3600");
  expect(await known.json()).toMatchObject({ facts: { brandName: "Samsung", rom: ["128 GB", "256 GB"] } });
});

test("a listing is published with the IMEI, which is listed once", async () => {
  const [seller, other] = [await person(), await person()];
  const publish = async (by: typeof seller) => {
    const formKey = fieldValue(await (await by.get("/addphone")).text(), "formKey") ?? "";
    return by.post("/addphone", { ...said, account: by.account.email, formKey, imei: "35 209900 176148 1" });
  };
  expect((await publish(seller)).status).toBe(303);
  const taken = await publish(other);
  expect([taken.status, await wordsOf(taken)]).toEqual([
    409,
    expect.stringContaining("A device with this IMEI is already listed."),
  ]);
});

test("the usual price is shown while adding a phone", async () => {
  const { seller } = await ordered();
  const kind = { brandName: "Nokia", model: "XR21", rom: "128 GB" };
  await addSales(server.db, kind, [20_000, 25_000, 24_000]);
  const query = new URLSearchParams(kind);
  expect((await visitor(server).get(`/addphone/fair-price?${query}`)).status).toBe(302);
  const response = await seller.get(`/addphone/fair-price?${query}`);
  expect(response.headers.get("Cache-Control")).toContain("no-store");
  expect(await response.json()).toEqual({
    fair: { count: 3, median: 24_000, lowest: 20_000, highest: 25_000 },
  });
  const none = await (await seller.get("/addphone/fair-price")).json();
  expect(none).toEqual({ fair: null });
});

test("an order that the system cancelled says so on its page, in notifications and in the activity log", async () => {
  const { seller, buyer, path, orderId } = await ordered();
  const admin = await person("Admin");
  await server.db.update(orders).set({ deadlineAt: new Date() }).where(eq(orders.id, orderId));
  await cancelOrder(server.db, system, orderId);
  for (const who of [seller, buyer, admin]) {
    expect(await wordsOf(await who.get(path))).toContain("Cancelled By Ringback,");
  }
  for (const who of [seller, buyer]) {
    expect(await wordsOf(await who.get("/manage/notifications"))).toContain("Ringback cancelled the order");
  }
  const log = await (await admin.get("/manage/activity")).text();
  expect(textOf(log)).toContain("Ringback Action deleted order");
  expect(log).not.toContain('href="/manage/users/"');
});

test("My Sells says what a seller does with a device to meet for, and what has been handed over", async () => {
  const [seller, buyer] = [await person("Seller"), await person()];
  const book = async (way: string, address: string) => {
    const details = { delivery: way };
    const { id } = await addPhone(server.db, { sellerId: seller.account.id, details });
    const booked = await bookWithoutLimits(server.db, buyer.account, id, { address, phone: "" });
    return "orderId" in booked ? String(booked.orderId) : "";
  };
  await book("in person", "");
  const toHandOver = "/manage/mysells?tab=to+hand+over";
  const met = await (await seller.get(toHandOver)).text();
  expect(textOf(met)).toContain("Pick-up. Agree in Messages on where to meet.");
  expect(met).not.toContain("Mark as shipped");
  const orderId = await book("shipped", "7 Secret Lane");
  const both = await (await seller.get(toHandOver)).text();
  expect(both.match(/Mark as shipped/g)).toHaveLength(1);
  expect(textOf(both)).not.toContain("No address yet");
  await server.db.update(orders).set({ stage: "handed over" }).where(eq(orders.id, orderId));
  const all = textOf(await (await seller.get("/manage/mysells")).text());
  // On its card and in the table, of which one is shown.
  expect(all.match(/\bReserved\b/g)).toHaveLength(2);
  expect(all).toMatch(/Handed over 1 .* Handed over /);
});
