import { type ReactNode, useState } from "react";
import { useHydrated } from "#app/ui/hydrated.ts";
import { AlertIcon } from "#app/ui/icons.tsx";
import { useHideToast } from "#app/ui/toast.tsx";
import type { PasskeyOutcome } from "./passkey-ceremony.ts";

/** A button that creates a passkey or logs in with one. Before hydration it is empty space. */
export function PasskeyButton({
  start,
  className = "btn-outline",
  children,
}: {
  start: () => Promise<PasskeyOutcome>;
  className?: string;
  children: ReactNode;
}) {
  const hydrated = useHydrated();
  const hideToast = useHideToast();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);

  async function press() {
    setError(null);
    hideToast();
    setBusy(true);
    const outcome = await start();
    // A full page load, so that no data of the previous user stays in memory.
    if ("to" in outcome) return window.location.assign(outcome.to);
    setBusy(false);
    setError(outcome.error);
  }

  if (hydrated && typeof window.PublicKeyCredential !== "function") return null;
  return (
    <div className="grid min-h-11 gap-2">
      {hydrated && (
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
    </div>
  );
}
