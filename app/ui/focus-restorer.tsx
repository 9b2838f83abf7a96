import { useFetchers, useNavigation } from "@remix-run/react";
import { useEffect, useRef } from "react";

const focusable = "#main :is(a[href], button, input:not([type=hidden]), select, textarea, summary)";

/**
 * When a submission removes the focused button (a deleted row, a finished step), moves the focus to the element that
 * took its place. Otherwise keyboard users would start again at the top of the page.
 */
export function FocusRestorer() {
  const states = [useNavigation(), ...useFetchers()].map(({ state }) => state);
  const isSubmitting = states.includes("submitting");
  const isIdle = states.every((state) => state === "idle");
  const position = useRef(-1);
  useEffect(() => {
    const all = () => [...document.querySelectorAll<HTMLElement>(focusable)];
    if (isSubmitting) position.current = all().indexOf(document.activeElement as HTMLElement);
    if (!isIdle || position.current < 0) return;
    if (document.activeElement === document.body) (all()[position.current] ?? all().at(-1))?.focus();
    position.current = -1;
  }, [isSubmitting, isIdle]);
  return null;
}
