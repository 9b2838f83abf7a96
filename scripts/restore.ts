import { linesOf, restoreRows } from "./backup.ts";
import { withDatabase } from "./database.ts";
import { openLocalState } from "./local-state.ts";

/** Takes an export's rows into an empty database. */
const file = process.argv[2];
if (!file) {
  console.error("Say where from: npm run db:restore -- FILE");
  process.exit(1);
}
try {
  await withDatabase(await openLocalState(), (db) => restoreRows(db, linesOf(file)));
  console.log(`Restored from ${file}.`);
} catch (fault) {
  console.error(fault instanceof Error ? fault.message : fault);
  process.exitCode = 1;
}
