import { toBase64Url } from "./base64-url.ts";

/** 256 random bits in the URL's own alphabet: 43 characters. */
export function randomToken(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
}
