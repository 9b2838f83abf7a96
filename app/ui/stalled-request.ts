import { useSyncExternalStore } from "react";

/** A request of a link or form that did not reach the server, or that the server failed to answer. */
interface StalledRequest {
  isPost: boolean;
  goOn: () => void;
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

/** Waits until the user decides how to go on. Rejects once the request is not wanted anymore. */
export function stall(isPost: boolean, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const request = { isPost, goOn: resolve };
    const leave = () => {
      change(stalled.filter((other) => other !== request));
      reject(signal.reason);
    };
    signal.addEventListener("abort", leave, { once: true });
    change([...stalled, request]);
  });
}

export function goOnWithStalledRequests(): void {
  for (const { goOn } of stalled) goOn();
  change([]);
}
