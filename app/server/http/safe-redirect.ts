const placeholderOrigin = "http://ringback.invalid";

/** Returns an untrusted target if browsers resolve it to a path of this site, else `fallback`. */
export function safeRedirect(target: FormDataEntryValue | null | undefined, fallback = "/"): string {
  if (typeof target !== "string" || !target.startsWith("/") || !URL.canParse(target, placeholderOrigin))
    return fallback;
  const url = new URL(target, placeholderOrigin);
  // `/.//host` resolves to a path that starts with two slashes, which browsers take for another host.
  if (url.origin !== placeholderOrigin || url.pathname.startsWith("//")) return fallback;
  return url.pathname + url.search + url.hash;
}
