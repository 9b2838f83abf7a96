import { useEffect, useState } from "react";
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
      const found = await ask(words, asking.signal);
      if (!asking.signal.aborted) setSuggestions(found);
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

/** Not by a fetcher of Remix, which would show the error page when it fails. */
async function ask(words: string, signal: AbortSignal): Promise<Suggestion[]> {
  try {
    const answer = await fetch(`/search/suggestions?${new URLSearchParams({ q: words })}`, { signal });
    if (!answer.ok) return [];
    const { suggestions } = (await answer.json()) as { suggestions: Suggestion[] };
    return suggestions;
  } catch {
    return [];
  }
}
