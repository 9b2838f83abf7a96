import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import { type Market, type Network, openMarket } from "../../scripts/market.ts";
import { password } from "./rows.ts";

// The rows stand apart, since they are added inside workerd too.
export { addAccount, addPhone, type Phone, password } from "./rows.ts";

/** Signs the cookies of the markets under test. */
export const sessionSecret = "a secret for tests of more than 32 characters";

/** A market under test, and the folder its mails are put into. */
export type TestMarket = Market & {
  outbox: string;
  /** What the Worker has written to its log so far. */
  log(): string;
};

/** Serves this run's build on a free port, with an empty database in memory. */
export async function startMarket({
  bindings = {},
  mostAMinute,
  network,
  onLog,
}: {
  bindings?: Record<string, string>;
  mostAMinute?: number;
  network?: Network;
  onLog?: (text: string) => void;
} = {}): Promise<TestMarket> {
  const outbox = await mkdtemp(join(tmpdir(), "ringback-outbox-"));
  let written = "";
  const market = await openMarket({
    buildFolder: inject("buildFolder"),
    outbox,
    mostAMinute,
    network,
    onLog: (text) => {
      written += text;
      onLog?.(text);
      // Vitest prints the console output of failed tests only.
      const lines = withoutRequests(text).trimEnd();
      if (lines) console.error(lines);
    },
    bindings: {
      SESSION_SECRET: sessionSecret,
      MAIL_FROM: "post@ringback.example",
      // Tests write to the database themselves, and look at once.
      EDGE_CACHE_SECONDS: "0",
      ...bindings,
    },
  });
  async function stop() {
    await market.stop();
    await rm(outbox, { recursive: true, force: true });
  }
  return { ...market, outbox, log: () => written, stop };
}

/** What a reader of a log looks for: not that there were requests. */
export function withoutRequests(text: string): string {
  return text.replaceAll(/^\{"level":"info","event":"request".*\n/gm, "");
}

/**
 * Resolves when a rate limit's minute has room for a test that counts: limits count by the minutes of the clock,
 * and what one minute refuses the next one allows.
 */
export async function roomInTheMinute(): Promise<void> {
  const left = 60_000 - (Date.now() % 60_000);
  if (left < 20_000) await new Promise((resolve) => setTimeout(resolve, left));
}

let addresses = 0;

/** A client address nobody else in a test has, as Cloudflare would tell it; from a range kept for tests. */
export function newAddress(): string {
  addresses += 1;
  return `198.18.${Math.floor(addresses / 256) % 256}.${addresses % 256}`;
}

/** A visitor with a browser's cookies and without JavaScript; redirects are for the test to follow. */
export type Visitor = ReturnType<typeof visitor>;

/** @param address where the visitor comes from: limits count each address apart */
export function visitor(market: Pick<Market, "url">, address = newAddress()) {
  // Kept by hand: the product's cookies are Secure, and a test speaks http.
  const cookies = new Map<string, string>();

  async function send(path: string, { headers, ...init }: RequestInit = {}): Promise<Response> {
    const sent = new Headers(headers);
    // A connection ends with an answer given before the body was read; the next request must not meet it there.
    sent.set("Connection", "close");
    if (!sent.has("CF-Connecting-IP")) sent.set("CF-Connecting-IP", address);
    if (cookies.size > 0 && !sent.has("Cookie")) {
      sent.set("Cookie", [...cookies].map(([name, value]) => `${name}=${value}`).join("; "));
    }
    const answer = await fetch(new URL(path, market.url), { redirect: "manual", ...init, headers: sent });
    for (const line of answer.headers.getSetCookie()) keep(line);
    return answer;
  }

  function keep(line: string) {
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
    return send(path, { method: "POST", body, headers: { Origin: market.url } });
  }

  return {
    /** The cookies held, by name, as the browser would send them. */
    cookies,
    /** Any request, with the cookies held unless it brings its own. */
    send,
    /** Goes to an address, as a browser does. */
    get: (path: string) => send(path, { headers: { Accept: "text/html,*/*;q=0.8" } }),
    /** Posts a form as the page's own would be posted. */
    post,
    /** Logs in by the form; what follows is for this account. */
    async logIn(email: string, secret = password): Promise<Response> {
      const answer = await post("/login", { email, password: secret });
      if (answer.status !== 303) throw new Error(`${email} could not log in: ${answer.status}`);
      return answer;
    },
  };
}
