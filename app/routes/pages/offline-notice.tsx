import { useBlocker } from "@remix-run/react";
import { useEffect, useState } from "react";

/** Keeps the page while the browser is offline: a link or form that cannot reach the server waits for a retry. */
export function OfflineNotice() {
  const [isOffline, setIsOffline] = useState(false);
  useEffect(() => {
    const goOffline = () => setIsOffline(true);
    if (!navigator.onLine) goOffline();
    window.addEventListener("offline", goOffline);
    return () => window.removeEventListener("offline", goOffline);
  }, []);
  // Only while it is needed: Remix warns about links to fragments while a blocker is mounted.
  return isOffline && <OfflineBlocker onDone={() => setIsOffline(false)} />;
}

/** @param onDone called when the browser is online and nothing waits */
function OfflineBlocker({ onDone }: { onDone: () => void }) {
  const blocker = useBlocker(() => !navigator.onLine);
  const isWaiting = blocker.state !== "unblocked";
  useEffect(() => {
    if (isWaiting) return;
    if (navigator.onLine) return onDone();
    window.addEventListener("online", onDone);
    return () => window.removeEventListener("online", onDone);
  }, [isWaiting, onDone]);
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
