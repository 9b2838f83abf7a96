import { useEffect, useRef, useSyncExternalStore } from "react";

/** A request that did not reach the server, or that the server failed to answer. */
interface StalledRequest {
  goOn: (isRepeated: boolean) => void;
}

let stalled: readonly StalledRequest[] = [];
const listeners = new Set<() => void>();

function change(next: readonly StalledRequest[]) {
  stalled = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The newest stalled request, while it waits for the user's decision. */
export function useStalledRequest(): StalledRequest | undefined {
  return useSyncExternalStore(
    subscribe,
    () => stalled.at(-1),
    () => undefined,
  );
}

/** Waits until the user decides whether to repeat the request. Rejects once it is not wanted anymore. */
export function waitForRepeat(signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const request = { goOn: resolve };
    const leave = () => {
      change(stalled.filter((other) => other !== request));
      reject(signal.reason);
    };
    signal.addEventListener("abort", leave, { once: true });
    change([...stalled, request]);
  });
}

/**
 * For requests that a component sends itself.
 *
 * @returns a function that waits until the user decides whether to repeat the request; false once the component is gone
 */
export function useStall(): () => Promise<boolean> {
  const unmounted = useRef(AbortSignal.abort());
  useEffect(() => {
    const unmount = new AbortController();
    unmounted.current = unmount.signal;
    return () => unmount.abort();
  }, []);
  return () => waitForRepeat(unmounted.current).catch(() => false);
}

export function goOnWithStalledRequests(isRepeated: boolean): void {
  for (const { goOn } of stalled) goOn(isRepeated);
  change([]);
}

/** After this time without a response a server that hangs is as good as stopped. */
export const stalledAfterMs = 15_000;
