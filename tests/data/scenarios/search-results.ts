import assert from "node:assert/strict";
import { eq, sql } from "drizzle-orm";
import fc from "fast-check";
import type { Db } from "#app/db/client.server.ts";
import { conditions, type PayoutState } from "#app/db/enums.ts";
import { payoutAccounts, phones, users } from "#app/db/schema.ts";
import type { Category } from "#app/features/catalog/category.rules.ts";
import { type FacetName, facets } from "#app/features/catalog/search/facets.rules.ts";
import type { SearchResultPage } from "#app/features/catalog/search/search.server.ts";
import {
  defaultSort,
  isPriceRangeInverted,
  parseSearchQuery,
  type SearchQuery,
  type SearchSort,
  searchSorts,
} from "#app/features/catalog/search/search-query.rules.ts";
import { foldedWords, modelSlug } from "#app/features/listings/device-variant.rules.ts";
import { sizeKeyOf } from "#app/features/listings/device-variants.server.ts";
import { addAccount, addPhone, editPhone, type Phone } from "../../harness/fixtures.ts";
import { browse, searchCorrected } from "../../harness/search.ts";

type Listing = Phone & { verified: boolean };

const brands = ["Apple", "Samsung", "Fairphone", "OnePlus", "Łódź"];
const sizes = ["64 GB", "128 GB", "256 GB"];

/**
 * Compares random searches, in each order and paged to the end and back, with a full scan of the listings. Some words
 * match more variants than the limit for reading them one by one.
 */
export const matchesAFullScan = async (db: Db) => {
  const { listings, sellers } = await fill(db, 200);
  await assertResults(db, listings);
  await change(db, listings, sellers);
  await assertResults(db, listings);
};

async function assertResults(db: Db, listings: Listing[]) {
  await fc.assert(
    fc.asyncProperty(anyPath, anyQuery, async (path, query) => {
      const expected = inOrder(listings, path, query);
      const said = `${path} ${JSON.stringify(query)}`;
      const first = await browse(db, path, query);
      assert.equal(first.count, expected.length, said);
      assertChoices(first, listings, path, query);
      const forwards = [first];
      for (let page = first; page.next; forwards.push(page)) {
        page = await browse(db, path, { ...query, cursor: { after: page.next } });
        assert.ok(forwards.length < 10, "The list has no end.");
      }
      const ids = forwards.flatMap((page) => page.phones.map(({ id }) => id));
      assert.deepEqual(
        ids,
        expected.map(({ id }) => id),
        said,
      );
      for (let at = forwards.length - 1; at > 0; at -= 1) {
        const before = await browse(db, path, {
          ...query,
          cursor: { before: forwards[at]?.previous ?? "" },
        });
        assert.deepEqual(before.phones, forwards[at - 1]?.phones, said);
        assert.equal(before.previous === null, at === 1, said);
      }
    }),
    {
      numRuns: 25,
      examples: ["q", "ultra", "samsung"].map((words) => ["/products", { ...nothing, words }]),
    },
  );
}

/** Each facet count is the number of phones it would show with the other filters; values without phones are missing. */
function assertChoices(
  { choices }: SearchResultPage,
  listings: Listing[],
  path: Category["path"],
  query: SearchQuery,
) {
  for (const { name, values, spelled } of facets) {
    if (spelled) {
      assert.deepEqual(choices[name], []);
      continue;
    }
    const others = { ...query, filters: { ...query.filters, [name]: [] } };
    const left = listings.filter((listing) => matches(listing, path, others));
    const all = values ?? [
      ...new Set(
        listings.map((listing) => (name === "brand" ? listing.brandName : listing[name as "rom" | "ram"])),
      ),
    ];
    const expected = all
      .map((value) => [value, left.filter((listing) => has(listing, name, value)).length] as const)
      .filter(([value, count]) => count > 0 || query.filters[name].includes(value));
    const absent = query.filters[name]
      .filter((value) => !all.includes(value))
      .map((value) => [value, 0] as const);
    const said = choices[name].toSorted();
    assert.deepEqual(said, [...expected, ...absent].toSorted(), `${name}: ${JSON.stringify(query)}`);
  }
}

const anyPhone = {
  brandName: fc.constantFrom(...brands),
  model: fc.constantFrom("Ultra 13", "Ultra 13 Pro", "Nova 5G", "Ultra 14", "Nova 6"),
  rom: fc.constantFrom(...sizes),
  ram: fc.constantFrom("6 GB", "8 GB"),
  condition: fc.constantFrom(null, ...conditions),
  batteryHealth: fc.constantFrom(null, 79, 80, 84, 85, 89, 90, 100),
  color: fc.constantFrom(null, "Black", "Blue"),
  carrierLock: fc.constantFrom(null, "unlocked", "Verizon", "other"),
  // Few prices, so that there are ties, and some at the limits of the price steps.
  sellingCents: fc.constantFrom(100, 4095, 4096, 29_999, 30_000, 32_767, 32_768, 45_050, 10_000_000),
  marketCents: fc.constantFrom(100, 30_000, 90_000),
  os: fc.constantFrom("Android", "Android", "Ios"),
  deviceType: fc.constantFrom("Smart Phone", "Smart Phone", "Tablet"),
  status: fc.constantFrom("available", "available", "available", "reserved", "sold"),
  details: fc.constantFrom({}, { city: "Oakland, CA" }, { city: "San Jose, CA" }, { city: "Fresno" }),
} as const;

async function fill(db: Db, count: number) {
  const sellers = [
    await addAccount(db, { userType: "Seller", verified: true, returnDays: 14 }),
    await addAccount(db, { userType: "Seller" }),
  ];
  for (const seller of sellers) await setPayouts(db, seller, seller.verified ? "ready" : "to do");
  const random = fc.sample(fc.record({ seller: fc.constantFrom(...sellers), ...anyPhone }), {
    numRuns: count,
    seed: 6,
  });
  const listings: Listing[] = [];
  for (const { seller, ...row } of random) {
    const phone = await addPhone(db, { ...row, sellerId: seller.id } as Partial<Phone>);
    listings.push({ ...phone, verified: seller.verified, returnDays: seller.verified ? 14 : null });
  }
  return { listings, sellers };
}

const setPayouts = (db: Db, { id: userId }: { id: string }, state: PayoutState) =>
  db
    .insert(payoutAccounts)
    .values({ userId, accountId: `account of ${userId}`, state, updatedAt: new Date() })
    .onConflictDoUpdate({ target: payoutAccounts.userId, set: { state } });

/** Edits, books, cancels, sells, removes and deletes listings, and verifies and pays the other seller. */
async function change(db: Db, listings: Listing[], sellers: { id: string; verified: boolean }[]) {
  const edits = fc.sample(fc.record(anyPhone, { requiredKeys: [] }), { numRuns: 30, seed: 7 });
  for (const [at, edit] of edits.entries()) {
    const listing = listings[at * 3];
    if (!listing) continue;
    const values = { ...edit, hiddenById: at % 10 === 0 ? "some removal" : null } as Partial<Phone>;
    await editPhone(db, listing.id, values);
    Object.assign(listing, values);
  }
  for (const { id } of listings.splice(50, 10)) await db.delete(phones).where(eq(phones.id, id));
  for (const seller of sellers) {
    const verified = !seller.verified;
    const returnDays = verified ? 30 : null;
    await setPayouts(db, seller, verified ? "ready" : "waiting");
    await db.update(users).set({ verified, returnDays: 30 }).where(eq(users.id, seller.id));
    for (const listing of listings)
      if (listing.sellerId === seller.id) Object.assign(listing, { verified, returnDays });
  }
}

const anyCents = fc.option(
  fc.oneof(fc.constantFrom(0, 100, 4095, 4096, 30_000, 32_767, 32_768), fc.nat(100_000), fc.nat(999_999_999)),
);
const nothing = parseSearchQuery(new URLSearchParams());
const anyPath = fc.constantFrom<Category["path"]>("/products", "/products", "/android", "/ios", "/tablet");
const some = (values: string[]) => fc.subarray([...values, "nobody's"], { maxLength: 2 });

const maybe = (values: fc.Arbitrary<string[]>) => fc.oneof(fc.constant<string[]>([]), values);
const maybeYes = fc.constantFrom<string[]>([], [], ["yes"]);

const anyQuery: fc.Arbitrary<SearchQuery> = fc
  .record({
    words: fc.constantFrom(
      ...[
        "",
        "",
        "",
        "ultra",
        "pro 13",
        "nova5g",
        "samsung",
        "samsung pro",
        "q",
        "u 1",
        "1",
        "zzz",
        "apple zzz",
      ],
      ...["lodz", "ŁÓ nova", "Łódź"],
    ),
    read: fc.constant(""),
    exact: fc.constant(true),
    filters: fc.record({
      phones: maybeYes,
      brand: maybe(some(brands)),
      rom: maybe(some(sizes)),
      ram: maybe(some(["8 GB"])),
      condition: maybe(fc.subarray<string>([...conditions], { maxLength: 2 })),
      battery: fc.constantFrom<string[]>([], [], ["80"], ["85"], ["90"], ["95"]),
      color: maybe(fc.subarray<string>(["Black", "Blue", "Red"], { maxLength: 2 })),
      unlocked: fc.constantFrom<string[]>([], [], ["yes"], ["Verizon"], ["AT&T"]),
      verified: maybeYes,
      returns: fc.constantFrom<string[]>([], [], [], ["14"], ["30"]),
      near: fc.constantFrom<string[]>([], [], [], ["Oakland, CA"], ["Austin, TX"]),
      available: maybeYes,
    }),
    fromCents: anyCents,
    toCents: anyCents,
    sort: fc.constantFrom(...(Object.keys(searchSorts) as SearchSort[])),
    cursor: fc.constant(null),
    extraPages: fc.constant(0),
  })
  .map((query) => ({
    ...query,
    sort: query.sort === "relevance" ? defaultSort(query.words) : query.sort,
  }));

function inOrder(listings: Listing[], path: Category["path"], query: SearchQuery): Listing[] {
  const newestFirst = listings.filter((listing) => matches(listing, path, query)).reverse();
  const saving = ({ marketCents, sellingCents }: Listing) => marketCents - sellingCents;
  if (query.sort === "newest") return newestFirst;
  const isExact = (listing: Listing) =>
    modelSlug(listing).replaceAll("-", "").endsWith(foldedWords(query.words).join(""));
  if (query.sort === "relevance")
    return newestFirst.toSorted((one, other) => Number(isExact(other)) - Number(isExact(one)));
  if (query.sort === "price-down")
    return newestFirst.toSorted((one, other) => other.sellingCents - one.sellingCents);
  if (query.sort === "saving") return newestFirst.toSorted((one, other) => saving(other) - saving(one));
  return newestFirst.reverse().toSorted((one, other) => one.sellingCents - other.sellingCents);
}

function matches(listing: Listing, path: Category["path"], query: SearchQuery): boolean {
  if (isPriceRangeInverted(query)) return false;
  const text = plain(`${listing.brandName} ${listing.model} ${listing.processor}`);
  const typed = query.words === "nova5g" ? ["nova", "5g"] : plain(query.words).split(" ");
  const category = listing.deviceType === "Tablet" ? "/tablet" : listing.os === "Ios" ? "/ios" : "/android";
  return (
    listing.status !== "sold" &&
    listing.hiddenById === null &&
    (path === "/products" || path === category) &&
    typed.every((word) => text.split(" ").some((own) => own.startsWith(word))) &&
    facets.every(({ name }) => {
      const values = query.filters[name];
      return values.length === 0 || values.some((value) => has(listing, name, value));
    }) &&
    listing.sellingCents >= (query.fromCents ?? 0) &&
    listing.sellingCents <= (query.toCents ?? Number.POSITIVE_INFINITY)
  );
}

function has(listing: Listing, facet: FacetName, value: string): boolean {
  if (facet === "phones") return listing.deviceType !== "Tablet";
  if (facet === "brand") return listing.brandName === value;
  if (facet === "battery") return (listing.batteryHealth ?? 0) >= Number(value);
  if (facet === "verified") return listing.verified;
  if (facet === "returns") return (listing.returnDays ?? -1) >= Number(value);
  if (facet === "unlocked") return listing.carrierLock === "unlocked" || listing.carrierLock === value;
  if (facet === "near") return value === "Oakland, CA" && /Oakland|San Jose/.test(listing.details.city ?? "");
  if (facet === "available") return listing.status === "available";
  return listing[facet] === value;
}

const plain = (text: string) => text.toLowerCase().replace("łódź", "lodz").replace("łó", "lo");

/** Listings from before sizes were read, and from older exports. */
export const findsSizesAsOlderListingsHaveThem = async (db: Db) => {
  const written = ["256 GB", "256GB", "256 gb", "256\u00A0GB", "256GB UFS 3.1", "256 GB (expandable)", "256"];
  for (const rom of written) await addPhone(db, { model: "Edge", rom, ram: "8GB RAM" });
  await addPhone(db, { model: "Edge", rom: "1TB", ram: "512 MB" });
  await addPhone(db, { model: "Edge", rom: "large", ram: "1,5 GB" });
  const found = async (filters: { rom?: string[]; ram?: string[] }, words = "") =>
    (await searchCorrected(db, "/products", { words, filters })).count;
  assert.equal(await found({ rom: ["256 GB"] }), written.length);
  assert.equal(await found({ rom: ["256 GB", "1 TB"] }), written.length + 1);
  assert.equal(await found({ ram: ["8 GB"] }), written.length);
  assert.equal(await found({ ram: ["512 MB"] }), 1);
  assert.equal(await found({ ram: ["1.5 GB"] }), 1);
  assert.equal(await found({ rom: ["large"] }), 1);
  assert.equal(await found({}, "edge 256gb"), written.length);
  const { choices } = await browse(db, "/products");
  assert.deepEqual(choices.rom, [
    ["256 GB", written.length],
    ["1 TB", 1],
    ["large", 1],
  ]);
  assert.deepEqual(choices.ram, [
    ["512 MB", 1],
    ["1.5 GB", 1],
    ["8 GB", written.length],
  ]);
};

export const findsSizesByTheirIndex = async (db: Db) => {
  for (const column of ["rom", "ram"]) {
    const condition = sql`${sizeKeyOf(sql.identifier(column))} in (select json_each.value from json_each('[8192]'))`;
    const plan = await db.all<{ detail: string }>(
      sql`explain query plan select id from device_variants where ${condition}`,
    );
    assert.match(
      plan.map(({ detail }) => detail).join(),
      new RegExp(`USING INDEX device_variants_${column}`),
    );
  }
};

/** Planning a statement takes longer than running it, so the choices are not counted by one each. */
export const readsManyFiltersInFewStatements = async (db: Db) => {
  const phone = { rom: "128 GB", ram: "8 GB", condition: "Good", batteryHealth: 95, color: "Blue" } as const;
  const { brandName } = await addPhone(db, phone);
  const filters = {
    brand: [brandName],
    rom: ["128 GB"],
    ram: ["8 GB"],
    battery: ["90"],
    color: ["Blue"],
    available: ["yes"],
  };
  const sent: number[] = [];
  const counting: Db = Object.assign(Object.create(db), {
    batch: (statements: Parameters<Db["batch"]>[0]) => {
      sent.push(statements.length);
      return db.batch(statements);
    },
  });
  const found = await searchCorrected(counting, "/products", {
    filters: { ...filters, condition: ["Good"] },
  });
  assert.deepEqual([found.count, sent], [1, [6]]);
  const fair = await searchCorrected(counting, "/products", { filters: { ...filters, condition: ["Fair"] } });
  assert.deepEqual(
    [fair.count, fair.nearest?.phones.length, fair.nearest?.query.filters.condition],
    [0, 1, []],
  );
  // The counts say which filter is in the way, so one list of the nearest is read, and one of models.
  assert.deepEqual(sent, [6, 6, 2]);
};
