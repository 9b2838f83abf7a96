import { sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";

/** Deletes all rows, which is faster than a new database. Triggers empty the tables of full-text searches. */
export async function emptyDatabase(db: Db): Promise<void> {
  const tables = await db.all<{ name: string }>(
    sql`select name from sqlite_master where type = 'table' and sql not like 'create virtual%' and name not glob '_cf_*' and name not glob 'sqlite_*' and name not glob '*_fts_*' and name not glob 'd1_*'`,
  );
  const filled = tables.map(
    ({ name }) => sql`exists(select 1 from ${sql.identifier(name)}) as ${sql.identifier(name)}`,
  );
  const [isFilled = {}] = await db.all<Record<string, number>>(sql`select ${sql.join(filled, sql`, `)}`);
  await db.batch([
    db.run(sql`pragma defer_foreign_keys = on`),
    ...tables
      .filter(({ name }) => isFilled[name])
      .map(({ name }) => db.run(sql`delete from ${sql.identifier(name)}`)),
  ]);
}
