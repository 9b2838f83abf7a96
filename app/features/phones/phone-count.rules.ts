/** Further than this phones are not counted. */
const mostCounted = 1000;

/** How many phones there are, in words: "1 phone", "12,400 phones". */
export function phonesLabel(count: number): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? "phone" : "phones"}`;
}

/** How many phones were found, where counting ends at 1,001: "12 phones", "1,000+ phones". */
export function foundLabel(count: number): string {
  return count > mostCounted ? "1,000+ phones" : phonesLabel(count);
}
