import { Link, useNavigate } from "@remix-run/react";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { focusPlace } from "./focus-place.ts";
import { useHydrated } from "./hydrated.ts";
import { CloseIcon } from "./icons.tsx";
import { ToastRegion } from "./toast.tsx";

/**
 * A dialog that is a page of its own address: the server sends it open, so it works without JavaScript. With
 * it the dialog becomes modal: focus stays inside, Escape closes, and focus returns where it came from.
 *
 * @param closeTo where closing leads: the page behind the dialog
 */
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
  // What the page came with stands there already: it neither moves in nor does so again when it becomes modal.
  const motion = useRef(useHydrated() ? "" : "transition-none").current;
  const navigate = useNavigate();
  const titleId = useId();
  const close = () => navigate(closeTo, { preventScrollReset: true });

  useEffect(() => {
    const element = dialog.current;
    if (!element) return;
    const { activeElement, body } = document;
    const restoreFocus = activeElement && activeElement !== body ? focusPlace(activeElement) : null;
    element.close();
    element.showModal();
    heading.current?.focus();
    return () => {
      // The dialog has left the page by now, so the browser doesn't give the focus back by itself.
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
      <div className={`modal-box max-h-[92dvh] max-w-3xl bg-base-100 p-0 ${motion}`}>
        <div className="sticky top-0 z-10 flex items-center justify-between gap-4 border-b border-base-300 bg-base-100 py-3 pr-3 pl-5 sm:pl-8">
          <h2
            id={titleId}
            className="min-w-0 text-xl font-semibold outline-none wrap-anywhere"
            ref={heading}
            tabIndex={-1}
          >
            {title}
          </h2>
          <Link to={closeTo} preventScrollReset className="btn btn-square btn-ghost" aria-label="Close">
            <CloseIcon />
          </Link>
        </div>
        <div className="p-5 sm:p-8">{children}</div>
      </div>
      <Link
        to={closeTo}
        preventScrollReset
        className="modal-backdrop cursor-default"
        tabIndex={-1}
        aria-hidden="true"
      />
      <ToastRegion />
    </dialog>
  );
}
