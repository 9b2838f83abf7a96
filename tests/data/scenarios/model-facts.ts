import assert from "node:assert/strict";
import type { Db } from "#app/db/client.server.ts";
import { valuesFromModel } from "#app/features/listings/model-facts.rules.ts";
import { findModelFacts, suggestModels } from "#app/features/listings/model-facts.server.ts";
import { addPhone } from "../../harness/fixtures.ts";

const nokia = { brandName: "Nokia", model: "XR20", camera: "48 MP", battery: "4630 mAh" };

export const suggestsModelsThatAreKnownAndThatAreListed = async (db: Db) => {
  await addPhone(db, nokia);
  await addPhone(db, { ...nokia, model: "G22", status: "sold" });
  assert.deepEqual(await suggestModels(db, { brandName: "nokia", model: "" }), [
    { brandName: "Nokia", model: "XR20" },
  ]);
  const samsung = { brandName: "Samsung", model: "Galaxy S23" };
  assert.deepEqual((await suggestModels(db, { brandName: "", model: "galaxy s23" }))[0], samsung);
  assert.deepEqual((await suggestModels(db, { ...samsung, model: "galaxy s2" })).at(0)?.brandName, "Samsung");
  assert.deepEqual(await suggestModels(db, { brandName: "No", model: "Such" }), []);
};

export const fillsInWhatIsKnownOfAModel = async (db: Db) => {
  const facts = await findModelFacts(db, { brandName: "", model: "galaxy s23" });
  assert.ok(facts);
  assert.deepEqual(facts.rom, ["128 GB", "256 GB"]);
  // Several storages: the seller says which.
  const { rom, ...filled } = valuesFromModel(facts, undefined);
  assert.deepEqual(
    [rom, filled],
    [
      "",
      {
        ...{ brandName: "Samsung", ram: "8 GB", os: "Android", deviceType: "Smart Phone", marketPrice: "" },
        processor: "Qualcomm Snapdragon 8 Gen 2 for Galaxy",
        camera: "50 MP wide, 10 MP telephoto, 12 MP ultrawide",
        battery: "3900 mAh",
      },
    ],
  );
  // What a new one costs is known of each, unless a seller has said it since.
  assert.equal(valuesFromModel(facts, "256 GB").marketPrice, "859");
  const device = { brandName: "Samsung", model: "Galaxy S23", ram: "8 GB", rom: "256 GB" } as const;
  await addPhone(db, { ...device, marketCents: 80_000 });
  const said = await findModelFacts(db, { brandName: "", model: "galaxy s23" });
  assert.deepEqual(said?.marketPrices, { "128 GB": 799, "256 GB": 800 });
};

export const fillsInWhatSellersSaidOfAModel = async (db: Db) => {
  assert.equal(await findModelFacts(db, nokia), null);
  await addPhone(db, { ...nokia, ram: "6 GB", rom: "128 GB", marketCents: 40_000 });
  await addPhone(db, { ...nokia, ram: "6 GB", rom: "128 GB", marketCents: 45_000 });
  await addPhone(db, { ...nokia, ram: "4 GB", rom: "64 GB", marketCents: 39_900 });
  await addPhone(db, { ...nokia, ram: "12 GB", rom: "512 GB", hiddenById: "hidden" });
  const facts = await findModelFacts(db, { brandName: "NOKIA", model: "xr20" });
  assert.ok(facts);
  assert.deepEqual(
    [facts.ram, facts.rom],
    [
      ["6 GB", "4 GB"],
      ["128 GB", "64 GB"],
    ],
  );
  assert.deepEqual(facts.marketPrices, { "128 GB": 450, "64 GB": 399 });
  const { ram, battery, marketPrice } = valuesFromModel(facts, "64 GB");
  assert.deepEqual([ram, battery, marketPrice], ["", "4630 mAh", "399"]);
};

export const offersTheColorsOfAModelThatAreForSale = async (db: Db) => {
  for (const color of ["Blue", "Black", "Blue", null] as const) await addPhone(db, { ...nokia, color });
  await addPhone(db, { ...nokia, color: "Green", status: "sold" });
  await addPhone(db, { ...nokia, model: "G22", color: "White" });
  const facts = await findModelFacts(db, { brandName: "Nokia", model: "XR20" });
  assert.deepEqual(facts?.colors, ["Black", "Blue"]);
  assert.deepEqual((await findModelFacts(db, { brandName: "Samsung", model: "Galaxy S23" }))?.colors, []);
};

export const knowsNothingOfAnUnnamedModel = async (db: Db) => {
  await addPhone(db, nokia);
  assert.equal(await findModelFacts(db, { brandName: "Nokia", model: "" }), null);
};
