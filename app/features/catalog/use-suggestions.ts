import { useEffect, useState } from "react";
import { fetchOptionalJson } from "#app/ui/fetch-optional-json.ts";
import type { Suggestion } from "./search/suggestions.server.ts";

const debounceMs = 150;

/**
 * Suggestions for the words being typed, requested with a delay. Earlier suggestions stay until the response arrives.
 * Outdated requests are aborted, failed ones give no suggestions.
 */
export function useSuggestions() {
  const [request, setRequest] = useState({ words: "" });
  const [suggestions, setSuggestions] = useState<Suggestion[]>([]);

  useEffect(() => {
    const { words } = request;
    if (!words) return setSuggestions([]);
    const controller = new AbortController();
    const timer = setTimeout(async () => {
      const path = `/search/suggestions?${new URLSearchParams({ q: words })}`;
      const found = await fetchOptionalJson<{ suggestions: Suggestion[] }>(path, controller.signal);
      if (!controller.signal.aborted) setSuggestions(found?.suggestions ?? []);
    }, debounceMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [request]);

  return {
    suggestions,
    /** Repeats the request for the same words too. */
    suggestFor: (typed: string) => setRequest({ words: typed.trim() }),
    clear() {
      setRequest({ words: "" });
      setSuggestions([]);
    },
  };
}
