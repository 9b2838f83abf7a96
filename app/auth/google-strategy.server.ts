import { type AppLoadContext, redirect } from "@remix-run/cloudflare";
import { Authenticator, AuthorizationError } from "remix-auth";
import { GoogleStrategy } from "remix-auth-google";
import {
  consumeOauthState,
  type GoogleProfile,
  googleProfileSchema,
} from "#app/features/accounts/google.server.ts";
import { sha256Base64Url } from "#app/server/config/crypto.server.ts";
import { googleSignInSeconds, type SignInAttempt } from "#app/server/http/cookies.server.ts";
import { safeRedirect } from "#app/server/http/paths.ts";

const providerTimeoutMs = 8_000;

/** A longer path is dropped, since a cookie holds 4 KB. */
const maxPathLength = 2_000;

/** The strategy's error messages and our terms for the log. */
const strategyErrors: Record<string, string> = {
  "Missing state on URL.": "wrong state",
  "State doesn't match.": "wrong state",
  "Missing state on session.": "no sign-in in progress",
};

/** Redirects to Google with 303 and stores the state of the sign-in in a signed cookie. */
export async function redirectToGoogle(context: AppLoadContext, request: Request): Promise<Response> {
  const attempt = await context.cookies.signIn.getSession();
  const target = safeRedirect(new URL(request.url).searchParams.get("redirectTo"));
  const codeVerifier = crypto.randomUUID() + crypto.randomUUID();
  attempt.set("redirectTo", target.length > maxPathLength ? "/" : target);
  attempt.set("codeVerifier", codeVerifier);
  attempt.set("startedAt", Date.now());
  // The strategy adds its OAuth state to the session in this request.
  const Cookie = await context.cookies.signIn.commitSession(attempt);
  const requestWithSession = new Request(request.url, { headers: { Cookie } });
  const strategy = new PkceGoogleStrategy(context, request, {
    codeVerifier,
    codeChallenge: await sha256Base64Url(codeVerifier),
  });
  const response: unknown = await authenticatorWith(context, strategy)
    .authenticate("google", requestWithSession)
    .catch((thrown: unknown) => thrown);
  if (!(response instanceof Response)) throw response;
  return redirect(response.headers.get("Location") ?? "/login", { status: 303, headers: response.headers });
}

/** Reads the state of a sign-in with Google, with headers that clear its cookie. */
export async function takeSignInAttempt({ cookies }: AppLoadContext, request: Request) {
  const session = await cookies.signIn.getSession(request.headers.get("Cookie"));
  const headers = new Headers({ "Set-Cookie": await cookies.signIn.destroySession(session) });
  return { attempt: session.data as Partial<SignInAttempt>, headers };
}

/** Exchanges the code in Google's callback for the user's profile. */
export async function fetchGoogleProfile(
  context: AppLoadContext,
  request: Request,
  { codeVerifier, startedAt = 0 }: Partial<SignInAttempt>,
): Promise<{ person: GoogleProfile } | { failure: string }> {
  if (!codeVerifier) return { failure: "no sign-in in progress" };
  if (Date.now() - startedAt > googleSignInSeconds * 1000) return { failure: "expired" };
  const strategy = new PkceGoogleStrategy(context, request, { codeVerifier });
  const profile = authenticatorWith(context, strategy).authenticate("google", request, {
    throwOnError: true,
  });
  try {
    return { person: await withTimeout(profile) };
  } catch (error) {
    return { failure: reasonOf(error, new URL(request.url)) };
  }
}

function authenticatorWith({ cookies }: AppLoadContext, strategy: PkceGoogleStrategy) {
  return new Authenticator<GoogleProfile>(cookies.signIn).use(strategy, "google");
}

/** The reason for the log. The error's own message may contain text from Google. */
function reasonOf(error: unknown, { searchParams }: URL): string {
  if (error instanceof GoogleError) return error.message;
  if (!(error instanceof AuthorizationError)) throw error;
  if (error.cause instanceof GoogleError) return error.cause.message;
  if (error.message === "Missing code.")
    return searchParams.get("error") === "access_denied" ? "denied" : "no code";
  return strategyErrors[error.message] ?? "provider failed";
}

async function withTimeout<Result>(work: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new GoogleError("provider timeout")), providerTimeoutMs);
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}

/** A failed sign-in with Google. The message is one of our own terms. */
class GoogleError extends Error {}

/**
 * Google's strategy with PKCE, which remix-auth-google lacks. No nonce is needed, since no ID token is read.
 * @see https://www.rfc-editor.org/rfc/rfc7636
 */
class PkceGoogleStrategy extends GoogleStrategy<GoogleProfile> {
  readonly #pkce: { codeVerifier: string; codeChallenge?: string };
  readonly #markStateUsed: (state: string) => Promise<boolean>;
  readonly #state: string;

  constructor(
    { db, environment }: AppLoadContext,
    request: Request,
    pkce: { codeVerifier: string; codeChallenge?: string },
  ) {
    super(
      {
        clientID: environment.GOOGLE_CLIENT_ID ?? "",
        clientSecret: environment.GOOGLE_CLIENT_SECRET ?? "",
        // An absolute URL: for a path, the library trusts forwarded headers.
        callbackURL: new URL("/google/callback", request.url).href,
        scope: "openid email profile",
      },
      async ({ profile }) => {
        const person = googleProfileSchema.safeParse(profile._json);
        if (!person.success) throw new GoogleError("invalid profile");
        return person.data;
      },
    );
    this.#pkce = pkce;
    this.#state = new URL(request.url).searchParams.get("state") ?? "";
    this.#markStateUsed = (state) => consumeOauthState(db, state, googleSignInSeconds);
  }

  protected override authorizationParams(): URLSearchParams {
    const params = super.authorizationParams();
    params.set("code_challenge", this.#pkce.codeChallenge ?? "");
    params.set("code_challenge_method", "S256");
    return params;
  }

  protected override tokenParams(): URLSearchParams {
    return new URLSearchParams({ code_verifier: this.#pkce.codeVerifier });
  }

  /** Called after the state has been compared with the cookie. */
  protected override async fetchAccessToken(code: string, params: URLSearchParams) {
    // A cookie can be replayed, so the database records used states.
    if (!(await this.#markStateUsed(this.#state))) throw new GoogleError("state already used");
    return super.fetchAccessToken(code, params).catch((error: unknown) => {
      // The library throws Google's error responses as strings.
      throw typeof error === "string" ? new GoogleError("no token") : error;
    });
  }
}
