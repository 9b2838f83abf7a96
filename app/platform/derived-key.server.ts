/**
 * A key for one purpose, derived from the deployment's secret, so that what is signed for one purpose means nothing
 * for another. For HMAC with SHA-256.
 *
 * @see https://www.rfc-editor.org/rfc/rfc5869
 */
export async function derivedKey(secret: string, purpose: string): Promise<CryptoKey> {
  const bytes = new TextEncoder();
  const material = await crypto.subtle.importKey("raw", bytes.encode(secret), "HKDF", false, ["deriveKey"]);
  return crypto.subtle.deriveKey(
    { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: bytes.encode(purpose) },
    material,
    { name: "HMAC", hash: "SHA-256", length: 256 },
    false,
    ["sign", "verify"],
  );
}
