import { once } from "node:events";
import { join } from "node:path";
import { brand } from "#app/brand.ts";
import { checkSettings } from "#app/server/config/environment.server.ts";
import { buildInto } from "./build.ts";
import { withDatabase } from "./database.ts";
import { demoAccounts, demoPassword, holdsDemoData, seedDemoData } from "./demo/seed.ts";
import { type LocalState, openLocalState } from "./local-state.ts";
import type { Market } from "./market.ts";

const stopping = new AbortController();

/**
 * Takes the signals that ask us to stop for ourselves. Libraries listen too, and would end the process at once:
 * over a build that goes on alone, and a database that is still being written.
 */
function takeSignals() {
  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.removeAllListeners(signal);
    process.once(signal, () => stopping.abort());
  }
}

/** Serves until it is asked to stop, and ends when all it started has ended. */
async function serve(stopped: AbortSignal) {
  const port = Number(process.env.PORT ?? 8787);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error("PORT is not a port number.");
  const state = await openLocalState();
  checkSettings(state.bindings);
  const buildFolder = process.env.READY_BUILD ?? join(state.folder, "build");
  if (!process.env.READY_BUILD && !stopped.aborted) await buildInto(buildFolder, stopped);
  if (stopped.aborted) return;
  const { persist, outbox, bindings } = state;
  // The runtime takes seconds to load: who has set something wrong need not wait for it.
  const { openMarket } = await import("./market.ts");
  // Before anybody can see an empty market.
  const filled = await withDatabase(state, async (db) => holdsDemoData(state) && seedDemoData(db));
  if (stopped.aborted) return;
  const opening = openMarket({ buildFolder, persist, port, outbox, bindings });
  // Miniflare has begun to listen for them by now.
  takeSignals();
  const market = await opening;
  try {
    announce(market, state, filled);
    // As Cloudflare does it, see `wrangler.toml`.
    const clock = setInterval(() => market.tick().catch(console.error), 600_000);
    stopped.addEventListener("abort", () => clearInterval(clock));
    if (!stopped.aborted) await once(stopped, "abort");
  } finally {
    await market.stop();
  }
}

function announce({ url }: Market, state: LocalState, filled: boolean) {
  const { port } = new URL(url);
  console.log(
    `\n${brand.name} is open at http://localhost:${port}${filled ? ", filled with demo data" : ""}`,
  );
  console.log(`Its mails are put into ${state.outbox}`);
  if (holdsDemoData(state))
    console.log(`Demo accounts, password ${demoPassword}:\n  ${demoAccounts.join("\n  ")}\n`);
}

takeSignals();
serve(stopping.signal).then(
  () => process.exit(0),
  (error: Error) => {
    console.error(error.message);
    process.exit(1);
  },
);
