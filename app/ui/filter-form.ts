import { useLocation, useNavigate, useNavigation, useNavigationType } from "@remix-run/react";
import { type ChangeEvent, type FocusEvent, type FormEvent, useEffect, useRef } from "react";

/**
 * Properties of a GET form that filters a page: it applies choices at once, and what is typed when its field is left or
 * the form is submitted. The uncontrolled fields follow the page.
 *
 * @param search the page's query string without its cursor; filters may have been read from the words of the address
 * @param toSearch the query string for the values of the form
 */
export function useFilterForm(
  path: string,
  search: string,
  toSearch: (values: URLSearchParams, search: string) => string,
  onSubmit: () => void,
) {
  const form = useRef<HTMLFormElement>(null);
  const navigate = useNavigate();
  const navigationType = useNavigationType();
  const { location: next } = useNavigation();
  const here = useLocation();

  const apply = () => {
    if (!form.current) return;
    const wanted = toSearch(valuesOf(form.current), search);
    if (wanted === (next?.pathname === path ? next.search : search)) return;
    const isShown = !next && path + wanted === here.pathname + here.search;
    navigate(path + wanted, { replace: isShown });
  };

  const latest = useRef({ apply, shown: search });
  latest.current.apply = apply;
  // What was chosen before hydration.
  useEffect(() => latest.current.apply(), []);
  useEffect(() => {
    if (!form.current || latest.current.shown === search) return;
    latest.current.shown = search;
    // Do not overwrite the focused field, except on Back or Forward.
    setFields(form.current, search, navigationType === "POP" ? null : document.activeElement);
  }, [search, navigationType]);

  return {
    ref: form,
    onChange: ({ target }: ChangeEvent<HTMLFormElement>) => {
      if (!isTyped(target)) apply();
    },
    onBlur: ({ target }: FocusEvent<HTMLFormElement>) => {
      if (isTyped(target)) apply();
    },
    onSubmit: (event: FormEvent<HTMLFormElement>) => {
      event.preventDefault();
      apply();
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
