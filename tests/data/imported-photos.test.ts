import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fetchPhoto, openPhotoZip } from "#app/features/photos/imported-photos.server.ts";
import { maxPhotoBytes } from "#app/features/photos/photo.rules.ts";
import { withBucket } from "../../scripts/photo-backup.ts";
import { zipOf } from "../harness/zip.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "imported-photos-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** What a ZIP has under each name: the length of the file, or the reason that there is none. */
async function readFrom(zip: Buffer, names: string[]) {
  return withBucket({ folder, persist: join(folder, "r2"), outbox: folder, bindings: {} }, async (bucket) => {
    await bucket.put("one.zip", new Uint8Array(zip));
    const opened = await openPhotoZip(bucket, "one.zip");
    if ("refusal" in opened) return opened.refusal;
    const files = await Promise.all(names.map((name) => opened.read(name)));
    return files.map((file) => ("file" in file ? Buffer.from(file.file).toString() : file.refusal));
  });
}

const file = (name: string, text = name) => ({ name, content: Buffer.from(text) });

describe("photos in a ZIP", () => {
  test("are found by their names, with or without their folder", async () => {
    const files = [
      file("shop/Front.JPG"),
      file("__MACOSX/shop/Front.JPG"),
      file("a/back.jpg"),
      file("b/back.jpg"),
      file("u\u0308ber.jpg"),
    ];
    const names = ["front.jpg", "SHOP/front.jpg", "back.jpg", "b/back.jpg", "über.jpg", "none.jpg"];
    expect(await readFrom(zipOf(files), names)).toEqual([
      "shop/Front.JPG",
      "shop/Front.JPG",
      "The ZIP file has none of this name, or several.",
      "b/back.jpg",
      "u\u0308ber.jpg",
      "The ZIP file has none of this name, or several.",
    ]);
  });

  test("are found by the last parts of their path", async () => {
    const files = [file("shop/black/front.jpg"), file("shop/white/front.jpg")];
    expect(await readFrom(zipOf(files), ["white/front.jpg"])).toEqual(["shop/white/front.jpg"]);
  });

  test("are not guessed where several have the same path", async () => {
    const files = [file("a.jpg"), file("a.jpg"), file("b.jpg"), file("B.JPG"), file("shop/a.jpg")];
    const several = "The ZIP file has none of this name, or several.";
    expect(await readFrom(zipOf(files), ["a.jpg", "b.jpg", "shop/a.jpg"])).toEqual([
      several,
      several,
      "shop/a.jpg",
    ]);
  });

  test("are read where they are not compressed", async () => {
    const large = { name: "large", content: Buffer.alloc(maxPhotoBytes + 1), isStored: true };
    const whole = { name: "whole", content: Buffer.alloc(maxPhotoBytes, "x"), isStored: true };
    const [tooLarge, text] = await readFrom(zipOf([large, whole]), ["large", "whole"]);
    expect(tooLarge).toMatch("larger than 8 MB");
    expect(text).toHaveLength(maxPhotoBytes);
  });

  test("that are locked, too large or other than they say are refused, one by one", async () => {
    const large = Buffer.alloc(maxPhotoBytes + 1);
    const files = [
      { name: "large", content: large },
      { name: "bomb", content: large, saidSize: 100 },
      { ...file("locked"), encrypted: true },
      file("good"),
    ];
    const names = ["large", "bomb", "locked", "good"];
    expect(await readFrom(zipOf(files), names)).toEqual([
      expect.stringContaining("larger than 8 MB"),
      "It’s damaged in the ZIP file.",
      "It’s locked by a password.",
      "good",
    ]);
  });

  test("of which there are too many, or no ZIP at all, are refused", async () => {
    expect(await readFrom(Buffer.from("no ZIP"), [])).toBe("unreadable ZIP");
    const whole = zipOf([file("one"), file("two")]);
    expect(await readFrom(whole.subarray(0, whole.length - 30), [])).toBe("unreadable ZIP");
    const many = Array.from({ length: 2001 }, (_, index) => file(`${index}`));
    expect(await readFrom(zipOf(many), [])).toBe("too many photos");
    const long = Array.from({ length: 5000 }, (_, index) => file(`${index}`.padEnd(200, "x")));
    expect(await readFrom(zipOf(long), [])).toBe("too many photos");
  });
});

/** What the link gives while a server answers for all hosts; and the addresses that were asked for. */
async function fetchedFrom(link: string, answer: RequestListener) {
  const asked: string[] = [];
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const toServer: typeof fetch = (address, options) => {
    const { href, pathname } = new URL(String(address));
    asked.push(href);
    return fetch(`http://127.0.0.1:${port}${pathname}`, options as never) as never;
  };
  try {
    const photo = await fetchPhoto(link, toServer);
    return { asked, got: "file" in photo ? Buffer.from(photo.file).toString() : photo.refusal };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe("a photo behind a link", () => {
  test("is loaded, also where the link leads on", async () => {
    const link = "https://pictures.example/first";
    const { asked, got } = await fetchedFrom(link, ({ url }, response) => {
      if (url === "/first") response.writeHead(302, { Location: "https://cdn.example/second" }).end();
      else response.writeHead(200, { "Content-Type": "image/jpeg" }).end("picture");
    });
    expect(got).toBe("picture");
    expect(asked).toEqual([link, "https://cdn.example/second"]);
  });

  test.each([
    "http://pictures.example/a",
    "https://localhost/a",
    "https://router.local./a",
    "https://printer/a",
    "https://127.0.0.1/a",
    "https://2130706433/a",
    "https://0x7f.1/a",
    "https://[::1]/a",
    "https://[::ffff:10.0.0.1]/a",
    "https://pictures.example:8443/a",
    "https://user:word@pictures.example/a",
    "file:///etc/hosts",
  ])("is not loaded from %s, nor by way of another", async (address) => {
    const refusal = "The link must be a public one that starts with https.";
    expect(await fetchedFrom(address, (_, response) => response.end())).toEqual({ asked: [], got: refusal });
    const first = "https://pictures.example/a";
    const redirect: RequestListener = (_, response) => response.writeHead(301, { Location: address }).end();
    expect(await fetchedFrom(first, redirect)).toEqual({ asked: [first], got: refusal });
  });

  test("is refused where the answer is none, too large, no picture or a circle", async () => {
    const link = "https://pictures.example/a";
    const got = async (answer: RequestListener) => (await fetchedFrom(link, answer)).got;
    const jpeg = { "Content-Type": "image/jpeg" };
    expect(await got((_, response) => response.writeHead(404, jpeg).end())).toBe(
      "The link answers with 404.",
    );
    expect(
      await got((_, response) => response.writeHead(200, { "Content-Type": "text/html" }).end("a")),
    ).toMatch("This isn’t a JPEG");
    const length = maxPhotoBytes + 1;
    const said = { ...jpeg, "Content-Length": length };
    expect(await got((_, response) => response.writeHead(200, said).flushHeaders())).toMatch(
      "larger than 8 MB",
    );
    expect(await got((_, response) => response.writeHead(200, jpeg).end(Buffer.alloc(length)))).toMatch(
      "larger than 8 MB",
    );
    expect(await got((_, response) => response.writeHead(302, { Location: "/a" }).end())).toBe(
      "The link leads from one address to the next.",
    );
    expect(await got((_, response) => response.destroy())).toBe("We couldn’t load the link.");
  });
});
