import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { roles } from "#app/db/enums.ts";
import { signUpSchema } from "#app/features/accounts/account.schema.ts";
import { drawingViews } from "#app/features/listings/drawing.rules.ts";
import { catalog } from "../../scripts/demo/catalog.ts";
import { drawDevice, drawViews } from "../../scripts/demo/draw-device.ts";
import { demoListings, demoSellers } from "../../scripts/demo/listings.ts";
import { demoPriceCuts, demoSales } from "../../scripts/demo/sales.ts";
import { demoAccounts, demoPassword } from "../../scripts/demo/seed.ts";

const models = new Map(catalog.map((model) => [model.slug, model]));

test("no model is listed twice in the catalog", () => {
  expect(models.size).toBe(catalog.length);
});

test("each seller has something to sell, and an administrator has sellers to verify", () => {
  const addresses = demoSellers.map(({ email }) => email);
  expect(new Set(addresses).size).toBe(demoSellers.length);
  expect(new Set(demoListings.map(({ sellerEmail }) => sellerEmail))).toEqual(new Set(addresses));
  expect(demoSellers.some(({ verified }) => !verified)).toBe(true);
});

test("there is a valid account for each role, and one of a moderator", () => {
  expect(demoAccounts).toHaveLength(roles.length + 1);
  for (const email of demoAccounts) {
    expect(signUpSchema.safeParse({ name: "Someone", email, password: demoPassword }).success).toBe(true);
  }
});

test.each(demoListings)(
  "$slug with $rom has a plausible price",
  ({ slug, rom, sellingPrice, ...listing }) => {
    const launchPrice = models.get(slug)?.storage.find((size) => size.rom === rom)?.launchPrice ?? Number.NaN;
    expect(sellingPrice / launchPrice).toBeGreaterThanOrEqual(0.4);
    expect(sellingPrice / launchPrice).toBeLessThanOrEqual(0.7);
    expect(Number.isInteger(sellingPrice)).toBe(true);
    expect(listing.usedTime).toMatch(/^[1-9]\d*$/);
    expect(listing.sellingReason).not.toBe("");
  },
);

test("battery health is the same in the text and in the field", () => {
  for (const { sellingReason, batteryHealth } of demoListings) {
    const inWords = sellingReason.match(/health (?:now at )?(\d+)%/)?.[1];
    expect(batteryHealth, sellingReason).toBe(inWords === undefined ? undefined : Number(inWords));
  }
});

test("sales and price cuts match the prices of listings", () => {
  for (const { slug, rom, price } of demoSales) {
    const offers = demoListings.filter((listing) => listing.slug === slug && listing.rom === rom);
    expect(offers, `${slug} with ${rom}`).not.toEqual([]);
    for (const { sellingPrice } of offers) expect(Math.abs(price / sellingPrice - 1)).toBeLessThan(0.2);
  }
  for (const [slug, rom, firstPrice] of demoPriceCuts) {
    const offer = demoListings.find((listing) => listing.slug === slug && listing.rom === rom);
    expect(offer?.sellingPrice, `${slug} with ${rom}`).toBeLessThan(firstPrice);
  }
});

test.each(catalog)("the drawings of $slug are those of the generator, with four views", async (model) => {
  const file = (name: string) => readFile(`public/devices/${name}.svg`, "utf8");
  expect(await file(model.slug)).toBe(`${drawDevice(model)}\n`);
  const views = await file(`${model.slug}-views`);
  expect(views).toBe(`${drawViews(model)}\n`);
  const shown = drawingViews(`/devices/${model.slug}.svg`).flatMap(({ src }) => src.split("#")[1] ?? []);
  expect([...views.matchAll(/<view id="(\w+)"/g)].map(([, id]) => id)).toEqual(shown);
  expect(shown.toSorted()).toEqual(["back", "front", "screen", "side"]);
});
