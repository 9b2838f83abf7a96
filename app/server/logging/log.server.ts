import { setupErrorFrom } from "../config/setup-error.ts";

/** Logs the innermost error: wrappers of the database layer repeat query parameters, which are personal data. */
export function logError(thrown: unknown, reference: string): void {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const cause = rootCause(error);
  const setupError = setupErrorFrom(cause);
  const { name, stack } = cause;
  // Of a setup error, the message says it all. Each request that meets it has its line.
  const facts = setupError ? { name: setupError.name, message: setupError.message } : { name, stack };
  console.error(JSON.stringify({ level: "error", reference, ...facts }));
}

/**
 * Logs a failure that is not our error. @param reason never text from users or other services: it may be personal
 * data
 */
export function logWarning(event: string, reason: string, reference: string): void {
  console.warn(JSON.stringify({ level: "warning", reference, event, reason }));
}

/** Logs a login or a change of credentials. @param detail never text from users */
export function logSecurityEvent(
  event: "login" | "credentials changed",
  detail: string,
  reference: string,
): void {
  console.info(JSON.stringify({ level: "info", event, reference, detail }));
}

/** Logs the names of what is not set up. */
export function logMissing(missing: string[], reference: string): void {
  console.info(JSON.stringify({ level: "info", event: "not set up", reference, missing }));
}

/** Contains no text from the client, so no personal data. */
interface RequestLogEntry {
  reference: string;
  method: string;
  /** Masked by `pathMasker`. */
  path: string;
  status: number;
  cache: string;
  /** Time until the response started, and the part of it spent in Remix. The clock only advances during I/O. */
  ms: number;
  renderMs?: number;
}

export function logRequest(entry: RequestLogEntry): void {
  console.log(JSON.stringify({ level: "info", event: "request", ...entry }));
}

function rootCause(error: Error): Error {
  return error.cause instanceof Error ? rootCause(error.cause) : error;
}
