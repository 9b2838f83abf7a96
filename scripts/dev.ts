import { createServer } from "vite";
import { withDatabase } from "./database.ts";
import { holdsDemoData, seedDemoData } from "./demo/seed.ts";
import { devWorker } from "./dev-worker.ts";
import { openLocalState } from "./local-state.ts";

/** `npm run dev`: Vite with hot reload, on a local database that is brought up to date first. */
const state = await openLocalState();
await withDatabase(state, async (db) => holdsDemoData(state) && seedDemoData(db));
const server = await createServer({ plugins: [devWorker(state)], server: { host: "127.0.0.1" } });
await server.listen();
server.printUrls();
console.log(`  Mails are put into ${state.outbox}`);
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => server.close().then(() => process.exit(0)));
}
