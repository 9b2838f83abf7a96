import { eq } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { users } from "#app/db/schema.ts";
import { openSession } from "#app/features/accounts/sessions.server.ts";
import { cookieJar } from "#app/server/http/cookies.server.ts";
import type { LocalServer } from "../../scripts/local-server.ts";
import { sendRequest } from "../../scripts/send-request.ts";
import { password } from "./fixtures.ts";

/** The secret of servers under test. */
export const sessionSecret = "a secret for tests of more than 32 characters";

const { session: sessionCookie } = cookieJar([sessionSecret]);

let addresses = 0;

/** A unique client IP address, from the range reserved for benchmarks (RFC 2544). */
export function newAddress(): string {
  addresses += 1;
  return `198.18.${Math.floor(addresses / 256) % 256}.${addresses % 256}`;
}

function sendWith(
  url: URL,
  headers: Headers,
  { method = "GET", body, ...init }: RequestInit,
): Promise<Response> {
  if (body && typeof body !== "string" && !(body instanceof URLSearchParams)) {
    // The server closes a connection when it responds before it has read the body, so none is reused.
    headers.set("Connection", "close");
    return fetch(url, { method, body, redirect: "manual", ...init, headers });
  }
  if (body instanceof URLSearchParams) headers.set("Content-Type", "application/x-www-form-urlencoded");
  const text = body?.toString();
  return sendRequest(url, method, url.pathname + url.search, {
    headers: Object.fromEntries(headers),
    body: text,
  });
}

/** An HTTP client with a cookie jar, like a browser without JavaScript. It does not follow redirects. */
export type Visitor = ReturnType<typeof visitor>;

/** @param address the client IP address, which rate limits count by */
export function visitor(server: Pick<LocalServer, "url"> & { db?: Db }, address = newAddress()) {
  // A real cookie jar would not send Secure cookies over HTTP.
  const cookies = new Map<string, string>();

  async function send(path: string, { headers, body, ...init }: RequestInit = {}): Promise<Response> {
    const sent = new Headers(headers);
    if (!sent.has("CF-Connecting-IP")) sent.set("CF-Connecting-IP", address);
    if (cookies.size > 0 && !sent.has("Cookie")) {
      sent.set("Cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "));
    }
    const response = await sendWith(new URL(path, server.url), sent, { body, ...init });
    for (const line of response.headers.getSetCookie()) store(line);
    return response;
  }

  function store(line: string) {
    const [pair = "", ...attributes] = line.split("; ");
    const split = pair.indexOf("=");
    const name = pair.slice(0, split);
    const expired = attributes.some(
      (attribute) =>
        attribute === "Max-Age=0" ||
        (attribute.startsWith("Expires=") && Date.parse(attribute.slice(8)) <= Date.now()),
    );
    if (expired) cookies.delete(name);
    else cookies.set(name, pair.slice(split + 1));
  }

  function post(path: string, fields: Record<string, string> | [string, string][] = {}): Promise<Response> {
    const body = new URLSearchParams(fields);
    return send(path, { method: "POST", body, headers: { Origin: server.url } });
  }

  return {
    cookies,
    /** Sends any request, with the stored cookies unless it has a Cookie header. */
    send,
    get: (path: string) => send(path, { headers: { Accept: "text/html,*/*;q=0.8" } }),
    /** Submits a form from the same origin. */
    post,
    /** Opens a session in the database, which takes a fraction of the time of a login. */
    async signIn(email: string): Promise<void> {
      if (!server.db) throw new Error("The server's database is not known.");
      const [account] = await server.db.select().from(users).where(eq(users.email, email));
      if (!account) throw new Error(`There is no account ${email}.`);
      const session = await sessionCookie.getSession();
      session.set("sessionId", await openSession(server.db, account, { seconds: 3600 }));
      store(await sessionCookie.commitSession(session));
    },
    /** Submits the login form. */
    async logIn(email: string, secret = password): Promise<Response> {
      const response = await post("/login", { email, password: secret });
      if (response.status !== 303) throw new Error(`${email} could not log in: ${response.status}`);
      return response;
    },
  };
}
