import { RemixBrowser } from "@remix-run/react";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <RemixBrowser />
    </StrictMode>,
  );
});

// Browsers without service workers, or with a policy against them, show their own offline page.
navigator.serviceWorker?.register("/service-worker.js").catch(() => {});
