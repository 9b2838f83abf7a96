import { setupErrorFrom } from "../config/setup-error.ts";

/** Setup errors that this isolate has logged: every request meets them, and one line is enough. */
const loggedSetupErrors = new Set<string>();

/**
 * Writes a fault to the log as one line of JSON, under the reference its visitor was shown.
 * Query parameters are left out: database errors carry them in `cause`, and they are personal.
 */
export function logFault(fault: unknown, reference: string): void {
  const error = fault instanceof Error ? fault : new Error(String(fault));
  const cause = rootCause(error);
  const setupError = setupErrorFrom(cause);
  if (setupError) {
    logSetupError(setupError, reference);
    return;
  }
  const { name, stack } = cause;
  console.error(JSON.stringify({ level: "error", reference, name, stack }));
}

function logSetupError({ name, message }: Error, reference: string): void {
  if (loggedSetupErrors.has(message)) return;
  loggedSetupErrors.add(message);
  console.error(JSON.stringify({ level: "error", reference, name, message }));
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

/** What the log tells of a request: nothing that a visitor chose, so nothing personal. */
export interface RequestLine {
  reference: string;
  method: string;
  /** Masked, see `pathMasker`. */
  path: string;
  status: number;
  /** How the edge cache answered. */
  cache: string;
  /** Until the answer began, and how much of that was spent on rendering; the clock stands still between waits. */
  ms: number;
  renderMs?: number;
  dbMs?: number;
  dbRoundTrips?: number;
}

/** Writes a request to the log as one line of JSON. */
export function logRequest(line: RequestLine): void {
  console.log(JSON.stringify({ level: "info", event: "request", ...line }));
}

/** The innermost error: wrappers of the database layer repeat the statement's parameters in their message. */
function rootCause(error: Error): Error {
  return error.cause instanceof Error ? rootCause(error.cause) : error;
}
