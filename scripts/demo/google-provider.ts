import { Provider } from "oidc-provider";

/** A Google account. */
export interface Person {
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
}

/** The OAuth client that the provider knows. */
export const googleClient = {
  client_id: "ringback-local",
  client_secret: "a secret between the provider and the server",
};

/** A certified OpenID provider with the issuer and the paths of Google's. Clients on this machine only. */
export function createGoogleProvider(people: Map<string, Person>, port: number): Provider {
  const provider = new Provider("https://accounts.google.com", {
    clients: [
      {
        ...googleClient,
        redirect_uris: ["127.0.0.1", "localhost"].map((host) => `http://${host}:${port}/google/callback`),
        token_endpoint_auth_method: "client_secret_post",
      },
    ],
    routes: { authorization: "/o/oauth2/v2/auth", token: "/token", userinfo: "/oauth2/v3/userinfo" },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    pkce: { required: () => true, methods: ["S256"] },
    cookies: { keys: ["the provider's own"] },
    // The defaults, set to avoid a warning.
    ttl: { AccessToken: 3600, Grant: 3600, IdToken: 3600, Interaction: 3600, Session: 3600 },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ ...people.get(sub), sub }) }),
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId,
        accountId: oidc.session?.accountId,
      });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
  });
  provider.proxy = true;
  return provider;
}
