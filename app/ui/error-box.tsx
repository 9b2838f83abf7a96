import { type ComponentPropsWithoutRef, forwardRef } from "react";

/** The frame of error messages. */
export const ErrorBox = forwardRef<HTMLDivElement, ComponentPropsWithoutRef<"div">>(function ErrorBox(
  { className = "", ...box },
  ref,
) {
  return (
    <div
      ref={ref}
      className={`rounded-box border border-error bg-error/5 px-4 py-3 font-medium ${className}`}
      {...box}
    />
  );
});
