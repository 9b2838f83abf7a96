import { base64url } from "jose";

/**
 * The secrets that the setting SESSION_SECRET lists, newest first. The first signs and derives; the others are
 * only believed, so that what an older one signed stays good until it is taken off the list.
 */
export function secretsOf(setting: string): string[] {
  return setting.split(",").map((secret) => secret.trim());
}

/**
 * The key of one purpose, for HMAC with SHA-256. Keys of different purposes, and of different secrets, tell
 * nothing of each other. @see https://www.rfc-editor.org/rfc/rfc5869
 *
 * @param secret one of the context's `secrets`: the first to make something, each in turn to check it
 * @param purpose what the key is for, in words no other use of this function has
 */
export async function derivedKey(secret: string, purpose: string): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey("raw", bytesOf(secret), "HKDF", false, ["deriveKey"]);
  return crypto.subtle.deriveKey(
    { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: bytesOf(purpose) },
    material,
    { name: "HMAC", hash: "SHA-256", length: 256 },
    false,
    ["sign", "verify"],
  );
}

/** A text under a key, as 43 characters of the URL's own alphabet, which nobody without the key can make. */
export async function keyedHash(key: CryptoKey, text: string): Promise<string> {
  return base64url.encode(new Uint8Array(await crypto.subtle.sign("HMAC", key, bytesOf(text))));
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
