import { useNavigation } from "@remix-run/react";
import type { ReactNode } from "react";
import { useStalledRequest } from "./stalled-request.ts";

export function NavigationProgress() {
  const isPending = useNavigation().state !== "idle";
  const isStalled = useStalledRequest() !== undefined;
  return (
    <div className="fixed inset-x-0 top-0 z-50 h-1">
      {isPending && !isStalled && (
        <div role="progressbar" aria-label="Loading" className="delayed-fade-in h-full">
          <div className="progress-advance h-full bg-primary" />
        </div>
      )}
    </div>
  );
}

/** A spinner over the page. The page stays in place, so that going back restores its scroll position. */
export function Spinner({ children }: { children: ReactNode }) {
  return (
    <div className="pointer-events-none fixed inset-x-0 top-1/3 z-30 flex justify-center">
      <div
        role="status"
        className="delayed-fade-in flex items-center gap-3 rounded-box border border-base-300 bg-base-100 px-5 py-3"
      >
        <span className="spinner size-6 text-primary" />
        {children}
      </div>
    </div>
  );
}
