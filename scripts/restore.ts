import { endWithUsage, parseArguments } from "./arguments.ts";
import { restoreFrom } from "./backup.ts";
import { withDatabase } from "./database.ts";
import { openLocalState } from "./local-state.ts";
import { runCommand } from "./run-command.ts";

// `npm run db:restore -- FILE` restores an export into an empty database.
await runCommand(async () => {
  const usage = "db:restore FILE";
  const [file] = parseArguments(usage, { allowPositionals: true }).positionals;
  if (!file) endWithUsage(usage);
  await withDatabase(await openLocalState(), (db) => restoreFrom(file, db));
  console.log(
    `Restored from ${file}: everyone logs in again, with the password of that time. The photos come back by npm run photos:restore -- FOLDER.`,
  );
});
