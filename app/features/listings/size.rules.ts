import { plainLetters } from "#app/server/forms/sanitize-text.ts";

const kinds = {
  ram: "ram|memory",
  rom: "rom|storage|memory|internal(?: storage| memory)?",
};

/** As a regular expression. A letter alone may be the end of a name in a search: "11T". */
export const sizeUnits = "[tgm]i?b|gigs?|(?:tera|giga|mega)bytes?";

const patternOf = (words: string) =>
  new RegExp(
    `^(?:(?:${words})\\s*:?\\s*)?(\\d{1,5}(?:[.,]\\d{1,2})?)[\\s-]*(${sizeUnits}|[tgm])?(?:\\s*(?:of )?(?:${words}))?$`,
    "i",
  );
const patterns = { ram: patternOf(kinds.ram), rom: patternOf(kinds.rom) };

const megabytesIn: Record<string, number> = { t: 1024 ** 2, g: 1024, m: 1 };

/** Reads a storage or RAM as people type it: "256gb", "256 GB storage" and "256" are "256 GB"; null if there is more. */
export function readSize(typed: string, kind: keyof typeof kinds): string | null {
  const [, number, unit = "g"] = patterns[kind].exec(plainLetters(typed).trim()) ?? [];
  if (number === undefined) return null;
  const size = sizeLabel(`${number} ${unit}`);
  // "256 MB" and "8000 MB" are mistakes for GB.
  if (/^0/.test(size) || (size.endsWith("MB") && size !== "512 MB")) return null;
  // Storage of 1,000 GB is sold as one of 1 TB.
  return size.replace(/^(\d+)000 GB$/, "$1 TB");
}

/**
 * A storage or RAM as it is compared: the megabytes that it begins with, or the text itself. Listings from before sizes
 * were read have them as their sellers wrote them. `sizeKeyOf` is the same in SQL.
 */
export function sizeKey(size: string): number | string {
  const [, number, unit = ""] = /^(\d+(?:[.,]\d+)?)[\d.,\s]*(.?)/.exec(size) ?? [];
  return number === undefined
    ? size
    : Number(number.replace(",", ".")) * (megabytesIn[unit.toLowerCase()] ?? 1024);
}

/** A storage or RAM as filters name it: "128 GB". What begins with no size stays as it is. */
export function sizeLabel(size: string): string {
  const key = sizeKey(size);
  if (typeof key === "string") return key;
  if (key % 512 !== 0 || key < 1024) return `${key} MB`;
  return key % 1024 ** 2 === 0 ? `${key / 1024 ** 2} TB` : `${key / 1024} GB`;
}

/** Sorts by size; what is none comes last. */
export function compareSizes(one: string, other: string): number {
  const [first, second] = [one, other].map((size) => Number(sizeKey(size)) || Number.MAX_VALUE);
  return (first ?? 0) - (second ?? 0) || one.localeCompare(other, "en");
}
