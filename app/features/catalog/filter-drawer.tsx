import type { ReactNode, RefObject } from "react";
import { Drawer, DrawerButton } from "#app/ui/drawer.tsx";
import { FiltersIcon } from "#app/ui/icons.tsx";

const id = "filters";

export function FiltersButton({ applied }: { applied: number }) {
  return (
    <DrawerButton drawerId={id} className="flex-1 md:flex-none">
      <FiltersIcon />
      Filters
      {applied > 0 && (
        <span className="min-w-6 rounded-full bg-primary px-1.5 text-sm text-primary-content tabular-nums">
          {applied}
          <span className="sr-only"> applied</span>
        </span>
      )}
    </DrawerButton>
  );
}

/** On a wide screen beside the list. */
export function FilterDrawer({
  drawer,
  footer,
  children,
}: {
  drawer: RefObject<HTMLDivElement>;
  footer: ReactNode;
  children: ReactNode;
}) {
  return (
    <Drawer
      id={id}
      drawer={drawer}
      title="Filters"
      className="right-0 left-auto w-88 border-l lg:col-start-1 lg:row-span-2 lg:row-start-1"
      headerClassName="lg:static lg:mb-4 lg:border-0 lg:p-0"
    >
      <div className="grid gap-6 p-5 lg:p-0">{children}</div>
      {footer}
    </Drawer>
  );
}
