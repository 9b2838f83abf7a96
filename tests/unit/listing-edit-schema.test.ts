import { expect, test } from "vitest";
import { isImei } from "#app/features/listings/imei.rules.ts";
import { listingEditSchema, schemaForEditOf } from "#app/features/listings/listing-edit.schema.ts";

const { condition, batteryHealth, imei } = listingEditSchema.shape;

test("a size from before sizes were read stays valid until it is changed", () => {
  const { ram, rom } = schemaForEditOf({ ram: "8GB", rom: "256GB UFS 3.1" }).shape;
  expect(rom.parse("256GB UFS 3.1")).toBe("256GB UFS 3.1");
  expect(ram.parse("8GB")).toBe("8 GB");
  expect(rom.parse("512gb")).toBe("512 GB");
  expect(rom.safeParse("256GB UFS 4").error?.issues[0]?.message).toBe("Rom must be a size, like 128 GB");
  expect(ram.safeParse("256GB UFS 3.1").success).toBe(false);
  expect(listingEditSchema.shape.rom.safeParse("256GB UFS 3.1").success).toBe(false);
});

test("an IMEI has 15 digits with a valid check digit", () => {
  const good = "490154203237518";
  expect(isImei(good)).toBe(true);
  expect(isImei("356938035643809")).toBe(true);
  for (let place = 0; place < 15; place += 1) {
    const wrong = `${good.slice(0, place)}${(Number(good[place]) + 1) % 10}${good.slice(place + 1)}`;
    expect(isImei(wrong), wrong).toBe(false);
  }
  expect(isImei(good.slice(0, 14))).toBe(false);
  expect(isImei(`${good}0`)).toBe(false);
});

test("an IMEI may be written in groups", () => {
  expect(imei.parse("49-015420-323751-8")).toBe("490154203237518");
  expect(imei.parse(" 49 015420/323751.8 ")).toBe("490154203237518");
  expect(imei.parse("４９\u3000０１５４２０\u3000３２３７５１\u3000８")).toBe("490154203237518");
  expect(imei.safeParse("490154203237519").error?.issues[0]?.message).toContain("isn’t valid");
  expect(imei.safeParse("4901542").error?.issues[0]?.message).toContain("15 digits");
});

test("a used time in full-width digits is a number of months", () => {
  const { usedTime } = listingEditSchema.shape;
  expect(usedTime.parse(" １４ ")).toBe("14");
  for (const [typed, read] of Object.entries({
    "１４ months": "14",
    "1 month": "1",
    "1 year": "12",
    "2.5 yrs": "30",
    "1.5 months": "1.5 months",
    "a bit over a year": "a bit over a year",
  }))
    expect(usedTime.parse(typed)).toBe(read);
});

test("a price that is no number or text says what it must be", () => {
  const said = (price: unknown) =>
    listingEditSchema.shape.sellingPrice.safeParse(price).error?.issues[0]?.message;
  for (const price of [true, ["349"], {}, null])
    expect(said(price)).toBe("Selling Price must be a number of dollars, like 349 or 349.50");
  for (const price of [undefined, "", " "]) expect(said(price)).toBe("Selling Price is required");
});

test("battery health is 50% to 100%", () => {
  expect(batteryHealth.parse(" 87 ")).toBe(87);
  expect(batteryHealth.parse("100%")).toBe(100);
  expect(batteryHealth.parse("８７％")).toBe(87);
  expect(batteryHealth.parse("\u300087\u00A0%")).toBe(87);
  expect(batteryHealth.parse("50")).toBe(50);
  for (const wrong of ["49", "101", "8.5", "good", "-60", "1e2"]) {
    expect(batteryHealth.safeParse(wrong).success, wrong).toBe(false);
  }
});

test("an image may be one of our drawings, and no other path of this site", () => {
  const { image } = listingEditSchema.shape;
  expect(image.parse("/devices/iphone-13.svg")).toBe("/devices/iphone-13.svg");
  expect(image.parse("https://pictures.example/a.jpg")).toBe("https://pictures.example/a.jpg");
  for (const wrong of [
    "/devices/../logout",
    "/devices/a.svg?x",
    "//evil.example/devices/a.svg",
    "javascript:1",
  ]) {
    expect(image.safeParse(wrong).success, wrong).toBe(false);
  }
});

test("condition fields are optional, and only three grades are valid", () => {
  for (const field of [condition, batteryHealth, imei]) expect(field.parse(undefined)).toBe(undefined);
  expect(condition.safeParse("Mint").success).toBe(false);
});
