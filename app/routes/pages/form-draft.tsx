import { useLocation, useNavigation } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { useShowToast } from "#app/ui/toast.tsx";

const storageKey = "form draft";

/** Pages on the way from a form to the login and back. */
const loginPages = ["/login", "/signup", "/sellersignup", "/forgot"];

/** A form that was submitted after its session had ended, so that it led to the login page. */
interface Draft {
  path: string;
  formId: string;
  fields: [name: string, value: string][];
}

/** Fills in a form again that led to the login page instead of being processed. The draft lives as long as the tab. */
export function FormDraft() {
  const { pathname } = useLocation();
  const isIdle = useNavigation().state === "idle";
  const showToast = useShowToast();
  const submitted = useRef<Draft | null>(null);

  useEffect(() => {
    const remember = ({ target }: SubmitEvent) => {
      submitted.current = draftOf(target as HTMLFormElement);
    };
    document.addEventListener("submit", remember, { capture: true });
    return () => document.removeEventListener("submit", remember, { capture: true });
  }, []);

  useEffect(() => {
    if (!isIdle) return;
    if (loginPages.includes(pathname)) {
      if (submitted.current) {
        sessionStorage.setItem(storageKey, JSON.stringify(submitted.current));
        showToast({
          kind: "error",
          message: "Your session has ended. Log in to continue: what you entered is kept.",
        });
      }
    } else {
      const stored = sessionStorage.getItem(storageKey);
      sessionStorage.removeItem(storageKey);
      const draft: Draft | null = stored && JSON.parse(stored);
      const form = draft?.path === pathname && document.getElementById(draft.formId);
      if (draft && form instanceof HTMLFormElement) fillIn(form, draft.fields);
    }
    submitted.current = null;
  }, [isIdle, pathname, showToast]);
  return null;
}

function draftOf(form: HTMLFormElement): Draft | null {
  const path = window.location.pathname;
  const isSecret = form.querySelector("[type=password], [type=file]") !== null;
  if (form.method !== "post" || !form.id || isSecret || loginPages.includes(path)) return null;
  const fields = [...new FormData(form)].filter(
    (field): field is [string, string] => typeof field[1] === "string",
  );
  return { path, formId: form.id, fields };
}

/** Fills in what the user can edit, unless the form is for another account now. */
function fillIn(form: HTMLFormElement, fields: Draft["fields"]): void {
  const saved = new FormData();
  for (const [name, value] of fields) saved.append(name, value);
  if (saved.get("account") !== new FormData(form).get("account")) return;
  for (const field of form.elements) {
    if (field instanceof HTMLInputElement && (field.type === "radio" || field.type === "checkbox")) {
      field.checked = saved.getAll(field.name).includes(field.value);
    } else if (
      field instanceof HTMLSelectElement ||
      ((field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) &&
        field.type !== "hidden" &&
        !field.readOnly)
    ) {
      const value = saved.get(field.name);
      if (typeof value === "string") field.value = value;
    } else continue;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
}
