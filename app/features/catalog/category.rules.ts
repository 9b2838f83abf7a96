import {
  type DeviceCategory,
  deviceCategoryKey,
  deviceTypes,
  operatingSystems,
} from "#app/db/device-enums.ts";
import { countLabel } from "#app/market.ts";

export interface Category {
  key: "products" | DeviceCategory;
  path: "/products" | "/android" | "/ios" | "/tablet";
  heading: string;
  name: string;
  noun: DeviceNoun;
  /** What the list offers, in a sentence for search engines and feeds. */
  summary: string;
  filter: CategoryFilter;
}

export interface CategoryFilter {
  os?: (typeof operatingSystems)[number];
  deviceType?: (typeof deviceTypes)[number];
}

export const categories: readonly Category[] = [
  {
    key: "products",
    path: "/products",
    heading: "All Products",
    name: "All Products",
    noun: "device",
    summary: "Used phones and tablets from their owners, newest first.",
    filter: {},
  },
  {
    key: "android",
    path: "/android",
    heading: "Android Devices",
    name: "Android",
    noun: "phone",
    summary: "Used Android phones from their owners, newest first.",
    filter: { os: "Android", deviceType: "Smart Phone" },
  },
  // The specification keeps this wrong heading of the iOS page on purpose.
  {
    key: "ios",
    path: "/ios",
    heading: "Android Devices",
    name: "IOS",
    noun: "phone",
    summary: "Used iPhones from their owners, newest first.",
    filter: { os: "Ios", deviceType: "Smart Phone" },
  },
  {
    key: "tablet",
    path: "/tablet",
    heading: "Tablets",
    name: "Tablets",
    noun: "tablet",
    summary: "Used tablets from their owners, newest first.",
    filter: { deviceType: "Tablet" },
  },
];

/** Null if a name is unknown, or if two names set the same property. Letter case is ignored. */
export function parseCategoryFilter(names: readonly string[]): CategoryFilter | null {
  const filter: CategoryFilter = {};
  for (const name of names) {
    const isName = (known: string) => known.toLowerCase() === name.toLowerCase();
    const os = operatingSystems.find(isName);
    const deviceType = deviceTypes.find(isName);
    if ((!os && !deviceType) || (os && filter.os) || (deviceType && filter.deviceType)) return null;
    Object.assign(filter, os ? { os } : { deviceType });
  }
  return filter;
}

export function categoryByDevice(device: { os: string; deviceType: string }): Category {
  return categoryByKey(deviceCategoryKey(device));
}

export function categoryByKey(key: Category["key"]): Category {
  return categories.find((category) => category.key === key) as Category;
}

/** By the first path segment, decoded and in any letter case as in the router. */
export function categoryByPath(pathname: string): Category {
  const segment = `/${decodeURIComponent(pathname.split("/")[1] ?? "").toLowerCase()}`;
  const category = categories.find(({ path }) => path === segment);
  if (!category) throw new Error(`No category at ${segment}`);
  return category;
}

/** Counting stops one above this. */
const maxCounted = 1000;

/** What the listings of a category are called: "phone", "tablet", or "device" for a mixed list. */
export type DeviceNoun = "device" | "phone" | "tablet";

/** A number of listings: "1 phone", "12,400 devices". */
export function devicesLabel(count: number, noun: DeviceNoun = "device"): string {
  return `${countLabel(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** A number of listings that was counted up to 1,001: "12 phones", "1,000+ devices". */
export function foundLabel(count: number, noun: DeviceNoun): string {
  return count > maxCounted ? `${countLabel(maxCounted)}+ ${noun}s` : devicesLabel(count, noun);
}
