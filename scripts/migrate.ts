import { parseArguments } from "./arguments.ts";
import { withDatabase } from "./database.ts";
import { openLocalState } from "./local-state.ts";
import { runCommand } from "./run-command.ts";
import { runWrangler } from "./wrangler.ts";

// `npm run db:migrate` migrates the local database, `-- --remote` the deployed D1.
await runCommand(async () => {
  const { values } = parseArguments("db:migrate [--remote]", { options: { remote: { type: "boolean" } } });
  if (values.remote && !process.env.LIBSQL_URL) {
    runWrangler("d1", "migrations", "apply", "DB", "--remote");
  } else {
    await withDatabase(await openLocalState(), async () => console.log("The database is migrated."));
  }
});
