import { foreignCarriers, market, otherCarriers } from "#app/market.ts";
import { filterValues } from "../typed-words.ts";
import { facets } from "./facets.rules.ts";

/** The phrases of a table: separated by commas, with alternatives in parentheses, "(no|few) dents, boxed". */
export function phrasesOf(table: string): string[] {
  if (table.includes(",")) return table.split(/,\s*/).flatMap(phrasesOf);
  const [group, choices = ""] = /\(([^()]*)\)/.exec(table) ?? [];
  if (group === undefined) return [table];
  return choices.split("|").flatMap((choice) => phrasesOf(table.replace(group, choice)));
}

/** The phrases for the values of each filter. */
export const filterWords = facets.flatMap(({ name, compares, values = [] }) => [
  ...(compares === "one of" ? values.map((value) => ({ name, value, table: value.toLowerCase() })) : []),
  ...Object.entries(filterValues[name] ?? {}).map(([value, table]) => ({ name, value, table })),
]);

/** Carriers as people type them: "t-mobile" is also "tmobile", "at&t" also "att". An unlocked device works with each. */
export const carriers = [...otherCarriers, ...foreignCarriers, ...market.carriers].map((name) => ({
  name,
  table: `(${name.toLowerCase()}|${name.toLowerCase().replace(/\W/g, "")})( wireless| network|)`,
}));

/** A regular expression, compiled when it is first used. */
export function lazyPattern(source: string): () => RegExp {
  let expression: RegExp | undefined;
  return () => {
    expression ??= new RegExp(source, "giu");
    return expression;
  };
}

export const wordsPattern = (words: string) =>
  lazyPattern(`(?<![\\p{L}\\p{N}])(?:${words})(?![\\p{L}\\p{N}])`);
