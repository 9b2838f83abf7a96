export function isUrlEncoded({ headers }: Pick<Request, "headers">): boolean {
  return /^application\/x-www-form-urlencoded\b/i.test(headers.get("Content-Type") ?? "");
}

export function isMultipart({ headers }: Request): boolean {
  return /^multipart\/form-data\b/i.test(headers.get("Content-Type") ?? "");
}

export function acceptsHtml({ headers }: Request): boolean {
  return /\btext\/html\b/i.test(headers.get("Accept") ?? "");
}
