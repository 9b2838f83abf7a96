import { count, inArray, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "./client.server.ts";

/** Rows that are found by the index of a filter and then sorted, at most. */
const maxSorted = 400;

/**
 * Conditions for the filters of a table that have an index. The rows of a filter that few match are found by its index,
 * and then sorted; if many match, the index of the order leads to a page of them sooner. SQLite cannot know which, so
 * the matches are counted first.
 */
export async function selectiveFilters(
  db: Db,
  table: SQLiteTable & { id: SQLiteColumn },
  filters: (SQL | undefined | "")[],
): Promise<SQL[]> {
  const chosen = filters.filter((filter): filter is SQL => Boolean(filter));
  return Promise.all(
    chosen.map(async (filter) => {
      const matching = db
        .select({ id: table.id })
        .from(table as SQLiteTable)
        .where(filter);
      const [found] = await db.select({ count: count() }).from(matching.limit(maxSorted).as("found"));
      if ((found?.count ?? 0) < maxSorted) {
        return inArray(
          table.id,
          db
            .select({ id: table.id })
            .from(table as SQLiteTable)
            .where(filter),
        );
      }
      // The plus sign keeps SQLite from using an index.
      return sql`+(${filter})`;
    }),
  );
}
