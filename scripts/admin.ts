import { emailSchema } from "#app/features/accounts/account.schema.ts";
import { promoteToAdmin } from "#app/features/accounts/accounts.server.ts";
import { endWithUsage, parseArguments } from "./arguments.ts";
import { withDatabase } from "./database.ts";
import { openExistingState } from "./local-state.ts";
import { runCommand } from "./run-command.ts";
import { runWrangler } from "./wrangler.ts";

// `npm run admin -- EMAIL [--remote]` makes an existing account an administrator.
await runCommand(async () => {
  const usage = "admin EMAIL [--remote]";
  const options = { remote: { type: "boolean" } } as const;
  const { positionals, values } = parseArguments(usage, { allowPositionals: true, options });
  const { data: email } = emailSchema.safeParse(positionals[0]);
  if (!email) endWithUsage(usage);

  if (values.remote && !process.env.LIBSQL_URL) {
    // `wrangler d1 execute` takes no bound parameters.
    const literal = `'${email.replaceAll("'", "''")}'`;
    const ofAccount = `user_id IN (SELECT id FROM users WHERE lower(email) = lower(${literal}) AND removal_id IS NULL)`;
    const signOut = `DELETE FROM sessions WHERE ${ofAccount}`;
    const raise = `UPDATE users SET user_type = 'Admin' WHERE lower(email) = lower(${literal}) AND removal_id IS NULL RETURNING email, user_type`;
    runWrangler("d1", "execute", "DB", "--remote", "--command", `${signOut}; ${raise}`);
  } else {
    const raised = await withDatabase(await openExistingState("database"), (db) => promoteToAdmin(db, email));
    if (!raised)
      throw new Error(
        `There is no account with the address ${email}. It is created by signing up; then run this again.`,
      );
    console.log(`${email} is an administrator now.`);
  }
});
