import fc from "fast-check";
import { expect, test } from "vitest";
import { appliedFilters } from "#app/features/catalog/applied-filters.rules.ts";
import { devicesLabel, foundLabel } from "#app/features/catalog/category.rules.ts";
import { filtersOf } from "#app/features/catalog/search/facets.rules.ts";
import { maxExtraPages } from "#app/features/catalog/search/search-limits.rules.ts";
import {
  isFiltered,
  isPriceRangeInverted,
  parseSearchQuery,
  queryWithoutFilters,
  searchSorts,
  searchString,
  unreadParameters,
  withoutCursor,
} from "#app/features/catalog/search/search-query.rules.ts";

const read = (search: string) => parseSearchQuery(new URLSearchParams(search));
const asWritten = (search: string) => searchString(read(search));
const cursor = "42949.123";
const noFilters = filtersOf(() => []);

test("all parameters are parsed", () => {
  const search = `q=+galaxy++s21&brand=Samsung&brand=Apple&rom=128+GB&ram=8+GB&condition=Good&condition=excellent&battery=90&battery=85&exact=yes&from=$1,250&to=99.5&verified=yes&returns=14&available=yes&sort=saving&after=${cursor}&more=2`;
  expect(read(search)).toEqual({
    words: "galaxy s21",
    read: "",
    exact: true,
    filters: {
      ...noFilters,
      brand: ["Apple", "Samsung"],
      rom: ["128 GB"],
      ram: ["8 GB"],
      condition: ["Excellent", "Good"],
      battery: ["85"],
      verified: ["yes"],
      returns: ["14"],
      available: ["yes"],
    },
    fromCents: 125_000,
    toCents: 9_950,
    sort: "saving",
    cursor: { after: cursor },
    extraPages: 2,
  });
});

test.each([
  ["an unknown sort order", "sort=random"],
  ["an unknown value of exact", "q=&exact=1"],
  ["exact search without words", "q=+&exact=yes"],
  ["empty fields, as a form sends them", "q=&from=&to=&sort=newest"],
  ["empty and overlong values", `brand=&ram=${"x".repeat(61)}`],
  ["an invalid cursor", "after=%00"],
  ["invalid pages", "more=-1"],
  ["too many pages", "more=1e9"],
  ["unknown parameters", "page=3&utm_source=x"],
])("%s is ignored", (_what, search) => {
  expect(asWritten(search)).toBe("");
});

test.each([
  ["1.000", "“To” must be a number of dollars, like 349 or 349.50"],
  ["abc", "“To” must be a number of dollars, like 349 or 349.50"],
  ["500€", "Prices are in US dollars. “To” must be a number of dollars, like 349 or 349.50"],
  ["1e3", "“To” must be a number of dollars, like 349 or 349.50"],
  ["-5", "“To” must be a number of dollars, like 349 or 349.50"],
])("%j as a price is kept, and said to be none", (typed, text) => {
  const query = read(new URLSearchParams({ to: typed }).toString());
  expect([query.toCents, query.unread]).toEqual([null, { to: typed }]);
  expect(unreadParameters(query)).toEqual([{ name: "to", text }]);
  expect(asWritten(searchString(query))).toBe(searchString(query));
  expect([isFiltered(query), searchString(queryWithoutFilters(query))]).toEqual([false, ""]);
});

test.each([
  ["color=teal", "“Color” can’t be “teal”"],
  ["battery=88", "“Battery health” can’t be “88”"],
  ["condition=Good&condition=new", "“Condition” can’t be “new”"],
  ["verified=true", "“Seller” can’t be “true”"],
  ["returns=3", "“Returns” can’t be “3”"],
])("%s names what no choice is, and keeps the others", (typed, text) => {
  const query = read(typed);
  expect(unreadParameters(query).map((one) => one.text)).toEqual([text]);
  expect(query.filters.condition).toEqual(typed.includes("Good") ? ["Good"] : []);
  expect(asWritten(searchString(query))).toBe(searchString(query));
  expect(searchString(queryWithoutFilters(query))).toBe("");
});

test("a choice may be in lower case", () => {
  expect(asWritten("color=blue&condition=GOOD")).toBe("?condition=Good&color=Blue");
});

test.each(["500 USD", "us$500", "$500.00 ", "５００"])("%j is read as a price", (typed) => {
  expect(asWritten(new URLSearchParams({ to: typed }).toString())).toBe("?to=500");
});

test("further pages are limited, and need a first page", () => {
  expect(read("more=99").extraPages).toBe(maxExtraPages);
  expect(read(`sort=saving&before=${cursor}&more=2`).extraPages).toBe(0);
});

test("a written query parses to the same query, in one order", () => {
  const value = fc.string({ minLength: 1, maxLength: 20 });
  const parameterSets = fc.record({
    q: fc.string(),
    read: fc.string(),
    brand: fc.array(value),
    ram: fc.array(value),
    color: fc.array(value),
    from: fc.oneof(fc.string(), fc.integer({ min: 0, max: 99_999 }).map(String)),
    sort: fc.oneof(fc.string(), fc.constantFrom(...Object.keys(searchSorts))),
    more: fc.oneof(fc.string(), fc.nat({ max: 20 }).map(String)),
  });
  fc.assert(
    fc.property(parameterSets, (parameters) => {
      const typed = new URLSearchParams();
      for (const [name, values] of Object.entries(parameters)) {
        for (const one of [values].flat()) typed.append(name, one);
      }
      const query = parseSearchQuery(typed);
      expect(read(searchString(query))).toEqual(query);
      expect(searchString(parseSearchQuery(new URLSearchParams([...typed].reverse())))).toBe(
        searchString(query),
      );
    }),
  );
});

test("a price range is invalid only when it is empty", () => {
  expect(isPriceRangeInverted(read("from=200&to=100"))).toBe(true);
  expect(isPriceRangeInverted(read("from=100&to=100"))).toBe(false);
  expect(isPriceRangeInverted(read("from=200"))).toBe(false);
});

test("corrected words are named, and the other filters' links keep the typed ones", () => {
  const chips = appliedFilters(read("q=samsnug&rom=1+TB"), "samsung");
  expect(chips.map(({ label, without }) => [label, searchString(without)])).toEqual([
    ['"samsung"', "?rom=1+TB"],
    ["1 TB storage", "?q=samsnug"],
  ]);
});

test("each filter can be removed alone, which leads to the first page", () => {
  const query = read(
    `q=x&brand=Apple&brand=Sony&rom=1+TB&ram=8+GB&condition=Good&battery=80&from=5&to=9.5&verified=yes&returns=14&available=yes&sort=saving&after=${cursor}&more=1`,
  );
  const filters = appliedFilters(query);
  expect(filters.map(({ label }) => label)).toEqual([
    '"x"',
    "Apple",
    "Sony",
    "1 TB storage",
    "8 GB RAM",
    "Good condition",
    "Battery at least 80%",
    "Verified sellers only",
    "Returns for 14 days",
    "Available only",
    "From $5",
    "Up to $9.50",
  ]);
  const whole = searchString(withoutCursor(query));
  const dropped = filters.map(({ without }) => {
    const left = searchString(without).slice(1).split("&");
    return whole
      .slice(1)
      .split("&")
      .filter((part) => !left.includes(part));
  });
  expect(dropped).toEqual([
    ["q=x"],
    ["brand=Apple"],
    ["brand=Sony"],
    ["rom=1+TB"],
    ["ram=8+GB"],
    ["condition=Good"],
    ["battery=80"],
    ["verified=yes"],
    ["returns=14"],
    ["available=yes"],
    ["from=5"],
    ["to=9.5"],
  ]);
  expect(searchString(queryWithoutFilters(query))).toBe("?sort=saving");
  expect([isFiltered(query), isFiltered(queryWithoutFilters(query))]).toEqual([true, false]);
});

test.each(["'", "%", "😀", "--", "— …"])(
  "search text without words, like %s, stays as typed and filters nothing",
  (words) => {
    const query = read(`q=${encodeURIComponent(words)}&brand=Apple`);
    expect([query.words, appliedFilters(query).map(({ label }) => label)]).toEqual([words, ["Apple"]]);
    expect(isFiltered({ ...query, filters: noFilters })).toBe(false);
  },
);

test("counts are formatted as text", () => {
  expect([0, 1, 12, 1000, 1001].map((count) => foundLabel(count, "phone"))).toEqual([
    "0 phones",
    "1 phone",
    "12 phones",
    "1,000 phones",
    "1,000+ phones",
  ]);
  expect(foundLabel(1001, "tablet")).toBe("1,000+ tablets");
  expect(devicesLabel(1)).toBe("1 device");
  expect(devicesLabel(1_234_567)).toBe("1,234,567 devices");
});
