import { useNavigate, useNavigation, useNavigationType } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { searchQuery, searchString } from "./search-query.rules.ts";

/** How long typing pauses before it is looked for, in milliseconds. */
const pause = 250;

/**
 * Makes the form of a category ask by itself: at once for what is chosen, after a pause for words that are typed. Its
 * fields are the browser's own, so nothing that is typed is ever held up or lost; when the address changes
 * otherwise (a filter is removed, somebody goes back) they are set to it.
 *
 * @param path the category's
 * @param search what is asked now, without a page
 * @param onSubmit called when the form is sent by a button or Enter
 */
export function useLiveForm(path: string, search: string, onSubmit: () => void) {
  const form = useRef<HTMLFormElement>(null);
  const now = useRef({ search, onSubmit });
  now.current = { search, onSubmit };
  const navigate = useNavigate();
  const arrival = useNavigationType();
  const timer = useRef<number>();

  useEffect(() => {
    const element = form.current;
    if (!element) return;
    /** Whether the words' entry in the history is there already, for the next letters to replace. */
    let typing = false;
    const ask = (replace: boolean, preventScrollReset = true) => {
      const wanted = asked(element);
      navigate(path + wanted, { replace: replace || wanted === now.current.search, preventScrollReset });
    };
    const askNow = () => {
      window.clearTimeout(timer.current);
      typing = false;
      ask(false);
    };
    const typed = ({ target }: Event) => {
      if (!isWords(target) || target.form !== element) return;
      window.clearTimeout(timer.current);
      timer.current = window.setTimeout(() => {
        // Their field is in sight wherever the list is; what is found begins at its top.
        ask(typing, false);
        typing = true;
      }, pause);
    };
    const changed = ({ target }: Event) => {
      if (!isWords(target)) askNow();
    };
    const sent = (event: Event) => {
      event.preventDefault();
      askNow();
      now.current.onSubmit();
    };
    // The field for words is not inside of the form.
    document.addEventListener("input", typed);
    element.addEventListener("change", changed);
    element.addEventListener("submit", sent);
    // What was chosen before this was listening.
    if (asked(element) !== now.current.search) askNow();
    return () => {
      window.clearTimeout(timer.current);
      document.removeEventListener("input", typed);
      element.removeEventListener("change", changed);
      element.removeEventListener("submit", sent);
    };
  }, [navigate, path]);

  // Who goes elsewhere is not called back by words that they typed just before.
  const { location: next } = useNavigation();
  useEffect(() => {
    if (next) window.clearTimeout(timer.current);
  }, [next]);

  const shown = useRef(search);
  useEffect(() => {
    if (!form.current || shown.current === search) return;
    shown.current = search;
    // Who is still typing is ahead of the answer, unless they have gone back.
    setFields(form.current, search, arrival === "POP" ? null : document.activeElement);
  }, [search, arrival]);

  return form;
}

function isWords(target: EventTarget | null): target is HTMLInputElement {
  return target instanceof HTMLInputElement && target.name === "q";
}

/** What a form asks, as an address says it. */
function asked(form: HTMLFormElement): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of new FormData(form)) parameters.append(name, String(value));
  return searchString(searchQuery(parameters));
}

function setFields(form: HTMLFormElement, search: string, except: Element | null) {
  const parameters = new URLSearchParams(search);
  for (const field of form.elements) {
    if (field instanceof HTMLInputElement && field.type === "checkbox") {
      field.checked = parameters.getAll(field.name).includes(field.value);
    } else if (field instanceof HTMLInputElement && field.type === "radio") {
      field.checked = field.value === (parameters.get(field.name) ?? "");
    } else if (field instanceof HTMLSelectElement) {
      field.value = parameters.get(field.name) ?? field.options[0]?.value ?? "";
    } else if (field instanceof HTMLInputElement && field !== except) {
      field.value = parameters.get(field.name) ?? "";
    }
  }
}
