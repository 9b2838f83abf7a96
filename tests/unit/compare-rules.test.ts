import { expect, test } from "vitest";
import { comparePath, parseCompareQuery } from "#app/features/catalog/compare.rules.ts";
import { type ComparedListing, compareRows } from "#app/features/catalog/compare-rows.rules.ts";
import { attributesWith, recordOf } from "#app/features/listings/attributes.ts";

const ids = Array.from({ length: 6 }, (_, index) => `0000000${index}-0000-7000-8000-000000000000`);
const [a = "", b = "", c = "", d = "", e = ""] = ids;
const read = (search: string) => parseCompareQuery(new URLSearchParams(search));

test.each([
  ["", []],
  ["ids=", []],
  [`ids=${b}&ids=${a}`, [b, a]],
  [`ids=${b},${a}`, [b, a]],
  [`ids=${b},+${a},,&ids=${c}`, [b, a, c]],
  [`ids=${a}&ids=${a},${b}`, [a, b]],
  [`ids=x&ids=${a}%00&ids='${b}'&ids=${"f".repeat(5000)}&ids=${c}`, [c]],
])("%s is parsed to distinct ids in order", (search, expected) => {
  expect(read(search)).toEqual({ ids: expected, isTruncated: false, onlyDifferences: false });
});

test("at most four phones are compared", () => {
  expect(read(`ids=${[a, b, c, d].join()}`).isTruncated).toBe(false);
  expect(read(`ids=${[a, a, b, c, d].join()}`).isTruncated).toBe(false);
  expect(read(`ids=${[a, b, c, d, e].join()}&differences=yes`)).toEqual({
    ids: [a, b, c, d],
    isTruncated: true,
    onlyDifferences: true,
  });
});

test("a written query parses to the same ids", () => {
  expect(comparePath({ ids: [], onlyDifferences: false })).toBe("/compare");
  for (const query of [
    { ids: [c, a], onlyDifferences: false },
    { ids: [a], onlyDifferences: true },
  ]) {
    const { search } = new URL(comparePath(query), "http://localhost");
    expect(read(search)).toEqual({ ...query, isTruncated: false });
  }
});

const phone: ComparedListing = {
  id: a,
  brandName: "Fairphone",
  model: "5",
  ram: "8 GB",
  rom: "256 GB",
  image: "/devices/fairphone-5.svg",
  cover: null,
  returnDays: null,
  camera: "50 MP",
  processor: "QCM6490",
  battery: "4200 mAh",
  os: "Android",
  deviceType: "Smart Phone",
  marketCents: 69_900,
  sellingCents: 34_950,
  status: "available",
  ...recordOf(attributesWith("optional"), () => null),
  usedTime: "14",
  sellerId: "ada",
  sellerName: "Ada",
  sellerVerified: false,
  sellerHasAccount: true,
  usualCents: null,
};

function differences(...phones: Partial<ComparedListing>[]): string[] {
  const rows = compareRows(phones.map((change) => ({ ...phone, ...change })));
  return rows.filter(({ differs }) => differs).map(({ name }) => name);
}

test("rows differ by value, not by case or spacing", () => {
  expect(differences({}, {})).toEqual([]);
  expect(differences({ ram: "8GB", camera: "50 mp" }, { ram: " 8 gb" })).toEqual([]);
  expect(differences({}, {}, { rom: "128 GB", batteryHealth: 90 })).toEqual(["Storage", "Battery health"]);
  expect(differences({}, { sellingCents: 34_900 })).toEqual(["Price"]);
  expect(differences({}, { sellerId: "another Ada" })).toEqual(["Seller"]);
  expect(differences({}, { status: "sold", condition: "Good" })).toEqual(["Condition", "Status"]);
});

test("rows compare with the usual price, and mark unknown values", () => {
  const other = { ...phone, usualCents: 36_000, batteryHealth: 91 };
  const rows = compareRows([phone, other]);
  const valuesOf = (name: string) => rows.find((row) => row.name === name)?.values;
  expect(valuesOf("Price")).toEqual(["$349.50", "$349.50"]);
  expect(valuesOf("Usual price")).toEqual([null, "$10.50 below the usual price"]);
  expect(valuesOf("Battery health")).toEqual([null, "91%"]);
  expect(valuesOf("Used for")).toEqual(["14 months", "14 months"]);
});

test.each([
  [[{ sellingCents: 30_000 }, { sellingCents: 29_900 }], { price: [false, true] }],
  [[{ rom: "1 TB" }, { rom: "512 GB" }, { rom: "1TB" }], { rom: [true, false, true] }],
  [
    [{ condition: "Fair" }, { condition: null }, { condition: "Excellent" }],
    { condition: [false, false, true] },
  ],
  [[{ batteryHealth: null }, { batteryHealth: 90 }], {}],
  [
    [{ batteryHealth: 91 }, { batteryHealth: 90 }, { ram: "12 GB" }],
    { batteryHealth: [true, false, false], ram: [false, false, true] },
  ],
  [[{ camera: "12 MP" }, { camera: "50 MP" }], {}],
] as const)("of %j the better values are %j", (changes, expected) => {
  const rows = compareRows(changes.map((change) => ({ ...phone, ...change })));
  const best = rows.filter(({ isBest }) => isBest.includes(true)).map(({ key, isBest }) => [key, isBest]);
  expect(Object.fromEntries(best)).toEqual(expected);
});
