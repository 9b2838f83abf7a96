import { parseArguments } from "./arguments.ts";
import { fillLocalState } from "./demo/local-market.ts";
import { allowsDemoData } from "./demo/seed.ts";
import { openLocalState } from "./local-state.ts";
import { runCommand } from "./run-command.ts";

// `npm run db:seed` inserts the demo data into an empty local database.
await runCommand(async () => {
  parseArguments("db:seed", {});
  const state = await openLocalState();
  if (!allowsDemoData(state))
    throw new Error("LIBSQL_URL is on another machine. Demo data is for local databases only: unset it.");
  const seeded = await fillLocalState(state);
  console.log(
    seeded ? "Inserted the demo data." : "The database already has accounts, so no listings were added.",
  );
});
