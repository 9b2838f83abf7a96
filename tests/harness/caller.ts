import { request } from "node:http";
import type { users } from "#app/db/schema.ts";
import type { Market } from "../../scripts/market.ts";
import { addAccount, visitor } from "./market.ts";
import { type Answer, contractOf } from "./openapi.ts";

type Account = typeof users.$inferSelect;

/** A program that makes calls. Each answer is held against the market's own document before it is handed back. */
export type Caller = ReturnType<typeof caller>;

/**
 * @param standing headers that come with each of its calls
 * @param someone the browser's cookies to use, for those who sign in by a cookie
 */
export function caller(
  market: Pick<Market, "url">,
  standing: Record<string, string> = {},
  someone = visitor(market),
) {
  async function send(method: string, path: string, init: RequestInit = {}): Promise<Answer> {
    const headers = new Headers(standing);
    for (const [name, value] of new Headers(init.headers)) headers.set(name, value);
    const answer = await someone.send(path, { ...init, method, headers });
    const text = await answer.text();
    const isJson = /^application\/([\w.-]+\+)?json\b/.test(answer.headers.get("Content-Type") ?? "");
    const read = {
      status: answer.status,
      headers: answer.headers,
      text,
      body: isJson && text ? JSON.parse(text) : undefined,
    };
    (await contractOf(market)).hold({ method, path }, read);
    return read;
  }

  const withJson =
    (method: string) =>
    (path: string, body?: unknown, headers: Record<string, string> = {}) =>
      send(method, path, {
        body: JSON.stringify(body),
        headers: { "Content-Type": "application/json", ...headers },
      });

  return {
    /** The browser whose cookies it uses. */
    someone,
    send,
    get: (path: string, headers: Record<string, string> = {}) => send("GET", path, { headers }),
    /** Posts JSON. */
    post: withJson("POST"),
    put: (path: string, headers: Record<string, string> = {}) => send("PUT", path, { headers }),
    delete: (path: string, headers: Record<string, string> = {}) => send("DELETE", path, { headers }),
  };
}

/** A caller who is signed in by the browser's cookie, to a new account unless told whose. */
export async function signedIn(
  market: Market,
  account: Partial<Account> = {},
): Promise<Caller & { account: Account }> {
  const own = account.passwordHash ? (account as Account) : await addAccount(market.db, account);
  const someone = visitor(market);
  await someone.logIn(own.email);
  return { ...caller(market, {}, someone), account: own };
}

/** The token a signed-in caller asks for. */
export async function tokenOf(person: Caller & { account: { email: string } }): Promise<string> {
  const answer = await person.get(`/jwt?email=${encodeURIComponent(person.account.email)}`);
  return answer.body.accessToken;
}

/** A caller who is known by a token alone, of a new account unless told whose. */
export async function withToken(market: Market, account: Partial<Account> = {}) {
  const person = await signedIn(market, account);
  const token = await tokenOf(person);
  return {
    ...caller(market, { Authorization: `Bearer ${token}` }),
    account: person.account,
    token,
  };
}

/** Sends what `fetch` would not, and reads what comes: any method, and bodies where none belong. */
export function rawSend(
  market: Pick<Market, "url">,
  method: string,
  path: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(market.url);
    // Apart from the URL, so that an odd path goes out as it is.
    const asked = request({ hostname, port, path, method, headers, agent: false }, (answer) => {
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (chunk: string) => {
        text += chunk;
      });
      answer.once("error", reject);
      answer.once("end", () => {
        const read = new Headers(
          Object.entries(answer.headers).flatMap(([name, value]): [string, string][] =>
            [value ?? []].flat().map((each) => [name, each]),
          ),
        );
        const isJson = /json\b/.test(read.get("Content-Type") ?? "");
        resolve({
          status: answer.statusCode ?? 0,
          headers: read,
          text,
          body: isJson && text ? JSON.parse(text) : undefined,
        });
      });
    });
    asked.once("error", reject);
    asked.end(body);
  });
}
