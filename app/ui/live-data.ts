import { useRevalidator } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { fetchOptionalJson } from "./fetch-optional-json.ts";

const intervalMs = 8000;

/**
 * Keeps the data of a page new while the page is visible: asks a resource route for the current version, and loads the
 * data again if it is not the one shown. A failed request changes nothing.
 *
 * @param path of the resource route, which responds with `{ version }`; null to ask nothing
 */
export function useRevalidateOnChange(path: string | null, shownVersion: string | null): void {
  const { revalidate } = useRevalidator();
  const shown = useRef(shownVersion);
  shown.current = shownVersion;
  useEffect(() => {
    if (path === null) return;
    const requests = new AbortController();
    const check = async () => {
      if (document.visibilityState !== "visible") return;
      const current = await fetchOptionalJson<{ version: string | null }>(path, requests.signal);
      if (current && current.version !== shown.current && !requests.signal.aborted) revalidate();
    };
    const timer = setInterval(check, intervalMs);
    document.addEventListener("visibilitychange", check);
    window.addEventListener("focus", check);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", check);
      window.removeEventListener("focus", check);
      requests.abort();
    };
  }, [path, revalidate]);
}
