/** A posted form that failed in an outage or without a session, and can be submitted again. */
export interface UnsentForm {
  to: string;
  fields: [string, string][];
  /** The values that the user entered, with readable labels. */
  entered: [string, string][];
}

const secretFields = /password|token/i;

const hiddenFields = ["_id", "intent", "redirectTo", "session", "formKey", "account"];

/** Prepares a form for submitting it again; null if it holds a password or token, which is never sent back. */
export function unsentForm(to: string, posted: URLSearchParams): UnsentForm | null {
  const { pathname, search } = new URL(to);
  const fields = [...posted];
  if (fields.some(([name]) => secretFields.test(name))) return null;
  const entered = fields
    .filter(([name, value]) => value !== "" && !hiddenFields.includes(name))
    .map(([name, value]): [string, string] => [labelOf(name), value]);
  return { to: pathname + search, fields, entered };
}

/** Of messages and reviews. */
const freeTextField = "text";

function labelOf(name: string): string {
  if (name === freeTextField) return "Your text";
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
