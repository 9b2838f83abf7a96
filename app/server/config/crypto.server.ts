import { base64url } from "jose";

/** 256 random bits as base64url: 43 characters. */
export function randomToken(): string {
  return base64url.encode(crypto.getRandomValues(new Uint8Array(32)));
}

export async function sha256Hex(data: string | BufferSource): Promise<string> {
  return hexOf(await sha256(data));
}

/** Bytes, or those of a text in UTF-8, in lower-case hexadecimal. */
export function hexOf(data: string | Uint8Array): string {
  const bytes = typeof data === "string" ? bytesOf(data) : data;
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export async function sha256Base64Url(data: string | BufferSource): Promise<string> {
  return base64url.encode(await sha256(data));
}

async function sha256(data: string | BufferSource): Promise<Uint8Array> {
  const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

/**
 * Splits SESSION_SECRET into its secrets, newest first. The first one signs; the others only verify older signatures.
 */
export function splitSecrets(setting: string): string[] {
  return setting.split(",").map((secret) => secret.trim());
}

/** Derives an HMAC-SHA-256 key with HKDF. @param purpose unique for each use */
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
