import { useSyncExternalStore } from "react";

const never = () => () => {};

/** False on the server and in the first render of a page that came from it: for what only works with JavaScript. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
