import { exportTo } from "./backup.ts";
import { withDatabase } from "./database.ts";
import { openLocalState } from "./local-state.ts";

// `npm run db:export -- FILE` writes all rows of the database as SQL.
const file = process.argv[2];
if (!file) {
  console.error("Usage: npm run db:export -- FILE");
  process.exit(1);
}
try {
  await withDatabase(await openLocalState(), (db) => exportTo(file, db));
  console.log(`Exported to ${file}.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
