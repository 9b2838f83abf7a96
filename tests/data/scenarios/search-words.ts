import assert from "node:assert/strict";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import type { Db } from "#app/db/client.server.ts";
import { suggest } from "#app/features/catalog/search/suggestions.server.ts";
import { anyText, wellFormed } from "../../harness/arbitraries.ts";
import { addAccount, addCopies, addPhone } from "../../harness/fixtures.ts";
import { browse, searchCorrected } from "../../harness/search.ts";

export const findsWordsInAnySpelling = async (db: Db) => {
  const apple = { brandName: "Apple", processor: "Apple A15 Bionic", os: "Ios" as const };
  await addPhone(db, { ...apple, model: "iPhone 13 Pro Max" });
  await addPhone(db, { ...apple, model: "iPhone 13" });
  await addPhone(db, { brandName: "Samsung", model: "Galaxy S21", processor: "Exynos 2100" });
  await addPhone(db, { brandName: "Móto", model: "Edge 40", processor: "Dimensity 8020 Ёлка" });
  const found = async (words: string) =>
    (await browse(db, "/products", { words })).phones.map(({ model }) => model).reverse();
  const both = ["iPhone 13 Pro Max", "iPhone 13"];
  for (const [words, models] of [
    ["iphone 13 pro-max", ["iPhone 13 Pro Max"]],
    ["IPHONE", both],
    ["i", both],
    ["iph 1", both],
    ["13 apple", both],
    ["iphone13", both],
    ["iPhone13pro", ["iPhone 13 Pro Max"]],
    ["i-phone", both],
    ["promax", ["iPhone 13 Pro Max"]],
    ["bionic", both],
    ["GALAXY, s21", ["Galaxy S21"]],
    ["gal/s2", ["Galaxy S21"]],
    ["exynos2100", ["Galaxy S21"]],
    ["s13", []],
    ["Móto", ["Edge 40"]],
    ["moto", ["Edge 40"]],
    ["Mo\u0301to edge", ["Edge 40"]],
    ["ёлка", ["Edge 40"]],
    ["moto galaxy", []],
    ["hone", []],
    ["iphone zzz", []],
    ["“iphone”", both],
  ] as const) {
    assert.deepEqual(await found(words), models, words);
  }
  for (const none of ["", "...", "*", '"', "✨", "\0"]) assert.equal((await found(none)).length, 4, none);
  assert.equal((await browse(db, "/android", { words: "iphone" })).count, 0);
  assert.equal((await browse(db, "/ios", { words: "iphone" })).count, 2);
};

export const putsTheWholeNameFirst = async (db: Db) => {
  const names = [
    ["Apple", "iPhone 6 Plus", "iPhone 6s Plus"],
    ["Apple", "iPad (6th generation)", "iPad Pro 12.9-inch (6th generation)"],
    ["Samsung", "Galaxy S9+", "Galaxy Tab S9 FE+"],
    ["Samsung", "Galaxy S21 5G", "Galaxy S21 FE 5G"],
    ["Motorola", "Moto G 5G", "Moto G200 5G"],
    ["Motorola", "Razr (2023)", "Razr+ (2023)"],
    ["Redmi", "Note 12 5G", "Note 12 Pro+ 5G"],
    ["Sony", "Xperia 1 V", "Xperia 10 V"],
    ["Nothing", "Phone (1)", "CMF Phone 1"],
    ["Black Shark", "4", "Helo 4"],
    // What follows is as long as the brand.
    ["Oppo", "Find N2", "Find N2 Flip"],
    ["Nokia", "2.3", "3.2"],
  ] as const;
  // Without relevance those added last come first.
  for (const at of [1, 2] as const) {
    for (const name of names) await addPhone(db, { brandName: name[0], model: name[at] });
  }
  for (const [brandName, model, other] of names) {
    const first = async (words: string) =>
      (await browse(db, "/products", { words, sort: "relevance" })).phones[0]?.model;
    assert.equal(await first(`${brandName} ${model}`), model);
    assert.equal(await first(`${brandName} ${other}`), other);
  }
  const { phones } = await browse(db, "/products", { words: "xperia 1 v or galaxy s9+", sort: "relevance" });
  assert.deepEqual(
    phones.map(({ model }) => model),
    ["Xperia 1 V", "Galaxy S9+", "Xperia 10 V", "Galaxy Tab S9 FE+"],
  );
};

export const findsJoinedWordsAndSpecialLetters = async (db: Db) => {
  for (const [brandName, model] of [
    ["Xiaomi", "Mi11T"],
    ["Samsung", "S21"],
    ["Samsung", "Galaxy Z-Fold5"],
    ["Phone²", "½two"],
    ["ﬁne", "Mark Ⅷ"],
    ["Acme", "Galaxy 21"],
    ["Łódź", "Øresund Straße"],
    ["ÞÓR", "Ǽon Đakovo Diyarbakır"],
    ["Acme", "K50 Ultra 5G"],
    ["Samsung", "Galaxy S21+"],
  ] as const) {
    await addPhone(db, { brandName, model, processor: "Exynos" });
  }
  const found = async (words: string) =>
    (await browse(db, "/products", { words })).phones.map(({ model }) => model).reverse();
  for (const [words, models] of [
    ["mi 11t", ["Mi11T"]],
    ["mi-11t", ["Mi11T"]],
    ["xiaomi mi 11", ["Mi11T"]],
    ["mi 11t xiaomi", ["Mi11T"]],
    ["mi 11t galaxy", []],
    ["s21+", ["Galaxy S21+"]],
    ["s21 plus", ["Galaxy S21+"]],
    ["s21", ["S21", "Galaxy S21+"]],
    ["samsung s 21", ["S21", "Galaxy S21+"]],
    ["fold 5", ["Galaxy Z-Fold5"]],
    ["z-fold-5", ["Galaxy Z-Fold5"]],
    ["galaxy z fold 5", ["Galaxy Z-Fold5"]],
    ["z fold 6", []],
    ["k50ultra", ["K50 Ultra 5G"]],
    ["acme k50ult", ["K50 Ultra 5G"]],
    ["k51ultra", []],
    ["k5ultra", []],
    ["Phone²", ["½two"]],
    ["½two", ["½two"]],
    ["ﬁne", ["Mark Ⅷ"]],
    ["mark Ⅷ", ["Mark Ⅷ"]],
    ["ⅷ", ["Mark Ⅷ"]],
    ["ｍｉ １１ｔ", ["Mi11T"]],
    ["Ｓ２１", ["S21", "Galaxy S21+"]],
    ["ｇalaxy ﬁne", []],
    ["lodz oresund strasse", ["Øresund Straße"]],
    ["ŁÓDŹ øresund STRAẞE", ["Øresund Straße"]],
    ["Ło\u0301dz\u0301 straß", ["Øresund Straße"]],
    ["thor aeon dakovo diyarbakir", ["Ǽon Đakovo Diyarbakır"]],
    ["Þó ǽ đ diyarbakır", ["Ǽon Đakovo Diyarbakır"]],
  ] as const) {
    assert.deepEqual(await found(words), models, words);
  }
};

export const findsMemorySizes = async (db: Db) => {
  const apple = { brandName: "Apple", processor: "A15", os: "Ios" as const };
  for (const [model, rom, ram] of [
    ["iPhone 13", "128GB", "4 GB"],
    ["iPhone 12", "256 GB", "12GB"],
    ["iPhone 13 mini", "128 gb", "4GB"],
    ["iPhone 15", "1 TB", "8 GB"],
    ["XR 128GB edition", "64", "8 GB"],
  ] as const) {
    await addPhone(db, { ...apple, model, rom, ram });
  }
  await addPhone(db, {
    brandName: "OnePlus",
    model: "11",
    processor: "Kirin 9000",
    rom: "512 GB",
    ram: "16 GB",
  });
  for (const [words, models] of [
    ["12gb", ["iPhone 12"]],
    ["12 GB", ["iPhone 12"]],
    ["apple 12GB", ["iPhone 12"]],
    ["iphone 12", ["iPhone 12"]],
    ["apple 128", ["iPhone 13", "iPhone 13 mini"]],
    ["128", ["iPhone 13", "iPhone 13 mini"]],
    ["128 gb iphone 13", ["iPhone 13", "iPhone 13 mini"]],
    ["iphone 13 4gb 128gb", ["iPhone 13", "iPhone 13 mini"]],
    ["iphone 13", ["iPhone 13", "iPhone 13 mini"]],
    ["8gb", ["iPhone 15", "XR 128GB edition"]],
    ["64gb", ["XR 128GB edition"]],
    ["iphone 1tb", ["iPhone 15"]],
    ["1 tb", ["iPhone 15"]],
    ["oneplus 256", []],
    ["8gb ram", ["iPhone 15", "XR 128GB edition"]],
    ["8 GB RAM", ["iPhone 15", "XR 128GB edition"]],
    ["ram 8gb iphone", ["iPhone 15"]],
    ["12gb rom", []],
    ["128 storage 4gb ram", ["iPhone 13", "iPhone 13 mini"]],
    ["iphone 12 storage 256 gb", ["iPhone 12"]],
  ] as const) {
    const { phones: found, count } = await searchCorrected(db, "/products", { words });
    assert.deepEqual(found.map(({ model }) => model).reverse(), models, words);
    assert.equal(count, models.length, words);
    // Exact words are not corrected, and read like others.
    const exact = await searchCorrected(db, "/products", { words, exact: true });
    assert.deepEqual([words, exact.phones], [words, found]);
  }
  assert.deepEqual(
    (await suggest(db, "apple 256")).map(({ label }) => label),
    ["Apple iPhone 12"],
  );
  // With each filter at once the statements stay within the parameters that D1 allows.
  const filters = {
    ...{ brand: ["Apple", "x"], rom: ["128GB", "x"], ram: ["4 GB", "x"], condition: ["Good", "Fair"] },
    ...{ battery: ["80"], verified: ["yes"], available: ["yes"] },
  };
  const range = { fromCents: 1, toCents: 9_999_999, sort: "saving" as const };
  const words = "a b c d e f g h i j k l -m";
  assert.equal((await browse(db, "/products", { words, filters, ...range })).count, 0);
};

export const acceptsAnyInput = async (db: Db) => {
  await addPhone(db, { brandName: "Ännchen & Co", model: "日本語 1", processor: '"OR" NOT*' });
  for (const words of ["or", "not", "日本", "1", "annchen"]) {
    assert.equal((await browse(db, "/products", { words })).count, 1, words);
  }
  // Letters for JavaScript, but not for FTS5.
  for (const words of ["Ⰰᦰ 0", "aᦰb", "ᦰ", "x\u1CF2y z"]) await browse(db, "/products", { words });
  const sentence = fc.array(
    fc.oneof(
      // Query strings hold no lone surrogates.
      anyText().map(wellFormed),
      fc.constantFrom("AND", "OR", "NOT", "NEAR(", "*", '"', "^", "text:", "-", "(", ")", "a b"),
    ),
    { maxLength: 6 },
  );
  await fc.assert(
    fc.asyncProperty(sentence, async (parts) => {
      await browse(db, "/products", { words: parts.join(" "), filters: { brand: parts }, sort: "saving" });
    }),
    { numRuns: 30 },
  );
};

export const doesNotFindVerifiedByText = async (db: Db) => {
  const { id: sellerId } = await addAccount(db, { userType: "Seller", verified: true });
  await addPhone(db, { sellerId, model: "Real" });
  const tokens = Array.from({ length: 16 }, (_, index) => String.fromCharCode(62028, 57344 + index)).join(
    " ",
  );
  await addPhone(db, { model: `Fake ${tokens}`, brandName: tokens, processor: tokens });
  for (const place of ["brandName", "model", "processor"])
    await addPhone(db, { [place]: `Fake\0 ${tokens}` });
  const { phones, count } = await browse(db, "/products", { words: "r", filters: { verified: ["yes"] } });
  assert.deepEqual(
    phones.map(({ model }) => model),
    ["Real"],
  );
  assert.equal(count, 1);
  assert.equal((await browse(db, "/products", { filters: { verified: ["yes"] } })).phones.length, 1);
};

export const countsFacetValues = async (db: Db) => {
  const { id: verified } = await addAccount(db, { userType: "Seller", verified: true });
  const { id: other } = await addAccount(db, { userType: "Seller" });
  for (const [brandName, rom, sellerId, status, os, condition] of [
    ["Nokia", "1 TB", verified, "available", "Android", "Fair"],
    ["Nokia", "64GB", other, "reserved", "Android", "Excellent"],
    ["Apple", "512 GB", other, "available", "Ios", null],
    ["Acme", "128 GB", other, "sold", "Android", "Good"],
    ["Honor", "some", verified, "available", "Android", "Fair"],
  ] as const) {
    await addPhone(db, { brandName, rom, sellerId, status, os, condition });
  }
  const { choices, count } = await browse(db, "/products", { filters: { brand: ["Apple"] } });
  assert.equal(count, 1);
  // Facet counts ignore the facet's own filter.
  const expected = {
    phones: [["yes", 1]],
    brand: [
      ["Nokia", 2],
      ["Apple", 1],
      ["Honor", 1],
    ],
    rom: [["512 GB", 1]],
    ram: [["8 GB", 1]],
    condition: [],
    battery: [],
    color: [],
    unlocked: [],
    verified: [],
    returns: [],
    near: [],
    available: [["yes", 1]],
  };
  assert.deepEqual(choices, expected);
  const whole = (await browse(db)).choices;
  assert.deepEqual(
    whole.rom.map(([value]) => value),
    ["64 GB", "512 GB", "1 TB", "some"],
  );
  assert.deepEqual(whole.condition, [
    ["Excellent", 1],
    ["Fair", 2],
  ]);
  assert.deepEqual([whole.verified, whole.available], [[["yes", 2]], [["yes", 3]]]);
  assert.deepEqual((await browse(db, "/ios")).choices.brand, [["Apple", 1]]);
  const tablets = Object.values((await browse(db, "/tablet")).choices);
  assert.deepEqual(tablets.flat(), []);
};

/** Where more than a thousand listings match, only the variants have numbers. */
export const limitsTheCount = async (db: Db) => {
  const { id: sellerId } = await addAccount(db, { userType: "Seller", verified: true });
  const phone = await addPhone(db, { sellerId, condition: "Good" });
  await addPhone(db, { sellerId, brandName: "Rare", condition: "Good" });
  const changes = Array.from({ length: 1200 }, (_, at) => ({ batteryHealth: at % 2 === 0 ? 95 : 70 }));
  await addCopies(db, phone, changes);
  const many = await browse(db);
  assert.equal(many.count, 1001);
  assert.deepEqual(many.choices.brand, [
    ["Fairphone", 1201],
    ["Rare", 1],
  ]);
  assert.deepEqual(
    many.choices.battery,
    ["80", "85", "90", "95", "100"].map((value) => [value, null]),
  );
  assert.deepEqual(many.choices.verified, [["yes", null]]);
  const good = await browse(db, "/products", { filters: { condition: ["Good"], brand: ["Nobody"] } });
  assert.deepEqual([good.count, good.choices.available], [0, []]);
  assert.deepEqual(good.choices.brand.toSorted(), [
    ["Fairphone", null],
    ["Nobody", null],
    ["Rare", null],
  ]);
  const few = await browse(db, "/products", { filters: { condition: ["Good"], battery: ["90"] } });
  assert.equal(few.count, 600);
  assert.deepEqual(few.choices.available, [["yes", 600]]);
  assert.deepEqual(few.choices.brand, [["Fairphone", 600]]);
  assert.deepEqual(
    few.choices.battery,
    ["80", "85", "90", "95", "100"].map((value) => [value, null]),
  );
};

export const countsSomeHundredListings = async (db: Db) => {
  const phone = await addPhone(db, { condition: "Good" });
  await addCopies(
    db,
    phone,
    Array.from({ length: 400 }, () => ({ batteryHealth: 95 })),
  );
  const { choices } = await browse(db);
  assert.deepEqual([choices.available, choices.condition], [[["yes", 401]], [["Good", 401]]]);
};

/** The values of a chosen filter have no numbers where many listings would be looked through. */
export const omitsLongCounts = async (db: Db) => {
  const phone = { rom: "128 GB", condition: "Good" as const, batteryHealth: 95 };
  await addPhone(db, phone);
  await addPhone(db, { ...phone, brandName: "Rare" });
  const filters = { rom: ["128 GB"], condition: ["Good"], battery: ["90"] };
  const few = await browse(db, "/products", { filters });
  assert.deepEqual([few.count, few.choices.condition], [2, [["Good", 2]]]);
  // As if one brand had this many listings.
  await db.run(sql`update device_variants set listed = 20000 where brand = 'Rare'`);
  const many = await browse(db, "/products", { filters });
  assert.equal(many.count, 2);
  assert.deepEqual(
    many.choices.condition.map(([, count]) => count),
    [null, null, null],
  );
  assert.deepEqual(many.choices.brand, [
    ["Fairphone", 1],
    ["Rare", 1],
  ]);
};

/** A search with each kind of condition stays within the parameters that a database allows for one statement. */
export const countsWithEachKindOfCondition = async (db: Db) => {
  await addPhone(db, {
    brandName: "Apple",
    os: "Ios",
    rom: "128 GB",
    ram: "8 GB",
    color: "Blue",
    sellingCents: 10_000,
  });
  const { count, choices } = await browse(db, "/ios", {
    words: "apple -pro",
    fromCents: 100,
    toCents: 90_000,
  });
  assert.deepEqual([count, choices.color], [1, [["Blue", 1]]]);
};
