import { withDatabase } from "./database.ts";
import { holdsDemoData, seedDemoData } from "./demo/seed.ts";
import { openLocalState } from "./local-state.ts";

/** Fills the local database with the demo data, when it is empty. */
const state = await openLocalState();
if (!holdsDemoData(state)) {
  console.error("LIBSQL_URL names a database on another machine; the demo data is for this one only.");
  process.exit(1);
}
const filled = await withDatabase(state, seedDemoData);
console.log(filled ? "Filled with demo data." : "The database has accounts already; left as it is.");
