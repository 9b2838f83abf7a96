import type { Color } from "#app/db/enums.ts";
import type { KnownModel } from "./known-models.ts";

/** What forms of a new listing fill in once the model is known. */
export interface ModelFacts extends Omit<KnownModel, "launchPrices"> {
  rom: string[];
  /** What a new one costs, as the latest seller said or is known, in the market's currency: by storage. */
  marketPrices: Partial<Record<string, number>>;
  /** Those that are for sale. */
  colors: Color[];
}

/** What forms offer first once the model is known. */
export type ModelChoices = Pick<ModelFacts, "ram" | "rom" | "colors">;

/** The values of fields that follow from the model, and, for the market price, from the storage. */
export function valuesFromModel(facts: ModelFacts, typedRom: string | undefined): Record<string, string> {
  const { brandName, os, deviceType, processor, camera, battery, marketPrices } = facts;
  const ram = only(facts.ram);
  const rom = only(facts.rom);
  const marketPrice = marketPrices[typedRom || rom];
  return {
    ...{ brandName, ram, rom, os, deviceType, processor, camera, battery },
    marketPrice: marketPrice === undefined ? "" : String(marketPrice),
  };
}

/** The one choice, or none if there are several. */
const only = ([first = "", ...others]: string[]) => (others.length > 0 ? "" : first);

export const unknownModelText = "We don’t know this model yet. Type what it has.";
