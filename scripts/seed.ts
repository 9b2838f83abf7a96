import { withDatabase } from "./database.ts";
import { seedDemoData } from "./demo/seed.ts";
import { openLocalState } from "./local-state.ts";

/** Fills the local database with the demo data, when it is empty. */
const filled = await withDatabase(await openLocalState(), seedDemoData);
console.log(filled ? "Filled with demo data." : "The database has accounts already; left as it is.");
