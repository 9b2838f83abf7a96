import { once } from "node:events";
import { join } from "node:path";
import { brand } from "#app/brand.ts";
import { checkSettings } from "#app/server/config/environment.server.ts";
import { buildInto } from "./build.ts";
import { withDatabase } from "./database.ts";
import { allowsDemoData, demoAccounts, demoPassword, seedDemoData } from "./demo/seed.ts";
import type { LocalServer } from "./local-server.ts";
import { type LocalState, openLocalState } from "./local-state.ts";

const shutdown = new AbortController();

/** Replaces the signal handlers of libraries, which exit at once: during a build or a database write. */
function handleSignals() {
  for (const name of ["SIGINT", "SIGTERM"]) {
    process.removeAllListeners(name);
    process.once(name, () => shutdown.abort());
  }
}

/** Serves until the signal aborts, and returns when everything has stopped. */
async function serve(signal: AbortSignal) {
  const port = Number(process.env.PORT ?? 8787);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error("PORT is not a port number from 0 to 65535.");
  const state = await openLocalState();
  checkSettings(state.bindings);
  const buildFolder = process.env.READY_BUILD ?? join(state.folder, "build");
  if (!process.env.READY_BUILD && !signal.aborted) await buildInto(buildFolder, signal);
  if (signal.aborted) return;
  const { persist, outbox, bindings } = state;
  // Imported late: it takes seconds to load, and wrong settings are reported before.
  const { startLocalServer } = await import("./local-server.ts");
  // Before the server listens, so that nobody sees an empty catalog.
  const seeded = await withDatabase(state, async (db) => allowsDemoData(state) && seedDemoData(db));
  if (signal.aborted) return;
  const opening = startLocalServer({ buildFolder, persist, port, outbox, bindings });
  // Miniflare has added its signal handlers by now.
  handleSignals();
  const server = await opening;
  try {
    announce(server, state, seeded);
    // The cron trigger in `wrangler.toml`.
    const timer = setInterval(() => server.tick().catch(console.error), 600_000);
    signal.addEventListener("abort", () => clearInterval(timer));
    if (!signal.aborted) await once(signal, "abort");
  } finally {
    await server.stop();
  }
}

function announce({ url }: LocalServer, state: LocalState, seeded: boolean) {
  const { port } = new URL(url);
  console.log(
    `\n${brand.name} is running at http://localhost:${port}${seeded ? ", filled with demo data" : ""}`,
  );
  console.log(`Emails are written to ${state.outbox}`);
  if (allowsDemoData(state))
    console.log(`Demo accounts, password ${demoPassword}:\n  ${demoAccounts.join("\n  ")}\n`);
}

handleSignals();
serve(shutdown.signal).then(
  () => process.exit(0),
  (error: Error) => {
    console.error(error.message);
    process.exit(1);
  },
);
