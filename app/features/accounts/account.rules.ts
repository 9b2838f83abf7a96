// Without zod, for pages that load their schema later.
export const invalidEmail = "Enter an email address like name@example.com";

/**
 * Passkeys can be changed and personal access tokens created within so many minutes of a login, so that nobody can do
 * it in a browser left open.
 */
export const recentLoginMinutes = 15;
