import { unstable_readConfig } from "wrangler";
import { parseEnvironment } from "#app/server/config/environment.server.ts";
import { checkSystem } from "#app/server/config/system-checks.server.ts";
import { parseArguments } from "./arguments.ts";
import { runCommand } from "./run-command.ts";

// `npm run deploy:check [-- FILE]` prints what `wrangler.toml` lacks, one line each. It fails if a deployment would.
await runCommand(async () => {
  const [file = "wrangler.toml"] = parseArguments("deploy:check [FILE]", {
    allowPositionals: true,
  }).positionals;
  const config = unstable_readConfig({ config: file });
  // Secrets are only at Cloudflare: what is set in the shell is checked.
  const { SESSION_SECRET, LIBSQL_URL, MAIL_FROM, PUBLIC_ORIGIN } = process.env;
  const secrets = { SESSION_SECRET: SESSION_SECRET ?? "x".repeat(32), LIBSQL_URL };
  const settings = { MAIL_FROM, PUBLIC_ORIGIN, ...secrets, ...config.vars };
  const databases = LIBSQL_URL ? [] : config.d1_databases;
  const bound = [
    ...databases,
    ...config.r2_buckets,
    ...(config.queues.producers ?? []),
    ...config.send_email,
    ...config.ratelimits,
    ...(config.images ? [config.images] : []),
  ].map(({ binding, name }: { binding?: string; name?: string }) => binding ?? name);
  const environment = parseEnvironment({
    ...settings,
    ...Object.fromEntries(bound.map((name) => [name, {}])),
  });

  for (const { name, isReady, state, meaning, document } of checkSystem(environment)) {
    if (!isReady) console.log(`${name}: ${state} ${meaning} See ${document}`);
  }
  if (config.triggers.crons?.length === 0) {
    console.log(
      "Scheduled jobs: no crons are set. Deadlines, emails and clean-up wait. See docs/maintenance.md",
    );
  }
  if (!SESSION_SECRET) {
    console.log(
      "SESSION_SECRET: not checked. `npx wrangler secret list` shows if it is set. See docs/deployment.md#cloudflare",
    );
  }
  const isPlaceholder = databases.some(({ database_id = "" }: { database_id?: string }) =>
    /^[0-]*$/.test(database_id),
  );
  if (isPlaceholder) throw new Error("database_id is a placeholder. See docs/deployment.md#cloudflare");
  console.log("Nothing stands in the way of a deployment.");
});
