import { Link, useLocation, useNavigate, useNavigation } from "@remix-run/react";
import {
  type MouseEvent,
  type ReactNode,
  type RefObject,
  type SyntheticEvent,
  useEffect,
  useId,
  useRef,
} from "react";
import { fillInForm } from "./fill-in-form.ts";
import { rememberFocus } from "./focus.ts";
import { useHydrated } from "./hydrated.ts";
import { CloseIcon } from "./icons.tsx";
import { ToastRegion } from "./toast.tsx";

/**
 * Makes a dialog with its own URL modal while it is open.
 *
 * @param closeTo the URL without the dialog
 * @returns refs of the dialog and of what gets the focus in it, and handlers that close it
 */
export function useModal<Focused extends HTMLElement>(closeTo: string, isOpen = true) {
  const dialog = useRef<HTMLDialogElement>(null);
  const focused = useRef<Focused>(null);
  const navigate = useNavigate();
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
  const onCancel = (event: SyntheticEvent) => {
    event.preventDefault();
    close();
  };

  useEffect(() => {
    const element = dialog.current;
    if (!element || !isOpen) return;
    const { activeElement, body } = document;
    const restoreFocus = activeElement && activeElement !== body ? rememberFocus(activeElement) : null;
    element.close();
    element.showModal();
    // It may have been scrolled before hydration, to a button that is being pressed.
    focused.current?.focus({ preventScroll: true });
    return () => {
      // The dialog may be no longer in the document, so the browser does not restore the focus.
      element.close();
      restoreFocus?.();
    };
  }, [isOpen]);
  return { dialog, focused, closeOnClick, onCancel };
}

/** What was typed into dialogs that were closed unsent, by address. Only a form of the same account gets it back. */
const unsent = new Map<string, [name: string, value: string][]>();

/** Keeps what is typed into the form of a dialog for the next time that it opens. */
function useUnsentForm(dialog: RefObject<HTMLDialogElement>) {
  const { pathname } = useLocation();
  // When a redirect closes the dialog, its last rendering still says that it was sent.
  const isSending = useRef(false);
  isSending.current = useNavigation().formMethod === "POST";
  useEffect(() => {
    const element = dialog.current;
    const shownForm = () => element?.querySelector<HTMLFormElement>("form[method=post]");
    const form = shownForm();
    const kept = unsent.get(pathname);
    if (form && kept) fillInForm(form, kept);
    let isTyped = unsent.delete(pathname);
    const noteTyped = () => {
      isTyped = true;
    };
    element?.addEventListener("input", noteTyped);
    return () => {
      const closed = shownForm();
      if (!closed || !isTyped || isSending.current) return;
      const fields = [...new FormData(closed)].filter(
        (field): field is [string, string] => typeof field[1] === "string",
      );
      unsent.set(pathname, fields);
    };
  }, [dialog, pathname]);
}

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
  const { dialog, focused, closeOnClick, onCancel } = useModal<HTMLHeadingElement>(closeTo);
  useUnsentForm(dialog);
  // A dialog that was rendered on the server is visible already, as is one that this one replaces: do not animate it.
  const motion = useRef(
    useHydrated() && !document.querySelector("dialog[open]") ? "" : "transition-none",
  ).current;
  const titleId = useId();

  return (
    <dialog
      ref={dialog}
      open
      className={`modal modal-bottom sm:modal-middle ${motion}`}
      aria-labelledby={titleId}
      onCancel={onCancel}
    >
      <div
        // Overflow anchoring is off, so that a message moves the content down instead of covering it.
        className={`modal-box [overflow-anchor:none] scroll-pt-32 scroll-pb-24 max-h-[92dvh] max-w-3xl bg-base-100 p-0 ${motion}`}
      >
        <div className="sticky top-0 z-10 bg-base-100 low:static">
          <div className="flex items-center justify-between gap-4 border-b border-base-300 py-3 pr-3 pl-5 sm:pl-8">
            <h2
              id={titleId}
              className="min-w-0 text-xl font-semibold outline-none wrap-anywhere"
              ref={focused}
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
  // The page of the dialog is still loading.
  if (window.location.href === href) return undefined;
  return navigation
    ?.entries()
    .slice(Math.max(at - 2, 0), at)
    .findLast(({ url }) => url === href);
}
