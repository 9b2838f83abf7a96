import fc from "fast-check";
import { expect, test } from "vitest";
import { asSellers } from "#app/features/administration/user-tables.rules.ts";
import { listingTable, sellingTable } from "#app/features/listings/listing-table.rules.ts";
import { orderTable } from "#app/features/orders/order-table.rules.ts";
import { dayRange, parseTableQuery, tableSearch, withoutFilters } from "#app/server/forms/table-query.ts";

const listings = (search: string) => parseTableQuery(listingTable, new URLSearchParams(search));
const orders = (search: string) => parseTableQuery(orderTable, new URLSearchParams(search));

test("the filters and the sort order of a table are read from its URL", () => {
  expect(
    listings("q=+ann++lee&status=sold&device=Apple&minPrice=$1,250&maxPrice=2000.50&sort=price-up"),
  ).toEqual({
    filters: { q: "ann lee", status: "sold", device: "Apple", minPrice: "1250", maxPrice: "2000.5" },
    sort: "price-up",
  });
  expect(orders("stage=handed+over&from=2026-02-28&to=2026-03-01").filters).toEqual({
    stage: "handed over",
    from: "2026-02-28",
    to: "2026-03-01",
  });
});

test("what is invalid, unknown or the default is ignored", () => {
  const invalid = "q=%00&status=stolen&device=+&sort=newest&page=2&after=x";
  expect(listings(invalid)).toEqual({ filters: {} });
  expect(orders("from=2026-02-30&to=tomorrow&stage=toString&sort=constructor")).toEqual({ filters: {} });
  expect(listings(`q=${"x".repeat(200)}`).filters.q).toHaveLength(100);
});

test("the filters of a table are cleared, and its tab stays", () => {
  const sellings = (search: string) => parseTableQuery(sellingTable, new URLSearchParams(search));
  expect(withoutFilters(sellingTable, sellings("tab=sold&q=ipad&sort=views"))).toEqual({
    filters: { tab: "sold" },
  });
  const unfiltered = sellings("tab=sold&sort=views");
  expect(withoutFilters(sellingTable, unfiltered)).toBe(unfiltered);
});

test("what is no price stays in its field", () => {
  expect(listings("minPrice=cheap&maxPrice=1.000").filters).toEqual({ minPrice: "cheap", maxPrice: "1.000" });
  expect(listings("minPrice=500+USD&maxPrice=1+299").filters).toEqual({ minPrice: "500", maxPrice: "1299" });
});

test("a query string is read as it was written", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 120 });
  fc.assert(
    fc.property(fc.record({ q: text, brand: text, status: text, minPrice: text, sort: text }), (values) => {
      const query = listings(new URLSearchParams(values).toString());
      const search = tableSearch(listingTable, query);
      expect(listings(search)).toEqual(query);
      expect(tableSearch(listingTable, listings(search))).toBe(search);
    }),
  );
});

test("a range of days ends with its last day", () => {
  expect(dayRange({ from: "2026-02-28", to: "2026-02-28" })).toEqual({
    from: new Date("2026-02-28T00:00:00Z"),
    before: new Date("2026-03-01T00:00:00Z"),
  });
  expect(dayRange({})).toEqual({});
});

test("the table of sellers shows sellers, whatever its URL says", () => {
  expect(asSellers({ filters: { verified: "no" } }).filters).toEqual({ verified: "no", role: "Seller" });
});
