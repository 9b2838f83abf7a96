import { createContext, useContext } from "react";
import { fetchOptionalJson } from "#app/ui/fetch-optional-json.ts";
import { stalledAfterMs } from "#app/ui/stalled-request.ts";

/** The resource route that returns and changes which listings the viewer has saved. */
export const savedStatePath = "/manage/saved/state";

/** The message after a listing was removed from the saved ones. */
export function removedToast(phoneId: string) {
  const button = { label: "Undo", action: savedStatePath, fields: { save: phoneId } };
  return { kind: "success" as const, message: "No longer saved", button };
}

/** Of one request. */
export const maxAskedStates = 100;

/** What the route returns: ids of listings, and whether the search is saved. */
export interface LoadedStates {
  saved: string[];
  own: string[];
  isSearchSaved: boolean;
}

/** Whether the viewer has saved each listing, as far as it is known. */
export type SavedStates = Record<string, boolean | undefined>;

export const SavedStatesContext = createContext<SavedStates>({});

/** The viewer's own listings, as far as they are known. */
export const OwnListingsContext = createContext<string[]>([]);

/** Whether the viewer has saved the search of the page; false while unknown. */
export const IsSearchSavedContext = createContext(false);

/** The fragment of a list's address after its search was saved. */
export const savedSearchAnchor = "saved";

/** Whether a listing is the viewer's own; false while unknown, and on the server. */
export const useIsOwnListing = (phoneId: string) => useContext(OwnListingsContext).includes(phoneId);

/** Whether the viewer has saved a listing; undefined while unknown, and on the server. */
export const useSavedState = (phoneId: string) => useContext(SavedStatesContext)[phoneId];

/**
 * Asks the server which of the listings are saved, and which the viewer's own, and whether the search is saved. What could
 * not be loaded stays unknown.
 *
 * @param search of the page to save the search; empty without one
 */
export async function loadSavedStates(phoneIds: string[], search: string, signal: AbortSignal) {
  const states: SavedStates = {};
  const own: string[] = [];
  let isSearchSaved = false;
  // The search is asked with the first listings, or without any.
  for (let first = 0; first === 0 || first < phoneIds.length; first += maxAskedStates) {
    const asked = phoneIds.slice(first, first + maxAskedStates);
    const query = new URLSearchParams({ ids: asked.join(), ...(first === 0 && { search }) });
    const found = await fetchOptionalJson<LoadedStates>(`${savedStatePath}?${query}`, signal);
    own.push(...(found?.own ?? []));
    isSearchSaved ||= found?.isSearchSaved ?? false;
    for (const id of asked) states[id] = found?.saved.includes(id);
  }
  return { states, own, isSearchSaved };
}

/** The result of a change; unless "changed", the state is as before. */
type SavedChange = "changed" | "signed out" | "given up" | { refusal: string };

/**
 * Saves a listing or removes it from the saved ones. Not by a fetcher, after which Remix loads the whole list again. While
 * the server cannot be reached, the user decides whether to try again.
 *
 * @param isRepeated asks the user
 */
export async function changeSaved(
  change: string,
  phoneId: string,
  isRepeated: () => Promise<boolean>,
): Promise<SavedChange> {
  do {
    try {
      const response = await fetch(savedStatePath, {
        method: "POST",
        headers: { Accept: "application/json" },
        body: new URLSearchParams({ [change]: phoneId }),
        signal: AbortSignal.timeout(stalledAfterMs),
      });
      if (response.ok) return "changed";
      if (response.status === 401) return "signed out";
      const { result } = (await response.json()) as { result: { error: Record<string, string[]> } };
      const refusal = result.error[""]?.join(" ");
      if (refusal) return { refusal };
    } catch {
      // The server did not answer, or something else answered in its place.
    }
  } while (await isRepeated());
  return "given up";
}
