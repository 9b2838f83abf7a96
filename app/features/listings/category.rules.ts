import { type DeviceCategory, deviceTypes, operatingSystems } from "#app/db/values.ts";

/** One of the four product lists: where it is, what it is called, and which phones stand on it. */
export interface Category {
  /** What the database calls it. */
  key: "products" | DeviceCategory;
  path: "/products" | "/android" | "/ios" | "/tablet";
  heading: string;
  /** Short name for links and the page title. */
  name: string;
  only: { os?: (typeof operatingSystems)[number]; deviceType?: (typeof deviceTypes)[number] };
}

export const categories: readonly Category[] = [
  { key: "products", path: "/products", heading: "All Products", name: "All Products", only: {} },
  {
    key: "android",
    path: "/android",
    heading: "Android Devices",
    name: "Android",
    only: { os: "Android", deviceType: "Smart Phone" },
  },
  // The original's slip, kept by the specification: the iOS page is headed "Android Devices".
  {
    key: "ios",
    path: "/ios",
    heading: "Android Devices",
    name: "IOS",
    only: { os: "Ios", deviceType: "Smart Phone" },
  },
  { key: "tablet", path: "/tablet", heading: "Tablets", name: "Tablets", only: { deviceType: "Tablet" } },
];

/**
 * What names of systems and of device types choose together, in any letter case.
 *
 * @returns null when a name means neither, or two of them say different things of one
 */
export function parseCategoryFilter(names: readonly string[]): Category["only"] | null {
  const only: Category["only"] = {};
  for (const name of names) {
    const isName = (known: string) => known.toLowerCase() === name.toLowerCase();
    const os = operatingSystems.find(isName);
    const deviceType = deviceTypes.find(isName);
    if ((!os && !deviceType) || (os && only.os) || (deviceType && only.deviceType)) return null;
    Object.assign(only, os ? { os } : { deviceType });
  }
  return only;
}

/** The category of a device. */
export function deviceCategoryKey({ os, deviceType }: { os: string; deviceType: string }): DeviceCategory {
  if (deviceType === "Tablet") return "tablet";
  return os === "Ios" ? "ios" : "android";
}

/** The list of a device's category. */
export function categoryByDevice(device: { os: string; deviceType: string }): Category {
  return categoryByKey(deviceCategoryKey(device));
}

/** The category that the database calls so. */
export function categoryByKey(key: Category["key"]): Category {
  return categories.find((category) => category.key === key) as Category;
}

/** The category a path belongs to, judged by its first segment as the router does: decoded, without regard to case. */
export function categoryByPath(pathname: string): Category {
  const segment = `/${decodeURIComponent(pathname.split("/")[1] ?? "").toLowerCase()}`;
  const category = categories.find(({ path }) => path === segment);
  if (!category) throw new Error(`No category at ${segment}`);
  return category;
}
