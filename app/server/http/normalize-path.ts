/** Normalizes a path as Remix matches it: without letter case and trailing slashes. */
export function normalizePath(path: string): string {
  return path.toLowerCase().replace(/\/+$/, "");
}
