import { type AppLoadContext, redirect } from "@remix-run/cloudflare";
import { Authenticator, AuthorizationError } from "remix-auth";
import { GoogleStrategy } from "remix-auth-google";
import { type GooglePerson, googlePersonSchema } from "#app/features/accounts/google.schema.ts";
import { spendState } from "#app/features/accounts/google.server.ts";
import { type SignInAttempt, signInSeconds } from "#app/platform/cookies.server.ts";
import { safeRedirect } from "#app/platform/safe-redirect.ts";

/** How long Google may take to answer for a visitor, in milliseconds. */
const patience = 8_000;

/** Longer paths are not carried through the visit to Google: a cookie holds 4 KB. */
const longestPath = 2_000;

/** Why nobody came back from Google, in our own words. */
class GoogleFailure extends Error {}

/** What the strategy says of its own checks, in our words. */
const strategyFailures: Record<string, string> = {
  "Missing state on URL.": "wrong state",
  "State doesn't match.": "wrong state",
  "Missing state on session.": "no sign-in under way",
};

/** Whether this deployment is known to Google. */
export function googleIsConfigured({ environment }: AppLoadContext): boolean {
  return environment.GOOGLE_CLIENT_ID !== undefined && environment.GOOGLE_CLIENT_SECRET !== undefined;
}

/** Answers 303 to Google's own page; a signed cookie remembers what the visitor must bring back. */
export async function leaveForGoogle(context: AppLoadContext, request: Request): Promise<Response> {
  const attempt = await context.cookies.signIn.getSession();
  const target = safeRedirect(new URL(request.url).searchParams.get("redirectTo"));
  const codeVerifier = crypto.randomUUID() + crypto.randomUUID();
  attempt.set("redirectTo", target.length > longestPath ? "/" : target);
  attempt.set("codeVerifier", codeVerifier);
  attempt.set("startedAt", Date.now());
  // The strategy adds its state to the attempt it finds in the request.
  const Cookie = await context.cookies.signIn.commitSession(attempt);
  const asked = new Request(request.url, { headers: { Cookie } });
  const strategy = new PkceGoogleStrategy(context, request, {
    codeVerifier,
    codeChallenge: await challengeOf(codeVerifier),
  });
  const away: unknown = await authenticatorWith(context, strategy)
    .authenticate("google", asked)
    .catch((thrown: unknown) => thrown);
  if (!(away instanceof Response)) throw away;
  return redirect(away.headers.get("Location") ?? "/login", { status: 303, headers: away.headers });
}

/**
 * Ends the sign-in that this browser began, whatever comes of it.
 *
 * @returns what it remembers, and the headers that make the browser forget it
 */
export async function takeAttempt({ cookies }: AppLoadContext, request: Request) {
  const session = await cookies.signIn.getSession(request.headers.get("Cookie"));
  const headers = new Headers({ "Set-Cookie": await cookies.signIn.destroySession(session) });
  return { attempt: session.data as Partial<SignInAttempt>, headers };
}

/**
 * Asks Google who it is that has come back with a code.
 *
 * @returns the person, or in a word of ours why there is none
 */
export async function personFromGoogle(
  context: AppLoadContext,
  request: Request,
  { codeVerifier, startedAt = 0 }: Partial<SignInAttempt>,
): Promise<{ person: GooglePerson } | { failure: string }> {
  if (!codeVerifier) return { failure: "no sign-in under way" };
  if (Date.now() - startedAt > signInSeconds * 1000) return { failure: "too late" };
  const strategy = new PkceGoogleStrategy(context, request, { codeVerifier });
  const asking = authenticatorWith(context, strategy).authenticate("google", request, { throwOnError: true });
  try {
    return { person: await withPatience(asking) };
  } catch (fault) {
    return { failure: failureOf(fault, new URL(request.url)) };
  }
}

/**
 * Google's strategy with PKCE, which its line of the library lacks: a code is of use only to the browser that
 * asked for it. A nonce would add nothing, as no ID token is read: the person is what Google itself answers.
 * @see https://www.rfc-editor.org/rfc/rfc7636
 */
class PkceGoogleStrategy extends GoogleStrategy<GooglePerson> {
  readonly #proof: { codeVerifier: string; codeChallenge?: string };
  readonly #spend: (state: string) => Promise<boolean>;
  readonly #state: string;

  constructor(
    { db, environment }: AppLoadContext,
    request: Request,
    proof: { codeVerifier: string; codeChallenge?: string },
  ) {
    super(
      {
        clientID: environment.GOOGLE_CLIENT_ID ?? "",
        clientSecret: environment.GOOGLE_CLIENT_SECRET ?? "",
        // Whole, else the library makes it from headers that anybody may send.
        callbackURL: new URL("/google/callback", request.url).href,
        scope: "openid email profile",
      },
      async ({ profile }) => {
        const person = googlePersonSchema.safeParse(profile._json);
        if (!person.success) throw new GoogleFailure("unreadable profile");
        return person.data;
      },
    );
    this.#proof = proof;
    this.#state = new URL(request.url).searchParams.get("state") ?? "";
    this.#spend = (state) => spendState(db, state, signInSeconds);
  }

  protected override authorizationParams(): URLSearchParams {
    const params = super.authorizationParams();
    params.set("code_challenge", this.#proof.codeChallenge ?? "");
    params.set("code_challenge_method", "S256");
    return params;
  }

  protected override tokenParams(): URLSearchParams {
    return new URLSearchParams({ code_verifier: this.#proof.codeVerifier });
  }

  /** Runs once the state has been found to be the browser's own. */
  protected override async fetchAccessToken(code: string, params: URLSearchParams) {
    // The cookie is the browser's to keep, so only the database knows that it has served.
    if (!(await this.#spend(this.#state))) throw new GoogleFailure("state used before");
    return super.fetchAccessToken(code, params).catch((fault: unknown) => {
      // What Google answers instead of a token the library throws as bare text.
      throw typeof fault === "string" ? new GoogleFailure("token refused") : fault;
    });
  }
}

function authenticatorWith({ cookies }: AppLoadContext, strategy: PkceGoogleStrategy) {
  return new Authenticator<GooglePerson>(cookies.signIn).use(strategy, "google");
}

/** The fault in our words. Its message is not ours to show: it may hold whatever the provider has answered. */
function failureOf(fault: unknown, { searchParams }: URL): string {
  if (fault instanceof GoogleFailure) return fault.message;
  if (!(fault instanceof AuthorizationError)) throw fault;
  if (fault.cause instanceof GoogleFailure) return fault.cause.message;
  if (fault.message === "Missing code.")
    return searchParams.get("error") === "access_denied" ? "denied" : "no code";
  return strategyFailures[fault.message] ?? "provider failed";
}

/** @throws GoogleFailure when the answer takes too long */
async function withPatience<Answer>(asking: Promise<Answer>): Promise<Answer> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new GoogleFailure("provider too slow")), patience);
  });
  return Promise.race([asking, tired]).finally(() => clearTimeout(timer));
}

async function challengeOf(codeVerifier: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(codeVerifier));
  return btoa(String.fromCharCode(...new Uint8Array(digest)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
