import { useNavigation } from "@remix-run/react";
import type { ReactNode } from "react";

/** A thin bar along the top of the window while a page or a form is on its way. */
export function NavigationProgress() {
  const busy = useNavigation().state !== "idle";
  return (
    <div className="fixed inset-x-0 top-0 z-50 h-1">
      {busy && (
        <div role="progressbar" aria-label="Loading" className="appears-late h-full">
          <div className="progress-creeps h-full bg-primary" />
        </div>
      )}
    </div>
  );
}

/**
 * Turns over the page while a list is being fetched. It leaves what is there in place, so that the way back
 * still finds its scroll position.
 */
export function Spinner({ children }: { children: ReactNode }) {
  return (
    <div className="pointer-events-none fixed inset-x-0 top-1/3 z-30 flex justify-center">
      <div
        role="status"
        className="appears-late flex items-center gap-3 rounded-box border border-base-300 bg-base-100 px-5 py-3"
      >
        <span className="spinner size-6 text-primary" />
        {children}
      </div>
    </div>
  );
}
