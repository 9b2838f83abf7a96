import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArguments } from "./arguments.ts";
import { demoBindings, demoOriginFile } from "./demo/payment-provider.ts";
import { checkLibsql } from "./libsql-check.ts";
import { type LocalState, openExistingState } from "./local-state.ts";
import { runCommand } from "./run-command.ts";
import { terminalLog } from "./terminal-log.ts";

// `npm run jobs` runs the scheduled jobs once on the local state, by the last build of `npm start`.
await runCommand(async () => {
  parseArguments("jobs", {});
  const state = await openExistingState("database");
  const { folder, persist, outbox } = state;
  const buildFolder = process.env.READY_BUILD ?? join(folder, "build");
  if (!existsSync(join(buildFolder, "server/index.js")))
    throw new Error(`There is no build in ${buildFolder}: run \`npm start\` first, or set READY_BUILD.`);
  await checkLibsql(state.bindings);
  const payments = await findDemoPayments(state);
  const bindings = { ...state.bindings, ...(payments === "stopped" ? null : payments) };
  // Imported late: it takes seconds to load.
  const { startLocalServer } = await import("./local-server.ts");
  // A queue would deliver its message after the run, when the server has stopped.
  const emailQueue = "none";
  // The missing queue is no problem here.
  const onLog = terminalLog(console.error, "warning");
  const server = await startLocalServer({ buildFolder, persist, outbox, bindings, emailQueue, onLog });
  try {
    await server.tick();
  } finally {
    await server.stop();
  }
  console.log("The scheduled jobs have run.");
  if (payments)
    console.log(
      payments === "stopped"
        ? "Payments were left alone: what stands in for Stripe runs only with `npm start -- --demo-payments`."
        : "Payments went through what stands in for Stripe.",
    );
});

/** The settings of what stands in for Stripe in a state’s server; null if the state has none, or payments of its own. */
async function findDemoPayments({ folder, bindings }: LocalState) {
  const file = join(folder, demoOriginFile);
  if (bindings.STRIPE_SECRET_KEY || !existsSync(file)) return null;
  const origin = await readFile(file, "utf8");
  const isRunning = await fetch(new URL("/disputes", origin)).then(
    ({ ok }) => ok,
    () => false,
  );
  return isRunning ? demoBindings(origin) : "stopped";
}
