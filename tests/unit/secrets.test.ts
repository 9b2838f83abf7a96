import { expect, test } from "vitest";
import { derivedKey, keyedHash, splitSecrets } from "#app/server/config/crypto.server.ts";

const [one, other] = ["first secret of more than 32 characters", "other secret of more than 32 characters"];

test("the setting is a list of secrets, newest first", () => {
  expect(splitSecrets(one)).toEqual([one]);
  expect(splitSecrets(`${one},${other}`)).toEqual([one, other]);
  expect(splitSecrets(` ${one} , ${other}\n`)).toEqual([one, other]);
});

test("a key depends on its secret and purpose only", async () => {
  const hash = async (secret: string, purpose: string, text = "text") =>
    keyedHash(await derivedKey(secret, purpose), text);
  const known = await hash(one, "counting");
  expect(known).toMatch(/^[\w-]{43}$/);
  expect(await hash(one, "counting")).toBe(known);
  const others = await Promise.all([
    hash(other, "counting"),
    hash(one, "mailing"),
    hash(one, "counting", "Text"),
    hash(one, ""),
  ]);
  expect(new Set([known, ...others]).size).toBe(5);
});

test("a derived key is HKDF's, and is not extractable", async () => {
  // The expected value is from another implementation of https://www.rfc-editor.org/rfc/rfc5869, with an empty salt.
  const { createHmac, hkdfSync } = await import("node:crypto");
  const raw = Buffer.from(hkdfSync("sha256", one, "", "counting", 32));
  const expected = createHmac("sha256", raw).update("text").digest("base64url");
  const key = await derivedKey(one, "counting");
  expect(await keyedHash(key, "text")).toBe(expected);
  await expect(crypto.subtle.exportKey("raw", key)).rejects.toThrow();
});
