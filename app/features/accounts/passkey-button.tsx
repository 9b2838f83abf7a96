import { type ReactNode, useContext, useEffect, useState } from "react";
import { AlertIcon } from "#app/ui/icons.tsx";
import { ErrorToast, ToastContext } from "#app/ui/toast.tsx";

/** Where the page goes from here, or what it says; null when somebody has changed their mind. */
export type PasskeyOutcome = { to: string } | { error: string | null };

/**
 * A button that has the browser make or use a passkey. That is a matter of scripts alone, so until they run
 * there is nothing but its place, and in a browser without passkeys not even that.
 *
 * @param hold does it
 */
export function PasskeyButton({
  hold,
  className = "btn-outline",
  children,
}: {
  hold: () => Promise<PasskeyOutcome>;
  className?: string;
  children: ReactNode;
}) {
  const supported = usePasskeySupport();
  const toast = useContext(ToastContext);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);

  async function press() {
    setError(null);
    setBusy(true);
    const outcome = await hold();
    // As a new document: nothing that was shown to whoever was here before stays.
    if ("to" in outcome) return window.location.assign(outcome.to);
    setBusy(false);
    setError(outcome.error);
  }

  if (supported === false) return null;
  return (
    <div className="grid min-h-11 gap-2">
      {supported && (
        <button
          type="button"
          className={`btn whitespace-nowrap ${className}`}
          disabled={busy}
          onClick={press}
        >
          {busy && <span className="spinner size-4" aria-hidden="true" />}
          {children}
        </button>
      )}
      {error && (
        <p role="alert" className="flex gap-1.5 text-sm font-medium text-error">
          <AlertIcon className="mt-0.5 size-4 shrink-0" />
          {error}
        </p>
      )}
      {/* Two messages would lie over each other in their corner. */}
      {error && !toast && <ErrorToast message={error} />}
    </div>
  );
}

/** Whether this browser knows passkeys; null while nobody can tell: on the server, and until scripts run. */
function usePasskeySupport(): boolean | null {
  const [supported, setSupported] = useState<boolean | null>(null);
  useEffect(() => setSupported(typeof window.PublicKeyCredential === "function"), []);
  return supported;
}
