import { Form, Link, useActionData, useLocation } from "@remix-run/react";
import { createContext, type ReactNode, useContext, useState } from "react";
import { SubmitButton } from "./button.tsx";
import { useHydrated } from "./hydrated.ts";
import { AlertIcon, CheckIcon, CloseIcon } from "./icons.tsx";

interface ToastMessage {
  kind: "success" | "error";
  message: string;
  undo?: string;
  link?: { to: string; label: string };
}

/** A message with an id, because the next one may have the same text. */
type IdentifiedToast = ToastMessage & { id: string };

export const ToastContext = createContext<IdentifiedToast | null>(null);

export function ToastProvider({ toast, children }: { toast: IdentifiedToast | null; children: ReactNode }) {
  const { key } = useLocation();
  const [shown, setShown] = useState({ id: toast?.id, key });
  if (shown.id !== toast?.id) setShown({ id: toast?.id, key });
  return <ToastContext.Provider value={shown.key === key ? toast : null}>{children}</ToastContext.Provider>;
}

/**
 * The live region for toasts. It is always in the document, so that screen readers announce new messages. A dialog has
 * its own, because the page behind it is inert.
 */
export function ToastRegion() {
  const toast = useContext(ToastContext);
  return (
    <div
      className="pointer-events-none fixed inset-x-0 bottom-0 z-50 flex justify-center p-4 sm:p-6"
      aria-live="polite"
    >
      {toast && <FlashToast {...toast} key={toast.id} />}
    </div>
  );
}

/** The error of a failed submission. Not announced, because the form's error summary is. */
export function ErrorToast({ message }: { message: string }) {
  const actionData = useActionData();
  const [closed, setClosed] = useState<{ actionData: unknown } | null>(null);
  // Closed only until the next submission.
  if (closed && closed.actionData === actionData) return null;
  return (
    // Above the toast of an earlier success.
    <div className="pointer-events-none fixed inset-x-0 bottom-0 z-60 flex justify-center p-4 sm:p-6">
      <ToastCard
        kind="error"
        message={message}
        isAnnounced={false}
        onClose={() => setClosed({ actionData })}
      />
    </div>
  );
}

function FlashToast(toast: ToastMessage) {
  const [closed, setClosed] = useState(false);
  return closed ? null : <ToastCard {...toast} isAnnounced onClose={() => setClosed(true)} />;
}

function ToastCard({
  kind,
  message,
  undo,
  link,
  isAnnounced,
  onClose,
}: ToastMessage & { isAnnounced: boolean; onClose: () => void }) {
  const hydrated = useHydrated();
  const role = kind === "success" ? "status" : "alert";
  const Icon = kind === "success" ? CheckIcon : AlertIcon;
  return (
    <div
      role={isAnnounced ? role : undefined}
      className={`pointer-events-auto flex max-w-lg items-start gap-3 rounded-box border border-transparent bg-neutral py-3 pr-3 pl-4 text-neutral-content ${
        kind === "success" && !undo && !link ? "toast-autohide" : ""
      }`}
    >
      <Icon className="mt-0.5 size-5 shrink-0" />
      <p className="min-w-0 wrap-anywhere">{message}</p>
      {undo && <UndoButton id={undo} />}
      {link && (
        <Link to={link.to} className="link shrink-0 font-medium">
          {link.label}
        </Link>
      )}
      {hydrated && (
        <button
          type="button"
          className="grid size-6 shrink-0 cursor-pointer place-items-center rounded-field hover:bg-neutral-content/20"
          aria-label="Close message"
          onClick={onClose}
        >
          <CloseIcon className="size-4" />
        </button>
      )}
    </div>
  );
}

function UndoButton({ id }: { id: string }) {
  const { pathname, search } = useLocation();
  return (
    <Form method="post" action="/manage/undo" preventScrollReset>
      <input type="hidden" name="_id" value={id} />
      <input type="hidden" name="redirectTo" value={pathname + search} />
      <SubmitButton
        action="/manage/undo"
        className="btn-link btn-sm h-auto min-h-6 px-2 text-base text-neutral-content"
      >
        Undo
      </SubmitButton>
    </Form>
  );
}
