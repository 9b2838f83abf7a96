import { useBlocker } from "@remix-run/react";
import { useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { toastRegionId } from "#app/ui/toast.tsx";

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
    // A drawer would cover the message.
    if (isWaiting) return document.querySelector<HTMLElement>(":popover-open")?.hidePopover();
    if (navigator.onLine) return onDone();
    window.addEventListener("online", onDone);
    return () => window.removeEventListener("online", onDone);
  }, [isWaiting, onDone]);
  const region = blocker.state === "blocked" && document.getElementById(toastRegionId);
  if (!region) return null;
  return createPortal(
    <div role="alert" className="toast flex-wrap items-center">
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
    </div>,
    region,
  );
}
