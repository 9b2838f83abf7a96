import { DrizzleQueryError } from "drizzle-orm";

/** Runs a command. If it fails, its message is printed without a stack, and the exit code is 1. */
export async function runCommand(command: () => Promise<unknown>): Promise<void> {
  try {
    await command();
  } catch (error) {
    console.error(messageOf(error));
    process.exitCode = 1;
  }
}

/** The message of an error; of a failed query, the database's own one instead of the statement. */
export function messageOf(error: unknown): string {
  if (error instanceof DrizzleQueryError && error.cause) return messageOf(error.cause);
  return error instanceof Error ? error.message : String(error);
}
