import { deviceTypes, operatingSystems } from "#app/db/values.ts";

/** One of the four product lists: where it is, what it is called, and which phones stand on it. */
export interface Category {
  path: "/products" | "/android" | "/ios" | "/tablet";
  heading: string;
  /** Short name for links and the page title. */
  name: string;
  only: { os?: (typeof operatingSystems)[number]; deviceType?: (typeof deviceTypes)[number] };
}

export const categories: readonly Category[] = [
  { path: "/products", heading: "All Products", name: "All Products", only: {} },
  {
    path: "/android",
    heading: "Android Devices",
    name: "Android",
    only: { os: "Android", deviceType: "Smart Phone" },
  },
  // The original's slip, kept by the specification: the iOS page is headed "Android Devices".
  { path: "/ios", heading: "Android Devices", name: "IOS", only: { os: "Ios", deviceType: "Smart Phone" } },
  { path: "/tablet", heading: "Tablets", name: "Tablets", only: { deviceType: "Tablet" } },
];

/**
 * What names of systems and of device types choose together, in any letter case.
 *
 * @returns null when a name means neither, or two of them say different things of one
 */
export function chosenBy(names: readonly string[]): Category["only"] | null {
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

/** The narrowest category that a phone stands on, or stood on before it was sold. */
export function ownCategory({ os, deviceType }: Required<Category["only"]>): Category {
  const category = categories.findLast(
    ({ only }) => (!only.os || only.os === os) && (!only.deviceType || only.deviceType === deviceType),
  );
  if (!category) throw new Error(`No category for ${os} and ${deviceType}`);
  return category;
}

/** The category a path belongs to, judged by its first segment as the router does: decoded, without regard to case. */
export function categoryAt(pathname: string): Category {
  const segment = `/${decodeURIComponent(pathname.split("/")[1] ?? "").toLowerCase()}`;
  const category = categories.find(({ path }) => path === segment);
  if (!category) throw new Error(`No category at ${segment}`);
  return category;
}
