import assert from "node:assert/strict";
import { eq } from "drizzle-orm";
import fc from "fast-check";
import type { Db } from "#app/db/client.server.ts";
import { type alertFrequencies, colors, conditions } from "#app/db/enums.ts";
import {
  notifications,
  phones,
  savedSearches,
  savedSearchKeys,
  unmatchedListings,
  users,
} from "#app/db/schema.ts";
import { categoryByKey, categoryByPath } from "#app/features/catalog/category.rules.ts";
import { parseSearchQuery } from "#app/features/catalog/search/search-query.rules.ts";
import type { ListingEdit } from "#app/features/listings/listing-edit.schema.ts";
import { editListing } from "#app/features/listings/listing-edit.server.ts";
import { subjectText } from "#app/features/notifications/notification-subjects.server.ts";
import { cancelOrder } from "#app/features/orders/order-steps.server.ts";
import { closeAccount } from "#app/features/profile/account-closing.server.ts";
import { exportAccountData } from "#app/features/profile/account-data.server.ts";
import { maxSavedSearches, parseSavedSearch } from "#app/features/saved-searches/saved-search.rules.ts";
import {
  changeSavedSearch,
  deleteSavedSearch,
  findSavedSearch,
  listSavedSearches,
  markMatchesSeen,
  saveSearch,
} from "#app/features/saved-searches/saved-searches.server.ts";
import { matchListings, notifySavedSearchOwners } from "#app/features/saved-searches/search-alerts.server.ts";
import { dayMs } from "#app/time.ts";
import { bookWithoutLimits } from "../../harness/bookings.ts";
import { addAccount } from "../../harness/fixtures.ts";
import { publish } from "../../harness/publish.ts";
import { browse } from "../../harness/search.ts";

type Account = Awaited<ReturnType<typeof addAccount>>;

const inDays = (days: number) => new Date(Date.now() + days * dayMs);

const device: ListingEdit = {
  brandName: "Apple",
  model: "iPhone 13",
  ram: "4 GB",
  rom: "128 GB",
  camera: "12 MP",
  processor: "A15 Bionic",
  os: "Ios",
  deviceType: "Smart Phone",
  image: "https://pictures.example/iphone.jpg",
  battery: "3240 mAh",
  sellingReason: "I have a newer one.",
  marketPrice: 60_000,
  sellingPrice: 35_000,
  postDate: "2026-11-20",
  usedTime: "14",
};

function save(
  db: Db,
  viewer: Account,
  search: string,
  frequency: (typeof alertFrequencies)[number] = "at once",
  path = "/products",
) {
  const query = parseSearchQuery(new URLSearchParams(search));
  return saveSearch(
    db,
    viewer,
    { name: search.slice(0, 60), frequency },
    { category: categoryByPath(path), query },
  );
}

async function saved(db: Db, viewer: Account, search: string, frequency?: (typeof alertFrequencies)[number]) {
  const outcome = await save(db, viewer, search, frequency);
  assert.ok(typeof outcome === "object");
  return outcome.id;
}

const newMatchCount = async (db: Db, viewer: Account, id: string) =>
  (await findSavedSearch(db, viewer, id))?.newMatchCount;

const alertsOf = async (db: Db, viewer: Account) =>
  (await db.select().from(notifications).where(eq(notifications.userId, viewer.id))).map(
    ({ subject, details }) => subjectText(subject, details),
  );

const edit = (db: Db, seller: Account, id: string, change: Partial<ListingEdit>) =>
  editListing(db, seller, id, { ...device, ...change }, []);

const anySearch = fc.record({
  path: fc.constantFrom("/products", "/products", "/android", "/ios", "/tablet"),
  q: fc.constantFrom(
    ...["", "", "ultra", "pro 13", "nova5g", "nova 5g", "samsung pro", "u 1", "lodz", "zzz"],
    ...["nova", "ultra -pro", "ultra 13", "-samsung", "apple ultra", "gb", "ultra 13 pro samsung"],
  ),
  phones: fc.constantFrom([], [], [], ["yes"]),
  brand: fc.constantFrom([], [], [], ["Apple"], ["Samsung", "nobody's"]),
  rom: fc.constantFrom([], [], [], ["64 GB"], ["128 GB", "128GB"]),
  ram: fc.constantFrom([], [], [], ["8 GB"]),
  condition: fc.constantFrom([], [], [], ["Good"], ["Fair", "Excellent"]),
  battery: fc.constantFrom([], [], [], ["80"], ["90"]),
  color: fc.constantFrom([], [], [], [], [], ["Black", "Blue"]),
  unlocked: fc.constantFrom([], [], [], [], ["Verizon"], ["yes"]),
  verified: fc.constantFrom([], [], [], ["yes"]),
  near: fc.constantFrom([], [], [], [], [], ["Oakland, CA"]),
  from: fc.constantFrom([], [], [], ["100"], ["300"]),
  to: fc.constantFrom([], [], ["200"], ["300"], ["400.50"]),
});

const anyDevice = fc.record({
  brandName: fc.constantFrom("Apple", "Samsung", "Łódź"),
  model: fc.constantFrom("Ultra 13", "Ultra 13 Pro", "Nova 5G", "Nova5G Pro"),
  rom: fc.constantFrom("64 GB", "128 GB", "128GB", "256 gb"),
  ram: fc.constantFrom("6 GB", "8 GB", "8gb"),
  os: fc.constantFrom("Android", "Ios"),
  deviceType: fc.constantFrom("Smart Phone", "Smart Phone", "Tablet"),
  city: fc.constantFrom(undefined, "San Jose, CA", "Oakland, CA"),
  sellingPrice: fc.constantFrom(9_900, 10_000, 20_000, 20_001, 30_000, 40_050, 50_000),
}) as fc.Arbitrary<Partial<ListingEdit>>;

/** The ids of the available listings that a list shows for a search. */
async function idsOf(
  db: Db,
  { category, query }: { category: "products" | "android" | "ios" | "tablet"; query: string },
) {
  const parsed = parseSavedSearch({ category, query }).query;
  const { phones: found } = await browse(db, categoryByKey(category).path, {
    ...parsed,
    filters: { ...parsed.filters, available: ["yes"] },
    extraPages: 9,
  });
  return found.map(({ id }) => id);
}

/** Random searches find the same listings when listings are matched with them as when they are run. */
export const matchesWhatTheSearchesFind = async (db: Db) => {
  const sellers = [
    await addAccount(db, { userType: "Seller", verified: true }),
    await addAccount(db, { userType: "Seller" }),
  ] as const;
  const searchers = [await addAccount(db), await addAccount(db), ...sellers];
  const searches = fc.sample(anySearch, { numRuns: 120, seed: 3 });
  for (const [at, { path, ...parameters }] of searches.entries()) {
    const query = new URLSearchParams(
      Object.entries(parameters).flatMap(([name, values]) => [values].flat().map((value) => [name, value])),
    );
    await save(db, searchers[at % searchers.length] as Account, `${query}`, "never", path);
  }
  const listings = new Map<string, { seller: Account; facts: Partial<ListingEdit> }>();
  for (const [at, facts] of fc.sample(anyDevice, { numRuns: 130, seed: 4 }).entries()) {
    const seller = sellers[at % 2] as Account;
    listings.set(await publish(db, seller, { ...device, ...facts }, null), { seller, facts });
  }
  const all = await db.select().from(savedSearches);
  assert.ok(all.length > 40);
  const find = async () => {
    const found = new Map<string, string[]>();
    for (const search of all) {
      const ids = await idsOf(db, search);
      found.set(
        search.id,
        ids.filter((id) => listings.get(id)?.seller.id !== search.userId),
      );
    }
    return found;
  };
  const counts = async () =>
    new Map((await db.select().from(savedSearches)).map(({ id, newMatchCount }) => [id, newMatchCount]));
  const described = (found: Map<string, number | undefined>) =>
    all.map(({ id, category, query }) => `${category}${query}: ${found.get(id)}`);

  const before = await find();
  // The first run ends in the middle, before its second batch is written.
  await assert.rejects(matchListings(failingAtBatch(db, 2)), /killed/);
  assert.equal(await db.$count(unmatchedListings), 30);
  await Promise.all([matchListings(db), matchListings(db)]);
  assert.deepEqual(
    described(await counts()),
    described(new Map([...before].map(([id, ids]) => [id, ids.length]))),
  );
  assert.ok([...before.values()].filter((ids) => ids.length > 0).length > 10);

  const changes = fc.sample(fc.record({ facts: anyDevice, health: fc.constantFrom(undefined, 79, 84, 95) }), {
    numRuns: 60,
    seed: 5,
  });
  const cheaper = new Set<string>();
  for (const [at, [id, { seller, facts }]] of [...listings].slice(0, 60).entries()) {
    const oldPrice = facts.sellingPrice ?? 0;
    const change = {
      ...facts,
      ...(at % 3 === 0 && changes[at]?.facts),
      // A rising price does not count.
      sellingPrice: Math.min(oldPrice, changes[at]?.facts.sellingPrice ?? 0),
      ...(at % 2 === 0 && {
        condition: conditions[at % 3],
        batteryHealth: changes[at]?.health,
        color: colors[at % 8],
        ...(at % 4 < 2 && { carrierLock: at % 4 === 0 ? "unlocked" : "Verizon" }),
      }),
    };
    if (change.sellingPrice < oldPrice) cheaper.add(id);
    assert.equal(await edit(db, seller, id, change), "saved");
  }
  const after = await find();
  await db.update(savedSearches).set({ newMatchCount: 0 });
  await matchListings(db);
  const added = new Map(
    all.map(({ id }) => [
      id,
      after.get(id)?.filter((found) => !before.get(id)?.includes(found) || cheaper.has(found)).length,
    ]),
  );
  assert.deepEqual(described(await counts()), described(added));
  assert.ok([...added.values()].filter(Boolean).length > 3);
  assert.equal(await db.$count(unmatchedListings), 0);
};

/** A database whose connection ends when a batch is sent. */
function failingAtBatch(db: Db, failing: number): Db {
  let batches = 0;
  return new Proxy(db, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (name !== "batch") return typeof value === "function" ? value.bind(target) : value;
      return (...statements: unknown[]) => {
        batches += 1;
        if (batches === failing) throw new Error("The job was killed.");
        return value.apply(target, statements);
      };
    },
  });
}

export const aListingIsMatchedWhenItIsNewOrCheaperThanEver = async (db: Db) => {
  const [searcher, seller] = [await addAccount(db), await addAccount(db, { userType: "Seller" })];
  const id = await saved(db, searcher, "q=iphone&to=300");
  const count = async () => {
    await matchListings(db);
    return newMatchCount(db, searcher, id);
  };
  const countSinceOpened = async () => {
    await markMatchesSeen(db, searcher, id, 1);
    return count();
  };
  const listing = await publish(db, seller, device, null);
  assert.equal(await count(), 0);
  await edit(db, seller, listing, { sellingPrice: 30_000 });
  assert.equal(await count(), 1);
  for (const [sellingPrice, matches] of [
    [29_000, 1],
    [31_000, 0],
    [29_500, 0],
    [28_000, 1],
  ]) {
    await edit(db, seller, listing, { sellingPrice });
    assert.equal(await countSinceOpened(), matches);
  }
  // Cheaper again before the owner looks, it is still one device.
  await edit(db, seller, listing, { sellingPrice: 27_500 });
  assert.equal(await count(), 1);
  const good = await saved(db, searcher, "condition=Good");
  await edit(db, seller, listing, { condition: "Good" });
  await count();
  for (const condition of ["Fair", "Good"] as const) {
    await edit(db, seller, listing, { condition });
    await count();
  }
  assert.equal(await newMatchCount(db, searcher, good), 1);
  // Several edits between two runs are compared with what was matched last.
  await edit(db, seller, listing, { sellingPrice: 50_000 });
  await edit(db, seller, listing, { sellingPrice: 20_000 });
  assert.equal(await count(), 1);
  // A search finds nothing that was listed when it was saved.
  const late = await publish(db, seller, { ...device, sellingPrice: 20_000 }, null);
  const later = await saved(db, searcher, "q=iphone");
  assert.equal(await count(), 2);
  assert.equal(await newMatchCount(db, searcher, later), 0);
  assert.notEqual(late, listing);
};

/** Each attribute is matched by itself, whichever others the seller states. */
export const matchesEachStatedAttribute = async (db: Db) => {
  const [searcher, seller] = [await addAccount(db), await addAccount(db, { userType: "Seller" })];
  const searches = ["condition=Good", "battery=80", "color=Blue", "unlocked=yes", "near=Oakland%2C+CA"];
  const ids: string[] = [];
  for (const search of searches) ids.push(await saved(db, searcher, search));
  const counts = () => Promise.all(ids.map((id) => newMatchCount(db, searcher, id)));
  const stated = [
    { condition: "Good" },
    { batteryHealth: 90 },
    { color: "Blue" },
    { carrierLock: "unlocked" },
    { city: "San Jose, CA" },
  ] as const;
  for (const [at, fact] of stated.entries()) {
    const listing = await publish(db, seller, device, null);
    await matchListings(db);
    const before = await counts();
    await edit(db, seller, listing, fact);
    await matchListings(db);
    assert.deepEqual(
      await counts(),
      before.map((count = 0, index) => count + (index === at ? 1 : 0)),
      JSON.stringify(fact),
    );
  }
};

/** A seller who writes tokens into a field pretends nothing. */
export const doesNotMatchForgedProperties = async (db: Db) => {
  const [searcher, seller] = [await addAccount(db), await addAccount(db, { userType: "Seller" })];
  const id = await saved(db, searcher, "q=iphone&verified=yes");
  await publish(db, seller, { ...device, rom: "1\n\nverified=yes\n" }, null);
  await matchListings(db);
  assert.equal(await newMatchCount(db, searcher, id), 0);
};

export const remembersTheNewestMatches = async (db: Db) => {
  const [searcher, seller] = [await addAccount(db), await addAccount(db, { userType: "Seller" })];
  const id = await saved(db, searcher, "q=iphone");
  const published = [];
  for (let number = 0; number < 13; number += 1) published.push(await publish(db, seller, device, null));
  await matchListings(db);
  const [search] = await db.select().from(savedSearches).where(eq(savedSearches.id, id));
  assert.deepEqual(search?.matchedIds, published.slice(1).reverse());
};

export const onlyAvailableListingsOfOthersMatch = async (db: Db) => {
  const [searcher, seller, buyer] = [
    await addAccount(db, { userType: "Seller" }),
    await addAccount(db, { userType: "Seller" }),
    await addAccount(db),
  ];
  const id = await saved(db, searcher, "q=iphone");
  await publish(db, searcher, device, null);
  const reserved = await publish(db, seller, device, null);
  const removed = await publish(db, seller, device, null);
  await db.update(phones).set({ hiddenById: "removed" }).where(eq(phones.id, removed));
  const booking = await bookWithoutLimits(db, buyer, reserved, {
    address: "1 Harbour Street",
    phone: "12345",
  });
  assert.ok(!booking.refusal);
  await matchListings(db);
  assert.equal(await newMatchCount(db, searcher, id), 0);
  // It matches when it is available again.
  await cancelOrder(db, buyer, booking.orderId);
  await matchListings(db);
  assert.equal(await newMatchCount(db, searcher, id), 1);
  assert.equal(await db.$count(unmatchedListings), 0);
};

export const searchersAreNotifiedAsTheyChose = async (db: Db) => {
  const seller = await addAccount(db, { userType: "Seller" });
  const [searcher, removed] = [await addAccount(db), await addAccount(db)];
  const ids = {
    once: await saved(db, searcher, "q=iphone", "at once"),
    daily: await saved(db, searcher, "brand=Apple", "daily"),
    never: await saved(db, searcher, "to=400", "never"),
  };
  await saved(db, removed, "q=iphone", "at once");
  await db.update(users).set({ removalId: "removed" }).where(eq(users.id, removed.id));
  for (let count = 0; count < 3; count += 1) await publish(db, seller, device, null);
  await notifySavedSearchOwners(db);
  assert.deepEqual(await alertsOf(db, searcher), ['3 new or cheaper devices for "q=iphone"']);
  assert.deepEqual(await alertsOf(db, removed), []);
  const [alert] = await db.select().from(notifications);
  assert.deepEqual([alert?.kind, alert?.path], ["search match", `/manage/searches/${ids.once}`]);
  await notifySavedSearchOwners(db, inDays(0.9));
  assert.equal((await alertsOf(db, searcher)).length, 1);
  await publish(db, seller, device, null);
  await Promise.all([notifySavedSearchOwners(db, inDays(1.1)), notifySavedSearchOwners(db, inDays(1.1))]);
  // One for each person and run.
  assert.deepEqual((await alertsOf(db, searcher)).slice(1), [
    'new or cheaper devices for "q=iphone" and 1 more search',
  ]);
  const listing = await publish(db, seller, device, null);
  await notifySavedSearchOwners(db, inDays(1.2));
  const [last, ...earlier] = (await db.select().from(notifications)).reverse();
  assert.deepEqual(
    [last && subjectText(last.subject, last.details), last?.path, earlier[0]?.path],
    ['1 new or cheaper device for "q=iphone"', `/phones/${listing}`, "/manage/searches"],
  );
  assert.equal(await newMatchCount(db, searcher, ids.never), 5);

  // No notification later of what was matched while alerts were off.
  const settings = { name: "Cheap phones", frequency: "at once" } as const;
  assert.equal(await changeSavedSearch(db, searcher, ids.never, settings), true);
  await changeSavedSearch(db, searcher, ids.daily, { ...settings, frequency: "never" });
  await notifySavedSearchOwners(db, inDays(3));
  assert.equal((await alertsOf(db, searcher)).length, 3);
  const opened = await findSavedSearch(db, searcher, ids.never);
  assert.deepEqual([opened?.path, opened?.matchedIds.length], ["/products?to=400", 5]);
  assert.equal(opened?.matchedIds[0], listing);
  // What matches while the page is open stays new.
  await markMatchesSeen(db, searcher, ids.never, 4);
  assert.equal(await newMatchCount(db, searcher, ids.never), 1);
};

export const searchesAreSavedOnceAndUpToALimit = async (db: Db) => {
  const [viewer, stranger] = [await addAccount(db), await addAccount(db)];
  assert.equal(await save(db, viewer, ""), "nothing to save");
  assert.equal(await save(db, viewer, "sort=saving&after=12&q=%20"), "nothing to save");
  const id = await saved(db, viewer, "to=300&q=iphone++13&sort=saving&unknown=1&after=2.3");
  assert.equal(await saved(db, viewer, "q=iphone 13&to=300.00", "never"), id);
  const [only, ...others] = await listSavedSearches(db, viewer);
  assert.deepEqual(
    [only?.path, only?.frequency, others.length],
    ["/products?q=iphone+13&to=300", "never", 0],
  );
  const keys = await db.select({ key: savedSearchKeys.key }).from(savedSearchKeys);
  assert.ok(keys.length > 0 && keys.length <= 3);
  const outcomes = await Promise.all(
    Array.from({ length: maxSavedSearches + 5 }, (_, at) => save(db, viewer, `to=${at + 1}`)),
  );
  assert.equal(outcomes.filter((outcome) => outcome === "limit reached").length, 6);
  assert.equal((await listSavedSearches(db, viewer)).length, maxSavedSearches);
  assert.equal(await saved(db, viewer, "q=iphone 13&to=300"), id);

  const settings = { name: "Mine", frequency: "daily" } as const;
  for (const attempt of [
    findSavedSearch(db, stranger, id),
    changeSavedSearch(db, stranger, id, settings),
    deleteSavedSearch(db, stranger, id),
  ]) {
    assert.ok(!(await attempt));
  }
  assert.equal((await deleteSavedSearch(db, viewer, id))?.name, "q=iphone 13&to=300");
  assert.equal(await db.$count(savedSearchKeys, eq(savedSearchKeys.searchId, id)), 0);
  assert.equal(typeof (await save(db, viewer, "q=nokia")), "object");
};

export const savedSearchesAreExportedAndDeletedWithTheAccount = async (db: Db) => {
  const viewer = await addAccount(db);
  await saved(db, viewer, "q=iphone&to=300", "daily");
  let text = "";
  for await (const part of exportAccountData(db, viewer)) text += part;
  const [exported] = JSON.parse(text).savedSearches;
  assert.deepEqual(
    [exported.name, exported.search, exported.frequency],
    ["q=iphone&to=300", "/products?q=iphone&to=300", "daily"],
  );
  const passwordHash = viewer.passwordHash ?? "";
  assert.equal(await closeAccount(db, viewer, { passwordHash }), "closed");
  assert.equal(await db.$count(savedSearches, eq(savedSearches.userId, viewer.id)), 0);
  assert.equal(await db.$count(savedSearchKeys), 0);
};
