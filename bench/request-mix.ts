import fc from "fast-check";
import { type Visitor, visitor } from "../tests/harness/visitor.ts";
import { listUrl } from "./list-combinations.ts";
import { listingId, sellersOf } from "./million-listings.ts";

export const bookingsPerMinute = 1000;
const readsPerSecond = 20;

/** Failures, and milliseconds from when each other request was due to the end of its response. */
export interface Measured {
  times: number[];
  failures: string[];
}

/**
 * Books listings, and reads lists, listings and the pages of sellers, at a fixed pace, whether or not earlier requests
 * have been answered.
 *
 * @param ids the listings to book
 * @param listings how many there are
 * @returns what was measured of each kind of request
 */
export async function sendRequests(
  server: { url: string },
  { buyers, ids, listings }: { buyers: Visitor[]; ids: string[]; listings: number },
): Promise<Map<string, Measured>> {
  const guest = visitor(server);
  const reads = pages(listings, Math.ceil((ids.length / bookingsPerMinute) * 60 * readsPerSecond));
  // Warm up.
  for (const { path } of reads.slice(0, readsPerSecond)) await (await guest.get(path)).text();

  const measured = new Map<string, Measured>();
  const start = performance.now();
  async function measure(kind: string, dueMs: number, send: () => Promise<Response>) {
    const { times, failures } = measured.get(kind) ?? { times: [], failures: [] };
    measured.set(kind, { times, failures });
    const due = start + dueMs;
    await new Promise((resolve) => setTimeout(resolve, due - performance.now()));
    try {
      const response = await send();
      const text = await response.text();
      if (response.ok) times.push(performance.now() - due);
      else failures.push(`${response.status} ${text.slice(0, 200)}`);
    } catch (error) {
      failures.push(String(error));
    }
  }
  await Promise.all([
    ...ids.map((phoneId, index) =>
      measure("booking", (index * 60_000) / bookingsPerMinute, () =>
        book(buyers[index % buyers.length] as Visitor, phoneId),
      ),
    ),
    ...reads.map(({ kind, path }, index) =>
      measure(kind, (index * 1000) / readsPerSecond, () => guest.get(path)),
    ),
  ]);
  return measured;
}

function book(buyer: Visitor, phoneId: string): Promise<Response> {
  const body = JSON.stringify({ phoneId, buyerAddress: "14 Harbour Street", phone: "+1 555 0100" });
  return buyer.send("/bookings", { method: "POST", body, headers: { "Content-Type": "application/json" } });
}

/** Pages to read, of each kind as many. */
function pages(listings: number, count: number): { kind: string; path: string }[] {
  const some = (limit: number) => Math.floor(Math.random() * limit);
  const kinds: [kind: string, path: () => string][] = [
    ["list, newest first", () => "/products"],
    ["list with random words and filters", () => fc.sample(listUrl, 1)[0] ?? ""],
    ["listing", () => `/phones/${listingId(1 + some(listings))}`],
    ["seller", () => `/sellers/seller-${some(sellersOf(listings))}`],
  ];
  return Array.from({ length: count }, (_, index) => {
    const [kind, path] = kinds[index % kinds.length] as (typeof kinds)[number];
    return { kind, path: path() };
  });
}
