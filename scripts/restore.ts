import { readLines, restoreRows } from "./backup.ts";
import { withDatabase } from "./database.ts";
import { openLocalState } from "./local-state.ts";

// `npm run db:restore -- FILE` restores an export into an empty database.
const file = process.argv[2];
if (!file) {
  console.error("Usage: npm run db:restore -- FILE");
  process.exit(1);
}
try {
  await withDatabase(await openLocalState(), (db) => restoreRows(db, readLines(file)));
  console.log(`Restored from ${file}.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
