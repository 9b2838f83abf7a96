/** The database could not be asked, or did not answer. An error that it answered with is not one of these. */
export class Unreachable extends Error {
  override name = "Unreachable";

  /** @param cause the error of the runtime or of the database's client */
  constructor(cause: unknown) {
    super("The database is unreachable.", { cause });
  }
}

/** Whether an error, or one of its causes, says that the database is unreachable. */
export function isOutage(error: unknown): boolean {
  return error instanceof Unreachable || (error instanceof Error && isOutage(error.cause));
}
