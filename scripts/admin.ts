import { emailSchema } from "#app/features/accounts/account.schema.ts";
import { raiseToAdmin } from "#app/features/accounts/accounts.server.ts";
import { withDatabase } from "./database.ts";
import { openLocalState } from "./local-state.ts";
import { runWrangler } from "./wrangler.ts";

// `npm run admin -- EMAIL [--remote]` makes an existing account an administrator.
const email = emailSchema.safeParse(process.argv[2]);
if (!email.success) {
  console.error("Usage: npm run admin -- EMAIL [--remote]");
  process.exit(2);
}

if (process.argv.includes("--remote") && !process.env.LIBSQL_URL) {
  // `wrangler d1 execute` takes no bound parameters.
  const literal = `'${email.data.replaceAll("'", "''")}'`;
  const ofAccount = `user_id IN (SELECT id FROM users WHERE lower(email) = lower(${literal}) AND removal_id IS NULL)`;
  const signOut = `DELETE FROM sessions WHERE ${ofAccount}`;
  const raise = `UPDATE users SET user_type = 'Admin' WHERE lower(email) = lower(${literal}) AND removal_id IS NULL RETURNING email, user_type`;
  runWrangler("d1", "execute", "DB", "--remote", "--command", `${signOut}; ${raise}`);
} else {
  const raised = await withDatabase(await openLocalState(), (db) => raiseToAdmin(db, email.data));
  console.log(
    raised ? `${email.data} is an administrator now.` : `There is no account with the address ${email.data}.`,
  );
  process.exitCode = raised ? 0 : 1;
}
