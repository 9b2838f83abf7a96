import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { edgeCache, maxCacheBytes } from "#app/server/cache/edge-cache.server.ts";

/** What all caches of an isolate may hold together, as docs/caching.md says: an eighth of its 128 MB. */
const bound = 16 * 1024 * 1024;

afterEach(() => vi.unstubAllGlobals());

test("the pages of an isolate hold at most 16 MiB, and no other cache is of a size that counts", async () => {
  const files = await readdir("app", { recursive: true });
  const sources = await Promise.all(
    files
      .filter((file) => /\.tsx?$/.test(file))
      .map(async (file) => ({ file, source: await readFile(join("app", file), "utf8") })),
  );
  // A new cache has to be added to the sum and, as a new collection, to docs/caching.md.
  const caches = sources.filter(({ source }) => source.includes("new LRUCache")).map(({ file }) => file);
  expect(caches.toSorted()).toEqual([
    // A thousand addresses.
    "features/accounts/passwords.server.ts",
    "server/cache/edge-cache.server.ts",
  ]);
  expect(maxCacheBytes).toBeLessThanOrEqual(bound);
  // One that begins with its contents is a table.
  const collections = sources.filter(({ source }) =>
    /^(export )?const \w+ = new (Map|Set)\b[^\n]*\(\);/m.test(source),
  );
  expect(collections.map(({ file }) => file).toSorted()).toEqual([
    "features/accounts/passwords.server.ts",
    // In the browser alone, as far as "selected-phones.ts", "use-count-view.ts" and "stalled-request.ts".
    "features/catalog/seen-listings.ts",
    "features/catalog/selected-listings.ts",
    "features/statistics/empty-searches.server.ts",
    "features/statistics/listing-views.server.ts",
    "features/statistics/use-count-view.ts",
    "ui/dialog.tsx",
    "ui/stalled-request.ts",
  ]);
});

test("many distinct pages leave no more than the limit in memory", async () => {
  // `caches.default` of a data center that keeps nothing.
  vi.stubGlobal("caches", { default: { match: async () => undefined, put: async () => {} } });
  const cache = edgeCache();
  const body = "½".repeat(100_000);
  const visit = async (number: number) => {
    const { response, status } = await cache.respond({
      request: new Request("https://ringback.example/products"),
      key: `https://ringback.example/products?page=${number}`,
      audience: "anonymous",
      nonce: "nonce",
      freshSeconds: 60,
      render: async () => new Response(body, { headers: { "Content-Type": "text/html" } }),
      waitUntil: () => {},
      onError: (error) => {
        throw error;
      },
    });
    await response.text();
    return status;
  };
  const pages = 100;
  for (let number = 0; number < pages; number += 1) await visit(number);
  let kept = 0;
  while ((await visit(pages - 1 - kept)) === "hit") kept += 1;
  expect(kept).toBeGreaterThan(50);
  expect(kept * body.length * 2).toBeLessThanOrEqual(maxCacheBytes);
});
