import { join } from "node:path";
import { checkSettings } from "#app/platform/environment.server.ts";
import { buildInto } from "./build.ts";
import { demoAccounts, demoPassword, holdsDemoData, seedDemoData } from "./demo/seed.ts";
import { openLocalState } from "./local-state.ts";
import { type Market, openMarket } from "./market.ts";

let market: Market | undefined;
const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, stop);

async function stop() {
  stopping.abort();
  await market?.stop();
  process.exit(0);
}

async function start() {
  const port = Number(process.env.PORT ?? 8787);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error("PORT is not a port number.");
  const state = await openLocalState();
  checkSettings(state.bindings);
  const buildFolder = join(state.folder, "build");
  await buildInto(buildFolder, stopping.signal);
  market = await openMarket({ buildFolder, persist: state.persist, port, bindings: state.bindings });
  const filled = holdsDemoData(state) && (await seedDemoData(market.db));

  const { port: served } = new URL(market.url);
  console.log(`\nRingback is open at http://localhost:${served}${filled ? ", filled with demo data" : ""}`);
  if (holdsDemoData(state)) {
    console.log(`Demo accounts, password ${demoPassword}:\n  ${demoAccounts.join("\n  ")}\n`);
  }
}

start().catch(async (error: Error) => {
  if (stopping.signal.aborted) return;
  console.error(error.message);
  await market?.stop();
  process.exit(1);
});
