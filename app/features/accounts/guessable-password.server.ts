import { brand } from "#app/brand.ts";
import type { FormRefusal } from "#app/server/forms/forms.server.ts";
import { commonPasswords } from "./common-passwords.server.ts";

/** Words of this site, which attackers try with digits added. */
const siteWords = [
  brand.name.toLowerCase(),
  ...["marketplace", "smartphone", "admin", "administrator", "moderator"],
];

export const guessablePasswordText = "This password is easy to guess. Choose another one.";

/** Why a new password is refused: it is a common one, or a word of this site with digits or signs added. */
export function guessablePasswordRefusal(password: string): FormRefusal | null {
  const lower = password.toLowerCase();
  const isGuessable = commonPasswords.has(lower) || siteWords.includes(lower.replace(/[^a-z]/g, ""));
  return isGuessable ? { fieldErrors: { password: [guessablePasswordText] } } : null;
}
