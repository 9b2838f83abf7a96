import { useSyncExternalStore } from "react";

/** Ids of the phones selected for comparison; they stay selected on other pages. */
let selected: readonly string[] = [];
const none: readonly string[] = [];
const listeners = new Set<() => void>();

/** The selected phones; none on the server, where all visitors share the module. */
export function useSelectedListings(): readonly string[] {
  return useSyncExternalStore(
    subscribe,
    () => selected,
    () => none,
  );
}

/** Changes the selection. Call it in the browser only. */
export function updateSelectedListings(change: (selected: readonly string[]) => readonly string[]) {
  const next = change(selected);
  if (next.join() === selected.join()) return;
  selected = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
