import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { notifications, phones, savedListings, sessions } from "#app/db/schema.ts";
import { saveListing } from "#app/features/saved-listings/saved-listings.server.ts";
import { tagsOf, textOf } from "../harness/html.ts";
import {
  addAccount,
  addPhone,
  password,
  startServer,
  type TestServer,
  type Visitor,
  visitor,
} from "../harness/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ bindings: { EDGE_CACHE_SECONDS: "450" } });
});
afterAll(() => server?.stop());

const statePath = "/manage/saved/state";

async function someone(account: Parameters<typeof addAccount>[1] = {}) {
  const row = await addAccount(server.db, account);
  const person = visitor(server);
  await person.signIn(row.email);
  return { row, person };
}

const savedBy = async (userId: string) =>
  (await server.db.select().from(savedListings).where(eq(savedListings.userId, userId))).map(
    ({ phoneId }) => phoneId,
  );

/** The buttons that save a listing, as [name, value, aria-pressed]. */
const buttonsOf = (html: string) =>
  tagsOf(html)
    .filter(({ name, attributes }) => name === "button" && attributes.get("form") === "save")
    .map(({ attributes }) => ["name", "value", "aria-pressed"].map((name) => attributes.get(name)));

const html = async (person: Visitor, path: string) => (await person.get(path)).text();

function script(person: Visitor, fields: Record<string, string>) {
  return person.send(statePath, {
    method: "POST",
    body: new URLSearchParams(fields),
    headers: { Origin: server.url, Accept: "application/json" },
  });
}

test("cached pages do not say what is saved, and pages of one person do", async () => {
  const phone = await addPhone(server.db);
  const { row, person } = await someone();
  const { person: other } = await someone();
  await saveListing(server.db, row, phone.id);
  // Without what the login has left behind, so that the cache is used.
  for (const each of [person, other]) {
    for (const name of each.cookies.keys()) if (name !== "__Host-session") each.cookies.delete(name);
  }
  for (const each of [person, other, visitor(server)]) {
    expect(buttonsOf(await html(each, "/products"))).toContainEqual(["save", phone.id, undefined]);
  }
  for (const path of [`/phones/${phone.id}`, `/products/${phone.id}`]) {
    const own = (list: unknown[][]) => list.at(-1);
    expect(own(buttonsOf(await html(person, path)))).toEqual(["remove", phone.id, "true"]);
    expect(own(buttonsOf(await html(other, path)))).toEqual(["save", phone.id, "false"]);
    expect(own(buttonsOf(await html(visitor(server), path)))).toEqual(["save", phone.id, undefined]);
  }
  const asked = `${statePath}?ids=${phone.id},nothing`;
  expect(await (await person.get(asked)).json()).toMatchObject({ saved: [phone.id], own: [] });
  expect(await (await other.get(asked)).json()).toMatchObject({ saved: [], own: [] });
});

test("sellers learn which listings of a cached list are their own, and cannot book one", async () => {
  const { row, person } = await someone({ userType: "Seller" });
  const own = await addPhone(server.db, { sellerId: row.id });
  const other = await addPhone(server.db);
  const asked = await person.get(`${statePath}?ids=${own.id},${other.id}`);
  expect(await asked.json()).toMatchObject({ saved: [], own: [own.id] });
  const buyNow = (page: string, { id }: { id: string }) => page.includes(`/${id}/book`);
  for (const path of [`/phones/${own.id}`, `/products/${own.id}`]) {
    const [dialog = ""] = /<(main|dialog).*<\/\1>/s.exec(await html(person, path)) ?? [];
    expect(textOf(dialog)).toContain("Your own listing");
  }
  const compared = await html(person, `/compare?ids=${own.id}&ids=${other.id}`);
  expect([buyNow(compared, own), buyNow(compared, other)]).toEqual([false, true]);
  const refused = await html(person, `/phones/${own.id}/book`);
  const [dialog = ""] = /<dialog.*<\/dialog>/s.exec(refused) ?? [];
  expect(textOf(dialog)).toContain("This is your own device, so you can’t book it");
  expect(dialog).not.toMatch(/<p[^>]*><\/p>/);
});

test("without JavaScript the button says what it has done, and leads back to the place", async () => {
  const phone = await addPhone(server.db);
  const { row, person } = await someone();
  const fields = { save: phone.id, redirectTo: "/products?sort=price" };
  const remove = { remove: phone.id, redirectTo: fields.redirectTo };
  for (const [sent, message, saved] of [
    [fields, "Saved. We’ll tell you if the price drops, it sells, or it comes back.", [phone.id]],
    // A double click, too, leaves it saved.
    [fields, "You’ve saved this device. Remove", [phone.id]],
    [remove, "No longer saved Undo", []],
  ] as const) {
    const response = await person.post(statePath, sent);
    expect([response.status, response.headers.get("Location")]).toEqual([303, "/products?sort=price"]);
    expect(textOf(await html(person, "/products?sort=price"))).toContain(message);
    expect(await savedBy(row.id)).toEqual(saved);
  }
  const elsewhere = await person.post(statePath, { save: phone.id, redirectTo: "//evil.example" });
  expect(elsewhere.headers.get("Location")).toBe("/manage/saved");
  expect((await person.post(statePath, { redirectTo: "/" })).status).toBe(400);
});

test("what cannot be saved is refused, for scripts with a status", async () => {
  const { row, person } = await someone({ userType: "Seller" });
  const own = await addPhone(server.db, { sellerId: row.id });
  const sold = await addPhone(server.db, { status: "sold" });
  for (const [id, status, message] of [
    [own.id, 409, "This is your own listing, so you can’t save it."],
    [sold.id, 409, "This device is sold."],
    ["nothing", 404, "This listing is gone."],
  ] as const) {
    const refused = await script(person, { save: id });
    expect([refused.status, await refused.json()]).toMatchObject([
      status,
      { result: { error: { "": [message] } } },
    ]);
    await person.post(statePath, { save: id, redirectTo: "/blogs" });
    expect(textOf(await html(person, "/blogs"))).toContain(message);
  }
  expect(await savedBy(row.id)).toEqual([]);
  expect(buttonsOf(await html(person, `/phones/${own.id}`))).toEqual([]);
  expect(buttonsOf(await html(person, `/phones/${sold.id}`))).toEqual([]);
});

test("a visitor without a session saves a listing through the login, and comes back to where they were", async () => {
  const [phone, next] = [await addPhone(server.db), await addPhone(server.db)];
  const account = await addAccount(server.db);
  const person = visitor(server);
  expect((await script(person, { save: phone.id })).status).toBe(401);
  const path = "/products?sort=price";
  const response = await person.post(`${statePath}?at=phone-3`, { save: phone.id, redirectTo: path });
  const login = response.headers.get("Location") ?? "";
  expect([response.status, login]).toEqual([
    302,
    `/login?${new URLSearchParams({ redirectTo: `${path}#phone-3`, save: phone.id })}`,
  ]);
  expect(await savedBy(account.id)).toEqual([]);
  const wrong = await person.post(login, { email: account.email, password: "wrong-password1" });
  expect(wrong.status).toBe(400);
  expect(await savedBy(account.id)).toEqual([]);
  const done = await person.post(login, { email: account.email, password });
  expect(done.headers.get("Location")).toBe(`${path}#phone-3`);
  expect(person.cookies.has("__Host-save")).toBe(false);
  const page = await html(person, `/phones/${phone.id}`);
  expect(textOf(page)).toContain(`${account.email} account created. Saved. We’ll tell you`);
  expect(buttonsOf(page)).toEqual([["remove", phone.id, "true"]]);
  expect(await savedBy(account.id)).toEqual([phone.id]);
  await server.db.delete(sessions).where(eq(sessions.userId, account.id));
  const again = await person.post(statePath, { save: phone.id, redirectTo: path });
  expect(textOf(await html(person, again.headers.get("Location") ?? ""))).toContain(
    "Your session has ended.",
  );

  // By signing up, too.
  const member = visitor(server);
  await member.post(statePath, { save: next.id });
  await member.post(`/signup?redirectTo=/phones/${next.id}`, {
    name: "New",
    email: "new.saver@example.com",
    password: "secret1",
  });
  expect(buttonsOf(await html(member, `/phones/${next.id}`))).toEqual([["remove", next.id, "true"]]);
});

describe("the page Saved", () => {
  test("shows the price then and now, and what has become of a listing", async () => {
    const { row, person } = await someone();
    expect(textOf(await html(person, "/manage/saved"))).toContain("Nothing saved yet");
    const long = `Model ${"ofaverylongname".repeat(12)}`;
    const [cheaper, dearer, removed] = [
      await addPhone(server.db, { model: "Cheaper", sellingCents: 30_000 }),
      await addPhone(server.db, { model: long, sellingCents: 30_000 }),
      await addPhone(server.db, { model: "Withdrawn", sellingCents: 12_345 }),
    ];
    for (const { id } of [cheaper, dearer, removed]) await saveListing(server.db, row, id);
    const edit = (id: string, values: Partial<typeof phones.$inferInsert>) =>
      server.db.update(phones).set(values).where(eq(phones.id, id));
    await edit(cheaper.id, { sellingCents: 28_000 });
    await edit(dearer.id, { sellingCents: 30_500, status: "reserved" });
    await edit(removed.id, { hiddenById: "some removal", sellingCents: 99_900 });
    const page = await html(person, "/manage/saved");
    const text = textOf(page);
    for (const part of [
      ...["$20 less than when you saved it", "$5 more than when you saved it", "Reserved", "Removed", long],
      ...["Fairphone Withdrawn", "$123.45 when you saved it"],
    ]) {
      expect(text).toContain(part);
    }
    expect(text).not.toContain("$999");
    expect(page).not.toContain(`/phones/${removed.id}`);

    const removal = await person.post("/manage/saved", { _id: removed.id });
    expect(removal.status).toBe(303);
    expect(textOf(await html(person, "/manage/saved"))).toContain("No longer saved");
    expect((await savedBy(row.id)).toSorted()).toEqual([cheaper.id, dearer.id].toSorted());
  });

  test("has pages", async () => {
    const { row, person } = await someone();
    const { id } = await addPhone(server.db);
    await server.db.batch([
      ...Array.from({ length: 30 }, (_, index) =>
        server.db
          .insert(savedListings)
          .values({ userId: row.id, phoneId: index ? `phone-${index}` : id, priceCents: 100 }),
      ),
    ] as never);
    const first = await html(person, "/manage/saved");
    const next = tagsOf(first).find(({ attributes }) => attributes.get("rel") === "next");
    const second = await html(person, next?.attributes.get("href") ?? "");
    expect(textOf(second)).toContain("Fairphone");
    expect(second.match(/Deleted listing/g)?.length).toBeGreaterThan(3);
  });
});

test("the scheduled job notifies those who saved a listing, and its seller sees how many did", async () => {
  const { row: seller, person: owner } = await someone({ userType: "Seller" });
  const { row, person } = await someone();
  const { person: admin } = await someone({ userType: "Admin" });
  const phone = await addPhone(server.db, { sellerId: seller.id });
  await saveListing(server.db, row, phone.id);
  await saveListing(server.db, await addAccount(server.db), phone.id);
  const said = "Saved by 2 people";
  for (const path of ["/manage/mysells", `/phones/${phone.id}`]) {
    expect([path, textOf(await html(owner, path)).includes(said)]).toEqual([path, true]);
  }
  expect(textOf(await html(admin, `/phones/${phone.id}`))).toContain(said);
  for (const each of [person, visitor(server)]) {
    expect(await html(each, `/phones/${phone.id}`)).not.toMatch(/Saved by|"savers":\d/);
  }
  await server.db.update(phones).set({ sellingCents: 20_000 }).where(eq(phones.id, phone.id));
  await server.tick();
  await server.tick();
  const received = await server.db.select().from(notifications).where(eq(notifications.userId, row.id));
  const page = `/phones/${phone.id}`;
  expect(received.map(({ kind, path }) => [kind, path])).toEqual([["price drop", page]]);

  // Its page marks the notification as read, unless a browser only fetches it ahead.
  const unread = async () =>
    ((await (await person.get("/manage/unread")).json()) as { notifications: number }).notifications;
  await person.send(page, { headers: { "Sec-Purpose": "prefetch" } });
  await admin.get(page);
  expect(await unread()).toBe(1);
  await person.get(page);
  expect(await unread()).toBe(0);
  await server.db.update(phones).set({ hiddenById: "some removal" }).where(eq(phones.id, phone.id));
  const gone = await person.get(page);
  expect([gone.status, textOf(await gone.text())]).toEqual([
    404,
    expect.stringContaining("This listing is gone"),
  ]);
});

test("the API saves, lists and removes", async () => {
  const { person } = await someone();
  const phone = await addPhone(server.db, { model: "By API" });
  const send = async (method: string, path: string) => {
    const response = await person.send(path, { method, headers: { Origin: server.url } });
    return [response.status, await response.json()];
  };
  const modified = { acknowledged: true, modifiedCount: 1 };
  expect(await send("PUT", `/saved/${phone.id}`)).toEqual([200, modified]);
  expect(await send("PUT", `/saved/${phone.id}`)).toEqual([200, { ...modified, modifiedCount: 0 }]);
  expect((await send("PUT", "/saved/nothing"))[0]).toBe(404);
  expect(await send("GET", "/saved")).toMatchObject([
    200,
    [{ phoneId: phone.id, productName: "Fairphone By API", price: 349.5, priceWhenSaved: 349.5 }],
  ]);
  expect(await send("DELETE", `/saved/${phone.id}`)).toEqual([200, { acknowledged: true, deletedCount: 1 }]);
  expect((await send("DELETE", `/saved/${phone.id}`))[0]).toBe(404);
});

test("the listings last seen are found by their ids, in that order, without removed ones", async () => {
  const [one, removed, sold] = [
    await addPhone(server.db),
    await addPhone(server.db, { hiddenById: "some removal" }),
    await addPhone(server.db, { status: "sold" }),
  ];
  const ids = [sold.id, "'--", removed.id, one.id, sold.id].join();
  const response = await visitor(server).get(`/seen?ids=${encodeURIComponent(ids)}`);
  const { phones: found } = (await response.json()) as { phones: { id: string; status: string }[] };
  expect(found.map(({ id, status }) => [id, status])).toEqual([
    [sold.id, "sold"],
    [one.id, "available"],
  ]);
});
