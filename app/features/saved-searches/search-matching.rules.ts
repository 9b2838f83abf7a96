import type { Category } from "../catalog/category.rules.ts";
import { type Facet, facets } from "../catalog/search/facets.rules.ts";
import type { SearchQuery } from "../catalog/search/search-query.rules.ts";
import { dividedWords, ftsQuery, prefixesAt } from "../catalog/search/search-words.rules.ts";
import { brandKey } from "../listings/device-variant.rules.ts";
import { sizeLabel } from "../listings/size.rules.ts";

/** What a listing must have to match a search, besides its price: a token of each clause must be in its text, or be absent. */
export type Clauses = string[][];

/** What a listing has of the properties that searches filter by, and the words and category of its variant. */
export type MatchedListing = {
  searchText: string;
  category: string;
  /** The keys of all spellings of its brand. */
  brandKeys: string[];
  rom: string;
  ram: string;
} & { [property in Facet["property"]]?: unknown };

/** Characters of a word that the inverted index of searches has. */
const maxKeyLength = 12;

/** Begins a token that a listing's text must not have. */
export const absence = "-";

/** The key of searches without clauses of what a listing has. */
const anyListing = "";

/** The beginning of a word in a listing's text. */
const wordToken = (prefix: string) => `\t${prefix}`;

/** A property in a listing's text. */
const propertyToken = (name: string, value: string) =>
  `\n${name}=${value.toLowerCase().replaceAll("\n", " ")}\n`;

/** The clauses of a search, those that are likely to be the rarest first. The price range is not among them. */
export function searchClauses(category: Pick<Category, "key">, { words, filters }: SearchQuery): Clauses {
  const { models, excluded } = dividedWords(words);
  return [
    ...requiredPrefixes(models).map((prefixes) => prefixes.map(wordToken)),
    ...facets
      // Only available listings are matched.
      .filter(({ name }) => name !== "available" && filters[name].length > 0)
      .map(({ name, areBrands }) =>
        filters[name].map((value) => propertyToken(name, areBrands ? brandKey(value) : value)),
      ),
    ...(category.key === "products" ? [] : [[propertyToken("category", category.key)]]),
    ...excluded.map((prefix) => [`${absence}${wordToken(prefix)}`]),
  ];
}

/**
 * For each typed word, the prefixes of which a word of the variant must have one. Of several models, a variant must have all
 * words of one: each word of it with each of the others, without those that a shorter choice implies.
 */
function requiredPrefixes(models: string[][]): string[][] {
  const [model = [], ...others] = models;
  if (others.length === 0) return model.map((_, at) => prefixesAt(model, at));
  const choices = models.reduce<string[][]>(
    (some, model) =>
      some.flatMap((prefixes) => model.map((_, at) => [...new Set([...prefixes, ...prefixesAt(model, at)])])),
    [[]],
  );
  const sorted = choices.sort((one, other) => one.length - other.length);
  return sorted.filter(
    (one, at) => !sorted.slice(0, at).some((other) => other.every((prefix) => one.includes(prefix))),
  );
}

/** An FTS5 query of the variants that pass each clause of words alone, which `searchClauses` puts first. */
export function wordQueries(clauses: Clauses): string[] {
  return clauses
    .filter((tokens) => tokens.every((token) => token.startsWith("\t")))
    .map((tokens) => ftsQuery(tokens.map((token) => token.slice(1))));
}

/** The keys under which a search is indexed: a listing that passes the clause has one of them. */
export function searchKeys(clause: string[] | undefined): string[] {
  return clause && !clause.some((token) => token.startsWith(absence))
    ? [...new Set(clause.map(keyOf))]
    : [anyListing];
}

/** The text of a listing that clauses are compared with: its words and its properties. */
export function listingText(listing: MatchedListing): string {
  const words = listing.searchText.split(" ").map(wordToken);
  return [...words, ...propertyTokens(listing)].join("");
}

/** The keys of all searches that a listing may match. */
export function searchKeysOfListing(listing: MatchedListing): string[] {
  const prefixes = listing.searchText
    .split(" ")
    .flatMap((word) =>
      Array.from({ length: Math.min(word.length, maxKeyLength) }, (_, at) => word.slice(0, at + 1)),
    );
  return [...new Set([anyListing, ...prefixes.map(wordToken), ...propertyTokens(listing)])];
}

function keyOf(token: string): string {
  return token.startsWith("\t") ? token.slice(0, 1 + maxKeyLength) : token;
}

function propertyTokens(listing: MatchedListing): string[] {
  return [
    propertyToken("category", listing.category),
    ...facets.flatMap((facet) => {
      const values = facet.areBrands
        ? listing.brandKeys
        : passedValues(facet, listing[facet.property] ?? null);
      return values.map((value) => propertyToken(facet.name, value));
    }),
  ];
}

/** The values of a facet that a listing with this property passes. */
function passedValues(
  { compares, values = [], groups, yes, except, areSizes }: Facet,
  property: unknown,
): string[] {
  if (property === null) return [];
  switch (compares) {
    case "one of":
      return [areSizes ? sizeLabel(String(property)) : String(property)];
    case "group":
      return values.filter((value) => groups?.(value).includes(String(property)));
    case "at least":
      return values.filter((level) => Number(property) >= Number(level));
    case "yes":
      return (except === undefined ? property === yes : property !== except) ? ["yes"] : [];
  }
}
