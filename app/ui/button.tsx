import { useFormAction, useNavigation } from "@remix-run/react";
import type { ReactNode } from "react";

/**
 * The button that sends a form. While its own form is on the way it says so, and a second press does nothing; without JavaScript the server makes sure of the same.
 *
 * @param action the form's action, when it isn't the page's own address
 * @param description what it acts on, where the button's own word does not tell
 * @param pending which of several forms with one action it belongs to: a hidden field's name and value
 */
export function SubmitButton({
  children,
  action,
  pending,
  description,
  className = "btn-primary",
}: {
  children: ReactNode;
  action?: string;
  pending?: Record<string, string>;
  description?: string;
  className?: string;
}) {
  const { state, formAction, formData } = useNavigation();
  const ownAction = useFormAction(action);
  const isOwn = Object.entries(pending ?? {}).every(([name, value]) => formData?.get(name) === value);
  const busy = state !== "idle" && formAction === ownAction && isOwn;
  return (
    <button
      type="submit"
      className={`btn whitespace-nowrap ${className} ${busy ? "btn-disabled" : ""}`}
      // Not `disabled`, which would take the focus away.
      aria-disabled={busy || undefined}
      onClick={(event) => busy && event.preventDefault()}
      aria-description={description}
      // Leaving a field may show its message, which moves the button away from under the press: the field
      // keeps the focus until the press is a click.
      onMouseDown={(event) => event.preventDefault()}
    >
      {busy && <span className="spinner size-4" aria-hidden="true" />}
      {children}
    </button>
  );
}
