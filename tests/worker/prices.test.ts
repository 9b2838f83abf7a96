import { eq, inArray } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { phones } from "#app/db/schema.ts";
import type { LocalServer } from "../../scripts/local-server.ts";
import { signedInClient } from "../harness/api-client.ts";
import { fieldValue, textOf } from "../harness/html.ts";
import { validListing } from "../harness/listing-form.ts";
import { addAccount, addPhone, sharedServer, visitor } from "../harness/server.ts";

const path = "/manage/mysells/prices";

let server: LocalServer;
beforeAll(async () => {
  server = await sharedServer();
});

async function shop(count: number) {
  const account = await addAccount(server.db, { userType: "Seller" });
  const seller = visitor(server);
  await seller.signIn(account.email);
  const ids: string[] = [];
  for (let at = 0; at < count; at += 1)
    ids.push((await addPhone(server.db, { sellerId: account.id, sellingCents: 30_000 + at * 1000 })).id);
  return { seller, ids };
}

async function pricesOf(ids: string[]) {
  const rows = await server.db.select().from(phones).where(inArray(phones.id, ids));
  return ids.map((id) => rows.find((row) => row.id === id)?.sellingCents);
}

/** What the page of many prices sends: its fields as they are shown. */
function fieldsOf(html: string, ids: string[]) {
  const names = ["formKey", "back", ...ids.flatMap((id) => [`price-${id}`, `shown-${id}`])];
  return Object.fromEntries(names.map((name) => [name, fieldValue(html, name) ?? ""]));
}

test("a seller lowers 60 prices by 10 percent in two steps, and takes that back in one", async () => {
  const { seller, ids } = await shop(60);
  const shown = await (await seller.get("/manage/mysells?tab=for+sale")).text();
  expect(shown).toContain(`href="${path}?tab=for+sale"`);
  const preview = await (await seller.get(`${path}?tab=for+sale&direction=lower&by=10&unit=percent`)).text();
  expect(textOf(preview)).toContain("300$");
  expect(fieldValue(preview, `price-${ids[0]}`)).toBe("270");
  const saved = await seller.post(path, fieldsOf(preview, ids));
  expect([saved.status, saved.headers.get("Location")]).toEqual([303, "/manage/mysells?tab=for+sale"]);
  const lowered = ids.map((_, at) => 27_000 + at * 900);
  expect(await pricesOf(ids)).toEqual(lowered);
  const done = await (await seller.get("/manage/mysells?tab=for+sale")).text();
  expect(textOf(done)).toContain("60 prices changed");
  await seller.post("/manage/undo", { _id: fieldValue(done, "_id") ?? "", redirectTo: "/manage/mysells" });
  expect(await pricesOf(ids)).toEqual(ids.map((_, at) => 30_000 + at * 1000));
});

test("a price in its row is refused beside its field, with what was typed", async () => {
  const { seller, ids } = await shop(4);
  const [wrong = "", stale = "", odd = "", right = ""] = ids;
  const fields = fieldsOf(await (await seller.get("/manage/mysells")).text(), ids);
  await server.db.update(phones).set({ sellingCents: 20_000 }).where(eq(phones.id, stale));
  const typed = {
    ...fields,
    [`price-${wrong}`]: "cheap",
    [`price-${stale}`]: "315",
    [`price-${odd}`]: "1500",
    [`price-${right}`]: "299",
  };
  const refused = await seller.post(path, typed);
  const html = await refused.text();
  expect(refused.status).toBe(400);
  const text = textOf(html);
  expect(text).toContain("Price must be a number of dollars");
  expect(text).toContain("The price is $200 now. Save again to change it.");
  expect(text).toContain("That’s 2 times the price of a new one. Is that right?");
  expect(ids.map((id) => fieldValue(html, `price-${id}`))).toEqual(["cheap", "315", "1500", "299"]);
  expect(await pricesOf(ids)).toEqual([30_000, 20_000, 32_000, 33_000]);
  // With what the page shows now, the stale one is seen, and the odd one confirmed.
  const confirmed = fieldValue(html, "confirmed") ?? "";
  const again = { ...fieldsOf(html, ids), confirmed, [`price-${wrong}`]: "289" };
  expect((await seller.post(path, again)).status).toBe(303);
  expect(await pricesOf(ids)).toEqual([28_900, 31_500, 150_000, 29_900]);
});

test("programs change many prices, each with its own result", async () => {
  const client = await signedInClient(server, { userType: "Seller" });
  const add = async (more: Partial<typeof phones.$inferInsert> = {}) =>
    (await addPhone(server.db, { sellerId: client.account.id, sellingCents: 30_000, ...more })).id;
  const [free, known, stale, sold, other] = [
    await add(),
    await add(),
    await add(),
    await add({ status: "sold" }),
    (await addPhone(server.db)).id,
  ];
  const prices = [
    { id: free, sellingPrice: 299 },
    { id: known, sellingPrice: "$280.50", shownPrice: 300 },
    { id: stale, sellingPrice: 299, shownPrice: 310 },
    { id: sold, sellingPrice: 299 },
    { id: other, sellingPrice: 299 },
    { id: "x", sellingPrice: 0 },
  ];
  const { status, body } = await client.putJson("/allPhoneInfo/prices", { prices });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    acknowledged: true,
    modifiedCount: 2,
    results: [
      { id: free, sellingPrice: 299 },
      { id: known, sellingPrice: 280.5 },
      { status: 409, detail: "It has another price now." },
      { status: 409, detail: "It’s sold." },
      { status: 404 },
      { status: 422, errors: [{ pointer: "#/prices/5/sellingPrice" }] },
    ],
  });
  expect(await pricesOf([free, known, stale])).toEqual([29_900, 28_050, 30_000]);
  const twice = { prices: [prices[0], prices[0]] };
  expect((await client.putJson("/allPhoneInfo/prices", twice)).status).toBe(422);
});

test("a body without a list of prices or listings is refused in words", async () => {
  const client = await signedInClient(server, { userType: "Seller" });
  const details = async (send: typeof client.putJson, path: string, body: object) =>
    (await send(path, body)).body?.detail;
  expect(await details(client.putJson, "/allPhoneInfo/prices", {})).toBe("prices must be an array");
  expect(await details(client.post, "/allPhoneInfo", { listings: {} })).toBe("listings must be an array");
  expect((await client.putJson("/allPhoneInfo/prices", { prices: [{}] })).body?.results[0].detail).toMatch(
    /^id must be text\. /,
  );
});

test("programs are asked about unlikely prices as the pages ask", async () => {
  const client = await signedInClient(server, { userType: "Seller" });
  const own = { sellerId: client.account.id, sellingCents: 30_000, marketCents: 60_000 };
  const [odd, even] = [(await addPhone(server.db, own)).id, (await addPhone(server.db, own)).id];
  const prices = [
    { id: odd, sellingPrice: 29.9 },
    { id: even, sellingPrice: 299 },
  ];
  const { body } = await client.putJson("/allPhoneInfo/prices", { prices });
  expect(body).toMatchObject({
    modifiedCount: 1,
    results: [{ status: 409, detail: "It was $300. Is that right?", asked: [`${odd} 2990`] }, { id: even }],
  });
  expect(await pricesOf([odd, even])).toEqual([30_000, 29_900]);
  const confirmed = body?.results[0].asked;
  expect((await client.putJson("/allPhoneInfo/prices", { prices, confirmed })).body.modifiedCount).toBe(1);
  expect(await pricesOf([odd, even])).toEqual([2_990, 29_900]);

  const edit = await client.putJson(`/phones/${even}`, { sellingPrice: 2990 });
  expect([edit.status, edit.body]).toMatchObject([
    409,
    {
      modifiedCount: 0,
      errors: [{ pointer: "#/sellingPrice", detail: "That’s 5 times the price of a new one." }],
    },
  ]);
  const sent = { sellingPrice: 2990, confirmed: edit.body?.asked };
  expect((await client.putJson(`/phones/${even}`, sent)).status).toBe(200);
  // What is stored isn't asked about again.
  expect((await client.putJson(`/phones/${even}`, { color: "Blue" })).status).toBe(200);
});

test("a booked device keeps no other price from changing, and is named", async () => {
  const { seller, ids } = await shop(3);
  const [booked = "", sold = "", free = ""] = ids;
  const fields = fieldsOf(await (await seller.get("/manage/mysells")).text(), ids);
  const typed = Object.fromEntries(ids.map((id) => [`price-${id}`, "310"]));
  await server.db.update(phones).set({ status: "reserved" }).where(eq(phones.id, booked));
  const both = { ...fields, ...typed, [`price-${sold}`]: fields[`price-${sold}`] ?? "" };
  expect((await seller.post(path, both)).status).toBe(303);
  expect(await pricesOf([booked, free])).toEqual([30_000, 31_000]);
  const text = textOf(await (await seller.get("/manage/mysells")).text());
  expect(text).toMatch(
    /1 price changed\. Left out: Fairphone [^.]+\. It’s booked, and the order keeps its price\./,
  );
  await seller.post(path, { ...fields, [`price-${booked}`]: "311", formKey: crypto.randomUUID() });
  expect(textOf(await (await seller.get("/manage/mysells")).text())).toMatch(
    /Left out: Fairphone [^.]+\. It’s booked/,
  );
});

test("an edit says what another tab has saved since, and keeps what was typed", async () => {
  const { seller, ids } = await shop(1);
  const [id = ""] = ids;
  const edit = `/manage/mysells/${id}/edit`;
  const base = fieldValue(await (await seller.get(edit)).text(), "base") ?? "";
  await server.db.update(phones).set({ sellingCents: 28_000, color: "Blue" }).where(eq(phones.id, id));
  const typed = { ...validListing, base, sellingPrice: "290", sellingReason: "Typed here" };
  const refused = await seller.post(edit, typed);
  const html = await refused.text();
  expect(refused.status).toBe(409);
  const text = textOf(html);
  expect(text).toContain("Changed to $280 since you opened this. Submit again to keep yours.");
  expect(text).toContain("Changed to “Blue” since you opened this. Submit again to keep yours.");
  expect(html).toContain("Typed here");
  expect(await pricesOf(ids)).toEqual([28_000]);
  const confirmed = ["sellingPrice is 280", "color is Blue"];
  for (const about of confirmed) expect(html).toContain(`name="confirmed" value="${about}"`);
  // Also where it is refused for something else.
  const wrong = await (await seller.post(edit, { ...typed, ram: "lots" })).text();
  expect(textOf(wrong)).toContain("Changed to $280 since");
  const again = [...Object.entries(typed), ...confirmed.map((about) => ["confirmed", about])];
  expect((await seller.post(edit, again as [string, string][])).status).toBe(303);
  expect(await pricesOf(ids)).toEqual([29_000]);
});

test("the edit page asks about a price far from the former one, once", async () => {
  const { seller, ids } = await shop(1);
  const edit = `/manage/mysells/${ids[0]}/edit`;
  const typed = { ...validListing, sellingPrice: "30", marketPrice: "600" };
  const refused = await seller.post(edit, typed);
  const html = await refused.text();
  expect(textOf(html)).toContain("It was $300. Is that right? Submit again to keep it.");
  expect(await pricesOf(ids)).toEqual([30_000]);
  await seller.post(edit, { ...typed, confirmed: fieldValue(html, "confirmed") ?? "" });
  expect(await pricesOf(ids)).toEqual([3_000]);
});

test("another listing begins as a copy of the one just published", async () => {
  const { seller } = await shop(1);
  const model = `Model ${crypto.randomUUID()}`;
  await seller.post("/addphone", { ...validListing, model, ownNumber: "SHELF-7" });
  const [phone] = await server.db.select().from(phones).where(eq(phones.model, model));
  const published = await (await seller.get(`/addphone?added=${phone?.id}`)).text();
  expect(textOf(published)).toContain("Publish another");
  const copied = await seller.post("/manage/mysells", { intent: "sell similar", _id: phone?.id ?? "" });
  const draft = await (await seller.get(copied.headers.get("Location") ?? "")).text();
  expect(["model", "sellingPrice", "ownNumber"].map((name) => fieldValue(draft, name))).toEqual([
    model,
    "349.5",
    "",
  ]);
});

test("a search in the order of prices that is cut says so, here as under My Sells", async () => {
  const { seller } = await shop(51);
  const note = "Sorted: the newest 50 that match.";
  for (const [search, isSaid] of [
    ["tab=for+sale&q=fairphone&sort=price-up", true],
    ["tab=for+sale&q=fairphone", false],
    ["tab=for+sale&sort=price-up", false],
  ] as const)
    for (const page of ["/manage/mysells", path]) {
      const text = textOf(await (await seller.get(`${page}?${search}`)).text());
      expect(text.includes(note), `${page}?${search}`).toBe(isSaid);
    }
});
