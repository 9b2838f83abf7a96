import { useFormAction, useNavigation } from "@remix-run/react";
import type { ReactNode } from "react";

/**
 * The submit button of a `<Form>`. While its own form is under way it shows so and ignores further presses; without
 * JavaScript the server makes sure that a repeated post changes nothing.
 *
 * @param action the form's action, if it is not the page's own address
 * @param pending tells forms with the same action apart: a hidden field's name and value
 */
export function SubmitButton({
  action,
  pending,
  ...button
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
  return <PendingButton {...button} isBusy={state !== "idle" && formAction === ownAction && isOwn} />;
}

/**
 * A submit button that ignores presses while it is busy.
 *
 * @param description what it acts on, where its text does not tell
 */
export function PendingButton({
  isBusy,
  hasSpinner = true,
  description,
  className = "btn-primary",
  children,
}: {
  isBusy: boolean;
  hasSpinner?: boolean;
  description?: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <button
      type="submit"
      className={`btn whitespace-nowrap ${className} ${isBusy ? "btn-disabled" : ""}`}
      // Not `disabled`, which would take the focus away.
      aria-disabled={isBusy || undefined}
      onClick={(event) => isBusy && event.preventDefault()}
      aria-description={description}
      // Leaving a field may show its message, which moves the button away from under the press: the field
      // keeps the focus until the press is a click.
      onMouseDown={(event) => event.preventDefault()}
    >
      {isBusy && hasSpinner && <span className="spinner size-4" aria-hidden="true" />}
      {children}
    </button>
  );
}
