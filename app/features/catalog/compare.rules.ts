import { priceLabel, savingPercent } from "../listings/money.rules.ts";
import { usedTimeLabel } from "../listings/phone-dates.rules.ts";
import type { PhoneDetails } from "../listings/phones.server.ts";
import { listingId } from "./cursor.rules.ts";

/** Phones that can be compared at a time. */
export const maxCompared = 4;

/** A phone among others; prices in cents. */
export interface ComparedPhone extends Omit<PhoneDetails, "sellingReason" | "postDate"> {
  sellerId: string;
  /** Whether the seller still has an account here, and so a page. */
  sellerHasAccount: boolean;
}

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
export function parseCompareQuery(parameters: URLSearchParams): CompareQuery & { isCut: boolean } {
  const asked = parameters.getAll("ids").flatMap((ids) => ids.split(","));
  const ids = [...new Set(asked.map((id) => id.trim()))].filter((id) => listingId.test(id));
  return {
    ids: ids.slice(0, maxCompared),
    isCut: ids.length > maxCompared,
    onlyDifferences: parameters.get("differences") === "yes",
  };
}

/** The address of a comparison. */
export function comparePath({ ids, onlyDifferences }: CompareQuery): string {
  const parameters = new URLSearchParams(ids.map((id) => ["ids", id]));
  if (onlyDifferences) parameters.set("differences", "yes");
  const search = parameters.toString();
  return `/compare${search && `?${search}`}`;
}

/** A property of the phones that are compared. */
export interface CompareRow {
  /** "price" and "seller" are shown in a way of their own. */
  key: string;
  name: string;
  /** Of each phone; null where its seller does not say. */
  values: (string | null)[];
  differs: boolean;
}

interface Property {
  key: string;
  name: string;
  value(phone: ComparedPhone): string | null;
  /** What tells values apart, where it is not the text. */
  identity?(phone: ComparedPhone): string;
}

const statuses: Record<ComparedPhone["status"], string> = {
  available: "Available",
  reserved: "Reserved",
  sold: "Sold",
};

const properties: readonly Property[] = [
  { key: "price", name: "Price", value: ({ sellingCents }) => priceLabel(sellingCents) },
  { key: "saving", name: "Saving", value: savingLabel },
  { key: "condition", name: "Condition", value: ({ condition }) => condition },
  {
    key: "batteryHealth",
    name: "Battery health",
    value: ({ batteryHealth }) => (batteryHealth ? `${batteryHealth}%` : null),
  },
  { key: "rom", name: "Storage", value: ({ rom }) => rom },
  { key: "ram", name: "RAM", value: ({ ram }) => ram },
  { key: "processor", name: "Processor", value: ({ processor }) => processor },
  { key: "camera", name: "Camera", value: ({ camera }) => camera },
  { key: "battery", name: "Battery", value: ({ battery }) => battery },
  { key: "os", name: "OS", value: ({ os }) => os },
  { key: "deviceType", name: "Device type", value: ({ deviceType }) => deviceType },
  { key: "usedTime", name: "Used for", value: ({ usedTime }) => usedTimeLabel(usedTime) },
  {
    key: "seller",
    name: "Seller",
    value: ({ sellerName }) => sellerName,
    identity: ({ sellerId }) => sellerId,
  },
  { key: "status", name: "Status", value: ({ status }) => statuses[status] },
];

/** The properties of phones side by side, in the order in which they are shown. */
export function compareRows(phones: readonly ComparedPhone[]): CompareRow[] {
  return properties.map(({ key, name, value, identity = (phone) => folded(value(phone)) }) => ({
    key,
    name,
    values: phones.map(value),
    differs: new Set(phones.map(identity)).size > 1,
  }));
}

/** Sellers write "8GB" or "8 gb" as they like. */
function folded(value: string | null): string {
  return (value ?? "").toLowerCase().replace(/\s/g, "");
}

function savingLabel({ marketCents, sellingCents }: ComparedPhone): string {
  const saving = savingPercent({ marketCents, sellingCents });
  return saving > 0 ? `${priceLabel(marketCents - sellingCents)} (${saving}%)` : "No saving";
}
