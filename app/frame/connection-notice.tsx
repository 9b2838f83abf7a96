import { useLocation, useNavigate, useNavigation } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { brand } from "#app/brand.ts";
import { rememberFocus } from "#app/ui/focus.ts";
import { type StalledRequest, stall, useStalledRequest } from "#app/ui/stalled-request.ts";
import { toastRegionId } from "#app/ui/toast.tsx";

/** Keeps the page when the server cannot answer a link or form, says so, and tries again. */
export function ConnectionNotice() {
  const here = useLocation();
  const pending = useNavigation();
  const navigate = useNavigate();
  const request = useStalledRequest();
  const [dismissed, setDismissed] = useState<StalledRequest>();
  const isShown = request !== undefined && request !== dismissed;
  const message = useRef<HTMLDivElement>(null);
  const submitted = useRef<SubmitEvent>();
  const latest = useRef({ here, pending, left: AbortSignal.abort() });

  useEffect(stallFailedRequests, []);

  useEffect(() => {
    const remember = (event: SubmitEvent) => {
      submitted.current = event;
    };
    document.addEventListener("submit", remember, { capture: true });
    return () => document.removeEventListener("submit", remember, { capture: true });
  }, []);

  useEffect(() => {
    const left = new AbortController();
    latest.current = { here, pending, left: left.signal };
    return () => left.abort();
  }, [here, pending]);

  useEffect(() => {
    // Remix reloads the page if the code of the next one cannot be loaded.
    const keepPage = async (event: NavigateEvent) => {
      if (event.navigationType !== "reload" || event.userInitiated) return;
      event.preventDefault();
      const isReachable = await fetch("/healthz", { method: "HEAD", cache: "no-store" }).then(
        ({ ok }) => ok,
        () => false,
      );
      const { here, pending, left } = latest.current;
      const isPost = pending.formMethod !== undefined && pending.formMethod !== "GET";
      const { pathname, search } = (!isPost && pending.location) || here;
      if (isReachable) window.location.assign(pathname + search);
      else stall({ isPost }, left).catch(() => {});
    };
    window.navigation?.addEventListener("navigate", keepPage);
    return () => window.navigation?.removeEventListener("navigate", keepPage);
  }, []);

  useEffect(() => {
    if (!isShown) return;
    // A drawer would cover the message.
    document.querySelector<HTMLElement>(":popover-open")?.hidePopover();
    const restoreFocus = document.activeElement && rememberFocus(document.activeElement);
    message.current?.focus();
    return () => {
      restoreFocus?.();
    };
  }, [isShown]);

  const tryAgain = () => {
    if (request?.isPost) {
      const { target, submitter } = submitted.current ?? {};
      if (target instanceof HTMLFormElement && target.isConnected)
        return target.requestSubmit(submitter?.isConnected ? submitter : null);
    }
    const next = pending.location ?? here;
    navigate(next, { state: next.state, replace: !pending.location });
  };

  const region = isShown && document.getElementById(toastRegionId);
  if (!region) return null;
  const button = "btn btn-link btn-sm px-2 text-base text-neutral-content";
  return createPortal(
    <div ref={message} role="alert" tabIndex={-1} className="toast flex-wrap items-center">
      <p>
        {navigator.onLine
          ? `${brand.name} isn’t answering right now.${request.isPost ? " What you entered is still here." : ""}`
          : "You’re offline. Check your connection."}
      </p>
      <button type="button" className={button} onClick={tryAgain}>
        Try again
      </button>
      <button type="button" className={button} onClick={() => setDismissed(request)}>
        Stay here
      </button>
    </div>,
    region,
  );
}

/**
 * Leaves a request of the router unanswered when it fails: an error would replace the page and what was typed. The
 * router aborts it for the next one. Remix has no hook for the requests of all routes, so this wraps `fetch` for them.
 *
 * @returns a function that takes the wrapper off
 */
function stallFailedRequests(): () => void {
  const { fetch } = window;
  window.fetch = async (input, init) => {
    const isRouters = typeof input === "string" && new URL(input, location.href).searchParams.has("_data");
    if (!isRouters || !init?.signal) return fetch(input, init);
    try {
      const response = await fetch(input, init);
      // A form that the server refused says so itself, and an error of ours has a page with its reference.
      if (![502, 503, 504].includes(response.status) || response.headers.has("X-Remix-Response"))
        return response;
    } catch (error) {
      // A network error is a TypeError. @see https://fetch.spec.whatwg.org/#fetch-method
      if (!(error instanceof TypeError)) throw error;
    }
    return stall({ isPost: init.method === "POST" }, init.signal);
  };
  return () => {
    window.fetch = fetch;
  };
}
