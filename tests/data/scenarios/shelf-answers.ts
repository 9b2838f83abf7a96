import assert from "node:assert/strict";
import fc from "fast-check";
import type { Db } from "#app/db/client.server.ts";
import type { phones } from "#app/db/schema.ts";
import { type Condition, conditions } from "#app/db/values.ts";
import { isCrossed, type ShelfQuery, shelfOrders } from "#app/features/phones/shelf-query.rules.ts";
import { browse } from "../../harness/browse.ts";
import { addAccount, addPhone } from "../../harness/rows.ts";

type Listing = Omit<typeof phones.$inferSelect, "number"> & { verified: boolean };

const brands = ["Apple", "Samsung", "Fairphone", "OnePlus"];
const sizes = ["64 GB", "128 GB", "256 GB"];

/** Whatever is asked, in any order, leafed through to the end and back: the same as a look at each listing says. */
export const answersAsALookAtEachListingWould = async (db: Db) => {
  const listings = await fill(db);
  await fc.assert(
    fc.asyncProperty(anyQuery, async (query) => {
      const expected = inOrder(listings, query);
      const said = JSON.stringify(query);
      const first = await browse(db, "/products", query);
      assert.equal(first.count, expected.length, said);
      const forwards = [first];
      for (let page = first; page.next; forwards.push(page)) {
        page = await browse(db, "/products", { ...query, mark: { after: page.next } });
        assert.ok(forwards.length < 10, "The list has no end.");
      }
      const ids = forwards.flatMap((page) => page.phones.map(({ id }) => id));
      assert.deepEqual(
        ids,
        expected.map(({ id }) => id),
        said,
      );
      for (let at = forwards.length - 1; at > 0; at -= 1) {
        const before = await browse(db, "/products", {
          ...query,
          mark: { before: forwards[at]?.previous ?? "" },
        });
        assert.deepEqual(before.phones, forwards[at - 1]?.phones, said);
        assert.equal(before.previous === null, at === 1, said);
      }
    }),
    { numRuns: 80 },
  );
};

async function fill(db: Db): Promise<Listing[]> {
  const sellers = [
    await addAccount(db, { userType: "Seller", verified: "yes" }),
    await addAccount(db, { userType: "Seller" }),
  ];
  const random = fc.sample(
    fc.record({
      seller: fc.constantFrom(...sellers),
      brandName: fc.constantFrom(...brands),
      model: fc.constantFrom("Ultra 13", "Ultra 13 Pro", "Nova 5G"),
      rom: fc.constantFrom(...sizes),
      ram: fc.constantFrom("6 GB", "8 GB"),
      condition: fc.constantFrom(null, ...conditions),
      // Few prices, so that there are ties, and some at the edges of the steps that prices are looked up by.
      sellingCents: fc.constantFrom(100, 4095, 4096, 29_999, 30_000, 32_767, 32_768, 45_050, 10_000_000),
      marketCents: fc.constantFrom(100, 30_000, 90_000),
      status: fc.constantFrom("available", "available", "reserved", "sold"),
    }),
    { numRuns: 110, seed: 6 },
  );
  const added: Listing[] = [];
  for (const { seller, ...row } of random) {
    const phone = await addPhone(db, { ...row, sellerId: seller.id } as Partial<typeof phones.$inferInsert>);
    added.push({ ...phone, verified: seller.verified === "yes" });
  }
  return added;
}

const anyCents = fc.option(
  fc.oneof(fc.constantFrom(0, 100, 4095, 4096, 30_000, 32_767, 32_768), fc.nat(100_000), fc.nat(999_999_999)),
);
const some = (values: string[]) => fc.subarray([...values, "nobody's"], { maxLength: 2 });

const maybe = (values: fc.Arbitrary<string[]>) => fc.oneof(fc.constant<string[]>([]), values);

const anyQuery: fc.Arbitrary<ShelfQuery> = fc.record({
  words: fc.constantFrom("", "", "", "ultra", "pro 13", "nova5g", "samsung", "zzz"),
  brands: maybe(some(brands)),
  storage: maybe(some(sizes)),
  ram: maybe(some(["8 GB"])),
  conditions: fc.oneof(
    fc.constant<Condition[]>([]),
    fc.subarray<Condition>([...conditions], { maxLength: 2 }),
  ),
  fromCents: anyCents,
  toCents: anyCents,
  verifiedOnly: fc.boolean(),
  availableOnly: fc.boolean(),
  order: fc.constantFrom(...shelfOrders),
  mark: fc.constant(null),
  more: fc.constant(0),
});

function inOrder(listings: Listing[], query: ShelfQuery): Listing[] {
  const newestFirst = listings.filter((listing) => matches(listing, query)).reverse();
  const saving = ({ marketCents, sellingCents }: Listing) => marketCents - sellingCents;
  if (query.order === "newest") return newestFirst;
  if (query.order === "price-down")
    return newestFirst.toSorted((one, other) => other.sellingCents - one.sellingCents);
  if (query.order === "saving") return newestFirst.toSorted((one, other) => saving(other) - saving(one));
  return newestFirst.reverse().toSorted((one, other) => one.sellingCents - other.sellingCents);
}

function matches(listing: Listing, query: ShelfQuery): boolean {
  if (isCrossed(query)) return false;
  const text = `${listing.brandName} ${listing.model} ${listing.processor}`.toLowerCase();
  const typed = query.words === "nova5g" ? ["nova", "5g"] : query.words.split(" ");
  const chosen = (values: string[], value: string) => values.length === 0 || values.includes(value);
  return (
    listing.status !== "sold" &&
    typed.every((word) => text.split(" ").some((own) => own.startsWith(word))) &&
    chosen(query.brands, listing.brandName) &&
    chosen(query.storage, listing.rom) &&
    chosen(query.ram, listing.ram) &&
    chosen(query.conditions, listing.condition ?? "") &&
    listing.sellingCents >= (query.fromCents ?? 0) &&
    listing.sellingCents <= (query.toCents ?? Number.POSITIVE_INFINITY) &&
    (!query.verifiedOnly || listing.verified) &&
    (!query.availableOnly || listing.status === "available")
  );
}
