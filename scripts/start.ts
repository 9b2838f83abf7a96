import { once } from "node:events";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { brand } from "#app/brand.ts";
import { SetupError } from "#app/server/config/setup-error.ts";
import { parseArguments } from "./arguments.ts";
import { buildInto } from "./build.ts";
import { withDatabase } from "./database.ts";
import { startDemoGoogle } from "./demo/google.ts";
import { allowsDemoData, demoAccountsText, setUpDemoPayouts } from "./demo/seed.ts";
import { checkLibsql } from "./libsql-check.ts";
import { holdState, type LocalState, openLocalState } from "./local-state.ts";
import { freePort } from "./port.ts";
import { messageOf } from "./run-command.ts";
import { emailLine, terminalLog } from "./terminal-log.ts";

const shutdown = new AbortController();

/** Without the signal handlers that libraries add, which exit at once: during a build or a database write. */
function handleSignals() {
  const stop = () => shutdown.abort();
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.removeAllListeners(name);
    process.once(name, stop);
    process.on("newListener", (event, listener) => {
      // It is added after this event.
      if (event === name && listener !== stop) queueMicrotask(() => process.off(name, listener));
    });
  }
}

// `npm start` builds and serves the product; `-- --demo-google` adds sign-in at a local provider in Google's place, and
// `-- --demo-payments` payments at one in Stripe's.

/** Serves until the signal aborts, and returns when everything has stopped. */
async function serve(signal: AbortSignal) {
  // All settings, before the build, which takes a while.
  const { values } = parseArguments("start [--demo-google] [--demo-payments]", {
    options: {
      "demo-google": { type: "boolean", default: false },
      "demo-payments": { type: "boolean", default: false },
    },
  });
  const demos = { google: values["demo-google"], payments: values["demo-payments"] };
  const port = await freePort(process.env.PORT);
  const state = await openLocalState();
  const release = await holdState(state.folder);
  try {
    await serveState(state, port, demos, signal);
  } finally {
    await release();
  }
}

async function serveState(
  state: LocalState,
  port: number,
  demos: { google: boolean; payments: boolean },
  signal: AbortSignal,
) {
  await checkLibsql(state.bindings);
  if (demos.google && state.bindings.GOOGLE_CLIENT_ID)
    throw new SetupError("GOOGLE_CLIENT_ID is set, so --demo-google cannot be used: unset one of the two.");
  if (demos.payments && state.bindings.STRIPE_SECRET_KEY)
    throw new SetupError(
      "STRIPE_SECRET_KEY is set, so --demo-payments cannot be used: unset one of the two.",
    );
  const { READY_BUILD } = process.env;
  if (READY_BUILD !== undefined) checkBuild(READY_BUILD);
  const buildFolder = READY_BUILD ?? join(state.folder, "build");
  if (signal.aborted) return;
  const building = READY_BUILD === undefined && build(buildFolder, signal);
  // Meanwhile, since a build leaves a processor idle, and before the server listens, so that nobody sees an empty catalog.
  const filling = fill(state, { signal, isProtected: demos.payments });
  // Both, so that neither outlives an error of the other.
  await Promise.allSettled([building, filling]);
  await building;
  const seeded = await filling;
  if (signal.aborted) return;
  if (demos.payments && allowsDemoData(state)) await withDatabase(state, setUpDemoPayouts);
  // Imported late, as in `fill`: it takes seconds to load, and wrong settings are reported before.
  const { startLocalServer } = await import("./local-server.ts");
  const google = demos.google ? await startDemoGoogle() : null;
  const payments = demos.payments ? await startDemoPayments(state) : null;
  const { persist, outbox } = state;
  // Without an origin, the jobs send no emails.
  const origin = { PUBLIC_ORIGIN: `http://localhost:${port}` };
  const bindings = { ...origin, ...state.bindings, ...google?.bindings, ...payments?.bindings };
  const ownPort = google ? 0 : port;
  const server = await startLocalServer({
    buildFolder,
    persist,
    port: ownPort,
    outbox,
    bindings,
    network: google?.network,
    ...(process.stdout.isTTY && {
      onLog: terminalLog(),
      onMail: ({ subject }, file) => console.log(emailLine(subject, file, new Date())),
    }),
  });
  try {
    const url = google ? await google.serve(port, new URL(server.url)) : server.url;
    announce(url, state, seeded);
    if (google) console.log("Sign-in with Google leads to a local page that stands in for Google.\n");
    payments?.sendEventsTo(new URL("/payments/events", server.url).href);
    if (payments)
      console.log(
        `Payments lead to a local page that stands in for Stripe. No money moves. Buyers dispute theirs on ${payments.origin}/disputes.\n`,
      );
    // The cron trigger in `wrangler.toml`.
    const timer = setInterval(() => server.tick().catch(console.error), 600_000);
    signal.addEventListener("abort", () => clearInterval(timer));
    if (!signal.aborted) await Promise.race([once(signal, "abort"), endOfServer(server.url, signal)]);
  } finally {
    await google?.stop();
    await payments?.stop();
    await server.stop();
  }
}

function build(folder: string, signal: AbortSignal) {
  console.log(`Building ${brand.name} (about a minute) …`);
  return buildInto(folder, signal, "pipe");
}

async function fill(state: LocalState, options: { signal: AbortSignal; isProtected: boolean }) {
  const { fillLocalState } = await import("./demo/local-market.ts");
  return fillLocalState(state, options);
}

/** Throws when nobody listens at the server's port any more: Miniflare does not report that workerd has died. */
async function endOfServer(url: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await setTimeout(2000);
    if (!(await isListening(url)) && !signal.aborted)
      throw new SetupError(
        "The server process, workerd, has ended. Nothing is lost: run `npm start` again to go on.",
      );
  }
}

/** Whether a connection is accepted. Unlike a request it leaves no line in the log. */
async function isListening(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  try {
    await once(socket, "connect");
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ECONNREFUSED";
  } finally {
    socket.destroy();
  }
}

function checkBuild(folder: string) {
  if (!existsSync(join(folder, "server/index.js")))
    throw new SetupError(
      "READY_BUILD is not the folder of a build (it has no server/index.js): run `npm run build` and set it to `build`, or unset it.",
    );
}

/** Its state is that of the database: orders refer to it. Loaded late, as few need it. */
async function startDemoPayments({ folder }: LocalState) {
  const { demoOriginFile, startPaymentProvider } = await import("./demo/payment-provider.ts");
  const provider = await startPaymentProvider({ file: join(folder, "payments.json") });
  // For `npm run jobs`.
  await writeFile(join(folder, demoOriginFile), provider.origin);
  return provider;
}

function announce(url: string, state: LocalState, seeded: boolean) {
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
