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

/** How long a visitor may take to sign in at another provider, in seconds. */
export const signInSeconds = 10 * 60;

export const sessionCookie = "__Host-session";

/** The names of the product's cookies that a request brings, whether they are good or not. */
export function ownCookieNames({ headers }: Request): string[] {
  const cookies = (headers.get("Cookie") ?? "").matchAll(/(?:^|;\s*)(__Host-[\w-]+)=/g);
  return [...cookies].map(([, name = ""]) => name);
}

/** Whether a browser brings a session cookie, be it good or not. */
export function bringsSession(request: Request): boolean {
  return ownCookieNames(request).includes(sessionCookie);
}

/** What is remembered of a visitor who has gone to sign in at another provider. */
export interface SignInAttempt {
  /** What the visitor must bring back, under the name that the OAuth strategy gives it. */
  "oauth2:state": string;
  /** What the code that comes back is good for only together with (PKCE). */
  codeVerifier: string;
  /** Where the visitor was going: a path of this site. */
  redirectTo: string;
  /** Milliseconds; a browser may keep a cookie longer than it was told to. */
  startedAt: number;
}

/**
 * How long a visitor who has written bypasses the edge cache and reads from their bookmark, in seconds. Longer than the
 * cache shows a page: twice `EDGE_CACHE_SECONDS`, which is 450 at most.
 */
const bookmarkSeconds = 15 * 60;

/** How long a device is known, in seconds: as long as browsers keep a cookie at all. */
const deviceSeconds = 400 * 24 * 60 * 60;

/**
 * The product's cookies, all signed. They keep nothing of a request, so those of the same secrets are made once.
 *
 * @param secrets newest first: the first signs, and each is believed
 */
export function cookieJar(secrets: string[]): CookieJar {
  const jar = jars.get(secrets) ?? createCookieJar(secrets);
  jars.set(secrets, jar);
  return jar;
}

export type CookieJar = ReturnType<typeof createCookieJar>;

const jars = new WeakMap<string[], CookieJar>();

function createCookieJar(secrets: string[]) {
  return {
    /** Holds the id of the visitor's session, and nothing else. */
    session: createCookieSessionStorage<{ sessionId: string }>({
      cookie: signedCookie(sessionCookie, { secrets, maxAge: sessionSeconds }),
    }),
    /** Binds a sign-in at another provider to the browser that went there. */
    signIn: createCookieSessionStorage<SignInAttempt>({
      cookie: signedCookie("__Host-sign-in", { secrets, maxAge: signInSeconds }),
    }),
    /** Hold the token of a mail's link while its page is open, each for its page. */
    reset: signedCookie("__Host-reset", { secrets, maxAge: 30 * 60 }),
    verify: signedCookie("__Host-verify", { secrets, maxAge: 30 * 60 }),
    /** Holds the token of the question that this browser's passkey is to answer. */
    passkey: signedCookie("__Host-passkey", { secrets, maxAge: 5 * 60 }),
    /** Tells from where on the database has what this browser has written. */
    bookmark: signedCookie("__Host-bookmark", { secrets, maxAge: bookmarkSeconds }),
    /** Carries a message over one redirect. */
    flash: signedCookie("__Host-flash", { secrets, maxAge: 60 }),
    /** Tells that accounts have been signed in to from this browser; opens none of them. */
    device: signedCookie("__Host-device", { secrets, maxAge: deviceSeconds }),
  };
}

/** A cookie that counts as absent when it is not one of ours; Remix throws at a signature that is not base64. */
function signedCookie(name: string, options: CookieOptions): Cookie {
  const cookie = createCookie(name, { ...attributes, ...options });
  return { ...cookie, parse: (header, how) => cookie.parse(header, how).catch(() => null) };
}
