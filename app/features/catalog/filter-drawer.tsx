import { type ReactNode, type RefObject, useEffect } from "react";
import { CloseIcon, FiltersIcon } from "#app/ui/icons.tsx";

const id = "filters";

export function FiltersButton({ applied }: { applied: number }) {
  return (
    <button
      type="button"
      {...{ popovertarget: id }}
      className="btn flex-1 btn-outline md:flex-none lg:hidden"
    >
      <FiltersIcon />
      Filters
      {applied > 0 && (
        <span className="min-w-6 rounded-full bg-primary px-1.5 text-sm text-primary-content tabular-nums">
          {applied}
          <span className="sr-only"> applied</span>
        </span>
      )}
    </button>
  );
}

/** On a wide screen beside the list, on a narrow one in a native popover. */
export function FilterDrawer({
  drawer,
  footer,
  children,
}: {
  drawer: RefObject<HTMLDivElement>;
  footer: ReactNode;
  children: ReactNode;
}) {
  useEffect(() => {
    const element = drawer.current;
    // When the focus moves to the page behind the drawer, it must be visible.
    const onFocusOut = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget instanceof Node && !element?.contains(relatedTarget)) closeDrawer(element);
    };
    element?.addEventListener("focusout", onFocusOut);
    return () => element?.removeEventListener("focusout", onFocusOut);
  }, [drawer]);

  return (
    <div
      id={id}
      ref={drawer}
      {...{ popover: "auto" }}
      className="inset-y-0 right-0 left-auto h-dvh max-h-none w-88 max-w-[calc(100vw-2.5rem)] scroll-py-20 overflow-y-auto overscroll-contain border-l border-base-300 bg-base-100 text-base-content backdrop:bg-black/50 lg:static lg:col-start-1 lg:row-span-2 lg:row-start-1 lg:block lg:h-auto lg:w-auto lg:overflow-visible lg:border-0"
    >
      <div className="sticky top-0 z-10 flex items-center justify-between border-b border-base-300 bg-base-100 py-3 pr-3 pl-5 lg:static lg:mb-4 lg:border-0 lg:p-0">
        <h2 className="text-xl font-semibold">Filters</h2>
        <button
          type="button"
          {...{ popovertarget: id, popovertargetaction: "hide" }}
          className="btn btn-square btn-ghost lg:hidden"
          aria-label="Close"
        >
          <CloseIcon />
        </button>
      </div>
      <div className="grid gap-6 p-5 lg:p-0">{children}</div>
      {footer}
    </div>
  );
}

/** Closes the drawer and returns whether it was open. */
export function closeDrawer(drawer: HTMLElement | null): boolean {
  if (!drawer?.matches(":popover-open")) return false;
  drawer.hidePopover();
  return true;
}
