import { useEffect } from "react";

/** The listings whose view this browser has sent since the page was loaded. */
const counted = new Set<string>();

/**
 * Counts a view of a listing once its page can be seen, and once until the browser loads a page again. It is sent
 * without cookies, so that it identifies nobody.
 *
 * @param isOwn whether the viewer is the seller, who does not count
 */
export function useCountView(phoneId: string, isOwn: boolean) {
  useEffect(() => {
    if (isOwn) return;
    const count = () => {
      if (document.visibilityState !== "visible" || counted.has(phoneId)) return;
      counted.add(phoneId);
      const body = new URLSearchParams({ id: phoneId });
      // Nobody waits for it, so a failure is not shown.
      fetch("/seen", { method: "POST", body, keepalive: true, credentials: "omit" }).catch(() => {});
    };
    count();
    document.addEventListener("visibilitychange", count);
    return () => document.removeEventListener("visibilitychange", count);
  }, [phoneId, isOwn]);
}
