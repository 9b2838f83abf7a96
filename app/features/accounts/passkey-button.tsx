import { useFetcher } from "@remix-run/react";
import { type ReactNode, useEffect, useState } from "react";
import { AlertIcon } from "#app/ui/icons.tsx";
import { ErrorToast } from "#app/ui/toast.tsx";

/**
 * A button that has the browser make or use a passkey. That is a matter of scripts alone, so until they run
 * there is nothing but its place, and in a browser without passkeys not even that.
 *
 * @param action the route whose client action does it
 * @param act what it is told to do, when it knows more
 */
export function PasskeyButton({
  action,
  act,
  className = "btn-outline",
  children,
}: {
  action: string;
  act?: string;
  className?: string;
  children: ReactNode;
}) {
  const { Form, state, data } = useFetcher<{ error: string | null }>();
  const supported = usePasskeySupport();
  const busy = state !== "idle";
  const error = busy ? null : data?.error;
  if (supported === false) return null;
  return (
    <div className="min-h-11">
      {supported && (
        <Form method="post" action={action} className="grid gap-2">
          {act && <input type="hidden" name="act" value={act} />}
          <button type="submit" className={`btn whitespace-nowrap ${className}`} disabled={busy}>
            {busy && <span className="loading loading-spinner loading-xs" aria-hidden="true" />}
            {children}
          </button>
          {error && (
            <p role="alert" className="flex gap-1.5 text-sm font-medium text-error">
              <AlertIcon className="mt-0.5 size-4 shrink-0" />
              {error}
            </p>
          )}
        </Form>
      )}
      {error && <ErrorToast message={error} />}
    </div>
  );
}

/** Whether this browser knows passkeys; null while nobody can tell: on the server, and until scripts run. */
function usePasskeySupport(): boolean | null {
  const [supported, setSupported] = useState<boolean | null>(null);
  useEffect(() => setSupported(typeof window.PublicKeyCredential === "function"), []);
  return supported;
}
