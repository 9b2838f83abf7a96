/** How many times as long as it is fresh an entry may be shown while it is made anew. */
const staleFor = 10;

/**
 * How an entry stands: fresh; stale, to be shown while it is made anew; or spent, to be shown only when nothing else
 * can be. A write leaves everything spent that was made before it.
 *
 * @param entry when it was kept, in milliseconds, and under which generation
 */
export function standing(
  entry: { keptAt: number; mark: string } | null,
  { now, mark, freshSeconds }: { now: number; mark: string; freshSeconds: number },
): "fresh" | "stale" | "spent" {
  if (!entry || entry.mark !== mark) return "spent";
  const seconds = (now - entry.keptAt) / 1000;
  if (seconds < freshSeconds) return "fresh";
  return seconds < freshSeconds * (1 + staleFor) ? "stale" : "spent";
}
