// Without zod, for pages that load their schema later.
export const invalidEmail = "Enter an email address like name@example.com";
export const addressTaken = "This email address is already in use.";

/**
 * Passkeys can be changed and personal access tokens created within so many minutes of a login, so that nobody can do
 * it in a browser left open.
 */
export const recentLoginMinutes = 15;

/** For so many days an account without a completed order is marked as new to those who get its messages. */
export const newHereDays = 30;

/** bcrypt silently ignores bytes beyond this. */
export const maxPasswordBytes = 72;

/** The form in which a password is hashed: keyboards write one character in several ways (NIST SP 800-63B, 3.1.1.2). */
export function normalPassword(password: string): string {
  return password.normalize("NFKC");
}

/** The forms of a typed password that may be hashed: the normal one, and as it was typed before there was one. */
export function passwordForms(password: string): string[] {
  const forms = [...new Set([normalPassword(password), password])];
  return forms.filter((form) => new TextEncoder().encode(form).length <= maxPasswordBytes);
}
