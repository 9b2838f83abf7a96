import {
  type Cookie,
  type CookieOptions,
  createCookie,
  createCookieSessionStorage,
} from "@remix-run/cloudflare";

/** `__Host-` cookies are bound to this very host: no Domain, Path=/, Secure. Browsers count localhost as secure. */
const attributes = { httpOnly: true, secure: true, sameSite: "lax", path: "/" } as const;

/** How long a visitor stays signed in, in seconds. */
export const sessionSeconds = 30 * 24 * 60 * 60;

/** The product's cookies, all signed with the deployment's secret. */
export function createCookieJar(secret: string) {
  return {
    /** Holds the id of the visitor's session, and nothing else. */
    session: createCookieSessionStorage<{ sessionId: string }>({
      cookie: signedCookie("__Host-session", { secrets: [secret], maxAge: sessionSeconds }),
    }),
    /** Hold the token of a mail's link while its page is open, each for its page. */
    reset: signedCookie("__Host-reset", { secrets: [secret], maxAge: 30 * 60 }),
    verify: signedCookie("__Host-verify", { secrets: [secret], maxAge: 30 * 60 }),
    /** Carries a message over one redirect. */
    flash: signedCookie("__Host-flash", { secrets: [secret], maxAge: 60 }),
  };
}

/** A cookie that counts as absent when it is not one of ours; Remix throws at a signature that is not base64. */
function signedCookie(name: string, options: CookieOptions): Cookie {
  const cookie = createCookie(name, { ...attributes, ...options });
  return { ...cookie, parse: (header, how) => cookie.parse(header, how).catch(() => null) };
}
