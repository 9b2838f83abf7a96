import { useLocation, useNavigate, useNavigation, useNavigationType } from "@remix-run/react";
import { useEffect, useRef } from "react";

const debounceMs = 250;

/**
 * Submits a GET form: choices at once, the words of its field `q` after a delay. The uncontrolled fields follow the page.
 * Typed words may have been read as choices: typing replaces the words of the address, so that "red" leaves no choice when
 * it becomes "redmi"; a choice goes on from what the page shows.
 *
 * @param path of the page, which may have read a list from the words; `typedPath` is that of the address
 * @param search the page's query string without its cursor
 * @param toSearch the query string for the values of the form
 */
export function useAutoSubmit(
  path: string,
  search: string,
  toSearch: (values: URLSearchParams, search: string) => string,
  onSubmit: () => void,
  typedPath = path,
) {
  const form = useRef<HTMLFormElement>(null);
  const latest = useRef({ search, toSearch, onSubmit });
  latest.current = { search, toSearch, onSubmit };
  const navigate = useNavigate();
  const navigationType = useNavigationType();
  const timer = useRef<number>();
  const submitted = useRef({ search: "", inFlight: false });
  /** The query string of the last navigation by typing; further typing replaces its history entry. */
  const lastTypedSearch = useRef<string | null>(null);

  useEffect(() => {
    const element = form.current;
    if (!element) return;
    const submit = (cause: "typing" | "change" | "submit") => {
      const words = element.elements.namedItem("q");
      const isTyped =
        isWords(words) &&
        (words.dataset.pending !== undefined ||
          (cause === "submit" && !element.contains(document.activeElement)));
      cancelPendingSubmit(timer.current, element);
      const current = submitted.current.inFlight ? submitted.current.search : latest.current.search;
      const address = new URLSearchParams(
        submitted.current.inFlight ? submitted.current.search : window.location.search,
      );
      const values = isTyped ? address : valuesOf(element);
      if (isTyped) values.set("q", words.value);
      else if (values.get("q") === address.get("q")) {
        values.set("q", new URLSearchParams(latest.current.search).get("q") ?? "");
      }
      const wanted = latest.current.toSearch(values, latest.current.search);
      if (wanted === current && cause !== "submit") return;
      // Not from the last render: the router may be ahead of it.
      const shownSearch = window.location.search;
      const replace =
        wanted === shownSearch || (cause === "typing" && lastTypedSearch.current === shownSearch);
      submitted.current = { search: wanted, inFlight: true };
      lastTypedSearch.current = cause === "typing" ? wanted : null;
      // The search field is always visible; its results begin at the top.
      navigate((isTyped ? typedPath : path) + wanted, { replace, preventScrollReset: cause !== "typing" });
    };
    const onInput = ({ target }: Event) => {
      if (!isWords(target) || target.form !== element) return;
      window.clearTimeout(timer.current);
      target.dataset.pending = "";
      timer.current = window.setTimeout(() => submit("typing"), debounceMs);
    };
    const onChange = ({ target }: Event) => {
      if (!isWords(target)) submit("change");
    };
    const onSubmitEvent = (event: Event) => {
      event.preventDefault();
      submit("submit");
      latest.current.onSubmit();
    };
    document.addEventListener("input", onInput);
    element.addEventListener("change", onChange);
    element.addEventListener("submit", onSubmitEvent);
    // Fields may have changed before hydration.
    submit("change");
    return () => {
      cancelPendingSubmit(timer.current, element);
      document.removeEventListener("input", onInput);
      element.removeEventListener("change", onChange);
      element.removeEventListener("submit", onSubmitEvent);
    };
  }, [navigate, path, typedPath]);

  // Cancel a pending search when another navigation starts.
  const { location: next } = useNavigation();
  useEffect(() => {
    const isOwn = next?.pathname === path || next?.pathname === typedPath;
    submitted.current.inFlight = isOwn && next?.search === submitted.current.search;
    if (next && !submitted.current.inFlight) cancelPendingSubmit(timer.current, form.current);
  }, [next, path, typedPath]);

  const { key } = useLocation();
  useEffect(() => {
    if (key && navigationType === "POP") lastTypedSearch.current = null;
  }, [key, navigationType]);

  const searchOfFields = useRef(search);
  useEffect(() => {
    if (!form.current || searchOfFields.current === search) return;
    searchOfFields.current = search;
    // Do not overwrite the focused field, except on Back or Forward.
    setFields(form.current, search, navigationType === "POP" ? null : document.activeElement);
  }, [search, navigationType]);

  return form;
}

function cancelPendingSubmit(timer: number | undefined, form: HTMLFormElement | null) {
  window.clearTimeout(timer);
  const words = form?.elements.namedItem("q");
  if (isWords(words)) delete words.dataset.pending;
}

function isWords(target: unknown): target is HTMLInputElement {
  return target instanceof HTMLInputElement && target.name === "q";
}

function valuesOf(form: HTMLFormElement): URLSearchParams {
  const values = new URLSearchParams();
  for (const [name, value] of new FormData(form)) values.append(name, String(value));
  return values;
}

function setFields(form: HTMLFormElement, search: string, except: Element | null) {
  const parameters = new URLSearchParams(search);
  for (const field of form.elements) {
    // Its search is still to come.
    if (isWords(field) && field.dataset.pending !== undefined) continue;
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
