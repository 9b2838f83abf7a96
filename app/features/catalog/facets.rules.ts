import { conditions } from "#app/db/values.ts";

/** A value that can be chosen, and how many phones of the category have it. */
export type Choice = [value: string, count: number];

/** What can be chosen beside a list, counted over the whole category whatever else is chosen. */
export interface Choices {
  /** Biggest first, then by name. */
  brands: Choice[];
  /** By size. */
  storage: Choice[];
  ram: Choice[];
  /** Best first. */
  conditions: Choice[];
  /** Phones of verified sellers, and phones nobody has reserved. */
  verified: number;
  available: number;
}

/** Puts counted values in the order in which they are shown. */
export function choicesOf(counted: readonly { kind: string; value: string; count: number }[]): Choices {
  const of = (kind: string) =>
    counted.filter((row) => row.kind === kind).map(({ value, count }): Choice => [value, count]);
  return {
    brands: of("brand").sort((one, other) => other[1] - one[1] || byName(one, other)),
    storage: bySize(of("storage")),
    ram: bySize(of("ram")),
    conditions: of("condition").sort((one, other) => grade(other) - grade(one)),
    verified: of("verified")[0]?.[1] ?? 0,
    available: of("available")[0]?.[1] ?? 0,
  };
}

function grade([value]: Choice): number {
  return (conditions as readonly string[]).indexOf(value);
}

function byName([one]: Choice, [other]: Choice): number {
  return one.localeCompare(other, "en");
}

function bySize(choices: Choice[]): Choice[] {
  return choices
    .map((choice) => ({ choice, size: megabytes(choice[0]) }))
    .sort((one, other) => one.size - other.size || byName(one.choice, other.choice))
    .map(({ choice }) => choice);
}

/** How much a seller's "128 GB" is; what is no size comes last. */
function megabytes(value: string): number {
  const [, number, unit = "gb"] = /^\s*(\d+(?:\.\d+)?)\s*([tgm]b?)?\b/i.exec(value) ?? [];
  if (number === undefined) return Number.MAX_VALUE;
  const units: Record<string, number> = { t: 1024 * 1024, g: 1024, m: 1 };
  return Number(number) * (units[unit.charAt(0).toLowerCase()] ?? 1);
}
