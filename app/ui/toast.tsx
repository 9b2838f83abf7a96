import { Form, useLocation } from "@remix-run/react";
import { useEffect, useState } from "react";
import { AlertIcon, CheckIcon, CloseIcon } from "./icons.tsx";

export interface ToastMessage {
  kind: "success" | "error";
  message: string;
  /** What the Undo button takes back, by the id that the undo action knows it by. */
  undo?: string;
}

/** The corner where messages appear. It is always in the page, so that screen readers announce what comes. */
export function ToastRegion({ toast }: { toast: (ToastMessage & { id: string }) | null }) {
  return (
    <div
      className="pointer-events-none fixed inset-x-0 bottom-0 z-50 flex justify-center p-4 sm:p-6"
      aria-live="polite"
    >
      {toast && <ToastCard {...toast} key={toast.id} />}
    </div>
  );
}

/** The message of a failed post, shown by the page that failed. */
export function ErrorToast({ message }: { message: string }) {
  return (
    <div className="pointer-events-none fixed inset-x-0 bottom-0 z-50 flex justify-center p-4 sm:p-6">
      <ToastCard kind="error" message={message} />
    </div>
  );
}

function ToastCard({ kind, message, undo }: ToastMessage) {
  const [closed, setClosed] = useState(false);
  const hydrated = useHydrated();
  if (closed) return null;
  const Icon = kind === "success" ? CheckIcon : AlertIcon;
  return (
    <div
      role={kind === "success" ? "status" : "alert"}
      className={`pointer-events-auto flex max-w-lg items-start gap-3 rounded-box bg-neutral py-3 pr-3 pl-4 text-neutral-content ${
        kind === "success" && !undo ? "toast-passing" : ""
      }`}
    >
      <Icon className={`mt-0.5 size-5 shrink-0 ${kind === "success" ? "text-accent" : ""}`} />
      <p className="min-w-0 wrap-anywhere">{message}</p>
      {undo && <UndoButton id={undo} />}
      {hydrated && (
        <button
          type="button"
          className="btn btn-square btn-ghost btn-xs"
          aria-label="Close message"
          onClick={() => setClosed(true)}
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
    <Form method="post" action="/manage/undo">
      <input type="hidden" name="_id" value={id} />
      <input type="hidden" name="redirectTo" value={pathname + search} />
      <button
        type="submit"
        className="cursor-pointer px-2 font-semibold text-neutral-content underline underline-offset-4"
      >
        Undo
      </button>
    </Form>
  );
}

/** False on the server and in the first render of the browser: for what only works with JavaScript. */
function useHydrated(): boolean {
  const [hydrated, setHydrated] = useState(false);
  useEffect(() => setHydrated(true), []);
  return hydrated;
}
