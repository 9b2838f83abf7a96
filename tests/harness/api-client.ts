import type { users } from "#app/db/schema.ts";
import type { LocalServer } from "../../scripts/local-server.ts";
import { sendRequest } from "../../scripts/send-request.ts";
import { type ApiResponse, readContract } from "./openapi.ts";
import { addAccount, visitor } from "./server.ts";

type Account = typeof users.$inferSelect;

/** A REST client. It validates each response against the OpenAPI document. */
export type ApiClient = ReturnType<typeof apiClient>;

/**
 * @param defaultHeaders sent with each request
 * @param httpClient sends the requests with its cookies
 */
export function apiClient(
  server: Pick<LocalServer, "url">,
  defaultHeaders: Record<string, string> = {},
  httpClient = visitor(server),
) {
  async function send(method: string, path: string, init: RequestInit = {}): Promise<ApiResponse> {
    const headers = new Headers(defaultHeaders);
    for (const [name, value] of new Headers(init.headers)) headers.set(name, value);
    const response = await httpClient.send(path, { ...init, method, headers });
    const text = await response.text();
    const isJson = /^application\/([\w.-]+\+)?json\b/.test(response.headers.get("Content-Type") ?? "");
    const parsed = {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text ? JSON.parse(text) : undefined,
    };
    (await readContract(server)).validateResponse({ method, path }, parsed);
    return parsed;
  }

  const withJson =
    (method: string) =>
    (path: string, body?: unknown, headers: Record<string, string> = {}) =>
      send(method, path, {
        body: JSON.stringify(body),
        headers: { "Content-Type": "application/json", ...headers },
      });

  return {
    /** The HTTP client whose cookies it uses. */
    visitor: httpClient,
    send,
    get: (path: string, headers: Record<string, string> = {}) => send("GET", path, { headers }),
    post: withJson("POST"),
    put: (path: string, headers: Record<string, string> = {}) => send("PUT", path, { headers }),
    putJson: withJson("PUT"),
    delete: (path: string, headers: Record<string, string> = {}) => send("DELETE", path, { headers }),
  };
}

/** A client that is signed in by a session cookie, to a new account unless an existing one is given. */
export async function signedInClient(
  server: LocalServer,
  account: Partial<Account> = {},
): Promise<ApiClient & { account: Account }> {
  const own = account.passwordHash ? (account as Account) : await addAccount(server.db, account);
  const httpClient = visitor(server);
  await httpClient.signIn(own.email);
  return { ...apiClient(server, {}, httpClient), account: own };
}

/** Requests an access token for a signed-in client. */
export async function accessTokenOf(client: ApiClient & { account: { email: string } }): Promise<string> {
  const { body } = await client.get(`/jwt?email=${encodeURIComponent(client.account.email)}`);
  return body.accessToken;
}

/** A client that authenticates by an access token only, of a new account unless an existing one is given. */
export async function tokenClient(server: LocalServer, account: Partial<Account> = {}) {
  const client = await signedInClient(server, account);
  const token = await accessTokenOf(client);
  return {
    ...apiClient(server, { Authorization: `Bearer ${token}` }),
    account: client.account,
    token,
  };
}

/** Sends a request that `fetch` refuses: any method, a body with any method, and the path as it is. */
export async function rawRequest(
  server: Pick<LocalServer, "url">,
  method: string,
  path: string,
  init: { headers?: Record<string, string>; body?: string } = {},
): Promise<ApiResponse> {
  const response = await sendRequest(server.url, method, path, init);
  const { status, headers } = response;
  const text = await response.text();
  const isJson = /json\b/.test(headers.get("Content-Type") ?? "");
  return { status, headers, text, body: isJson && text ? JSON.parse(text) : undefined };
}
