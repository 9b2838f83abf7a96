import { RemixBrowser } from "@remix-run/react";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { fromJson, handOver, type PageData, pageDataElement } from "./platform/page-data.ts";
import { RequestMarksContext, referenceElement } from "./platform/request-marks.ts";

const reference = document.getElementById(referenceElement)?.textContent ?? undefined;
const page = fromJson(document.getElementById(pageDataElement)?.textContent ?? "") as PageData;
const { routes } = window.__remixManifest;

// Names this entry of the history: what is kept for it, as its place on the page, is found by the name.
if (!history.state?.key) history.replaceState({ key: Math.random().toString(32).slice(2) }, "");

const modules = await Promise.all(
  page.routes.map(async (id) => [id, await import(/* @vite-ignore */ routes[id]?.module ?? "")]),
);
handOver(page, Object.fromEntries(modules));

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
