import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArguments } from "./arguments.ts";
import { checkLibsql } from "./libsql-check.ts";
import { openExistingState } from "./local-state.ts";
import { runCommand } from "./run-command.ts";
import { terminalLog } from "./terminal-log.ts";

// `npm run jobs` runs the scheduled jobs once on the local state, by the last build of `npm start`.
await runCommand(async () => {
  parseArguments("jobs", {});
  const { folder, persist, outbox, bindings } = await openExistingState("database");
  const buildFolder = process.env.READY_BUILD ?? join(folder, "build");
  if (!existsSync(join(buildFolder, "server/index.js")))
    throw new Error(`There is no build in ${buildFolder}: run \`npm start\` first, or set READY_BUILD.`);
  await checkLibsql(bindings);
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
});
