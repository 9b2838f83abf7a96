import { useLocation, useNavigation } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { useShowToast } from "#app/ui/toast.tsx";

const storageKey = "form draft";

/** Pages on the way from a form to the login and back. */
const loginPages = ["/login", "/signup", "/sellersignup", "/forgot", "/reset"];

/** A form that was submitted after its session had ended, so that it led to the login page. */
interface Draft {
  path: string;
  formId: string;
  /** None of a form without an id or with a secret. */
  fields: [name: string, value: string][];
}

/**
 * Fills in a form again that led to the login page instead of being processed. The draft lives as long as the tab.
 *
 * @param message of the server
 */
export function FormDraft({ message }: { message: string | undefined }) {
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
        const kept = submitted.current.fields.length > 0 ? ": what you entered is kept" : "";
        if (!message)
          showToast({ kind: "error", message: `Your session has ended. Log in to continue${kept}.` });
      }
    } else {
      const stored = sessionStorage.getItem(storageKey);
      sessionStorage.removeItem(storageKey);
      const draft: Draft | null = stored && JSON.parse(stored);
      const form = draft?.path === pathname && document.getElementById(draft.formId);
      if (draft && form instanceof HTMLFormElement) {
        import("#app/ui/fill-in-form.ts").then(({ fillInForm, unsentMessage }) => {
          if (fillInForm(form, draft.fields)) showToast({ kind: "success", message: unsentMessage(message) });
        });
      }
    }
    submitted.current = null;
  }, [isIdle, pathname, message, showToast]);
  return null;
}

function draftOf(form: HTMLFormElement): Draft | null {
  const path = window.location.pathname;
  if (form.method !== "post" || loginPages.includes(path)) return null;
  const isKept = form.id && !form.querySelector("[type=password]");
  const fields = isKept
    ? [...new FormData(form)].filter(
        (field): field is Draft["fields"][number] => typeof field[1] === "string",
      )
    : [];
  return { path, formId: form.id, fields };
}
