import { useLocation, useNavigationType } from "@remix-run/react";
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useOptionalJson } from "#app/ui/fetch-optional-json.ts";
import { useHydrated } from "#app/ui/hydrated.ts";
import { SearchIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { devicesLabel } from "./category.rules.ts";
import { maxQueryLength } from "./search/search-limits.rules.ts";
import type { Suggestion } from "./search/suggestions.server.ts";

export const searchFormId = "search";

/** The id of the large field on the home page. */
export const heroFieldId = "wanted";

/** With JavaScript a combobox. @see https://www.w3.org/WAI/ARIA/apg/patterns/combobox/ */
export function SearchField({
  form,
  words,
  hero = false,
}: {
  form?: string;
  words: string;
  /** The large one on the home page. */
  hero?: boolean;
}) {
  const id = hero ? heroFieldId : "words";
  const listId = hero ? "wanted-suggestions" : "suggestions";
  const optionId = (index: number) => `${listId}-${index}`;
  const hydrated = useHydrated();
  const input = useSyncedInput(words);
  const { suggestions: found, suggestFor, clear } = useSuggestions();
  // As many as fit below the field on the home page.
  const suggestions = hero ? found.slice(0, 6) : found;
  const [activeSuggestion, setActiveSuggestion] = useState<Suggestion>();
  const isOpen = suggestions.length > 0;
  // -1 after the suggestions have changed.
  const activeIndex = suggestions.findIndex(({ to }) => to === activeSuggestion?.to);

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    switch (event.key) {
      case "ArrowDown":
      case "ArrowUp": {
        event.preventDefault();
        if (!isOpen) return suggestFor(event.currentTarget.value);
        // Position 0 is the input.
        const positions = suggestions.length + 1;
        const step = event.key === "ArrowDown" ? 1 : -1;
        const nextIndex = ((activeIndex + 1 + step + positions) % positions) - 1;
        document.getElementById(optionId(nextIndex))?.scrollIntoView({ block: "nearest" });
        return setActiveSuggestion(suggestions[nextIndex]);
      }
      case "Enter":
        if (activeIndex < 0) return clear();
        event.preventDefault();
        return document.getElementById(optionId(activeIndex))?.click();
      case "Escape":
        if (!isOpen) return;
        // By default the browser clears the field.
        event.preventDefault();
        return clear();
      case "Home":
      case "End":
      case "ArrowLeft":
      case "ArrowRight":
        return setActiveSuggestion(undefined);
    }
  };

  return (
    <>
      <label htmlFor={id} className="sr-only">
        {hero ? "Which device do you want?" : "Search"}
      </label>
      <div className="flex">
        <input
          ref={input}
          id={id}
          form={form}
          name="q"
          type="search"
          defaultValue={words}
          maxLength={maxQueryLength}
          placeholder={hero ? "iPhone 13 or iPad" : "Search"}
          enterKeyHint="search"
          autoComplete="off"
          className={`input w-full min-w-0 rounded-r-none ${hero ? "input-lg" : ""}`}
          onInput={({ currentTarget }) => {
            setActiveSuggestion(undefined);
            suggestFor(currentTarget.value);
          }}
          onKeyDown={onKeyDown}
          onBlur={clear}
          {...(hydrated && {
            role: "combobox",
            "aria-autocomplete": "list",
            "aria-expanded": isOpen,
            "aria-controls": isOpen ? listId : undefined,
            "aria-activedescendant": activeIndex >= 0 ? optionId(activeIndex) : undefined,
          })}
        />
        <button
          type="submit"
          form={form}
          className={`btn -ml-px rounded-l-none btn-primary ${hero ? "btn-lg" : "btn-square"}`}
        >
          <SearchIcon />
          {hero ? "Find" : <span className="sr-only">Search</span>}
        </button>
      </div>
      <p aria-live="polite" className="sr-only">
        {isOpen && (suggestions.length === 1 ? "1 suggestion" : `${suggestions.length} suggestions`)}
      </p>
      {isOpen && (
        <div
          id={listId}
          role="listbox"
          aria-label="Suggestions"
          // Keep the focus in the input while the list is pressed or scrolled.
          onMouseDown={(event) => event.preventDefault()}
          className={`absolute inset-x-0 overflow-auto border-base-300 bg-base-100 ${
            hero
              ? "top-full mt-2 rounded-box border p-2"
              : "top-16 max-h-[calc(100dvh-4rem)] border-b p-4 lg:top-full lg:mt-2 lg:rounded-box lg:border lg:p-2"
          }`}
        >
          {suggestions.map(({ label, count, to }, index) => (
            <Link
              key={to}
              id={optionId(index)}
              role="option"
              aria-selected={index === activeIndex}
              aria-label={`${label}, ${devicesLabel(count)}`}
              tabIndex={-1}
              to={to}
              className={`menu-link flex justify-between gap-4 ${index === activeIndex ? "bg-base-200" : ""}`}
              onClick={(event) => {
                // A new tab or window opens.
                if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                clear();
                if (!input.current) return;
                input.current.value = "";
                // Hide the on-screen keyboard after a tap.
                if (event.detail > 0) input.current.blur();
              }}
            >
              <span className="min-w-0 wrap-anywhere">{label}</span>{" "}
              <span className="text-sm whitespace-nowrap text-quiet tabular-nums">{devicesLabel(count)}</span>
            </Link>
          ))}
        </div>
      )}
    </>
  );
}

// React warns of layout effects on the server.
const useBrowserLayoutEffect = typeof document === "undefined" ? useEffect : useLayoutEffect;

/** Sets the input to the page's words after each navigation, unless it has focus. */
function useSyncedInput(words: string) {
  const input = useRef<HTMLInputElement>(null);
  const { key } = useLocation();
  const navigationType = useNavigationType();
  const shown = useRef(key);
  // An effect after the paint could overwrite what was just typed.
  useBrowserLayoutEffect(() => {
    const field = input.current;
    // Keep what was typed before hydration.
    if (!field || shown.current === key) return;
    shown.current = key;
    if (navigationType === "POP" || document.activeElement !== field) field.value = words;
  }, [key, navigationType, words]);
  return input;
}

const debounceMs = 150;

/** Suggestions for the words being typed. Earlier ones stay until the response arrives; a failed request gives none. */
function useSuggestions() {
  const [{ words, attempt }, setRequest] = useState({ words: "", attempt: 0 });
  const path = words ? `/search/suggestions?${new URLSearchParams({ q: words })}` : null;
  const found = useOptionalJson<{ suggestions: Suggestion[] }>(path, debounceMs, attempt);
  const request = (wanted: string) => setRequest((last) => ({ words: wanted, attempt: last.attempt + 1 }));
  return {
    suggestions: (words && found?.data?.suggestions) || [],
    suggestFor: (typed: string) => request(typed.trim()),
    clear: () => request(""),
  };
}
