import { knownModels } from "#app/features/listings/known-models.ts";
import { androidPhones } from "./catalog/android-phones";
import { androidTablets } from "./catalog/android-tablets";
import { ipads } from "./catalog/ipads";
import { iphones } from "./catalog/iphones";
import type { DeviceModel, DrawnModel } from "./device-model";

export const catalog: DeviceModel[] = [...androidPhones, ...iphones, ...androidTablets, ...ipads].map(
  withFacts,
);

function withFacts(drawn: DrawnModel): DeviceModel {
  const known = knownModels.find(
    ({ brandName, model }) => brandName === drawn.brandName && model === drawn.model,
  );
  if (!known) throw new Error(`${drawn.model} is not in known-models.ts`);
  const { ram, launchPrices, ...facts } = known;
  const storage = Object.entries(launchPrices).map(([rom, launchPrice]) => ({ rom, launchPrice }));
  return { ...drawn, ...facts, ram: ram[0] ?? "", storage };
}
