/** A form that did not get through, for its visitor to send again. */
export interface UnsentForm {
  /** Path and query. */
  to: string;
  fields: [string, string][];
  /** What was typed, by names to be read. */
  typed: [string, string][];
}

const secretNames = /password|token/i;

/** Of our own making, for nobody to read. */
const innerNames = ["_id", "intent", "redirectTo", "session", "formKey"];

/**
 * What was posted, to be sent again as it was; null when it holds a password, which is not sent back to anybody.
 *
 * @param to the address it was posted to
 */
export function unsentForm(to: string, posted: URLSearchParams): UnsentForm | null {
  const { pathname, search } = new URL(to);
  const fields = [...posted];
  if (fields.some(([name]) => secretNames.test(name))) return null;
  const typed = fields
    .filter(([name, value]) => value !== "" && !innerNames.includes(name))
    .map(([name, value]): [string, string] => [inWords(name), value]);
  return { to: pathname + search, fields, typed };
}

/** `sellingPrice` as "Selling price". */
function inWords(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
