import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Miniflare } from "miniflare";
import { Provider } from "oidc-provider";
import type { Market } from "../../scripts/market.ts";
import { startMarket, visitor, withoutRequests } from "./market.ts";

/** A person with an account at Google. */
export interface Person {
  sub: string;
  email?: string;
  email_verified?: boolean;
  name?: string;
}

const credentials = {
  client_id: "ringback-under-test",
  client_secret: "a secret between Google and the market",
};

/** The hosts that the product knows Google by. */
export type Host = "accounts.google.com" | "oauth2.googleapis.com" | "www.googleapis.com";

/**
 * Serves a market whose network leads to a Google of our own: a certified OpenID provider at Google's
 * addresses. The product is the one that is deployed; only where its requests arrive is another place.
 */
export async function startMarketWithGoogle() {
  const google = await startGoogle();
  const log: string[] = [];
  let market: Market;
  try {
    market = await startMarket({
      bindings: { GOOGLE_CLIENT_ID: credentials.client_id, GOOGLE_CLIENT_SECRET: credentials.client_secret },
      network: { external: { address: google.address, http: {} } },
      onLog: (text) =>
        log.push(
          ...withoutRequests(text)
            .split("\n")
            .filter((line) => line.startsWith("{")),
        ),
    });
  } catch (fault) {
    await google.stop();
    throw fault;
  }
  google.register(market.url);
  return {
    google,
    ...market,
    /** The lines that the market's Worker has written to its log, but those of each request. */
    log,
    stop: () => Promise.all([market.stop(), google.stop()]),
  };
}

export type MarketWithGoogle = Awaited<ReturnType<typeof startMarketWithGoogle>>;

async function startGoogle() {
  const people = new Map<string, Person>();
  let provider: Provider | undefined;

  const state = {
    /** Who sits at the browser that comes next; null is one who says no. */
    person: null as Person | null,
    /** What a host answers in place of Google; for `gone` it hangs up, for `silent` it never answers. */
    instead: new Map<Host, "gone" | "silent" | { status: number; body: string }>(),
  };

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const { person, instead } = state;
    const host = request.headers.host as Host;
    const trouble = instead.get(host);
    if (trouble === "gone") return request.socket.destroy();
    if (trouble === "silent") return;
    if (trouble) return response.writeHead(trouble.status).end(trouble.body);

    // The provider lives at one address; TLS ends before it.
    request.headers.host = "accounts.google.com";
    request.headers["x-forwarded-proto"] = "https";
    if (!request.url?.startsWith("/interaction/")) return provider?.callback()(request, response);
    if (person) people.set(person.sub, person);
    await provider?.interactionFinished(
      request,
      response,
      person ? { login: { accountId: person.sub } } : { error: "access_denied" },
    );
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((fault: Error) => response.writeHead(500).end(fault.message));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;

  return Object.assign(state, {
    address,

    /** Makes a market known as a client. */
    register(url: string) {
      provider = createProvider(people, url);
    },

    /** Follows a visitor's browser through Google, from the address it was sent to, up to the way back. */
    async visit(location: string | null): Promise<URL> {
      const browser = visitor({ url: `http://${address}` });
      let next = new URL(location ?? "");
      while (next.host === "accounts.google.com") {
        const answer = await browser.get(next.pathname + next.search);
        const onward = answer.headers.get("Location");
        if (!onward) throw new Error(`Google answered ${answer.status}: ${await answer.text()}`);
        next = new URL(onward, next);
      }
      return next;
    },

    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  });
}

function createProvider(people: Map<string, Person>, marketUrl: string): Provider {
  const { port } = new URL(marketUrl);
  const provider = new Provider("https://accounts.google.com", {
    clients: [
      {
        ...credentials,
        redirect_uris: ["127.0.0.1", "localhost"].map((host) => `http://${host}:${port}/google/callback`),
        token_endpoint_auth_method: "client_secret_post",
      },
    ],
    routes: { authorization: "/o/oauth2/v2/auth", token: "/token", userinfo: "/oauth2/v3/userinfo" },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    pkce: { required: () => true, methods: ["S256"] },
    cookies: { keys: ["the provider's own"] },
    // As they are by default, which it would remark on.
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

/**
 * Puts Google's door where a browser looks for it: at https://accounts.google.com.
 *
 * @returns the switches that lead Chromium there, though nobody has signed the door's certificate
 */
export async function openGoogleDoor({ google }: MarketWithGoogle) {
  const door = new Miniflare({
    modules: true,
    script: "export default { fetch: (request) => fetch(request) };",
    compatibilityDate: "2026-04-20",
    outboundService: { external: { address: google.address, http: {} } },
    host: "127.0.0.1",
    https: true,
    cf: false,
  });
  const { host } = await door.ready;
  return {
    browserSwitches: [`--host-resolver-rules=MAP accounts.google.com ${host}`, "--ignore-certificate-errors"],
    stop: () => door.dispose(),
  };
}
