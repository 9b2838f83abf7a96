import { expect, test } from "vitest";
import { categoryByKey } from "#app/features/catalog/category.rules.ts";
import { parseSearchQuery } from "#app/features/catalog/search/search-query.rules.ts";
import { understandQuery } from "#app/features/catalog/search/understand.rules.ts";

/** The pages that typed words lead to, the words to search for, and the highest price. */
function read(words: string) {
  const asked = { ...parseSearchQuery(new URLSearchParams()), words };
  const { query, notes } = understandQuery(categoryByKey("products"), asked);
  return [[...new Set(notes.pages.map(({ path }) => path))].join(), query.words, query.toCents];
}

test.each([
  ["iphone 13 pro max worth", "iphone 13 pro max"],
  ["iphone 13 pro max price", "iphone 13 pro max"],
  ["iPhone 14 Pro Max used price?", "iPhone 14 pro max"],
  ["what is my iphone 15 pro max worth", "iphone 15 pro max"],
  ["iphone 13 pro max price 2024", "iphone 13 pro max"],
  ["iphone 12 market price", "iphone 12"],
  ["average price iphone 13", "iphone 13"],
  ["pixel 8 current price", "pixel 8"],
  ["how much is a pixel 8", "pixel 8"],
  ["how much is pixel 8", "pixel 8"],
  ["how much is the galaxy s23", "galaxy s23"],
  ["how much does an iphone 13 cost", "iphone 13"],
  ["how much for iphone 13", "iphone 13"],
  ["how much for an iphone 13", "iphone 13"],
  ["worth of galaxy s23", "galaxy s23"],
  ["cost of iphone 13", "iphone 13"],
  ["iphone 13 cost", "iphone 13"],
  ["pixel 9 price 2024", "pixel 9"],
  ["pixel 9 prices in 2024", "pixel 9"],
  ["what does an iphone 13 go for", "iphone 13"],
  ["pixel 8 pricing", "pixel 8"],
  ["galaxy s23 ultra price", "galaxy s23 ultra"],
  ["price", ""],
  ["Prices", ""],
  ["current prices", ""],
  ["what is it worth?", ""],
])("%s leads to what devices sell for", (typed, words) => {
  expect(read(typed)).toEqual(["/prices", words, null]);
});

test.each([
  ["iphone 12 pro max best price", "", "iphone 12 pro max", null],
  ["iphone 13 pro max price under 500", "", "iphone 13 pro max", 50_000],
  ["iphone 12 max price 300", "", "iphone 12", 30_000],
  ["price max 300", "", "", 30_000],
  ["300 > price", "", "", 30_000],
  ["good value phone", "", "", null],
  ["how much is shipping", "/about#promises", "", null],
  ["how much does shipping cost", "/about#promises", "", null],
  ["cost of shipping", "/about#promises", "", null],
  ["how much is a return", "/about#promises", "", null],
  ["how much are the fees", "/about#handover", "", null],
  ["how much does the site take", "/about#handover", "", null],
  ["wishlist", "/manage/saved", "", null],
  ["my favourites", "/manage/saved", "", null],
])("%s asks for something else", (typed, path, words, toCents) => {
  expect(read(typed)).toEqual([path, words, toCents]);
});
