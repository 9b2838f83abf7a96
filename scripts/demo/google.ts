import { once } from "node:events";
import { createServer, type IncomingMessage, request as requestOf, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { fetch, Request } from "miniflare";
import type { Provider } from "oidc-provider";
import { brand } from "#app/brand.ts";
import { createGoogleProvider, googleClient, type Person } from "./google-provider.ts";

const issuer = "https://accounts.google.com";

/** The Google hosts that the product sends requests to. */
const hosts = ["oauth2.googleapis.com", "www.googleapis.com"];

/** The provider's pages that a browser visits. */
const pagePaths = /^\/(o\/oauth2|interaction)\//;

const people: Person[] = [
  { sub: "demo-new", name: "Gwen Demo", email: "gwen@gmail.example", email_verified: true },
  { sub: "demo-buyer", name: "Robin Buyer", email: "buyer@example.com", email_verified: true },
  { sub: "demo-unconfirmed", name: "Nora Demo", email: "nora@gmail.example", email_verified: false },
];

/**
 * Starts an OpenID provider in Google's place, with a page to choose an account. The product itself knows Google only:
 * its outgoing requests go through `network`, and the browser's through a proxy at the origin that people visit.
 */
export async function startDemoGoogle() {
  let provider: Provider | undefined;
  const inner = createServer((request, response) => answer(request, response));
  const innerUrl = urlOf(await listen(inner, 0));
  let proxy: ReturnType<typeof createServer> | undefined;

  function answer(request: IncomingMessage, response: ServerResponse) {
    // TLS ends before it.
    request.headers.host = new URL(issuer).host;
    request.headers["x-forwarded-proto"] = "https";
    handle(request, response).catch((error: Error) => response.writeHead(500).end(error.message));
  }

  async function handle(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? "", issuer);
    if (!url.pathname.startsWith("/interaction/")) return provider?.callback()(request, response);
    const account = url.searchParams.get("account");
    if (account === null)
      return response.setHeader("Content-Type", "text/html; charset=utf-8").end(accountPage);
    const isKnown = people.some(({ sub }) => sub === account);
    const result = isKnown ? { login: { accountId: account } } : { error: "access_denied" };
    return provider?.interactionFinished(request, response, result);
  }

  return {
    bindings: {
      GOOGLE_CLIENT_ID: googleClient.client_id,
      GOOGLE_CLIENT_SECRET: googleClient.client_secret,
    },
    /** Handles the product's outgoing requests. */
    network(request: Request) {
      const { host, pathname, search } = new URL(request.url);
      if (!hosts.includes(host)) return fetch(request);
      return fetch(new Request(new URL(pathname + search, innerUrl), request));
    },
    /** Serves the provider's pages and the server at a port of this machine. @returns the URL */
    async serve(port: number, server: URL): Promise<string> {
      proxy = createServer((request, response) => {
        forward(request, response, pagePaths.test(request.url ?? "") ? innerUrl : server);
      });
      const address = await listen(proxy, port);
      provider = createGoogleProvider(new Map(people.map((person) => [person.sub, person])), address.port);
      return urlOf(address).origin;
    },
    async stop() {
      for (const server of [inner, proxy]) {
        server?.close();
        server?.closeAllConnections();
      }
    },
  };
}

async function listen(server: ReturnType<typeof createServer>, port: number): Promise<AddressInfo> {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return server.address() as AddressInfo;
}

function urlOf({ port }: AddressInfo): URL {
  return new URL(`http://127.0.0.1:${port}`);
}

/** Forwards a request, and makes redirects to the issuer stay at the origin of the request. */
function forward(request: IncomingMessage, response: ServerResponse, { hostname, port }: URL) {
  const { method, url: path, headers } = request;
  const upstream = requestOf({ hostname, port, method, path, headers }, (answer) => {
    const location = answer.headers.location && withoutOrigin(answer.headers.location);
    response.writeHead(answer.statusCode ?? 502, { ...answer.headers, ...(location && { location }) });
    answer.pipe(response);
  });
  upstream.on("error", () => response.destroy());
  request.pipe(upstream);
}

function withoutOrigin(location: string): string {
  return location.startsWith(`${issuer}/`) ? location.slice(issuer.length) : location;
}

const accountPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Choose an account</title>
<style>
  body { font: 1rem/1.5 system-ui, sans-serif; max-width: 24rem; margin: 3rem auto; padding: 0 1rem; color: #222 }
  h1 { font-size: 1.5rem }
  a { display: block; padding: .75rem 1rem; margin: .5rem 0; border: 1px solid #bbb; border-radius: .5rem; color: inherit; text-decoration: none }
  a:hover, a:focus { border-color: #222 }
  small { display: block; color: #555 }
</style>
<h1>Choose an account</h1>
<p>This page stands in for Google. It works only with <code>npm start -- --demo-google</code>.</p>
${people
  .map(
    ({ sub, name, email, email_verified }) =>
      `<a href="?account=${sub}">${name}<small>${email}${email_verified ? "" : ", not confirmed at Google"}</small></a>`,
  )
  .join("\n")}
<p><a href="?account=none">Cancel<small>back to ${brand.name}, without signing in</small></a></p>
</html>`;
