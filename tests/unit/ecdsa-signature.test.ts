import { createSign, generateKeyPairSync, sign, webcrypto } from "node:crypto";
import { expect, test } from "vitest";
import { unwrapEC2Signature } from "#app/platform/ecdsa-signature.ts";

const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const text = new TextEncoder().encode("used phones");

test("what another implementation wraps, Web Crypto checks once unwrapped", async () => {
  const jwk = publicKey.export({ format: "jwk" });
  const curve = { name: "ECDSA", namedCurve: "P-256" };
  const key = await webcrypto.subtle.importKey("jwk", jwk, curve, false, ["verify"]);
  // Of so many, some begin with zeros and some need one, in either half.
  for (let count = 0; count < 600; count += 1) {
    const data = new Uint8Array([...text, count >> 8, count & 255]);
    const unwrapped = unwrapEC2Signature(sign("sha256", data, privateKey), 1);
    expect(unwrapped.length).toBe(64);
    expect(await webcrypto.subtle.verify({ name: "ECDSA", hash: "SHA-256" }, key, unwrapped, data)).toBe(
      true,
    );
  }
});

test("short halves are filled up in front", () => {
  const unwrapped = unwrapEC2Signature(new Uint8Array([0x30, 7, 2, 1, 5, 2, 2, 0, 0x80]), 1);
  expect([...unwrapped]).toEqual([...Array(31).fill(0), 5, ...Array(31).fill(0), 0x80]);
});

const whole = [...createSign("sha256").update(text).sign(privateKey)];
const half = (first: number, length: number) => [2, length, first, ...Array(length - 1).fill(1)];
const wrapped = (...halves: number[][]) => [0x30, halves.flat().length, ...halves.flat()];

test.each<[string, number[], number?]>([
  ["nothing", []],
  ["no sequence", [0x31, ...whole.slice(1)]],
  ["one that breaks off", whole.slice(0, -1)],
  ["one with something after it", [...whole, 0]],
  ["one with something inside it after the halves", wrapped(half(1, 32), half(1, 32), [5, 0])],
  ["one half", wrapped(half(1, 32))],
  ["a half that is no integer", wrapped(half(1, 32), [4, 1, 1])],
  ["a negative half", wrapped(half(0x80, 32), half(1, 32))],
  ["an empty half", wrapped([2, 0], half(1, 32))],
  ["a half that is too long", wrapped(half(1, 33), half(1, 32))],
  ["a half that says it is longer than all", [0x30, 6, 2, 100, 1, 2, 1, 1]],
  ["a length that is written in another way", [0x30, 0x81, 6, 2, 1, 1, 2, 1, 1]],
  ["one on another curve", whole, 2],
])("%s is no signature", (_, bytes, curve = 1) => {
  expect(() => unwrapEC2Signature(new Uint8Array(bytes), curve)).toThrow(/signature/);
});
