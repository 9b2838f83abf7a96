import fc from "fast-check";
import { expect, test } from "vitest";
import { listingFormSchema, listingSchema } from "#app/features/listings/listing.schema.ts";
import { compareSizes, readSize, sizeKey, sizeLabel } from "#app/features/listings/size.rules.ts";

test.each([
  ["256 GB", "256 GB"],
  ["256GB", "256 GB"],
  ["256 gb", "256 GB"],
  ["256\u00A0GB", "256 GB"],
  ["256\u202FGb", "256 GB"],
  ["256-GB", "256 GB"],
  ["256G", "256 GB"],
  ["256 GiB", "256 GB"],
  ["256 gigabytes", "256 GB"],
  ["２５６ＧＢ", "256 GB"],
  ["٢٥٦ gb", "256 GB"],
  ["256", "256 GB"],
  ["256 GB storage", "256 GB"],
  ["Storage: 256GB", "256 GB"],
  ["256 gb of internal storage", "256 GB"],
  ["256GB ROM", "256 GB"],
  ["1TB", "1 TB"],
  ["1 tb", "1 TB"],
  ["1024 GB", "1 TB"],
  ["1000GB", "1 TB"],
  ["1,5 TB", "1536 GB"],
  ["0.5 TB", "512 GB"],
])("a storage of %j is %j", (typed, size) => {
  expect(listingSchema.shape.rom.parse(typed)).toBe(size);
  expect(listingFormSchema.shape.rom.parse(typed)).toBe(size);
});

test.each([
  ["8GB RAM", "8 GB"],
  ["8GBRAM", "8 GB"],
  ["RAM 8 GB", "8 GB"],
  ["8 gigs of memory", "8 GB"],
  ["8", "8 GB"],
  ["512 MB", "512 MB"],
  ["2048MB", "2 GB"],
  ["1.5 GB", "1.5 GB"],
])("a RAM of %j is %j", (typed, size) => {
  expect(listingSchema.shape.ram.parse(typed)).toBe(size);
});

test.each([
  "256GB UFS 3.1",
  "256 GB (expandable)",
  "8/256 GB",
  "128 or 256 GB",
  "256 GB RAM",
  "-256 GB",
  "0 GB",
  "large",
  "256 KB",
  "1.024 GB",
  "256 MB",
  "8000 MB",
])("a storage of %j is refused with a size to type", (typed) => {
  for (const { shape } of [listingSchema, listingFormSchema]) {
    const { error } = shape.rom.safeParse(typed);
    expect(error?.issues.map(({ message }) => message)).toEqual(["Rom must be a size, like 128 GB"]);
  }
});

test("a size that was read stays as it is", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9999 }), fc.constantFrom("MB", "GB", "TB"), (number, unit) => {
      const size = readSize(`${number}${unit}`, "rom");
      fc.pre(size !== null);
      expect(readSize(size, "rom")).toBe(size);
      expect(sizeLabel(size)).toBe(size);
    }),
  );
});

test("a size is compared by what it begins with", () => {
  const same = ["256 GB", "256GB", "256 gb", "256", "256GB UFS 3.1", "256 GB (expandable)", "0.25 TB"];
  expect(new Set(same.map(sizeKey))).toEqual(new Set([256 * 1024]));
  expect(sizeKey("large")).toBe("large");
  const sorted = ["512 MB", "8 GB", "64GB", "128 GB", "1 TB", "large"];
  expect(sorted.toReversed().sort(compareSizes)).toEqual(sorted);
});
