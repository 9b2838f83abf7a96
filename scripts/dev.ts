import { createServer } from "vite";
import { parseArguments } from "./arguments.ts";
import { fillLocalState } from "./demo/local-market.ts";
import { allowsDemoData, demoAccountsText } from "./demo/seed.ts";
import { devWorker } from "./dev-worker.ts";
import { openLocalState } from "./local-state.ts";
import { runCommand } from "./run-command.ts";

// `npm run dev` migrates the local database and starts Vite with hot reload.
await runCommand(async () => {
  parseArguments("dev", {});
  const state = await openLocalState();
  await fillLocalState(state);
  const server = await createServer({ plugins: [devWorker(state)], server: { host: "127.0.0.1" } });
  await server.listen();
  server.printUrls();
  console.log(`  Emails are written to ${state.outbox}`);
  if (allowsDemoData(state)) console.log(`  ${demoAccountsText.replaceAll("\n", "\n  ")}`);
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => server.close().then(() => process.exit(0)));
  }
});
