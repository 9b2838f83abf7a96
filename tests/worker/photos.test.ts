import { eq, isNotNull } from "drizzle-orm";
import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import { orderProblems, phones, photos, removals, users } from "#app/db/schema.ts";
import { cleanUpPhotos } from "#app/features/photos/photo-cleanup.server.ts";
import { closeAccount } from "#app/features/profile/account-closing.server.ts";
import { signedInClient } from "../harness/api-client.ts";
import { bookWithoutLimits } from "../harness/bookings.ts";
import { textOf } from "../harness/html.ts";
import {
  app1,
  decompressionBomb,
  exifDescription,
  exifOutside,
  inserted,
  photoWithLocation,
  picture,
  segmentOffsets,
  withOrientation,
} from "../harness/images.ts";
import { validListing } from "../harness/listing-form.ts";
import {
  addAccount,
  addPhone,
  addReceivedOrder,
  sharedServer,
  startServer,
  type TestServer,
  type Visitor,
  visitor,
} from "../harness/server.ts";

let server: TestServer;
let bucket: R2Bucket;
beforeAll(async () => {
  server = await sharedServer();
  bucket = await server.bucket();
});

const megabyte = 1024 * 1024;
const html = Buffer.from("<!doctype html><script>alert(1)</script>");

interface File {
  name: string;
  bytes: Buffer;
}

/** A logged-in seller with a listing, and the URL of its photos. */
async function sellerWithListing() {
  const seller = await addAccount(server.db, { userType: "Seller" });
  const phone = await addPhone(server.db, { sellerId: seller.id });
  const person = visitor(server);
  await person.signIn(seller.email);
  return { person, phone, page: `/manage/mysells/${phone.id}/photos` };
}

/** Submits files by the page's form, as without JavaScript. */
function postForm(
  person: Visitor,
  page: string,
  files: File[],
  fields: Record<string, string | string[]> = {},
) {
  const body = new FormData();
  for (const [name, values] of Object.entries(fields))
    for (const value of [values].flat()) body.append(name, value);
  for (const { name, bytes } of files) body.append("photos", new Blob([new Uint8Array(bytes)]), name);
  const headers = { Origin: server.url, Accept: "text/html" };
  return person.send(page, { method: "POST", body, headers });
}

/** Uploads one file as the page's script does. */
async function upload(person: Visitor, page: string, bytes: Buffer) {
  const headers = { Origin: server.url, "Content-Type": "application/octet-stream" };
  const body = new Uint8Array(bytes);
  const response = await person.send(`${page}/upload`, { method: "POST", body, headers });
  const { result, added } = (await response.json()) as {
    added?: string;
    result?: { error: { "": string[] } };
  };
  return { status: response.status, added, error: result?.error[""].join() };
}

async function namesInBucket(): Promise<string[]> {
  return (await bucket.list()).objects.map(({ key }) => key);
}

const rowsOf = (phoneId: string) =>
  server.db.select().from(photos).where(eq(photos.phoneId, phoneId)).orderBy(photos.position);

async function coverOf(phoneId: string) {
  const [phone] = await server.db.select().from(phones).where(eq(phones.id, phoneId));
  return phone?.cover;
}

test("a photo is stored upright in three sizes without its location, and cached for an hour", async () => {
  const { person, phone, page } = await sellerWithListing();
  const file = await photoWithLocation();
  expect(file.includes(exifDescription)).toBe(true);
  expect((await sharp(file).metadata()).orientation).toBe(6);

  const response = await postForm(person, page, [{ name: "home.jpg", bytes: file }]);
  expect([response.status, response.headers.get("Location")]).toEqual([303, page]);
  expect(textOf(await (await person.get(page)).text())).toContain("1 photo added");
  const [row] = await rowsOf(phone.id);
  expect([row?.width, row?.height]).toEqual([1200, 1067]);
  expect(await coverOf(phone.id)).toBe(row?.id);

  const sides = { thumbnail: [160, 142], card: [480, 427], gallery: [1200, 1067], shared: [1200, 1067] };
  for (const [size, [width, height]] of Object.entries(sides)) {
    const format = size === "shared" ? "jpeg" : "webp";
    const served = await visitor(server).get(`/photos/${row?.id}/${size}`);
    expect(served.status).toBe(200);
    expect(Object.fromEntries(served.headers)).toMatchObject({
      "content-type": `image/${format}`,
      "cache-control": "public, max-age=3600",
      "x-content-type-options": "nosniff",
      "content-security-policy": expect.stringContaining("default-src 'none'"),
      "cross-origin-resource-policy": "cross-origin",
    });
    expect(served.headers.getSetCookie()).toEqual([]);
    const bytes = Buffer.from(await served.arrayBuffer());
    const said = await sharp(bytes).metadata();
    expect([said.format, said.width, said.height]).toEqual([format, width, height]);
    expect([said.exif, said.xmp, said.iptc, said.orientation]).toEqual(Array(4).fill(undefined));
    expect(bytes.includes("Unmistakable")).toBe(false);
    const [red = 0, , blue = 0] = await sharp(bytes)
      .extract({ left: 9, top: 9, width: 1, height: 1 })
      .raw()
      .toBuffer();
    expect([red > 200, blue < 50]).toEqual([true, true]);

    const again = await visitor(server).send(`/photos/${row?.id}/${size}`, {
      headers: { "If-None-Match": served.headers.get("ETag") ?? "" },
    });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    const head = await visitor(server).send(`/photos/${row?.id}/${size}`, { method: "HEAD" });
    expect([head.status, head.headers.get("Content-Type")]).toEqual([200, `image/${format}`]);
  }
  for (const wrong of [
    `/photos/${row?.id}/original`,
    "/photos/nothing/card",
    `/photos/${row?.id}/__proto__`,
    // Longer than an object's name in R2 can be.
    `/photos/${"x".repeat(1020)}/card`,
  ]) {
    const none = await visitor(server).get(wrong);
    expect([none.status, none.headers.get("Cache-Control")]).toEqual([404, "no-store"]);
  }
});

test("a photo of a hidden listing is for its seller, its buyers and moderators", async () => {
  const { person, phone, page } = await sellerWithListing();
  await upload(person, page, await picture());
  const [photo] = await rowsOf(phone.id);
  const path = `/photos/${photo?.id}/card`;
  const accounts = {
    buyer: await addAccount(server.db),
    other: await addAccount(server.db),
    admin: await addAccount(server.db, { userType: "Admin" }),
  };
  await bookWithoutLimits(server.db, accounts.buyer, phone.id, { address: "", phone: "" });
  const signedIn = async (email: string) => {
    const someone = visitor(server);
    await someone.signIn(email);
    return someone;
  };
  const clients = {
    seller: person,
    nobody: visitor(server),
    buyer: await signedIn(accounts.buyer.email),
    other: await signedIn(accounts.other.email),
    admin: await signedIn(accounts.admin.email),
  };
  const answers = async () => {
    const responses = Object.entries(clients).map(async ([who, client]) => {
      const { status, headers } = await client.get(path);
      return [who, `${status} ${headers.get("Cache-Control")}`];
    });
    return Object.fromEntries(await Promise.all(responses));
  };
  const shown = "200 public, max-age=3600";
  expect(await answers()).toEqual({ seller: shown, nobody: shown, buyer: shown, other: shown, admin: shown });

  await server.db.update(phones).set({ hiddenById: "hidden" }).where(eq(phones.id, phone.id));
  const own = "200 private, no-store";
  const none = "404 no-store";
  expect(await answers()).toEqual({ seller: own, nobody: none, buyer: own, other: none, admin: own });
});

test("photos of a problem are for its two sides, and for moderators once they decide", async () => {
  const signedIn = async (account: Parameters<typeof addAccount>[1] = {}) => {
    const row = await addAccount(server.db, account);
    const person = visitor(server);
    await person.signIn(row.email);
    return { row, person };
  };
  const [buyer, seller] = [await signedIn(), await signedIn({ userType: "Seller" })];
  const [moderator, other] = [await signedIn({ moderatorSince: new Date() }), await signedIn()];
  const orderId = await addReceivedOrder(server.db, buyer.row, seller.row);
  const page = `/manage/orders/${orderId}/problem`;
  const fields = { intent: "open", kind: "not as described", text: "A crack in the display." };
  const before = await namesInBucket();
  const good = { name: "crack.jpg", bytes: await photoWithLocation() };
  const many = Array.from({ length: 7 }, () => good);
  for (const [files, message] of [
    [[good, { name: "page.jpg", bytes: html }], "page.jpg: This isn’t a JPEG, PNG or WebP picture."],
    [many, "A problem can have at most 6 photos."],
  ] as const) {
    const refused = await postForm(buyer.person, page, [...files], fields);
    const shown = await refused.text();
    expect([refused.status, textOf(shown)]).toEqual([400, expect.stringContaining(message)]);
    expect(textOf(shown)).toContain("Choose your photos again");
    expect(shown).toContain("A crack in the display.</textarea>");
  }
  expect((await postForm(other.person, page, [good], fields)).status).toBe(404);
  expect(await namesInBucket()).toEqual(before);

  expect((await postForm(buyer.person, page, [good], fields)).status).toBe(303);
  const own = await (await buyer.person.get(page)).text();
  const path = /\/photos\/[^"/]+\/gallery/.exec(own)?.[0] ?? "";
  const clients = {
    buyer: buyer.person,
    seller: seller.person,
    moderator: moderator.person,
    other: other.person,
    nobody: visitor(server),
  };
  const answers = async () => {
    const responses = Object.entries(clients).map(async ([who, client]) => {
      const { status, headers } = await client.get(path);
      return [who, `${status} ${headers.get("Cache-Control")}`];
    });
    return Object.fromEntries(await Promise.all(responses));
  };
  const [seen, none] = ["200 private, no-store", "404 no-store"];
  const sides = { buyer: seen, seller: seen, other: none, nobody: none };
  expect(await answers()).toEqual({ ...sides, moderator: none });
  await seller.person.post(page, { intent: "answer", answer: "ask", text: "" });
  expect(await answers()).toEqual({ ...sides, moderator: seen });
  const [problem] = await server.db.select().from(orderProblems).where(eq(orderProblems.orderId, orderId));
  const shown = await (await moderator.person.get(`/manage/problems/${problem?.id}`)).text();
  expect(shown).toContain(path);
});

test("each invalid file is refused with a reason, and not stored", async () => {
  const { person, phone, page } = await sellerWithListing();
  const before = await namesInBucket();
  const whole = await photoWithLocation();
  const cut = whole.subarray(0, whole.length / 2);
  const bad = {
    "page.jpg": [html, "This isn’t a JPEG, PNG or WebP picture."],
    "empty.png": [Buffer.alloc(0), "This file is empty."],
    "moving.gif": [await picture("gif"), "This isn’t a JPEG, PNG or WebP picture."],
    "drawing.svg": [
      Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"),
      "This isn’t a JPEG, PNG or WebP",
    ],
    "bomb.png": [decompressionBomb(), "more than 50 megapixels"],
    "long.png": [decompressionBomb(12_001, 1), "longer than 12,000 pixels"],
    "half.jpg": [cut, "We can’t read this picture. It may be damaged."],
    "script.jpg": [Buffer.concat([whole.subarray(0, 3), html]), "This isn’t a JPEG, PNG or WebP picture."],
  } as const;
  for (const [bytes, message] of Object.values(bad)) {
    const { status, error } = await upload(person, page, bytes);
    const expected = message.startsWith("This isn’t") ? 415 : 400;
    expect([status, error]).toEqual([expected, expect.stringContaining(message)]);
  }
  const large = Buffer.concat([whole, Buffer.alloc(8 * megabyte)]);
  const said = await upload(person, page, large);
  expect(said).toEqual({ status: 413, error: expect.stringContaining("This file is larger than 8 MB.") });

  const files = Object.entries({ ...bad, "large.jpg": [large, "This file is larger than 8 MB."] as const });
  const form = files.map(([name, [bytes]]) => ({ name, bytes }));
  const response = await postForm(person, page, [...form, { name: "good.png", bytes: await picture("png") }]);
  expect(response.status).toBe(400);
  const text = textOf(await response.text());
  expect(text).toContain("1 photo added.");
  for (const [name, [, message]] of files) expect(text).toMatch(new RegExp(`${name}: [^:]*${message}`));
  expect(text).not.toContain("good.png");
  expect(await rowsOf(phone.id)).toHaveLength(1);
  expect((await namesInBucket()).length).toBe(before.length + 4);
  expect(server.log()).not.toContain("half.jpg");
});

test("data hidden in a file are not served", async () => {
  const { person, phone, page } = await sellerWithListing();
  const jpeg = await picture("jpeg");
  const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, html.length + 2]), html]);
  const polyglots = [
    Buffer.concat([jpeg, html]),
    Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2)]),
    Buffer.concat([await picture("png"), html]),
  ];
  for (const polyglot of polyglots) expect((await upload(person, page, polyglot)).status).toBe(201);
  const rows = await rowsOf(phone.id);
  expect(rows).toHaveLength(3);
  for (const { id } of rows) {
    for (const size of ["thumbnail", "card", "gallery", "shared"]) {
      const object = await bucket.get(`${id}/${size}`);
      const stored = Buffer.from((await object?.arrayBuffer()) ?? new ArrayBuffer(0));
      expect(stored.includes("alert")).toBe(false);
      expect(stored.subarray(0, 3).toString("latin1")).toBe(size === "shared" ? "\u00ff\u00d8\u00ff" : "RIF");
    }
  }
});

test("files that browsers draw are accepted, whatever else is in them", async () => {
  const { person, page } = await sellerWithListing();
  const jpeg = await picture("jpeg");
  const files = [
    inserted(jpeg, 2, exifOutside),
    inserted(jpeg, segmentOffsets(jpeg)[1] ?? 0, Buffer.alloc(2)),
    inserted(jpeg, 2, Buffer.concat([app1("Exif\0\0"), app1("x"), app1("")])),
    jpeg.subarray(0, -2),
    inserted(await picture("png"), 33, Buffer.from("00000001644142630000000000", "hex")),
    Buffer.from(await picture("webp")).fill(0xff, 4, 7),
  ];
  for (const [index, file] of files.entries()) {
    expect([index, await upload(person, page, file)]).toEqual([
      index,
      expect.objectContaining({ status: 201 }),
    ]);
  }
});

test("a photo is stored upright and on white in all sizes", async () => {
  const { person, page } = await sellerWithListing();
  const red = { r: 255, g: 0, b: 0, alpha: 1 };
  /** Its upper half is transparent, its lower half red. */
  const half = sharp({ create: { width: 80, height: 20, channels: 4, background: red } }).extend({
    top: 20,
    background: { r: 0, g: 0, b: 0, alpha: 0 },
  });
  const files = {
    png: await half.clone().png().toBuffer(),
    palette: await half.clone().png({ palette: true }).toBuffer(),
    webp: await half.clone().webp().toBuffer(),
    lossless: await half.clone().webp({ lossless: true }).toBuffer(),
    sideways: withOrientation(await half.clone().png().toBuffer(), 6),
    opaque: withOrientation(await half.clone().flatten({ background: "white" }).png().toBuffer(), 6),
  };
  for (const [name, file] of Object.entries(files)) {
    const { added } = await upload(person, page, file);
    for (const size of ["thumbnail", "card", "gallery", "shared"]) {
      const served = await visitor(server).get(`/photos/${added}/${size}`);
      const { data, info } = await sharp(Buffer.from(await served.arrayBuffer()))
        .raw()
        .toBuffer({ resolveWithObject: true });
      const colorAt = (x: number, y: number) => {
        const [, green = 0, blue = 0] = data.subarray((y * info.width + x) * info.channels);
        return green > 230 && blue > 230 ? "white" : green < 60 && blue < 60 ? "red" : [green, blue];
      };
      const isTurned = name === "sideways" || name === "opaque";
      // Turned to the right, what was the upper half is on the right.
      const [last, corners] = [[info.width - 5, info.height - 5] as const, ["white", "red"]];
      expect([name, size, info.width, info.height, info.channels]).toEqual([
        ...[name, size],
        ...(isTurned ? [40, 80] : [80, 40]),
        3,
      ]);
      expect(isTurned ? [colorAt(last[0], 5), colorAt(5, 5)] : [colorAt(5, 5), colorAt(5, last[1])]).toEqual(
        corners,
      );
    }
  }
});

test("a photo is added although the Images service fails once, and else can be tried again", async () => {
  const failing = await startServer({ wrapper: failingImages });
  try {
    const seller = await addAccount(failing.db, { userType: "Seller" });
    const phone = await addPhone(failing.db, { sellerId: seller.id });
    const person = visitor(failing);
    await person.signIn(seller.email);
    const answers: unknown[] = [];
    for (const failure of ["once", "always", "damaged"]) {
      const body = new Uint8Array(await picture("png", { width: 20 + failure.length }));
      const headers = { Origin: failing.url, "Content-Type": "image/png", "X-Failure": failure };
      const path = `/manage/mysells/${phone.id}/photos/upload`;
      answers.push((await person.send(path, { method: "POST", body, headers })).status);
    }
    expect(answers).toEqual([201, 503, 400]);
    expect(await failing.db.$count(photos)).toBe(1);
  } finally {
    await failing.stop();
  }
});

/** In front of the build's Worker: fails to encode pictures as a request's header says. */
const failingImages = `
  import worker from "./index.js";

  const errors = {
    once: () => new Error("Network connection lost."),
    always: () => new Error("Network connection lost."),
    damaged: () => Object.assign(new Error("IMAGES_TRANSFORM_ERROR 9412"), { code: 9412 }),
  };

  export default {
    ...worker,
    fetch(request, env, context) {
      const failure = request.headers.get("X-Failure");
      if (!failure) return worker.fetch(request, env, context);
      let failures = failure === "once" ? 1 : Infinity;
      const input = (stream) => {
        if (failures === 0) return env.IMAGES.input(stream);
        failures -= 1;
        const picture = { transform: () => picture, output: async () => { throw errors[failure](); } };
        return picture;
      };
      return worker.fetch(request, { ...env, IMAGES: { input } }, context);
    },
  };
`;

test("a listing has at most eight photos, each file once, even when uploaded at once", async () => {
  const { person, phone, page } = await sellerWithListing();
  const before = (await namesInBucket()).length;
  const colors = Array.from(
    { length: 10 },
    (_, index) => `#0000${(20 * index).toString(16).padStart(2, "0")}`,
  );
  const files = await Promise.all(colors.map((background) => picture("png", { background })));
  const first = { name: "0.png", bytes: files[0] ?? html };
  const twice = await Promise.all([postForm(person, page, [first]), postForm(person, page, [first])]);
  expect(twice.map(({ status }) => status)).toEqual([303, 303]);
  expect(await rowsOf(phone.id)).toHaveLength(1);
  const second = { name: "1.png", bytes: files[1] ?? html };
  for (const [form, message] of [
    [[first], "1 photo already added"],
    [[first, second], "1 photo added, 1 already added"],
  ] as const) {
    await person.get(page);
    await postForm(person, page, [...form]);
    expect(textOf(await (await person.get(page)).text())).toContain(message);
  }

  const all = await Promise.all(files.map((bytes) => upload(person, page, bytes)));
  expect(all.filter(({ status }) => status === 201)).toHaveLength(8);
  const refusals = all.filter(({ status }) => status === 409).map(({ error }) => error);
  expect(refusals).toEqual(Array(2).fill("A listing can have at most 8 photos."));
  const rows = await rowsOf(phone.id);
  expect(new Set(rows.map(({ digest }) => digest)).size).toBe(8);
  // Uploads that lost the race leave no files.
  expect((await namesInBucket()).length).toBe(before + 32);
  const full = await (await person.get(page)).text();
  expect(textOf(full)).toContain("Remove one to add another.");
  expect(full).not.toContain('type="file"');
});

test("photos are moved and removed by buttons, and the first is on the card", async () => {
  const { person, phone, page } = await sellerWithListing();
  const colors = ["#ff0000", "#00ff00", "#0000ff"];
  const files = await Promise.all(colors.map((background) => picture("jpeg", { background })));
  await postForm(
    person,
    page,
    files.map((bytes, index) => ({ name: `${index}.jpg`, bytes })),
  );
  const [red = "", green = "", blue = ""] = (await rowsOf(phone.id)).map(({ id }) => id);
  const order = async () => (await rowsOf(phone.id)).map(({ id }) => id);
  const press = async (intent: string, _id: string) => {
    const { status, headers } = await person.post(page, { intent, _id });
    expect([status, headers.get("Location")]).toEqual([303, page]);
    return textOf(await (await person.get(page)).text());
  };
  expect(await press("left", blue)).toContain("Photo moved to position 2 of 3");
  expect(await order()).toEqual([red, blue, green]);
  expect(await press("left", blue)).toContain("Photo moved to position 1 of 3");
  expect(await order()).toEqual([blue, red, green]);
  expect(await coverOf(phone.id)).toBe(blue);
  expect(await (await visitor(server).get("/products")).text()).toContain(`/photos/${blue}/card`);
  expect(await (await visitor(server).get(`/products/${phone.id}`)).text()).toContain(
    `/photos/${blue}/gallery`,
  );
  await press("left", blue);
  await press("right", green);
  expect(await order()).toEqual([blue, red, green]);
  await press("right", blue);
  expect(await order()).toEqual([red, blue, green]);

  expect(await press("remove", red)).toContain("Photo removed");
  expect(await order()).toEqual([blue, green]);
  expect(await coverOf(phone.id)).toBe(blue);
  await expect.poll(async () => (await visitor(server).get(`/photos/${red}/card`)).status).toBe(404);
  for (const nonsense of ["remove", "left", "right", "", "constructor"]) {
    expect(await press(nonsense, red)).toContain("That didn’t work.");
  }
  await press("remove", blue);
  await press("remove", green);
  expect(await coverOf(phone.id)).toBe(null);
  const list = await (await visitor(server).get("/products")).text();
  for (const id of [red, green, blue]) expect(list).not.toContain(id);
});

test("a form with too many files is refused before they are read", async () => {
  const { person, phone, page } = await sellerWithListing();
  const bytes = await picture("png");
  const response = await postForm(
    person,
    page,
    Array.from({ length: 17 }, (_, index) => ({ name: `${index}.png`, bytes })),
  );
  expect(response.status).toBe(400);
  expect(textOf(await response.text())).toContain("A listing can have at most 8 photos.");
  expect(await rowsOf(phone.id)).toEqual([]);
});

test("a form is limited to 24 MB, with an error message", async () => {
  const { person, phone, page } = await sellerWithListing();
  const large = { name: "large.jpg", bytes: Buffer.alloc(13 * megabyte) };
  const response = await postForm(person, page, [large, large]);
  expect(response.status).toBe(413);
  expect(textOf(await response.text())).toContain("These photos are larger than 24 MB in total.");
  const nothing = await postForm(person, page, [{ name: "", bytes: Buffer.alloc(0) }]);
  expect(nothing.status).toBe(400);
  expect(textOf(await nothing.text())).toContain("Choose a photo first.");
  const broken = await person.send(page, {
    method: "POST",
    body: "no parts",
    headers: { Origin: server.url, "Content-Type": "multipart/form-data; boundary=x" },
  });
  expect(broken.status).toBe(400);
  // A stream has no Content-Length.
  const stream = new ReadableStream({
    pull(controller) {
      controller.enqueue(new Uint8Array(megabyte));
    },
  });
  const endless = await person.send(page, {
    method: "POST",
    body: stream,
    duplex: "half",
    headers: { Origin: server.url, "Content-Type": "multipart/form-data; boundary=x" },
  } as RequestInit);
  expect(endless.status).toBe(413);
  expect(await rowsOf(phone.id)).toEqual([]);
});

test("a form that is too large with its photos comes back with what was typed, and saves a draft", async () => {
  const seller = await addAccount(server.db, { userType: "Seller" });
  const person = visitor(server);
  await person.signIn(seller.email);
  const large = new Blob([new Uint8Array(13 * megabyte)]);
  const send = (more: Record<string, string>) => {
    const body = new FormData();
    // First, as on the page.
    for (const name of ["front.jpg", "back; and top.jpg"]) body.append("photos", large, name);
    const { image: _, ...fields } = { ...validListing, model: "Größe 5", account: seller.email, ...more };
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    const headers = { Origin: server.url, Accept: "text/html" };
    return person.send("/addphone", { method: "POST", body, headers });
  };
  const refused = await send({});
  expect(refused.status).toBe(413);
  const page = await refused.text();
  expect(textOf(page)).toContain("These photos are larger than 24 MB in total. Add fewer at a time.");
  for (const value of ["Größe 5", validListing.processor, validListing.postDate])
    expect(page).toContain(`value="${value}"`);
  expect(page).toContain(validListing.sellingReason);
  const saved = await send({ intent: "save draft", formKey: crypto.randomUUID() });
  const drafted = "/manage/mysells?tab=drafts";
  expect([saved.status, saved.headers.get("Location")]).toEqual([303, drafted]);
  const drafts = textOf(await (await person.get(drafted)).text());
  expect(drafts).toContain("Fairphone Größe 5");
  expect(drafts).toContain("Draft saved. These photos are larger than 24 MB in total.");
});

test("only the seller changes a listing's photos, and nobody once it is sold", async () => {
  const { person, phone, page } = await sellerWithListing();
  const bytes = await picture();
  await upload(person, page, bytes);
  const [photo] = await rowsOf(phone.id);
  const other = await sellerWithListing();
  const nobody = visitor(server);
  const more = [{ name: "more.jpg", bytes: await picture("jpeg", { background: "#ffffff" }) }];

  const admin = visitor(server);
  await admin.signIn((await addAccount(server.db, { userType: "Admin" })).email);
  for (const stranger of [other.person, admin]) {
    for (const response of [
      await stranger.get(page),
      await stranger.get(page.replace("/photos", "/edit")),
      await postForm(stranger, page, more),
      await stranger.post(page, { intent: "remove", _id: photo?.id ?? "" }),
    ]) {
      expect(response.status).toBe(404);
    }
    expect((await upload(stranger, page, bytes)).status).toBe(404);
  }
  // Nor by the URL of one's own listing.
  await other.person.post(other.page, { intent: "remove", _id: photo?.id ?? "" });
  await other.person.post(other.page, { intent: "right", _id: photo?.id ?? "" });
  for (const response of [await nobody.get(page), await postForm(nobody, page, more)]) {
    expect([response.status, response.headers.get("Location")?.split("?")[0]]).toEqual([302, "/login"]);
  }
  const foreign = await person.send(`${page}/upload`, {
    method: "POST",
    body: new Uint8Array(bytes),
    headers: { Origin: "https://elsewhere.example", "Sec-Fetch-Site": "cross-site" },
  });
  expect(foreign.status).toBe(403);
  expect(await rowsOf(phone.id)).toEqual([photo]);

  await server.db.update(phones).set({ status: "sold" }).where(eq(phones.id, phone.id));
  const late = await upload(person, page, await picture("webp"));
  expect(late).toEqual({ status: 409, error: "You can’t change this listing’s photos anymore." });
  await person.post(page, { intent: "remove", _id: photo?.id ?? "" });
  expect(await rowsOf(phone.id)).toEqual([photo]);
  const sold = await (await person.get(page)).text();
  expect(textOf(sold)).toContain("This device is sold");
  expect(sold).not.toContain("Move earlier");
});

test("photos of removed listings and orphaned files are deleted after the undo period", async () => {
  const { person, phone, page } = await sellerWithListing();
  const kept = await sellerWithListing();
  const photo = await upload(person, page, await picture());
  const stays = await upload(kept.person, kept.page, await picture());
  const served = async (id = "") => (await person.get(`/photos/${id}/card`)).status;
  await bucket.put("stray/card", "stray");

  await person.post("/manage/mysells", { _id: phone.id });
  await server.tick();
  expect([await served(photo.added), await served(stays.added)]).toEqual([200, 200]);
  expect(await bucket.head("stray/card")).not.toBe(null);
  const [removal] = await server.db.select().from(removals).where(eq(removals.targetId, phone.id));
  await person.post("/manage/undo", { _id: removal?.id ?? "" });
  expect(await coverOf(phone.id)).toBe(photo.added);

  await person.post("/manage/mysells", { _id: phone.id });
  const early = new Date(Date.now() - 16 * 60_000);
  await server.db.update(removals).set({ createdAt: early }).where(eq(removals.targetId, phone.id));
  await server.tick();
  expect([await served(photo.added), await served(stays.added)]).toEqual([404, 200]);
  expect(await server.db.$count(phones, isNotNull(phones.cover))).toBeGreaterThan(0);
  expect((await namesInBucket()).some((name) => name.startsWith(photo.added ?? ""))).toBe(false);
  expect(await rowsOf(phone.id)).toEqual([]);
  expect(await bucket.head("stray/card")).not.toBe(null);
  await cleanUpPhotos(server.db, { bucket }, new Date(Date.now() + 61 * 60_000));
  expect(await bucket.head("stray/card")).toBe(null);
  expect(await served(stays.added)).toBe(200);
});

test("a listing is published with its photos, and needs an image link only without any", async () => {
  const seller = await addAccount(server.db, { userType: "Seller" });
  const person = visitor(server);
  await person.signIn(seller.email);
  const { image: _, ...fields } = validListing;
  const publish = (files: File[], changes = {}) =>
    postForm(person, "/addphone", files, { ...fields, image: "", account: seller.email, ...changes });
  const photo = { name: "front.jpg", bytes: await picture() };
  const own = () => server.db.select().from(phones).where(eq(phones.sellerId, seller.id));

  const none = await publish([]);
  expect(none.status).toBe(400);
  expect(textOf(await none.text())).toContain("Add a photo, or the link of a picture");
  // Also with a link: the seller chose these photos.
  const damaged = { name: "damaged.png", bytes: (await picture("png")).subarray(0, 60) };
  const noPhotos = [{ name: "page.jpg", bytes: html }, damaged];
  for (const changes of [{}, { image: validListing.image }]) {
    const refused = await publish(noPhotos, changes);
    expect(refused.status).toBe(400);
    const page = await refused.text();
    expect(textOf(page)).toContain("Fix one field: Photos");
    const errors = page.match(/<ul id="phone-photos-error".*?<\/ul>/s)?.[0] ?? "";
    expect(textOf(errors)).toContain("page.jpg: This isn’t a JPEG, PNG or WebP picture.");
    expect(textOf(errors)).toContain("damaged.png: We can’t read this picture. It may be damaged.");
    expect(page).toContain(`value="${fields.processor}"`);
  }
  expect(await own()).toEqual([]);

  const published = await publish([photo, ...noPhotos]);
  const [listing] = await own();
  expect([published.status, published.headers.get("Location")]).toEqual([
    303,
    `/addphone?added=${listing?.id}`,
  ]);
  const page = await (await person.get(`/addphone?added=${listing?.id}`)).text();
  expect(textOf(page)).toMatch(
    /Added Successfully\. page\.jpg: This isn’t a JPEG, PNG or WebP picture\. .* damaged\.png: We can’t read this picture\. It may be damaged/,
  );
  const prompt = page.match(/<section aria-labelledby="complete-listing".*?<\/section>/s)?.[0] ?? "";
  expect(textOf(prompt)).toContain("Fairphone 5 is now for sale");
  expect(prompt).not.toContain("/photos");
  expect(await (await person.get("/addphone")).text()).not.toContain("is now for sale");
  const photosPage = await (await person.get(`/manage/mysells/${listing?.id}/photos`)).text();
  expect(textOf(photosPage)).not.toContain("Until you add one");
  expect(listing).toMatchObject({ image: "/devices/phone.svg", cover: expect.stringMatching(/^[\w-]{43}$/) });

  const stranger = await postForm(visitor(server), "/addphone", [photo], {
    ...fields,
    account: seller.email,
  });
  // As for any form, the texts are kept.
  expect(stranger.status).toBe(401);
  expect(textOf(await stranger.text())).toMatch(/One phone is enough\..* Submit again/);
});

test("a listing with an improbable price or age, or with contact details, is published at the second press", async () => {
  const seller = await addAccount(server.db, { userType: "Seller" });
  const person = visitor(server);
  await person.signIn(seller.email);
  const sellingReason = "Ask ada@example.com or whatsapp me";
  const facts = {
    condition: "Excellent",
    scratches: "Cracks or dents",
    city: "Salem 555-123-4567",
    color: "",
  };
  const prices = { sellingPrice: "2796", usedTime: "240" };
  const doubtful = { ...validListing, ...facts, ...prices, image: "", sellingReason };
  const fields = { ...doubtful, account: seller.email };
  const photo = { name: "front.jpg", bytes: await picture() };
  const refused = await (await postForm(person, "/addphone", [photo], fields)).text();
  const text = textOf(refused);
  const doubts = [
    "That’s 4 times the price of a new one. Is that right? Submit again to keep it.",
    "That’s 20 years. Is that right? Submit again to keep it.",
    "“ada@example.com” looks like an email address and “whatsapp me” looks like a messenger. Buyers can message you",
    "“555-123-4567” looks like a phone number.",
    "A device in excellent condition has no cracks or dents. Is that right?",
  ];
  for (const doubt of doubts) expect(text).toContain(doubt);
  const confirmed = (page: string) =>
    [...page.matchAll(/name="confirmed" value="([^"]+)"/g)].map(([, value]) => value ?? "");
  // Whoever forgets the photos now isn't asked again after that.
  const forgotten = await postForm(person, "/addphone", [], { ...fields, confirmed: confirmed(refused) });
  const forgottenPage = await forgotten.text();
  expect(textOf(forgottenPage)).toContain("Add a photo, or the link of a picture");
  const again = { ...fields, confirmed: confirmed(forgottenPage) };
  const another = await postForm(person, "/addphone", [photo], { ...again, sellingPrice: "27960" });
  expect(textOf(await another.text())).toContain("That’s 40 times the price of a new one.");
  const published = await postForm(person, "/addphone", [photo], again);
  expect(published.status).toBe(303);
  const [stored] = await server.db.select().from(phones).where(eq(phones.sellerId, seller.id));
  const details = { scratches: "cracks", city: facts.city };
  expect(stored).toMatchObject({ condition: "Excellent", color: null, details });
  const wrong = await postForm(person, "/addphone", [], { ...fields, rom: "large" });
  expect(textOf(await wrong.text())).toContain("Rom must be a size, like 128 GB");
});

/** The photos that a form shows, in order. */
const idsIn = (html: string) => [...html.matchAll(/src="\/photos\/([\w-]+)\/card"/g)].map(([, id]) => id);

test("a draft has photos, which become those of its listing", async () => {
  const seller = await addAccount(server.db, { userType: "Seller" });
  const person = visitor(server);
  await person.signIn(seller.email);
  const { image: _, ...fields } = validListing;
  const formKey = crypto.randomUUID();
  const submit = (more: Record<string, string>, files: File[] = []) =>
    postForm(person, "/addphone", files, { ...fields, account: seller.email, formKey, image: "", ...more });
  const file = async (background: string) => ({
    name: `${background}.png`,
    bytes: await picture("png", { background }),
  });
  const red = await file("#ff0000");
  const colors = [red, await file("#00ff00"), await file("#0000ff")];

  // Whatever else is wrong.
  const wrong = await submit({ model: "" }, colors);
  const refused = await wrong.text();
  expect([wrong.status, textOf(refused)]).toEqual([400, expect.stringContaining("Fix one field: Model")]);
  expect(refused).toContain(`name="formKey" value="${formKey}"`);
  const [first, second, third] = idsIn(refused);
  expect(idsIn(refused)).toHaveLength(3);
  const shown = async (intent: string, files?: File[]) => {
    const response = await submit({ model: "Typed", intent }, files);
    const html = await response.text();
    expect([response.status, html.includes('value="Typed"')]).toEqual([200, true]);
    return [idsIn(html), textOf(html)];
  };
  expect(await shown(`left ${third}`)).toEqual([
    [first, third, second],
    expect.stringContaining("Photo moved to position 2 of 3"),
  ]);
  expect(await shown(`remove ${first}`)).toEqual([[third, second], expect.stringContaining("Photo removed")]);
  await expect.poll(namesInBucket).not.toContainEqual(expect.stringContaining(`${first}/`));
  // The same file once.
  expect(await shown(`right ${third}`, [red, red])).toEqual([
    [second, third, expect.any(String)],
    expect.anything(),
  ]);

  const saved = await submit({ model: "Typed", intent: "save draft" }, [{ name: "page.jpg", bytes: html }]);
  expect(saved.headers.get("Location")).toBe("/manage/mysells?tab=drafts");
  expect(textOf(await (await person.get("/manage/mysells")).text())).toContain(
    "Draft saved. page.jpg: This isn’t a JPEG, PNG or WebP picture.",
  );
  const draft = `/addphone?draft=${formKey}`;
  const ids = idsIn(await (await person.get(draft)).text());
  expect(ids.slice(0, 2)).toEqual([second, third]);

  // Nobody else sees or changes them.
  const other = await sellerWithListing();
  expect((await other.person.get(`/photos/${second}/card`)).status).toBe(404);
  expect((await person.get(`/photos/${second}/card`)).headers.get("Cache-Control")).toBe("private, no-store");
  expect((await other.person.get(draft)).status).toBe(404);
  for (const formKey of [crypto.randomUUID(), "no key"])
    await other.person.post("/addphone", { formKey, intent: `remove ${second}` });
  await other.person.post("/addphone", { formKey, intent: `remove ${second}` });
  await other.person.post("/addphone", { formKey, intent: "delete draft" });
  const listed = await other.person.get(`/addphone/photos/${formKey}`);
  expect(await listed.json()).toEqual({ photos: [] });

  // Scripts upload them one by one.
  const path = `/addphone/photos/${formKey}`;
  const uploadTo = async (path: string, bytes: Buffer, type = "application/octet-stream") => {
    const headers = { Origin: server.url, "Content-Type": type };
    return person.send(path, { method: "POST", body: new Uint8Array(bytes), headers });
  };
  expect(await (await uploadTo(path, red.bytes)).json()).toEqual({ added: ids[2], existing: true });
  for (const background of ["#111111", "#222222", "#333333", "#444444", "#555555"])
    expect((await uploadTo(path, (await file(background)).bytes)).status).toBe(201);
  const refusals = [
    await uploadTo(path, (await file("#666666")).bytes),
    await uploadTo(path, Buffer.concat([red.bytes, Buffer.alloc(8 * megabyte)])),
    await uploadTo(path, red.bytes, "text/plain"),
    await uploadTo("/addphone/photos/none", red.bytes),
  ];
  const messages = refusals.map(async (response) => [
    response.status,
    ((await response.json()) as { result: { error: { "": string[] } } }).result.error[""][0],
  ]);
  expect(await Promise.all(messages)).toEqual([
    [409, "A listing can have at most 8 photos."],
    [413, expect.stringContaining("This file is larger than 8 MB.")],
    [415, expect.stringContaining("Send the file itself as the body")],
    [404, "No such draft."],
  ]);
  const { photos: all } = (await (await person.get(path)).json()) as { photos: { id: string }[] };
  expect(all.map(({ id }) => id).slice(0, 3)).toEqual(ids);
  const full = await (await person.get(draft)).text();
  expect([idsIn(full).length, full.includes('type="file"')]).toEqual([8, false]);

  // Twice, as by an impatient seller.
  const published = await Promise.all([submit({}), submit({}), submit({})]);
  const locations = new Set(published.map(({ headers }) => headers.get("Location")));
  expect([...locations]).toEqual([expect.stringMatching(/^\/addphone\?added=/)]);
  const listings = await server.db.select().from(phones).where(eq(phones.sellerId, seller.id));
  expect(listings).toEqual([expect.objectContaining({ cover: second })]);
  expect((await rowsOf(listings[0]?.id ?? "")).map(({ id }) => id)).toEqual(all.map(({ id }) => id));
  expect((await visitor(server).get(`/photos/${second}/card`)).status).toBe(200);
  // From another tab, where it was another phone.
  const late = await submit({ model: "Another" });
  expect([late.status, textOf(await late.text())]).toEqual([
    400,
    expect.stringContaining("Add a photo, or the link of a picture"),
  ]);
});

test("photos of a draft go with it, with its account, and after a day without a draft", async () => {
  const seller = await addAccount(server.db, { userType: "Seller" });
  const person = visitor(server);
  await person.signIn(seller.email);
  const bytes = await picture();
  const begin = async (intent: string) => {
    const formKey = crypto.randomUUID();
    const files = [{ name: "front.jpg", bytes }];
    await postForm(person, "/addphone", files, { account: seller.email, formKey, intent });
    const listed = await (await person.get(`/addphone/photos/${formKey}`)).json();
    return { formKey, id: (listed as { photos: { id: string }[] }).photos[0]?.id };
  };
  const [left, saved, deleted] = [await begin(""), await begin("save draft"), await begin("save draft")];
  const cleanUp = (hours: number) =>
    cleanUpPhotos(server.db, { bucket }, new Date(Date.now() + hours * 60 * 60_000));
  const stored = async () => {
    const names = await namesInBucket();
    return [left, saved, deleted].map(({ id }) => names.includes(`${id}/card`));
  };
  await cleanUp(23);
  expect(await stored()).toEqual([true, true, true]);
  await person.post("/addphone", {
    account: seller.email,
    formKey: deleted.formKey,
    intent: "delete draft",
  });
  await cleanUp(25);
  expect(await stored()).toEqual([false, true, false]);

  const data = await person.post("/manage/account/export", { account: seller.email });
  expect(await data.text()).toContain(`/photos/${saved.id}/gallery`);
  const [account] = await server.db.select().from(users).where(eq(users.id, seller.id));
  await closeAccount(server.db, seller, { passwordHash: account?.passwordHash ?? "" });
  await cleanUp(0);
  expect(await stored()).toEqual([false, false, false]);
});

test("a suspended seller, or another account in a second tab, changes no photos of a draft", async () => {
  const seller = await addAccount(server.db, { userType: "Seller" });
  const person = visitor(server);
  await person.signIn(seller.email);
  const formKey = crypto.randomUUID();
  const photo = { name: "front.jpg", bytes: await picture() };
  const before = await namesInBucket();
  const fields = { ...validListing, image: "", formKey };
  const otherTab = await postForm(person, "/addphone", [photo], { ...fields, account: "other@example.com" });
  expect([otherTab.status, textOf(await otherTab.text())]).toEqual([
    409,
    expect.stringMatching(/You’re now logged in as .*Choose your photos again/),
  ]);
  expect(await namesInBucket()).toEqual(before);
  const mine = { ...fields, account: seller.email };
  const [id] = idsIn(await (await postForm(person, "/addphone", [photo], { ...mine, model: "" })).text());
  await server.db.update(users).set({ suspensionId: "x" }).where(eq(users.id, seller.id));
  await postForm(person, "/addphone", [], { ...mine, intent: `remove ${id}` });
  expect(await server.db.$count(photos, eq(photos.draftId, `${seller.id}/${formKey}`))).toBe(1);
});

test("a first listing that waits for approval keeps its photos", async () => {
  const holding = await startServer({ bindings: { HOLD_FIRST_LISTINGS: "on" } });
  try {
    const seller = await addAccount(holding.db, { userType: "Seller" });
    const person = visitor(holding);
    await person.signIn(seller.email);
    const { image: _, ...fields } = validListing;
    const file = { name: "front.jpg", bytes: await picture() };
    const form = new FormData();
    for (const [name, value] of Object.entries({ ...fields, image: "", account: seller.email }))
      form.append(name, value);
    form.append("photos", new Blob([new Uint8Array(file.bytes)]), file.name);
    await person.send("/addphone", { method: "POST", body: form, headers: { Origin: holding.url } });
    const text = textOf(await (await person.get("/addphone")).text());
    expect(text).toContain("Added Successfully. We check it first, then it goes on sale.");
    const [listing] = await holding.db.select().from(phones).where(eq(phones.sellerId, seller.id));
    expect([listing?.hiddenById === null, listing?.cover === null]).toEqual([false, false]);
    // More can be added in the meantime.
    const photosPage = await (await person.get(`/manage/mysells/${listing?.id}/photos`)).text();
    expect(textOf(photosPage)).toContain("this one has room for 7 more");
  } finally {
    await holding.stop();
  }
});

test("a client of the API adds, orders and deletes photos, with the same limits", async () => {
  const seller = await signedInClient(server, { userType: "Seller" });
  const phone = await addPhone(server.db, { sellerId: seller.account.id });
  const path = `/phones/photos/${phone.id}`;
  const add = (bytes: Buffer) =>
    seller.send("POST", path, { body: new Uint8Array(bytes), headers: { "Content-Type": "image/png" } });
  const ids: string[] = [];
  for (const background of ["#111111", "#222222", "#111111"]) {
    const added = await add(await picture("png", { background }));
    expect(added.status).toBe(200);
    ids.push(added.body.insertedId);
  }
  expect(ids[2]).toBe(ids[0]);
  const idsNow = async () => (await seller.get(path)).body.map(({ _id }: { _id: string }) => _id);
  expect(await idsNow()).toEqual(ids.slice(0, 2));
  const [first] = (await seller.get(path)).body;
  expect(first).toEqual({ _id: ids[0], width: 640, height: 480, path: `/photos/${ids[0]}/gallery` });
  expect((await visitor(server).get(first.path)).status).toBe(200);
  expect((await seller.putJson(`${path}/${ids[1]}`, { move: "left" })).status).toBe(200);
  expect([await idsNow(), await coverOf(phone.id)]).toEqual([[ids[1], ids[0]], ids[1]]);
  expect((await seller.delete(`${path}/${ids[1]}`)).body.deletedCount).toBe(1);
  expect((await seller.delete(`${path}/${ids[1]}`)).status).toBe(404);
  expect(await idsNow()).toEqual([ids[0]]);
  await expect.poll(namesInBucket).not.toContainEqual(expect.stringContaining(`${ids[1]}/`));

  const pictures = [html, await picture("gif"), await picture("avif"), Buffer.from("<svg>")];
  for (const bytes of pictures) {
    const { status, body, headers } = await add(bytes);
    expect([status, headers.get("Accept")]).toEqual([415, "image/jpeg,image/png,image/webp"]);
    expect(body.detail).toContain("This isn’t a JPEG, PNG or WebP picture.");
  }
  const refusals = [await add(html), await add(Buffer.alloc(9 * megabyte))];
  expect(refusals.map(({ status, body }) => [status, body.detail])).toEqual([
    [415, expect.stringMatching(/^This isn’t a JPEG, PNG or WebP picture\. .* save it as a JPEG/)],
    [413, "This file is larger than 8 MB. Save it smaller, then add that."],
  ]);
  const form = new FormData();
  form.append("file", new Blob([new Uint8Array(await picture())], { type: "image/jpeg" }), "front.jpg");
  const typeless = new Uint8Array(100_000);
  for (const [body, type] of [
    [form, undefined],
    [typeless, undefined],
    [typeless, "application/x-www-form-urlencoded"],
    [typeless, "application/json"],
  ] as const) {
    const refused = await seller.send("POST", path, { body, headers: type ? { "Content-Type": type } : {} });
    expect([refused.status, refused.body.detail, refused.headers.get("Accept")]).toEqual([
      415,
      "Send the file itself as the body, with its content type: image/jpeg, image/png, image/webp.",
      "image/jpeg,image/png,image/webp",
    ]);
  }
  for (const type of ["image/jpeg", "IMAGE/PNG", "application/octet-stream"]) {
    const body = new Uint8Array(await picture("png", { background: "#111111" }));
    expect((await seller.send("POST", path, { body, headers: { "Content-Type": type } })).status).toBe(200);
  }
  await server.db.update(phones).set({ status: "sold" }).where(eq(phones.id, phone.id));
  expect((await add(await picture())).status).toBe(409);
  expect((await seller.delete(`${path}/${ids[0]}`)).status).toBe(404);
});

test("a broken form with photos from a stranger is refused as such", async () => {
  const response = await visitor(server).send("/addphone", {
    method: "POST",
    body: "no form",
    headers: { Origin: server.url, Accept: "text/html", "Content-Type": "multipart/form-data; boundary=x" },
  });
  expect(response.status).toBe(400);
});
