/** Whether a request's body is a URL-encoded form. */
export function isUrlEncoded({ headers }: Request): boolean {
  return /^application\/x-www-form-urlencoded\b/i.test(headers.get("Content-Type") ?? "");
}

/** Whether a request's body is a multipart form, as for forms with files. */
export function isMultipart({ headers }: Request): boolean {
  return /^multipart\/form-data\b/i.test(headers.get("Content-Type") ?? "");
}

/** Whether the client accepts HTML, as browsers do when they load a page. */
export function acceptsHtml({ headers }: Request): boolean {
  return /\btext\/html\b/i.test(headers.get("Accept") ?? "");
}
