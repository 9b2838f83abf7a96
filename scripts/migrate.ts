import { withDatabase } from "./database.ts";
import { openLocalState } from "./local-state.ts";
import { runWrangler } from "./wrangler.ts";

/** Brings a database up to date: `--remote` the deployed D1, else the one a local market uses. */
if (process.argv.includes("--remote") && !process.env.LIBSQL_URL) {
  runWrangler("d1", "migrations", "apply", "DB", "--remote");
} else {
  await withDatabase(await openLocalState(), async () => console.log("The database is up to date."));
}
