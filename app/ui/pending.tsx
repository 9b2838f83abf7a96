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

/** Stands in for a list that is being fetched. */
export function Spinner({ children }: { children: ReactNode }) {
  return (
    <div role="status" className="appears-late flex items-center justify-center gap-3 py-24 text-quiet">
      <span className="loading loading-spinner loading-md" />
      {children}
    </div>
  );
}
