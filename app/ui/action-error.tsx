import { useActionData } from "@remix-run/react";

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
    <p
      role="alert"
      className="mb-6 rounded-box border border-error bg-error/5 px-4 py-3 font-medium text-error"
    >
      {error}
    </p>
  );
}
