export const busyText = "Too many people are logging in or signing up right now. Try again in a few seconds.";

/** Seconds. */
export const busyRetryAfter = 3;

/** Too many passwords are being hashed at once. */
export class HashingBusyError extends Error {}
