import { useEffect, useState } from "react";
import { fetchInBackground } from "#app/ui/fetch-in-background.ts";
import type { Suggestion } from "./suggestions.server.ts";

/** How long typing pauses before suggestions are asked for, in milliseconds. */
const pause = 150;

/**
 * Suggestions for words that are being typed, asked for when the typing pauses. Those for earlier words stay until the
 * answer is there; an answer that is no longer wanted is dropped, and one that does not come suggests nothing.
 */
export function useSuggestions() {
  const [request, setRequest] = useState({ words: "" });
  const [suggestions, setSuggestions] = useState<Suggestion[]>([]);

  useEffect(() => {
    const { words } = request;
    if (!words) return setSuggestions([]);
    const asking = new AbortController();
    const timer = setTimeout(async () => {
      const path = `/search/suggestions?${new URLSearchParams({ q: words })}`;
      const found = await fetchInBackground<{ suggestions: Suggestion[] }>(path, asking.signal);
      if (!asking.signal.aborted) setSuggestions(found?.suggestions ?? []);
    }, pause);
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [request]);

  return {
    suggestions,
    /** Also asks again for the same words. */
    suggestFor: (typed: string) => setRequest({ words: typed.trim() }),
    clear() {
      setRequest({ words: "" });
      setSuggestions([]);
    },
  };
}
