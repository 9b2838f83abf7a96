/**
 * Writes a fault to the log as one line of JSON, under the reference its visitor was shown.
 * Query parameters are left out: database errors carry them in `cause`, and they are personal.
 */
export function logFault(fault: unknown, reference: string): void {
  const error = fault instanceof Error ? fault : new Error(String(fault));
  const { name, stack } = rootCause(error);
  console.error(JSON.stringify({ level: "error", reference, name, stack }));
}

/**
 * Writes to the log, as one line of JSON, that something did not come about though nothing of ours is broken.
 *
 * @param kind one of our own words for why; never what a visitor or another service has sent, which is personal
 */
export function logSetback(event: string, kind: string, reference: string): void {
  console.warn(JSON.stringify({ level: "warning", reference, event, kind }));
}

/** Tells the operator something in one line of JSON, under the reference of the request it came up in. */
export function logNotice(message: string, reference: string): void {
  console.warn(JSON.stringify({ level: "notice", reference, message }));
}

/** The innermost error: wrappers of the database layer repeat the statement's parameters in their message. */
function rootCause(error: Error): Error {
  return error.cause instanceof Error ? rootCause(error.cause) : error;
}
