import fc from "fast-check";
import { expect, test } from "vitest";
import { listingSchema } from "#app/features/listings/listing.schema.ts";
import { listingEditSchema } from "#app/features/listings/listing-edit.schema.ts";
import { listingTable } from "#app/features/listings/listing-table.rules.ts";
import { apiOfferSchema } from "#app/features/orders/offer.schema.ts";
import { parsePrice } from "#app/server/forms/parse-price.ts";
import { parseTableQuery, unparsedFilterText } from "#app/server/forms/table-query.ts";

const { sellingPrice } = listingSchema.shape;

/** The fields of all forms and REST bodies that take a price. */
const fields = {
  "Market Price": listingSchema.shape.marketPrice,
  "Selling Price": sellingPrice,
  "Selling Price of an edit": listingEditSchema.shape.sellingPrice,
  Offer: apiOfferSchema.shape.amount,
};

const filtered = (minPrice: string) =>
  parseTableQuery(listingTable, new URLSearchParams({ minPrice })).filters.minPrice;

test.each([
  ["349", 34_900],
  ["349.5", 34_950],
  ["349.50", 34_950],
  ["349,5", 34_950],
  ["349,50", 34_950],
  [" $ 349,50 ", 34_950],
  ["1,23", 123],
  ["1,234", 123_400],
  ["1,234.50", 123_450],
  ["1234,50", 123_450],
  ["99,999", 9_999_900],
  ["1,299.00", 129_900],
  ["1 299", 129_900],
  ["1 299.50", 129_950],
  ["1 299,50", 129_950],
  ["1 299,5", 129_950],
  ["1'299,50", 129_950],
  ["1\u00A0299", 129_900],
  ["1\u202F299", 129_900],
  ["1'299", 129_900],
  ["1’299.00", 129_900],
  ["$299.99 ", 29_999],
  ["us$500", 50_000],
  ["US $500", 50_000],
  ["500\u200B", 50_000],
  ["500 USD", 50_000],
  ["USD 500", 50_000],
  ["500 dollars", 50_000],
  ["500 US dollars", 50_000],
  ["349$", 34_900],
  ["３４９", 34_900],
  ["＄３４９．５０", 34_950],
  ["٣٤٩", 34_900],
  ["۳۴۹.५० USD", 34_950],
])("%s is %i cents in a form and in a filter", (typed, cents) => {
  for (const [name, field] of Object.entries(fields))
    expect([name, field.parse(typed)]).toEqual([name, cents]);
  expect(parsePrice(typed)).toBe(cents);
  expect(filtered(typed)).toBe(String(cents / 100));
});

test("less than a dollar is read without its zero", () => {
  for (const typed of [".50", "$.5", "0.50", "0,50"]) expect([typed, parsePrice(typed)]).toEqual([typed, 50]);
});

test.each([
  "1,2345",
  "12345,678",
  "1,234,5",
  "1,234,50",
  "1.234,50",
  "1.234.567",
  "12,34.50",
  "1,,234",
  ",50",
  "349.999",
  "1e3",
  "-5",
  "",
  "free",
  "1.000",
  "1.299,00",
  "500€",
  "€500",
  "500 EUR",
  "EUR 1 299,50",
  "1 2345",
  "1 299'000",
  "$",
  "USD",
])("%j is no price in a form or a filter", (typed) => {
  const currency = /€|EUR/.test(typed) ? "Prices are in US dollars. " : "";
  for (const [name, field] of Object.entries(fields)) {
    const message = field.safeParse(typed).error?.issues[0]?.message ?? "accepted";
    expect([name, message.match(/^Prices are in US dollars\. |^accepted/)?.[0] ?? ""]).toEqual([
      name,
      currency,
    ]);
  }
  expect(parsePrice(typed)).toBeNull();
  const text = typed ? `${currency}Price from must be a number of dollars, like 349 or 349.50` : null;
  expect(unparsedFilterText(listingTable.filters[3], filtered(typed))).toBe(text);
});

test("all ways to write a price mean the same", () => {
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 10_000_000 }), (cents) => {
      const [dollars = "", decimals = ""] = (cents / 100).toFixed(2).split(".");
      const grouped = Number(dollars).toLocaleString("en-US");
      for (const typed of [`${dollars}.${decimals}`, `${dollars},${decimals}`, `${grouped}.${decimals}`]) {
        expect([typed, sellingPrice.parse(typed), parsePrice(typed)]).toEqual([typed, cents, cents]);
      }
    }),
  );
});
