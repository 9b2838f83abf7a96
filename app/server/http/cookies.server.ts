import {
  type Cookie,
  type CookieOptions,
  createCookie,
  createCookieSessionStorage,
} from "@remix-run/cloudflare";

/** `__Host-` cookies require Secure and Path=/, and no Domain. Browsers treat localhost as secure. */
const attributes = { httpOnly: true, secure: true, sameSite: "lax", path: "/" } as const;

export const sessionSeconds = 30 * 24 * 60 * 60;

export const googleSignInSeconds = 10 * 60;

export const sessionCookie = "__Host-session";

export const announcementCookie = "__Host-announcements";

/** The names of our cookies in a request, whether valid or not. */
export function ownCookieNames({ headers }: Request): string[] {
  const cookies = (headers.get("Cookie") ?? "").matchAll(/(?:^|;\s*)(__Host-[\w-]+)=/g);
  return [...cookies].map(([, name = ""]) => name);
}

export function hasSessionCookie(request: Request): boolean {
  return ownCookieNames(request).includes(sessionCookie);
}

export interface SignInAttempt {
  /** The OAuth state, under the key that the strategy uses. */
  "oauth2:state": string;
  codeVerifier: string;
  redirectTo: string;
  /** Milliseconds. Checked by the server, since a browser may keep an expired cookie. */
  startedAt: number;
}

/**
 * How long a user who wrote bypasses the edge cache and reads from their bookmark, in seconds. Must exceed twice the
 * largest `EDGE_CACHE_SECONDS` (450), the age at which a cached page is no longer shown.
 */
const bookmarkSeconds = 15 * 60;

/** Lifetime of the device cookie in seconds: the maximum that browsers allow. */
const deviceSeconds = 400 * 24 * 60 * 60;

/** Returns the product's signed cookies for the given secrets, newest first: the first signs, all verify. */
export function cookieJar(secrets: string[]): CookieJar {
  const jar = jars.get(secrets) ?? createCookieJar(secrets);
  jars.set(secrets, jar);
  return jar;
}

export type CookieJar = ReturnType<typeof createCookieJar>;

const jars = new WeakMap<string[], CookieJar>();

function createCookieJar(secrets: string[]) {
  return {
    session: createCookieSessionStorage<{ sessionId: string }>({
      cookie: signedCookie(sessionCookie, { secrets, maxAge: sessionSeconds }),
    }),
    /** Binds a sign-in with Google to the browser that started it. */
    signIn: createCookieSessionStorage<SignInAttempt>({
      cookie: signedCookie("__Host-sign-in", { secrets, maxAge: googleSignInSeconds }),
    }),
    /** Hold the token of an emailed link while its page is open. */
    reset: signedCookie("__Host-reset", { secrets, maxAge: 30 * 60 }),
    verify: signedCookie("__Host-verify", { secrets, maxAge: 30 * 60 }),
    /** The listing that a visitor without a session wants to save, until the login. */
    save: signedCookie("__Host-save", { secrets, maxAge: 10 * 60 }),
    passkey: signedCookie("__Host-passkey", { secrets, maxAge: 5 * 60 }),
    /** Holds the database bookmark of the browser's last write. */
    bookmark: signedCookie("__Host-bookmark", { secrets, maxAge: bookmarkSeconds }),
    flash: signedCookie("__Host-flash", { secrets, maxAge: 60 }),
    /** Identifies a browser that has logged in before; grants no access. */
    device: signedCookie("__Host-device", { secrets, maxAge: deviceSeconds }),
    /** The ids of announcements that were closed in this browser. */
    closedAnnouncements: signedCookie(announcementCookie, { secrets, maxAge: deviceSeconds }),
  };
}

/** Creates a cookie that reads as absent if its signature is invalid. Remix throws if the signature is not base64. */
function signedCookie(name: string, options: CookieOptions): Cookie {
  const cookie = createCookie(name, { ...attributes, ...options });
  return { ...cookie, parse: (header, how) => cookie.parse(header, how).catch(() => null) };
}
