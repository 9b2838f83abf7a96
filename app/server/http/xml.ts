/** Characters that XML 1.0 does not allow, even escaped. @see https://www.w3.org/TR/xml/#charsets */
const invalidCharacters = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** Escapes text for an element or attribute and removes characters that XML does not allow. */
export function xmlText(text: string): string {
  return text.replace(invalidCharacters, "").replace(/[&<>"']/g, (character) => entities[character] ?? "");
}

/** Creates a public XML response that caches may keep for `seconds`. */
export function xmlResponse(
  body: string | ReadableStream<Uint8Array>,
  {
    type = "application/xml",
    seconds,
    headers = {},
  }: { type?: string; seconds: number; headers?: HeadersInit },
): Response {
  const allHeaders = new Headers(headers);
  allHeaders.set("Content-Type", `${type}; charset=utf-8`);
  allHeaders.set("Cache-Control", `public, max-age=${seconds}`);
  return new Response(body, { headers: allHeaders });
}
