/** Bytes as text in the URL's own alphabet, without padding. @see https://www.rfc-editor.org/rfc/rfc4648#section-5 */
export function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/**
 * The bytes that `toBase64Url` made a text of.
 *
 * @throws DOMException when it is none of its texts
 */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
