/** So many wrong passwords cost nothing but themselves. */
export const freeAttempts = 5;

/** No wait is longer, in minutes. */
export const longestWait = 15;

/** Attempts are forgotten when none was made for so many hours. */
export const quietHours = 12;

/**
 * How many minutes an account is closed to further attempts after so many that failed in a row: none while they
 * are free, then one, and twice as many each time up to the longest.
 */
export function waitAfter(attempts: number): number {
  return attempts < freeAttempts ? 0 : Math.min(longestWait, 2 ** (attempts - freeAttempts));
}

/** From so many attempts on the wait is the longest. */
export const lastStep = freeAttempts + Math.ceil(Math.log2(longestWait));
