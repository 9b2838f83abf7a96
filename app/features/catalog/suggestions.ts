import { useEffect, useState } from "react";
import type { Suggestion } from "./suggestions.server.ts";

/** Delay of a request after the last key press. */
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
      const found = await fetchSuggestions(words, controller.signal);
      if (!controller.signal.aborted) setSuggestions(found);
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

/** Not a Remix fetcher, which would show the error page if the request fails. */
async function fetchSuggestions(words: string, signal: AbortSignal): Promise<Suggestion[]> {
  try {
    const response = await fetch(`/search/suggestions?${new URLSearchParams({ q: words })}`, { signal });
    if (!response.ok) return [];
    const { suggestions } = (await response.json()) as { suggestions: Suggestion[] };
    return suggestions;
  } catch {
    return [];
  }
}
