/** Further than this phones are not counted. */
const mostCounted = 1000;

const whole = new Intl.NumberFormat("en-US");

/** A count for reading: "12,400". A page has dozens, and `toLocaleString` makes a format for each. */
export function countLabel(count: number): string {
  return whole.format(count);
}

/** How many phones there are, in words: "1 phone", "12,400 phones". */
export function phonesLabel(count: number): string {
  return `${countLabel(count)} ${count === 1 ? "phone" : "phones"}`;
}

/** How many phones were found, where counting ends at 1,001: "12 phones", "1,000+ phones". */
export function foundLabel(count: number): string {
  return count > mostCounted ? "1,000+ phones" : phonesLabel(count);
}
