import { type ReactNode, type RefObject, useEffect } from "react";
import { CloseIcon, FiltersIcon } from "./icons.tsx";

/** The id of the drawer of a page's filters. */
export const filtersId = "filters";

/** Opens the filters. On wide screens they are part of the page. */
export function FiltersButton({ applied }: { applied: number }) {
  return (
    <button
      type="button"
      {...{ popovertarget: filtersId }}
      className="btn btn-outline lg:hidden print:hidden flex-1 md:flex-none"
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

/** On a narrow screen a native popover, which works without JavaScript; on a wide one part of the page. */
export function Drawer({
  id,
  drawer,
  title,
  className,
  headerClassName,
  children,
}: {
  id: string;
  drawer: RefObject<HTMLDivElement>;
  title: string;
  className: string;
  headerClassName: string;
  children: ReactNode;
}) {
  useEffect(() => {
    const element = drawer.current;
    // It covers the page, so it closes when the focus moves there.
    const onFocusOut = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget instanceof Node && !element?.contains(relatedTarget)) closeDrawer(element);
    };
    const onToggle = () => {
      const { activeElement, documentElement } = document;
      const isOpen = element?.matches(":popover-open");
      // The page behind does not scroll. A rule `html:has(…)` would delay the drawer: it styles the whole page again.
      documentElement.style.overflow = isOpen ? "hidden" : "";
      if (isOpen) element?.querySelector("button")?.focus();
      // A click outside has closed it, and has focused what is around it, if anything.
      else if (activeElement?.contains(element) || element?.contains(activeElement))
        document.querySelector<HTMLElement>(`[popovertarget="${id}"]`)?.focus();
    };
    element?.addEventListener("focusout", onFocusOut);
    element?.addEventListener("toggle", onToggle);
    return () => {
      element?.removeEventListener("focusout", onFocusOut);
      element?.removeEventListener("toggle", onToggle);
      document.documentElement.style.overflow = "";
    };
  }, [drawer, id]);

  return (
    <div
      id={id}
      ref={drawer}
      {...{ popover: "auto" }}
      className={`drawer inset-y-0 h-dvh max-h-none max-w-[calc(100vw-2.5rem)] scroll-py-20 overflow-y-auto overscroll-contain border-base-300 bg-base-100 text-base-content backdrop:bg-black/50 lg:static lg:block lg:h-auto lg:w-auto lg:overflow-visible lg:border-0 ${className}`}
    >
      <div
        className={`sticky top-0 z-10 flex items-center justify-between border-b border-base-300 bg-base-100 py-3 pr-3 pl-5 ${headerClassName}`}
      >
        <h2 className="text-xl font-semibold">{title}</h2>
        <button
          type="button"
          {...{ popovertarget: id, popovertargetaction: "hide" }}
          className="btn btn-square btn-ghost lg:hidden"
          aria-label="Close"
          // biome-ignore lint/a11y/noAutofocus: without JavaScript, this is what the popover focuses when it opens
          autoFocus
        >
          <CloseIcon />
        </button>
      </div>
      {children}
    </div>
  );
}

/** Closes the drawer and returns whether it was open. */
export function closeDrawer(drawer: HTMLElement | null): boolean {
  if (!drawer?.matches(":popover-open")) return false;
  drawer.hidePopover();
  return true;
}
