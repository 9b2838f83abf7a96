import { base64url } from "jose";

/** 256 random bits as base64url: 43 characters. */
export function randomToken(): string {
  return base64url.encode(crypto.getRandomValues(new Uint8Array(32)));
}

export async function sha256Hex(data: string | BufferSource): Promise<string> {
  const digest = await sha256(data);
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export async function sha256Base64Url(data: string | BufferSource): Promise<string> {
  return base64url.encode(await sha256(data));
}

async function sha256(data: string | BufferSource): Promise<Uint8Array> {
  const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}
