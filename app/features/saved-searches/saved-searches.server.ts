import { and, desc, eq, lt, not, type SQL, sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { batchUnless } from "#app/db/expectations.server.ts";
import { savedSearches, savedSearchKeys } from "#app/db/schema.ts";
import { isOpenAccount } from "../accounts/accounts.server.ts";
import type { Viewer } from "../accounts/viewer.ts";
import { type Category, categories, categoryByKey } from "../catalog/category.rules.ts";
import { understandWithCatalog } from "../catalog/search/search.server.ts";
import {
  isFiltered,
  parseSearchQuery,
  type SearchQuery,
  searchString,
} from "../catalog/search/search-query.rules.ts";

import { categoryParameter, maxSavedSearches, parseSavedSearch, queryToSave } from "./saved-search.rules.ts";
import type { SearchSettings } from "./saved-search.schema.ts";
import { type Clauses, searchClauses, searchKeys, wordQueries } from "./search-matching.rules.ts";

/** Reads the search from the address of the page to save it. */
export async function readSearchToSave(db: Db, parameters: URLSearchParams) {
  const list = parameters.get(categoryParameter);
  const category = categories.find(({ key }) => key === list) ?? categoryByKey("products");
  const understood = await understandWithCatalog(db, category, parseSearchQuery(parameters));
  return { ...understood, query: queryToSave(understood.query) };
}

interface SearchToSave {
  category: Pick<Category, "key">;
  query: SearchQuery;
}

/** The condition that a saved search is this one of the viewer. */
function isSameSearch(viewer: Viewer, { category, query }: SearchToSave) {
  return and(
    eq(savedSearches.userId, viewer.id),
    eq(savedSearches.category, category.key),
    eq(savedSearches.query, searchString(queryToSave(query))),
  ) as SQL;
}

export async function isSavedSearch(db: Db, viewer: Viewer, search: SearchToSave): Promise<boolean> {
  return (await db.$count(savedSearches, isSameSearch(viewer, search))) > 0;
}

/** The id of the saved search, or why it was not saved. */
type SaveSearchOutcome = { id: string } | "nothing to save" | "limit reached";

/** Saves a search. One that the viewer has saved before gets the new name and frequency. */
export async function saveSearch(
  db: Db,
  viewer: Viewer,
  { name, frequency }: SearchSettings,
  { category, query }: SearchToSave,
): Promise<SaveSearchOutcome> {
  if (!isFiltered(query)) return "nothing to save";
  const { keys, ...index } = await searchIndex(db, category, query);
  const stored = searchString(queryToSave(query));
  const same = isSameSearch(viewer, { category, query });
  const others = db.$count(savedSearches, and(eq(savedSearches.userId, viewer.id), not(same)));
  const values = { name, frequency, ...index, userId: viewer.id, category: category.key, query: stored };
  const refusal = await batchUnless(
    db,
    { "limit reached": and(isOpenAccount(db, viewer), lt(others, maxSavedSearches)) },
    [
      db
        .insert(savedSearches)
        .values({ ...values, notifiedAt: new Date() })
        .onConflictDoUpdate({
          target: [savedSearches.userId, savedSearches.category, savedSearches.query],
          set: { ...settings({ name, frequency }), ...index },
        }),
      db
        .delete(savedSearchKeys)
        .where(
          sql`${savedSearchKeys.searchId} in (${db.select({ id: savedSearches.id }).from(savedSearches).where(same)})`,
        ),
      db.insert(savedSearchKeys).select(
        db
          .select({
            key: sql<string>`keys.value`.as("key"),
            toCents: savedSearches.toCents,
            searchId: savedSearches.id,
          })
          .from(savedSearches)
          .crossJoin(sql`json_each(${JSON.stringify(keys)}) as keys`)
          .where(same),
      ),
    ],
  );
  if (refusal) return refusal;
  const [saved] = await db.select({ id: savedSearches.id }).from(savedSearches).where(same);
  return saved ?? "limit reached";
}

/** The form of a search that listings are matched with. */
export async function searchIndex(db: Db, category: Pick<Category, "key">, query: SearchQuery) {
  const clauses = searchClauses(category, query);
  return {
    clauses,
    fromCents: query.fromCents ?? 0,
    toCents: query.toCents ?? Number.MAX_SAFE_INTEGER,
    keys: searchKeys(await rarestClause(db, clauses)),
  };
}

/** The clause of words that the fewest variants pass, else the first clause. */
async function rarestClause(db: Db, clauses: Clauses): Promise<string[] | undefined> {
  const queries = wordQueries(clauses);
  if (queries.length < 2) return clauses[0];
  const [rarest] = await db
    .select({ position: sql<number>`query.key` })
    .from(sql`json_each(${JSON.stringify(queries)}) as query`)
    .orderBy(sql`(select count(*) from device_variants_fts where device_variants_fts match query.value)`)
    .limit(1);
  return clauses[rarest?.position ?? 0];
}

export type SavedSearch = Awaited<ReturnType<typeof listSavedSearches>>[number];

/** The viewer's saved searches, newest first. */
export async function listSavedSearches(db: Db, viewer: Viewer) {
  const rows = await selectSavedSearches(db, viewer);
  return rows.map((row) => ({ ...row, ...parseSavedSearch(row) }));
}

function selectSavedSearches(db: Db, viewer: Viewer, id?: string) {
  return db
    .select({
      id: savedSearches.id,
      name: savedSearches.name,
      category: savedSearches.category,
      query: savedSearches.query,
      frequency: savedSearches.frequency,
      newMatchCount: savedSearches.newMatchCount,
      matchedIds: savedSearches.matchedIds,
      createdAt: savedSearches.createdAt,
    })
    .from(savedSearches)
    .where(id === undefined ? eq(savedSearches.userId, viewer.id) : isOwn(viewer, id))
    .orderBy(desc(savedSearches.id));
}

export async function findSavedSearch(db: Db, viewer: Viewer, id: string): Promise<SavedSearch | null> {
  const [row] = await selectSavedSearches(db, viewer, id);
  return row ? { ...row, ...parseSavedSearch(row) } : null;
}

/** Takes matches that the owner has seen off the count of new ones. Those counted since then stay. */
export async function markMatchesSeen(db: Db, viewer: Viewer, id: string, seen: number): Promise<void> {
  await db
    .update(savedSearches)
    .set({ newMatchCount: sql`max(${savedSearches.newMatchCount} - ${seen}, 0)` })
    .where(isOwn(viewer, id));
}

/** Changes name and frequency; false if the viewer has no such search. */
export async function changeSavedSearch(
  db: Db,
  viewer: Viewer,
  id: string,
  change: SearchSettings,
): Promise<boolean> {
  const changed = await db
    .update(savedSearches)
    .set(settings(change))
    .where(isOwn(viewer, id))
    .returning({ id: savedSearches.id });
  return changed.length > 0;
}

/** Returns what the search was; null if the viewer has no such search. */
export async function deleteSavedSearch(db: Db, viewer: Viewer, id: string) {
  const { name, frequency, category, query } = savedSearches;
  const [deleted] = await db
    .delete(savedSearches)
    .where(isOwn(viewer, id))
    .returning({ name, frequency, category, query });
  return deleted ? { ...deleted, ...parseSavedSearch(deleted) } : null;
}

function isOwn(viewer: Viewer, id: string) {
  return and(eq(savedSearches.id, id), eq(savedSearches.userId, viewer.id));
}

/** The columns of a changed name and frequency. Without alerts, no matches are pending. */
function settings({ name, frequency }: SearchSettings) {
  return { name, frequency, ...(frequency === "never" && { pendingCount: 0 }) };
}
