import { createCookie, createCookieSessionStorage } from "@remix-run/cloudflare";

/** `__Host-` cookies are bound to this very host: no Domain, Path=/, Secure. Browsers count localhost as secure. */
const attributes = { httpOnly: true, secure: true, sameSite: "lax", path: "/" } as const;

/** How long a visitor stays signed in, in seconds. */
export const sessionSeconds = 30 * 24 * 60 * 60;

/** The product's cookies, all signed with the deployment's secret. */
export function createCookieJar(secret: string) {
  return {
    /** Holds the id of the visitor's session, and nothing else. */
    session: createCookieSessionStorage<{ sessionId: string }>({
      cookie: { ...attributes, name: "__Host-session", secrets: [secret], maxAge: sessionSeconds },
    }),
    /** Carries a message over one redirect. */
    flash: createCookie("__Host-flash", { ...attributes, secrets: [secret], maxAge: 60 }),
  };
}
