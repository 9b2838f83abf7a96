import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Miniflare } from "miniflare";
import type { Provider } from "oidc-provider";
import { createGoogleProvider, googleClient, type Person } from "../../scripts/demo/google-provider.ts";
import { startServer, type TestServer, visitor, withoutRequestLog } from "./server.ts";

export type { Person };

/** The Google hosts that the product sends requests to. */
export type Host = "accounts.google.com" | "oauth2.googleapis.com" | "www.googleapis.com";

/**
 * Serves the deployed build, with its outgoing requests routed to a local, certified OpenID provider that
 * stands in for Google.
 */
export async function startServerWithGoogle() {
  const google = await startGoogle();
  const log: string[] = [];
  let server: TestServer;
  try {
    server = await startServer({
      bindings: {
        GOOGLE_CLIENT_ID: googleClient.client_id,
        GOOGLE_CLIENT_SECRET: googleClient.client_secret,
      },
      network: { external: { address: google.address, http: {} } },
      onLog: (text) =>
        log.push(
          ...withoutRequestLog(text)
            .split("\n")
            .filter((line) => line.startsWith("{")),
        ),
    });
  } catch (error) {
    await google.stop();
    throw error;
  }
  google.register(server.url);
  return {
    google,
    ...server,
    /** The Worker's log lines, except for the line of each request. */
    log,
    stop: () => Promise.all([server.stop(), google.stop()]),
  };
}

export type ServerWithGoogle = Awaited<ReturnType<typeof startServerWithGoogle>>;

async function startGoogle() {
  const people = new Map<string, Person>();
  let provider: Provider | undefined;

  const state = {
    /** The account that signs in next; null denies access. */
    person: null as Person | null,
    /** Failures to simulate per host: `gone` closes the connection, `silent` never responds. */
    failures: new Map<Host, "gone" | "silent" | { status: number; body: string }>(),
  };

  async function handle(request: IncomingMessage, response: ServerResponse) {
    const { person, failures } = state;
    const host = request.headers.host as Host;
    const failure = failures.get(host);
    if (failure === "gone") return request.socket.destroy();
    if (failure === "silent") return;
    if (failure) return response.writeHead(failure.status).end(failure.body);

    // The provider has one host for all of Google's, and TLS ends before it.
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
    handle(request, response).catch((error: Error) => response.writeHead(500).end(error.message));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;

  return Object.assign(state, {
    address,

    /** Registers a server as an OAuth client. */
    register(url: string) {
      provider = createGoogleProvider(people, Number(new URL(url).port));
    },

    /** Follows the redirects through Google, and returns the callback URL. */
    async open(location: string | null): Promise<URL> {
      const browser = visitor({ url: `http://${address}` });
      let next = new URL(location ?? "");
      while (next.host === "accounts.google.com") {
        const response = await browser.get(next.pathname + next.search);
        const redirect = response.headers.get("Location");
        if (!redirect) throw new Error(`Google responded ${response.status}: ${await response.text()}`);
        next = new URL(redirect, next);
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

/**
 * Starts an HTTPS proxy to the provider, for browsers.
 *
 * @returns the Chromium switches that resolve accounts.google.com to the proxy and accept its certificate
 */
export async function startGoogleProxy({ google }: ServerWithGoogle) {
  const proxy = new Miniflare({
    modules: true,
    script: "export default { fetch: (request) => fetch(request) };",
    compatibilityDate: "2026-04-20",
    outboundService: { external: { address: google.address, http: {} } },
    host: "127.0.0.1",
    https: true,
    cf: false,
  });
  const { host } = await proxy.ready;
  return {
    browserSwitches: [`--host-resolver-rules=MAP accounts.google.com ${host}`, "--ignore-certificate-errors"],
    stop: () => proxy.dispose(),
  };
}
