import { RemixBrowser } from "@remix-run/react";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { RequestMarksContext, referenceElement } from "./platform/request-marks.ts";

const reference = document.getElementById(referenceElement)?.textContent ?? undefined;

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
