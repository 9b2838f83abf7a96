import { Link, useNavigate } from "@remix-run/react";
import { type MouseEvent, type ReactNode, useEffect, useId, useRef } from "react";
import { rememberFocus } from "./focus.ts";
import { useHydrated } from "./hydrated.ts";
import { CloseIcon } from "./icons.tsx";
import { ToastRegion } from "./toast.tsx";

/** A dialog with its own URL. The server renders it open, so it works without JavaScript; hydration makes it modal. */
export function Dialog({
  title,
  closeTo,
  children,
}: {
  title: string;
  closeTo: string;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  // A dialog that was rendered on the server is visible already: do not animate it.
  const motion = useRef(useHydrated() ? "" : "transition-none").current;
  const navigate = useNavigate();
  const titleId = useId();
  const close = () => {
    const opener = openerEntry(closeTo);
    if (opener) window.navigation?.traverseTo(opener.key);
    else navigate(closeTo, { preventScrollReset: true, replace: true });
  };
  const closeOnClick = (event: MouseEvent) => {
    // A new tab or window opens.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    close();
  };

  useEffect(() => {
    const element = dialog.current;
    if (!element) return;
    const { activeElement, body } = document;
    const restoreFocus = activeElement && activeElement !== body ? rememberFocus(activeElement) : null;
    element.close();
    element.showModal();
    heading.current?.focus();
    return () => {
      // The dialog is no longer in the document, so the browser does not restore the focus.
      element.close();
      restoreFocus?.();
    };
  }, []);

  return (
    <dialog
      ref={dialog}
      open
      className={`modal modal-bottom sm:modal-middle ${motion}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
    >
      <div
        className={`modal-box scroll-pt-32 scroll-pb-24 max-h-[92dvh] max-w-3xl bg-base-100 p-0 ${motion}`}
      >
        <div className="sticky top-0 z-10 bg-base-100">
          <div className="flex items-center justify-between gap-4 border-b border-base-300 py-3 pr-3 pl-5 sm:pl-8">
            <h2
              id={titleId}
              className="min-w-0 text-xl font-semibold outline-none wrap-anywhere"
              ref={heading}
              tabIndex={-1}
            >
              {title}
            </h2>
            <Link to={closeTo} onClick={closeOnClick} className="btn btn-square btn-ghost" aria-label="Close">
              <CloseIcon />
            </Link>
          </div>
          <ToastRegion />
        </div>
        <div className="p-5 sm:p-8">{children}</div>
      </div>
      <Link
        to={closeTo}
        onClick={closeOnClick}
        className="modal-backdrop cursor-default"
        tabIndex={-1}
        aria-hidden="true"
      />
    </dialog>
  );
}

/**
 * The history entry that the dialog was opened from: going back to it, Back does not open the dialog again. Another
 * dialog or the login page may lie between.
 *
 * @see https://developer.mozilla.org/docs/Web/API/Navigation_API
 */
function openerEntry(closeTo: string): NavigationHistoryEntry | undefined {
  const { navigation } = window;
  const at = navigation?.currentEntry?.index ?? 0;
  const { href } = new URL(closeTo, window.location.href);
  return navigation
    ?.entries()
    .slice(Math.max(at - 2, 0), at)
    .findLast(({ url }) => url === href);
}
