import { useLocation, useNavigate, useNavigation, useNavigationType } from "@remix-run/react";
import { type ChangeEvent, type FocusEvent, type FormEvent, useEffect, useRef } from "react";

/**
 * Properties of a GET form that filters a page: it applies choices at once, typed words when it is submitted. Its
 * uncontrolled fields follow the page.
 *
 * @param path of the page, which may have read a list from the words; `typedPath` is that of the address
 * @param search the page's query string without its cursor; filters may have been read from the words of the address
 * @param toSearch the query string for the values of the form
 */
export function useFilterForm(
  path: string,
  search: string,
  toSearch: (values: URLSearchParams, search: string) => string,
  onSubmit: () => void,
  typedPath = path,
) {
  const form = useRef<HTMLFormElement>(null);
  const navigate = useNavigate();
  const navigationType = useNavigationType();
  const { location: next } = useNavigation();
  const here = useLocation();
  const wordsOf = (query: string) => new URLSearchParams(query).get("q") ?? "";
  const isOwnNext = next?.pathname === path || next?.pathname === typedPath;
  const pending = isOwnNext ? next?.search : undefined;
  /** Those that the page shows, or will show: filters may have been read from the words of the address. */
  const appliedWords = pending === undefined ? wordsOf(search) : wordsOf(pending);

  /** What was typed into the search field and is not searched for yet; null if it has none. */
  const typedWords = (values: URLSearchParams) => {
    const words = values.get("q");
    return words === wordsOf(here.search) || words === appliedWords ? null : words;
  };

  const go = (to: string, wanted: string, preventScrollReset: boolean) =>
    navigate(to + wanted, {
      replace: !next && to + wanted === here.pathname + here.search,
      preventScrollReset,
    });

  /** Applies what the page shows and what has been chosen since. */
  const applyChoices = () => {
    if (!form.current) return;
    const values = valuesOf(form.current);
    if (typedWords(values) === null) values.set("q", appliedWords);
    const wanted = toSearch(values, search);
    if (wanted !== (pending ?? search)) go(path, wanted, true);
  };

  const latest = useRef({ applyChoices, shown: search });
  latest.current.applyChoices = applyChoices;
  // Choices that were made before hydration.
  useEffect(() => latest.current.applyChoices(), []);
  useEffect(() => {
    if (!form.current || latest.current.shown === search) return;
    latest.current.shown = search;
    // Do not overwrite the focused field, except on Back or Forward.
    setFields(form.current, search, navigationType === "POP" ? null : document.activeElement);
  }, [search, navigationType]);

  return {
    ref: form,
    onChange: ({ target }: ChangeEvent<HTMLFormElement>) => {
      if (!isTyped(target)) applyChoices();
    },
    onBlur: ({ target }: FocusEvent<HTMLFormElement>) => {
      if (isTyped(target)) applyChoices();
    },
    onSubmit: (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault();
      const words = typedWords(valuesOf(event.currentTarget));
      if (words !== null) {
        // Filters that were read from the former words go with them: "red" leaves no color when it becomes "redmi".
        const address = new URLSearchParams(pending ?? here.search);
        address.set("q", words);
        // The results begin at the top; the search field is always visible.
        go(typedPath, toSearch(address, search), false);
        // Until a search for words has ended, the form has the filters of those before.
      } else if (appliedWords === wordsOf(search)) applyChoices();
      onSubmit();
    },
  };
}

/** Whether a field is typed into: its value is applied when it is left. */
function isTyped(field: HTMLElement): boolean {
  return field instanceof HTMLInputElement && ["text", "search"].includes(field.type);
}

function valuesOf(form: HTMLFormElement): URLSearchParams {
  const values = new URLSearchParams();
  for (const [name, value] of new FormData(form)) values.append(name, String(value));
  return values;
}

function setFields(form: HTMLFormElement, search: string, except: Element | null) {
  const parameters = new URLSearchParams(search);
  for (const field of form.elements) {
    // The search field in the header follows the address.
    if (!form.contains(field)) continue;
    if (field instanceof HTMLInputElement && field.type === "checkbox") {
      field.checked = parameters.getAll(field.name).includes(field.value);
    } else if (field instanceof HTMLInputElement && field.type === "radio") {
      field.checked = field.value === (parameters.get(field.name) ?? "");
    } else if (field instanceof HTMLSelectElement) {
      field.value = parameters.get(field.name) ?? field.options[0]?.value ?? "";
    } else if (field instanceof HTMLInputElement && field.type !== "hidden" && field !== except) {
      field.value = parameters.get(field.name) ?? "";
    }
  }
}
