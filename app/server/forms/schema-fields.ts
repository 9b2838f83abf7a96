import { z } from "zod";
import { countLabel } from "#app/market.ts";
import { sanitizeText, singleLine } from "./sanitize-text.ts";

type TextError = NonNullable<Parameters<typeof z.string>[0]>;

/** The schema of a typed text in one line; all that people type passes through it or through `freeText`. */
export function text(params?: TextError) {
  return z.string(params).overwrite(singleLine);
}

/**
 * The schema of a text in a person's own words, with its line breaks.
 *
 * @param missing the error if there is no text
 */
export function freeText(label: string, { max = 2000, missing = `${label} must be text` } = {}) {
  return z
    .string({ error: missing })
    .overwrite(sanitizeText)
    .max(max, `${label} must be ${countLabel(max)} characters or shorter`);
}

/** The message of a required choice: "Os is required" if it is empty, else `wrong`, which names the values. */
export function requiredChoiceError(label: string, wrong: string) {
  return ({ input }: { input?: unknown }) =>
    input === undefined || input === "" ? `${label} is required` : wrong;
}

/** In the body of a program: what it was asked about. */
export const confirmed = z
  .array(z.string())
  .max(100)
  .optional()
  .describe("The `asked` of a response with 409, to do it all the same. Use a new Idempotency-Key.");
