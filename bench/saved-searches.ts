import { sql } from "drizzle-orm";
import fc from "fast-check";
import { Miniflare } from "miniflare";
import { v7 as timeOrderedId } from "uuid";
import type { Db } from "#app/db/client.server.ts";
import { notifications, savedSearches, savedSearchKeys, unmatchedListings } from "#app/db/schema.ts";
import { parseSearchQuery, searchString } from "#app/features/catalog/search/search-query.rules.ts";
import { searchIndex } from "#app/features/saved-searches/saved-searches.server.ts";
import { notifySavedSearchOwners } from "#app/features/saved-searches/search-alerts.server.ts";
import { parseArguments } from "../scripts/arguments.ts";
import { catalog } from "../scripts/demo/catalog.ts";
import { d1ProxyWorker, openD1Proxy } from "../scripts/local-d1.ts";
import { migrateDatabase } from "../scripts/migrations.ts";
import { fillWithListings } from "./million-listings.ts";
import { isSmoke } from "./smoke.ts";

// Measures a run of the job that matches new listings with saved searches, on a local D1.
// Usage: npm run bench:searches -- [SEARCHES [NEW_LISTINGS]]

const { positionals } = parseArguments("bench:searches [SEARCHES [LISTINGS]]", {
  allowPositionals: true,
  options: { smoke: { type: "boolean" } },
});
const searches = Number(positionals[0] ?? (isSmoke ? 200 : 100_000));
const newListings = Number(positionals[1] ?? (isSmoke ? 50 : 1000));
const listings = Math.max(isSmoke ? 500 : 20_000, newListings);
const searchesPerUser = 5;
const maxSeconds = 60;
const insertSize = Math.min(1000, searches);

const workerd = new Miniflare({ workers: [d1ProxyWorker({ DB: "bench" })], host: "127.0.0.1", cf: false });
try {
  await workerd.ready;
  const db = await migrateDatabase(openD1Proxy(await workerd.unsafeGetDirectURL("d1-proxy")));
  await fillWithListings(db, listings, "catalog");
  await addSearches(db);
  await db.run(sql`insert into unmatched_listings (phone_id, revision)
    select id, ${timeOrderedId()} || number from phones order by number desc limit ${newListings}`);
  console.log(
    `${await db.$count(savedSearches)} saved searches with ${await db.$count(savedSearchKeys)} keys, ${await db.$count(unmatchedListings)} new listings`,
  );
  const start = performance.now();
  await notifySavedSearchOwners(db);
  const seconds = (performance.now() - start) / 1000;
  const [matches] = await db.all<{ total: number }>(sql`select sum(new_count) as total from saved_searches`);
  console.log(
    `${seconds.toFixed(1)} s: ${matches?.total} matches, ${await db.$count(notifications)} notifications`,
  );
  const [{ left } = { left: 0 }] = await db.all<{ left: number }>(
    sql`select count(*) as "left" from unmatched_listings join phones on phones.id = phone_id where status <> 'reserved'`,
  );
  if (matches?.total === 0) throw new Error("No listing was matched.");
  if (left > 0) throw new Error("Some listings were not matched.");
  if (seconds > maxSeconds && !isSmoke) throw new Error(`The run took longer than ${maxSeconds} seconds.`);
} finally {
  await workerd.dispose();
}

/** Adds searches as people may save them: most for a model, some for a brand or a size, few for a price alone. */
async function addSearches(db: Db) {
  await db.run(sql`
    with recursive places(place) as (select 0 union all select place + 1 from places where place < ${searches / searchesPerUser - 1})
    insert into users (id, name, email, user_type, created_at)
    select 'buyer-' || place, 'Buyer ' || place, 'buyer' || place || '@market.example', 'Buyer', 0 from places`);
  const models = catalog.map(({ brandName, model }) => `${brandName} ${model}`.toLowerCase());
  const price = fc.integer({ min: 5, max: 90 }).map((tens) => `${tens * 10}`);
  const maybe = (value: fc.Arbitrary<string>) => fc.option(value, { nil: "" });
  const model = fc.record({
    q: fc.constantFrom(...models, ...models.map((name) => name.split(" ").slice(1).join(" "))),
    rom: maybe(fc.constantFrom("64 GB", "128 GB", "256 GB")),
    to: maybe(price),
  });
  const brand = fc.record({
    brand: fc.constantFrom(...new Set(catalog.map(({ brandName }) => brandName))),
    rom: maybe(fc.constantFrom("128 GB", "256 GB", "512 GB")),
    condition: maybe(fc.constantFrom("Good", "Excellent")),
    battery: maybe(fc.constantFrom("85", "90")),
    to: maybe(price),
  });
  const word = fc.record({
    q: fc.constantFrom("iphone", "galaxy", "pixel", "ipad", "pro max", "5g"),
    to: maybe(price),
  });
  const broad = fc.record({
    rom: maybe(fc.constant("256 GB")),
    verified: maybe(fc.constant("yes")),
    to: price,
  });
  const any = fc.record({
    category: fc.constantFrom("products", "products", "android", "ios", "tablet"),
    parameters: fc.oneof(
      { weight: 6, arbitrary: model },
      { weight: 2, arbitrary: brand },
      { weight: 1, arbitrary: word },
      { weight: 1, arbitrary: broad },
    ),
    frequency: fc.constantFrom("at once", "at once", "daily", "never"),
  });
  const indexes = new Map<string, Awaited<ReturnType<typeof searchIndex>>>();
  for (let first = 0; first < searches; first += insertSize) {
    const rows = [];
    for (const [at, search] of fc.sample(any, { numRuns: insertSize, seed: first }).entries()) {
      const query = parseSearchQuery(new URLSearchParams(search.parameters as Record<string, string>));
      const key = `${search.category}${searchString(query)}`;
      const index = indexes.get(key) ?? (await searchIndex(db, { key: search.category } as never, query));
      indexes.set(key, index);
      const user = `buyer-${Math.floor((first + at) / searchesPerUser)}`;
      rows.push({
        id: timeOrderedId(),
        user,
        category: search.category,
        frequency: search.frequency,
        place: at,
        ...index,
      });
    }
    const added = JSON.stringify(rows);
    await db.run(sql`insert into saved_searches
          (id, user_id, name, category, query, frequency, created_at, clauses, from_cents, to_cents, notified_at)
        select value ->> 'id', value ->> 'user', 'A search', value ->> 'category', '?' || (value ->> 'place'),
          value ->> 'frequency', 0, value -> 'clauses', value ->> 'fromCents', value ->> 'toCents', 0
        from json_each(${added})`);
    await db.run(sql`insert into saved_search_keys (key, to_cents, search_id)
        select keys.value, rows.value ->> 'toCents', rows.value ->> 'id'
        from json_each(${added}) as rows, json_each(rows.value -> 'keys') as keys`);
  }
}
