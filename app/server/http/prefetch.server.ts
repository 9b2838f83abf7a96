/** Whether a browser loads a page before its user opens it. */
export function isPrefetch({ headers }: Request): boolean {
  return /prefetch|prerender/.test(headers.get("Sec-Purpose") ?? headers.get("Purpose") ?? "");
}
