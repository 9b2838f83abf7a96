import { createDb } from "#app/db/client.server.ts";
import { searchListings } from "#app/features/catalog/search.server.ts";
import { parseSearchQuery } from "#app/features/catalog/search-query.rules.ts";
import { categoryByPath } from "#app/features/listings/category.rules.ts";

/**
 * Answers an address of a list as often as `times` says, so that what is measured is the database and not the way
 * to it. With `deep` it leafs so many pages on and says where that is; with `explain` it says what the database did.
 */
export default {
  async fetch(request, { DB }) {
    const { pathname, searchParams } = new URL(request.url);
    const category = categoryByPath(pathname);
    const query = parseSearchQuery(searchParams);
    if (searchParams.has("explain"))
      return Response.json(await explain(DB, (db) => searchListings(db, category, query)));
    const db = createDb({ DB });
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

/** Runs something on a database that is watched: the rows each statement has read, and its plan. */
async function explain(d1: D1Database, work: (db: ReturnType<typeof createDb>) => Promise<unknown>) {
  const said = new Map<D1PreparedStatement, { text: string; values: unknown[] }>();
  const statements: { rows: number; plan: string[] }[] = [];
  const watched = {
    withSession: () => watched,
    getBookmark: () => null,
    prepare: (text: string) => ({
      bind: (...values: unknown[]) => {
        const statement = d1.prepare(text).bind(...values);
        said.set(statement, { text, values });
        return statement;
      },
    }),
    batch: async (batch: D1PreparedStatement[]) => {
      const results = await d1.batch(batch);
      for (const [at, statement] of batch.entries()) {
        const { text, values } = said.get(statement) ?? { text: "", values: [] };
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
  await work(createDb({ DB: watched as unknown as D1Database }));
  return statements;
}
