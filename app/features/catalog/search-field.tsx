import { useLocation, useNavigationType } from "@remix-run/react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useHydrated } from "#app/ui/hydrated.ts";
import { SearchIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { phonesLabel } from "../phones/phone-count.rules.ts";
import type { Suggestion } from "./suggestions.server.ts";
import { useSuggestions } from "./suggestions.ts";

/** The id of a list's form, to which the field belongs on its page. */
export const searchFormId = "search";

const listId = "suggestions";
const optionId = (index: number) => `${listId}-${index}`;

/**
 * The field for words, with its button. With JavaScript it suggests brands and models while it is typed into, as an
 * editable combobox with a list. @see https://www.w3.org/WAI/ARIA/apg/patterns/combobox/
 *
 * @param form the id of the form that it belongs to, where that is not the one around it
 * @param words what the page was asked for
 */
export function SearchField({ form, words }: { form?: string; words: string }) {
  const hydrated = useHydrated();
  const input = useWordsOf(words);
  const { suggestions, suggestFor, clear } = useSuggestions();
  const [activeOne, setActiveOne] = useState<Suggestion>();
  const isOpen = suggestions.length > 0;
  // None where they are others by now.
  const active = activeOne ? suggestions.indexOf(activeOne) : -1;

  useEffect(() => {
    if (active >= 0) document.getElementById(optionId(active))?.scrollIntoView({ block: "nearest" });
  }, [active]);

  const pressed = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    switch (event.key) {
      case "ArrowDown":
      case "ArrowUp": {
        event.preventDefault();
        if (!isOpen) return suggestFor(event.currentTarget.value);
        // One place beside the options is the field itself.
        const places = suggestions.length + 1;
        const step = event.key === "ArrowDown" ? 1 : -1;
        return setActiveOne(suggestions[((active + 1 + step + places) % places) - 1]);
      }
      case "Enter":
        if (active < 0) return clear();
        event.preventDefault();
        return document.getElementById(optionId(active))?.click();
      case "Escape":
        if (!isOpen) return;
        // The browser empties a search field.
        event.preventDefault();
        return clear();
      case "Home":
      case "End":
      case "ArrowLeft":
      case "ArrowRight":
        return setActiveOne(undefined);
    }
  };

  return (
    <>
      <label htmlFor="words" className="sr-only">
        Search
      </label>
      <div className="flex">
        <input
          ref={input}
          id="words"
          form={form}
          name="q"
          type="search"
          defaultValue={words}
          maxLength={100}
          placeholder="Brand or model"
          enterKeyHint="search"
          autoComplete="off"
          className="input w-full min-w-0 rounded-r-none"
          onInput={({ currentTarget }) => {
            setActiveOne(undefined);
            suggestFor(currentTarget.value);
          }}
          onKeyDown={pressed}
          onBlur={clear}
          {...(hydrated && {
            role: "combobox",
            "aria-autocomplete": "list",
            "aria-expanded": isOpen,
            "aria-controls": isOpen ? listId : undefined,
            "aria-activedescendant": active >= 0 ? optionId(active) : undefined,
          })}
        />
        <button type="submit" form={form} className="btn btn-square -ml-px rounded-l-none btn-primary">
          <SearchIcon />
          <span className="sr-only">Search</span>
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
          className="absolute inset-x-0 top-16 max-h-[calc(100dvh-4rem)] overflow-auto border-b border-base-300 bg-base-100 p-4 lg:top-full lg:mt-2 lg:rounded-box lg:border lg:p-2"
        >
          {suggestions.map(({ label, count, to }, index) => (
            <Link
              key={to}
              id={optionId(index)}
              role="option"
              aria-selected={index === active}
              aria-label={`${label}, ${phonesLabel(count)}`}
              tabIndex={-1}
              to={to}
              className={`menu-link flex justify-between gap-4 ${index === active ? "bg-base-200" : ""}`}
              // The field keeps the focus until the press is a click.
              onMouseDown={(event) => event.preventDefault()}
              onClick={({ detail }) => {
                clear();
                if (!input.current) return;
                input.current.value = "";
                // Who pressed it needs no keyboard on the screen any more.
                if (detail > 0) input.current.blur();
              }}
            >
              <span className="min-w-0 wrap-anywhere">{label}</span>{" "}
              <span className="text-sm whitespace-nowrap text-quiet tabular-nums">{phonesLabel(count)}</span>
            </Link>
          ))}
        </div>
      )}
    </>
  );
}

/** The field, which holds the words of each page that is gone to; who is still typing is ahead of them. */
function useWordsOf(words: string) {
  const input = useRef<HTMLInputElement>(null);
  const { key } = useLocation();
  const arrival = useNavigationType();
  const shown = useRef(key);
  useEffect(() => {
    // What was typed before this was listening stays.
    if (!input.current || shown.current === key) return;
    shown.current = key;
    if (arrival === "POP" || document.activeElement !== input.current) input.current.value = words;
  }, [key, arrival, words]);
  return input;
}
