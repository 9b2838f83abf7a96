import type { AppLoadContext } from "@remix-run/cloudflare";
import { GoogleStrategy } from "remix-auth-google";
import { type GoogleProfile, googleProfileSchema } from "#app/features/accounts/google.schema.ts";
import { consumeOauthState } from "#app/features/accounts/google.server.ts";
import { signInSeconds } from "#app/server/http/cookies.server.ts";

/** Why nobody came back from Google, in our own words. */
export class GoogleFailure extends Error {}

/**
 * Google's strategy with PKCE, which its line of the library lacks: a code is of use only to the browser that
 * asked for it. A nonce would add nothing, as no ID token is read: the person is what Google itself answers.
 * @see https://www.rfc-editor.org/rfc/rfc7636
 */
export class PkceGoogleStrategy extends GoogleStrategy<GoogleProfile> {
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
        const person = googleProfileSchema.safeParse(profile._json);
        if (!person.success) throw new GoogleFailure("unreadable profile");
        return person.data;
      },
    );
    this.#proof = proof;
    this.#state = new URL(request.url).searchParams.get("state") ?? "";
    this.#spend = (state) => consumeOauthState(db, state, signInSeconds);
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
      throw typeof fault === "string" ? new GoogleFailure("no token given") : fault;
    });
  }
}
