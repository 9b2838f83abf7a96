import { restoreFrom } from "./backup.ts";
import { withDatabase } from "./database.ts";
import { openLocalState } from "./local-state.ts";
import { runCommand } from "./run-command.ts";

// `npm run db:restore -- FILE` restores an export into an empty database.
await runCommand(async () => {
  const file = process.argv[2];
  if (!file) throw new Error("Usage: npm run db:restore -- FILE");
  await withDatabase(await openLocalState(), (db) => restoreFrom(file, db));
  console.log(
    `Restored from ${file}: everyone logs in again, with the password of that time. The photos come back by npm run photos:restore -- FOLDER.`,
  );
});
