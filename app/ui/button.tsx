import { useFormAction, useNavigation } from "@remix-run/react";
import type { ReactNode } from "react";
import { useStalledRequest } from "./stalled-request.ts";

/**
 * @param action where the form is submitted to, if not to its page
 * @param formAction where this button alone submits it to
 * @param formEncType how this button alone submits it
 * @param intent what this button of several stands for, in the field of that name
 * @param pending name and value of a hidden field, to distinguish forms with the same action; "" if the field is missing
 */
export function SubmitButton({
  action,
  pending,
  ...button
}: {
  children: ReactNode;
  action?: string;
  formAction?: string;
  formEncType?: "multipart/form-data";
  intent?: string;
  pending?: Record<string, string>;
  description?: string;
  className?: string;
  formNoValidate?: boolean;
}) {
  const { state, formAction, formData } = useNavigation();
  const ownAction = useFormAction(action ?? button.formAction);
  const { intent } = button;
  const isOwn = Object.entries(pending ?? (intent ? { intent } : {})).every(
    ([name, value]) => (formData?.get(name) ?? "") === value,
  );
  return <PendingButton {...button} isPending={state !== "idle" && formAction === ownAction && isOwn} />;
}

/** A form's submit button in a bar that stays in view at the bottom. `scroll-padding` keeps it off the focused field. */
export function SubmitBar({ other, children }: { other?: ReactNode; children: ReactNode }) {
  return (
    <div className="bottom-bar sticky bottom-0 z-10 low:static -mx-4 flex flex-wrap gap-3 border-t border-base-300 bg-base-100 px-4 py-3 sm:mx-0 sm:px-0">
      <SubmitButton pending={{ intent: "" }} className="btn-primary flex-1 sm:min-w-40 md:flex-none">
        {children}
      </SubmitButton>
      {other}
    </div>
  );
}

/** What Enter presses in a form whose first button in sight does something else. It stands before that button. */
export function EnterButton() {
  return <button type="submit" className="sr-only" tabIndex={-1} aria-hidden="true" />;
}

/** @param isPending whether the button's form waits for its response */
export function PendingButton({
  isPending,
  formAction,
  formEncType,
  intent,
  hasSpinner = true,
  description,
  className = "btn-primary",
  formNoValidate,
  children,
}: {
  isPending: boolean;
  formAction?: string;
  formEncType?: "multipart/form-data";
  intent?: string;
  hasSpinner?: boolean;
  description?: string;
  className?: string;
  formNoValidate?: boolean;
  children: ReactNode;
}) {
  // A form that could not be sent can be submitted again.
  const isStalled = useStalledRequest() !== undefined;
  const isBusy = isPending && !isStalled;
  return (
    <button
      type="submit"
      formAction={formAction}
      formEncType={formEncType}
      {...(intent && { name: "intent", value: intent })}
      className={`btn whitespace-nowrap ${className} ${isBusy ? "btn-disabled" : ""}`}
      // Not `disabled`, which would lose the focus.
      aria-disabled={isBusy || undefined}
      onClick={(event) => isBusy && event.preventDefault()}
      aria-description={description}
      formNoValidate={formNoValidate}
      // Keep the focus in the field until the click: its error message would move the button from under the pointer.
      onMouseDown={(event) => event.preventDefault()}
    >
      {isBusy && hasSpinner && <span className="spinner size-4" aria-hidden="true" />}
      {children}
    </button>
  );
}
