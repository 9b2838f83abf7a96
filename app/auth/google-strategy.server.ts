import type { AppLoadContext } from "@remix-run/cloudflare";
import { GoogleStrategy } from "remix-auth-google";
import { type GoogleProfile, googleProfileSchema } from "#app/features/accounts/google.schema.ts";
import { consumeOauthState } from "#app/features/accounts/google.server.ts";
import { signInSeconds } from "#app/server/http/cookies.server.ts";

/** A failed sign-in with Google. The message is one of our own terms. */
export class GoogleError extends Error {}

/**
 * Google's strategy with PKCE, which remix-auth-google lacks. No nonce is needed, since no ID token is read.
 * @see https://www.rfc-editor.org/rfc/rfc7636
 */
export class PkceGoogleStrategy extends GoogleStrategy<GoogleProfile> {
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
    this.#markStateUsed = (state) => consumeOauthState(db, state, signInSeconds);
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
