import { useActionData } from "@remix-run/react";
import { ErrorBox } from "./error-box.tsx";

/** What `refusedForm` responds with: a form that is shown again has an initial value, and its own summary of errors. */
export interface RefusedAction {
  result?: { error?: Record<string, string[] | null> | null; initialValue?: unknown } | null;
}

export function actionErrorOf(data: RefusedAction | undefined): string | undefined {
  const { error, initialValue } = data?.result ?? {};
  return initialValue ? undefined : error?.[""]?.join(" ");
}

/** Why a button of the page was refused. */
export function ActionError() {
  const error = actionErrorOf(useActionData<RefusedAction>());
  if (!error) return null;
  return (
    <ErrorBox role="alert" className="mb-6 text-error">
      {error}
    </ErrorBox>
  );
}
