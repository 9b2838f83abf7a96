import { useLocation, useRouteLoaderData } from "@remix-run/react";
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { useStall } from "#app/ui/stalled-request.ts";
import { useShowToast } from "#app/ui/toast.tsx";
import { saveFormId } from "./save-button.tsx";
import {
  changeSaved,
  IsSearchSavedContext,
  loadSavedStates,
  OwnListingsContext,
  type SavedStates,
  SavedStatesContext,
  savedStatePath,
} from "./saved-states.ts";

/**
 * The form of all `SaveButton`s in a page. With JavaScript it asks which listings are saved or the viewer's own, because
 * cached pages are the same for all, and changes them in place. Visitors without a session are led to the login.
 *
 * @param phoneIds the listings whose state the loader does not know
 * @param search the query string that saves the page's search
 */
export function SaveForm({
  phoneIds = [],
  search: searchToSave = "",
  children,
}: {
  phoneIds?: string[];
  search?: string;
  children: ReactNode;
}) {
  const { pathname, search } = useLocation();
  const signedIn = useRouteLoaderData<{ signedIn: boolean }>("root")?.signedIn ?? false;
  const [states, setStates] = useState<SavedStates>({});
  const [own, setOwn] = useState<string[]>([]);
  const [isSearchSaved, setIsSearchSaved] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const busy = useRef(new Set<string>());
  const isSignedOut = useRef(false);
  const isRepeated = useStall();
  const showToast = useShowToast();
  const asked = signedIn ? phoneIds.join() : "";

  useEffect(() => {
    if (!asked && !(signedIn && searchToSave)) return;
    const unmount = new AbortController();
    setIsSearchSaved(false);
    loadSavedStates(asked ? asked.split(",") : [], searchToSave, unmount.signal).then((loaded) => {
      if (unmount.signal.aborted) return;
      // Changes by the user since the request are newer.
      setStates((known) => ({ ...loaded.states, ...known }));
      setOwn(loaded.own);
      setIsSearchSaved(loaded.isSearchSaved);
    });
    return () => unmount.abort();
  }, [asked, signedIn, searchToSave]);

  async function submit(event: FormEvent<HTMLFormElement>) {
    const button = (event.nativeEvent as SubmitEvent).submitter;
    if (!signedIn || isSignedOut.current || !(button instanceof HTMLButtonElement)) return;
    event.preventDefault();
    const { name, value: id } = button;
    if (busy.current.has(id)) return;
    busy.current.add(id);
    const show = (isSaved?: boolean) => setStates((known) => ({ ...known, [id]: isSaved }));
    show(name === "save");
    const outcome = await changeSaved(name, id, isRepeated);
    busy.current.delete(id);
    if (outcome === "changed") return;
    show(states[id]);
    if (outcome === "signed out") {
      // As without JavaScript: the listing is saved by the next login.
      isSignedOut.current = true;
      form.current?.requestSubmit(button);
    } else if (outcome !== "given up") {
      showToast({ kind: "error", message: outcome.refusal });
    }
  }

  return (
    <SavedStatesContext.Provider value={states}>
      <OwnListingsContext.Provider value={own}>
        <IsSearchSavedContext.Provider value={isSearchSaved}>{children}</IsSearchSavedContext.Provider>
      </OwnListingsContext.Provider>
      <form id={saveFormId} ref={form} method="post" action={savedStatePath} onSubmit={submit}>
        <input type="hidden" name="redirectTo" value={pathname + search} />
      </form>
    </SavedStatesContext.Provider>
  );
}
