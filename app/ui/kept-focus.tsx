import { useNavigation } from "@remix-run/react";
import { useEffect, useRef } from "react";

const stops = "#main :is(a[href], button, input:not([type=hidden]), select, textarea, summary)";

/**
 * Where a form's button is gone when its answer is there (a row that was deleted, a step that is done), what has come
 * into its place gets the focus, so that who uses the keyboard goes on from there and not from the top of the page.
 */
export function KeptFocus() {
  const { state } = useNavigation();
  const place = useRef(-1);
  useEffect(() => {
    const all = () => [...document.querySelectorAll<HTMLElement>(stops)];
    if (state === "submitting") place.current = all().indexOf(document.activeElement as HTMLElement);
    if (state !== "idle" || place.current < 0) return;
    if (document.activeElement === document.body) (all()[place.current] ?? all().at(-1))?.focus();
    place.current = -1;
  }, [state]);
  return null;
}
