import { priceLabel, savingPercent } from "../phones/money.rules.ts";
import { usedFor } from "../phones/phone-dates.rules.ts";
import type { ComparedPhone } from "./compare.server.ts";
import { listingId } from "./cursor.rules.ts";

/** Phones that can be compared at a time. */
export const mostCompared = 4;

/** What is compared, as the address says it. */
export interface CompareQuery {
  /** Each once, in the order in which they were chosen. */
  ids: string[];
  /** Leave out the properties that all phones have in common. */
  onlyDifferences: boolean;
}

/**
 * Reads a comparison from an address: `ids` repeated, or separated by commas. Nonsense is ignored.
 *
 * @returns with whether more phones were asked for than can be compared
 */
export function compareQuery(parameters: URLSearchParams): CompareQuery & { isCut: boolean } {
  const asked = parameters.getAll("ids").flatMap((ids) => ids.split(","));
  const ids = [...new Set(asked.map((id) => id.trim()))].filter((id) => listingId.test(id));
  return {
    ids: ids.slice(0, mostCompared),
    isCut: ids.length > mostCompared,
    onlyDifferences: parameters.get("differences") === "yes",
  };
}

/** The address of a comparison. */
export function compareAddress({ ids, onlyDifferences }: CompareQuery): string {
  const parameters = new URLSearchParams(ids.map((id) => ["ids", id]));
  if (onlyDifferences) parameters.set("differences", "yes");
  const search = parameters.toString();
  return `/compare${search && `?${search}`}`;
}

/** A property of the phones that are compared. */
export interface CompareRow {
  name: string;
  /** Of each phone; null where its seller does not say. */
  values: (string | null)[];
  differs: boolean;
}

interface Property {
  name: string;
  value(phone: ComparedPhone): string | null;
  /** What tells values apart, where it is not the text. */
  key?(phone: ComparedPhone): string;
}

const statuses: Record<ComparedPhone["status"], string> = {
  available: "Available",
  reserved: "Reserved",
  sold: "Sold",
};

const properties: readonly Property[] = [
  { name: "Price", value: ({ sellingCents }) => priceLabel(sellingCents) },
  { name: "Saving", value: savingLabel },
  { name: "Condition", value: ({ condition }) => condition },
  { name: "Battery health", value: ({ batteryHealth }) => (batteryHealth ? `${batteryHealth}%` : null) },
  { name: "Storage", value: ({ rom }) => rom },
  { name: "RAM", value: ({ ram }) => ram },
  { name: "Processor", value: ({ processor }) => processor },
  { name: "Camera", value: ({ camera }) => camera },
  { name: "Battery", value: ({ battery }) => battery },
  { name: "OS", value: ({ os }) => os },
  { name: "Device type", value: ({ deviceType }) => deviceType },
  { name: "Used for", value: ({ usedTime }) => usedFor(usedTime) },
  { name: "Seller", value: ({ sellerName }) => sellerName, key: ({ sellerId }) => sellerId },
  { name: "Status", value: ({ status }) => statuses[status] },
];

/** The properties of phones side by side, in the order in which they are shown. */
export function compareRows(phones: readonly ComparedPhone[]): CompareRow[] {
  return properties.map(({ name, value, key = (phone) => folded(value(phone)) }) => ({
    name,
    values: phones.map(value),
    differs: new Set(phones.map(key)).size > 1,
  }));
}

/** Sellers write "8GB" or "8 gb" as they like. */
function folded(value: string | null): string {
  return (value ?? "").toLowerCase().replace(/\s/g, "");
}

function savingLabel({ marketCents, sellingCents }: ComparedPhone): string {
  const saving = savingPercent({ marketCents, sellingCents });
  return saving > 0 ? `${priceLabel(marketCents - sellingCents)} (${saving}%)` : "None";
}
