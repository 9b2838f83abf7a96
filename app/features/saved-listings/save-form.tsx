import { useLocation, useRouteLoaderData } from "@remix-run/react";
import { type FormEvent, useEffect, useRef } from "react";
import { useShowToast } from "#app/ui/toast.tsx";
import { saveFormId } from "./save-button.tsx";
import { changeSaved, keepStatesFor, loadSavedStates, savedStatePath } from "./saved-states.ts";

/**
 * The form of all `SaveButton`s on the page. With JavaScript it asks which listings are saved, because cached pages are
 * the same for all, and changes them in place. Visitors without a session are led to the login.
 */
export function SaveForm() {
  const { pathname, search } = useLocation();
  const frame = useRouteLoaderData<{ signedIn: boolean }>("root");
  const form = useRef<HTMLFormElement>(null);
  const isSignedOut = useRef(false);
  const showToast = useShowToast();

  // After each render, because the list may have changed.
  useEffect(() => {
    keepStatesFor(frame);
    if (!frame?.signedIn) return;
    const unknown = [...(form.current?.elements ?? [])].filter(
      (button): button is HTMLButtonElement =>
        button instanceof HTMLButtonElement && button.name === "toggle",
    );
    void loadSavedStates(unknown.map(({ value }) => value));
  });

  async function submit(event: FormEvent<HTMLFormElement>) {
    const button = (event.nativeEvent as SubmitEvent).submitter;
    if (!frame?.signedIn || isSignedOut.current || !(button instanceof HTMLButtonElement)) return;
    event.preventDefault();
    const outcome = await changeSaved(button.value, button.name !== "remove");
    if (outcome === "signed out") {
      // As without JavaScript: the listing is saved by the next login.
      isSignedOut.current = true;
      form.current?.requestSubmit(button);
    } else if (typeof outcome === "object") {
      showToast({ kind: "error", message: outcome.refusal });
    }
  }

  return (
    <form id={saveFormId} ref={form} method="post" action={savedStatePath} onSubmit={submit}>
      <input type="hidden" name="redirectTo" value={pathname + search} />
    </form>
  );
}
