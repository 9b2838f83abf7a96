import { useFetchers, useLocation, useMatches, useNavigation, useNavigationType } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { focusHeading, rememberFocus } from "#app/ui/focus.ts";
import { toastRegionId } from "#app/ui/toast.tsx";
import { showsDialog } from "./route-handle.ts";

const nothing = () => false;

/**
 * Moves focus and scroll position as loading a page would: another page, or another heading after a form, is shown from
 * its top, with the focus on the heading. Where a form's button is gone when the response is shown, the message gets
 * the focus; in a list, what has taken the button's place; where a link is gone, the heading.
 */
export function PageFocus() {
  const { hash } = useLocation();
  const type = useNavigationType();
  // A dialog belongs to the page behind it.
  const path = useMatches().findLast((...match) => !showsDialog(...match))?.pathname;
  const shownPath = useRef(path);
  // Data loaded in the background have no form method.
  const submissions = useFetchers().filter(({ formMethod }) => formMethod !== undefined);
  const navigation = useNavigation();
  const isPosting = (navigation.formMethod ?? "GET") !== "GET";
  const active = [navigation, ...submissions].filter(({ state }) => state !== "idle");
  // A quick response may leave no time to render the state "submitting".
  const isSubmitting = active.some(({ formMethod = "GET" }) => formMethod !== "GET");
  const isIdle = active.length === 0;
  const submitter = useRef(nothing);
  const restoreFocus = useRef<(() => boolean) | null>(null);
  const pressed = useRef<{ isInMessage: boolean; heading: string | null | undefined }>();

  useEffect(() => {
    // A click with the mouse does not focus the button in every browser.
    const remember = ({ target, submitter: button }: SubmitEvent) => {
      const element = button ?? (target as Element);
      const isInMessage = element.closest(".toast") !== null;
      pressed.current = { isInMessage, heading: pageHeading()?.textContent };
      // Undo brings back what was where the button before was pressed.
      if (!isInMessage) submitter.current = rememberFocus(element);
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
    if (type === "POP") return;
    if (hash) {
      if (document.activeElement === document.body) focusMessage();
      return;
    }
    window.scrollTo(0, 0);
    focusHeading(pageHeading());
  }, [path, type, hash]);

  useEffect(() => {
    const leave = submitter.current;
    const { isInMessage, heading } = pressed.current ?? {};
    if (isPosting && !isInMessage) {
      restoreFocus.current = () => focusNewHeading(heading) || focusMessage() || leave();
      // Not the button, which would do again what Undo has undone.
      submitter.current = focusMessage;
    } else if (isSubmitting) restoreFocus.current = leave;
    // A link or a search leads to the same page.
    else if (!isIdle) restoreFocus.current ??= nothing;
    if (!isIdle || !restoreFocus.current) return;
    const { activeElement } = document;
    // A press with the mouse focuses nothing, so the heading may still have the focus.
    const isLost = activeElement === document.body || activeElement === pageHeading();
    if (isLost && !restoreFocus.current()) focusHeading(pageHeading());
    restoreFocus.current = null;
  }, [isPosting, isSubmitting, isIdle]);
  return null;
}

function pageHeading(): HTMLElement | null {
  return document.querySelector<HTMLElement>("#main h1");
}

/** @param before the heading of the page that the form was on */
function focusNewHeading(before: string | null | undefined): boolean {
  const heading = pageHeading();
  if (!heading || heading.textContent === before) return false;
  window.scrollTo(0, 0);
  focusHeading(heading);
  return true;
}

function focusMessage(): boolean {
  const message = document.getElementById(toastRegionId)?.querySelector<HTMLElement>(".toast") ?? null;
  focusHeading(message);
  return message !== null;
}
