import { attributeNames, attributes, shownValue } from "../listings/attributes.ts";
import { comparisonKey } from "../listings/device-variant.rules.ts";
import { priceDifferenceLabel, priceLabel } from "../listings/money.rules.ts";
import type { PhoneDetails } from "../listings/phones.server.ts";
import { statusLabels } from "../listings/status.rules.ts";

export interface ComparedPhone extends Omit<PhoneDetails, "sellingReason" | "postDate"> {
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
}

interface Property {
  key: string;
  name: string;
  value(phone: ComparedPhone): string | null;
  /** What values are compared by, if not their text. */
  identity?(phone: ComparedPhone): string;
}

const properties: readonly Property[] = [
  { key: "price", name: "Price", value: ({ sellingCents }) => priceLabel(sellingCents) },
  { key: "usual", name: "Usual price", value: usualLabel },
  ...attributeNames
    .filter((name) => name !== "brandName" && name !== "model")
    .map((name) => ({
      key: name,
      name: attributes[name].term,
      value: (phone: ComparedPhone) => shownValue(name, phone),
    })),
  {
    key: "seller",
    name: "Seller",
    value: ({ sellerName }) => sellerName,
    identity: ({ sellerId }) => sellerId,
  },
  { key: "status", name: "Status", value: ({ status }) => statusLabels[status] },
];

/** Without what no seller states. */
export function compareRows(phones: readonly ComparedPhone[]): CompareRow[] {
  const rows = properties.map(
    ({ key, name, value, identity = (phone) => comparisonKey(value(phone) ?? "") }) => ({
      key,
      name,
      values: phones.map(value),
      differs: new Set(phones.map(identity)).size > 1,
    }),
  );
  return rows.filter(({ values }) => values.some((value) => value !== null));
}

function usualLabel({ sellingCents, usualCents }: ComparedPhone): string | null {
  if (!usualCents) return null;
  return priceDifferenceLabel(sellingCents, usualCents) ?? "About the usual price";
}
