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
const lines = createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
await withDatabase(await openLocalState(), (db) => restoreRows(db, lines));
console.log(`Restored from ${file}.`);
