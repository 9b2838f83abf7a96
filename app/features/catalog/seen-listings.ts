import { useEffect, useSyncExternalStore } from "react";

const storageKey = "seen listings";
const maxSeen = 12;
const none: readonly string[] = [];

let text: string | null = null;
let ids: readonly string[] = none;
const listeners = new Set<() => void>();

/** The ids of the listings last seen in this browser, newest first; none on the server and without storage. */
export function useSeenListings(): readonly string[] {
  return useSyncExternalStore(subscribe, read, () => none);
}

/** Notes that a listing was seen. Only this browser knows. */
export function useNoteSeen(phoneId: string) {
  useEffect(() => {
    write([phoneId, ...read().filter((id) => id !== phoneId)].slice(0, maxSeen));
  }, [phoneId]);
}

/** Forgets all listings that were seen, for the button and for the logout. */
export function forgetSeenListings() {
  write([]);
}

function read(): readonly string[] {
  const stored = storedText();
  if (stored === text) return ids;
  text = stored;
  ids = parse(stored);
  return ids;
}

function parse(stored: string | null): readonly string[] {
  try {
    const value: unknown = JSON.parse(stored ?? "[]");
    return Array.isArray(value) ? value.filter((id) => typeof id === "string").slice(0, maxSeen) : none;
  } catch {
    return none;
  }
}

function storedText(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    // The browser blocks storage.
    return null;
  }
}

function write(next: string[]) {
  try {
    if (next.length > 0) localStorage.setItem(storageKey, JSON.stringify(next));
    else localStorage.removeItem(storageKey);
  } catch {
    // Blocked or full: nothing is remembered.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  // Changes in other tabs.
  window.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
}
