import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { brand } from "#app/brand.ts";
import { SetupError } from "#app/server/config/setup-error.ts";
import { buildInto } from "./build.ts";
import { withDatabase } from "./database.ts";
import { allowsDemoData, demoAccountsText, seedDemoData } from "./demo/seed.ts";
import { checkLibsql } from "./libsql-check.ts";
import type { LocalServer } from "./local-server.ts";
import { type LocalState, openLocalState } from "./local-state.ts";
import { freePort } from "./port.ts";
import { messageOf } from "./run-command.ts";

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
  // All settings, before the build, which takes a while.
  const port = await freePort(process.env.PORT);
  const state = await openLocalState();
  await checkLibsql(state.bindings);
  const { READY_BUILD } = process.env;
  if (READY_BUILD !== undefined) checkBuild(READY_BUILD);
  const buildFolder = READY_BUILD ?? join(state.folder, "build");
  if (READY_BUILD === undefined && !signal.aborted) await buildInto(buildFolder, signal);
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

function checkBuild(folder: string) {
  if (!existsSync(join(folder, "server/index.js")))
    throw new SetupError(
      "READY_BUILD is not the folder of a build (it has no server/index.js): run `npm run build` and set it to `build`, or unset it.",
    );
}

function announce({ url }: LocalServer, state: LocalState, seeded: boolean) {
  const { port } = new URL(url);
  console.log(
    `\n${brand.name} is running at http://localhost:${port}${seeded ? ", filled with demo data" : ""}`,
  );
  console.log(`Emails are written to ${state.outbox}`);
  if (allowsDemoData(state)) console.log(`${demoAccountsText}\n`);
}

handleSignals();
serve(shutdown.signal).then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(messageOf(error));
    process.exit(1);
  },
);
