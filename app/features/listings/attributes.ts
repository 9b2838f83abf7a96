import { colors, conditions, offersWelcomeChoices } from "#app/db/device-enums.ts";
import type { phones } from "#app/db/schema.ts";
import { exampleCity, market, nearby, offerTerms } from "#app/market.ts";
import { asCity, citiesNear, cityNames } from "./cities.rules.ts";

type ListingRow = typeof phones.$inferSelect;

/** A filter of the lists. It compares the attribute's column. */
export interface AttributeFilter {
  /** The query parameter. */
  name: string;
  legend: string;
  /** All listings of a device variant have the same value, so the column is one of `deviceVariants`. */
  ofVariant?: true;
  /** The name of that column, if it is another one there. */
  property?: "brand";
  compares: "one of" | "group" | "at least" | "yes";
  /** For "group": the column's values that a value stands for. */
  groups?(value: string): readonly string[];
  /** The value of the column that "yes" stands for. */
  yes?: true | string;
  /** The one that "yes" leaves out. */
  except?: string;
  /** All values in display order; left out for free text of sellers. */
  values?: readonly string[];
  /** The values are brands, which are found in each spelling. */
  areBrands?: true;
  /** The values are sizes and sorted so; others of sellers come with the most frequent first. */
  areSizes?: true;
  /** A value is typed, in any spelling that this knows, rather than chosen. */
  spelled?(typed: string): string;
  /** The label of the choice, unless it is the value ("one of") or that of the filter once it is applied. */
  label?(value: string): string;
  chip(value: string): string;
}

export interface Attribute {
  /** On pages. The specification has words of its own for the form of a new listing. */
  term: string;
  /** Stated after publishing, or not at all: one of the `choices`, a percentage, or a text of up to `maxLength`. */
  optional?: true;
  /** The words for each code that is stored. */
  choices?: Readonly<Record<string, string>>;
  maxLength?: number;
  /** Texts that the form suggests. */
  suggested?: readonly string[];
  /** The text as it is stored. */
  spelled?(text: string): string;
  /** What it means if it isn't stated, in place of "Not stated". */
  unstated?: string;
  /** The lowest percentage that is believable. */
  minPercent?: number;
  placeholder?: string;
  hint?: string;
  /** The value on pages, if it is neither as it is stored nor one of the choices. */
  shown?(value: string): string;
  /** Cards show it, with the words that it needs there. */
  onCard?(value: string): string;
  /** Cannot change while the device is reserved. */
  identifies?: true;
  /** Model pages list its values. */
  ofModel?: true;
  filter?: AttributeFilter;
}

/** Codes that are words. */
const sameWords = <Code extends string>(codes: readonly Code[]) => recordOf(codes, (code) => code);

/**
 * For each value of the filter, the carrier locks it finds. Unlocked devices work on every carrier. Links and saved
 * searches hold the names of carriers, as in `?unlocked=Verizon`.
 */
const carrierLocks: Record<string, readonly string[]> = {
  yes: ["unlocked"],
  ...recordOf(market.carriers, (carrier) => ["unlocked", carrier]),
};

const carrierLabel = (value: string) => (value === "yes" ? "Unlocked only" : `Works on ${value}`);

/**
 * What a listing says about its device, in the order in which pages show it. Forms, pages, the comparison, structured
 * data, the API, exports, filters and saved searches follow from it: docs/recipes.md#add-a-field-to-a-listing. An
 * optional one without a column of its own is kept in the column `details`.
 */
export const attributes = {
  brandName: {
    term: "Brand",
    identifies: true,
    filter: {
      name: "brand",
      legend: "Brand",
      property: "brand",
      ofVariant: true,
      areBrands: true,
      compares: "one of",
      chip: (value) => value,
    },
  },
  model: { term: "Model", identifies: true },
  rom: {
    term: "Storage",
    identifies: true,
    ofModel: true,
    filter: {
      name: "rom",
      legend: "Storage",
      ofVariant: true,
      areSizes: true,
      compares: "one of",
      chip: (value) => `${value} storage`,
    },
  },
  ram: {
    term: "RAM",
    identifies: true,
    ofModel: true,
    filter: {
      name: "ram",
      legend: "RAM",
      ofVariant: true,
      areSizes: true,
      compares: "one of",
      chip: (value) => `${value} RAM`,
    },
  },
  condition: {
    term: "Condition",
    optional: true,
    choices: sameWords(conditions),
    filter: {
      name: "condition",
      legend: "Condition",
      compares: "one of",
      values: conditions.toReversed(),
      chip: (value) => `${value} condition`,
    },
  },
  scratches: {
    term: "Scratches",
    optional: true,
    choices: {
      none: "None",
      light: "Light, seen up close",
      deep: "Deep, seen at arm’s length",
      cracks: "Cracks or dents",
    },
  },
  batteryHealth: {
    term: "Battery health",
    optional: true,
    minPercent: 50,
    placeholder: "87",
    hint: "In percent, 50 to 100. Check your device’s battery settings.",
    shown: (value) => `${value}%`,
    onCard: (value) => `Battery ${value}%`,
    filter: {
      name: "battery",
      legend: "Battery health",
      compares: "at least",
      values: ["80", "85", "90", "95", "100"],
      label: (value) => (value === "100" ? "100%" : `At least ${value}%`),
      chip: (value) => (value === "100" ? "Battery 100%" : `Battery at least ${value}%`),
    },
  },
  color: {
    term: "Color",
    optional: true,
    choices: sameWords(colors),
    onCard: String,
    filter: {
      name: "color",
      legend: "Color",
      compares: "one of",
      values: colors,
      chip: (value) => value,
    },
  },
  carrierLock: {
    term: "Carrier lock",
    optional: true,
    choices: {
      unlocked: "Unlocked",
      ...recordOf(market.carriers, (carrier) => `Locked to ${carrier}`),
      other: "Locked to another carrier",
    },
    onCard: String,
    filter: {
      name: "unlocked",
      legend: "Carrier",
      compares: "group",
      groups: (value) => carrierLocks[value] ?? [],
      values: Object.keys(carrierLocks),
      label: carrierLabel,
      chip: carrierLabel,
    },
  },
  repairs: {
    term: "Repairs",
    optional: true,
    choices: {
      none: "None",
      battery: "Battery replaced",
      screen: "Screen replaced",
      "battery and screen": "Battery and screen replaced",
      other: "Other parts replaced",
    },
  },
  inTheBox: {
    term: "In the box",
    optional: true,
    choices: {
      device: "Device only",
      cable: "Device and cable",
      charger: "Device, cable and charger",
      everything: "Everything it came with",
    },
  },
  processor: { term: "Processor", ofModel: true },
  camera: { term: "Camera", ofModel: true },
  battery: { term: "Battery", ofModel: true },
  os: { term: "OS", identifies: true, ofModel: true },
  deviceType: { term: "Device type", identifies: true, ofModel: true },
  usedTime: { term: "Used for", shown: usedTimeLabel },
  delivery: {
    term: "Delivery",
    optional: true,
    choices: { shipped: "Shipped", "in person": "In person", either: "Shipped or in person" },
  },
  city: {
    term: "City",
    optional: true,
    maxLength: 60,
    placeholder: exampleCity,
    suggested: cityNames,
    spelled: asCity,
    hint: "Where you ship from or meet. Buyers find the suggested ones by distance. No street, please: they get that from you.",
    filter: {
      name: "near",
      legend: `City, within ${nearby}`,
      compares: "group",
      groups: citiesNear,
      values: cityNames,
      spelled: asCity,
      chip: (city) => `Within ${nearby} of ${city}`,
    },
  },
  offersWelcome: {
    term: "Offers welcome",
    optional: true,
    unstated: offersWelcomeChoices[0],
    choices: sameWords(offersWelcomeChoices),
    hint: `Buyers can offer ${offerTerms.minPercent}% to ${offerTerms.maxPercent}% of your price, unless you choose No.`,
  },
} as const satisfies Record<string, Attribute>;

export type AttributeName = keyof typeof attributes;

/** The attributes with a property, as "optional". */
type AttributeWith<Property extends keyof Attribute> = {
  [Name in AttributeName]: (typeof attributes)[Name] extends Record<Property, unknown> ? Name : never;
}[AttributeName];

export type OptionalName = AttributeWith<"optional">;
/** The attributes in the column `details`. */
export type DetailName = Exclude<OptionalName, keyof typeof phones.$inferInsert>;
type CardName = AttributeWith<"onCard">;
export type ModelName = AttributeWith<"ofModel">;
export type AttributeFilterName = (typeof attributes)[AttributeWith<"filter">]["filter"]["name"];

export function attributesWith<Property extends keyof Attribute>(property: Property) {
  return attributeNames.filter((name) => property in attributes[name]) as AttributeWith<Property>[];
}

/** An object with a value for each name. */
export function recordOf<Name extends string, Value>(names: readonly Name[], value: (name: Name) => Value) {
  return Object.fromEntries(names.map((name) => [name, value(name)])) as Record<Name, Value>;
}

export const attributeNames = Object.keys(attributes) as AttributeName[];

/** The attributes with a filter in which listings of one variant may differ. */
export const listingFilterNames = attributesWith("filter").filter(
  (name) => !("ofVariant" in attributes[name].filter),
);

/** Some attributes of a listing; null if they are not stated. */
export type Stated<Name extends AttributeName = AttributeName> = {
  [One in Name]: One extends keyof ListingRow ? ListingRow[One] : string | null;
};

/** A row whose columns may be missing where they may be null. */
type StatedOnly<Row> = {
  [Name in keyof Row as null extends Row[Name] ? never : Name]: Row[Name];
} & { [Name in keyof Row as null extends Row[Name] ? Name : never]?: NonNullable<Row[Name]> };

/** Leaves out what is not stated, null or undefined. */
export function statedOnly<Row extends object>(row: Row): StatedOnly<Row> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value != null)) as StatedOnly<Row>;
}

/** The words for the stored value of a field; a value that is no choice is what it is. */
export function inWords<Value>(name: string, value: Value): Value | string {
  const attribute = (attributes as Partial<Record<string, Attribute>>)[name];
  return attribute?.choices?.[String(value)] ?? value;
}

/** A row of a listing with words in place of codes, as the API and files have it. */
export function rowInWords<Row extends object>(row: Row): Row {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, inWords(name, value)])) as Row;
}

/** A listing's value as pages show it; null if it is not stated. */
export function shownValue<Name extends AttributeName>(name: Name, listing: Stated<Name>): string | null {
  const value: unknown = listing[name];
  const { shown = String }: Attribute = attributes[name];
  return value === null ? null : shown(String(inWords(name, value)));
}

/** The attributes of a listing, with the names that pages show; values are null if they are not stated. */
export function allFacts(listing: Stated) {
  return attributeNames.map((name) => {
    const { term, unstated }: Attribute = attributes[name];
    return { name, term, value: shownValue(name, listing) ?? unstated ?? null };
  });
}

/** What a listing states. */
export function statedFacts(listing: Stated, without: AttributeName[] = []) {
  return allFacts(listing).filter(
    (fact): fact is typeof fact & { value: string } =>
      listing[fact.name] !== null && !without.includes(fact.name),
  );
}

/** What a card adds to brand, model, RAM, storage and condition. */
export function cardFacts(listing: Partial<Stated<CardName>>): string[] {
  return attributesWith("onCard").flatMap((name) => {
    const value = listing[name];
    return value ? [attributes[name].onCard(String(inWords(name, value)))] : [];
  });
}

/** Facts, each behind its dot, for lines that cut off a dot at their beginning. They break between facts alone. */
export const dottedFacts = (facts: string[]) =>
  facts.map((fact) => `· ${fact}`.replaceAll(" ", "\u00A0")).join(" ");

/** How long a phone was used. Sellers enter a number of months or free text. */
function usedTimeLabel(usedTime: string): string {
  if (!/^\d+$/.test(usedTime)) return usedTime;
  return usedTime === "1" ? "1 month" : `${usedTime} months`;
}
