import { RemixBrowser } from "@remix-run/react";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { RequestMarksContext, referenceElement } from "./platform/request-marks.ts";

const reference = document.getElementById(referenceElement)?.textContent ?? undefined;

// Who moves on before an answer is all here no longer wants it; Remix aborts it, and leaves that uncaught.
window.addEventListener("unhandledrejection", (event) => {
  if (event.reason instanceof DOMException && event.reason.name === "AbortError") event.preventDefault();
});

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <RequestMarksContext.Provider value={{ reference }}>
        <RemixBrowser />
      </RequestMarksContext.Provider>
    </StrictMode>,
  );
});
