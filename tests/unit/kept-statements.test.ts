import { and, eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { openDatabase } from "#app/db/client.server.ts";
import { keptStatements, type Places } from "#app/db/kept-statements.ts";
import { sessions, users } from "#app/db/schema.ts";

/** D1 that writes down what it is asked, and answers each statement with the same rows. */
function recordingD1(rows: Record<string, unknown>[]) {
  const asked: { sql: string; params: unknown[] }[] = [];
  const session = {
    prepare: (sql: string) => ({ bind: (...params: unknown[]) => ({ sql, params }) }),
    async batch(statements: typeof asked) {
      asked.push(...statements);
      return statements.map(() => ({ results: rows, meta: {} }));
    },
    getBookmark: () => null,
  };
  const DB = { withSession: () => session } as unknown as D1Database;
  return { asked, db: openDatabase({ DB }).db };
}

test("statements are put together once, and sent with each request's own values to its own database", async () => {
  let written = 0;
  const kept = keptStatements((db, own: Places<{ id: string; cents: number; said: string | null }>) => {
    written += 1;
    return [
      db
        .select({ id: sessions.id, createdAt: sessions.createdAt })
        .from(sessions)
        .where(eq(sessions.id, own.id)),
      db
        .update(users)
        .set({ name: sql`${own.said}` })
        .where(and(eq(users.id, own.id), sql`${own.cents} > 1`)),
    ];
  });
  const rows = [{ id: "a", created_at: 1_000 }];
  const [one, other] = [recordingD1(rows), recordingD1([])];

  const [first] = await one.db.batch(kept(one.db, { id: "a", cents: 2, said: "A" }));
  const [second] = await other.db.batch(kept(other.db, { id: "b", cents: 3, said: null }));
  await one.db.batch(kept(one.db, { id: "c", cents: 4, said: "C" }));

  expect(written).toBe(1);
  expect(first).toEqual([{ id: "a", createdAt: new Date(1_000) }]);
  expect(second).toEqual([]);
  expect(one.asked.map(({ params }) => params)).toEqual([["a"], ["A", "a", 2], ["c"], ["C", "c", 4]]);
  expect(other.asked.map(({ params }) => params)).toEqual([["b"], [null, "b", 3]]);
  const anew = one.db.select({ id: sessions.id, createdAt: sessions.createdAt }).from(sessions);
  expect(one.asked[0]?.sql).toBe(anew.where(eq(sessions.id, "a")).toSQL().sql);
});

test("a value that is missing is noticed before anything is sent", () => {
  const kept = keptStatements((db, own: Places<{ id: string }>) => [
    db.select({ id: sessions.id }).from(sessions).where(eq(sessions.id, own.id)),
  ]);
  const { db, asked } = recordingD1([]);
  expect(() => kept(db, {} as { id: string })).toThrow(/no value/i);
  expect(asked).toEqual([]);
});
