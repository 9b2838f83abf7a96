import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { exportRows } from "./backup.ts";
import { withDatabase } from "./database.ts";
import { openLocalState } from "./local-state.ts";

/** Writes all rows of the database into the file named, as SQL. */
const file = process.argv[2];
if (!file) {
  console.error("Say where to: npm run db:export -- FILE");
  process.exit(1);
}
await withDatabase(await openLocalState(), async (db) => {
  const lines = Readable.from(exportRows(db)).map((line: string) => `${line}\n`);
  await pipeline(lines, createWriteStream(file, { flags: "wx", mode: 0o600 }));
});
console.log(`Exported to ${file}.`);
