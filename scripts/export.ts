import { endWithUsage, parseArguments } from "./arguments.ts";
import { exportTo } from "./backup.ts";
import { withDatabase } from "./database.ts";
import { openExistingState } from "./local-state.ts";
import { runCommand } from "./run-command.ts";

// `npm run db:export -- FILE` writes all rows of the database as SQL.
await runCommand(async () => {
  const usage = "db:export FILE";
  const [file] = parseArguments(usage, { allowPositionals: true }).positionals;
  if (!file) endWithUsage(usage);
  await withDatabase(await openExistingState("database"), (db) => exportTo(file, db));
  console.log(`Exported to ${file}, without the photos: npm run photos:export -- FOLDER copies them.`);
});
