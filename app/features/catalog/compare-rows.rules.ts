import { conditions } from "#app/db/enums.ts";
import { attributeNames, attributes, shownValue } from "../listings/attributes.ts";
import { comparisonKey } from "../listings/device-variant.rules.ts";
import type { PublishedListing } from "../listings/listings.server.ts";
import { priceDifferenceLabel, priceLabel } from "../listings/money.rules.ts";
import { sizeKey } from "../listings/size.rules.ts";
import { statusLabels } from "../listings/status.rules.ts";

export interface ComparedListing extends Omit<PublishedListing, "sellingReason" | "postDate"> {
  sellerId: string;
  sellerHasAccount: boolean;
  /** The usual price of its model and storage. */
  usualCents: number | null;
}

export interface CompareRow {
  key: string;
  name: string;
  /** One for each phone; null if not stated. */
  values: (string | null)[];
  differs: boolean;
  /** Whose value is the best of those stated; none if all are alike, or no value is better than another. */
  isBest: boolean[];
}

interface Property {
  key: string;
  name: string;
  value(phone: ComparedListing): string | null;
  /** What values are compared by, if not their text. */
  identity?(phone: ComparedListing): string;
}

const properties: readonly Property[] = [
  { key: "price", name: "Price", value: ({ sellingCents }) => priceLabel(sellingCents) },
  { key: "usual", name: "Usual price", value: usualLabel },
  ...attributeNames
    .filter((name) => name !== "brandName" && name !== "model")
    .map((name) => ({
      key: name,
      name: attributes[name].term,
      value: (phone: ComparedListing) => shownValue(name, phone),
    })),
  {
    key: "seller",
    name: "Seller",
    value: ({ sellerName }) => sellerName,
    identity: ({ sellerId }) => sellerId,
  },
  { key: "status", name: "Status", value: ({ status }) => statusLabels[status] },
];

/** How good a value is: the higher, the better. */
const grades: Partial<Record<string, (phone: ComparedListing) => number | null>> = {
  price: ({ sellingCents }) => -sellingCents,
  rom: ({ rom }) => Number(sizeKey(rom)) || null,
  ram: ({ ram }) => Number(sizeKey(ram)) || null,
  condition: ({ condition }) => condition && conditions.indexOf(condition),
  batteryHealth: ({ batteryHealth }) => batteryHealth,
};

function bestOf(key: string, phones: readonly ComparedListing[]): boolean[] {
  const values = phones.map((phone) => grades[key]?.(phone) ?? null);
  const stated = values.filter((value) => value !== null);
  const best = Math.max(...stated);
  return values.map((value) => value === best && stated.some((other) => other < best));
}

/** Without what no seller states. */
export function compareRows(phones: readonly ComparedListing[]): CompareRow[] {
  const rows = properties.map(
    ({ key, name, value, identity = (phone) => comparisonKey(value(phone) ?? "") }) => ({
      key,
      name,
      values: phones.map(value),
      differs: new Set(phones.map(identity)).size > 1,
      isBest: bestOf(key, phones),
    }),
  );
  return rows.filter(({ values }) => values.some((value) => value !== null));
}

function usualLabel({ sellingCents, usualCents }: ComparedListing): string | null {
  if (!usualCents) return null;
  return priceDifferenceLabel(sellingCents, usualCents) ?? "About the usual price";
}
