import { useActionData } from "@remix-run/react";

/** Why a button of the page was refused; see `jsonRefusal`. */
export function ActionError() {
  const error = useActionData<{ error?: string }>()?.error;
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
