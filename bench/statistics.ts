/** Formats the median and the middle half of the pairwise ratios, for example "1.02 (0.98 to 1.07)". */
export function ratios(numbers: number[] = [], others: number[] = []): string {
  const all = numbers.map((number, index) => number / (others[index] ?? Number.NaN)).sort((a, b) => a - b);
  const quarter = Math.floor(all.length / 4);
  const [low = 0, high = 0] = [all[quarter], all[all.length - 1 - quarter]];
  return `${median(all).toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
}

export function median(numbers: number[]): number {
  return percentile(numbers, 0.5);
}

/** @param part of 1 */
export function percentile(numbers: number[], part: number): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * part)] ?? Number.NaN;
}
