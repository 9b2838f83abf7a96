import { expect, test } from "vitest";
import { knownModels } from "#app/features/listings/known-models.ts";
import { catalog } from "../../scripts/demo/catalog.ts";

test("the known models are those of the demo's catalog", () => {
  const byName = <Named extends { brandName: string; model: string }>(one: Named, other: Named) =>
    `${one.brandName} ${one.model}`.localeCompare(`${other.brandName} ${other.model}`);
  const ofDemo = catalog.map(
    ({ brandName, model, os, deviceType, ram, storage, processor, camera, battery }) => ({
      ...{ brandName, model, os, deviceType, processor, camera, battery },
      ram: [ram],
      rom: storage.map(({ rom }) => rom),
    }),
  );
  expect([...knownModels].sort(byName)).toEqual(ofDemo.sort(byName));
});
