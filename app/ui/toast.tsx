import { Form, Link, useActionData, useLocation } from "@remix-run/react";
import { createContext, type ReactNode, useContext, useState } from "react";
import { SubmitButton } from "./button.tsx";
import { useHydrated } from "./hydrated.ts";
import { AlertIcon, CheckIcon, CloseIcon } from "./icons.tsx";

interface ToastMessage {
  kind: "success" | "error";
  message: string;
  /** What the Undo button takes back, by the id that the undo action knows it by. */
  undo?: string;
  /** Where to go on from here. */
  link?: { to: string; label: string };
}

/** A message, and an id that tells it from the next one with the same words. */
type IdentifiedToast = ToastMessage & { id: string };

export const ToastContext = createContext<IdentifiedToast | null>(null);

/** Provides a redirect's message to the page that it led to, until the visitor goes on to another. */
export function ToastProvider({ toast, children }: { toast: IdentifiedToast | null; children: ReactNode }) {
  const { key } = useLocation();
  const [shown, setShown] = useState({ id: toast?.id, key });
  if (shown.id !== toast?.id) setShown({ id: toast?.id, key });
  return <ToastContext.Provider value={shown.key === key ? toast : null}>{children}</ToastContext.Provider>;
}

/**
 * The corner where messages appear. It is always in the page, so that screen readers announce what comes; over
 * an open dialog it is the dialog's, since the page behind is out of reach.
 */
export function ToastRegion() {
  const toast = useContext(ToastContext);
  return (
    <div
      className="pointer-events-none fixed inset-x-0 bottom-0 z-50 flex justify-center p-4 sm:p-6"
      aria-live="polite"
    >
      {toast && <PassingToast {...toast} key={toast.id} />}
    </div>
  );
}

/** The message of a failed post, shown by the page that failed. The form says it too, and announces it. */
export function ErrorToast({ message }: { message: string }) {
  const answer = useActionData();
  const [closed, setClosed] = useState<{ answer: unknown } | null>(null);
  // The next failed post is a message of its own, even in the same words.
  if (closed && closed.answer === answer) return null;
  return (
    // Over a message of an earlier success that has not passed yet.
    <div className="pointer-events-none fixed inset-x-0 bottom-0 z-60 flex justify-center p-4 sm:p-6">
      <ToastCard kind="error" message={message} announced={false} onClose={() => setClosed({ answer })} />
    </div>
  );
}

function PassingToast(toast: ToastMessage) {
  const [closed, setClosed] = useState(false);
  return closed ? null : <ToastCard {...toast} announced onClose={() => setClosed(true)} />;
}

function ToastCard({
  kind,
  message,
  undo,
  link,
  announced,
  onClose,
}: ToastMessage & { announced: boolean; onClose: () => void }) {
  const hydrated = useHydrated();
  const role = kind === "success" ? "status" : "alert";
  const Icon = kind === "success" ? CheckIcon : AlertIcon;
  return (
    <div
      role={announced ? role : undefined}
      className={`pointer-events-auto flex max-w-lg items-start gap-3 rounded-box border border-transparent bg-neutral py-3 pr-3 pl-4 text-neutral-content ${
        kind === "success" && !undo && !link ? "toast-passing" : ""
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
