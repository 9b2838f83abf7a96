import { useFetchers, useLocation, useMatches, useNavigation, useNavigationType } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { focusHeading, rememberFocus } from "#app/ui/focus.ts";
import { handleOf } from "./route-handle.ts";

const nothing = () => false;

/**
 * Moves focus and scroll position as loading a page would: another page is shown from its top, with the focus on its
 * heading. Where a form's button is gone when the response is shown, what has taken its place gets the focus; where a
 * link is gone, the heading.
 */
export function PageFocus() {
  const { hash } = useLocation();
  const type = useNavigationType();
  // A dialog belongs to the page behind it.
  const path = useMatches().findLast((match) => !handleOf(match).dialog)?.pathname;
  const shownPath = useRef(path);
  // Data loaded in the background have no form method.
  const submissions = useFetchers().filter(({ formMethod }) => formMethod !== undefined);
  const active = [useNavigation(), ...submissions].filter(({ state }) => state !== "idle");
  // A quick response may leave no time to render the state "submitting".
  const isSubmitting = active.some(({ formMethod = "GET" }) => formMethod !== "GET");
  const isIdle = active.length === 0;
  const submitter = useRef(nothing);
  const restoreFocus = useRef<(() => boolean) | null>(null);

  useEffect(() => {
    // A click with the mouse does not focus the button in every browser.
    const remember = ({ target, submitter: button }: SubmitEvent) => {
      const element = button ?? (target as Element);
      // Undo brings back what was where the button before was pressed.
      if (!element.closest(".toast")) submitter.current = rememberFocus(element);
    };
    document.addEventListener("submit", remember, { capture: true });
    return () => document.removeEventListener("submit", remember, { capture: true });
  }, []);

  useEffect(() => {
    if (shownPath.current === path) return;
    shownPath.current = path;
    restoreFocus.current = null;
    submitter.current = nothing;
    // Remix restores the scroll position.
    if (type === "POP" || hash) return;
    window.scrollTo(0, 0);
    focusHeading(document.querySelector("#main h1"));
  }, [path, type, hash]);

  useEffect(() => {
    if (isSubmitting) restoreFocus.current = submitter.current;
    // A link or a search leads to the same page.
    else if (!isIdle) restoreFocus.current ??= nothing;
    if (!isIdle || !restoreFocus.current) return;
    const isLost = document.activeElement === document.body;
    if (isLost && !restoreFocus.current()) focusHeading(document.querySelector("#main h1"));
    restoreFocus.current = null;
  }, [isSubmitting, isIdle]);
  return null;
}
