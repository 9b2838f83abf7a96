import { useLocation, useNavigation } from "@remix-run/react";
import { useEffect } from "react";

const storageKey = "form draft";

/** Pages on the way from a form to the login and back. */
const loginPages = ["/login", "/signup", "/sellersignup", "/forgot"];

/** A form that was submitted after its session had ended, so that it led to the login page. */
interface Draft {
  path: string;
  formId: string;
  fields: [name: string, value: string][];
}

/** Fills in a form again that led to the login page instead of being processed. Lives as long as the tab. */
export function FormDraft() {
  const { pathname } = useLocation();
  const isIdle = useNavigation().state === "idle";

  useEffect(() => {
    const save = ({ target }: SubmitEvent) => {
      const form = target as HTMLFormElement;
      if (form.method !== "post" || !form.id || form.querySelector("[type=password], [type=file]")) return;
      const fields = [...new FormData(form)].filter(
        (field): field is [string, string] => typeof field[1] === "string",
      );
      const draft: Draft = { path: window.location.pathname, formId: form.id, fields };
      sessionStorage.setItem(storageKey, JSON.stringify(draft));
    };
    document.addEventListener("submit", save, { capture: true });
    return () => document.removeEventListener("submit", save, { capture: true });
  }, []);

  useEffect(() => {
    if (!isIdle || loginPages.includes(pathname)) return;
    const stored = sessionStorage.getItem(storageKey);
    sessionStorage.removeItem(storageKey);
    const draft: Draft | null = stored && JSON.parse(stored);
    const form = draft?.path === pathname && document.getElementById(draft.formId);
    if (draft && form instanceof HTMLFormElement) fillIn(form, draft.fields);
  }, [isIdle, pathname]);
  return null;
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
