import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { orders, phones, users } from "#app/db/schema.ts";
import { handOver } from "#app/features/orders/order-steps.server.ts";
import type { LocalServer } from "../../scripts/local-server.ts";
import { apiClient, signedInClient, tokenClient } from "../harness/api-client.ts";
import { textOf } from "../harness/html.ts";
import { startLibsql } from "../harness/libsql.ts";
import { addPhone, type Phone, sharedServer, startServer } from "../harness/server.ts";

let server: LocalServer;
let buyer: Awaited<ReturnType<typeof tokenClient>>;
beforeAll(async () => {
  server = await sharedServer();
  buyer = await tokenClient(server, { name: "Mia Sund" });
});

test("addresses are listed, saved once, changed and deleted, up to five", async () => {
  const { get, post, putJson, delete: remove } = await signedInClient(server);
  const save = (street: number) => post("/addresses", { address: `${street} Quay Street`, phone: "555" });
  for (const street of [1, 1, 2, 3, 4, 5]) expect((await save(street)).status).toBe(200);
  expect((await save(6)).status).toBe(409);
  expect((await post("/addresses", { phone: "555" })).status).toBe(422);
  const { body } = await get("/addresses");
  expect(body.map(({ address }: { address: string }) => address[0])).toEqual(["5", "4", "3", "2", "1"]);
  const change = (id: string, street: number) =>
    putJson(`/addresses/${id}`, { address: `${street} Quay Street`, phone: "555" });
  expect([(await change(body[0]._id, 7)).status, (await change(body[0]._id, 4)).status]).toEqual([200, 409]);
  expect((await get("/addresses")).body[0].address).toBe("7 Quay Street");
  expect((await change("unknown", 8)).status).toBe(404);
  expect((await remove(`/addresses/${body[0]._id}`)).body).toEqual({ acknowledged: true, deletedCount: 1 });
  expect((await remove(`/addresses/${body[0]._id}`)).status).toBe(404);
  expect((await save(6)).status).toBe(200);
});

/** A booking as the original's dialog sends it, for a device from the list. */
function payload(phone: Phone) {
  return {
    productName: `${phone.brandName} ${phone.model}`,
    ram: phone.ram,
    rom: phone.rom,
    buyerName: "Mia Sund",
    buyerAddress: "1 Harbour Street",
    email: "mia@example.com",
    price: String(phone.sellingCents / 100),
    phone: "+46 70 123 45 67",
  };
}

const ordersOf = (phoneId: string, of: LocalServer = server) =>
  of.db.select().from(orders).where(eq(orders.phoneId, phoneId));

async function statusOf(phoneId: string) {
  const [phone] = await server.db.select().from(phones).where(eq(phones.id, phoneId));
  return phone?.status;
}

describe("POST /bookings", () => {
  test.each(["with the price as text", "with the price as a number", "with the listing's id"])(
    "%s books, as on the page",
    async (how) => {
      const one = await signedInClient(server);
      const phone = await addPhone(server.db, { sellingCents: 34_950 });
      const said = payload(phone);
      const body = {
        "with the price as text": said,
        "with the price as a number": { ...said, price: 349.5 },
        "with the listing's id": { phoneId: phone.id, buyerAddress: said.buyerAddress, phone: said.phone },
      }[how];
      const response = await one.post("/bookings", body);
      expect([response.status, response.body]).toEqual([
        200,
        { acknowledged: true, insertedId: expect.any(String) },
      ]);
      // Name and address are the account's, whatever was sent.
      const { name: buyerName, email } = one.account;
      const order = {
        _id: response.body.insertedId,
        phoneId: phone.id,
        ...said,
        price: 349.5,
        buyerName,
        email,
        ...{
          stage: "reserved",
          state: "reserved",
          deadline: expect.any(String),
          parcel: null,
          ownNumber: null,
        },
      };
      expect((await one.get(`/bookings?email=${email}`)).body).toEqual([order]);
      expect(textOf(await (await one.visitor.get("/manage")).text())).toContain(said.productName);
      const { body: list } = await one.get("/phoneInfoCollection?limit=1");
      expect([list[0]._id, list[0].status]).toEqual([phone.id, "reserved"]);
    },
  );

  test("ignores buyer and id of the request", async () => {
    const phone = await addPhone(server.db, { sellingCents: 90_000 });
    const forged = {
      ...{ _id: "chosen", buyerId: "someone", buyerName: "Nobody", email: "nobody@example.com" },
      ...{ priceCents: 1, status: "cancelled", productName: "Gold", ram: "1 TB", rom: "1 TB" },
    };
    const { body } = await buyer.post("/bookings", { ...forged, phoneId: phone.id });
    expect(body.insertedId).not.toBe("chosen");
    expect(await ordersOf(phone.id)).toMatchObject([
      {
        ...{ id: body.insertedId, buyerId: buyer.account.id, buyerName: "Mia Sund", status: "active" },
        ...{ email: buyer.account.email, priceCents: 90_000, ram: phone.ram, rom: phone.rom },
        ...{ productName: `${phone.brandName} ${phone.model}`, buyerAddress: "", phoneNumber: "" },
      },
    ]);
  });

  test("refuses a price that is no longer the listing's, and names both", async () => {
    const { id: phoneId } = await addPhone(server.db, { sellingCents: 27_900 });
    const refused = await buyer.post("/bookings", { phoneId, price: "299" });
    expect([refused.status, refused.body.detail, await statusOf(phoneId)]).toEqual([
      409,
      "The price is now $279. It was $299.",
      "available",
    ]);
    expect((await buyer.post("/bookings", { phoneId, price: 279 })).status).toBe(200);
    expect(await ordersOf(phoneId)).toMatchObject([{ priceCents: 27_900 }]);
  });

  test("without an id takes the oldest listing that matches", async () => {
    const like = { brandName: "Sony", model: crypto.randomUUID(), ram: "4 GB", rom: "64 GB" };
    const own = await addPhone(server.db, { ...like, sellerId: buyer.account.id });
    await addPhone(server.db, { ...like, status: "sold" });
    await addPhone(server.db, { ...like, hiddenById: "some removal" });
    const [first, second] = [await addPhone(server.db, like), await addPhone(server.db, like)];
    for (const other of [
      { price: "349.51" },
      { ram: "6 GB" },
      { rom: "128 GB" },
      { productName: like.model },
    ]) {
      const response = await buyer.post("/bookings", { ...payload(first), ...other });
      expect([other, response.status]).toEqual([other, 409]);
    }
    expect((await buyer.post("/bookings", payload(first))).status).toBe(200);
    expect([await statusOf(first.id), await statusOf(second.id)]).toEqual(["reserved", "available"]);
    expect((await buyer.post("/bookings", payload(first))).status).toBe(200);
    expect((await buyer.post("/bookings", payload(first))).status).toBe(409);
    expect(await statusOf(own.id)).toBe("available");
  });

  test("refuses an unavailable phone, and stores nothing", async () => {
    const [reserved, sold, removed, own] = [
      await addPhone(server.db, { status: "reserved" }),
      await addPhone(server.db, { status: "sold" }),
      await addPhone(server.db, { hiddenById: "some removal" }),
      await addPhone(server.db, { sellerId: buyer.account.id }),
    ];
    const before = await server.db.$count(orders);
    for (const [phoneId, status] of [
      ...[reserved, sold, own].map(({ id }) => [id, 409] as const),
      ...[removed.id, "nothing", "", "' OR 1=1 --"].map((id) => [id, 404] as const),
    ]) {
      expect([phoneId, (await buyer.post("/bookings", { phoneId })).status]).toEqual([phoneId, status]);
    }
    expect(await server.db.$count(orders)).toBe(before);
  });

  test("names each missing or invalid field, and stores nothing", async () => {
    const { id } = await addPhone(server.db);
    const pointers = async (body: unknown) => {
      const response = await buyer.post("/bookings", body);
      expect([body, response.status]).toEqual([body, 422]);
      return response.body.errors.map(({ pointer }: { pointer: string }) => pointer).toSorted();
    };
    expect(await pointers({})).toEqual(["#/price", "#/productName", "#/ram", "#/rom"]);
    for (const [name, value] of [
      ["phoneId", 7],
      ["phoneId", { $ne: null }],
      ["buyerAddress", "x".repeat(501)],
      ["phone", "1".repeat(41)],
      ["phone", {}],
      ["price", "free"],
    ] as const) {
      expect(await pointers({ phoneId: id, [name]: value })).toEqual([`#/${name}`]);
    }
    expect([await ordersOf(id), await statusOf(id)]).toEqual([[], "available"]);
  });

  test("accepts a phone number as a JSON number", async () => {
    const { id } = await addPhone(server.db);
    await buyer.post("/bookings", { phoneId: id, phone: 46701234567 });
    expect(await ordersOf(id)).toMatchObject([{ phoneNumber: "46701234567" }]);
  });
});

describe("GET /bookings and DELETE /bookings/delete/{id}", () => {
  test("show and cancel a booking made on the page, which makes the phone available", async () => {
    const one = await signedInClient(server);
    const { id } = await addPhone(server.db);
    await one.visitor.post(`/products/${id}/book`, { address: "Here", phone: "1" });
    const [order] = (await one.get("/bookings")).body;
    expect(order).toMatchObject({ phoneId: id, buyerAddress: "Here", phone: "1" });

    const stranger = await buyer.delete(`/bookings/delete/${order._id}`);
    expect([stranger.status, stranger.body.deletedCount, await statusOf(id)]).toEqual([404, 0, "reserved"]);
    const cancelled = await one.delete(`/bookings/delete/${order._id}`);
    expect([cancelled.status, cancelled.body]).toEqual([200, { acknowledged: true, deletedCount: 1 }]);
    expect(await statusOf(id)).toBe("available");
    expect((await one.get("/bookings")).body).toEqual([]);
    expect((await one.delete(`/bookings/delete/${order._id}`)).status).toBe(404);
    expect((await buyer.post("/bookings", { phoneId: id })).status).toBe(200);
  });

  test("can be sent elsewhere until the handover", async () => {
    const phone = await addPhone(server.db);
    const { body } = await buyer.post("/bookings", { phoneId: phone.id });
    const path = `/bookings/delivery/${body.insertedId}`;
    const elsewhere = { buyerAddress: "2 Quay Street", phone: 4670123 };
    for (const modifiedCount of [1, 0]) {
      const response = await buyer.putJson(path, elsewhere);
      expect([response.status, response.body]).toEqual([200, { acknowledged: true, modifiedCount }]);
    }
    const orders = await buyer.get(`/bookings?email=${buyer.account.email}`);
    expect(orders.body).toContainEqual(
      expect.objectContaining({ _id: body.insertedId, ...elsewhere, phone: "4670123" }),
    );
    // What is left out stays as it is.
    for (const [left, modifiedCount] of [
      [{}, 0],
      [{ phone: "4670123" }, 0],
      [{ buyerAddress: elsewhere.buyerAddress }, 0],
      [{ phone: "555 0142" }, 1],
    ] as const) {
      const response = await buyer.putJson(path, left);
      expect([left, response.status, response.body.modifiedCount]).toEqual([left, 200, modifiedCount]);
    }
    expect(await ordersOf(phone.id)).toMatchObject([
      { buyerAddress: elsewhere.buyerAddress, phoneNumber: "555 0142" },
    ]);
    const tooLong = await buyer.putJson(path, { buyerAddress: "x".repeat(501) });
    expect(tooLong.status).toBe(422);
    const [seller] = await server.db.select().from(users).where(eq(users.id, phone.sellerId));
    if (seller) await handOver(server.db, seller, body.insertedId);
    const late = await buyer.putJson(path, { buyerAddress: "Too late" });
    expect([late.status, late.body.modifiedCount]).toEqual([409, 0]);
    expect((await ordersOf(phone.id))[0]?.buyerAddress).toBe("2 Quay Street");
  });

  test("pass through their steps, with the parcel that the seller sends", async () => {
    const sella = await signedInClient(server, { userType: "Seller" });
    const phone = await addPhone(server.db, { sellerId: sella.account.id, ownNumber: "A-17" });
    const { body } = await buyer.post("/bookings", { phoneId: phone.id });
    const path = `/bookings/steps/${body.insertedId}`;
    const take = async (who: typeof sella, step: object) => {
      const response = await who.putJson(path, step);
      return [response.status, response.body.modifiedCount, response.body.detail ?? ""];
    };
    const early = "The seller hasn’t handed it over yet.";
    expect(await take(buyer, { step: "receive" })).toEqual([409, 0, early]);
    expect(await take(buyer, { step: "extend" })).toEqual([200, 1, ""]);
    const parcel = { handover: "shipped", parcelService: "UPS", trackingNumber: "1Z 999-A" };
    for (const wrong of [
      { step: "burn" },
      { step: "hand over", ...parcel, parcelService: undefined },
      { step: "hand over", ...parcel, parcelService: "Pigeons" },
      { step: "hand over", ...parcel, trackingNumber: "<b>" },
    ]) {
      expect((await sella.putJson(path, wrong)).status).toBe(422);
    }
    for (const trackingNumber of ["1Z STALE", "1Z 999-A", "1Z 999-A"])
      expect(await take(sella, { step: "hand over", ...parcel, trackingNumber })).toEqual([200, 1, ""]);
    expect(await take(sella, { step: "hand over", handover: "shipped" })).toEqual([200, 1, ""]);
    const [news] = (await buyer.get("/notifications")).body;
    expect(news?.text).toBe(`Your ${phone.brandName} ${phone.model} is on its way with UPS 1Z 999-A.`);
    const seen = async (who: typeof sella) => (await who.get(path)).body;
    expect(await seen(sella)).toMatchObject({
      ...{ _id: body.insertedId, phoneId: phone.id, role: "seller", status: "active", stage: "handed over" },
      ...{ hasProblem: false, steps: ["undo handover"], delivery: { email: buyer.account.email } },
      parcel: { parcelService: "UPS", trackingNumber: "1Z 999-A" },
      history: [
        { kind: "reserved", by: "buyer" },
        { kind: "extended" },
        { kind: "handed over", by: "seller" },
        { kind: "delivery changed", by: "seller" },
      ],
    });
    expect((await seen(buyer)).steps).toEqual(["receive"]);
    const { handover: _, ...sent } = parcel;
    const { deadline } = await seen(sella);
    const shipped = { stage: "handed over", deadline, parcel: sent, ownNumber: "A-17" };
    const sold = [{ _id: body.insertedId, phoneId: phone.id, ...shipped }];
    expect((await sella.get("/bookings?role=seller")).body).toMatchObject(sold);
    const ofStage = async (stage: string) => (await sella.get(`/bookings?role=seller&stage=${stage}`)).body;
    expect(await ofStage("handed over")).toMatchObject(sold);
    expect(await ofStage("reserved")).toEqual([]);
    expect((await sella.get("/bookings?role=seller&stage=lost")).status).toBe(422);
    expect((await sella.get("/bookings")).body).toEqual([]);
    expect((await buyer.get("/bookings?role=seller")).body).toEqual([]);
    expect(await take(buyer, { step: "receive" })).toEqual([200, 1, ""]);
    expect(await statusOf(phone.id)).toBe("sold");
    expect((await seen(buyer)).steps).toEqual(["undo receipt"]);
    expect(await take(buyer, { step: "undo receipt" })).toEqual([200, 1, ""]);
    expect(await statusOf(phone.id)).toBe("reserved");
    const admin = await signedInClient(server, { userType: "Admin", name: "Unnamed Helper" });
    const reasonMissing =
      "It’s been handed over, so say why you cancel it: send a reason with PUT /bookings/steps. Both sides read it.";
    expect(await take(admin, { step: "cancel" })).toEqual([409, 0, reasonMissing]);
    expect(await admin.delete(`/bookings/delete/${body.insertedId}`)).toMatchObject({
      status: 409,
      body: { deletedCount: 0, detail: reasonMissing },
    });
    expect(await take(admin, { step: "cancel", reason: "Both asked." })).toEqual([200, 1, ""]);
    expect((await seen(sella)).history.at(-1)).toMatchObject({ by: "administrator", reason: "Both asked." });
    const page = await sella.visitor.get(`/manage/orders/${body.insertedId}`);
    expect(await page.text()).not.toContain(admin.account.name);
    const second = await addPhone(server.db, { sellerId: sella.account.id });
    const booked = await buyer.post("/bookings", { phoneId: second.id });
    const cancelled = await sella.putJson(`/bookings/steps/${booked.body.insertedId}`, { step: "cancel" });
    expect([cancelled.status, await statusOf(second.id)]).toEqual([200, "available"]);
  });

  test("give another user's bookings to administrators only", async () => {
    const email = buyer.account.email;
    const other = await signedInClient(server, { userType: "Seller" });
    expect((await apiClient(server).get(`/bookings?email=${email}`)).status).toBe(401);
    expect((await other.get(`/bookings?email=${email}`)).status).toBe(403);
    expect((await other.get("/bookings")).body).toEqual([]);
    const admin = await signedInClient(server, { userType: "Admin" });
    expect((await admin.get(`/bookings?email=${email.toUpperCase()}`)).text).toBe(
      (await buyer.get("/bookings")).text,
    );
    expect((await admin.get("/bookings?email=no-such@example.com")).body).toEqual([]);
  });
});

describe("when fifty buyers book at once, on D1", () => fiftyBuyers(false));
describe("when fifty buyers book at once, on libSQL", { tags: ["slow"] }, () => fiftyBuyers(true));

function fiftyBuyers(onLibsql: boolean) {
  let libsql: Awaited<ReturnType<typeof startLibsql>> | undefined;
  let crowded: LocalServer;
  let crowd: Awaited<ReturnType<typeof signedInClient>>[];
  beforeAll(async () => {
    libsql = onLibsql ? await startLibsql(inject("libsqlFolder")) : undefined;
    crowded = await startServer(libsql && { bindings: { LIBSQL_URL: libsql.url } });
    crowd = [];
    for (let client = 0; client < 50; client += 1) crowd.push(await signedInClient(crowded));
  });
  afterAll(async () => {
    await crowded?.stop();
    await libsql?.stop();
  });

  const times = (count: number, status: number) => Array.from({ length: count }, () => status);

  test("for one phone, exactly one gets it", async () => {
    const { id } = await addPhone(crowded.db);
    const responses = await Promise.all(crowd.map(({ post }) => post("/bookings", { phoneId: id })));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, ...times(49, 409)]);
    const [order, ...more] = await ordersOf(id, crowded);
    const winner = crowd[responses.findIndex(({ status }) => status === 200)];
    expect([order?.buyerId, more]).toEqual([winner?.account.id, []]);
    const { body } = responses.find(({ status }) => status === 200) ?? {};
    expect(body.insertedId).toBe(order?.id);
  });

  test("for any of five equal phones, exactly five get one each", async () => {
    const like = { brandName: "Sony", model: "Five equal ones" };
    const five = [];
    for (let count = 0; count < 5; count += 1) five.push(await addPhone(crowded.db, like));
    const [one] = five;
    if (!one) throw new Error("There is no phone.");
    const responses = await Promise.all(crowd.map(({ post }) => post("/bookings", payload(one))));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([...times(5, 200), ...times(45, 409)]);
    for (const { id } of five) expect(await ordersOf(id, crowded)).toHaveLength(1);
  });

  test("half of them on the page, exactly one gets it", async () => {
    const { id } = await addPhone(crowded.db);
    const details = { address: "Here", phone: "1" };
    const statuses = await Promise.all(
      crowd.map(async ({ post, visitor: buyer }, index) => {
        const byApi = async () => (await post("/bookings", { phoneId: id })).status;
        const byPage = async () => (await buyer.post(`/products/${id}/book`, details)).status;
        return index % 2 ? byApi() : byPage();
      }),
    );
    expect(statuses.filter((status) => status !== 409)).toHaveLength(1);
    expect(await ordersOf(id, crowded)).toHaveLength(1);
  });
}
