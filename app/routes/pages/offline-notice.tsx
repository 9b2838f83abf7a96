import { useBlocker } from "@remix-run/react";

/** Keeps the page while the browser is offline: a link or form that cannot reach the server waits for a retry. */
export function OfflineNotice() {
  const blocker = useBlocker(() => !navigator.onLine);
  if (blocker.state !== "blocked") return null;
  return (
    <div className="pointer-events-none fixed inset-x-0 bottom-0 z-60 flex justify-center p-4 sm:p-6">
      <div
        role="alert"
        className="pointer-events-auto flex max-w-lg items-center gap-3 rounded-box bg-neutral py-3 pr-3 pl-4 text-neutral-content"
      >
        <p>You are offline. Check your connection.</p>
        <button
          type="button"
          className="btn btn-link btn-sm px-2 text-base text-neutral-content"
          onClick={() => navigator.onLine && blocker.proceed()}
        >
          Try again
        </button>
        <button
          type="button"
          className="btn btn-link btn-sm px-2 text-base text-neutral-content"
          onClick={() => blocker.reset()}
        >
          Stay here
        </button>
      </div>
    </div>
  );
}
