import { useFetchers, useNavigation } from "@remix-run/react";
import { useEffect, useRef } from "react";

const stops = "#main :is(a[href], button, input:not([type=hidden]), select, textarea, summary)";

/**
 * Where a form's button is gone when its answer is there (a row that was deleted, a step that is done), what has come
 * into its place gets the focus, so that who uses the keyboard goes on from there and not from the top of the page.
 */
export function FocusRestorer() {
  const states = [useNavigation(), ...useFetchers()].map(({ state }) => state);
  const isSubmitting = states.includes("submitting");
  const isIdle = states.every((state) => state === "idle");
  const place = useRef(-1);
  useEffect(() => {
    const all = () => [...document.querySelectorAll<HTMLElement>(stops)];
    if (isSubmitting) place.current = all().indexOf(document.activeElement as HTMLElement);
    if (!isIdle || place.current < 0) return;
    if (document.activeElement === document.body) (all()[place.current] ?? all().at(-1))?.focus();
    place.current = -1;
  }, [isSubmitting, isIdle]);
  return null;
}
