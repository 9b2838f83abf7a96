import { useSyncExternalStore } from "react";

/** A request of a link or form that did not reach the server, or that the server failed to answer. */
export interface StalledRequest {
  isPost: boolean;
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

/** The newest stalled request. The router waits for it until it is sent again, or something else is opened. */
export function useStalledRequest(): StalledRequest | undefined {
  return useSyncExternalStore(
    subscribe,
    () => stalled.at(-1),
    () => undefined,
  );
}

/** Waits until the signal aborts. */
export function stall(request: StalledRequest, signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const leave = () => {
      change(stalled.filter((other) => other !== request));
      reject(signal.reason);
    };
    if (signal.aborted) return leave();
    signal.addEventListener("abort", leave, { once: true });
    change([...stalled, request]);
  });
}
