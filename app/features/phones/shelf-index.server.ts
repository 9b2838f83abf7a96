import { type SQL, sql } from "drizzle-orm";
import type { shelfValues } from "#app/db/schema.ts";
import type { Shelf } from "./shelf.rules.ts";
import { matchesNothing, priceMatch, wordsMatch } from "./shelf-match.rules.ts";
import type { ShelfOrder, ShelfQuery } from "./shelf-query.rules.ts";

/** An index's place is a price times this, plus the number of the listing; see the migration `shelves`. */
export const placesPerCent = 2 ** 28;

/** The index of each order, and which way it is read. */
export const indexes: Record<ShelfOrder, { index: SQL; ascending: boolean }> = {
  newest: { index: sql`shelf_newest`, ascending: false },
  "price-up": { index: sql`shelf_price`, ascending: true },
  "price-down": { index: sql`shelf_price`, ascending: false },
  saving: { index: sql`shelf_saving`, ascending: false },
};

/** What can be chosen, and `all`, which every phone has. */
export type Kind = typeof shelfValues.$inferSelect.kind;

/** Values of one kind, any of which will do. */
export interface ChosenValues {
  kind: Kind;
  values: string[];
}

/** What every phone of a shelf has. */
export const everything: ChosenValues = { kind: "all", values: [""] };

/** What a query has chosen, kind by kind. */
export function choicesIn(query: ShelfQuery): ChosenValues[] {
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

/** What the index is asked for, as FTS5 has it. Choices stand there as tokens, which the database alone knows. */
export function matchOf(shelf: Shelf, query: ShelfQuery, withPrices: boolean): SQL {
  const texts = [wordsMatch(query.words)];
  if (withPrices && (query.fromCents !== null || query.toCents !== null)) {
    texts.push(priceMatch(query.fromCents, query.toCents));
  }
  const text = texts.filter((part) => part !== null).join(" AND ");
  const choices = choicesIn(query);
  // What is chosen is chosen of one shelf, so the shelf itself needs no saying beside it.
  const narrowed = choices.length > 0 || (text !== "" && shelfName(shelf) === "products");
  const parts = (narrowed ? choices : [everything]).map(
    (choice) =>
      sql`coalesce((select '(' || group_concat(token, ' OR ') || ')' from (${valueRows("token", shelf, choice)})), ${matchesNothing})`,
  );
  if (text !== "") parts.push(sql`${text}`);
  return sql`(${sql.join(parts, sql` || ' AND ' || `)})`;
}

/** The counts or tokens of what is chosen, as far as any phone ever had it. */
export function valueRows(column: "count" | "token", shelf: Shelf, { kind, values }: ChosenValues): SQL {
  return sql`select ${sql.raw(column)} from shelf_values where shelf = ${shelfName(shelf)} and kind = ${kind}
    and value in (select json_each.value from json_each(${JSON.stringify(values)}))`;
}

/** The first and the last place that a query's prices have in the index by price. */
export function priceBounds({ fromCents, toCents }: ShelfQuery): [number, number] {
  const from = (fromCents ?? 0) * placesPerCent;
  const to = toCents === null ? Number.MAX_SAFE_INTEGER : (toCents + 1) * placesPerCent - 1;
  return [from, to];
}

/** As whole numbers, which the index alone looks at: numbers of JavaScript may arrive as others. */
export function between(lowest: number, highest: number): SQL {
  const whole = (number: number) => sql`cast(${Math.min(number, Number.MAX_SAFE_INTEGER)} as integer)`;
  return sql`rowid >= ${whole(lowest)} and rowid <= ${whole(highest)}`;
}

/** What the database calls a shelf. */
export function shelfName(shelf: Shelf) {
  return shelf.path.slice(1) as typeof shelfValues.$inferSelect.shelf;
}
