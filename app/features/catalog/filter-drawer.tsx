import { type ReactNode, type RefObject, useEffect } from "react";
import { CloseIcon, FiltersIcon } from "#app/ui/icons.tsx";

const id = "filters";

/** Opens the drawer; on a large screen there is none, and the filters stand beside the list. */
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

/**
 * Where the filters are: beside the list, or on a narrow screen in a drawer over it, by the browser's own means.
 *
 * @param foot stays in sight while the drawer is scrolled
 */
export function FilterDrawer({
  drawer,
  foot,
  children,
}: {
  drawer: RefObject<HTMLDivElement>;
  foot: ReactNode;
  children: ReactNode;
}) {
  useEffect(() => {
    const element = drawer.current;
    // Who goes on by the keyboard must see where they are.
    const left = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget instanceof Node && !element?.contains(relatedTarget)) closeDrawer(element);
    };
    element?.addEventListener("focusout", left);
    return () => element?.removeEventListener("focusout", left);
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
      {foot}
    </div>
  );
}

/** Closes the drawer where it is open, and tells whether it was. */
export function closeDrawer(drawer: HTMLElement | null): boolean {
  if (!drawer?.matches(":popover-open")) return false;
  drawer.hidePopover();
  return true;
}
