import assert from "node:assert/strict";
import fc from "fast-check";
import type { Db } from "#app/db/client.server.ts";
import { parseSearchQuery, searchString } from "#app/features/catalog/search/search-query.rules.ts";
import { correctedWords } from "#app/features/catalog/search/spelling.server.ts";
import { anyText } from "../../harness/arbitraries.ts";
import { addPhone } from "../../harness/fixtures.ts";
import { browse, type SearchOptions, searchCorrected } from "../../harness/search.ts";

async function fill(db: Db) {
  const apple = { brandName: "Apple", os: "Ios", processor: "Apple A15 Bionic" } as const;
  const samsung = { brandName: "Samsung", processor: "Exynos 2100" };
  for (const phone of [
    { ...apple, model: "iPhone 13" },
    { ...apple, model: "iPhone 13", rom: "512 GB" },
    { ...apple, model: "iPhone 12" },
    { ...samsung, model: "Galaxy S21", condition: "Good" },
    { ...samsung, model: "Galaxy S22", processor: "Exynos 2200" },
    { ...samsung, model: "Galaxy S22", processor: "Exynos 2200", ram: "12 GB" },
    { ...samsung, model: "Galaxy Tab S8", deviceType: "Tablet" },
    { brandName: "Google", model: "Pixel 7", processor: "Tensor G2" },
    { brandName: "Nokia", model: "G42 5G", processor: "Snapdragon 480" },
    { brandName: "Xiaomi", model: "Mi11T", processor: "Dimensity 1200" },
    { brandName: "Łódź", model: "Øresund", processor: "Kirin" },
    { brandName: "Motorola", model: "Edge 40", processor: "Dimensity 8020", status: "sold" },
  ] as const) {
    await addPhone(db, phone);
  }
}

const summary = ({ corrected, count, closestModels }: Awaited<ReturnType<typeof searchCorrected>>) => ({
  corrected,
  count,
  near: closestModels.map((model) => `${model.name}: ${model.count}`),
});

export const correctsMisspeltWords = async (db: Db) => {
  await fill(db);
  for (const [words, corrected, count] of [
    ["samsnug galxy", "samsung galaxy", 4],
    ["Samsnug GALXY s22", "samsung galaxy s22", 2],
    ["iphnoe 13", "iphone 13", 2],
    ["iphnoe13", "iphone13", 2],
    ["aple", "apple", 3],
    ["pixle", "pixel", 1],
    ["nokai", "nokia", 1],
    ["nkoia", "nokia", 1],
    ["gogle", "google", 1],
    ["xaomi mi 11t", "xiaomi mi 11t", 1],
    ["Łódź oersund", "lodz oresund", 1],
    ["exinos", "exynos", 4],
    ["samsu galxy", "samsu galaxy", 4],
    // Known words are not changed, in any spelling.
    ["samsung", null, 4],
    ["iphone13", null, 2],
    ["mi 11t", null, 1],
    ["gal", null, 4],
  ] as const) {
    const page = await searchCorrected(db, "/products", { words });
    assert.deepEqual([words, page.corrected, page.count], [words, corrected, count]);
    assert.deepEqual([page.phones.length, page.closestModels], [count, []], words);
  }
};

/** What is saved from there to be told of new devices must be able to find them. */
export const correctsWordsThatFindNothing = async (db: Db) => {
  await fill(db);
  const near = ["Apple iPhone 13: 2", "Apple iPhone 12: 1"];
  const page = await searchCorrected(db, "/products", { words: "iphnoe s22" });
  assert.deepEqual(summary(page), { corrected: "iphone s22", count: 0, near });
};

export const offersNoModelsForOtherGoods = async (db: Db) => {
  await fill(db);
  const nearOf = async (words: string) => summary(await searchCorrected(db, "/products", { words })).near;
  assert.deepEqual(await nearOf("apple phone 9"), ["Apple iPhone 13: 2", "Apple iPhone 12: 1"]);
  for (const words of ["apple watch series 7", "iphone charger", "galaxy buds", "iphone 13 case"])
    assert.deepEqual(await nearOf(words), [], words);
};

export const leavesNumbersAndKnownWords = async (db: Db) => {
  await fill(db);
  for (const words of [
    "iphone 14",
    "14",
    "galaxy s23",
    "s23",
    "2023",
    "tensor g3",
    "zeppelin",
    "iphone galaxy",
    "motorola",
    "...",
    "",
  ]) {
    assert.equal(await correctedWords(db, words), null, words);
  }
  // The word is known though no phone is listed; a misspelling of it has no correction.
  for (const words of ["motorola", "motorloa"]) {
    assert.equal((await searchCorrected(db, "/products", { words })).corrected, null, words);
  }
};

export const leavesWordsThatFiltersExclude = async (db: Db) => {
  await fill(db);
  const query = { words: "galaxy", filters: { brand: ["Apple"] } };
  assert.deepEqual(summary(await searchCorrected(db, "/products", query)), {
    corrected: null,
    count: 0,
    near: ["Samsung Galaxy S22: 2", "Samsung Galaxy S21: 1", "Samsung Galaxy Tab S8: 1"],
  });
  const crossed = await searchCorrected(db, "/products", { words: "galaxy", fromCents: 2, toCents: 1 });
  assert.deepEqual(summary(crossed), { corrected: null, count: 0, near: [] });
};

export const filtersACorrectedSearch = async (db: Db) => {
  await fill(db);
  const expectLike = async (misspelt: SearchOptions, right: SearchOptions) => {
    const page = await searchCorrected(db, "/products", misspelt);
    const {
      corrected,
      closestModels,
      category: _,
      query: __,
      notes: ___,
      isOtherGood,
      nearest: ____,
      ...rest
    } = page;
    assert.equal(isOtherGood, false);
    assert.deepEqual([corrected, closestModels.length > 0], ["samsung", page.count === 0]);
    const { filters, ...expected } = await browse(db, "/products", right);
    assert.deepEqual([rest, page.query.filters], [expected, filters]);
    return page;
  };
  const [misspelt, right] = [{ words: "samsnug" }, { words: "samsung" }];
  const { choices } = await expectLike(misspelt, right);
  assert.deepEqual(choices.brand, [["Samsung", 4]]);
  await expectLike({ ...misspelt, sort: "price-up" }, { ...right, sort: "price-up" });
  // Also when the filters exclude all results, since they can be removed.
  for (const filters of [{ condition: ["Good"] }, { brand: ["Apple"] }]) {
    await expectLike({ ...misspelt, filters }, { ...right, filters });
  }
  // Devices that have the words of another model are left out by the filter.
  const either = { words: "iphone 12 or pixle", filters: { brand: ["Google"] } };
  const { corrected, count } = await searchCorrected(db, "/products", either);
  assert.deepEqual([corrected, count], ["iphone 12 or pixel", 1]);
};

export const pagesACorrectedSearch = async (db: Db) => {
  for (let number = 1; number <= 30; number += 1)
    await addPhone(db, { brandName: "Nokia", model: `Number ${number}` });
  const first = await searchCorrected(db, "/products", { words: "nokai" });
  assert.deepEqual([first.corrected, first.count, first.phones.length], ["nokia", 30, 24]);
  const second = await searchCorrected(db, "/products", {
    words: "nokai",
    cursor: { after: first.next ?? "" },
  });
  assert.deepEqual([second.corrected, second.count, second.phones.length], ["nokia", 30, 6]);
  const back = await searchCorrected(db, "/products", {
    words: "nokai",
    cursor: { before: second.previous ?? "" },
  });
  assert.deepEqual(back.phones, first.phones);
  const more = await searchCorrected(db, "/products", { words: "nokai", extraPages: 1 });
  assert.equal(more.phones.length, 30);
};

export const searchesExactWordsOnRequest = async (db: Db) => {
  await fill(db);
  const page = await searchCorrected(db, "/products", { words: "samsnug tab", exact: true });
  assert.deepEqual(summary(page), {
    corrected: null,
    count: 0,
    near: ["Samsung Galaxy Tab S8: 1", "Samsung Galaxy S22: 2", "Samsung Galaxy S21: 1"],
  });
  const found = await searchCorrected(db, "/products", { words: "samsung", exact: true });
  assert.deepEqual(summary(found), { corrected: null, count: 4, near: [] });
  // Of words for filters alone, none is left to correct.
  const filtered = await searchCorrected(db, "/products", { words: "under 500", exact: true });
  assert.deepEqual(searchString(filtered.query), "?to=500");
};

export const suggestsSimilarModels = async (db: Db) => {
  await fill(db);
  const near = async (words: string, path: "/products" | "/android" | "/tablet" | "/ios" = "/products") =>
    summary(await searchCorrected(db, path, { words })).near;
  // First those with most of the words, then those with most listings.
  assert.deepEqual(await near("iphone 14"), ["Apple iPhone 13: 2", "Apple iPhone 12: 1"]);
  assert.deepEqual(await near("galaxy s22 ultra"), [
    "Samsung Galaxy S22: 2",
    "Samsung Galaxy S21: 1",
    "Samsung Galaxy Tab S8: 1",
  ]);
  // Models for the corrected words, when the correction alone has no results.
  assert.deepEqual(await near("iphnoe 14"), ["Apple iPhone 13: 2", "Apple iPhone 12: 1"]);
  assert.deepEqual(await near("iphnoe", "/tablet"), ["Apple iPhone 13: 2", "Apple iPhone 12: 1"]);
  assert.equal((await near("galaxy zoom", "/tablet"))[0], "Samsung Galaxy Tab S8: 1");
  // A word that no variant has leaves the longer ones.
  assert.deepEqual(await near("zeppelin iphone 14"), ["Apple iPhone 13: 2", "Apple iPhone 12: 1"]);
  // Nothing is like a word that no variant has, whatever the others and the numbers are.
  for (const words of ["zeppelin", "zeppelin 13 a15", "motorola"])
    assert.deepEqual(await near(words), [], words);
};

export const suggestsNothingInAnEmptyCatalog = async (db: Db) => {
  const page = await searchCorrected(db, "/products", { words: "samsnug galxy" });
  assert.deepEqual(summary(page), { corrected: null, count: 0, near: [] });
};

export const acceptsAnyInput = async (db: Db) => {
  await fill(db);
  await addPhone(db, { brandName: "Ännchen & Co", model: "日本語の電話 𐐀𐐁𐐂𐐃", processor: '"OR" NOT*' });
  const typed = (words: string) =>
    searchCorrected(db, "/products", parseSearchQuery(new URLSearchParams({ q: words })));
  for (const [words, corrected] of [
    ["anncehn", "annchen"],
    ["日本語の電器", "日本語の電話"],
    ["sam\0snug galxy", "samsung galaxy"],
    ['"samsnug" * galxy:', "samsung galaxy"],
  ] as const) {
    assert.equal((await typed(words)).corrected, corrected, words);
  }
  for (const words of [
    "q".repeat(5000),
    "samsnug ".repeat(625),
    "\0",
    "𐐀𐐁𐐂x 𐐀",
    "Ⰰᦰ zqx",
    'NEAR(zqx "zqx" OR NOT zqx) zqx* ^zqx -zqx word:zqx',
    "a b c d e f g h i j k l m n o p zqx",
  ]) {
    await typed(words);
    await searchCorrected(db, "/products", { words, exact: true });
  }
  const sentence = fc.array(
    fc.oneof(anyText(), fc.constantFrom("AND", "OR", "NOT", "NEAR(", "*", '"', "^", "word:", "zqx", "galxy")),
    { maxLength: 6 },
  );
  await fc.assert(
    fc.asyncProperty(sentence, async (parts) => {
      await searchCorrected(db, "/android", { words: parts.join(" ") });
    }),
    { numRuns: 15 },
  );
};
