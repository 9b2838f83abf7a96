import { useState } from "react";
import { useHydrated } from "./hydrated.ts";

/** Copies a text that is also on the page. Absent without JavaScript. */
export function CopyButton({ text, children }: { text: string; children: string }) {
  const hydrated = useHydrated();
  const [message, setMessage] = useState("");
  if (!hydrated) return null;
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setMessage("Copied"),
      () => setMessage("Your browser doesn’t allow copying. Select the text instead."),
    );
  return (
    <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2">
      <button type="button" className="btn btn-primary" onClick={copy}>
        {children}
      </button>
      <span role="status" className="min-w-0">
        {message}
      </span>
    </div>
  );
}
