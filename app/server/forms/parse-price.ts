/** Parses a typed price in dollars ("$1,250", "349.5") to cents; null if it is none. */
export function parsePrice(typed: string | null): number | null {
  if (!typed) return null;
  const plain = typed
    .trim()
    .replace(/^\$\s*/, "")
    .replace(/,(?=\d{3})/g, "");
  if (!/^\d{1,7}(\.\d{0,2})?$/.test(plain)) return null;
  return Math.round(Number(plain) * 100);
}
