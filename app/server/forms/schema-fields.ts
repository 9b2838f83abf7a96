import { z } from "zod";
import { countLabel } from "#app/market.ts";

/** Characters that show nothing: spaces, controls, and those of no width. */
const invisible = /^[\s\p{Control}\p{Format}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/**
 * The schema of a text in a person's own words, without the space around it; a text that shows nothing is empty.
 *
 * @param missing the error if there is no text
 */
export function freeText(label: string, { max = 2000, missing = `${label} must be text` } = {}) {
  return z
    .string({ error: missing })
    .overwrite((text) => (invisible.test(text) ? "" : text.trim()))
    .max(max, `${label} must be ${countLabel(max)} characters or shorter`);
}

/** The message of a required choice: "Os is required" if it is empty, else `wrong`, which names the values. */
export function choiceError(label: string, wrong: string) {
  return ({ input }: { input?: unknown }) =>
    input === undefined || input === "" ? `${label} is required` : wrong;
}
