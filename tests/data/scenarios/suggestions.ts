import assert from "node:assert/strict";
import fc from "fast-check";
import type { Db } from "#app/db/client.server.ts";
import { suggest } from "#app/features/catalog/search/suggestions.server.ts";
import { anyText } from "../../harness/arbitraries.ts";
import { addPhone } from "../../harness/fixtures.ts";

/** Suggestions as text: "Samsung 2 → /products?brand=Samsung". */
const suggested = async (db: Db, words: string) =>
  (await suggest(db, words)).map(({ label, count, to }) => `${label} ${count} → ${to}`);

const add = async (db: Db, brandName: string, model: string, processor = "A chip", times = 1) => {
  for (let at = 0; at < times; at += 1) await addPhone(db, { brandName, model, processor });
};

export const suggestsBrandsThenModels = async (db: Db) => {
  await add(db, "Samsung", "Galaxy S21", "Exynos 2100", 2);
  await add(db, "Samsung", "Galaxy S21", "Snapdragon 888", 2);
  await add(db, "Samsung", "Galaxy A54", "Exynos 1380", 3);
  await add(db, "Sony", "Xperia 5", "Snapdragon 888", 5);
  await add(db, "One Plus", "Nord", "Snapdragon 765", 6);
  await add(db, "Ältere", "Straße 9");
  const samsung = "Samsung 7 → /products?brand=Samsung";
  const [s21, a54] = [
    "Samsung Galaxy S21 4 → /models/samsung-galaxy-s21",
    "Samsung Galaxy A54 3 → /models/samsung-galaxy-a54",
  ];
  const xperia = "Sony Xperia 5 5 → /models/sony-xperia-5";
  const nord = "One Plus Nord 6 → /models/one-plus-nord";
  const onePlus = "One Plus 6 → /products?brand=One+Plus";
  const old = "Ältere Straße 9 1 → /models/altere-strasse-9";
  for (const [words, expected] of [
    // Matches of the chipset only come last.
    ["s", [samsung, "Sony 5 → /products?brand=Sony", xperia, s21, a54, old, nord]],
    ["SAM", [samsung, s21, a54]],
    ["samsung gal", [s21, a54]],
    ["galaxy s2", [s21]],
    ["galaxys2", [s21]],
    // A model's count includes all its chipsets.
    ["exynos 21", [s21]],
    ["onepl", [onePlus, nord]],
    ["one pl", [onePlus, nord]],
    ["alt", ["Ältere 1 → /products?brand=%C3%84ltere", old]],
    ["zeppelin", []],
  ] as const) {
    assert.deepEqual(await suggested(db, words), expected, words);
  }
};

export const usesTheMostCommonSpellingOfAModel = async (db: Db) => {
  await add(db, "Apple", "IPHONE 13", "A15", 2);
  await add(db, "Apple", "iPhone 13", "A15");
  await add(db, "Apple", "iPhone 13", "A15 Bionic", 2);
  assert.deepEqual(await suggested(db, "iphone"), ["Apple iPhone 13 5 → /models/apple-iphone-13"]);
};

export const suggestsListedModelsOnly = async (db: Db) => {
  await addPhone(db, { brandName: "Nokia", model: "Sold", status: "sold" });
  assert.deepEqual(await suggested(db, "nokia"), []);
  await addPhone(db, { brandName: "Nokia", model: "Reserved", status: "reserved" });
  assert.deepEqual(await suggested(db, "nokia"), [
    "Nokia 1 → /products?brand=Nokia",
    "Nokia Reserved 1 → /models/nokia-reserved",
  ]);
};

export const suggestsAtMostEight = async (db: Db) => {
  for (let number = 1; number <= 9; number += 1) {
    await add(db, `Maker ${number}`, `Model ${number}`);
    await add(db, "Acme", `Model ${number}`, "A chip", number === 9 ? 2 : 1);
  }
  const makers = await suggest(db, "mak");
  assert.equal(makers.length, 8);
  assert.deepEqual(
    makers.slice(0, 4).map(({ label }) => label),
    ["Maker 1", "Maker 2", "Maker 3", "Maker 1 Model 1"],
  );
  const models = await suggest(db, "mod");
  assert.equal(models.length, 8);
  assert.equal(models[0]?.label, "Acme Model 9");
};

export const suggestsNothingWithoutMatches = async (db: Db) => {
  await add(db, "Nokia", "3310");
  for (const words of [
    "",
    " ",
    "-1",
    "-pro",
    "\0",
    "*",
    '"',
    "✨",
    "nokia\0x",
    "x".repeat(5000),
    "nokia ".repeat(900),
  ]) {
    const found = await suggest(db, words);
    assert.equal(found.length, words.startsWith("nokia ") ? 1 : 0, words.slice(0, 20));
  }
  for (const words of ["nokia AND", "NEAR(nokia", "nokia NOT 3310", "search_text: x", '"nokia" OR']) {
    assert.deepEqual(await suggest(db, words), [], words);
  }
  await fc.assert(
    fc.asyncProperty(fc.array(anyText(), { maxLength: 4 }), async (parts) => {
      assert.ok((await suggest(db, parts.join(" "))).length <= 2);
    }),
    { numRuns: 30 },
  );
};
