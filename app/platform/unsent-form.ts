/** A form that did not get through, for its visitor to send again. */
export interface UnsentForm {
  /** Path and query. */
  to: string;
  fields: [string, string][];
}

const secretNames = /password|token/i;

/**
 * What was posted, to be sent again as it was; null when it holds a password, which is not sent back to anybody.
 *
 * @param to the address it was posted to
 */
export function unsentForm(to: string, posted: URLSearchParams): UnsentForm | null {
  const { pathname, search } = new URL(to);
  const fields = [...posted];
  return fields.some(([name]) => secretNames.test(name)) ? null : { to: pathname + search, fields };
}

/** The form that an error page was given, if any. */
export function unsentIn(data: unknown): UnsentForm | null {
  return (data as { unsent?: UnsentForm | null } | null)?.unsent ?? null;
}
