/** The database could not be reached or did not respond. Errors that the database returns are not of this class. */
export class Unreachable extends Error {
  override name = "Unreachable";

  constructor(cause: unknown) {
    super("The database is unreachable.", { cause });
  }
}

/** Whether an error or one of its causes is `Unreachable`. */
export function isOutage(error: unknown): boolean {
  return error instanceof Unreachable || (error instanceof Error && isOutage(error.cause));
}
