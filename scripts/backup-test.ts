import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { sql } from "drizzle-orm";
import type { Db } from "#app/db/client.server.ts";
import { exportedTables } from "#app/features/administration/backup.server.ts";
import { recordBackupTest } from "#app/features/administration/job-runs.server.ts";
import { countLabel } from "#app/market.ts";
import { parseArguments } from "./arguments.ts";
import { restoreFrom } from "./backup.ts";
import { withDatabase } from "./database.ts";
import { withLocalD1 } from "./local-d1.ts";
import { openExistingState } from "./local-state.ts";
import { migrateDatabase } from "./migrations.ts";
import { withBucket } from "./photo-backup.ts";
import { runCommand } from "./run-command.ts";

/** What must hold in each database; each finds what breaks it. */
const violations = {
  "a reference to a missing row": sql`select 1 from pragma_foreign_key_check`,
  "two active orders of a phone": sql`select 1 from orders where status = 'active' group by phone_id having count(*) > 1`,
  "an active order without a listing": sql`select 1 from orders
    where status = 'active' and phone_id not in (select id from phones)`,
  "a sum of the ledger that is wrong": sql`select 1 from (
    select seller_id, kind, sum(ledger_entries.amount_cents) as cents from ledger_entries join payments using (order_id)
      where seller_id is not null group by 1, 2) as real
    where not exists (select 1 from ledger_sums where ledger_sums.seller_id = real.seller_id
      and ledger_sums.kind = real.kind and ledger_sums.cents = real.cents)`,
  "a counter of the catalog that is wrong": sql`select 1 from device_variants v where listed <> (select count(*) from phones p
    where p.variant_id = v.id and p.listed)`,
};

// `npm run backup:test [-- FILE]` restores the newest backup of the bucket, or a file, into a temporary database, and
// prints one line. It fails if rows are missing, or say what cannot be.
await runCommand(async () => {
  const [given] = parseArguments("backup:test [FILE]", { allowPositionals: true }).positionals;
  const folder = await mkdtemp(join(tmpdir(), "ringback-backup-"));
  try {
    const file = given ?? (await newestBackup(folder));
    const rows = await withLocalD1(join(folder, "v3"), async (d1) => {
      const db = await migrateDatabase(d1);
      // Compares the number of rows of each table with the file's last line.
      await restoreFrom(file, db);
      await checkRows(db);
      return countRows(db);
    });
    console.log(
      `${basename(file)} can be restored: ${countLabel(rows)} rows in ${exportedTables.length} tables.`,
    );
    // System says when. Of a file, the command does not know which database it is from.
    if (given === undefined)
      await withDatabase(await openExistingState("database"), (db) => recordBackupTest(db));
  } finally {
    await rm(folder, { recursive: true });
  }
});

/** Writes the newest backup into a folder, and returns its file. */
async function newestBackup(folder: string): Promise<string> {
  return withBucket(
    await openExistingState("photos"),
    async (bucket) => {
      // They are named by their day.
      const newest = (await bucket.list()).objects.at(-1);
      const backup = newest && (await bucket.get(newest.key));
      if (!backup)
        throw new Error(
          "There is no backup in the local bucket. The scheduled jobs make one a day: npm run jobs",
        );
      const file = join(folder, newest.key);
      await writeFile(file, await backup.text(), { mode: 0o600 });
      return file;
    },
    "BACKUPS",
  );
}

/** @throws Error that names what is wrong */
async function checkRows(db: Db): Promise<void> {
  for (const [name, query] of Object.entries(violations)) {
    const found = await db.all(query);
    if (found.length > 0) throw new Error(`The backup has ${name}: ${found.length} times.`);
  }
}

async function countRows(db: Db): Promise<number> {
  let rows = 0;
  for (const table of exportedTables) rows += await db.$count(table);
  return rows;
}
