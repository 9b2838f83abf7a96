import { exportTo } from "./backup.ts";
import { withDatabase } from "./database.ts";
import { openLocalState } from "./local-state.ts";

/** Writes all rows of the database into the file named, as SQL. */
const file = process.argv[2];
if (!file) {
  console.error("Say where to: npm run db:export -- FILE");
  process.exit(1);
}
try {
  await withDatabase(await openLocalState(), (db) => exportTo(file, db));
  console.log(`Exported to ${file}.`);
} catch (fault) {
  console.error(fault instanceof Error ? fault.message : fault);
  process.exitCode = 1;
}
