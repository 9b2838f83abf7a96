/** The database could not be asked, or did not answer; it has not said no. */
export class Unreachable extends Error {
  override name = "Unreachable";

  /**
   * @param cause what the runtime or the database's client said
   * @param isPassing whether the same question may be answered a moment later
   */
  constructor(
    cause: unknown,
    readonly isPassing: boolean,
  ) {
    super("The database is out of reach.", { cause });
  }
}

/** Whether a fault, or what caused it, says that the database could not be reached; not that it said no. */
export function isOutage(fault: unknown): boolean {
  return fault instanceof Unreachable || (fault instanceof Error && isOutage(fault.cause));
}
