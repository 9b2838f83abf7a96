import { useRef, useState } from "react";
import { useHydrated } from "./hydrated.ts";
import { ShareIcon } from "./icons.tsx";

/** Opens the device's share sheet, or copies the link. Without JavaScript it is a link that writes an email. */
export function ShareButton({ title, url }: { title: string; url: string }) {
  const hydrated = useHydrated();
  const [outcome, setOutcome] = useState<"copied" | "failed" | null>(null);
  const timer = useRef<number>();

  async function share() {
    setOutcome(null);
    window.clearTimeout(timer.current);
    try {
      if (navigator.share) return await navigator.share({ title, url });
      await navigator.clipboard.writeText(url);
      setOutcome("copied");
      timer.current = window.setTimeout(setOutcome, 5000, null);
    } catch (error) {
      // The user has closed the share sheet.
      if (!(error instanceof DOMException && error.name === "AbortError")) setOutcome("failed");
    }
  }

  const className = "btn btn-ghost btn-sm -ml-3 text-base";
  const email = `subject=${encodeURIComponent(title)}&body=${encodeURIComponent(url)}`;
  return (
    <div className="flex flex-wrap items-center gap-x-3">
      {hydrated ? (
        <button type="button" className={className} onClick={share}>
          <ShareIcon /> Share
        </button>
      ) : (
        <a href={`mailto:?${email}`} className={className}>
          <ShareIcon /> Share by email
        </a>
      )}
      <span role="status" className="min-w-0 text-sm wrap-anywhere">
        {outcome === "copied" && "Link copied"}
        {outcome === "failed" && `Copy this link: ${url}`}
      </span>
    </div>
  );
}
