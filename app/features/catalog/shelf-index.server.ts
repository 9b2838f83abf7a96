import { type SQL, sql } from "drizzle-orm";
import type { shelfValues } from "#app/db/schema.ts";
import type { Category } from "../phones/category.rules.ts";
import type { SearchOrder, SearchQuery } from "./search-query.rules.ts";
import { matchesNothing, priceMatch, wordsMatch } from "./search-words.rules.ts";

/** An index's place is a price times this, plus the number of the listing; see the migration `shelves`. */
export const placesPerCent = 2 ** 28;

/**
 * The index of each order, and whether its places are read upwards. A rowid is the place, or where the sign is -1 what
 * is left of it below nothing: FTS5 reads rowids upwards at a fraction of what it costs downwards.
 */
export const indexes: Record<SearchOrder, { index: SQL; sign: 1 | -1; ascending: boolean }> = {
  newest: { index: sql`shelf_newest`, sign: -1, ascending: false },
  "price-up": { index: sql`shelf_price`, sign: 1, ascending: true },
  "price-down": { index: sql`shelf_price`, sign: 1, ascending: false },
  saving: { index: sql`shelf_saving`, sign: -1, ascending: false },
};

/** What can be chosen, `all`, which every phone has, and variants. */
export type Kind = typeof shelfValues.$inferSelect.kind;

/** Values of one kind, any of which will do. */
export interface ChosenValues {
  kind: Kind;
  values: string[];
}

/** What every phone of a category has. */
export const everything: ChosenValues = { kind: "all", values: [""] };

const verified: ChosenValues = { kind: "verified", values: [""] };

/** What a query has chosen, kind by kind. */
export function choicesIn(query: SearchQuery): ChosenValues[] {
  const { brands, storage, ram, conditions, verifiedOnly, availableOnly } = query;
  const choices: ChosenValues[] = [
    { kind: "brand", values: brands },
    { kind: "storage", values: storage },
    { kind: "ram", values: ram },
    { kind: "condition", values: conditions },
    { kind: "verified", values: verifiedOnly ? [""] : [] },
    { kind: "available", values: availableOnly ? [""] : [] },
  ];
  return choices.filter(({ values }) => values.length > 0);
}

/** What all phones of a variant have in common, beside their words. */
const variantKinds: readonly Kind[] = ["brand", "storage", "ram"];

/**
 * Variants that are asked for one by one. Where there are more, words and choices are asked for as they are: each token
 * has to be looked up, which costs most where reading begins far from the start or goes downwards.
 */
export const mostVariants = 16;

/** Behind a variant's token: its phones of verified sellers. */
const verifiedEnding = "\uE000";

/** Whether a query says something of variants that is more than one token. */
export function seeksVariants(query: SearchQuery): boolean {
  return wordsMatch(query.words) !== null || variantChoices(query).length > 1;
}

/** What is chosen of each phone by itself, whichever its variant. */
export function ownChoices(query: SearchQuery): ChosenValues[] {
  return choicesIn(query).filter(({ kind }) => !variantKinds.includes(kind));
}

function variantChoices(query: SearchQuery): ChosenValues[] {
  return choicesIn(query).filter(({ kind }) => variantKinds.includes(kind));
}

/**
 * What the index is asked for, as FTS5 has it. Choices stand there as tokens, which the database alone knows, and so do
 * words, with whatever else variants say, as long as few variants match.
 */
export function matchOf(shelf: Category, query: SearchQuery, withPrices: boolean): SQL {
  const seeks = seeksVariants(query);
  const chosen = seeks
    ? [variantTokens(shelf, query)]
    : variantChoices(query).map((choice) => tokensOf(shelf, choice));
  for (const choice of ownChoices(query)) {
    const said = choice.kind === "available" || (choice.kind === "verified" && seeks);
    if (!said) chosen.push(tokensOf(shelf, choice));
  }
  const priced = withPrices && (query.fromCents !== null || query.toCents !== null);
  const all = allOf(shelf, chosen, priced ? priceMatch(query.fromCents, query.toCents) : null);
  // The token of what is available stands with the few phones that are not.
  return query.availableOnly
    ? sql`'(' || ${all} || ') NOT ' || ${tokensOf(shelf, { kind: "available", values: [""] })}`
    : all;
}

/** The tokens of the variants that match, or where they are many, what they are sought by; of verified sellers' phones. */
function variantTokens(shelf: Category, query: SearchQuery): SQL {
  const [token, others] = query.verifiedOnly
    ? [sql`token || ${verifiedEnding}`, sql` || ' AND ' || ${tokensOf(shelf, verified)}`]
    : [sql`token`, sql``];
  return sql`(${sought(shelf, query)} select iif(count(*) > ${mostVariants}, (select text${others} from sought),
    coalesce('(' || group_concat(${token}, ' OR ') || ')', ${matchesNothing})) from (${foundVariants("token", mostVariants + 1)}))`;
}

/** What variants are sought by, as the one row of `sought`. */
export function sought(shelf: Category, query: SearchQuery): SQL {
  const choices = variantChoices(query).map((choice) => tokensOf(shelf, choice));
  return sql`with sought as materialized (select ${allOf(shelf, choices, wordsMatch(query.words))} as text)`;
}

/** The counts or tokens of variants that match what is `sought`, as many as the limit says. */
export function foundVariants(column: "count" | "token", limit: number): SQL {
  return sql`select ${sql.raw(column)} from sought cross join shelf_variants
    cross join shelf_values on shelf_values.number = shelf_variants.rowid
    where shelf_variants match sought.text limit ${limit}`;
}

/** All of this, on one shelf. What is chosen is chosen of one shelf, so the shelf needs no saying beside it. */
function allOf(shelf: Category, chosen: SQL[], text: string | null): SQL {
  const narrowed = chosen.length > 0 || (text !== null && shelfName(shelf) === "products");
  const parts = narrowed ? [...chosen] : [tokensOf(shelf, everything)];
  if (text !== null) parts.push(sql`${text}`);
  return sql.join(parts, sql` || ' AND ' || `);
}

function tokensOf(shelf: Category, choice: ChosenValues): SQL {
  const tokens = valueRows(sql`'(' || group_concat(token, ' OR ') || ')'`, shelf, choice);
  return sql`coalesce((${tokens}), ${matchesNothing})`;
}

/** A column of what is chosen, as far as any phone ever had it. */
export function valueRows(
  column: SQL,
  shelf: Category,
  { kind, values: [first = "", ...others] }: ChosenValues,
): SQL {
  const chosen =
    others.length === 0
      ? sql`= ${first}`
      : sql`in (select json_each.value from json_each(${JSON.stringify([first, ...others])}))`;
  return sql`select ${column} from shelf_values where shelf = ${shelfName(shelf)} and kind = ${kind} and value ${chosen}`;
}

/** The first and the last place that a query's prices have in the index by price. */
export function priceBounds({ fromCents, toCents }: SearchQuery): [number, number] {
  const from = (fromCents ?? 0) * placesPerCent;
  const to = toCents === null ? Number.MAX_SAFE_INTEGER : (toCents + 1) * placesPerCent - 1;
  return [Math.min(from, Number.MAX_SAFE_INTEGER), Math.min(to, Number.MAX_SAFE_INTEGER)];
}

/** Rowids, both ends included, as whole numbers: numbers of JavaScript may arrive as others. */
export function between(first: number, last: number): SQL {
  return sql`rowid >= cast(${first} as integer) and rowid <= cast(${last} as integer)`;
}

/** What the database calls a shelf. */
export function shelfName(shelf: Category) {
  return shelf.path.slice(1) as typeof shelfValues.$inferSelect.shelf;
}
