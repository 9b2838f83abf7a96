import { useLocation, useNavigate, useNavigation, useNavigationType } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { parseSearchQuery, searchString } from "./search-query.rules.ts";

/** How long typing pauses before the words are searched for, in milliseconds. */
const pause = 250;

/**
 * Submits the search form automatically: choices at once, words after a pause. Its fields are uncontrolled, and are set
 * to the address when that changes otherwise (a filter is removed, the visitor goes back). The field for words has the
 * attribute `data-pending` while a search for it is pending; `SearchField` sets its value.
 *
 * @param path the category's
 * @param search of the page that is shown, without its cursor
 * @param onSubmit called when the form is submitted by a button or Enter
 */
export function useAutoSubmit(path: string, search: string, onSubmit: () => void) {
  const form = useRef<HTMLFormElement>(null);
  const now = useRef({ search, onSubmit });
  now.current = { search, onSubmit };
  const navigate = useNavigate();
  const navigationType = useNavigationType();
  const timer = useRef<number>();
  /** The form's own last navigation. */
  const own = useRef({ search: "", inFlight: false });
  /** The search of the last navigation that typing caused; its history entry is replaced by the next letters. */
  const typed = useRef<string | null>(null);

  useEffect(() => {
    const element = form.current;
    if (!element) return;
    const submit = (cause: "typing" | "change" | "submit") => {
      cancelSearch(timer.current, element);
      const wanted = searchOf(element, now.current.search);
      const current = own.current.inFlight ? own.current.search : now.current.search;
      if (wanted === current && cause !== "submit") return;
      // Not the last render's search: the router may be ahead of it.
      const shown = window.location.search;
      const replace = wanted === shown || (cause === "typing" && typed.current === shown);
      own.current = { search: wanted, inFlight: true };
      typed.current = cause === "typing" ? wanted : null;
      // The field for words is in sight wherever the list is scrolled to; its results begin at the top.
      navigate(path + wanted, { replace, preventScrollReset: cause !== "typing" });
    };
    const onInput = ({ target }: Event) => {
      if (!isWords(target) || target.form !== element) return;
      window.clearTimeout(timer.current);
      target.dataset.pending = "";
      timer.current = window.setTimeout(() => submit("typing"), pause);
    };
    const onChange = ({ target }: Event) => {
      if (!isWords(target)) submit("change");
    };
    const onSubmitEvent = (event: Event) => {
      event.preventDefault();
      submit("submit");
      now.current.onSubmit();
    };
    // The field for words is outside the form.
    document.addEventListener("input", onInput);
    element.addEventListener("change", onChange);
    element.addEventListener("submit", onSubmitEvent);
    // Changes made before hydration.
    submit("change");
    return () => {
      cancelSearch(timer.current, element);
      document.removeEventListener("input", onInput);
      element.removeEventListener("change", onChange);
      element.removeEventListener("submit", onSubmitEvent);
    };
  }, [navigate, path]);

  // Cancel a pending search when another navigation starts.
  const { location: next } = useNavigation();
  useEffect(() => {
    own.current.inFlight = next?.pathname === path && next.search === own.current.search;
    if (next && !own.current.inFlight) cancelSearch(timer.current, form.current);
  }, [next, path]);

  const { key } = useLocation();
  useEffect(() => {
    if (key && navigationType === "POP") typed.current = null;
  }, [key, navigationType]);

  const shown = useRef(search);
  useEffect(() => {
    if (!form.current || shown.current === search) return;
    shown.current = search;
    // Do not overwrite the focused field, except on Back or Forward.
    setFields(form.current, search, navigationType === "POP" ? null : document.activeElement);
  }, [search, navigationType]);

  return form;
}

function cancelSearch(timer: number | undefined, form: HTMLFormElement | null) {
  window.clearTimeout(timer);
  const words = form?.elements.namedItem("q");
  if (isWords(words)) delete words.dataset.pending;
}

function isWords(target: unknown): target is HTMLInputElement {
  return target instanceof HTMLInputElement && target.name === "q";
}

/**
 * What a form asks for, as an address says it.
 *
 * @param shown the search of the page; only its own words are searched for exactly
 */
function searchOf(form: HTMLFormElement, shown: string): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of new FormData(form)) parameters.append(name, String(value));
  const query = parseSearchQuery(parameters);
  const { words } = parseSearchQuery(new URLSearchParams(shown));
  return searchString({ ...query, exact: query.exact && query.words === words });
}

function setFields(form: HTMLFormElement, search: string, except: Element | null) {
  const parameters = new URLSearchParams(search);
  for (const field of form.elements) {
    if (isWords(field)) continue;
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
