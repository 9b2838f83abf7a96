/** Counting stops one above this. */
const maxCounted = 1000;

/** A whole number with separators: "12,400". Not by `toLocaleString`, which is slow and delays the Worker's start. */
export function countLabel(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** A number of phones: "1 phone", "12,400 phones". */
export function phonesLabel(count: number): string {
  return `${countLabel(count)} ${count === 1 ? "phone" : "phones"}`;
}

/** A number of phones that was counted up to 1,001: "12 phones", "1,000+ phones". */
export function foundLabel(count: number): string {
  return count > maxCounted ? "1,000+ phones" : phonesLabel(count);
}
