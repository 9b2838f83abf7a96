import { base64url } from "jose";

/**
 * The secrets in SESSION_SECRET, newest first. The first signs and derives; the others only verify, so that older
 * signatures stay valid until their secret is removed from the list.
 */
export function secretsOf(setting: string): string[] {
  return setting.split(",").map((secret) => secret.trim());
}

/**
 * Derives an HMAC-SHA-256 key for one purpose by HKDF. @see https://www.rfc-editor.org/rfc/rfc5869
 *
 * @param secret one of the context's `secrets`: the first to sign, each in turn to verify
 * @param purpose unique for each use of this function
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

/** HMAC of a text as base64url: 43 characters. */
export async function keyedHash(key: CryptoKey, text: string): Promise<string> {
  return base64url.encode(new Uint8Array(await crypto.subtle.sign("HMAC", key, bytesOf(text))));
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
