/** Any base will do: only whether the target leaves it matters. */
const here = "http://ringback.invalid";

/**
 * A path of this site that is safe to redirect to, from an untrusted value: path, query and fragment are
 * kept; anything that is not a path of this site, by the rules of the URL standard that browsers follow,
 * gives `fallback`. @see https://url.spec.whatwg.org/#concept-basic-url-parser
 */
export function safeRedirect(target: FormDataEntryValue | null | undefined, fallback = "/"): string {
  if (typeof target !== "string" || !target.startsWith("/") || !URL.canParse(target, here)) return fallback;
  const url = new URL(target, here);
  // A path such as `/.//host` resolves to one that starts with two slashes: another host to the browser.
  if (url.origin !== here || url.pathname.startsWith("//")) return fallback;
  return url.pathname + url.search + url.hash;
}
