import {
  type Navigation,
  type UIMatch,
  useFetchers,
  useLocation,
  useMatches,
  useNavigate,
  useNavigation,
  useRevalidator,
} from "@remix-run/react";
import { type MutableRefObject, useEffect, useRef } from "react";
import { createPortal } from "react-dom";
import { brand } from "#app/brand.ts";
import { rememberFocus } from "#app/ui/focus.ts";
import { AlertIcon } from "#app/ui/icons.tsx";
import {
  goOnWithStalledRequests,
  stalledAfterMs,
  useStalledRequest,
  waitForRepeat,
} from "#app/ui/stalled-request.ts";
import { toastRegionId } from "#app/ui/toast.tsx";

/** Keeps the page when the server cannot answer a link or form, says so, and tries again. */
export function ConnectionNotice() {
  const here = useLocation();
  const pending = useNavigation();
  const revalidator = useRevalidator();
  const isIdle = [pending, revalidator, ...useFetchers()].every(({ state }) => state === "idle");
  const matches = useMatches();
  const navigate = useNavigate();
  const request = useStalledRequest();
  const isShown = request !== undefined;
  const message = useRef<HTMLDivElement>(null);
  const kept: KeptPage = useRef(null);
  const posted: PostedForm = useRef(null);
  const latest = useRef({ here, pending, left: AbortSignal.abort() });

  useEffect(() => stallFailedRequests(kept, posted), []);

  useEffect(() => {
    if (isIdle) kept.current = null;
  }, [isIdle]);

  useEffect(() => {
    const left = new AbortController();
    latest.current = { here, pending, left: left.signal };
    return () => left.abort();
  }, [here, pending]);

  useEffect(() => {
    // Remix reloads the page if the code of the next one cannot be loaded, also before that navigation is rendered.
    const keepPage = async (event: NavigateEvent) => {
      if (event.navigationType !== "reload" || event.userInitiated) return;
      event.preventDefault();
      let isUp = await isReachable();
      let going = latest.current;
      while (!isUp) {
        const isLeft = await waitForRepeat(going.left).then(
          () => false,
          () => true,
        );
        const isRendered = going.pending.state !== "idle";
        if (kept.current || (isLeft && isRendered)) return;
        isUp = await isReachable();
        if (!isRendered) going = latest.current;
      }
      const { here, pending } = going;
      // A form that waits, too, may lead elsewhere.
      const answer = isPost(pending) ? await posted.current?.catch(() => null) : null;
      if (kept.current) return;
      const { pathname, search, hash } = (!isPost(pending) && pending.location) || here;
      const { location, navigation } = window;
      const path = answer?.headers.get("X-Remix-Redirect") ?? pathname + search + hash;
      const next = new URL(path, location.href).href;
      navigation?.removeEventListener("navigate", keepPage);
      // Back and Forward have changed the address already.
      if (next === location.href) location.reload();
      // With the focus in the main part.
      else location.assign(hash ? next : `${next}#main`);
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

  const stayHere = () => {
    kept.current = matches;
    goOnWithStalledRequests(false);
    // Ends what is pending. Back and Forward have changed the address already.
    const { pathname, search } = window.location;
    const replace = pathname === here.pathname && search === here.search;
    navigate(here, { replace, state: here.state, preventScrollReset: true });
  };

  const region = isShown && document.getElementById(toastRegionId);
  if (!region) return null;
  const button = "btn btn-link btn-sm px-2 text-base text-neutral-content";
  return createPortal(
    <div ref={message} role="alert" tabIndex={-1} className="toast flex-wrap items-center">
      <AlertIcon className="size-5 shrink-0" />
      <p className="min-w-0 flex-1">
        {navigator.onLine
          ? `${brand.name} isn’t answering right now.${hasInput() ? " What you entered is still here." : ""}`
          : "You’re offline. Check your connection."}
      </p>
      <div className="-mx-2 flex">
        <button type="button" className={button} onClick={() => goOnWithStalledRequests(true)}>
          Try again
        </button>
        <button type="button" className={button} onClick={stayHere}>
          Stay here
        </button>
      </div>
    </div>,
    region,
  );
}

/** The shown page, from when the user chooses to stay until nothing is pending. */
type KeptPage = MutableRefObject<UIMatch[] | null>;

/** The response to the form that was posted last. */
type PostedForm = MutableRefObject<Promise<Response> | null>;

/**
 * Leaves a request of the router unanswered while it fails: an error would replace the page and what was typed. Why this
 * wraps `fetch`: docs/decisions/0013-failed-requests-wait.md
 *
 * @returns a function that takes the wrapper off
 */
function stallFailedRequests(kept: KeptPage, posted: PostedForm): () => void {
  const { fetch } = window;
  const send: typeof fetch = async (input, init) => {
    const routeId = typeof input === "string" && new URL(input, location.href).searchParams.get("_data");
    if (!routeId || !init?.signal) return fetch(input, init);
    const isPost = init.method === "POST";
    // What is sent after the user chose to stay is to be answered.
    if (isPost) kept.current = null;
    while (!kept.current) {
      const attempt = new AbortController();
      const giveUp = () => attempt.abort(init.signal?.reason);
      if (init.signal.aborted) giveUp();
      init.signal.addEventListener("abort", giveUp, { once: true });
      // An upload may take long.
      const isUpload = init.body instanceof FormData;
      const timer = isUpload
        ? undefined
        : setTimeout(() => attempt.abort(new TypeError("No response")), stalledAfterMs);
      try {
        const response = await fetch(input, { ...init, signal: attempt.signal });
        // A form that the server refused says so itself, and an error of ours has a page with its reference.
        if (![502, 503, 504].includes(response.status) || response.headers.has("X-Remix-Response"))
          return response;
      } catch (error) {
        // A network error is a TypeError, too. @see https://fetch.spec.whatwg.org/#fetch-method
        if (!(error instanceof TypeError)) throw error;
      } finally {
        clearTimeout(timer);
      }
      await waitForRepeat(init.signal);
    }
    const data = isPost ? undefined : kept.current.find(({ id }) => id === routeId)?.data;
    if (data !== undefined) return Response.json(data);
    // As the server answers in an outage: a form is refused, and a page that was not loaded has an error.
    const header = isPost ? "X-Remix-Response" : "X-Remix-Catch";
    return Response.json(null, { status: 503, headers: { [header]: "yes" } });
  };
  window.fetch = (input, init) => {
    const answer = send(input, init);
    if (init?.method === "POST") posted.current = answer;
    return answer;
  };
  return () => {
    window.fetch = fetch;
  };
}

/** Whether something was typed on the page that could get lost. */
function hasInput(): boolean {
  const fields = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
    "main form[method=post] :is(input:not([type=hidden]), textarea)",
  );
  return [...fields].some(({ value, defaultValue }) => value !== defaultValue);
}

const isPost = ({ formMethod }: Navigation) => formMethod !== undefined && formMethod !== "GET";

function isReachable(): Promise<boolean> {
  return fetch("/healthz", { method: "HEAD", cache: "no-store" }).then(
    ({ ok }) => ok,
    () => false,
  );
}
