import type { ReactNode } from "react";

/** A button that asks for confirmation, or explains, in a native popover, which works without JavaScript. */
export function ConfirmPopover({
  id,
  label,
  className,
  question,
  text,
  children,
  cancel = "Cancel",
  ...button
}: {
  id: string;
  /** Of the button that opens the popover. */
  label: ReactNode;
  className: string;
  question: string;
  text: string;
  /** The form that does it, or a link. */
  children: ReactNode;
  cancel?: string;
  "aria-describedby"?: string;
  "aria-description"?: string;
}) {
  return (
    <>
      <button
        type="button"
        // Opens only, so that a double click does not close it again.
        {...{ popovertarget: id, popovertargetaction: "show" }}
        className={`btn ${className}`}
        {...button}
      >
        {label}
      </button>
      <div
        id={id}
        {...{ popover: "auto" }}
        role="dialog"
        aria-labelledby={`${id}-title`}
        className="m-auto w-sm max-w-[calc(100vw-2rem)] rounded-box text-left border border-base-300 bg-base-100 p-6 text-base-content backdrop:bg-black/50"
      >
        <h2 id={`${id}-title`} className="text-xl font-semibold wrap-anywhere">
          {question}
        </h2>
        <p className="mt-2 wrap-anywhere">{text}</p>
        <div className="mt-5 flex flex-wrap gap-3">
          {children}
          <button
            type="button"
            {...{ popovertarget: id, popovertargetaction: "hide" }}
            className="btn btn-outline"
          >
            {cancel}
          </button>
        </div>
      </div>
    </>
  );
}
