import { useSyncExternalStore } from "react";

const subscribe = () => () => {};

/** Whether the page is hydrated; false on the server and in the first render of its HTML. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  );
}
