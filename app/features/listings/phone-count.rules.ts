/** Further than this phones are not counted. */
const maxCounted = 1000;

/**
 * A whole number for reading: "12,400". A page has dozens, of which `toLocaleString` would make a format each, and
 * the first of those takes longer than the Worker may take to start.
 */
export function countLabel(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** How many phones there are, in words: "1 phone", "12,400 phones". */
export function phonesLabel(count: number): string {
  return `${countLabel(count)} ${count === 1 ? "phone" : "phones"}`;
}

/** How many phones were found, where counting ends at 1,001: "12 phones", "1,000+ phones". */
export function foundLabel(count: number): string {
  return count > maxCounted ? "1,000+ phones" : phonesLabel(count);
}
