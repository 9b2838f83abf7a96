import { useSyncExternalStore } from "react";
import { fetchOptionalJson } from "#app/ui/fetch-optional-json.ts";

/** The resource route that tells and changes which listings the viewer has saved. */
export const savedStatePath = "/manage/saved/state";

/** Of one request. */
export const maxAskedStates = 100;

/** Whether the viewer has saved each listing, as far as it is known. */
let states = new Map<string, boolean>();
let owner: unknown;
const asked = new Set<string>();
const busy = new Set<string>();
const listeners = new Set<() => void>();

/** Whether the viewer has saved a listing; undefined while unknown, and on the server. */
export function useSavedState(phoneId: string): boolean | undefined {
  return useSyncExternalStore(
    subscribe,
    () => states.get(phoneId),
    () => undefined,
  );
}

/** Forgets everything when `current` is another: the user may be, and other pages may have changed what is saved. */
export function keepStatesFor(current: unknown) {
  if (owner === current) return;
  owner = current;
  asked.clear();
  update(new Map());
}

/** Asks the server for the listings that were not asked for yet. */
export async function loadSavedStates(phoneIds: string[]): Promise<void> {
  const wanted = phoneIds.filter((id) => !asked.has(id)).slice(0, maxAskedStates);
  if (wanted.length === 0) return;
  for (const id of wanted) asked.add(id);
  const loadedFor = owner;
  const path = `${savedStatePath}?ids=${wanted.join()}`;
  const found = await fetchOptionalJson<{ saved: string[] }>(path, new AbortController().signal);
  if (!found || owner !== loadedFor) return;
  // Changes by the user since the request are newer.
  update(new Map([...wanted.map((id) => [id, found.saved.includes(id)] as const), ...states]));
  await loadSavedStates(phoneIds);
}

/** The result of a change; unless "changed", the state is as before. */
export type SavedChange = "changed" | "busy" | "signed out" | { refusal: string };

/** Saves a listing or removes it from the saved ones. It is shown at once, and undone if it fails. */
export async function changeSaved(phoneId: string, isSaved: boolean): Promise<SavedChange> {
  if (busy.has(phoneId)) return "busy";
  busy.add(phoneId);
  const before = states.get(phoneId);
  set(phoneId, isSaved);
  const outcome = await post(phoneId, isSaved);
  busy.delete(phoneId);
  if (outcome !== "changed") set(phoneId, before);
  return outcome;
}

const unreachable = { refusal: "This did not work. Check your connection, and try again." };

async function post(phoneId: string, isSaved: boolean): Promise<SavedChange> {
  try {
    const response = await fetch(savedStatePath, {
      method: "POST",
      headers: { Accept: "application/json" },
      body: new URLSearchParams({ [isSaved ? "save" : "remove"]: phoneId }),
    });
    if (response.ok) return "changed";
    if (response.status === 401) return "signed out";
    const { result } = (await response.json()) as { result: { error: Record<string, string[]> } };
    return { refusal: result.error[""]?.join(" ") ?? unreachable.refusal };
  } catch {
    return unreachable;
  }
}

function set(phoneId: string, isSaved: boolean | undefined) {
  const next = new Map(states);
  if (isSaved === undefined) next.delete(phoneId);
  else next.set(phoneId, isSaved);
  update(next);
}

function update(next: typeof states) {
  states = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
