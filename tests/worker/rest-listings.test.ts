import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { decisions, phones } from "#app/db/schema.ts";
import type { LocalServer } from "../../scripts/local-server.ts";
import { type ApiClient, apiClient, signedInClient, tokenClient } from "../harness/api-client.ts";
import { textOf } from "../harness/html.ts";
import { picture } from "../harness/images.ts";
import { addAccount, addPhone, sharedServer, startServer, visitor } from "../harness/server.ts";

let server: LocalServer;
let nobody: ApiClient;
let seller: Awaited<ReturnType<typeof tokenClient>>;
beforeAll(async () => {
  server = await sharedServer();
  nobody = apiClient(server);
  seller = await tokenClient(server, { userType: "Seller", name: "Ada Ström" });
});

/** A device as the original form sends it: prices are text. */
const device = {
  brandName: "Nokia",
  model: "XR20",
  ram: "6 GB",
  rom: "128 GB",
  camera: "48 MP",
  processor: "Snapdragon 480",
  os: "Android",
  deviceType: "Smart Phone",
  image: "https://pictures.example/xr20.jpg",
  battery: "4630 mAh",
  sellerName: "Ada Ström",
  sellerEmail: "ada@example.com",
  sellingReason: "I have two.",
  marketPrice: "549",
  sellingPrice: "199.50",
  postDate: "2026-11-20",
  usedTime: "14",
};

const rowOf = async (id: string) => (await server.db.select().from(phones).where(eq(phones.id, id)))[0];

describe("drafts", () => {
  test("a listing is copied into a draft, which is read, published once and gone", async () => {
    const shop = await tokenClient(server, { userType: "Seller" });
    const { body: first } = await shop.post("/phoneInfoCollection", { ...device, ownNumber: "A-1" });
    const key = { "Idempotency-Key": crypto.randomUUID() };
    const copy = () => shop.post("/drafts", { phoneId: first.insertedId }, key);
    const { body: draft } = await copy();
    expect((await copy()).body).toEqual(draft);
    const path = `/drafts/${draft.insertedId}`;
    expect((await shop.get("/drafts")).body).toEqual([{ _id: draft.insertedId, name: "Nokia XR20" }]);
    const { fields } = (await shop.get(path)).body;
    expect(fields).toMatchObject({ model: "XR20", sellingPrice: "199.5" });
    expect(fields).not.toHaveProperty("ownNumber");
    const wrong = await shop.post(path, {
      fields: { ram: "lots", image: device.image, postDate: "2026-11-20" },
    });
    expect([wrong.status, wrong.body.errors]).toEqual([
      422,
      [{ detail: "Ram must be a size, like 8 GB", pointer: "#/fields/ram" }],
    ]);
    const unlikely = { fields: { image: device.image, postDate: "2026-11-20", sellingPrice: 5490 } };
    const asked = await shop.post(path, unlikely);
    expect([asked.status, asked.body.asked]).toEqual([409, ["sellingPrice 549000"]]);
    const published = await shop.post(path, { ...unlikely, confirmed: asked.body.asked });
    expect((await rowOf(published.body.insertedId))?.sellingCents).toBe(549_000);
    expect((await shop.get("/drafts")).body).toEqual([]);
    expect((await shop.post(path, {})).status).toBe(404);
  });

  test("a draft without a picture isn’t published", async () => {
    const shop = await tokenClient(server, { userType: "Seller" });
    const { id } = await addPhone(server.db, { sellerId: shop.account.id, image: "/android-phone.svg" });
    const { body: draft } = await shop.post("/drafts", { phoneId: id });
    const path = `/drafts/${draft.insertedId}`;
    const { status, body } = await shop.post(path, { fields: { postDate: "2026-11-20" } });
    expect([status, body.detail]).toEqual([422, "Add a photo, or the link of a picture"]);
    expect((await shop.delete(path)).status).toBe(200);
    expect((await shop.get(path)).status).toBe(404);
  });

  test("have photos, which the published listing shows", async () => {
    const shop = await tokenClient(server, { userType: "Seller" });
    const { id } = await addPhone(server.db, { sellerId: shop.account.id, image: "/android-phone.svg" });
    const { body: draft } = await shop.post("/drafts", { phoneId: id });
    const path = `/drafts/photos/${draft.insertedId}`;
    const add = async (background: string, to = path) => {
      const body = new Uint8Array(await picture("png", { background }));
      return shop.send("POST", to, { body, headers: { "Content-Type": "image/png" } });
    };
    const { body: first } = await add("#ff0000");
    const { body: second } = await add("#0000ff");
    const { body: gone } = await add("#00ff00");
    expect((await shop.putJson(`${path}/${second.insertedId}`, { move: "left" })).body.modifiedCount).toBe(1);
    expect((await shop.delete(`${path}/${gone.insertedId}`)).status).toBe(200);
    const { body } = await shop.get(`/drafts/${draft.insertedId}`);
    const idsOf = (photos: { _id: string }[]) => photos.map(({ _id }) => _id);
    expect(idsOf(body.photos)).toEqual([second.insertedId, first.insertedId]);
    expect((await add("#ff0000", `/drafts/photos/${crypto.randomUUID()}`)).status).toBe(404);
    const published = await shop.post(`/drafts/${draft.insertedId}`, { fields: { postDate: "2026-11-20" } });
    const { body: photos } = await shop.get(`/phones/photos/${published.body.insertedId}`);
    expect(idsOf(photos)).toEqual([second.insertedId, first.insertedId]);
  });
});

describe("GET /allPhoneInfo", () => {
  test("finds listings as My Sells does, by number only for their seller", async () => {
    const shop = await tokenClient(server, { userType: "Seller" });
    const add = (model: string, ownNumber: string) =>
      addPhone(server.db, { sellerId: shop.account.id, model, rom: "128 GB", ownNumber });
    await add("Alpha", "SHELF-0007");
    await add("Beta", "SHELF-0008");
    const found = async (client: Pick<typeof shop, "get">, query: string) =>
      (await client.get(`/allPhoneInfo?${query}`)).body.map(({ model }: { model: string }) => model);
    expect(await found(shop, "q=shelf")).toEqual(["Beta", "Alpha"]);
    expect(await found(shop, "q=0007")).toEqual(["Alpha"]);
    expect(await found(shop, "q=7 shelf&limit=1")).toEqual(["Alpha"]);
    expect(await found(shop, "q=alpha 128 GB&tab=for sale&photo=without")).toEqual(["Alpha"]);
    expect(await found(shop, "tab=sold")).toEqual([]);
    expect((await shop.get("/allPhoneInfo?tab=attic")).status).toBe(422);
    const admin = await signedInClient(server, { userType: "Admin" });
    const ofShop = `email=${encodeURIComponent(shop.account.email)}`;
    expect(await found(admin, `${ofShop}&q=alpha`)).toEqual(["Alpha"]);
    expect(await found(admin, `${ofShop}&q=0007`)).toEqual([]);
    expect(await found(admin, `${ofShop}&q=shelf`)).toEqual([]);
  });

  test("calls a listing available only while it is on sale", async () => {
    const shop = await tokenClient(server, { userType: "Seller" });
    const add = async (model: string, values: Partial<typeof phones.$inferInsert> = {}) =>
      (await addPhone(server.db, { sellerId: shop.account.id, model, ...values })).id;
    await add("Shown");
    await add("Paused", { status: "paused" });
    const held = await add("Held");
    await server.db.insert(decisions).values({
      ...{ id: held, kind: "hold", targetKind: "listing", targetId: held, target: "" },
      ...{ ownerId: shop.account.id, reason: "" },
    });
    await server.db.update(phones).set({ hiddenById: held }).where(eq(phones.id, held));
    const statuses = async (query: string) =>
      Object.fromEntries(
        (await shop.get(`/allPhoneInfo${query}`)).body.map((one: { model: string; status: string }) => [
          one.model,
          one.status,
        ]),
      );
    expect(await statuses("?tab=not listed")).toEqual({ Held: "hidden", Paused: "paused" });
    expect(await statuses("")).toEqual({ Shown: "available", Paused: "paused" });
  });
});

describe("DELETE /allPhoneInfo/prices/{id}", () => {
  test("takes a change of prices back, once", async () => {
    const shop = await tokenClient(server, { userType: "Seller" });
    const { id } = await addPhone(server.db, { sellerId: shop.account.id, sellingCents: 30_000 });
    const { body } = await shop.putJson("/allPhoneInfo/prices", { prices: [{ id, sellingPrice: 280 }] });
    const path = `/allPhoneInfo/prices/${body.changeId}`;
    expect((await seller.delete(path)).status).toBe(404);
    expect((await shop.delete(path)).status).toBe(200);
    expect((await rowOf(id))?.sellingCents).toBe(30_000);
    expect((await shop.delete(path)).status).toBe(200);
    const again = await shop.putJson("/allPhoneInfo/prices", { prices: [{ id, sellingPrice: 280 }] });
    await shop.putJson("/allPhoneInfo/prices", { prices: [{ id, sellingPrice: 290 }] });
    expect((await shop.delete(`/allPhoneInfo/prices/${again.body.changeId}`)).status).toBe(409);
    const none = await shop.putJson("/allPhoneInfo/prices", { prices: [{ id, sellingPrice: 290 }] });
    expect(none.body.changeId).toBeNull();
  });
});

describe("POST /allPhoneInfo", () => {
  const modelsOf = async (client: typeof seller) =>
    (await client.get("/allPhoneInfo")).body.map(({ model }: { model: string }) => model).sort();

  test("publishes the valid ones of up to 100 devices, each once", async () => {
    const shop = await tokenClient(server, { userType: "Seller" });
    const listings = [{ ...device, model: "One" }, { ...device, model: "Two", ram: "lots" }, "no device"];
    const body = { listings: [...listings, { ...device, model: "Four" }] };
    const key = { "Idempotency-Key": crypto.randomUUID() };
    const first = await shop.post("/allPhoneInfo", body, key);
    expect([first.status, first.body]).toEqual([
      200,
      {
        ...{ acknowledged: true, insertedCount: 2 },
        results: [
          { insertedId: expect.any(String) },
          {
            ...{ status: 422, detail: "Ram must be a size, like 8 GB" },
            errors: [{ detail: "Ram must be a size, like 8 GB", pointer: "#/listings/1/ram" }],
          },
          { status: 422, detail: "Send a JSON object.", errors: [expect.anything()] },
          { insertedId: expect.any(String) },
        ],
      },
    ]);
    expect((await shop.post("/allPhoneInfo", body, key)).body).toEqual(first.body);
    expect(await modelsOf(shop)).toEqual(["Four", "One"]);
    const many = Array.from({ length: 101 }, () => "no device");
    for (const listings of [[], many])
      expect((await shop.post("/allPhoneInfo", { listings })).status).toBe(422);
  });

  test("takes 100 listings with texts of full length", async () => {
    const shop = await tokenClient(server, { userType: "Seller", verified: true });
    const long = (letter: string, length: number) =>
      letter.repeat(length - 1).replace(/(.{9}).(?=.)/g, "$1 ");
    const listings = Array.from({ length: 100 }, (_, index) => ({
      ...device,
      model: `XR20 ${index} ${long("m", 60)}`,
      image: `https://pictures.example/${"x".repeat(1900)}.jpg`,
      camera: long("c", 200),
      processor: long("p", 100),
      battery: long("b", 60),
      sellingReason: long("r", 1000),
      ownNumber: `A-${index}`,
    }));
    const { status, body } = await shop.post("/allPhoneInfo", { listings });
    expect([status, body.insertedCount]).toEqual([200, 100]);
    expect(JSON.stringify({ listings }).length).toBeGreaterThan(350_000);
    const more = await shop.post("/allPhoneInfo", { listings: [{ text: "x".repeat(512 * 1024) }] });
    expect([more.status, more.body.detail]).toEqual([413, "The request body is larger than 512 KiB."]);
    const one = await shop.post("/phoneInfoCollection", { ...device, sellingReason: "x".repeat(64 * 1024) });
    expect([one.status, one.body.detail]).toEqual([413, "The request body is larger than 64 KiB."]);
  });
});

describe("POST /phoneInfoCollection", () => {
  test("asks about an unlikely price, and stores a confirmed one", async () => {
    const unlikely = { ...device, model: "Dear", sellingPrice: 5490 };
    const { status, body } = await seller.post("/phoneInfoCollection", unlikely);
    const text = "That’s 10 times the price of a new one.";
    expect([status, body]).toEqual([
      409,
      expect.objectContaining({
        ...{ detail: text, asked: ["sellingPrice 549000"] },
        errors: [{ detail: text, pointer: "#/sellingPrice" }],
      }),
    ]);
    const many = { listings: [unlikely, { ...unlikely, confirmed: body.asked }] };
    const { body: published } = await seller.post("/allPhoneInfo", many);
    expect(published.results).toEqual([
      {
        ...{ status: 409, detail: text, asked: body.asked },
        errors: [{ detail: text, pointer: "#/listings/0/sellingPrice" }],
      },
      { insertedId: expect.any(String) },
    ]);
  });

  test("publishes what the original form sends, as on the page", async () => {
    const model = `XR ${crypto.randomUUID().slice(0, 8)}`;
    const response = await seller.post("/phoneInfoCollection", { ...device, model });
    expect([response.status, response.body]).toEqual([
      200,
      { acknowledged: true, insertedId: expect.any(String) },
    ]);
    const { insertedId } = response.body;
    const said = { ...device, model, marketPrice: 549, sellingPrice: 199.5 };
    const listing = { _id: insertedId, ...said, status: "available" };

    const all = await nobody.get("/phoneInfoCollection");
    const shown = all.body.find(({ _id }: { _id: string }) => _id === insertedId);
    // The seller's name is public, the address is not.
    expect(shown).toEqual({ ...listing, sellerEmail: "" });
    const own = await seller.get(`/allPhoneInfo?email=${seller.account.email}`);
    expect(own.body[0]).toEqual({ ...listing, sellerEmail: seller.account.email });
    const page = textOf(await (await visitor(server).get("/android")).text());
    expect(page).toContain(`Nokia ${model}`);
    expect(page).toContain("$199.50");
  });

  test("stores the optional facts", async () => {
    const facts = { condition: "Good", batteryHealth: 87, carrierLock: "Unlocked", city: "Port Town" };
    const { body } = await seller.post("/phoneInfoCollection", { ...device, ...facts });
    const own = await seller.get(`/allPhoneInfo?email=${seller.account.email}`);
    expect(own.body.find(({ _id }: { _id: string }) => _id === body.insertedId)).toMatchObject(facts);
    const wrong = await seller.post("/phoneInfoCollection", { ...device, condition: "Shiny" });
    expect([wrong.status, wrong.body.errors[0].pointer]).toEqual([422, "#/condition"]);
  });

  test("stores the IMEI as PUT does, which nobody can list twice", async () => {
    const imei = "49-015420-323751-8";
    const { body } = await seller.post("/phoneInfoCollection", { ...device, imei });
    expect((await rowOf(body.insertedId))?.imeiHash).toMatch(/./);
    const other = await tokenClient(server, { userType: "Seller" });
    const again = await other.post("/phoneInfoCollection", { ...device, imei: "490154203237518" });
    expect([again.status, again.body.detail]).toEqual([409, "A device with this IMEI is already listed."]);
    const invalid = await other.post("/phoneInfoCollection", { ...device, imei: "490154203237519" });
    expect([invalid.status, invalid.body.errors[0].pointer]).toEqual([422, "#/imei"]);
  });

  test.each([
    ["text", "549", "199.5", 54_900, 19_950],
    ["numbers", 549, 199.5, 54_900, 19_950],
    ["both", "549.00", 199, 54_900, 19_900],
    ["text with spaces around", " 549 ", "199.05", 54_900, 19_905],
  ])("accepts prices as %s", async (_, marketPrice, sellingPrice, marketCents, sellingCents) => {
    const { body } = await seller.post("/phoneInfoCollection", { ...device, marketPrice, sellingPrice });
    expect(await rowOf(body.insertedId)).toMatchObject({ marketCents, sellingCents });
  });

  test("accepts fields in any order, and ignores unknown and privileged ones", async () => {
    const other = await addAccount(server.db, { userType: "Seller" });
    const forged = {
      ...{
        _id: "chosen",
        id: "chosen",
        sellerId: other.id,
        sellerEmail: other.email,
        sellerName: other.name,
      },
      ...{
        status: "sold",
        verified: "yes",
        createdAt: 0,
        hiddenById: "x",
        formKey: "x",
        toString: 1,
        x: [{}],
      },
    };
    const reversed = Object.fromEntries(Object.entries(device).reverse());
    const { body } = await seller.post("/phoneInfoCollection", { ...forged, ...reversed, ...forged });
    expect(body.insertedId).not.toBe("chosen");
    expect(await rowOf(body.insertedId)).toMatchObject({
      sellerId: seller.account.id,
      status: "available",
      hiddenById: null,
      formKey: null,
    });
    expect((await rowOf(body.insertedId))?.createdAt.getTime()).toBeGreaterThan(Date.now() - 600_000);
  });

  test("names each invalid field, and stores nothing", async () => {
    const before = await server.db.$count(phones);
    const empty = await seller.post("/phoneInfoCollection", {});
    const named = Object.keys(device).filter((name) => !name.startsWith("sellerN") && name !== "sellerEmail");
    expect(empty.status).toBe(422);
    expect(empty.body.errors.map(({ pointer }: { pointer: string }) => pointer).toSorted()).toEqual(
      named.map((name) => `#/${name}`).toSorted(),
    );
    const wrong: [string, unknown][] = [
      ["marketPrice", "a lot"],
      ["marketPrice", -1],
      ["marketPrice", 1e300],
      ["sellingPrice", 0],
      ["sellingPrice", 1.005],
      ["sellingPrice", null],
      ["sellingPrice", ["1"]],
      ["os", "Symbian"],
      ["deviceType", "Smart%20Phone"],
      ["image", "javascript:alert(1)"],
      ["postDate", "2026-02-30"],
      ["postDate", "21/11/2026"],
      ["brandName", " "],
      ["model", { $gt: "" }],
      ["usedTime", 14],
      ["ram", "x".repeat(31)],
      ["rom", "256GB UFS 3.1"],
    ];
    for (const [name, value] of wrong) {
      const response = await seller.post("/phoneInfoCollection", { ...device, [name]: value });
      expect([name, value, response.status, response.body.errors]).toEqual([
        name,
        value,
        422,
        [{ pointer: `#/${name}`, detail: expect.any(String) }],
      ]);
    }
    expect(await server.db.$count(phones)).toBe(before);
  });

  test("stores sizes as filters name them", async () => {
    const { body } = await seller.post("/phoneInfoCollection", { ...device, ram: "8GB RAM", rom: "1tb" });
    expect(await rowOf(body.insertedId)).toMatchObject({ ram: "8 GB", rom: "1 TB" });
    await seller.putJson(`/phones/${body.insertedId}`, { rom: "256\u00A0gb storage" });
    expect(await rowOf(body.insertedId)).toMatchObject({ ram: "8 GB", rom: "256 GB" });
  });

  test.each([[[]], [[device]], ["text"], [7], [null], [true]])("requires an object, not %j", async (body) => {
    const response = await seller.post("/phoneInfoCollection", body);
    expect([response.status, response.body.errors]).toEqual([
      422,
      [{ pointer: "#", detail: "Send a JSON object." }],
    ]);
  });

  test("stores markup and unusual characters as text", async () => {
    const odd = `<b>"'&\u2028😀\ud800\0`;
    const { body } = await seller.post("/phoneInfoCollection", { ...device, sellingReason: odd });
    const stored = odd.replace("\0", "").replace("\ud800", "\ufffd").replace("\u2028", "\n");
    expect((await rowOf(body.insertedId))?.sellingReason).toBe(stored);
    const { body: list } = await nobody.get("/phoneInfoCollection?limit=1");
    expect(list[0].sellingReason).toBe(stored);
  });
});

describe("GET /phoneInfoCollection/…", () => {
  let fresh: LocalServer;
  let reader: ApiClient;
  beforeAll(async () => {
    fresh = await startServer();
    reader = apiClient(fresh);
    const { id: sellerId } = await addAccount(fresh.db, { userType: "Seller" });
    for (const [model, os, deviceType] of [
      ["Android phone", "Android", "Smart Phone"],
      ["iPhone", "Ios", "Smart Phone"],
      ["Android tablet", "Android", "Tablet"],
      ["iPad", "Ios", "Tablet"],
    ] as const) {
      await addPhone(fresh.db, { sellerId, model, os, deviceType });
    }
    await addPhone(fresh.db, { sellerId, model: "Reserved", status: "reserved" });
    await addPhone(fresh.db, { sellerId, model: "Sold", status: "sold" });
    await addPhone(fresh.db, { sellerId, model: "Removed", hiddenById: "some removal" });
  });
  afterAll(() => fresh?.stop());

  test.each([
    ["", ["Reserved", "iPad", "Android tablet", "iPhone", "Android phone"]],
    ["/Android/Smart%20Phone", ["Reserved", "Android phone"]],
    ["/Ios/Smart%20Phone", ["iPhone"]],
    ["/Tablet", ["iPad", "Android tablet"]],
    ["/Smart%20Phone", ["Reserved", "iPhone", "Android phone"]],
    ["/Android", ["Reserved", "Android tablet", "Android phone"]],
    ["/Ios", ["iPad", "iPhone"]],
    ["/Android/Tablet", ["Android tablet"]],
    ["/Ios/Tablet", ["iPad"]],
    ["/android/smart%20phone", ["Reserved", "Android phone"]],
    ["/Ios/Smart%20Phone/", ["iPhone"]],
  ])("%s lists its devices, newest first", async (path, models) => {
    const { status, body } = await reader.get(`/phoneInfoCollection${path}`);
    expect([status, body.map(({ model }: { model: string }) => model)]).toEqual([200, models]);
  });

  test.each(["/Symbian", "/Android/Ios", "/Tablet/Tablet", "/Android/Phone", "/_proto_", "/Android/%00"])(
    "%s is not a category",
    async (path) => {
      expect((await reader.get(`/phoneInfoCollection${path}`)).status).toBe(404);
    },
  );
});

describe("GET /allPhoneInfo", () => {
  test("lists the client's own, sold ones too, with any spelling of the address or without it", async () => {
    const own = await signedInClient(server, { userType: "Seller", email: "Mixed.Case@example.com" });
    const sold = await addPhone(server.db, { sellerId: own.account.id, status: "sold" });
    const open = await addPhone(server.db, { sellerId: own.account.id });
    await addPhone(server.db, { sellerId: own.account.id, hiddenById: "some removal" });
    for (const query of ["", "?email=Mixed.Case@example.com", "?email=mixed.case%40EXAMPLE.com"]) {
      const { body } = await own.get(`/allPhoneInfo${query}`);
      expect(body.map(({ _id, status }: Record<string, string>) => [_id, status])).toEqual([
        [open.id, "available"],
        [sold.id, "sold"],
      ]);
    }
  });

  test("lists another user's for administrators only", async () => {
    const { account } = seller;
    await addPhone(server.db, { sellerId: account.id });
    const buyer = await signedInClient(server);
    expect((await nobody.get(`/allPhoneInfo?email=${account.email}`)).status).toBe(401);
    expect((await buyer.get(`/allPhoneInfo?email=${account.email}`)).status).toBe(403);
    expect((await buyer.get("/allPhoneInfo?email=")).status).toBe(403);
    expect((await buyer.get("/allPhoneInfo?email=no-such@example.com")).status).toBe(403);
    const admin = await signedInClient(server, { userType: "Admin" });
    expect((await admin.get(`/allPhoneInfo?email=${account.email}`)).body.length).toBeGreaterThan(0);
    expect((await admin.get("/allPhoneInfo?email=no-such@example.com")).body).toEqual([]);
  });
});

describe("PUT /phones/{id}", () => {
  const own = (phone = {}) => addPhone(server.db, { sellerId: seller.account.id, ...phone });
  const invalid = async (id: string, body: object) =>
    (await seller.putJson(`/phones/${id}`, body)).body.errors;

  test("changes the fields that are sent, and keeps the others", async () => {
    const phone = await own({ condition: "Good", batteryHealth: 91, imeiHash: crypto.randomUUID() });
    const response = await seller.putJson(`/phones/${phone.id}`, {
      sellingPrice: "299,50",
      sellerName: "Eve",
    });
    expect([response.status, response.body]).toEqual([200, { acknowledged: true, modifiedCount: 1 }]);
    expect(await rowOf(phone.id)).toMatchObject({ ...phone, sellingCents: 29_950 });
    expect(textOf(await (await visitor(server).get(`/phones/${phone.id}`)).text())).toContain("$299.50");
    await seller.putJson(`/phones/${phone.id}`, { condition: "Fair" });
    expect(await rowOf(phone.id)).toMatchObject({ ...phone, sellingCents: 29_950, condition: "Fair" });
  });

  test("says what the edit page says about invalid fields", async () => {
    const { id } = await own();
    expect(await invalid(id, { sellingPrice: "cheap", imei: "1" })).toEqual([
      { detail: "Selling Price must be a number of dollars, like 349 or 349.50", pointer: "#/sellingPrice" },
      { detail: "IMEI must be 15 digits. Dial *#06# to see it", pointer: "#/imei" },
    ]);
    expect(await invalid(id, { model: " " })).toEqual([{ detail: "Model is required", pointer: "#/model" }]);
    expect(await invalid(id, { batteryHealth: true, carrierLock: "Maybe" })).toEqual([
      { detail: "Battery health must be a percentage, like 87", pointer: "#/batteryHealth" },
      {
        detail: expect.stringMatching(
          /^Carrier lock must be Unlocked, Locked to .+ or Locked to another carrier$/,
        ),
        pointer: "#/carrierLock",
      },
    ]);
    expect(await invalid(id, { city: "x".repeat(61) })).toEqual([
      { detail: "City must be 60 characters or shorter", pointer: "#/city" },
    ]);
  });

  test("keeps a size from before sizes were read until another is sent", async () => {
    const old = "256GB UFS 3.1";
    for (const status of ["available", "reserved"] as const) {
      const { id } = await own({ rom: old, status });
      expect((await seller.putJson(`/phones/${id}`, { rom: old, battery: "3900 mAh" })).status).toBe(200);
      expect(await rowOf(id)).toMatchObject({ rom: old, battery: "3900 mAh" });
      expect(await invalid(id, { rom: "512GB UFS 3.1", ram: old, sellingPrice: "cheap" })).toEqual([
        { detail: "Ram must be a size, like 8 GB", pointer: "#/ram" },
        { detail: "Rom must be a size, like 128 GB", pointer: "#/rom" },
        {
          detail: "Selling Price must be a number of dollars, like 349 or 349.50",
          pointer: "#/sellingPrice",
        },
      ]);
      const changed = await seller.putJson(`/phones/${id}`, { rom: "512gb" });
      expect(changed.status).toBe(status === "reserved" ? 409 : 200);
    }
    const others = await addPhone(server.db, { rom: old });
    expect((await seller.putJson(`/phones/${others.id}`, { rom: old })).status).toBe(422);
    expect((await seller.putJson(`/phones/${others.id}`, { rom: "256 GB" })).status).toBe(404);
  });

  test("states what lists and records then show", async () => {
    const { id } = await own();
    const plain = { condition: "Good", batteryHealth: 88, color: "Blue", carrierLock: "Unlocked" };
    const stated = { ...plain, scratches: "None", delivery: "Shipped", city: "Austin, TX" };
    expect((await seller.putJson(`/phones/${id}`, { ...stated, city: "Reno" })).status).toBe(200);
    // What is not sent stays.
    expect((await seller.putJson(`/phones/${id}`, { city: "austin" })).status).toBe(200);
    const { body } = await seller.get("/phoneInfoCollection?limit=100");
    const record = body.find(({ _id }: { _id: string }) => _id === id);
    expect(record).toMatchObject(stated);
    expect(Object.keys(record)).not.toContain("repairs");
    const list = await (await visitor(server).get("/products?color=Blue&unlocked=yes&battery=85")).text();
    expect(list).toContain(`/phones/${id}"`);
  });

  test("keeps a reserved device what it is, and a sold one as it was", async () => {
    const reserved = await own({ status: "reserved" });
    expect((await seller.putJson(`/phones/${reserved.id}`, { sellingPrice: 99 })).status).toBe(200);
    const locked = await seller.putJson(`/phones/${reserved.id}`, { model: "Another" });
    expect([locked.status, locked.body.detail]).toEqual([
      409,
      "Model details are locked while the device is reserved or has an open offer.",
    ]);
    const sold = await own({ status: "sold" });
    expect((await seller.putJson(`/phones/${sold.id}`, { sellingPrice: 99 })).status).toBe(409);
    expect(await rowOf(sold.id)).toMatchObject(sold);
  });

  test("is not for strangers and visitors", async () => {
    const { id } = await addPhone(server.db);
    expect((await seller.putJson(`/phones/${id}`, { sellingPrice: 1 })).status).toBe(404);
    expect((await nobody.putJson(`/phones/${id}`, { sellingPrice: 1 })).status).toBe(401);
  });
});

describe("DELETE /phones/delete/{id}", () => {
  test("deletes the client's own once, from all lists", async () => {
    const { id } = await addPhone(server.db, { sellerId: seller.account.id });
    const response = await seller.delete(`/phones/delete/${id}`);
    expect([response.status, response.body]).toEqual([200, { acknowledged: true, deletedCount: 1 }]);
    const again = await seller.delete(`/phones/delete/${id}`);
    expect([again.status, again.body.deletedCount]).toEqual([404, 0]);
    for (const list of [await nobody.get("/phoneInfoCollection"), await seller.get("/allPhoneInfo")]) {
      expect(list.text).not.toContain(id);
    }
    expect((await visitor(server).get(`/products/${id}`)).status).toBe(404);
  });

  test("refuses a reserved one, and 404 for one deleted on the page", async () => {
    const own = await signedInClient(server, { userType: "Seller" });
    const reserved = await addPhone(server.db, { sellerId: own.account.id, status: "reserved" });
    const refused = await own.delete(`/phones/delete/${reserved.id}`);
    expect([refused.status, refused.body.deletedCount]).toEqual([409, 0]);
    expect((await seller.delete(`/phones/delete/${reserved.id}`)).status).toBe(404);

    const { id } = await addPhone(server.db, { sellerId: own.account.id });
    await own.visitor.post("/manage/mysells", { _id: id });
    expect((await own.get("/allPhoneInfo")).text).not.toContain(id);
    expect((await own.delete(`/phones/delete/${id}`)).status).toBe(404);
  });
});
