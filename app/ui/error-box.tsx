import { useActionData } from "@remix-run/react";
import { type ComponentPropsWithoutRef, forwardRef, type ReactNode } from "react";

/** The frame of error messages. */
export const ErrorBox = forwardRef<HTMLDivElement, ComponentPropsWithoutRef<"div">>(function ErrorBox(
  { className = "", ...box },
  ref,
) {
  return (
    <div
      ref={ref}
      className={`rounded-box border border-error bg-error/5 px-4 py-3 font-medium ${className}`}
      {...box}
    />
  );
});

/** What a refused form responds with. One that is shown again has an initial value, and its own summary of errors. */
export interface RefusedAction {
  result?: { error?: Record<string, string[] | null> | null; initialValue?: unknown } | null;
}

/** The messages of a refused form that belong to no field, from the data of an action or the JSON of a response. */
export function formErrorsOf(data: RefusedAction | null | undefined): string[] {
  return data?.result?.error?.[""] ?? [];
}

/** The messages of a refused button, in one line; empty for a form that is shown again. */
export function actionErrorOf(data: RefusedAction | undefined): string {
  return data?.result?.initialValue ? "" : formErrorsOf(data).join(" ");
}

/** Why a button of the page was refused. @param children what to do about it */
export function ActionError({ children }: { children?: ReactNode }) {
  const error = actionErrorOf(useActionData<RefusedAction>());
  if (!error) return null;
  return (
    <ErrorBox role="alert" className="mb-6 text-error">
      {error} {children}
    </ErrorBox>
  );
}
