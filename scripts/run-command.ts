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

/** What to do about a file that Node could not open, by its error's code. */
const fileProblems: Record<string, (file: string) => string> = {
  ENOENT: (file) => `There is no ${file}.`,
  EEXIST: (file) => `${file} exists already: choose another name, or delete it first.`,
  EISDIR: (file) => `${file} is a folder, not a file: choose another name.`,
  ENOTDIR: (file) => `${file} is below a file: choose another name.`,
  EACCES: (file) => `${file} can’t be read or written by this account (EACCES).`,
  EROFS: (file) => `${file} is on a disk that can’t be written (EROFS).`,
};

/** The message of an error; of a failed query, the database's own one instead of the statement. */
export function messageOf(error: unknown): string {
  if (error instanceof DrizzleQueryError && error.cause) return messageOf(error.cause);
  if (!(error instanceof Error)) return String(error);
  // Node names no file when it reads a folder.
  const { code = "", path = code === "EISDIR" ? "This" : undefined } = error as NodeJS.ErrnoException;
  return (path && fileProblems[code]?.(path)) ?? error.message;
}
