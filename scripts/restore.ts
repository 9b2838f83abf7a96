import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { restoreRows } from "./backup.ts";
import { withDatabase } from "./database.ts";
import { openLocalState } from "./local-state.ts";

/** Takes an export's rows into an empty database. */
const file = process.argv[2];
if (!file) {
  console.error("Say where from: npm run db:restore -- FILE");
  process.exit(1);
}
await withDatabase(await openLocalState(), (db) => restoreRows(db, linesOf(file)));
console.log(`Restored from ${file}.`);

/** Opens the file when the first line is asked for: lines that come earlier are lost. */
async function* linesOf(path: string) {
  yield* createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY });
}
