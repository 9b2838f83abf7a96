/** An error that only the operator can fix: a wrong setting, or a database that is not migrated. */
export class SetupError extends Error {
  override name = "SetupError";
}

/** The setup error that an error is, or that a missing table or column stands for. */
export function setupErrorFrom(error: Error): SetupError | null {
  if (error instanceof SetupError) return error;
  const [missing] = /no such (table|column): \w+/.exec(error.message) ?? [];
  return missing
    ? new SetupError(
        `The database is not migrated (${missing}). Run \`npx wrangler d1 migrations apply DB --local\` for \`wrangler dev\`, \`npm run db:migrate -- --remote\` for the deployed D1, or \`npm run db:migrate\` for libSQL.`,
      )
    : null;
}
