import { useSyncExternalStore } from "react";

/** Ids of the phones chosen for a comparison, kept while the visitor goes from page to page. */
let chosen: readonly string[] = [];
const none: readonly string[] = [];
const listeners = new Set<() => void>();

/** The phones that are chosen; none on the server, where all visitors would share them. */
export function useSelectedPhones(): readonly string[] {
  return useSyncExternalStore(
    subscribe,
    () => chosen,
    () => none,
  );
}

/** Changes which phones are chosen. To be called in the browser only. */
export function updateSelectedPhones(change: (chosen: readonly string[]) => readonly string[]) {
  const next = change(chosen);
  if (next.join() === chosen.join()) return;
  chosen = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
