import { Form, Link, useLocation } from "@remix-run/react";
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from "react";
import { SubmitButton } from "./button.tsx";
import { EmailAddress } from "./email-address.tsx";
import { useHydrated } from "./hydrated.ts";
import { AlertIcon, CheckIcon, CloseIcon } from "./icons.tsx";

interface ToastMessage {
  kind: "success" | "error";
  message: string;
  undo?: string;
  button?: ToastButton;
  link?: { to: string; label: string };
}

interface ToastButton {
  label: string;
  action: string;
  fields: Record<string, string>;
}

/** A message with an id, because the next one may have the same text. */
type IdentifiedToast = ToastMessage & { id: string };

const ToastContext = createContext<{
  toast: IdentifiedToast | null;
  hide: () => void;
  show: (toast: ToastMessage) => void;
}>({ toast: null, hide: () => {}, show: () => {} });

/** Provides the toast of the shown page to its `ToastRegion`, until the next navigation. */
export function ToastProvider({ toast, children }: { toast: IdentifiedToast | null; children: ReactNode }) {
  const { key } = useLocation();
  const id = toast?.id;
  const [shown, setShown] = useState({ id, key });
  if (shown.id !== id) setShown({ id, key });
  const [hiddenId, setHiddenId] = useState<string>();
  const [local, setLocal] = useState<{ toast: IdentifiedToast; key: string } | null>(null);
  const hide = useCallback(() => {
    setHiddenId(id);
    setLocal(null);
  }, [id]);
  const show = useCallback(
    (message: ToastMessage) => setLocal({ toast: { ...message, id: crypto.randomUUID() }, key }),
    [key],
  );
  const localToast = local?.key === key ? local.toast : null;
  const isShown = shown.key === key && hiddenId !== id;
  const value = useMemo(
    () => ({ toast: localToast ?? (isShown ? toast : null), hide, show }),
    [localToast, isShown, toast, hide, show],
  );
  return <ToastContext.Provider value={value}>{children}</ToastContext.Provider>;
}

/** Returns a function that hides the toast, for what makes it outdated. */
export function useHideToast(): () => void {
  return useContext(ToastContext).hide;
}

/** Returns a function that shows a toast, for what happens without a navigation. */
export function useShowToast(): (toast: ToastMessage) => void {
  return useContext(ToastContext).show;
}

/** The region of the shown page; a dialog has its own, because the page behind it is inert. */
export const toastRegionId = "messages";

/**
 * The live region for toasts, below the sticky bar of the page or dialog. An error takes its room in the flow, so it
 * covers no control, and stays. A success lies over the page, in a dialog over its title, and leaves by itself if it asks
 * for nothing. The region is always in the document, so that screen readers announce new messages.
 */
export function ToastRegion({ className = "" }: { className?: string }) {
  const { toast, hide } = useContext(ToastContext);
  return (
    <div id={toastRegionId} className={`toast-region ${className}`} aria-live="polite">
      {toast && <Toast {...toast} key={toast.id} onClose={hide} />}
    </div>
  );
}

function Toast({ kind, message, undo, button, link, onClose }: ToastMessage & { onClose: () => void }) {
  const hydrated = useHydrated();
  // It asks for nothing, so it need not stay.
  const leaves = kind === "success" && !undo && !button && !link;
  const Icon = kind === "success" ? CheckIcon : AlertIcon;
  return (
    <div
      role={kind === "success" ? "status" : "alert"}
      className={`toast ${leaves ? "toast-leaves" : ""}`}
      onAnimationEnd={leaves ? onClose : undefined}
    >
      <Icon className="mt-0.5 size-5 shrink-0" />
      <div className="flex min-w-0 flex-wrap gap-x-3 gap-y-2.5">
        <p className="min-w-0 wrap-anywhere">
          {message
            .split(/(\S+@\S+)/)
            .map((part, index) => (index % 2 ? <EmailAddress key={index} email={part} /> : part))}
        </p>
        {undo && <FormButton label="Undo" action="/manage/undo" fields={{ _id: undo }} />}
        {button && <FormButton {...button} />}
        {link && (
          <Link to={link.to} className="link -my-2.5 flex min-h-11 shrink-0 items-center font-medium">
            {link.label}
          </Link>
        )}
      </div>
      {hydrated && (
        <button
          type="button"
          className="-my-2.5 -mr-2.5 ml-auto grid size-11 shrink-0 cursor-pointer place-items-center rounded-field hover:bg-current/20"
          aria-label="Close message"
          onClick={onClose}
        >
          <CloseIcon className="size-4" />
        </button>
      )}
    </div>
  );
}

function FormButton({ label, action, fields }: ToastButton) {
  const { pathname, search } = useLocation();
  return (
    <Form method="post" action={action} preventScrollReset>
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <input type="hidden" name="redirectTo" value={pathname + search} />
      <SubmitButton action={action} className="btn-link -my-2.5 h-11 px-0 text-base text-current">
        {label}
      </SubmitButton>
    </Form>
  );
}
