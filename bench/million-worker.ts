import { createDb, type Db } from "#app/db/client.server.ts";
import { categoryByPath } from "#app/features/catalog/category.rules.ts";
import { searchListings } from "#app/features/catalog/search/search.server.ts";
import { parseSearchQuery } from "#app/features/catalog/search/search-query.rules.ts";

/**
 * Runs the queries of a list page `times` times, so that the overhead of the request does not count. `deep` first follows
 * the cursor so many pages; `explain` returns the rows read and the query plans instead.
 */
export default {
  async fetch(request, { DB }) {
    const { pathname, searchParams } = new URL(request.url);
    const category = categoryByPath(pathname);
    const query = parseSearchQuery(searchParams);
    if (searchParams.has("explain"))
      return Response.json(await explain(DB, (db) => searchListings(db, category, query)));
    const db = await createDb({ DB });
    let page = await searchListings(db, category, query);
    for (let deep = Number(searchParams.get("deep")); deep > 0 && page.next; deep -= 1) {
      page = await searchListings(db, category, { ...query, cursor: { after: page.next } });
    }
    for (let times = Number(searchParams.get("times")); times > 1; times -= 1) {
      page = await searchListings(db, category, query);
    }
    return Response.json({ next: page.next, phones: page.phones.length, count: page.count });
  },
} satisfies ExportedHandler<{ DB: D1Database }>;

/** Runs `work` on a recording database. @returns the rows read by each statement, and its query plan */
async function explain(d1: D1Database, work: (db: Db) => Promise<unknown>) {
  const prepared = new Map<D1PreparedStatement, { text: string; values: unknown[] }>();
  const statements: { rows: number; plan: string[] }[] = [];
  const recorder = {
    withSession: () => recorder,
    prepare: (text: string) => ({
      bind: (...values: unknown[]) => {
        const statement = d1.prepare(text).bind(...values);
        prepared.set(statement, { text, values });
        return statement;
      },
    }),
    batch: async (batch: D1PreparedStatement[]) => {
      const results = await d1.batch(batch);
      for (const [at, statement] of batch.entries()) {
        const { text, values } = prepared.get(statement) ?? { text: "", values: [] };
        const plan = await d1
          .prepare(`explain query plan ${text}`)
          .bind(...values)
          .all<{ detail: string }>();
        statements.push({
          rows: results[at]?.meta.rows_read ?? 0,
          plan: plan.results.map(({ detail }) => detail),
        });
      }
      return results;
    },
  };
  await work(await createDb({ DB: recorder as unknown as D1Database }));
  return statements;
}
